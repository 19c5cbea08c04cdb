//! Reference matching of rules beyond the reference dialect: conditions, and patterns with matchers, word by word.

use crate::accepting::single;
use crate::decide::Hit;
use crate::declarations::{Alternative, Element, Pattern, Rule};
#[cfg(feature = "canonical")]
use crate::format::{CANONICAL_ROOT, FOLDED_ROOT};
use crate::format::{LEAF, ROOT};
use crate::lookup::Found;
use crate::option_word::names_option;
use crate::path::{Folders, ResolvedProgram};
use crate::request::Words;
use crate::table::Table;
#[cfg(feature = "canonical")]
use crate::word::Folded;
use crate::word::{Exact, is_same};

impl Table<'_> {
    /// As [`Table::walk`], for tables that have such rules.
    #[cold]
    pub(crate) fn walk_extended<W: AsRef<str>>(
        &self,
        words: Words<'_, W>,
        folders: Option<&Folders<'_>>,
        resolved: Option<&ResolvedProgram<'_>>,
        visit: &mut impl FnMut(Hit),
    ) {
        let mut typed = AsTyped { table: self, words, folders, canonical: false, group: 0, visit };
        if let Some(head) = self.edge(ROOT, Exact(words.program)) {
            typed.enter(head);
        }
        for (matcher, head) in self.matcher_edges(ROOT) {
            if matcher.describes(words.program, folders, false) {
                typed.enter(head);
            }
        }
        #[cfg(feature = "canonical")]
        if self.parameters.canonical != 0 {
            typed.canonical = true;
            if let Some(head) = self.edge(CANONICAL_ROOT, Exact(words.program)) {
                typed.enter(head);
            }
            let Some(found) = self.edge(FOLDED_ROOT, Folded(words.program)) else { return };
            for (name, group) in self.spellings(found.accepting & !LEAF).zip(1..) {
                if name == words.program || resolved.is_some_and(|path| !self.lists(name, path)) {
                    continue;
                }
                if let Some(head) = self.edge(CANONICAL_ROOT, Exact(name)) {
                    typed.group = group;
                    typed.enter(head);
                }
            }
        }
        let _ = resolved;
    }
}

/// A command that is compared as typed.
struct AsTyped<'w, 'q, W, V> {
    table: &'w Table<'w>,
    words: Words<'q, W>,
    folders: Option<&'w Folders<'w>>,
    canonical: bool,
    group: u32,
    visit: &'w mut V,
}

impl<W: AsRef<str>, V: FnMut(Hit)> AsTyped<'_, '_, W, V> {
    fn enter(&mut self, head: Found) {
        if let Some(wide) = self.table.wide_edge(head.state) {
            let table = self.table;
            for rule in table.accepting(wide.accepting).ids().filter_map(|id| table.rule(id)) {
                let mut elements = rule.pattern().zip(0..).skip(1);
                if elements.all(|(element, place)| self.agrees(element, place)) {
                    self.matched(rule);
                }
            }
        }
        self.follow(head, 1);
    }

    fn follow(&mut self, at: Found, place: usize) {
        let table = self.table;
        for rule in table.accepting(at.accepting & !LEAF).ids().filter_map(|id| table.rule(id)) {
            self.matched(rule);
        }
        if at.is_leaf() {
            return;
        }
        let Some(word) = self.words.get(place) else { return };
        if let Some(next) = table.edge_of(at.state, word, self.canonical) {
            self.follow(next, place + 1);
        }
        for (matcher, next) in table.matcher_edges(at.state) {
            if matcher.describes(word, self.folders, false) {
                self.follow(next, place + 1);
            }
        }
    }

    fn agrees(&self, element: Element<'_>, place: usize) -> bool {
        self.words.get(place).is_some_and(|word| element.alternatives().any(|one| self.stands_for(one, word)))
    }

    fn stands_for(&self, alternative: Alternative<'_>, word: &str) -> bool {
        match alternative {
            Alternative::Word(known) => is_same(known, word, self.canonical),
            Alternative::Matcher(matcher) => matcher.describes(word, self.folders, false),
        }
    }

    fn matched(&mut self, rule: Rule<'_>) {
        if self.holds(rule) {
            let accepting = single(rule.id(), rule.decision());
            (self.visit)(Hit { group: self.group, accepting });
        }
    }

    fn holds(&self, rule: Rule<'_>) -> bool {
        let Some(conditions) = rule.conditions() else { return true };
        let end = rule.length();
        let too_long = conditions.exact() && self.words.command.len() > end;
        let missing = |element| !self.occurs(element, end);
        let excepted =
            |pattern: Pattern<'_>| pattern.elements().zip(0..).all(|(element, place)| self.agrees(element, place));
        !too_long
            && !conditions.having().any(missing)
            && conditions.without().all(missing)
            && !conditions.unless().any(excepted)
    }

    fn occurs(&self, element: Element<'_>, end: usize) -> bool {
        let mut options = true;
        (end..self.words.command.len()).filter_map(|place| self.words.get(place)).any(|word| {
            if word == "--" && options {
                options = false;
                return element.words().any(|known| known == word);
            }
            element.alternatives().any(|one| match one {
                Alternative::Word(known) if known.starts_with('-') && known.len() > 1 => {
                    options && names_option(word, known, false)
                }
                _ => self.stands_for(one, word),
            })
        })
    }
}
