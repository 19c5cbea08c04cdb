//! Options of one letter, several in a word.

use super::super::grammar::{Mark, Role, has_effect};
use super::super::line::Judged;
use super::{Next, Reader};
use crate::format::option;

impl<'l> Reader<'l> {
    /// Letters behind one hyphen, the last of which may have a value. Unless they are `whole`, the run adds to them.
    pub(super) fn bundle(&mut self, place: usize, word: &'l str, whole: bool) -> Next {
        let mut harmless = true;
        // How many words behind belong to letters before the last one.
        let mut values = 0;
        // A long name behind one hyphen that is not declared begins with any letter.
        let first = word.chars().nth(1).map_or(0, char::len_utf8);
        for (offset, letter) in word.char_indices().skip(1) {
            let Some(option) = self.declared_letter(letter) else {
                if offset > first || !whole {
                    self.effects_in_bundle(place, word, offset, whole);
                } else {
                    self.last_letter(place, word);
                }
                return self.unknown_option(place);
            };
            let after = offset + letter.len_utf8();
            let value = self.table.options.get(option).map_or(0, |record| record.field(0) & option::VALUE);
            if !whole && after >= word.len() && !matches!(value, option::NONE | option::NEXT) {
                self.known_option(place, option, Some(after));
                return self.unknown_option(place);
            }
            if matches!(value, option::NONE | option::NEXT) || after >= word.len() {
                let next = self.known_option(place, option, None);
                harmless &= self.grammar.roles.get(place) == Role::Harmless;
                if after >= word.len() && !whole {
                    self.effects_in_bundle(place, word, after, false);
                    return self.unknown_option(place);
                }
                if after >= word.len() {
                    self.grammar.roles.set(place, if harmless { Role::Harmless } else { Role::Option });
                    return if values == 0 { next } else { self.values_of_letters(place, values, next) };
                }
                values += usize::from(value == option::NEXT);
                continue;
            }
            let after = after + usize::from(word.get(after..).is_some_and(|rest| rest.starts_with('=')));
            let next = self.known_option(place, option, Some(after));
            harmless &= self.grammar.roles.get(place) == Role::Harmless;
            self.grammar.roles.set(place, if harmless { Role::Harmless } else { Role::Option });
            return next;
        }
        self.effects_in_bundle(place, word, word.len(), whole);
        self.unknown_option(place)
    }

    /// Skips the values of letters that stand before the last one of a bundle.
    fn values_of_letters(&mut self, place: usize, values: usize, next: Next) -> Next {
        let last = match next {
            Next::Place(next) => next.max(place + 1 + values),
            Next::End => return Next::End,
        };
        (place + 1..last.min(self.line.len())).for_each(|place| self.grammar.roles.set(place, Role::Value));
        Next::Place(last)
    }

    /// Behind a letter that is not declared, any other may be an option, too: those from `offset` on, or any that the run
    /// may add.
    #[cold]
    fn effects_in_bundle(&mut self, place: usize, word: &str, offset: usize, whole: bool) {
        let letters = word.get(offset..).unwrap_or_default();
        let (first, number) = self.options;
        for option in first..first + number {
            let Some(record) = self.table.options.get(option) else { continue };
            let flags = record.field(0);
            let mut name = self.table.word(record.field(1)).chars();
            let (Some('-'), Some(letter), None) = (name.next(), name.next(), name.next()) else { continue };
            if !has_effect(flags) && flags & option::MOVES == 0 {
                continue;
            }
            let attached = letters.find(letter).map(|found| offset + found + letter.len_utf8());
            if attached.is_some() || !whole {
                self.doubted_option(place, option, attached.filter(|after| *after < word.len()));
            }
        }
    }

    /// Behind a letter that is not declared, the last one may say that the next word runs.
    #[cold]
    fn last_letter(&mut self, place: usize, word: &str) {
        let Some(option) = word.chars().last().and_then(|letter| self.declared_letter(letter)) else { return };
        let flags = self.table.options.get(option).map_or(0, |record| record.field(0));
        if !matches!(flags >> option::RUNS_SHIFT & 7, 0 | option::CODE) {
            self.doubted_option(place, option, None);
        }
    }

    /// Reads letters of options without a hyphen, whose values are the next words in their order.
    #[cold]
    pub(super) fn letters(&mut self, place: usize, word: Judged<'l>) -> Option<Next> {
        if word.is_dynamic() || !word.text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let mut next = place + 1;
        for letter in word.text.chars() {
            let Some(option) = self.declared_letter(letter) else { continue };
            let flags = self.table.options.get(option).map_or(0, |record| record.field(0));
            let mut value = None;
            if !matches!(flags & option::VALUE, option::NONE | option::ATTACHED) && next < self.line.len() {
                self.grammar.roles.set(next, Role::Value);
                value = Some((next, 0, next + 1));
                next += 1;
            }
            self.effect(place, option, flags, value);
            self.moves(flags, value);
        }
        self.grammar.harmless = false;
        self.grammar.roles.set(place, Role::Option);
        self.grammar.marks.push(Mark::Letters(place));
        Some(Next::Place(next))
    }

    fn declared_letter(&self, letter: char) -> Option<u32> {
        let mut buffer = [b'-'; 5];
        let length = letter.encode_utf8(buffer.get_mut(1..)?).len();
        self.declared(core::str::from_utf8(buffer.get(..=length)?).ok()?)
    }
}
