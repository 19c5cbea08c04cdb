//! Lines and columns, for the edges.

use crate::source::{Position, SourceFile};

/// Turns byte offsets of one text into positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// Where each line starts.
    starts: Vec<u32>,
    /// Each character of more than one byte: where it ends, and how many bytes more than characters there are up to there.
    wide: Vec<(u32, u32)>,
    length: u32,
}

impl LineIndex {
    /// Indexes `text`; only `\n` ends a line.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        let mut wide = Vec::new();
        let mut surplus = 0;
        if text.is_ascii() {
            starts.extend((1..).zip(text.bytes()).filter(|&(_, byte)| byte == b'\n').map(|(end, _)| end));
        } else {
            let mut end = 0;
            for character in text.chars() {
                let length = u32::try_from(character.len_utf8()).unwrap_or_default();
                end += length;
                if character == '\n' {
                    starts.push(end);
                } else if length > 1 {
                    surplus += length - 1;
                    wide.push((end, surplus));
                }
            }
        }
        Self { starts, wide, length: u32::try_from(text.len()).unwrap_or(u32::MAX) }
    }

    /// The line and column of the byte at `offset`, both from 1, the column in characters. An offset beyond the text is its end.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.length);
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = line.checked_sub(1).and_then(|line| self.starts.get(line)).copied().unwrap_or(0);
        let characters = |offset| offset - self.surplus(offset);
        Position { line: u32::try_from(line).unwrap_or(u32::MAX), column: characters(offset) - characters(start) + 1 }
    }

    /// The byte at a position; of one that the text does not have, the end of its line or of the text.
    #[must_use]
    pub fn offset(&self, position: Position) -> u32 {
        let line = position.line.saturating_sub(1) as usize;
        let Some(&start) = self.starts.get(line) else { return self.length };
        let end = self.starts.get(line + 1).map_or(self.length, |next| next - 1);
        let mut offset = start.saturating_add(position.column.saturating_sub(1));
        let first = self.wide.partition_point(|&(end, _)| end <= start);
        let mut before = first.checked_sub(1).and_then(|last| self.wide.get(last)).map_or(0, |&(_, surplus)| surplus);
        for &(wide, surplus) in self.wide.iter().skip(first) {
            let length = surplus - before + 1;
            if wide - length >= offset {
                break;
            }
            offset = offset.saturating_add(length - 1);
            before = surplus;
        }
        offset.min(end)
    }

    /// How many bytes more than characters there are before `offset`.
    fn surplus(&self, offset: u32) -> u32 {
        let count = self.wide.partition_point(|&(end, _)| end <= offset);
        count.checked_sub(1).and_then(|last| self.wide.get(last)).map_or(0, |&(_, surplus)| surplus)
    }
}

/// The index of a file's lines.
#[salsa::tracked]
pub fn line_index(db: &dyn salsa::Database, file: SourceFile) -> LineIndex {
    LineIndex::new(file.text(db))
}

#[cfg(test)]
mod tests {
    use super::LineIndex;
    use crate::source::Position;

    #[test]
    fn columns_count_characters() {
        let text = "ab\né😀x\r\n";
        let index = LineIndex::new(text);
        let at = |needle| index.position(u32::try_from(text.find(needle).unwrap()).unwrap());
        assert_eq!(at("b"), Position { line: 1, column: 2 });
        assert_eq!(at("é"), Position { line: 2, column: 1 });
        assert_eq!(at("x"), Position { line: 2, column: 3 });
        assert_eq!(index.position(99), Position { line: 3, column: 1 });
    }

    #[test]
    fn offsets_are_found_again() {
        let text = "ab\né😀x\r\nß";
        let index = LineIndex::new(text);
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let offset = u32::try_from(offset).unwrap();
            assert_eq!(index.offset(index.position(offset)), offset);
        }
        assert_eq!(index.offset(Position { line: 1, column: 9 }), 2);
        assert_eq!(index.offset(Position { line: 9, column: 1 }), index.offset(index.position(99)));
    }
}
