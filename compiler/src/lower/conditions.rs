//! The conditions of rules, as the rows of the table's sections.

use std::borrow::Cow;

use policyc_runtime::format::{ANY_WORD, EXACT, MATCHER, signature};

use super::intern::number;
use super::trie::Trie;
use crate::rules::{Conditions, Element, Matcher};

/// One row for each rule with conditions, and the patterns that they name.
#[derive(Default)]
pub(super) struct RuleConditions {
    pub(super) rows: Vec<[u32; 16]>,
    pub(super) patterns: Vec<[u32; 2]>,
}

impl RuleConditions {
    pub(super) fn new(trie: &mut Trie<'_>) -> Self {
        let mut conditions = Self::default();
        let with_conditions: Vec<_> = (0..)
            .zip(&trie.rules)
            .filter(|(_, head)| !head.rule.conditions.is_empty())
            .map(|(id, head)| (id, head.rule))
            .collect();
        for (id, rule) in with_conditions {
            conditions.add(trie, id, &rule.conditions, rule.canonical_matching);
        }
        conditions
    }

    fn add<'a>(&mut self, trie: &mut Trie<'a>, rule: u32, conditions: &'a Conditions, canonical: bool) {
        let Conditions { exact, having, without, unless, env, writes } = conditions;
        let mut row = vec![rule, if *exact { EXACT } else { 0 }];
        row.extend(elements(trie, having, canonical));
        row.extend(elements(trie, without, canonical));
        row.extend([number(self.patterns.len()), number(unless.len())]);
        for pattern in unless {
            self.patterns.push(elements(trie, pattern, canonical));
        }
        row.extend(words(trie, env));
        row.extend(places(trie, writes));
        for elements in [having, without] {
            let signatures = if canonical { ANY_WORD } else { signatures(elements) };
            row.extend([signatures as u32, (signatures >> 32) as u32]);
        }
        self.rows.extend(row.first_chunk());
    }
}

/// The signature of all that the elements name.
fn signatures(elements: &[Element]) -> u64 {
    let of = |element: &Element| {
        let matchers = if element.matchers.is_empty() { 0 } else { ANY_WORD };
        element.words.iter().fold(matchers, |signatures, word| signatures | signature(word))
    };
    elements.iter().fold(0, |signatures, element| signatures | of(element))
}

/// Where the elements start, and their number.
fn elements<'a>(trie: &mut Trie<'a>, elements: &'a [Element], canonical: bool) -> [u32; 2] {
    let terms: Vec<_> = elements.iter().map(|element| trie.alternatives(element, canonical)).collect();
    [trie.add_elements(&terms), number(terms.len())]
}

/// The same for one element of plain words.
fn words<'a>(trie: &mut Trie<'a>, words: &'a [String]) -> [u32; 2] {
    one(words.iter().map(|word| trie.words.number(Cow::Borrowed(word))).collect(), trie)
}

/// The same for one element of path patterns.
fn places(trie: &mut Trie<'_>, patterns: &[String]) -> [u32; 2] {
    let terms =
        patterns.iter().map(|pattern| trie.matchers.number(Cow::Owned(Matcher::Path(pattern.clone()))) | MATCHER);
    let terms = terms.collect();
    one(terms, trie)
}

pub(super) fn one(terms: Vec<u32>, trie: &mut Trie<'_>) -> [u32; 2] {
    if terms.is_empty() { [0, 0] } else { [trie.add_elements(&[terms]), 1] }
}
