//! Open addressing with linear probing: the placement that the runtime's probes expect.

use policyc_runtime::format::slot;

use super::intern::number;

/// Slots with what was placed in them.
pub(super) struct Slots<T> {
    slots: Vec<Option<T>>,
    capacity: u32,
    probes: u32,
}

impl<T> Slots<T> {
    /// Room for `expected` things at a load of 70 %: a successful search then looks at two slots in the mean.
    pub(super) fn new(expected: usize) -> Self {
        let capacity = number(expected + expected * 3 / 7 + 1);
        let mut slots = Vec::new();
        slots.resize_with(capacity as usize, || None);
        Self { slots, capacity, probes: 1 }
    }

    /// Puts `thing` into the first free slot from where its hash starts. The slots do not wrap around: the last
    /// searches run beyond the capacity.
    pub(super) fn place(&mut self, hash: u64, thing: T) -> u32 {
        let start = slot(hash, self.capacity) as usize;
        let taken = self.slots.iter().skip(start).take_while(|slot| slot.is_some()).count();
        let place = start + taken;
        if place >= self.slots.len() {
            self.slots.resize_with(place + 1, || None);
        }
        if let Some(free) = self.slots.get_mut(place) {
            *free = Some(thing);
        }
        self.probes = self.probes.max(number(taken + 1));
        number(place)
    }

    pub(super) const fn capacity(&self) -> u32 {
        self.capacity
    }

    /// The longest search.
    pub(super) const fn probes(&self) -> u32 {
        self.probes
    }

    /// All slots that a search can look at.
    pub(super) fn into_slots(mut self) -> Vec<Option<T>> {
        self.slots.resize_with((self.capacity + self.probes - 1) as usize, || None);
        self.slots
    }
}
