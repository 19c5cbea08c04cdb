//! An account of a decision over effects: what a request does, where that comes from, and what each part of it decides.

use alloc::string::String;
use alloc::vec::Vec;

use crate::declarations::{DefaultDecision, NetworkRule, Rule};
use crate::effects::{Capability, CommandRow, Effects, Profile, Requirement};
use crate::host::HostProblem;
use crate::jail::PathProblem;
use crate::json::JsonProblem;
use crate::tools::{Role, Tool, ToolRule};
use crate::{Decision, Protocol};

/// What a request does, and why it is decided so.
#[non_exhaustive]
pub struct Account<'a> {
    /// The decision.
    pub decision: Option<Decision>,
    /// The decision without approval and grants.
    pub undischarged: Option<Decision>,
    /// The profile that it is judged under.
    pub profile: Option<Profile<'a>>,
    /// What it does.
    pub effects: Effects,
    /// What it claims.
    pub claims: Effects,
    /// Where each effect comes from.
    pub sources: Vec<EffectSource<'a>>,
    /// The tool that is called, if the table has it.
    pub tool: Option<Tool<'a>>,
    /// What it is done to: the value of a tool's target parameter, of an address only its host.
    pub target: Option<String>,
    /// The command that a tool runs.
    pub command: Vec<String>,
    /// All that decides, in no particular order; nothing of it allows.
    pub causes: Vec<Cause<'a>>,
    /// The facts that its effects require.
    pub facts: Vec<FactState<'a>>,
    /// The rules for tool calls that match.
    pub tool_rules: Vec<ToolRule<'a>>,
    /// The rules for the destination that match.
    pub network_rules: Vec<NetworkRule<'a>>,
    /// What has turned the prompt into an allow.
    pub discharged: Option<Discharged>,
    /// What would, if it is a prompt still.
    pub discharge: Vec<Discharge>,
}

/// Why a request has an effect.
#[derive(Clone)]
pub struct EffectSource<'a> {
    /// The number of the effect.
    pub effect: u32,
    /// The simple command that has it, by its place among [`Answers::commands`](crate::Answers::commands).
    pub command: Option<usize>,
    /// What says so.
    pub origin: EffectOrigin<'a>,
}

/// What says that there is an effect.
#[derive(Clone)]
pub enum EffectOrigin<'a> {
    /// A row of what commands do.
    Row(CommandRow<'a>),
    /// A rule that allows a command which no row covers.
    Allowed,
    /// Output into a file, as written.
    Redirect(String),
    /// Nothing certain covers a command.
    Uncovered,
    /// The declaration of a tool.
    Tool,
    /// It reaches a host.
    Destination,
}

