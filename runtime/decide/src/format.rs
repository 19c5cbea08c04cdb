//! The layout of a decision table, shared by the compiler that writes it and the runtime that reads it.
//!
//! All numbers are little-endian `u32` unless said otherwise; nothing is aligned; a text is an offset and a length
//! in bytes into [`Section::Text`]. A table is the [header](HEADER), the [`Section`]s in order without gaps, and
//! nothing after them.

pub use crate::hash::{edge as edge_hash, slot, tag, word as word_hash};
pub use crate::header::computed_checksum;
pub use crate::signature::{ANY_WORD, signature};

/// The first eight bytes of every table.
pub const MAGIC: [u8; 8] = *b"policyc\0";

/// The version that this crate reads.
pub const VERSION: u32 = 3;

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
    /// What stands for more than one word: [kind](matcher), pattern (text). A matcher is known by its place here, with
    /// [`MATCHER`] set.
    Matchers,
    /// Hash slots for the trie's edges: tag, state left, word, accepting list. An edge leads to the state that is
    /// known by the edge's own slot number. An empty slot has [`NONE`] for its word.
    Edges,
    /// The lists of rules that accepting states name: a length, then rule ids in order of definition.
    Accepting,
    /// The lists that edges from [`FOLDED_ROOT`] name instead: a length, then the words that are spellings of one
    /// folded head, in order of first definition.
    Spellings,
    /// Elements, of patterns after the first place and of conditions: words and matchers, the last alternative of each
    /// element marked with [`LAST`].
    Elements,
    /// Whole patterns: where their elements start, their number.
    Patterns,
    /// Rules in order of definition, their place being their id: first word, where the other elements start, their
    /// number, decision and flags and source, line, column, justification (text).
    Rules,
    /// What else rules with [`CONDITIONED`] ask, sorted by rule: rule, [`EXACT`] or 0, then for each of `having`,
    /// `without`, `unless`, `env` and `writes` where it starts and its number: patterns for `unless`, else elements; and
    /// the [signatures](signature) of all that `having` and `without` name, two fields each, or [`ANY_WORD`].
    Conditions,
    /// Labels of the policy files (text), and the layer of each.
    Sources,
    /// Layers: name (text), whether it is trusted (0 or 1).
    Layers,
    /// Host executables sorted by name: name (text), first path, number of paths.
    HostExecutables,
    /// Their paths, folded (text).
    HostPaths,
    /// Network rules: host (text), protocol, decision and flags and source, line, column, justification (text).
    NetworkRules,
    /// Programs and their subcommands, found under [`PROGRAM_ROOT`]: flags and kinds (see [`program`]), operands to
    /// skip, first option, number of options, placeholder (a word) or [`NONE`], paths (first element, number).
    Programs,
    /// Their options, programs with the same ones naming the same: flags and kinds (see [`option`]), a name (a word), then two lists of elements: the values with
    /// which it is harmless, and the words that end its value.
    Options,
    /// What no match means: three unused fields, then as the last five of a rule.
    Defaults,
    /// The effects and claims that there are, at most [`MOST_CAPABILITIES`], each known by its place here: name (text),
    /// flags (see [`capability`]), then source as in a rule, line, column, and two unused fields.
    Capabilities,
    /// One record, or none in a table without capabilities: those with a role, each its place or [`NONE`] (what nothing
    /// covers, what an allow rule covers, what a redirect writes), then the masks of what writes and of what is a claim.
    Vocabulary,
    /// Sets of capabilities, each once: 128 bits, the lowest first.
    Masks,
    /// What commands do, found under [`COMMAND_ROOT`]. Their ids go on where those of rules end: first word, where the
    /// other elements start, their number, flags and source, line, column, mask of effects, and
    /// how many operands stand before those that are paths, or [`NONE`].
    Commands,
    /// Tools sorted by name: name (text), mask of effects, flags and source (see [`tool`]), line, column, mask of claims,
    /// first parameter, number of parameters, the parameter that is the target (counted from the first) or [`NONE`],
    /// first word of its command, number of words, seconds that it may take or 0.
    Tools,
    /// Their parameters: name (text), role and flags (see [`parameter`]).
    ToolParameters,
    /// The words of commands that tools run, and the pieces of facts: kind (see [`piece`]), text.
    Pieces,
    /// Facts that effects require: mask of effects, mask of claims that exempt, first piece, source as in a rule, line,
    /// column, number of pieces, and an unused field.
    Requirements,
    /// Profiles sorted by name: name (text), mask of what is allowed, source as in a rule, line, column, mask of what is
    /// asked about, the element with the names of its tools or [`NONE`].
    Profiles,
    /// Rules for tool calls: the element with the tool's names, first argument, number of arguments, decision and flags
    /// and source, line, column, justification (text), first exception, number of exceptions.
    ToolRules,
    /// What is asked of an argument: JSON pointer (text), an element.
    ToolArguments,
    /// Calls that a rule is not about: the element with the tool's names or [`NONE`], first argument, number of arguments.
    ToolExceptions,
    /// Limits of grants: seconds that one may last, number that may be open or [`NONE`], the element with the names of
    /// those who may not decide or [`NONE`], source as in a rule, line, column, and two unused fields.
    Grants,
}

