//! Options, their values and what they do.

use policyc_shell::ShellKind;

use super::super::grammar::{Effect, Inner, Mark, Role, has_effect};
use super::{Next, Reader, kind};
use crate::format::{NONE, OPTIONS, option, program};
use crate::lookup::Knowledge;
use crate::record::Record;
use crate::word::Exact;

impl<'l> Reader<'l> {
    /// Reads an option, if the word at `place` is one.
    pub(super) fn option(&mut self, place: usize, word: &'l str) -> Option<Next> {
        let hyphen = word.len() > 1 && word.starts_with('-');
        if word == "-"
            && let Some(option) = self.declared(word)
        {
            return Some(self.known_option(place, option, None));
        }
        if !hyphen && self.flags & program::WORD_OPTIONS == 0 && !self.windows {
            return None;
        }
        if let Some(option) = self.declared(word) {
            let attached = if hyphen { None } else { self.beginning(word).map(|(_, length)| length) };
            return Some(self.known_option(place, option, attached));
        }
        let equals = word.bytes().position(|byte| byte == b'=');
        if !hyphen {
            if let Some((option, length)) = self.beginning(word) {
                return Some(self.known_option(place, option, Some(length)));
            }
            if let Some(end) = equals
                && let Some(option) = self.declared(word.get(..=end)?)
            {
                return Some(self.known_option(place, option, Some(end + 1)));
            }
            if let Some(name) = word.get(..2).filter(|_| word.starts_with('/') && word.len() > 2)
                && let Some(option) = self.declared(name)
                && self.takes_the_rest(option)
            {
                return Some(self.known_option(place, option, Some(2)));
            }
            if self.windows && word.starts_with('/') && word.len() == 2 {
                self.grammar.roles.set(place, Role::Option);
                return Some(Next::Place(place + 1));
            }
            return self.has_mark_of_options(word).then(|| self.unknown_option(place));
        }
        if let Some(end) = equals
            && let Some(option) = self.declared(word.get(..end)?)
        {
            return Some(self.known_option(place, option, Some(end + 1)));
        }
        if !word.starts_with("--") && self.flags & program::BUNDLES != 0 && self.state != NONE {
            return Some(self.bundle(place, word, true));
        }
        if !word.starts_with("--")
            && let Some(option) = word.get(..2).and_then(|letter| self.declared(letter))
            && self.table.options.get(option).is_some_and(|record| record.field(0) & option::VALUE == option::ATTACHED)
        {
            return Some(self.known_option(place, option, Some(2)));
        }
        self.abbreviation(place, word.get(..equals.unwrap_or(word.len()))?, equals);
        Some(self.unknown_option(place))
    }

    /// The option that a word begins with, the longest one, and the length of its name; letter case makes no difference.
    pub(super) fn beginning(&self, word: &str) -> Option<(u32, usize)> {
        if self.flags & program::BEGINNINGS == 0 {
            return None;
        }
        let (first, number) = self.options;
        let begins = |option: u32| {
            let record = self.table.options.get(option)?;
            if record.field(0) & option::VALUE != option::ATTACHED {
                return None;
            }
            let name = self.table.word(record.field(1));
            let start = word.get(..name.len()).filter(|_| !name.starts_with('-'))?;
            start.eq_ignore_ascii_case(name).then_some((option, name.len()))
        };
        (first..first + number).filter_map(begins).max_by_key(|(_, length)| *length)
    }

    /// Whether a word begins with a mark that options without a hyphen have here, as a plus sign.
    #[cold]
    fn has_mark_of_options(&self, word: &str) -> bool {
        let mark =
            |word: &str| word.chars().next().filter(|mark| mark.is_ascii_punctuation() && !"/.-_".contains(*mark));
        let Some(known) = mark(word).filter(|_| self.flags & program::WORD_OPTIONS != 0) else { return false };
        let (first, number) = self.options;
        (first..first + number).any(|option| {
            let name = self.table.options.get(option).map_or("", |record| self.table.word(record.field(1)));
            mark(name) == Some(known) && !name.ends_with('=')
        })
    }

