//! What was meant by the declarations of effects: capabilities, what commands and tools do, facts, profiles, grants.

use super::{Decision, Element, Origin, PrefixRule};

pub use policyc_runtime::{Cost, Role};

/// The effect of what nothing covers. It is there wherever there are effects, declared or not, and no profile lists it.
pub const UNKNOWN_PROCESS: &str = "command.unknown_process";

/// The effect of a command that an allow rule covers.
pub const LISTED: &str = "command.listed";

/// The effect of a redirect that writes a file.
pub const WRITE_WORKSPACE: &str = "command.write_workspace";

/// How long a grant may last at most, in seconds: seven days.
pub const LONGEST_GRANT: u32 = 7 * 24 * 60 * 60;

/// One call of `capability`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capability {
    /// Its name: lower-case words with dots between them.
    pub name: String,
    /// Whether it changes nothing.
    pub read: bool,
    /// Whether it is an attribute of requests that never restricts.
    pub claim: bool,
    /// The call.
    pub origin: Origin,
}

/// One call of `command`: what the commands do that it describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Which commands these are: those that such a rule matches. It decides nothing.
    pub rule: PrefixRule,
    /// The names of what they do; at least one.
    pub effects: Vec<String>,
    /// How many operands stand before those that are paths, which must lie in the workspace.
    pub paths_from: Option<u32>,
}

/// One call of `tool`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name: a word, or `server/tool`.
    pub name: String,
    /// The names of what a call does; at least one.
    pub effects: Vec<String>,
    /// What a call is given, in order.
    pub parameters: Vec<Parameter>,
    /// The parameter whose value is the target.
    pub target: Option<String>,
    /// The command that it runs; empty for none.
    pub argv: Vec<Piece>,
    /// The names of what a call claims.
    pub claims: Vec<String>,
    /// Whether neither approvals nor grants discharge what it asks.
    pub locked: bool,
    /// Whether calling it again changes nothing more.
    pub idempotent: bool,
    /// How many seconds a call may take; never 0.
    pub timeout: Option<u32>,
    /// What a call costs.
    pub cost: Option<Cost>,
    /// The call.
    pub origin: Origin,
}

/// A parameter of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name: a key of the call's arguments.
    pub name: String,
    /// What its value is.
    pub role: Role,
    /// Whether a call may leave it out.
    pub optional: bool,
}

/// A word of the command that a tool runs, or a piece of a fact.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// The text itself.
    Literal(String),
    /// The value of the parameter of this name.
    Parameter(String),
    /// The target of the call; in facts only.
    Target,
}

/// One call of `requires`: a fact that must hold before what has these effects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The names of the effects; at least one.
    pub effects: Vec<String>,
    /// The fact; never blank.
    pub fact: Vec<Piece>,
    /// The names of the claims that exempt from it.
    pub unless: Vec<String>,
    /// The call.
    pub origin: Origin,
}

/// One call of `profile`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// The names of the effects that it allows.
    pub allow: Vec<String>,
    /// The names of the effects that it asks about.
    pub prompt: Vec<String>,
    /// The names of the tools that it offers, item by item.
    pub tools: Vec<Element>,
    /// The call.
    pub origin: Origin,
}

/// One call of `tool_rule`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRule {
    /// The names of the tools that it is about.
    pub tool: Element,
    /// What a call must be given.
    pub arguments: Vec<Argument>,
    /// What the rule says of a call that it matches.
    pub decision: Decision,
    /// Why; never blank.
    pub justification: Option<String>,
    /// Calls that it is not about.
    pub unless: Vec<ToolException>,
    /// Calls that the rule must match.
    pub examples: Vec<ToolCall>,
    /// Calls that the rule must not match.
    pub counterexamples: Vec<ToolCall>,
    /// The call.
    pub origin: Origin,
}

/// What an argument of a tool call must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Where it stands among the arguments: a JSON pointer.
    pub pointer: String,
    /// What may stand there.
    pub element: Element,
}

/// Calls that a rule is not about: those of one of these tools, or those that are given this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolException {
    /// Calls of these tools.
    Tool(Element),
    /// Calls with these arguments.
    Arguments(Vec<Argument>),
}

/// A tool call, as an example or a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The tool's name.
    pub tool: String,
    /// Its arguments: the text of a JSON object, keys sorted.
    pub arguments: String,
}

/// One call of `grants`: limits of temporary authority. Of several, the tightest holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grants {
    /// How many seconds a grant may last: at most [`LONGEST_GRANT`].
    pub max_ttl: u32,
    /// How many may be asked for and not answered.
    pub max_open: Option<u32>,
    /// The names of components, which never decide.
    pub reserved: Vec<String>,
    /// The call.
    pub origin: Origin,
}
