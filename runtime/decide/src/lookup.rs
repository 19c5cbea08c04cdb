//! The two hash probes that a decision is made of: text to word, and state and word to edge.

use crate::format::{LEAF, NONE, edge_hash, slot, tag, word_hash};
use crate::table::Table;

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
    /// The word of the table that is these bytes.
    #[inline(always)]
    pub(crate) fn word_of(&self, bytes: &[u8]) -> Option<u32> {
        self.probe_word(word_hash(bytes, self.parameters.seed), |known| same_bytes(known, bytes))
    }

    /// The word of the table that is the folded form of `word`.
    #[cfg(feature = "canonical")]
    pub(crate) fn folded_word_of(&self, word: &str) -> Option<u32> {
        let hash = crate::hash::word_from_iter(crate::fold::folded_bytes(word), self.parameters.seed);
        self.probe_word(hash, |known| crate::fold::folded_bytes(word).eq(known.iter().copied()))
    }

    /// Nothing: tables with folded words are refused when they are read.
    #[cfg(not(feature = "canonical"))]
    pub(crate) fn folded_word_of(&self, _: &str) -> Option<u32> {
        None
    }

    #[inline(always)]
    fn probe_word(&self, hash: u64, is_it: impl Fn(&[u8]) -> bool) -> Option<u32> {
        let start = slot(hash, self.parameters.word_capacity);
        for place in start..start + self.parameters.word_probes {
            let word = self.words.get(place)?;
            // An empty slot has the highest tag.
            if word.field(0) > tag(hash) {
                return None;
            }
            if word.field(0) == tag(hash) && word.field(1) != NONE {
                let (offset, length) = (word.field(1) as usize, word.field(2) as usize);
                if self.text.as_bytes().get(offset..offset + length).is_some_and(&is_it) {
                    return Some(place);
                }
            }
        }
        None
    }

    /// The edge that leaves `state` with `word` on it.
    #[inline(always)]
    pub(crate) fn edge(&self, state: u32, word: u32) -> Option<Found> {
        let start = slot(edge_hash(state, word), self.parameters.edge_capacity);
        for place in start..start + self.parameters.edge_probes {
            let edge = self.edges.get(place)?;
            if edge.field(1) == word && edge.field(0) == state {
                return Some(Found { state: place, accepting: edge.field(2) });
            }
            if edge.field(1) == NONE {
                return None;
            }
        }
        None
    }
}

/// Equality of short texts in one or two loads each, where a call of the general comparison would cost more.
#[inline(always)]
fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() || a.len() > 16 {
        return a == b;
    }
    if let (Some(a_first), Some(b_first), Some(a_last), Some(b_last)) =
        (a.first_chunk::<8>(), b.first_chunk::<8>(), a.last_chunk::<8>(), b.last_chunk::<8>())
    {
        return a_first == b_first && a_last == b_last;
    }
    if let (Some(a_first), Some(b_first), Some(a_last), Some(b_last)) =
        (a.first_chunk::<4>(), b.first_chunk::<4>(), a.last_chunk::<4>(), b.last_chunk::<4>())
    {
        return a_first == b_first && a_last == b_last;
    }
    a.iter().eq(b)
}

#[cfg(test)]
mod tests {
    use super::same_bytes;

    #[test]
    fn texts_are_the_same_when_every_byte_is() {
        let text = *b"abcdefghijklmnopqrst";
        for length in 0..=text.len() {
            assert!(same_bytes(&text[..length], &text[..length]));
            for changed in 0..length {
                let mut other = text;
                other[changed] ^= 1;
                assert!(!same_bytes(&text[..length], &other[..length]), "{length} bytes, byte {changed}");
            }
        }
    }
}
