//! The lines of a file that a diagnostic shows, made safe for a terminal: hidden characters escaped, endless lines cut.

use std::collections::BTreeSet;
use std::ops::Range;

use codespan_reporting::files::{Error, Files, Location};

use super::escape;

/// A longer line is cut on both sides of what the diagnostic is about.
const WIDTH: usize = 140;
/// How much of a cut line is shown before it.
const CONTEXT: usize = 30;
/// A span of more lines than this is shown by its first four and last two.
const WHOLE_LINES: usize = 6;

/// Some lines of one file.
pub(super) struct Excerpt {
    name: String,
    text: String,
    lines: Vec<Line>,
    /// Where the most important span begins in the file.
    location: (usize, usize),
}

/// One shown line.
struct Line {
    /// As editors count.
    number: usize,
    /// Where the line stands in the file, without its line break.
    source: Range<usize>,
    /// Where it stands in the excerpt.
    shown: Range<usize>,
    /// Where each shown character of the file came to stand, both ascending.
    offsets: Vec<(usize, usize)>,
}

impl Excerpt {
    /// The lines of `source` that `spans`, the most important first, touch. `starts` are the offsets where lines begin.
    pub(super) fn new(name: String, source: &str, starts: &[usize], spans: &[Range<usize>]) -> Self {
        let spans: Vec<_> = spans.iter().map(|span| trimmed(source, span)).collect();
        let line_of = |offset| starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let mut wanted = BTreeSet::new();
        for span in &spans {
            let (first, last) = (line_of(span.start), line_of(span.end));
            if last - first < WHOLE_LINES {
                wanted.extend(first..=last);
            } else {
                wanted.extend(first..first + 4);
                wanted.extend([last - 1, last]);
            }
        }
        let mut excerpt = Self { name, text: String::new(), lines: Vec::new(), location: (1, 1) };
        let mut previous = None;
        for line in wanted {
            match previous.map_or(1, |previous| line - previous) {
                1 => {}
                2 => excerpt.push(source, starts, line - 1, &spans),
                // Two lines that no span touches are drawn as a break.
                _ => (1..3).for_each(|after| excerpt.push_nothing(previous.unwrap_or_default() + after)),
            }
            excerpt.push(source, starts, line, &spans);
            previous = Some(line);
        }
        if let Some(span) = spans.first() {
            let line = line_of(span.start);
            let before = starts.get(line).and_then(|start| source.get(*start..span.start)).unwrap_or_default();
            excerpt.location = (line + 1, before.chars().count() + 1);
        }
        excerpt
    }

    fn push(&mut self, source: &str, starts: &[usize], line: usize, spans: &[Range<usize>]) {
        let start = starts.get(line).copied().unwrap_or_default();
        let end = starts.get(line + 1).copied().unwrap_or(source.len());
        let content = source.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r']);
        let within = start..start + content.len();
        let focus = spans.iter().find(|span| span.start <= within.end && within.start <= span.end);
        let focus = focus.map_or(start, |span| span.start.clamp(within.start, within.end));

        let shown_start = self.text.len();
        let mut offsets = Vec::new();
        let first = if content.char_indices().nth(WIDTH).is_none() {
            0
        } else {
            let before = content.get(..focus - start).unwrap_or_default();
            before.char_indices().rev().take(CONTEXT).last().map_or(focus - start, |(offset, _)| offset)
        };
        if first > 0 {
            self.text.push('…');
        }
        for (offset, character) in content.get(first..).unwrap_or_default().char_indices() {
            offsets.push((start + first + offset, self.text.len()));
            if self.text.len() - shown_start > 4 * WIDTH || offsets.len() > WIDTH {
                self.text.push('…');
                break;
            }
            match character {
                '\t' => self.text.push('\t'),
                _ if escape::is_hidden(character) => escape::push_escape(&mut self.text, character),
                _ => self.text.push(character),
            }
        }
        let shown = shown_start..self.text.len();
        self.text.push('\n');
        self.lines.push(Line { number: line + 1, source: within, shown, offsets });
    }

    fn push_nothing(&mut self, line: usize) {
        let here = self.text.len();
        self.text.push('\n');
        self.lines.push(Line { number: line + 1, source: 0..0, shown: here..here, offsets: Vec::new() });
    }

    /// Where a span of the file is in the excerpt.
    pub(super) fn shown(&self, source: &str, span: &Range<usize>) -> Range<usize> {
        let span = trimmed(source, span);
        let start = self.shown_offset(span.start);
        start..self.shown_offset(span.end).max(start)
    }

    fn shown_offset(&self, offset: usize) -> usize {
        let holds = |line: &&Line| !line.is_break() && line.source.start <= offset && offset <= line.source.end;
        let Some(line) = self.lines.iter().find(holds) else { return 0 };
        let place = line.offsets.partition_point(|(source, _)| *source < offset);
        match line.offsets.get(place) {
            // What a cut at the left took away is shown by the mark there.
            Some((source, _)) if place == 0 && *source > offset => line.shown.start,
            Some((_, shown)) => *shown,
            None => line.shown.end,
        }
    }

