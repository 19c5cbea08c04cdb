//! The one hash probe that each word of a decision costs.

use crate::format::{LEAF, NONE, WIDE, edge_hash, slot, tag};
use crate::table::Table;
use crate::word::Word;

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

impl Table<'_> {
    /// The edge that leaves `state` with `word` on it.
    #[inline(always)]
    pub(crate) fn edge(&self, state: u32, word: impl Word) -> Option<Found> {
        self.probe(state, word.hash(self.parameters.seed), |known| word.is(self.word_bytes(known)))
    }

    /// The edge that leads from a head to its wide rules.
    pub(crate) fn wide_edge(&self, state: u32) -> Option<Found> {
        self.probe(state, 0, |known| known == WIDE)
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