    /// Reads an option of which only the beginning is known: the run may add letters, a value, or nothing, and then the
    /// next word may be the value.
    #[cold]
    pub(super) fn begun_option(&mut self, place: usize, start: &'l str) -> Option<Next> {
        let hyphen = start.starts_with('-');
        if !hyphen && self.flags & program::WORD_OPTIONS == 0 {
            return None;
        }
        let equals = start.bytes().position(|byte| byte == b'=');
        if let Some(end) = equals
            && let Some(option) = self.declared(start.get(..end + usize::from(!hyphen))?)
        {
            return Some(self.known_option(place, option, Some(end + 1)));
        }
        if !hyphen {
            if let Some((option, length)) = self.beginning(start) {
                return Some(self.known_option(place, option, Some(length)));
            }
            self.beginnings_behind(place, start);
            return self.has_mark_of_options(start).then(|| self.unknown_option(place));
        }
        if !start.starts_with("--") && self.flags & program::BUNDLES != 0 && self.state != NONE {
            return Some(self.bundle(place, start, false));
        }
        self.abbreviation(place, start.get(..equals.unwrap_or(start.len()))?, equals);
        Some(self.unknown_option(place))
    }

    /// Does what options do that a word begins with of which only the `start` is known: any that goes on from there.
    fn beginnings_behind(&mut self, place: usize, start: &str) {
        if self.flags & program::BEGINNINGS == 0 || self.operands > 0 {
            return;
        }
        let (first, number) = self.options;
        for option in first..first + number {
            let Some(record) = self.table.options.get(option) else { continue };
            let name = self.table.word(record.field(1));
            let goes_on = name.get(..start.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(start));
            if goes_on && record.field(0) & option::VALUE == option::ATTACHED && !name.starts_with('-') {
                self.doubted_option(place, option, None);
            }
        }
    }

    pub(super) fn takes_the_rest(&self, option: u32) -> bool {
        self.table.options.get(option).is_some_and(|record| record.field(0) & option::VALUE == option::REST)
    }

    pub(super) fn declared(&self, name: &str) -> Option<u32> {
        if self.options.1 == 0 {
            return None;
        }
        match self.table.knowledge(OPTIONS + self.options.0, Exact(name))? {
            (_, Knowledge::Option(option)) => Some(option),
            _ => None,
        }
    }

    pub(super) fn unknown_option(&mut self, place: usize) -> Next {
        self.grammar.roles.set(place, Role::Unknown);
        self.grammar.harmless = false;
        self.grammar.ambiguous |= self.grammar.known;
        Next::Place(place + 1)
    }

    /// Programs take the beginning of a long option's name for the whole: what may be an option with an effect is one.
    #[cold]
    fn abbreviation(&mut self, place: usize, name: &str, equals: Option<usize>) {
        if !name.starts_with("--") || name.len() < 3 {
            return;
        }
        let (first, number) = self.options;
        let mut known = None;
        for option in first..first + number {
            let Some(record) = self.table.options.get(option) else { continue };
            let flags = record.field(0);
            if !(has_effect(flags) || flags & option::MOVES != 0)
                || known == Some(flags)
                || !self.table.word(record.field(1)).starts_with(name)
            {
                continue;
            }
            // Spellings of one option stand side by side.
            known = Some(flags);
            self.doubted_option(place, option, equals.map(|equals| equals + 1));
        }
    }

    /// Reads the value of an option, which begins at byte `attached` of the same word if it does, and what that does.
    pub(super) fn known_option(&mut self, place: usize, option: u32, attached: Option<usize>) -> Next {
        let Some(record) = self.table.options.get(option) else { return self.unknown_option(place) };
        let flags = record.field(0);
        let end = self.line.len();
        let value = self.value(place, record, attached);
        let last = match (flags & option::VALUE, value) {
            (_, None) => place + 1,
            (option::UNTIL, Some((_, _, last))) if attached.is_none() => last + 1,
            (_, Some((_, _, last))) => last.max(place + 1),
        };
        let harmless = flags & option::HARMLESS != 0 && self.harmless_value(record.field(2), record.field(3), value);
        let (role, role_of_value) =
            if harmless { (Role::Harmless, Role::HarmlessValue) } else { (Role::Option, Role::Value) };
        self.grammar.roles.set(place, role);
        (place + 1..last.min(end)).for_each(|place| self.grammar.roles.set(place, role_of_value));
        let runs = flags >> option::RUNS_SHIFT & 7;
        let seen_through = runs != 0 && runs != option::CODE && flags & option::WRITES == 0;
        self.grammar.harmless &= harmless || seen_through;
        if !harmless || seen_through {
            self.effect(place, option, flags, value);
            self.respelt |= runs == option::WORDS && value.is_some();
        }
        self.moves(flags, value);
        if flags & option::PLACEHOLDER != 0
            && let Some((place, offset, _)) = value
        {
            self.grammar.placeholder = self.line.word(place).and_then(|word| word.text.get(offset..));
        }
        self.rest |= flags & option::VALUE == option::REST;
        self.diverted |= flags & (option::VALUE | option::HARMLESS) == option::REST && runs == 0;
        if last >= end && self.rest { Next::End } else { Next::Place(last) }
    }

