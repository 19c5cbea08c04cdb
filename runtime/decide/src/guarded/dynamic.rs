//! Rules compared one by one: for words that only the run can know, and for patterns that are not spread over the trie.

use alloc::string::String;
use alloc::vec::Vec;

use super::Judge;
use super::grammar::{Grammar, Role};
use super::line::Line;
use super::walk::{At, Walk};
use crate::answers::Reading;
use crate::decision::Decision;
use crate::declarations::{Alternative, Element, Rule};
use crate::format::{MATCHER, NONE, ROOT};
use crate::lookup::Found;
use crate::matcher::{quoted, word_meets};
use crate::word::{Exact, is_same};

/// What is known of a program's name.
pub(super) enum Name<'n> {
    Known(&'n str),
    /// What describes it.
    Glob(String),
}

impl<'t> Judge<'t, '_> {
    /// Where the words that the elements take end, if they agree with the words from `start` on. `certain` skips
    /// harmless options only; otherwise a word that only the run can know may be any, and every option is skipped.
    pub(super) fn aligned<'e>(
        &mut self,
        line: &Line<'_>,
        grammar: &Grammar<'_>,
        elements: impl Iterator<Item = Element<'e>>,
        canonical: bool,
        certain: bool,
        start: usize,
    ) -> Option<usize> {
        let mut reached = Places::default();
        reached.add(start);
        for element in elements {
            let adjacent = reached.clone();
            self.skip(line, grammar, certain, &mut reached);
            let mut next = Places::default();
            for &place in &reached.0 {
                self.step(1);
                if grammar.roles.get(place).is_value() && !adjacent.0.contains(&place) {
                    continue;
                }
                let Some(word) = line.word(place) else {
                    if line.extended && !certain {
                        next.add(place);
                    }
                    continue;
                };
                if !word.is_dynamic() {
                    let agrees = element.alternatives().any(|alternative| match alternative {
                        Alternative::Word(known) => is_same(known, word.text, canonical),
                        Alternative::Matcher(matcher) => self.describes(matcher, word.text, !certain),
                    });
                    if agrees {
                        next.add(place + 1);
                    }
                } else if !certain {
                    let patterns = word.globs(self.folders, self.dots);
                    let may_be = |one| patterns.iter().any(|pattern| self.may_be(pattern, word, one));
                    let splits = self.splits(word);
                    if splits || element.alternatives().any(may_be) {
                        next.add(place + 1);
                        if splits || word.multiplies() {
                            next.add(place);
                        }
                    }
                }
            }
            if next.0.is_empty() || self.is_exhausted() {
                return None;
            }
            reached = next;
        }
        reached.0.first().copied()
    }

    /// Adds the places that skipping options, and words that may vanish, leads to.
    fn skip(&mut self, line: &Line<'_>, grammar: &Grammar<'_>, certain: bool, reached: &mut Places) {
        let mut number = 0;
        while let Some(&place) = reached.0.get(number) {
            number += 1;
            self.step(1);
            let Some(word) = line.word(place) else { continue };
            if word.is_dynamic() {
                if certain {
                    continue;
                }
                // The value of an option is skipped whatever it turns out to be; any other word may turn out to be an
                // option, and the next one its value.
                let role = grammar.roles.get(place);
                let option = role == Role::Unknown || role == Role::Word && word.may_be_option();
                if option || role != Role::Word || word.vanishes() {
                    reached.add(place + 1);
                }
                if option {
                    reached.add(place + 2);
                }
                continue;
            }
            match grammar.roles.get(place) {
                Role::Harmless | Role::HarmlessValue => reached.add(place + 1),
                Role::Option | Role::Value | Role::Terminator | Role::Assignment if !certain => reached.add(place + 1),
                Role::Unknown if !certain => {
                    reached.add(place + 1);
                    reached.add(place + 2);
                }
                _ => {}
            }
        }
    }

    /// Restrictive rules that may match because some words are known only when the command runs.
    pub(super) fn scan_rules(&mut self, walk: &mut Walk<'_>, name: &Name<'_>) {
        let table = self.table;
        self.step(table.rules.len() / 8);
        let known = match name {
            Name::Known(name) => table.edge(ROOT, Exact(name)).map(|found| table.term_before(found)),
            Name::Glob(_) => None,
        };
        let reading = Reading { expanded: true, ..walk.reading };
        for rule in table.rules().filter(|rule| rule.decision() > Decision::Allow) {
            if self.is_exhausted() {
                return;
            }
            // Most rules are about another program: one number tells.
            if let Name::Known(_) = name
                && rule.head() & MATCHER == 0
                && !rule.canonical_matching()
                && Some(rule.head()) != known
            {
                continue;
            }
            let mut elements = rule.pattern();
            let about = elements.next().is_some_and(|head| self.may_be_about(rule, head, name, walk.head.any));
            if !about {
                continue;
            }
            let canonical = rule.canonical_matching();
            if let Some(place) = self.aligned(&walk.line, walk.grammar, elements, canonical, false, 1) {
                let nowhere = Found { state: NONE, accepting: 0 };
                walk.places.set(0, 0);
                self.matched(walk, rule, At { found: nowhere, place, taken: 1, certain: false, reading });
            }
        }
    }

    pub(super) fn may_be_about(&self, rule: Rule<'_>, head: Element<'_>, name: &Name<'_>, any: bool) -> bool {
        head.alternatives().any(|alternative| match (alternative, name) {
            (Alternative::Word(known), Name::Known(name)) => is_same(known, name, rule.canonical_matching()),
            (Alternative::Word(known), Name::Glob(pattern)) => word_meets(&quoted(known), pattern, false),
            (Alternative::Matcher(crate::Matcher::AnyWord), _) => any,
            (Alternative::Matcher(matcher), Name::Known(name)) => self.describes(matcher, name, true),
            (Alternative::Matcher(_), Name::Glob(_)) => true,
        })
    }
}

/// Places of words, each once, in ascending order.
#[derive(Clone, Default)]
struct Places(Vec<usize>);

impl Places {
    fn add(&mut self, place: usize) {
        if let Err(at) = self.0.binary_search(&place) {
            self.0.insert(at, place);
        }
    }
}
