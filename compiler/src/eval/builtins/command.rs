//! `command`: what commands do.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::none::NoneType;

use super::super::call::{Call, Positional, Signature};
use super::super::recorder::Declaration;
use super::conditions::{contradictions, groups};
use super::elements::Kinds;
use super::names;
use super::prefix_rule::{examples, pattern};
use crate::check::invalid_condition;
use crate::rules::effects::Command;
use crate::rules::{Conditions, Decision, Declarations, PrefixRule};

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "command",
    parameters: &["pattern", "effects", "having", "without", "match", "not_match", "paths_from"],
    positional: Positional::First(2),
    required: 2,
};

const PATTERN: usize = 0;
const EFFECTS: usize = 1;
const HAVING: usize = 2;
const WITHOUT: usize = 3;
const MATCH: usize = 4;
const NOT_MATCH: usize = 5;
const PATHS_FROM: usize = 6;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says what the commands do that begin like `pattern`.
    fn command<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let pattern = pattern(&mut call, Kinds::All);
        let effects = names::effects(&mut call, EFFECTS, "command");
        let conditions = Conditions {
            having: groups(&mut call, HAVING, Kinds::All),
            without: groups(&mut call, WITHOUT, Kinds::All),
            ..Conditions::default()
        };
        let paths_from = call.number(PATHS_FROM, 0, invalid_condition::paths_from);
        let proofs = examples(&mut call, MATCH, &pattern);
        let counterproofs = examples(&mut call, NOT_MATCH, &pattern);
        if call.is_sound() {
            contradictions(&mut call, WITHOUT, &conditions);
        }
        call.finish(PATTERN, |origin| Command {
            rule: PrefixRule {
                pattern,
                decision: Decision::Allow,
                justification: None,
                canonical_matching: false,
                examples: proofs,
                counterexamples: counterproofs,
                conditions,
                origin,
            },
            effects,
            paths_from,
        })
    }
}

impl Declaration for Command {
    fn words(&self) -> impl Iterator<Item = &String> {
        self.rule.words().chain(&self.effects)
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.commands.push(self);
    }
}
