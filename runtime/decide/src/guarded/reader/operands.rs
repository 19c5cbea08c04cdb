//! Operands, and what of them runs.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::super::grammar::{Inner, Mark, Role, assigned};
use super::super::line::Judged;
use super::{Next, Reader, kind};
use crate::format::{NONE, option, program};
use crate::lookup::Knowledge;
use crate::word::Exact;

impl<'l> Reader<'l> {
    pub(super) fn operand(&mut self, place: usize, word: Judged<'l>) -> Next {
        if word.is_dynamic() && self.operands == 0 && word.may_be_option() && self.is_subcommand(place + 1) {
            self.grammar.harmless = false;
            self.grammar.ambiguous |= self.grammar.known;
            return Next::Place(place + 1);
        }
        if self.operands == 0
            && self.state != NONE
            && !word.is_dynamic()
            && let Some((state, knowledge)) = self.table.knowledge(self.state, Exact(word.text))
            && !matches!(knowledge, Knowledge::Option(_))
        {
            self.enter(state, knowledge);
            return Next::Place(place + 1);
        }
        if place == 1
            && self.flags & program::LETTERS != 0
            && let Some(next) = self.letters(place, word)
        {
            return next;
        }
        let end = self.line.len();
        if let Some(runs) = self.flagged.take() {
            self.operands += 1;
            self.grammar.inner.push(match runs {
                option::COMMAND => Inner::Words { start: place, end },
                text => {
                    Inner::Text { kind: kind(text, self.flags), start: place, end: place + 1, offset: 0, given: true }
                }
            });
            return Next::End;
        }
        let text = kind(self.flags >> program::TEXT_SHIFT & 3, self.flags);
        let kind_of_operand = self.flags & program::OPERANDS;
        let runs = matches!(kind_of_operand, program::COMMAND | program::JOINED | program::FIRST);
        if self.flags & program::SETS != 0 && self.operands == 0 && self.sets(word.beginning()) {
            // Some take no path for a variable.
            if runs && word.text.starts_with('/') {
                self.grammar.inner.push(Inner::Words { start: place, end });
            }
            self.grammar.roles.set(place, Role::Assignment);
            self.grammar.assignments.push(place);
            if self.flags & program::OPERANDS == program::CODE {
                self.grammar.code.push(place);
            }
            return Next::Place(place + 1);
        }
        let stdin = self.flags >> program::STDIN_SHIFT & 3;
        if self.reads && !runs {
            self.operands += 1;
            return Next::Place(place + 1);
        }
        if stdin != 0
            && self.operands == 0
            && let Some((descriptor, surely)) = descriptor(&word)
        {
            self.grammar.ambiguous |= !surely;
            self.grammar.inner.push(Inner::StandardInput { kind: kind(stdin, self.flags), descriptor });
            return Next::End;
        }
        self.operands += 1;
        let skips = runs || matches!(kind_of_operand, program::CODE | program::SCRIPT);
        if skips && self.operands <= self.skip {
            return Next::Place(place + 1);
        }
        let end = if runs { self.end_of_operands(place) } else { end };
        match kind_of_operand {
            program::COMMAND => {
                self.grammar.inner.push(Inner::Words { start: place, end });
                // What only the run can know may be an option, with a value or without.
                if word.is_dynamic() && word.may_be_option() {
                    let behind = place + 1..(place + 3).min(end);
                    self.grammar.inner.extend(behind.map(|start| Inner::Words { start, end }));
                }
            }
            program::JOINED => {
                self.grammar.inner.push(Inner::Text { kind: text, start: place, end, offset: 0, given: false });
                self.options_in_text(place + 1, end);
            }
            program::FIRST => {
                self.grammar.inner.push(Inner::Text {
                    kind: text,
                    start: place,
                    end: place + 1,
                    offset: 0,
                    given: true,
                });
            }
            program::ASSIGNMENTS => {
                self.grammar.assigns = true;
                self.grammar.assignments.push(place);
                if !word.names_a_variable() {
                    self.grammar.marks.push(Mark::Name(place));
                }
                // A subscript may be arithmetic, and that may run commands.
                if word.text.contains(['[', '$', '`']) {
                    self.grammar.code.push(place);
                }
                return Next::Place(place + 1);
            }
            program::ARITHMETIC => {
                self.grammar.harmless = false;
                self.grammar.assigns = true;
                self.grammar.assignments.push(place);
                self.grammar.marks.push(Mark::Arithmetic(place));
                return Next::Place(place + 1);
            }
            program::PARAMETERS => {
                self.grammar.marks.push(Mark::Parameter(place));
                return Next::Place(place + 1);
            }
            program::DEFINITION => {
                self.grammar.marks.push(Mark::Definition(place));
                return Next::Place(place + 1);
            }
            program::ALIASES => {
                self.grammar.aliases.push(place);
                return Next::Place(place + 1);
            }
            program::SCRIPT => {
                self.grammar.harmless = false;
                self.grammar.code.push(place);
                self.grammar.script = self.grammar.script.or(Some(place));
                return Next::Place(place + 1);
            }
            program::CODE => {
                self.grammar.harmless = false;
                if stdin != 0 && self.grammar.code.is_empty() {
                    self.grammar.file = Some((place, kind(stdin, self.flags)));
                }
                self.grammar.code.push(place);
                return Next::Place(place + 1);
            }
            _ => {
                if self.grammar.moves {
                    self.grammar.marks.push(Mark::Target(place));
                }
                return Next::Place(place + 1);
            }
        }
        Next::End
    }

