//! How much a run may use. Every bound is a count, so that the same policy comes to the same end on every machine.

/// Calls of functions and turns of loops. Unit tests run without optimisation, a hundred times slower.
pub(super) const MOST_STEPS: u64 = if cfg!(test) { 100_000 } else { 10_000_000 };

/// Calls within calls, the file itself being one: the reference engine's own bound.
pub(super) const DEEPEST_CALLS: usize = 50;

/// Bytes of values that are alive together.
pub(super) const MOST_MEMORY: usize = 512 << 20;

/// Bytes of all declarations together; see [`WORD`] and [`DECLARATION`].
pub(super) const MOST_DECLARED: usize = 256 << 20;

/// What a word counts for beyond its text.
pub(super) const WORD: usize = 32;

/// What a declaration counts for beyond its words.
pub(super) const DECLARATION: usize = 256;

/// Calls with mistakes, of which only the first are told.
pub(super) const MOST_MISTAKES: usize = 10_000;

/// Files that load each other in a row.
pub(super) const DEEPEST_LOADS: usize = 64;

/// What a run used too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breach {
    /// More than [`MOST_STEPS`].
    Steps,
    /// More than [`MOST_MEMORY`].
    Memory,
    /// More than [`MOST_DECLARED`].
    Declarations,
    /// More than [`MOST_MISTAKES`].
    Mistakes,
}

impl std::fmt::Display for Breach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Steps => "too many steps",
            Self::Memory => "too much memory",
            Self::Declarations => "too many declarations",
            Self::Mistakes => "too many mistakes",
        })
    }
}

impl std::error::Error for Breach {}
