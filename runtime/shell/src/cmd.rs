//! Plain commands of the Windows command interpreter. What it expands is refused.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::plain::Plain;
use crate::words::Pieces;
use crate::{Piece, ProblemKind, RedirectKind, Script, Span, Word};

/// Reads a text for `cmd`.
pub(crate) fn parse(text: &str) -> Script<'_> {
    Reader::new(text).script()
}

/// The command interpreter of Windows.
struct Cmd;

type Reader<'t> = Plain<'t, Cmd>;

impl<'t> Reader<'t> {
    fn script(mut self) -> Script<'t> {
        while let Some(character) = self.peek() {
            match character {
                ' ' | '\t' | '\r' => self.pos += 1,
                '\n' => self.end_command(1, self.expected),
                '&' if self.rest().starts_with("&&") => self.operator(2),
                '|' if self.rest().starts_with("||") => self.operator(2),
                '&' => self.operator(1),
                '|' => self.cmd_pipe(),
                '>' | '<' => self.redirect(),
                '0'..='9' if self.rest().get(1..).is_some_and(|rest| rest.starts_with(['>', '<'])) => self.redirect(),
                _ => self.word(),
            }
            if self.is_full() {
                break;
            }
        }
        Self::with_switches(self.finish())
    }

    /// A pipe, whose sides are read once more: what was escaped is not any longer.
    fn cmd_pipe(&mut self) {
        if self.text.contains('^') {
            self.note(self.pos, self.pos + 1, ProblemKind::NotUnderstood);
        }
        self.pipe();
    }

    /// `%name%`, `%1` or `%i`: the run's to know.
    fn variable(&mut self, pieces: &mut Pieces<'t>) {
        let start = self.pos;
        self.refuse();
        let name = |one: char| !matches!(one, ' ' | '\t' | '\r' | '\n' | '&' | '|' | '<' | '>' | '"' | '%');
        let length = self.rest().find(|one| !name(one)).unwrap_or(self.rest().len());
        match self.rest().get(length..).is_some_and(|rest| rest.starts_with('%')) {
            true => self.pos += length + 1,
            false => self.pos = (start + 2).min(self.text.len()),
        }
        while !self.text.is_char_boundary(self.pos) {
            self.pos += 1;
        }
        pieces.list.push(Piece::Any { splits: true });
    }

    /// A caret and the character that it takes for itself.
    fn escaped(&mut self, pieces: &mut Pieces<'t>) {
        match self.rest().chars().nth(1).filter(|one| !one.is_whitespace() && !one.is_control()) {
            Some(character) => {
                let end = self.pos + 1 + character.len_utf8();
                pieces.text(Cow::Borrowed(self.text.get(self.pos + 1..end).unwrap_or_default()));
                self.pos = end;
            }
            None => self.refuse(),
        }
    }

    /// `>`, `>>`, `<` with a descriptor if any, and a plain file, or `2>&1`.
    fn redirect(&mut self) {
        let start = self.pos;
        let operator = self.rest().find(['>', '<']).map_or(self.text.len(), |index| self.pos + index);
        let reads = self.text.get(operator..).is_some_and(|rest| rest.starts_with('<'));
        self.pos = operator + 1;
        if !reads && self.rest().starts_with('>') {
            self.pos += 1;
        }
        let (kind, target) = if let Some(b'&') = self.rest().bytes().next() {
            let span = Span::new(self.pos + 1, self.pos + 2);
            let target = span.of(self.text).unwrap_or_default();
            if !target.starts_with(|character: char| character.is_ascii_digit()) {
                return self.refuse();
            }
            self.pos += 2;
            (RedirectKind::Duplicate, Word::fixed(span, target))
        } else {
            while matches!(self.peek(), Some(' ' | '\t')) {
                self.pos += 1;
            }
            let words = self.command.words.len();
            if self.peek().is_some_and(|character| !matches!(character, '\r' | '\n' | '&' | '|' | '<' | '>')) {
                self.word();
            }
            if self.command.words.len() == words {
                return self.note(start, self.pos, ProblemKind::MissingTarget);
            }
            let kind = if reads { RedirectKind::Read } else { RedirectKind::Write };
            (kind, self.command.words.pop().unwrap_or_default())
        };
        self.push_redirect(start, kind, target);
    }

    /// One word, with the double quotes that programs take away. How they do that differs for all but whole words.
    fn word(&mut self) {
        let start = self.pos;
        let mut pieces = Pieces { list: Vec::new() };
        let mut quoted = false;
        while let Some(character) = self.peek() {
            match character {
                ' ' | '\t' | '\r' | '\n' | '&' | '|' | '<' | '>' => break,
                '"' => {
                    quoted = true;
                    let inside = self.pos + 1;
                    let rest = self.text.get(inside..).unwrap_or_default();
                    let length = rest.find('"').unwrap_or(rest.len());
                    let text = rest.get(..length).unwrap_or_default();
                    if length == rest.len() || text.contains('\n') {
                        self.note(self.pos, inside, ProblemKind::UnclosedQuote);
                    } else if text.contains(['%', '!', '^']) || text.ends_with('\\') {
                        self.note(self.pos, inside + length, ProblemKind::NotUnderstood);
                    }
                    pieces.text(Cow::Borrowed(text));
                    self.pos = (inside + length + 1).min(self.text.len());
                }
                '^' => self.escaped(&mut pieces),
                '%' => self.variable(&mut pieces),
                // Variables, groups, what separates words here and there, and what silences a line.
                '!' | '(' | ')' | '@' | ',' | ';' | '=' | '\'' | '`' => self.refuse(),
                _ if character.is_whitespace() || character.is_control() => self.refuse(),
                _ => {
                    let end = self.pos + character.len_utf8();
                    pieces.text(Cow::Borrowed(self.text.get(self.pos..end).unwrap_or_default()));
                    self.pos = end;
                }
            }
        }
        let span = Span::new(start, self.pos);
        let source = span.of(self.text).unwrap_or_default();
        if quoted && !(source.len() > 1 && source.starts_with('"') && source.ends_with('"')) {
            self.note(start, self.pos, ProblemKind::NotUnderstood);
        }
        let first = self.is_new();
        if first && KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(source)) {
            self.note(start, self.pos, ProblemKind::NotUnderstood);
        }
        self.extend_span(start);
        let word = match &mut *pieces.list {
            [] => Word::fixed(span, ""),
            [Piece::Text(text)] => Word::fixed(span, core::mem::take(text)),
            _ => Word { span, text: Cow::Borrowed(source), pieces: pieces.list },
        };
        self.command.words.push(word);
    }

    /// A switch may follow the first word without a blank: those are other readings.
    fn with_switches(mut script: Script<'t>) -> Script<'t> {
        for command in &mut script.commands {
            let Some(first) = command.words.first().filter(|word| !word.is_dynamic()) else { continue };
            let Some((name, switches)) = first.text.split_once('/').filter(|(name, _)| !name.is_empty()) else {
                continue;
            };
            let mut words = Vec::with_capacity(command.words.len() + 1);
            words.push(Word::fixed(first.span, String::from(name)));
            words.extend(switches.split('/').map(|switch| Word::fixed(first.span, ["/", switch].concat())));
            words.extend(command.words.iter().skip(1).cloned());
            command.guesses.push(words);
        }
        script
    }
}