impl Section {
    /// All of them.
    pub const ALL: [Self; 32] = [
        Self::Parameters,
        Self::Text,
        Self::Words,
        Self::Matchers,
        Self::Edges,
        Self::Accepting,
        Self::Spellings,
        Self::Elements,
        Self::Patterns,
        Self::Rules,
        Self::Conditions,
        Self::Sources,
        Self::Layers,
        Self::HostExecutables,
        Self::HostPaths,
        Self::NetworkRules,
        Self::Programs,
        Self::Options,
        Self::Defaults,
        Self::Capabilities,
        Self::Vocabulary,
        Self::Masks,
        Self::Commands,
        Self::Tools,
        Self::ToolParameters,
        Self::Pieces,
        Self::Requirements,
        Self::Profiles,
        Self::ToolRules,
        Self::ToolArguments,
        Self::ToolExceptions,
        Self::Grants,
    ];

    /// What a listing calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parameters => "parameters",
            Self::Text => "text",
            Self::Words => "words",
            Self::Matchers => "matchers",
            Self::Edges => "edges",
            Self::Accepting => "accepting",
            Self::Spellings => "spellings",
            Self::Elements => "elements",
            Self::Patterns => "patterns",
            Self::Rules => "rules",
            Self::Conditions => "conditions",
            Self::Sources => "sources",
            Self::Layers => "layers",
            Self::HostExecutables => "host executables",
            Self::HostPaths => "host paths",
            Self::NetworkRules => "network rules",
            Self::Programs => "programs",
            Self::Options => "options",
            Self::Defaults => "defaults",
            Self::Capabilities => "capabilities",
            Self::Vocabulary => "vocabulary",
            Self::Masks => "masks",
            Self::Commands => "commands",
            Self::Tools => "tools",
            Self::ToolParameters => "tool parameters",
            Self::Pieces => "pieces",
            Self::Requirements => "requirements",
            Self::Profiles => "profiles",
            Self::ToolRules => "tool rules",
            Self::ToolArguments => "tool arguments",
            Self::ToolExceptions => "tool exceptions",
            Self::Grants => "grants",
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
    /// Whether any head has [`WIDE`] rules, or rows of commands (0 or 1).
    pub wide: u32,
    /// Whether any rule is compared under canonical caseless matching (0 or 1).
    pub canonical: u32,
    /// Whether any edge of the rules has a matcher (0 or 1).
    pub matchers: u32,
    /// Whether any rule has [`CONDITIONED`] (0 or 1).
    pub conditions: u32,
    /// Whether any edge below [`COMMAND_ROOT`] has a matcher (0 or 1).
    pub command_matchers: u32,
    /// Whether any row of [`Section::Commands`] has [`CONDITIONED`] (0 or 1).
    pub command_conditions: u32,
}

impl Parameters {
    /// As they stand in the table.
    #[must_use]
    pub const fn to_fields(self) -> [u32; 9] {
        let Self { seed, edge_capacity, edge_probes, wide, canonical, matchers, conditions, .. } = self;
        let Self { command_matchers, command_conditions, .. } = self;
        [seed, edge_capacity, edge_probes, wide, canonical, matchers, conditions, command_matchers, command_conditions]
    }

