//! The layout of a decision table, shared by the compiler that writes it and the runtime that reads it.
//!
//! All numbers are little-endian `u32` unless said otherwise; nothing is aligned; a text is an offset and a length
//! in bytes into [`Section::Text`]. A table is the [header](HEADER), the [`Section`]s in order without gaps, and
//! nothing after them.

pub use crate::hash::{edge as edge_hash, slot, tag, word as word_hash};
pub use crate::header::computed_checksum;

/// The first eight bytes of every table.
pub const MAGIC: [u8; 8] = *b"policyc\0";

/// The version that this crate reads.
pub const VERSION: u32 = 1;

/// Bytes before the first section: [`MAGIC`], version, number of sections, checksum (`u64`, of everything but
/// itself), then the length of each section.
pub const HEADER: usize = 24 + 4 * Section::ALL.len();

/// Where the checksum stands in the header.
pub const CHECKSUM: core::ops::Range<usize> = 16..24;

/// The parts of a table, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Section {
    /// One record: the [`Parameters`].
    Parameters,
    /// All texts, UTF-8, one after the other.
    Text,
    /// The distinct words (text). A word is known by its place here.
    Words,
    /// Hash slots for the trie's edges: tag, state left, word, accepting list. An edge leads to the state that is
    /// known by the edge's own slot number. An empty slot has [`NONE`] for its word.
    Edges,
    /// The lists of rules that accepting states name: a length, then rule ids in order of definition.
    Accepting,
    /// The lists that edges from [`FOLDED_ROOT`] name instead: a length, then the words that are spellings of one
    /// folded head, in order of first definition.
    Spellings,
    /// Elements of patterns after the first: words, the last alternative of each element marked with [`LAST`].
    Elements,
    /// Rules in order of definition, their place being their id: first word, where the other elements start, their
    /// number, decision and flags and source, line, column, justification (text).
    Rules,
    /// Labels of the policy files (text).
    Sources,
    /// Host executables sorted by name: name (text), first path, number of paths.
    HostExecutables,
    /// Their paths, folded (text).
    HostPaths,
    /// Network rules: host (text), protocol, decision and flags and source, line, column, justification (text).
    NetworkRules,
}

impl Section {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Parameters,
        Self::Text,
        Self::Words,
        Self::Edges,
        Self::Accepting,
        Self::Spellings,
        Self::Elements,
        Self::Rules,
        Self::Sources,
        Self::HostExecutables,
        Self::HostPaths,
        Self::NetworkRules,
    ];

    /// What a listing calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parameters => "parameters",
            Self::Text => "text",
            Self::Words => "words",
            Self::Edges => "edges",
            Self::Accepting => "accepting",
            Self::Spellings => "spellings",
            Self::Elements => "elements",
            Self::Rules => "rules",
            Self::Sources => "sources",
            Self::HostExecutables => "host executables",
            Self::HostPaths => "host paths",
            Self::NetworkRules => "network rules",
        }
    }
}

/// What the walk needs to know before it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// The seed of [`word_hash`].
    pub seed: u32,
    /// Edge slots that a hash can start in.
    pub edge_capacity: u32,
    /// The longest search: an edge is in one of so many slots from where its hash starts.
    pub edge_probes: u32,
    /// Whether any head has [`WIDE`] rules (0 or 1).
    pub wide: u32,
    /// Whether any rule is compared under canonical caseless matching (0 or 1).
    pub canonical: u32,
}

impl Parameters {
    /// As they stand in the table.
    #[must_use]
    pub const fn to_fields(self) -> [u32; 5] {
        [self.seed, self.edge_capacity, self.edge_probes, self.wide, self.canonical]
    }

    /// The reverse of [`Parameters::to_fields`].
    #[must_use]
    pub const fn from_fields(fields: [u32; 5]) -> Self {
        let [seed, edge_capacity, edge_probes, wide, canonical] = fields;
        Self { seed, edge_capacity, edge_probes, wide, canonical }
    }
}

/// No word, no edge, no text.
pub const NONE: u32 = u32::MAX;

/// The state before the first word, for rules compared byte for byte.
pub const ROOT: u32 = u32::MAX;

/// The state before the first word, for rules compared under canonical caseless matching: its edges carry heads as
/// they are spelt in the policy, all later edges folded words.
pub const CANONICAL_ROOT: u32 = u32::MAX - 1;

/// The state whose edges lead from a folded head to its list in [`Section::Spellings`].
pub const FOLDED_ROOT: u32 = u32::MAX - 2;

/// The word, with 0 for its hash, on the edge that leads from a head to its *wide* rules: those whose alternatives multiply out to more
/// states than a linear table may have. Their elements are compared one by one.
pub const WIDE: u32 = u32::MAX - 1;

/// Marks the last alternative of an element.
pub const LAST: u32 = 1 << 31;

/// Marks an accepting list of one rule, which stands in the reference itself.
pub const SINGLE: u32 = 1 << 29;

/// Marks an edge that leads to a state without edges of its own.
pub const LEAF: u32 = 1 << 28;

/// Rule ids and places of lists are below this.
pub const ACCEPTING_LIMIT: u32 = LEAF;

/// Where the strictest decision of an accepting list stands in the reference to it: 1, 2, 3; 0 for no list.
pub const ACCEPTING_DECISION_SHIFT: u32 = 30;

/// In the third field of a rule: the number of its source, below which are 24 bits.
pub const SOURCE_SHIFT: u32 = 8;

/// Flag of a rule: compared under canonical caseless matching.
pub const CANONICAL_RULE: u32 = 1 << 4;

/// Flag of a rule: it has a justification.
pub const JUSTIFIED: u32 = 1 << 5;
