//! A text with its parts underlined.

use std::ops::Range;

use policyc_runtime::Decision;

use super::super::escape;
use super::super::paint::Paint;
use super::layout::indent;

/// A longer line is cut.
const WIDEST: usize = 160;
/// How much of a line that is cut at its start is shown before the first mark.
const BEFORE: usize = 30;
/// Of a text with more lines, only those with marks are shown.
const MOST_LINES: usize = 12;
/// No more lines are shown, with marks or without.
const MOST_SHOWN: usize = 100;

/// A text and what is marked in it.
pub(super) struct Sheet<'s> {
    pub(super) text: &'s str,
    pub(super) marks: Vec<Mark>,
}

/// A part of the text. Later marks are drawn over earlier ones.
#[derive(Clone)]
pub(super) struct Mark {
    pub(super) span: Range<usize>,
    pub(super) line: char,
    pub(super) tone: Tone,
    /// What stands under its start.
    pub(super) number: Option<usize>,
}

/// What a mark says, as a colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Decision(Option<Decision>),
    Problem,
}

impl Tone {
    fn paint(self, paint: Paint, text: &str) -> String {
        match self {
            Self::Decision(Some(decision)) => paint.decision(decision, text).to_string(),
            Self::Decision(None) | Self::Problem => paint.warning(text).to_string(),
        }
    }
}

/// One line as it is shown.
struct Line {
    shown: String,
    /// Where each byte offset that begins a character stands, in columns; the end of the line too.
    columns: Vec<(usize, usize)>,
}

impl Line {
    /// The characters of `text` from `start` to `end`, but for the first columns if they have to be left out.
    fn new(text: &str, start: usize, end: usize, first_mark: Option<usize>) -> Self {
        let content = text.get(start..end).unwrap_or_default();
        let mut from = start;
        if content.chars().count() > WIDEST
            && let Some(mark) = first_mark
        {
            let before = text.get(start..mark).unwrap_or_default();
            if before.chars().count() > WIDEST / 2 {
                from = before.char_indices().rev().nth(BEFORE).map_or(start, |(offset, _)| start + offset);
            }
        }
        let mut line = Self { shown: String::new(), columns: Vec::new() };
        let mut column = 0;
        if from > start {
            line.shown.push('…');
            column += 1;
        }
        for (offset, character) in text.get(from..end).unwrap_or_default().char_indices() {
            line.columns.push((from + offset, column));
            if column >= WIDEST {
                line.shown.push('…');
                return line;
            }
            let mut shown = String::new();
            match character {
                '\t' => shown.push_str("    "),
                _ if escape::is_hidden(character) => escape::push_escape(&mut shown, character),
                _ => shown.push(character),
            }
            column += shown.chars().map(width).sum::<usize>();
            line.shown.push_str(&shown);
        }
        line.columns.push((end, column));
        line
    }

    fn column(&self, offset: usize) -> usize {
        let place = self.columns.partition_point(|(known, _)| *known < offset);
        self.columns.get(place).or(self.columns.last()).map_or(0, |(_, column)| *column)
    }
}

impl Sheet<'_> {
    /// Draws the text. Its first line is written where the cursor is; every later one is indented.
    pub(super) fn draw(&self, drawn: &mut String, columns: usize, paint: Paint) {
        let mut start = 0;
        let lines: Vec<(usize, usize)> = self
            .text
            .split_inclusive('\n')
            .map(|line| {
                let from = start;
                start += line.len();
                (from, from + line.trim_end_matches(['\n', '\r']).len())
            })
            .collect();
        let touches =
            |mark: &&Mark, (from, to): (usize, usize)| mark.span.start < to.max(from + 1) && from < mark.span.end;
        let mut first = true;
        let mut left_out = false;
        let mut shown = 0;
        for (number, line) in lines.iter().copied().enumerate() {
            let marks: Vec<&Mark> = self.marks.iter().filter(|mark| touches(mark, line)).collect();
            if shown == MOST_SHOWN || lines.len() > MOST_LINES && marks.is_empty() && number > 0 {
                left_out = true;
                continue;
            }
            shown += 1;
            if std::mem::take(&mut left_out) {
                indent(drawn, columns);
                drawn.push_str(&format!("{}\n", paint.faint("…")));
            }
            if !std::mem::take(&mut first) {
                indent(drawn, columns);
            }
            let (from, to) = line;
            let line = Line::new(self.text, from, to, marks.iter().map(|mark| mark.span.start.max(from)).min());
            drawn.push_str(&format!("{}\n", paint.strong(&line.shown)));
            for row in rows(&line, from, to, &marks, paint) {
                indent(drawn, columns);
                drawn.push_str(&row);
                drawn.push('\n');
            }
        }
        if lines.is_empty() {
            drawn.push('\n');
        }
        if left_out {
            indent(drawn, columns);
            drawn.push_str(&format!("{}\n", paint.faint("…")));
        }
    }
}