    /// The reverse of [`Parameters::to_fields`].
    #[must_use]
    pub const fn from_fields(fields: [u32; 9]) -> Self {
        let [seed, edge_capacity, edge_probes, wide, canonical, matchers, conditions, ..] = fields;
        let [.., command_matchers, command_conditions] = fields;
        Self {
            seed,
            edge_capacity,
            edge_probes,
            wide,
            canonical,
            matchers,
            conditions,
            command_matchers,
            command_conditions,
        }
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

/// The state before a program's name, for what is known of programs. Its edges, and those after them, carry
/// subcommands, and lead to [`Section::Programs`] instead of rules, as those with options lead to [`Section::Options`].
pub const PROGRAM_ROOT: u32 = u32::MAX - 3;

/// With the place of a program's first option added: the state whose edges carry those options.
pub const OPTIONS: u32 = 1 << 31;

/// The state whose edges carry the names of inert variables.
pub const INERT_ROOT: u32 = u32::MAX - 4;

/// The state whose edges lead from a head in ASCII lower case to its list in [`Section::Spellings`], for heads that
/// have capitals.
pub const CASELESS_ROOT: u32 = u32::MAX - 5;

/// The state before the first word of [`Section::Commands`].
pub const COMMAND_ROOT: u32 = u32::MAX - 6;

/// As [`CASELESS_ROOT`], for the heads under [`COMMAND_ROOT`].
pub const COMMAND_CASELESS_ROOT: u32 = u32::MAX - 7;

/// How many capabilities a table can have: a mask has one bit for each.
pub const MOST_CAPABILITIES: usize = 128;

/// How many parameters a tool can have: whoever reads a call keeps a bit for each.
pub const MOST_TOOL_PARAMETERS: usize = 64;

/// The word, with 0 for its hash, on the edge that leads from a head to its *wide* rules: those whose alternatives multiply out to more
/// states than a linear table may have. Their elements are compared one by one.
pub const WIDE: u32 = u32::MAX - 1;

/// Marks the last alternative of an element.
pub const LAST: u32 = 1 << 31;

/// Marks a matcher where a word could stand. The edges with matchers that leave a state are found under the hashes 1,
/// 2, 3 and so on in place of a word's, without gaps.
pub const MATCHER: u32 = 1 << 30;

/// The kinds of matchers.
pub mod matcher {
    /// Every word.
    pub const ANY_WORD: u32 = 0;
    /// Words that a glob describes from end to end.
    pub const GLOB: u32 = 1;
    /// Words that name a place, as a path pattern describes it.
    pub const PATH: u32 = 2;
}

/// What an edge below [`PROGRAM_ROOT`] leads to: twice the place of a program plus 2, or of an option plus 3, so that
/// neither is 0 nor looks like an accepting list.
pub const KNOWLEDGE: u32 = 2;

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

/// Flag of a rule: it has a record in [`Section::Conditions`].
pub const CONDITIONED: u32 = 1 << 6;

/// Flag of a condition: no words may follow the pattern.
pub const EXACT: u32 = 1;

/// The flags of [`Section::Programs`].
pub mod program {
    /// What the operands are, in the lowest four bits: one of the constants up to [`SCRIPT`].
    pub const OPERANDS: u32 = 15;
    /// Nothing that runs.
    pub const DATA: u32 = 0;
    /// A command.
    pub const COMMAND: u32 = 1;
    /// Text, joined by blanks; its language stands in [`TEXT_SHIFT`].
    pub const JOINED: u32 = 2;
    /// The first is text.
    pub const FIRST: u32 = 3;
    /// `NAME=value`, for the commands that follow.
    pub const ASSIGNMENTS: u32 = 4;
    /// `NAME=text`, for the commands that follow.
    pub const ALIASES: u32 = 5;
    /// Code that cannot be looked into.
    pub const CODE: u32 = 6;
    /// The positional parameters of the commands that follow.
    pub const PARAMETERS: u32 = 7;
    /// A name and what it stands for, for the commands that follow.
    pub const DEFINITION: u32 = 8;
    /// What is evaluated as arithmetic.
    pub const ARITHMETIC: u32 = 9;
    /// How many of the parameters the commands that follow no longer have.
    pub const SHIFT: u32 = 10;
    /// The name of a script, a file or a program, and its arguments.
    pub const SCRIPT: u32 = 11;
    /// Where the language of the text stands, in two bits: [`SHELL`] and on.
    pub const TEXT_SHIFT: u32 = 4;
    /// Where the language of what is read from standard input stands, in two bits: 0 if nothing is run from there.
    pub const STDIN_SHIFT: u32 = 6;
    /// POSIX shells.
    pub const SHELL: u32 = 1;
    /// PowerShell.
    pub const POWERSHELL: u32 = 2;
    /// The command interpreter of Windows.
    pub const CMD: u32 = 3;
    /// `NAME=value` may stand before the operands.
    pub const SETS: u32 = 1 << 8;
    /// Running it needs no rule.
    pub const HARMLESS: u32 = 1 << 9;
    /// What it runs is given further words.
    pub const EXTENDS: u32 = 1 << 10;
    /// Letters behind one hyphen are options of their own.
    pub const BUNDLES: u32 = 1 << 11;
    /// Some option does not begin with a hyphen.
    pub const WORD_OPTIONS: u32 = 1 << 12;
    /// Its first operand, or the home folder without one, is the folder of the commands that follow.
    pub const MOVES: u32 = 1 << 13;
    /// Its text for a shell is for one of its own, near to POSIX shells.
    pub const KIN: u32 = 1 << 14;
    /// Its first word may be letters of options without a hyphen, whose values are the next words in their order.
    pub const LETTERS: u32 = 1 << 15;
    /// Its name and a subcommand, with a hyphen between, are a program that does the same.
    pub const HYPHENATED: u32 = 1 << 16;
    /// What it reads from standard input is code in a language of its own.
    pub const CODE_FROM_STDIN: u32 = 1 << 17;
    /// What it reads from standard input are further operands.
    pub const OPERANDS_FROM_STDIN: u32 = 1 << 18;
    /// Some option is what a word begins with, and neither begins with a hyphen nor ends in `=`.
    pub const BEGINNINGS: u32 = 1 << 19;
}

/// The flags of [`Section::Options`].
pub mod option {
    /// What value it takes, in the lowest three bits: one of the constants up to [`NEXT`].
    pub const VALUE: u32 = 7;
    /// None.
    pub const NONE: u32 = 0;
    /// The next word, or what is attached.
    pub const REQUIRED: u32 = 1;
    /// What is attached.
    pub const ATTACHED: u32 = 2;
    /// All words that follow.
    pub const REST: u32 = 3;
    /// The words up to one of a list.
    pub const UNTIL: u32 = 4;
    /// The next word; what is attached are letters of further options.
    pub const NEXT: u32 = 5;
    /// Where it stands what runs, in three bits: [`COMMAND`], [`CODE`] or a language; 0 for nothing.
    pub const RUNS_SHIFT: u32 = 4;
    /// Beyond the languages of [`program`](super::program): a command.
    pub const COMMAND: u32 = 4;
    /// Beyond them: code that cannot be looked into.
    pub const CODE: u32 = 5;
    /// Beyond them: the program's standard input.
    pub const STDIN: u32 = 6;
    /// Beyond them: words that stand in its place.
    pub const WORDS: u32 = 7;
    /// It changes nothing that a rule could care about, if its value is among those listed or none are.
    pub const HARMLESS: u32 = 1 << 8;
    /// It makes the program write to a file.
    pub const WRITES: u32 = 1 << 9;
    /// Its value is the program's placeholder.
    pub const PLACEHOLDER: u32 = 1 << 10;
    /// Its value is the folder of the command and of what that runs; what it runs itself may run in any folder.
    pub const MOVES: u32 = 1 << 11;
    /// Its name is the beginning of another name that the same option has.
    pub const BEGINNING: u32 = 1 << 12;
}

/// The flags of [`Section::Capabilities`].
pub mod capability {
    /// It changes nothing.
    pub const READ: u32 = 1;
    /// An attribute of requests, which never restricts.
    pub const CLAIM: u32 = 1 << 1;
    /// No policy file declares it: its source, line and column mean nothing.
    pub const UNDECLARED: u32 = 1 << 2;
}

/// The flags of [`Section::Tools`], below the source.
pub mod tool {
    /// What it costs, in the lowest two bits: 0 if nothing is said, else 1 for low, 2 for medium, 3 for high.
    pub const COST: u32 = 3;
    /// Neither approvals nor grants discharge what it asks.
    pub const LOCKED: u32 = 1 << 4;
    /// Running it again changes nothing more.
    pub const IDEMPOTENT: u32 = 1 << 5;
}

/// The roles and flags of [`Section::ToolParameters`].
pub mod parameter {
    /// The role, in the lowest four bits: its place in [`Role::ALL`](crate::Role::ALL).
    pub const ROLE: u32 = 15;
    /// It may be left out.
    pub const OPTIONAL: u32 = 1 << 4;
}

/// The kinds of [`Section::Pieces`].
pub mod piece {
    /// The text itself.
    pub const LITERAL: u32 = 0;
    /// The value of the parameter of this name.
    pub const PARAMETER: u32 = 1;
    /// The target of the call; no text.
    pub const TARGET: u32 = 2;
}