    /// Does what an option does that may be meant, its value attached or not.
    #[cold]
    pub(super) fn doubted_option(&mut self, place: usize, option: u32, attached: Option<usize>) {
        let Some(record) = self.table.options.get(option) else { return };
        let flags = record.field(0);
        let value = self.value(place, record, attached.filter(|_| flags & option::VALUE != option::NONE));
        self.effect(place, option, flags, value);
        self.moves(flags, value);
    }

    /// The value of an option: the place of its first word, the bytes before it there, and one past its last.
    fn value(&self, place: usize, record: Record<'_, 24>, attached: Option<usize>) -> Option<(usize, usize, usize)> {
        let end = self.line.len();
        match (record.field(0) & option::VALUE, attached) {
            (option::NONE | option::ATTACHED, None) => None,
            (option::NEXT, _) => Some((place + 1, 0, (place + 2).min(end))),
            (option::REST, None) => Some((place + 1, 0, end)),
            (option::UNTIL, None) => Some((place + 1, 0, self.until(place + 1, record.field(4), record.field(5)))),
            (option::REST, Some(offset)) => Some((place, offset, end)),
            (_, Some(offset)) => Some((place, offset, place + 1)),
            (_, None) => Some((place + 1, 0, (place + 2).min(end))),
        }
    }

    pub(super) fn moves(&mut self, flags: u32, value: Option<(usize, usize, usize)>) {
        if flags & option::MOVES != 0 {
            self.grammar.marks.push(match value {
                Some((place, offset, _)) if flags >> option::RUNS_SHIFT & 7 == 0 => Mark::Folder(place, offset),
                _ => Mark::Elsewhere,
            });
        }
    }

    pub(super) fn until(&self, start: usize, ends: u32, number: u32) -> usize {
        let ends = || self.table.elements(ends, number).flat_map(|element| element.words());
        let mut place = start;
        while let Some(word) = self.line.word(place) {
            if !word.is_dynamic() && ends().any(|end| end == word.text) {
                break;
            }
            place += 1;
        }
        place
    }

    fn harmless_value(&self, values: u32, number: u32, value: Option<(usize, usize, usize)>) -> bool {
        if number == 0 {
            return value.is_none_or(|(place, ..)| self.line.word(place).is_some_and(|word| !word.is_dynamic()));
        }
        let Some(word) = value.and_then(|(place, offset, _)| {
            let word = self.line.word(place).filter(|word| !word.is_dynamic())?;
            word.text.get(offset..)
        }) else {
            return false;
        };
        self.table.elements(values, number).any(|element| element.describes(word, None, false))
    }

    pub(super) fn effect(&mut self, place: usize, option: u32, flags: u32, value: Option<(usize, usize, usize)>) {
        let runs = flags >> option::RUNS_SHIFT & 7;
        match (runs, value) {
            (0, _) => {}
            (option::CODE, _) => {
                let value = value.map(|(place, offset, _)| (place, offset));
                self.grammar.effects.push(Effect { word: place, option, value });
            }
            (option::STDIN, _) => self.reads = true,
            (_, None) => self.flagged = Some(runs),
            (option::COMMAND, Some((start, 0, end))) => self.grammar.inner.push(Inner::Words { start, end }),
            (option::COMMAND, Some((start, offset, end))) if end == start + 1 => {
                self.grammar.inner.push(Inner::Text { kind: ShellKind::Bash, start, end, offset, given: false });
            }
            (option::COMMAND, Some((start, offset, _))) => {
                self.grammar.inner.push(Inner::Respelt { start, end: start + 1, offset, stays: false });
            }
            // The first one puts all that follows behind its words.
            (option::WORDS, Some(_)) if self.respelt => {}
            (option::WORDS, Some((start, offset, end))) => {
                self.grammar.inner.push(Inner::Respelt { start, end, offset, stays: true });
            }
            (text, Some((start, offset, end))) => {
                self.grammar.inner.push(Inner::Text { kind: kind(text, self.flags), start, end, offset, given: false });
            }
        }
        if flags & option::WRITES != 0 {
            let value = value.map(|(place, offset, _)| (place, offset));
            self.grammar.effects.push(Effect { word: place, option, value });
        }
    }
}
