//! What is known of programs, made once and joined to the rules of each table: byte for byte what lowering both gives.

use std::borrow::Cow;

use policyc_runtime::format::{LAST, MATCHER, NONE, OPTIONS};

use super::RuleSet;
use super::intern::{Map, number};
use super::programs::Knowledge;
use super::trie::{Edge, Trie, is_matcher};
use crate::rules::{InertEnv, Matcher, Program};

/// What is known of programs, with numbers of its own for words, matchers, elements and edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prepared {
    words: Vec<String>,
    matchers: Vec<Matcher>,
    /// Where each element starts, and its alternatives.
    elements: Vec<(u32, Vec<u32>)>,
    edges: Vec<Edge>,
    programs: Vec<[u32; 7]>,
    options: Vec<[u32; 6]>,
}

impl Prepared {
    /// What is known once these are declared.
    #[must_use]
    pub fn new(programs: Vec<&Program>, inert_env: Vec<&InertEnv>) -> Self {
        let mut trie = Trie::default();
        let Knowledge { programs, options, .. } =
            Knowledge::new(&mut trie, &RuleSet { programs, inert_env, ..RuleSet::default() });
        let mut elements: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut start = 0;
        for alternatives in trie.elements.split_inclusive(|term| term & LAST != 0) {
            elements.push((start, alternatives.iter().map(|term| term & !LAST).collect()));
            start += number(alternatives.len());
        }
        Self {
            words: trie.words.things().iter().map(|word| word.clone().into_owned()).collect(),
            matchers: trie.matchers.things().iter().map(|matcher| matcher.clone().into_owned()).collect(),
            elements,
            edges: trie.edges,
            programs,
            options,
        }
    }

    /// Adds it to the trie of some rules, under numbers that are free there. Its edges leave roots that rules have none at, so
    /// none of them is there already.
    pub(super) fn join<'a>(&'a self, trie: &mut Trie<'a>) -> Knowledge {
        trie.reserve(self.edges.len());
        let words: Vec<u32> = self.words.iter().map(|word| trie.words.number(Cow::Borrowed(word))).collect();
        let matchers: Vec<u32> =
            self.matchers.iter().map(|matcher| trie.matchers.number(Cow::Borrowed(matcher)) | MATCHER).collect();
        let term = |term: u32| {
            let (numbers, place) = if is_matcher(term) { (&matchers, term & !MATCHER) } else { (&words, term) };
            numbers.get(place as usize).copied().unwrap_or(NONE)
        };
        let mut starts: Map<u32, u32> = Map::default();
        for (start, alternatives) in &self.elements {
            let alternatives = alternatives.iter().map(|it| term(*it)).collect();
            starts.insert(*start, trie.add_elements(&[alternatives]));
        }
        let element =
            |start: u32, count: u32| if count == 0 { 0 } else { starts.get(&start).copied().unwrap_or(start) };
        let before = number(trie.edges.len());
        let state = |from: u32| if from >= OPTIONS { from } else { from + before };
        trie.edges.extend(self.edges.iter().map(|edge| Edge {
            from: state(edge.from),
            term: term(edge.term),
            ..*edge
        }));
        let program = |[flags, skip, first, options, placeholder, paths, count]: [u32; 7]| {
            let placeholder = if placeholder == NONE { NONE } else { term(placeholder) };
            [flags, skip, first, options, placeholder, element(paths, count), count]
        };
        let option = |[flags, name, harmless, values, ends, count]: [u32; 6]| {
            [flags, term(name), element(harmless, values), values, element(ends, count), count]
        };
        Knowledge::of(
            self.programs.iter().copied().map(program).collect(),
            self.options.iter().copied().map(option).collect(),
        )
    }
}
