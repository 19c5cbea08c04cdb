//! `default_decision`: what it means that no rule matches.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::none::NoneType;

use super::super::call::{Call, Positional, Signature};
use super::super::recorder::Declaration;
use super::judgement;
use crate::check::broad_default;
use crate::rules::{Decision, Declarations, DefaultDecision};

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "default_decision",
    parameters: &["decision", "justification"],
    positional: Positional::All,
    required: 1,
};

const DECISION: usize = 0;
const JUSTIFICATION: usize = 1;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says what it means that no rule matches.
    fn default_decision<'v>(
        arguments: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let decision = judgement::decision(&mut call, DECISION, false);
        if decision == Some(Decision::Allow) {
            let parameter = call.parameter(DECISION);
            let part = call.part(&[parameter]);
            call.mistake(broad_default::diagnostic(&part.site, part.literal));
        }
        let decision = decision.unwrap_or(Decision::Forbidden);
        // `None` is what is said to be the default.
        let reasoned = call.value(JUSTIFICATION).is_some_and(|value| !value.is_none());
        let justification = if reasoned { judgement::justification(&mut call, JUSTIFICATION) } else { None };
        call.finish(DECISION, |origin| DefaultDecision { decision, justification, origin })
    }
}

impl Declaration for DefaultDecision {
    fn words(&self) -> impl Iterator<Item = &String> {
        self.justification.iter()
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.default_decisions.push(self);
    }
}
