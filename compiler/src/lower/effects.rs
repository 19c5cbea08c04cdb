//! What requests do, as rows of the table's sections: capabilities become bits, lists of them masks.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use policyc_runtime::format::{MOST_CAPABILITIES, NONE, capability, parameter, tool};

use super::RuleSet;
use super::intern::{Numbers, number};
use super::trie::Trie;
use crate::rules::effects::{
    Argument, Cost, Grants, LISTED, Piece, Profile, Requirement, Role, Tool, ToolException, ToolRule, UNKNOWN_PROCESS,
    WRITE_WORKSPACE,
};
use crate::rules::{Element, Origin};

/// The rows; what they name of patterns is in the trie.
#[derive(Default)]
pub(super) struct Effects<'a> {
    /// Name, flags, and the declaration if there is one.
    pub(super) capabilities: Vec<(&'a str, u32, Option<&'a Origin>)>,
    pub(super) vocabulary: Option<[u32; 5]>,
    pub(super) masks: Numbers<u128>,
    /// The mask of each row of commands, and how many operands stand before its paths.
    pub(super) rows: Vec<[u32; 2]>,
    pub(super) tools: Vec<LoweredTool<'a>>,
    /// Name and flags.
    pub(super) parameters: Vec<(&'a str, u32)>,
    pub(super) pieces: Vec<&'a Piece>,
    /// Masks of effects and of claims, first piece and number of pieces.
    pub(super) requirements: Vec<(&'a Requirement, [u32; 4])>,
    /// Masks of what is allowed and asked about, and the names of tools.
    pub(super) profiles: Vec<(&'a Profile, [u32; 3])>,
    /// Names of tools, first argument and number, first exception and number.
    pub(super) tool_rules: Vec<(&'a ToolRule, [u32; 5])>,
    pub(super) arguments: Vec<(&'a str, u32)>,
    pub(super) exceptions: Vec<[u32; 3]>,
    /// The names that never decide.
    pub(super) grants: Vec<(&'a Grants, u32)>,
    bits: HashMap<&'a str, u32>,
}

/// A tool with its places in other sections.
pub(super) struct LoweredTool<'a> {
    pub(super) tool: &'a Tool,
    pub(super) flags: u32,
    pub(super) effects: u32,
    pub(super) claims: u32,
    pub(super) parameters: [u32; 2],
    pub(super) target: u32,
    pub(super) pieces: [u32; 2],
}

impl<'a> Effects<'a> {
    pub(super) fn new(trie: &mut Trie<'a>, rules: &RuleSet<'a>) -> Self {
        let mut effects = Self::default();
        effects.vocabulary(rules);
        for command in trie.commands.clone() {
            let mask = effects.mask(&command.effects);
            effects.rows.push([mask, command.paths_from.unwrap_or(NONE)]);
        }
        // Of several of one name, which is an error, the first.
        let tools: BTreeMap<&str, &'a Tool> =
            rules.tools.iter().rev().map(|tool| (tool.name.as_str(), *tool)).collect();
        for tool in tools.into_values() {
            effects.tool(tool);
        }
        for requirement in &rules.requirements {
            let masks = [effects.mask(&requirement.effects), effects.mask(&requirement.unless)];
            let [first, pieces] = effects.pieces(&requirement.fact);
            let [mask, unless] = masks;
            effects.requirements.push((requirement, [mask, unless, first, pieces]));
        }
        let profiles: BTreeMap<&str, &'a Profile> =
            rules.profiles.iter().rev().map(|profile| (profile.name.as_str(), *profile)).collect();
        for profile in profiles.into_values() {
            let tools = one(trie, profile.tools.iter());
            effects.profile(profile, tools);
        }
        for rule in &rules.tool_rules {
            effects.tool_rule(trie, rule);
        }
        for grants in &rules.grants {
            let reserved: Vec<u32> =
                grants.reserved.iter().map(|name| trie.words.number(Cow::Borrowed(name.as_str()))).collect();
            let reserved = if reserved.is_empty() { NONE } else { trie.add_elements(&[reserved]) };
            effects.grants.push((grants, reserved));
        }
        effects
    }

    /// Gives each capability its bit. What is unknown has one wherever there are effects.
    fn vocabulary(&mut self, rules: &RuleSet<'a>) {
        let used = !rules.commands.is_empty()
            || !rules.tools.is_empty()
            || !rules.profiles.is_empty()
            || !rules.requirements.is_empty();
        if rules.capabilities.is_empty() && !used {
            return;
        }
        for declared in &rules.capabilities {
            let flags = if declared.claim {
                capability::CLAIM
            } else if declared.read {
                capability::READ
            } else {
                0
            };
            self.capability(&declared.name, flags, Some(&declared.origin));
        }
        // Bits are given in order of definition, and one is left for it.
        let unknown = self.capability(UNKNOWN_PROCESS, capability::UNDECLARED, None);
        let role = |name| self.bits.get(name).copied().unwrap_or(NONE);
        let (listed, write_workspace) = (role(LISTED), role(WRITE_WORKSPACE));
        let of = |wanted: fn(u32) -> bool| {
            let bits = (0..).zip(&self.capabilities).filter(|(_, (_, flags, _))| wanted(*flags));
            bits.fold(0_u128, |mask, (bit, _)| mask | 1 << bit)
        };
        let writes = of(|flags| flags & (capability::READ | capability::CLAIM) == 0);
        let claims = of(|flags| flags & capability::CLAIM != 0);
        let (writes, claims) = (self.masks.number(writes), self.masks.number(claims));
        self.vocabulary = Some([unknown, listed, write_workspace, writes, claims]);
    }

    /// The bit of a capability. There are none for more than a mask has bits, which is an error.
    fn capability(&mut self, name: &'a str, flags: u32, origin: Option<&'a Origin>) -> u32 {
        if let Some(known) = self.bits.get(name) {
            return *known;
        }
        if self.capabilities.len() >= MOST_CAPABILITIES {
            return 0;
        }
        let bit = number(self.capabilities.len());
        self.capabilities.push((name, flags, origin));
        self.bits.insert(name, bit);
        bit
    }

    /// The mask of capabilities by their names; what is not known, which is an error, has no bit.
    fn mask(&mut self, names: &[String]) -> u32 {
        let bits = names.iter().filter_map(|name| self.bits.get(name.as_str()));
        let mask = bits.fold(0_u128, |mask, bit| mask | 1 << bit);
        self.masks.number(mask)
    }

    fn pieces(&mut self, pieces: &'a [Piece]) -> [u32; 2] {
        let first = number(self.pieces.len());
        self.pieces.extend(pieces);
        [first, number(pieces.len())]
    }

    fn tool(&mut self, declared: &'a Tool) {
        let cost = declared.cost.and_then(|cost| Cost::ALL.iter().position(|other| *other == cost));
        let flags = [(declared.locked, tool::LOCKED), (declared.idempotent, tool::IDEMPOTENT)];
        let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag).sum::<u32>();
        let parameters = [number(self.parameters.len()), number(declared.parameters.len())];
        for declared in &declared.parameters {
            let role = Role::ALL.iter().position(|role| *role == declared.role).unwrap_or_default();
            let optional = if declared.optional { parameter::OPTIONAL } else { 0 };
            self.parameters.push((&declared.name, number(role) | optional));
        }
        let target = declared.target.as_ref();
        let target = target.and_then(|target| declared.parameters.iter().position(|it| it.name == *target));
        let lowered = LoweredTool {
            tool: declared,
            flags: flags | cost.map_or(0, |place| number(place) + 1),
            effects: self.mask(&declared.effects),
            claims: self.mask(&declared.claims),
            parameters,
            target: target.map_or(NONE, number),
            pieces: self.pieces(&declared.argv),
        };
        self.tools.push(lowered);
    }

    fn profile(&mut self, profile: &'a Profile, tools: u32) {
        let (allow, prompt) = (self.mask(&profile.allow), self.mask(&profile.prompt));
        self.profiles.push((profile, [allow, prompt, tools]));
    }

    fn tool_rule(&mut self, trie: &mut Trie<'a>, rule: &'a ToolRule) {
        let [argument, arguments] = self.arguments(trie, &rule.arguments);
        let first = number(self.exceptions.len());
        for exception in &rule.unless {
            let exception = match exception {
                ToolException::Tool(tool) => [one(trie, [tool]), 0, 0],
                ToolException::Arguments(arguments) => {
                    let [argument, arguments] = self.arguments(trie, arguments);
                    [NONE, argument, arguments]
                }
            };
            self.exceptions.push(exception);
        }
        let tool = one(trie, [&rule.tool]);
        self.tool_rules.push((rule, [tool, argument, arguments, first, number(rule.unless.len())]));
    }

    fn arguments(&mut self, trie: &mut Trie<'a>, arguments: &'a [Argument]) -> [u32; 2] {
        let first = number(self.arguments.len());
        for argument in arguments {
            self.arguments.push((&argument.pointer, one(trie, [&argument.element])));
        }
        [first, number(arguments.len())]
    }
}

/// One element of all alternatives of these.
fn one<'a>(trie: &mut Trie<'a>, elements: impl IntoIterator<Item = &'a Element>) -> u32 {
    let terms: Vec<u32> = elements.into_iter().flat_map(|element| trie.alternatives(element, false)).collect();
    if terms.is_empty() { NONE } else { trie.add_elements(&[terms]) }
}
