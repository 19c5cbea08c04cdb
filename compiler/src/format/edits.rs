//! What formatting changes, as the smallest edits of whole lines.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::source::Span;

/// A piece of a text, and what to write there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The piece.
    pub span: Span,
    /// What to write there.
    pub text: String,
}

/// The edits that make `new` of `old`, in order; each is as short as the lines it is about allow.
#[must_use]
pub fn edits(old: &str, new: &str) -> Vec<Edit> {
    let (before, after): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let (old_starts, new_starts) = (starts(&before), starts(&after));
    let place = |starts: &[usize], line: usize| starts.get(line).copied().unwrap_or_default();
    let operations = capture_diff_slices(Algorithm::Myers, &before, &after);
    let changes = operations.into_iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. }));
    changes
        .map(|operation| {
            let (lines, new_lines) = (operation.old_range(), operation.new_range());
            let span = place(&old_starts, lines.start)..place(&old_starts, lines.end);
            let text = new.get(place(&new_starts, new_lines.start)..place(&new_starts, new_lines.end));
            shortened(old, span, text.unwrap_or_default())
        })
        .collect()
}

/// Where each line starts, and where the last one ends.
fn starts(lines: &[&str]) -> Vec<usize> {
    let ends = lines.iter().scan(0, |end, line| {
        *end += line.len();
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// The edit without what both texts begin and end with.
fn shortened(old: &str, span: std::ops::Range<usize>, text: &str) -> Edit {
    let piece = old.get(span.clone()).unwrap_or_default();
    let same = piece.chars().zip(text.chars()).take_while(|(old, new)| old == new);
    let start: usize = same.map(|(character, _)| character.len_utf8()).sum();
    let (piece, text) = (piece.get(start..).unwrap_or_default(), text.get(start..).unwrap_or_default());
    let same = piece.chars().rev().zip(text.chars().rev()).take_while(|(old, new)| old == new);
    let end: usize = same.map(|(character, _)| character.len_utf8()).sum();
    let text = text.get(..text.len() - end).unwrap_or_default().to_owned();
    Edit { span: Span::from(span.start + start..span.end - end), text }
}
