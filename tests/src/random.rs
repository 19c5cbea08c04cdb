//! A small seeded generator: the same seed gives the same cases on every machine and in every version.

/// A splitmix64 sequence.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence that `seed` starts.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The sequence that the number in `POLICYC_SEED` starts, or `default`.
    ///
    /// # Panics
    /// When the variable holds no number.
    #[must_use]
    pub fn seeded(default: u64) -> Self {
        let seed = std::env::var("POLICYC_SEED").ok();
        Self::new(seed.map_or(default, |seed| seed.parse().expect("POLICYC_SEED is a number")))
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub const fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub const fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True once in `n` times.
    pub const fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of `items`, which are not none.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        items.get(self.below(items.len())).expect("the index is below the length")
    }
}