    /// Does what options without a hyphen do that stand among the words of a text.
    fn options_in_text(&mut self, start: usize, end: usize) {
        if self.flags & program::WORD_OPTIONS == 0 {
            return;
        }
        for place in start..end {
            let word = self.line.word(place).filter(|word| !word.is_dynamic());
            if let Some(option) = word.and_then(|word| self.declared(word.text)) {
                self.doubted_option(place, option, None);
            }
        }
    }

    /// Whether a word in front of the operands sets a variable. It may have any name, unless it could be a text.
    pub(super) fn sets(&self, word: &str) -> bool {
        if matches!(self.flags & program::OPERANDS, program::JOINED | program::FIRST) {
            return assigned(word).is_some() && !word.contains(char::is_whitespace);
        }
        word.contains('=')
    }

    /// Whether the word at `place` is a subcommand.
    #[cold]
    fn is_subcommand(&self, place: usize) -> bool {
        let word = self.line.word(place).filter(|word| self.state != NONE && !word.is_dynamic());
        let known = word.and_then(|word| self.table.knowledge(self.state, Exact(word.text)));
        known.is_some_and(|(_, knowledge)| !matches!(knowledge, Knowledge::Option(_)))
    }

    /// Where what runs ends: before an option that is no such word by its form and takes all that follows.
    fn end_of_operands(&self, start: usize) -> usize {
        let end = self.line.len();
        if self.flags & program::WORD_OPTIONS == 0 {
            return end;
        }
        (start + 1..end).find(|place| self.begins_inputs(*place)).unwrap_or(end)
    }

    pub(super) fn begins_inputs(&self, place: usize) -> bool {
        let word = self.line.word(place).filter(|word| !word.is_dynamic() && !word.text.starts_with('-'));
        let option = word.and_then(|word| self.declared(word.text));
        option.is_some_and(|option| self.takes_the_rest(option))
    }
}

/// The descriptor that a word stands for as a file, if it stands for one, and whether it is surely one of this process.
pub(super) fn descriptor(word: &Judged<'_>) -> Option<(u32, bool)> {
    if !word.is_dynamic() && word.text == "-" {
        return Some((0, true));
    }
    if !word.text.starts_with('/') {
        // It depends on the folder.
        return match word.text.rsplit_once('/').map_or(word.text, |(_, name)| name) {
            "stdin" => Some((0, false)),
            number => Some((number.parse().ok()?, false)),
        };
    }
    let path = if word.is_dynamic() { Cow::Owned(word.glob(None, true)) } else { Cow::Borrowed(word.text) };
    let mut components: Vec<&str> = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                components.pop();
            }
            component => components.push(component),
        }
    }
    match components.as_slice() {
        ["dev", "stdin"] => Some((0, !word.is_dynamic())),
        ["dev", "fd", number] | ["proc", "self" | "thread-self", "fd", number] => {
            Some((number.parse().ok()?, !word.is_dynamic()))
        }
        ["proc", .., "fd", number] => Some((number.parse().ok()?, false)),
        _ => None,
    }
}
