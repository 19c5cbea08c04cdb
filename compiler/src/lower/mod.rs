//! Declarations → trie → the bytes of a decision table. Same declarations in, same bytes out, on every machine.

mod conditions;
mod effects;
mod emit;
mod intern;
mod programs;
mod prepared;
mod slots;
mod trie;

pub use prepared::Prepared;

use crate::rules::effects::{Capability, Command, Grants, Profile, Requirement, Tool, ToolRule};
use crate::rules::{DefaultDecision, HostExecutable, InertEnv, NetworkRule, Origin, PrefixRule, Program};
use crate::source::{Layer, Position};

/// What a table is made of, each kind in order of definition.
#[derive(Clone, Debug, Default)]
pub struct RuleSet<'a> {
    /// Every `prefix_rule`.
    pub prefix_rules: Vec<&'a PrefixRule>,
    /// Every `host_executable`; the last for a name wins.
    pub host_executables: Vec<&'a HostExecutable>,
    /// Every `network_rule`.
    pub network_rules: Vec<&'a NetworkRule>,
    /// Every `program`; the last for a path counts, with what it inherits.
    pub programs: Vec<&'a Program>,
    /// Every `inert_env`.
    pub inert_env: Vec<&'a InertEnv>,
    /// Every `default_decision`; the strictest wins.
    pub default_decisions: Vec<&'a DefaultDecision>,
    /// Every `capability`.
    pub capabilities: Vec<&'a Capability>,
    /// Every `command`.
    pub commands: Vec<&'a Command>,
    /// Every `tool`.
    pub tools: Vec<&'a Tool>,
    /// Every `requires`.
    pub requirements: Vec<&'a Requirement>,
    /// Every `profile`.
    pub profiles: Vec<&'a Profile>,
    /// Every `tool_rule`.
    pub tool_rules: Vec<&'a ToolRule>,
    /// Every `grants`; the tightest limit of each kind holds.
    pub grants: Vec<&'a Grants>,
    /// What is known of programs and variables, in place of the declarations of both.
    pub prepared: Option<&'a Prepared>,
    /// The layers that places name; none for one trusted layer without a name.
    pub layers: &'a [Layer],
}

/// Where a declaration stands, as the table tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The label of the file.
    pub file: &'a str,
    /// The start of the call.
    pub position: Position,
    /// The layer of the file, by its place in [`RuleSet::layers`].
    pub layer: usize,
}

/// The decision table of a rule set: its size is linear in the text of the rules, whatever their alternatives.
pub fn lower<'a>(rules: &RuleSet<'a>, place: impl Fn(&Origin) -> Place<'a>) -> Vec<u8> {
    emit::emit(rules, place)
}