/// Words behind which a command begins somewhere.
const KEYWORDS: [&str; 4] = ["if", "else", "for", "do"];

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn shown(text: &str) -> String {
        let script = parse(text);
        let commands = script.commands.iter().map(|command| {
            let words = command.words.iter().map(|word| String::from(&*word.text));
            let redirects = command.redirects.iter().map(|it| format!("{:?}:{}", it.kind, it.target.text));
            let fed = command.fed_by.map(|index| format!("^{index}"));
            fed.into_iter().chain(words).chain(redirects).collect::<Vec<_>>().join("_")
        });
        let problem = if script.problem.is_some() { " ?" } else { "" };
        format!("{}{problem}", commands.collect::<Vec<_>>().join(" | "))
    }

    #[test]
    fn plain_commands_are_understood() {
        for (text, expected) in [
            ("del /f /s C:\\app", "del_/f_/s_C:\\app"),
            ("a & b && c || d", "a | b | c | d"),
            ("dir \"C:\\Program Files\" | find \"x\"", "dir_C:\\Program Files | ^0_find_x"),
            ("a >nul 2>&1", "a_Write:nul_Duplicate:1"),
            ("a\r\nb < in", "a | b_Read:in"),
            ("echo a ^& b^|c", "echo_a_&_b|c"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn everything_else_is_a_problem() {
        for text in [
            "a %x%",
            "a ^& b | c",
            "if a b",
            "(a)",
            "a \"b",
            "a | ",
            "a > ",
            "a b\"c\"",
            "a !x!",
            "@echo off",
            "a=b",
            "& a",
        ] {
            assert!(shown(text).ends_with('?'), "{text}: {}", shown(text));
        }
    }
}
