//! `any_word`: every word.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;

use super::super::call::{Call, Positional, Signature};
use super::super::matcher::MatcherValue;
use crate::rules::Matcher;

pub(super) static SIGNATURE: Signature =
    Signature { builtin: "any_word", parameters: &[], positional: Positional::All, required: 0 };

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Every word.
    fn any_word<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<MatcherValue> {
        Call::giving(&SIGNATURE, arguments, eval)?.give(MatcherValue(Matcher::AnyWord), eval)
    }
}