/// What decides otherwise than to allow.
#[derive(Clone)]
#[non_exhaustive]
pub enum Cause<'a> {
    /// What the profile says of an effect.
    Effect {
        /// The effect.
        capability: Capability<'a>,
        /// Prompt or forbidden.
        decision: Decision,
    },
    /// Nothing may be changed, and this effect does.
    ReadOnly {
        /// The effect.
        capability: Capability<'a>,
    },
    /// A fact does not hold.
    Fact {
        /// The fact, with the values of the call.
        fact: String,
        /// What requires it.
        requirement: Requirement<'a>,
    },
    /// A rule for commands, or what is in doubt about them: [`Answers`](crate::Answers) says more.
    Rule {
        /// The rule; nothing if it is a doubt.
        rule: Option<Rule<'a>>,
        /// Prompt or forbidden.
        decision: Decision,
    },
    /// A rule for tool calls.
    ToolRule(ToolRule<'a>),
    /// A rule for the host that a request reaches.
    NetworkRule(NetworkRule<'a>),
    /// What the policy says no match means.
    Default(DefaultDecision<'a>),
    /// The request, or what it is judged under, breaks a declaration.
    Refusal(Refusal<'a>),
}

impl Cause<'_> {
    /// Prompt or forbidden.
    #[must_use]
    pub fn decision(&self) -> Decision {
        match self {
            Self::Effect { decision, .. } | Self::Rule { decision, .. } => *decision,
            Self::ToolRule(rule) => rule.decision(),
            Self::NetworkRule(rule) => rule.decision(),
            Self::Default(default) => default.decision(),
            Self::ReadOnly { .. } | Self::Fact { .. } | Self::Refusal(_) => Decision::Forbidden,
        }
    }
}

/// What is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal<'a> {
    /// The table has no profile of this name.
    UnknownProfile(String),
    /// The table says of no request what it does, so that it changes something for all that is known.
    NoEffects,
    /// The table has no tool of this name.
    UnknownTool(String),
    /// The profile does not offer the tool.
    Unoffered(String),
    /// The name of the tool is not that of a tool: a word, or `server/tool`.
    ToolName(String),
    /// The arguments are not those of any call.
    Arguments(JsonProblem),
    /// The tool has no parameter of this name.
    UnknownParameter(String),
    /// The call lacks a parameter.
    Missing(&'a str),
    /// The value of a parameter is of another type.
    Type {
        /// The parameter.
        parameter: &'a str,
        /// What its value is.
        role: Role,
    },
    /// The value of a parameter is not such a path.
    Path {
        /// The parameter.
        parameter: &'a str,
        /// What is wrong with it.
        problem: PathProblem,
    },
    /// The value of a parameter names no host.
    Host {
        /// The parameter.
        parameter: &'a str,
        /// What is wrong with it.
        problem: HostProblem,
    },
    /// The value of a parameter names no unit.
    Unit(&'a str),
    /// The value of a parameter would be taken for an option, or could not be a word of the command that the tool runs.
    Word(&'a str),
    /// The request says another target than its parameters.
    Target(String),
    /// A destination is reached through no protocol of this name.
    Protocol(String),
    /// A destination names no host.
    Destination(HostProblem),
    /// The approval is about another request.
    ApprovalOfAnother,
    /// The approval has no reason.
    ApprovalWithoutReason,
    /// The approval is by nobody, or by a component, which never decides.
    ApprovalBy(String),
}

impl core::fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::UnknownProfile(name) => write!(f, "there is no profile `{name}`"),
            Self::NoEffects => f.write_str("the policy says of no request what it does"),
            Self::UnknownTool(name) => write!(f, "there is no tool `{name}`"),
            Self::Unoffered(name) => write!(f, "the profile does not offer the tool `{name}`"),
            Self::ToolName(name) => write!(f, "`{name}` is not the name of a tool"),
            Self::Arguments(problem) => write!(f, "the arguments cannot be read: {problem}"),
            Self::UnknownParameter(name) => write!(f, "the tool has no parameter `{name}`"),
            Self::Missing(name) => write!(f, "the call lacks the parameter `{name}`"),
            Self::Type { parameter, role } => {
                write!(f, "the parameter `{parameter}` takes a value of the kind `{}`", role.name())
            }
            Self::Path { parameter, problem } => write!(f, "the parameter `{parameter}`: {problem}"),
            Self::Host { parameter, problem } => write!(f, "the parameter `{parameter}`: {problem}"),
            Self::Unit(parameter) => write!(f, "the parameter `{parameter}` names no unit"),
            Self::Word(parameter) => {
                write!(f, "the parameter `{parameter}` cannot be a word of the command that the tool runs")
            }
            Self::Target(given) => write!(f, "`{given}` is not the target that the parameters name"),
            Self::Protocol(name) => write!(f, "there is no protocol `{name}`"),
            Self::Destination(problem) => write!(f, "the destination: {problem}"),
            Self::ApprovalOfAnother => f.write_str("the approval is about another request"),
            Self::ApprovalWithoutReason => f.write_str("the approval has no reason"),
            Self::ApprovalBy(by) => write!(f, "`{by}` may not approve of anything"),
        }
    }
}

/// What became of a fact that some effect requires.
#[derive(Clone)]
pub struct FactState<'a> {
    /// What requires it.
    pub requirement: Requirement<'a>,
    /// Whether it holds; nothing where a claim exempts from it.
    pub holds: Option<bool>,
}

/// What has turned a prompt into an allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discharged {
    /// The approval.
    Approval,
    /// These grants, by their places: the first that fits each effect.
    Grants(u64),
}

/// What would turn a prompt into an allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Discharge {
    /// An approval of this request.
    Approval,
    /// A grant for each effect that is asked about.
    Grants,
    /// A restrictive rule or a doubt asks, so that grants do not help, and the tool is locked, so that nothing does.
    Nothing,
}

/// How a destination is reached, and which host.
pub(crate) type Destination = (Option<Protocol>, String);
