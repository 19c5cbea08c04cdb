//! Declarations → trie → the bytes of a decision table. Same declarations in, same bytes out, on every machine.

mod conditions;
mod emit;
mod intern;
mod programs;
mod slots;
mod trie;

use crate::rules::{DefaultDecision, HostExecutable, InertEnv, NetworkRule, Origin, PrefixRule, Program};
use crate::source::Position;

/// What a table is made of, each kind in order of definition.
#[derive(Clone, Debug)]
pub struct RuleSet<'a> {
    /// Every `prefix_rule`.
    pub prefix_rules: Vec<&'a PrefixRule>,
    /// Every `host_executable`; the last for a name wins.
    pub host_executables: Vec<&'a HostExecutable>,
    /// Every `network_rule`.
    pub network_rules: Vec<&'a NetworkRule>,
    /// Every `program`; the last for a path wins.
    pub programs: Vec<&'a Program>,
    /// Every `inert_env`.
    pub inert_env: Vec<&'a InertEnv>,
    /// Every `default_decision`; the strictest wins.
    pub default_decisions: Vec<&'a DefaultDecision>,
    /// The layers that places name; there is at least one.
    pub layers: Vec<Layer<'a>>,
}

/// A layer of the policy set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer<'a> {
    /// Its name; empty for the only one.
    pub name: &'a str,
    /// Whether it may allow.
    pub trusted: bool,
}

impl Layer<'_> {
    /// The only layer of a set without layers.
    pub const ONLY: Self = Self { name: "", trusted: true };
}

/// Where a declaration stands, as the table tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The label of the file.
    pub file: &'a str,
    /// The start of the call.
    pub position: Position,
    /// The layer of the file, by its place in [`RuleSet::layers`].
    pub layer: u32,
}

impl Default for RuleSet<'_> {
    fn default() -> Self {
        Self {
            prefix_rules: Vec::new(),
            host_executables: Vec::new(),
            network_rules: Vec::new(),
            programs: Vec::new(),
            inert_env: Vec::new(),
            default_decisions: Vec::new(),
            layers: vec![Layer::ONLY],
        }
    }
}

/// The decision table of a rule set: its size is linear in the text of the rules, whatever their alternatives.
pub fn lower<'a>(rules: &RuleSet<'a>, place: impl Fn(&Origin) -> Place<'a>) -> Vec<u8> {
    emit::emit(rules, place)
}