    /// `file:line:column` of the most important span.
    #[cfg(test)]
    fn place(&self) -> String {
        let (line, column) = self.location;
        format!("{}:{line}:{column}", self.name)
    }
}

impl Line {
    const fn is_break(&self) -> bool {
        self.offsets.is_empty() && self.source.end == 0 && self.number > 1
    }
}

/// The span inside the text, at character boundaries, and not reaching over a line break to the next line's start.
fn trimmed(source: &str, span: &Range<usize>) -> Range<usize> {
    let start = source.floor_char_boundary(span.start.min(source.len()));
    let end = source.floor_char_boundary(span.end.min(source.len())).max(start);
    let text = source.get(start..end).unwrap_or_default();
    start..start + text.trim_end_matches(['\n', '\r']).len()
}

/// The files of one diagnostic.
pub(super) struct Excerpts(pub(super) Vec<Excerpt>);

impl Excerpts {
    fn line(&self, file: usize, line: usize) -> Result<&Line, Error> {
        let lines = &self.0.get(file).ok_or(Error::FileMissing)?.lines;
        lines.get(line).ok_or(Error::LineTooLarge { given: line, max: lines.len().saturating_sub(1) })
    }
}

impl<'e> Files<'e> for Excerpts {
    type FileId = usize;
    type Name = &'e str;
    type Source = &'e str;

    fn name(&'e self, file: usize) -> Result<&'e str, Error> {
        Ok(&self.0.get(file).ok_or(Error::FileMissing)?.name)
    }

    fn source(&'e self, file: usize) -> Result<&'e str, Error> {
        Ok(&self.0.get(file).ok_or(Error::FileMissing)?.text)
    }

    fn line_index(&'e self, file: usize, offset: usize) -> Result<usize, Error> {
        let lines = &self.0.get(file).ok_or(Error::FileMissing)?.lines;
        Ok(lines.partition_point(|line| line.shown.start <= offset).saturating_sub(1))
    }

    fn line_number(&'e self, file: usize, line: usize) -> Result<usize, Error> {
        Ok(self.line(file, line)?.number)
    }

    fn location(&'e self, file: usize, _: usize) -> Result<Location, Error> {
        let (line_number, column_number) = self.0.get(file).ok_or(Error::FileMissing)?.location;
        Ok(Location { line_number, column_number })
    }

    fn line_range(&'e self, file: usize, line: usize) -> Result<Range<usize>, Error> {
        let shown = &self.line(file, line)?.shown;
        // With the line break, as codespan expects.
        Ok(shown.start..shown.end + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(source: &str, spans: &[Range<usize>]) -> Excerpt {
        let starts: Vec<_> = codespan_reporting::files::line_starts(source).collect();
        Excerpt::new("p.rules".to_owned(), source, &starts, spans)
    }

    #[test]
    fn hidden_characters_are_escaped_and_spans_follow() {
        let source = "a\x1b\u{202e}b = 1\r\nx";
        let b = source.find('b').unwrap();
        let span = b..b + 1;
        let excerpt = excerpt(source, std::slice::from_ref(&span));
        assert_eq!(excerpt.text, "a\\x1b\\u{202e}b = 1\n");
        assert_eq!(excerpt.text.get(excerpt.shown(source, &span)), Some("b"));
        assert_eq!(excerpt.place(), "p.rules:1:4");
    }

    #[test]
    fn long_lines_are_cut_around_the_span() {
        let source = format!("{}bad{}\n", "ä".repeat(100_000), "z".repeat(100_000));
        let span = 200_000..200_003;
        let excerpt = excerpt(&source, std::slice::from_ref(&span));
        assert!(excerpt.text.chars().count() < WIDTH + 5);
        assert_eq!(excerpt.text.get(excerpt.shown(&source, &span)), Some("bad"));
        assert_eq!(excerpt.place(), "p.rules:1:100001");
    }

    #[test]
    fn long_spans_are_shown_by_their_ends() {
        let source: String = (1..=100).map(|line| format!("line {line}\n")).collect();
        let span = 8..source.len();
        let excerpt = excerpt(&source, std::slice::from_ref(&span));
        let numbers: Vec<_> = excerpt.lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [2, 3, 4, 5, 6, 7, 99, 100]);
        assert_eq!(excerpt.text, "line 2\nline 3\nline 4\nline 5\n\n\nline 99\nline 100\n");
    }

    #[test]
    fn bad_spans_do_not_panic() {
        for source in ["", "é", "a\nb\n", "\n\n\n"] {
            for start in 0..6 {
                for end in 0..6 {
                    let span = start..end;
                    let excerpt = excerpt(source, std::slice::from_ref(&span));
                    let shown = excerpt.shown(source, &span);
                    assert!(excerpt.text.get(shown).is_some(), "{source:?} {span:?}");
                }
            }
        }
    }
}