/// What stands below a line: the marks, then their numbers, in as many rows as they need.
fn rows(line: &Line, from: usize, to: usize, marks: &[&Mark], paint: Paint) -> Vec<String> {
    let mut cells: Vec<Option<(char, Tone)>> = Vec::new();
    for mark in marks {
        let start = line.column(mark.span.start.max(from));
        let end = line.column(mark.span.end.min(to)).max(start + 1);
        if cells.len() < end {
            cells.resize(end, None);
        }
        cells.iter_mut().take(end).skip(start).for_each(|cell| *cell = Some((mark.line, mark.tone)));
    }
    let mut rows = Vec::new();
    if !cells.is_empty() {
        rows.push(painted(&cells, paint));
    }
    let mut numbers: Vec<(usize, String, Tone)> = marks
        .iter()
        .filter(|mark| mark.span.start >= from)
        .filter_map(|mark| Some((line.column(mark.span.start), mark.number?.to_string(), mark.tone)))
        .collect();
    numbers.sort_by_key(|(column, ..)| *column);
    while !numbers.is_empty() {
        let (mut row, mut later): (Vec<Option<(char, Tone)>>, _) = (Vec::new(), Vec::new());
        for (column, number, tone) in numbers {
            if row.len() > column || row.len() == column && column > 0 && row.last().is_some_and(Option::is_some) {
                later.push((column, number, tone));
                continue;
            }
            row.resize(column, None);
            row.extend(number.chars().map(|digit| Some((digit, tone))));
        }
        rows.push(painted(&row, paint));
        numbers = later;
    }
    rows
}

/// Cells as text, neighbours of one colour together.
fn painted(cells: &[Option<(char, Tone)>], paint: Paint) -> String {
    let mut row = String::new();
    for run in cells.chunk_by(|one, other| one.map(|(_, tone)| tone) == other.map(|(_, tone)| tone)) {
        let text: String = run.iter().map(|cell| cell.map_or(' ', |(character, _)| character)).collect();
        match run.first() {
            Some(Some((_, tone))) => row.push_str(&tone.paint(paint, &text)),
            _ => row.push_str(&text),
        }
    }
    row
}

/// How many columns a terminal gives a character.
fn width(character: char) -> usize {
    match character {
        '\u{300}'..='\u{36f}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, marks: &[(Range<usize>, Option<usize>)]) -> String {
        let mark = |(span, number): &(Range<usize>, Option<usize>)| Mark {
            span: span.clone(),
            line: '~',
            tone: Tone::Problem,
            number: *number,
        };
        let sheet = Sheet { text, marks: marks.iter().map(mark).collect() };
        let mut drawn = String::new();
        sheet.draw(&mut drawn, 2, Paint::plain());
        drawn
    }

    #[test]
    fn marks_stand_under_what_they_mark() {
        let text = "a bc\n漢\u{202e} d";
        assert_eq!(
            drawn(text, &[(2..4, Some(1)), (12..13, Some(2))]),
            "a bc\n    ~~\n    1\n  漢\\u{202e} d\n             ~\n             2\n"
        );
        assert_eq!(drawn("ab", &[(0..1, Some(1)), (0..2, Some(2))]), "ab\n  ~~\n  1\n  2\n");
        assert_eq!(drawn("ab\ncd", &[(0..5, Some(1))]), "ab\n  ~~\n  1\n  cd\n  ~~\n");
    }

    #[test]
    fn long_lines_and_texts_are_cut() {
        let long = format!("{} end", "x".repeat(10_000));
        let cut = drawn(&long, &[(10_001..10_004, None)]);
        assert!(cut.lines().next().is_some_and(|line| line.starts_with('…') && line.ends_with("end")), "{cut}");
        assert!(drawn(&long, &[]).chars().count() < 200);
        let lines = "x\n".repeat(1_000);
        assert_eq!(drawn(&lines, &[(1_000..1_001, None)]), "x\n  …\n  x\n  ~\n  …\n");
    }

    #[test]
    fn bad_spans_do_not_panic() {
        for text in ["", "é", "a\nb\n", "\n\n\n"] {
            for start in 0..6 {
                for end in 0..6 {
                    drawn(text, &[(start..end, Some(1))]);
                }
            }
        }
    }
}
