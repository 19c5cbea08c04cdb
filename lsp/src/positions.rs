//! Lines and columns as editors count them, and bytes as the compiler does.

use std::borrow::Cow;

use line_index::{LineCol, LineIndex, TextSize, WideEncoding, WideLineCol};
use policyc::source::{SourceFile, Span};

use crate::protocol::{Position, PositionEncodingKind, Range, TextDocumentContentChangeEvent};

/// What columns count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// What the protocol counts unless something else is agreed on: a character beyond U+FFFF is two.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The first of the editor's encodings that is known here, in the order of its preference.
    pub(crate) fn agreed(offered: Option<&[PositionEncodingKind]>) -> Self {
        let known = [
            (PositionEncodingKind::UTF8, Self::Utf8),
            (PositionEncodingKind::UTF16, Self::Utf16),
            (PositionEncodingKind::UTF32, Self::Utf32),
        ];
        let agreed = |kind: &PositionEncodingKind| known.iter().find(|(other, _)| other == kind).map(|(_, it)| *it);
        offered.unwrap_or_default().iter().find_map(agreed).unwrap_or_default()
    }

    pub(crate) const fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    const fn wide(self) -> Option<WideEncoding> {
        match self {
            Self::Utf8 => None,
            Self::Utf16 => Some(WideEncoding::Utf16),
            Self::Utf32 => Some(WideEncoding::Utf32),
        }
    }
}

/// Converts between the two for one text.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    index: Cow<'t, LineIndex>,
    encoding: Encoding,
}

/// The lines of a file, found once for all places that answers name.
#[salsa::tracked(no_eq)]
fn index_of(db: &dyn salsa::Database, file: SourceFile) -> LineIndex {
    LineIndex::new(file.text(db))
}

impl<'t> Lines<'t> {
    pub(crate) fn of(db: &'t dyn salsa::Database, file: SourceFile, encoding: Encoding) -> Self {
        Self { text: file.text(db), index: Cow::Borrowed(index_of(db, file)), encoding }
    }

    pub(crate) fn new(text: &'t str, encoding: Encoding) -> Self {
        Self { text, index: Cow::Owned(LineIndex::new(text)), encoding }
    }

    /// Where the byte at `offset` is; one within a character counts as its first, one beyond the text as its end.
    pub(crate) fn position(&self, offset: u32) -> Position {
        let offset = self.text.floor_char_boundary(offset as usize);
        let at = TextSize::from(u32::try_from(offset).unwrap_or(u32::MAX));
        let at = self.index.try_line_col(at).unwrap_or(LineCol { line: 0, col: 0 });
        let wide = self.encoding.wide().and_then(|wide| self.index.to_wide(wide, at));
        wide.map_or(Position { line: at.line, character: at.col }, |wide| Position {
            line: wide.line,
            character: wide.col,
        })
    }

    /// The byte at `position`. Columns beyond a line are its end, as the protocol has it, and lines beyond the text are the
    /// end of that; a column within a character is its first byte.
    pub(crate) fn offset(&self, position: Position) -> u32 {
        let length = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        let Some(line) = self.index.line(position.line) else { return length };
        let (start, mut end) = (u32::from(line.start()), u32::from(line.end()));
        if Span::new(start, end).of(self.text).ends_with('\n') {
            end -= 1;
        }
        let column = match self.encoding.wide() {
            None => Some(position.character),
            Some(wide) => {
                let at = WideLineCol { line: position.line, col: position.character };
                self.index.to_utf8(wide, at).map(|at| at.col)
            }
        };
        let offset = column.and_then(|column| start.checked_add(column)).unwrap_or(end).min(end);
        u32::try_from(self.text.floor_char_boundary(offset as usize)).unwrap_or(offset)
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end) }
    }

    /// The bytes of a range; an empty one at its start if it ends before that.
    pub(crate) fn span(&self, range: Range) -> Span {
        let start = self.offset(range.start);
        Span::new(start, self.offset(range.end).max(start))
    }
}

/// The text after the changes, each of which is about what the one before it left.
pub(crate) fn changed(text: &str, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) -> String {
    let mut text = text.to_owned();
    for change in changes {
        match change.range {
            None => text = change.text,
            Some(range) => {
                let span = Lines::new(&text, encoding).span(range);
                text.replace_range(span.start as usize..span.end as usize, &change.text);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a😀é\r\nx\n\nend";

    #[test]
    fn every_encoding_counts_its_own_columns() {
        for (encoding, columns) in
            [(Encoding::Utf8, [0, 1, 5, 7, 8]), (Encoding::Utf16, [0, 1, 3, 4, 5]), (Encoding::Utf32, [0, 1, 2, 3, 4])]
        {
            let lines = Lines::new(TEXT, encoding);
            for (offset, column) in [0, 1, 5, 7, 8].into_iter().zip(columns) {
                let position = Position { line: 0, character: column };
                assert_eq!(lines.position(offset), position, "{encoding:?}");
                assert_eq!(lines.offset(position), offset, "{encoding:?}");
            }
            assert_eq!(lines.position(9), Position { line: 1, character: 0 });
            assert_eq!(lines.offset(Position { line: 3, character: 3 }), 15);
        }
    }

    #[test]
    fn places_that_are_none_are_the_nearest_before_them() {
        let lines = Lines::new(TEXT, Encoding::Utf16);
        let offset = |line, character| lines.offset(Position { line, character });
        assert_eq!(offset(0, 2), 1, "between two surrogates");
        assert_eq!(offset(0, 99), 8, "beyond the line, before what ends it");
        assert_eq!(offset(0, u32::MAX), 8);
        assert_eq!(offset(2, 5), 11, "an empty line");
        assert_eq!(offset(3, 99), 15, "the last line ends with the text");
        assert_eq!(offset(99, 0), 15);
        assert_eq!(lines.position(3), Position { line: 0, character: 1 }, "within a character");
        assert_eq!(lines.position(u32::MAX), Position { line: 3, character: 3 });
        let backwards = Range { start: Position { line: 1, character: 0 }, end: Position { line: 0, character: 0 } };
        assert_eq!(lines.span(backwards), Span::new(9, 9));
        assert_eq!(Lines::new("", Encoding::Utf16).offset(Position { line: 0, character: 7 }), 0);
    }

    #[test]
    fn each_change_is_about_what_the_one_before_it_left() {
        let change = |range: Option<[u32; 4]>, text: &str| TextDocumentContentChangeEvent {
            range: range.map(|[line, character, end_line, end]| Range {
                start: Position { line, character },
                end: Position { line: end_line, character: end },
            }),
            range_length: None,
            text: text.to_owned(),
        };
        let changes = vec![
            change(None, "😀\nb"),
            change(Some([0, 2, 0, 2]), "c\nd"),
            change(Some([0, 0, 0, 2]), ""),
            change(Some([1, 1, 2, 0]), "-"),
        ];
        assert_eq!(changed("gone", changes, Encoding::Utf16), "c\nd-b");
    }
}
