//! The one hash probe that each word of a decision costs.

use crate::format::{ACCEPTING_LIMIT, INERT_ROOT, KNOWLEDGE, LAST, LEAF, MATCHER, NONE, WIDE, edge_hash, slot, tag};
use crate::matcher::Matcher;
use crate::table::Table;
#[cfg(feature = "canonical")]
use crate::word::Folded;
use crate::word::{Exact, Word};

/// An edge that was found.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    /// The state that it leads to.
    pub(crate) state: u32,
    /// What ends there: a reference to a list of rules (of spellings, under the folded root), and [`LEAF`].
    pub(crate) accepting: u32,
}

impl Found {
    /// Whether no edge leaves the state.
    #[inline(always)]
    pub(crate) const fn is_leaf(self) -> bool {
        self.accepting & LEAF != 0
    }
}

/// What is known of a word below the root of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Knowledge {
    /// Only that more is known of what follows.
    Nothing,
    /// The program at this place.
    Program(u32),
    /// The option at this place.
    Option(u32),
}

const fn is_matcher(known: u32) -> bool {
    known & MATCHER != 0 && known & LAST == 0
}

impl Table<'_> {
    /// The edge that leaves `state` with `word` on it.
    #[inline(always)]
    pub(crate) fn edge(&self, state: u32, word: impl Word) -> Option<Found> {
        self.probe(state, word.hash(self.parameters.seed), |known| word.is(self.word_bytes(known)))
    }

    /// The edge that leaves `state` with a word compared as rules of a kind do.
    pub(crate) fn edge_of(&self, state: u32, word: &str, canonical: bool) -> Option<Found> {
        #[cfg(feature = "canonical")]
        if canonical {
            return self.edge(state, Folded(word));
        }
        // Without the feature, tables with such rules are refused when they are read.
        let _ = canonical;
        self.edge(state, Exact(word))
    }

    /// The edge that leads from a head to its wide rules.
    pub(crate) fn wide_edge(&self, state: u32) -> Option<Found> {
        self.probe(state, 0, |known| known == WIDE)
    }

    /// The edges that leave `state` with matchers on them.
    pub(crate) fn matcher_edges(&self, state: u32) -> impl Iterator<Item = (Matcher<'_>, Found)> {
        let none = self.parameters.matchers == 0 && self.parameters.command_matchers == 0 && state != INERT_ROOT;
        let numbers = if none { 0..0 } else { 1..u64::from(MATCHER) };
        numbers.map_while(move |number| {
            let found = self.probe(state, number, is_matcher)?;
            let known = self.edges.get(found.state)?.field(2);
            Some((self.matcher(known & !MATCHER), found))
        })
    }

    /// The word or matcher on the edge that was found.
    pub(crate) fn term_before(&self, found: Found) -> u32 {
        self.edges.get(found.state).map_or(NONE, |edge| edge.field(2))
    }

    /// What the edge that leaves `state`, which stands below the root of programs, leads to.
    #[inline]
    pub(crate) fn knowledge(&self, state: u32, word: impl Word) -> Option<(u32, Knowledge)> {
        let found = self.edge(state, word)?;
        let place = found.accepting & (ACCEPTING_LIMIT - 1);
        let knowledge = match place.checked_sub(KNOWLEDGE) {
            None => Knowledge::Nothing,
            Some(place) if place & 1 == 0 => Knowledge::Program(place >> 1),
            Some(place) => Knowledge::Option(place >> 1),
        };
        Some((found.state, knowledge))
    }

    #[inline(always)]
    fn probe(&self, state: u32, word: u64, is_it: impl Fn(u32) -> bool) -> Option<Found> {
        let hash = edge_hash(state, word);
        let start = slot(hash, self.parameters.edge_capacity);
        for place in start..start.saturating_add(self.parameters.edge_probes) {
            let edge = self.edges.get(place)?;
            if edge.field(0) == tag(hash) && edge.field(1) == state && is_it(edge.field(2)) {
                return Some(Found { state: place, accepting: edge.field(3) });
            }
            if edge.field(2) == NONE {
                return None;
            }
        }
        None
    }
}
