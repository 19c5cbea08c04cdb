//! Layouts on lines.

use super::layout::{Brackets, INDENT, Layout, Lead, Link, Shape, WIDTH};

/// The text so far.
#[derive(Default)]
pub(super) struct Printer {
    text: String,
    /// The characters of the last line.
    column: usize,
}

impl Printer {
    pub(super) fn finish(self) -> String {
        self.text
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        match text.rsplit_once('\n') {
            Some((_, last)) => self.column = last.chars().count(),
            None => self.column += text.chars().count(),
        }
    }

    /// Begins a line, after some blank ones.
    pub(super) fn line(&mut self, blank: usize, indent: usize) {
        self.text.extend(std::iter::repeat_n('\n', blank + 1));
        self.indent(indent);
    }

    /// Whether the last line holds nothing yet.
    fn is_fresh(&self) -> bool {
        self.text.rsplit('\n').next().unwrap_or_default().trim_start_matches(' ').is_empty()
    }

    pub(super) fn indent(&mut self, indent: usize) {
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    pub(super) fn note(&mut self, note: Option<&String>) {
        if let Some(note) = note {
            self.push("  ");
            self.push(note);
        }
    }

    /// Prints `layout`, whose lines are indented by `indent`, where `after` characters must follow in its last line.
    pub(super) fn print(&mut self, layout: &Layout, indent: usize, after: usize) {
        let fits = layout.width.is_some_and(|width| self.column + width + after <= WIDTH);
        match &layout.shape {
            Shape::Text(text) => self.push(text),
            Shape::Sequence(parts) => self.sequence(parts, indent, after),
            Shape::Brackets(brackets) if fits || !layout.breaks => self.flat_brackets(brackets),
            Shape::Brackets(brackets) => self.brackets(brackets, indent, after),
            Shape::Chain(links) => self.chain(links, fits, after),
            Shape::Comment(text, own_line) => {
                match own_line {
                    true if self.is_fresh() => {}
                    true => self.line(0, indent + INDENT),
                    false => self.push("  "),
                }
                self.push(text);
                self.line(0, indent + INDENT);
            }
            Shape::Join => {
                self.push(" \\");
                self.line(0, indent + INDENT);
            }
        }
    }

    fn sequence(&mut self, parts: &[Layout], indent: usize, after: usize) {
        let mut afters = Vec::with_capacity(parts.len());
        let mut next = after;
        for part in parts.iter().rev() {
            afters.push(next);
            next = if part.breaks { part.lead } else { part.lead + next };
        }
        for (part, after) in parts.iter().zip(afters.into_iter().rev()) {
            self.print(part, indent, after);
        }
    }

    fn flat_brackets(&mut self, brackets: &Brackets) {
        self.push(&brackets.open);
        for (index, item) in brackets.items.iter().enumerate() {
            if index > 0 {
                self.push(if brackets.commas { ", " } else { " " });
            }
            self.flat(&item.layout);
        }
        if brackets.needs_comma {
            self.push(",");
        }
        self.push(&brackets.close);
    }

    /// Prints what is known to fit.
    fn flat(&mut self, layout: &Layout) {
        match &layout.shape {
            Shape::Text(text) => self.push(text),
            Shape::Sequence(parts) => parts.iter().for_each(|part| self.flat(part)),
            Shape::Brackets(brackets) => self.flat_brackets(brackets),
            Shape::Chain(links) => self.chain(links, true, 0),
            Shape::Comment(..) | Shape::Join => {}
        }
    }

    fn brackets(&mut self, brackets: &Brackets, indent: usize, after: usize) {
        self.push(&brackets.open);
        if let Some((last, others)) = brackets.items.split_last()
            && brackets.hugging
            && let Some(width) = others.iter().try_fold(0, |sum, item| Some(sum + item.layout.width? + 2))
            && (others.is_empty() || self.column + width + last.layout.lead <= WIDTH)
        {
            for item in others {
                self.flat(&item.layout);
                self.push(", ");
            }
            self.print(&last.layout, indent, brackets.close.len() + after);
            self.push(&brackets.close);
            return;
        }
        self.note(brackets.note.as_ref());
        self.items(brackets, indent + INDENT);
        let blank = brackets.note.is_none() && brackets.items.is_empty();
        for (index, lead) in brackets.last.iter().enumerate() {
            self.lead(lead, blank && index == 0, indent + INDENT);
        }
        self.line(0, indent);
        self.push(&brackets.close);
    }

    fn items(&mut self, brackets: &Brackets, indent: usize) {
        // Whether the next item may stand in the line of the one before.
        let mut open = false;
        for (index, item) in brackets.items.iter().enumerate() {
            let last = index + 1 == brackets.items.len();
            for (place, lead) in item.leads.iter().enumerate() {
                self.lead(lead, index == 0 && place == 0, indent);
                open = false;
            }
            let spaced = item.spaced && (index > 0 || !item.leads.is_empty());
            // After the comma.
            let fits = item.layout.width.is_some_and(|width| self.column + width + 2 <= WIDTH);
            if open && fits && !spaced {
                self.push(" ");
            } else {
                self.line(usize::from(spaced), indent);
            }
            self.print(&item.layout, indent, usize::from(brackets.commas));
            if brackets.commas || last && brackets.needs_comma {
                self.push(",");
            }
            self.note(item.note.as_ref());
            open = brackets.filled && item.note.is_none();
        }
    }

    fn lead(&mut self, lead: &Lead, first: bool, indent: usize) {
        self.line(usize::from(lead.spaced && !first), indent);
        self.push(&lead.text);
    }

    /// Prints operands; below each other if they don't fit, as tables of options are written.
    fn chain(&mut self, links: &[Link], fits: bool, after: usize) {
        let column = self.column;
        for (index, link) in links.iter().enumerate() {
            if index > 0 {
                if fits {
                    self.push(" ");
                } else {
                    self.line(0, column);
                }
            }
            for lead in &link.leads {
                self.push(lead);
                self.line(0, column);
            }
            let operator = link.operator.as_ref();
            if fits {
                self.flat(&link.operand);
            } else {
                self.print(&link.operand, column, operator.map_or(after, |operator| operator.chars().count() + 1));
            }
            if let Some(operator) = operator {
                self.push(" ");
                self.push(operator);
            }
            self.note(link.note.as_ref());
        }
    }
}
