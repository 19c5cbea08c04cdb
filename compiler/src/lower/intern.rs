//! Each distinct text once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::RandomState;

/// A map that is filled anew with each keystroke: half of the time of a small table went into the standard hash.
pub(super) type Map<K, V> = HashMap<K, V, RandomState>;

/// A text in the table: its offset and its length in bytes.
pub(super) type TextRange = [u32; 2];

/// The text section as it grows.
#[derive(Default)]
pub(super) struct Texts<'a> {
    ranges: Map<&'a str, TextRange>,
    text: String,
}

impl<'a> Texts<'a> {
    pub(super) fn add(&mut self, text: &'a str) -> TextRange {
        let end = number(self.text.len());
        match self.ranges.entry(text) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                self.text.push_str(text);
                *free.insert([end, number(text.len())])
            }
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.text.into_bytes()
    }
}

/// Numbers for distinct things, in order of first sight.
pub(super) struct Numbers<K> {
    numbers: Map<K, u32>,
    things: Vec<K>,
}

impl<K> Default for Numbers<K> {
    fn default() -> Self {
        Self { numbers: Map::default(), things: Vec::new() }
    }
}

impl<K: Clone + Eq + std::hash::Hash> Numbers<K> {
    pub(super) fn number(&mut self, thing: K) -> u32 {
        match self.numbers.entry(thing) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let next = number(self.things.len());
                self.things.push(free.key().clone());
                *free.insert(next)
            }
        }
    }

    pub(super) fn reserve(&mut self, things: usize) {
        self.numbers.reserve(things);
        self.things.reserve(things);
    }

    pub(super) fn things(&self) -> &[K] {
        &self.things
    }
}

/// A size as the table writes it.
pub(super) fn number(size: usize) -> u32 {
    u32::try_from(size).expect("the guard on the size of policy files keeps tables below 4 GiB")
}
