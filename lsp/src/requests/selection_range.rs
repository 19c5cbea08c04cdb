//! `textDocument/selectionRange`: what a selection grows to, step by step.

use policyc::ide;

use crate::protocol::{Position, SelectionRange, SelectionRangeParams};
use crate::snapshot::Snapshot;

pub(crate) fn answer(snapshot: &Snapshot, params: &SelectionRangeParams) -> Option<Vec<SelectionRange>> {
    let here = snapshot.here(&params.text_document.uri)?;
    let lines = snapshot.lines(here.file);
    let grown = |position: &Position| {
        let mut spans = ide::selections(&snapshot.db, here.file, lines.offset(*position));
        spans.sort_by_key(|span| std::cmp::Reverse(span.end - span.start));
        let around = |parent: Option<Box<SelectionRange>>, span| {
            Some(Box::new(SelectionRange { range: lines.range(span), parent }))
        };
        let smallest = spans.into_iter().fold(None, around);
        // Each place has an answer, even where there is nothing.
        let nothing = || SelectionRange { range: lines.range(lines.span(empty(*position))), parent: None };
        smallest.map_or_else(nothing, |smallest| *smallest)
    };
    Some(params.positions.iter().map(grown).collect())
}

const fn empty(position: Position) -> crate::protocol::Range {
    crate::protocol::Range { start: position, end: position }
}
