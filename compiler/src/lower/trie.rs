//! Rules → trie. Words and matchers are numbers here, *terms*; states are the edges that lead to them.

use std::borrow::Cow;
use std::collections::HashSet;

use policyc_runtime::format::{
    CANONICAL_ROOT, CASELESS_ROOT, COMMAND_CASELESS_ROOT, COMMAND_ROOT, FOLDED_ROOT, LAST, MATCHER, ROOT, WIDE,
};

use super::intern::{Map, Numbers, number};
use crate::rules::effects::Command;
use crate::rules::{Element, Matcher, PrefixRule};

/// How many times larger than a rule's text its paths in the trie may be, in words. Rules beyond it are *wide*: they
/// hang on their head and are compared element by element, so the table stays linear.
const EXPANSION: usize = 8;

/// One edge, and the state after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// The edge before it, or a root.
    pub(super) from: u32,
    /// The term on it, or [`WIDE`].
    pub(super) term: u32,
    /// Which of the edges with matchers that leave the same state it is, from 1; 0 for a word.
    pub(super) number: u32,
    /// What the place after it knows of a program, as the table says it.
    pub(super) knowledge: u32,
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
    pub(super) matchers: Numbers<Cow<'a, Matcher>>,
    pub(super) edges: Vec<Edge>,
    /// How many edges with matchers leave a state.
    matchers_from: Map<u32, u32>,
    known: Map<(u32, u32), u32>,
    /// Edge and rule id, for each rule that ends after the edge; ids ascend.
    pub(super) accepting: Vec<(u32, u32)>,
    /// Terms, the last alternative of each element marked.
    pub(super) elements: Vec<u32>,
    known_elements: Map<Vec<u32>, u32>,
    /// Rules, then the rows of what commands do.
    pub(super) rules: Vec<HeadRule<'a>>,
    /// How many of them are rows, and which command each comes from.
    pub(super) commands: Vec<&'a Command>,
    /// Heads that are found by what they have in common with others: the root that this stands under, what it is,
    /// and the heads.
    pub(super) spellings: Vec<(u32, u32, Vec<u32>)>,
    known_spellings: Map<(u32, u32), usize>,
}

impl<'a> Trie<'a> {
    pub(super) fn new(rules: &[&'a PrefixRule], commands: &[&'a Command]) -> Self {
        let mut trie = Self::default();
        for rule in rules {
            trie.add(rule, (ROOT, CASELESS_ROOT));
        }
        let number_of_rules = trie.rules.len();
        for command in commands {
            trie.add(&command.rule, (COMMAND_ROOT, COMMAND_CASELESS_ROOT));
            let rows = trie.rules.len() - number_of_rules;
            trie.commands.resize(rows, command);
        }
        trie
    }

    /// How many rules there are before the rows.
    pub(super) fn number_of_rules(&self) -> usize {
        self.rules.len() - self.commands.len()
    }

    /// For each edge, whether it stands below the root of commands.
    pub(super) fn edges_of_commands(&self) -> Vec<bool> {
        let mut below: Vec<bool> = Vec::with_capacity(self.edges.len());
        for edge in &self.edges {
            below.push(edge.from == COMMAND_ROOT || below.get(edge.from as usize).copied().unwrap_or(false));
        }
        below
    }

    /// Makes room for this many more edges and their words.
    pub(super) fn reserve(&mut self, edges: usize) {
        self.words.reserve(edges);
        self.edges.reserve(edges);
        self.known.reserve(edges);
    }

    /// Adds a rule under `roots`: that of heads, and that of heads in lower case.
    fn add(&mut self, rule: &'a PrefixRule, roots: (u32, u32)) {
        let Some((heads, rest)) = rule.pattern.split_first() else { return };
        let rest: Vec<Vec<u32>> =
            rest.iter().map(|element| self.alternatives(element, rule.canonical_matching)).collect();
        let elements = self.add_elements(&rest);
        let wide = !fits_the_trie(heads.len(), &rest);
        let mut head_terms = Vec::with_capacity(heads.len());
        for head in &heads.words {
            head_terms.push(self.words.number(Cow::Borrowed(head)));
        }
        for matcher in &heads.matchers {
            head_terms.push(self.matchers.number(Cow::Borrowed(matcher)) | MATCHER);
        }
        for head in head_terms {
            let id = number(self.rules.len());
            self.rules.push(HeadRule { rule, head, elements });
            let root = self.root(rule, head, roots);
            let start = self.edge(root, head);
            let ends = if wide { vec![self.edge(start, WIDE)] } else { self.paths(start, &rest) };
            self.accepting.extend(ends.into_iter().map(|end| (end, id)));
        }
    }

    /// The root that a head stands under. A head that more than its own spelling leads to is listed among them.
    fn root(&mut self, rule: &PrefixRule, head: u32, (root, caseless): (u32, u32)) -> u32 {
        if rule.canonical_matching {
            self.add_spelling(FOLDED_ROOT, CANONICAL_ROOT, head, policyc_runtime::fold);
            return CANONICAL_ROOT;
        }
        if self
            .words
            .things()
            .get(head as usize)
            .is_some_and(|head| head.contains(|one: char| one.is_ascii_uppercase()))
        {
            self.add_spelling(caseless, root, head, str::to_ascii_lowercase);
        }
        root
    }

    /// The distinct terms of an element in the author's order, its words folded if they are compared so.
    pub(super) fn alternatives(&mut self, element: &'a Element, canonical: bool) -> Vec<u32> {
        let mut alternatives = Vec::with_capacity(element.len());
        for word in &element.words {
            let word = if canonical { Cow::Owned(policyc_runtime::fold(word)) } else { Cow::Borrowed(word.as_str()) };
            alternatives.push(self.words.number(word));
        }
        for matcher in &element.matchers {
            alternatives.push(self.matchers.number(Cow::Borrowed(matcher)) | MATCHER);
        }
        if alternatives.len() > 1 {
            let mut seen = HashSet::with_capacity(alternatives.len());
            alternatives.retain(|word| seen.insert(*word));
        }
        alternatives
    }

    pub(super) fn add_elements(&mut self, elements: &[Vec<u32>]) -> u32 {
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

    /// Lists a head, which stands under `heads`, with those that `common` makes the same of, under `root`.
    fn add_spelling(&mut self, root: u32, heads: u32, head: u32, common: impl Fn(&str) -> String) {
        let spelling = self.words.things().get(head as usize).cloned().unwrap_or_default();
        let common = self.words.number(Cow::Owned(common(&spelling)));
        let list = *self.known_spellings.entry((root, common)).or_insert_with(|| {
            self.spellings.push((root, common, Vec::new()));
            self.spellings.len() - 1
        });
        if let Some((_, _, spellings)) = self.spellings.get_mut(list)
            && !self.known.contains_key(&(heads, head))
        {
            spellings.push(head);
        }
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

    pub(super) fn edge(&mut self, from: u32, term: u32) -> u32 {
        if let Some(before) = self.edges.get_mut(from as usize) {
            before.continued = true;
        }
        if let Some(known) = self.known.get(&(from, term)) {
            return *known;
        }
        let mut number_of_matcher = 0;
        if is_matcher(term) {
            let matchers = self.matchers_from.entry(from).or_default();
            *matchers += 1;
            number_of_matcher = *matchers;
        }
        let next = number(self.edges.len());
        self.known.insert((from, term), next);
        self.edges.push(Edge { from, term, number: number_of_matcher, knowledge: 0, continued: false });
        next
    }
}

/// Whether the term is a matcher.
pub(super) const fn is_matcher(term: u32) -> bool {
    term & MATCHER != 0 && term & LAST == 0
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
