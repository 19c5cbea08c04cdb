//! What was meant: the declarations of a policy, as plain data.

pub use policyc_runtime::Decision;

use crate::source::{SourceFile, Span};

/// What running one file declared, each kind in order of definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// Every `prefix_rule`.
    pub prefix_rules: Vec<PrefixRule>,
    /// Every `host_executable`; the last for a name wins.
    pub host_executables: Vec<HostExecutable>,
    /// Every `network_rule`.
    pub network_rules: Vec<NetworkRule>,
}

/// One call of `prefix_rule`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrefixRule {
    /// At least one element.
    pub pattern: Vec<Element>,
    /// What the rule says of a command that it matches.
    pub decision: Decision,
    /// Why, in the author's words; never blank.
    pub justification: Option<String>,
    /// Whether words are compared under Unicode canonical caseless matching.
    pub canonical_matching: bool,
    /// Commands that the rule must match.
    pub examples: Vec<Example>,
    /// Commands that the rule must not match.
    pub counterexamples: Vec<Example>,
    /// The call that made the rule.
    pub origin: Origin,
}

/// One place of a pattern: the words that may stand there. Never empty; one word for a plain element.
/// In the first element the order and repetitions count (one rule a head); in later ones they do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The alternatives.
    pub words: Vec<String>,
}

/// A command given with a rule to prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The words of the command; at least one.
    pub words: Vec<String>,
}

/// One call of `host_executable`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostExecutable {
    /// The bare name.
    pub name: String,
    /// The absolute paths that may stand for it, as written.
    pub paths: Vec<String>,
    /// The call.
    pub origin: Origin,
}

/// One call of `network_rule`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkRule {
    /// The host, normalised: lower case, no port, no brackets, no trailing dot.
    pub host: String,
    /// How the host is reached.
    pub protocol: Protocol,
    /// What the rule says.
    pub decision: Decision,
    /// Why; never blank.
    pub justification: Option<String>,
    /// The call.
    pub origin: Origin,
}

pub use policyc_runtime::Protocol;

/// Where a declaration was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file that holds the call.
    pub file: SourceFile,
    /// The call, from the name of the builtin to its closing parenthesis.
    pub span: Span,
    /// How the run came there, outermost first: the calls of functions that led to `span`; empty at top level.
    pub stack: Vec<Frame>,
}

/// A call on the way to a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function that was called.
    pub function: String,
    /// The file that holds the call.
    pub file: SourceFile,
    /// The call.
    pub span: Span,
}
