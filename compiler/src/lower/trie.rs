//! Rules → trie. Words are numbers here; states are the edges that lead to them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use policyc_runtime::format::{CANONICAL_ROOT, LAST, ROOT, WIDE};

use super::intern::{Numbers, number};
use crate::rules::{Element, PrefixRule};

/// How many times larger than a rule's text its paths in the trie may be, in words. Rules beyond it are *wide*: they
/// hang on their head and are compared element by element, so the table stays linear.
const EXPANSION: usize = 8;

/// One edge, and the state after it.
pub(super) struct Edge {
    /// The edge before it, or a root.
    pub(super) from: u32,
    /// The word on it, or [`WIDE`].
    pub(super) word: u32,
    /// Whether further edges leave its state.
    pub(super) continued: bool,
}

/// A rule with one head.
pub(super) struct HeadRule<'a> {
    pub(super) rule: &'a PrefixRule,
    pub(super) head: u32,
    /// Where its other elements start among all elements.
    pub(super) elements: u32,
}

/// The trie of a rule set.
#[derive(Default)]
pub(super) struct Trie<'a> {
    pub(super) words: Numbers<Cow<'a, str>>,
    pub(super) edges: Vec<Edge>,
    known: HashMap<(u32, u32), u32>,
    /// Edge and rule id, for each rule that ends after the edge; ids ascend.
    pub(super) accepting: Vec<(u32, u32)>,
    /// Words, the last alternative of each element marked.
    pub(super) elements: Vec<u32>,
    known_elements: HashMap<Vec<u32>, u32>,
    pub(super) rules: Vec<HeadRule<'a>>,
    /// Folded heads of canonical rules, each with its spellings.
    pub(super) spellings: Vec<(u32, Vec<u32>)>,
    known_spellings: HashMap<u32, usize>,
}

impl<'a> Trie<'a> {
    pub(super) fn new(rules: &[&'a PrefixRule]) -> Self {
        let mut trie = Self::default();
        for rule in rules {
            trie.add(rule);
        }
        trie
    }

    fn add(&mut self, rule: &'a PrefixRule) {
        let Some((heads, rest)) = rule.pattern.split_first() else { return };
        let rest: Vec<Vec<u32>> =
            rest.iter().map(|element| self.alternatives(element, rule.canonical_matching)).collect();
        let elements = self.add_elements(&rest);
        let wide = !fits_the_trie(heads.words.len(), &rest);
        for head in &heads.words {
            let head = self.words.number(Cow::Borrowed(head));
            let id = number(self.rules.len());
            self.rules.push(HeadRule { rule, head, elements });
            let root = if rule.canonical_matching { self.add_spelling(head) } else { ROOT };
            let start = self.edge(root, head);
            let ends = if wide { vec![self.edge(start, WIDE)] } else { self.paths(start, &rest) };
            self.accepting.extend(ends.into_iter().map(|end| (end, id)));
        }
    }

    /// The distinct words of an element in the author's order, folded if they are compared so.
    fn alternatives(&mut self, element: &'a Element, canonical: bool) -> Vec<u32> {
        let mut alternatives = Vec::with_capacity(element.words.len());
        for word in &element.words {
            let word = if canonical { Cow::Owned(policyc_runtime::fold(word)) } else { Cow::Borrowed(word.as_str()) };
            alternatives.push(self.words.number(word));
        }
        if alternatives.len() > 1 {
            let mut seen = HashSet::with_capacity(alternatives.len());
            alternatives.retain(|word| seen.insert(*word));
        }
        alternatives
    }

    fn add_elements(&mut self, elements: &[Vec<u32>]) -> u32 {
        let mut words: Vec<u32> = Vec::new();
        for element in elements {
            words.extend(element);
            if let Some(last) = words.last_mut() {
                *last |= LAST;
            }
        }
        if words.is_empty() {
            return 0;
        }
        let next = number(self.elements.len());
        let all = &mut self.elements;
        *self.known_elements.entry(words).or_insert_with_key(|words| {
            all.extend(words);
            next
        })
    }

    fn add_spelling(&mut self, head: u32) -> u32 {
        let spelling = self.words.things().get(head as usize).cloned().unwrap_or_default();
        let folded = self.words.number(Cow::Owned(policyc_runtime::fold(&spelling)));
        let list = *self.known_spellings.entry(folded).or_insert_with(|| {
            self.spellings.push((folded, Vec::new()));
            self.spellings.len() - 1
        });
        if let Some((_, spellings)) = self.spellings.get_mut(list)
            && !self.known.contains_key(&(CANONICAL_ROOT, head))
        {
            spellings.push(head);
        }
        CANONICAL_ROOT
    }

    /// Adds every way through the elements, and returns where they end.
    fn paths(&mut self, start: u32, elements: &[Vec<u32>]) -> Vec<u32> {
        let mut ends = vec![start];
        for element in elements {
            let ways: Vec<(u32, u32)> =
                ends.iter().flat_map(|&end| element.iter().map(move |&word| (end, word))).collect();
            ends = ways.into_iter().map(|(end, word)| self.edge(end, word)).collect();
        }
        ends
    }

    fn edge(&mut self, from: u32, word: u32) -> u32 {
        if let Some(before) = self.edges.get_mut(from as usize) {
            before.continued = true;
        }
        let next = number(self.edges.len());
        *self.known.entry((from, word)).or_insert_with(|| {
            self.edges.push(Edge { from, word, continued: false });
            next
        })
    }
}

fn fits_the_trie(heads: usize, rest: &[Vec<u32>]) -> bool {
    let text = heads + rest.iter().map(Vec::len).sum::<usize>();
    let mut paths = heads;
    let mut edges = heads;
    for element in rest {
        paths = paths.saturating_mul(element.len());
        edges = edges.saturating_add(paths);
    }
    edges <= EXPANSION * text
}
