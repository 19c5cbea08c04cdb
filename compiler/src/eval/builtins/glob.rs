//! `glob`: the words that a pattern describes from end to end.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;

use super::super::call::{Call, Positional, Signature};
use super::super::matcher::MatcherValue;
use crate::check::invalid_glob;
use crate::rules::Matcher;

pub(super) static SIGNATURE: Signature =
    Signature { builtin: "glob", parameters: &["pattern"], positional: Positional::All, required: 1 };

const PATTERN: usize = 0;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// The words that `pattern` describes: `*` is any characters, `?` is one, `[a-z]` is one of these.
    fn glob<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<MatcherValue> {
        let mut call = Call::giving(&SIGNATURE, arguments, eval)?;
        let given = call.string(PATTERN).unwrap_or_default();
        if call.is_given(PATTERN)
            && let Err((problem, range)) = invalid_glob::glob(given)
            && call.is_sound()
        {
            let parameter = call.parameter(PATTERN);
            let part = call.part(&[parameter]);
            let site = call.inside(&part, given, range.clone());
            let whole = part.literal.then_some(part.site.span);
            call.mistake(invalid_glob::diagnostic(&site, "glob", given, (problem, range), whole));
        }
        call.give(MatcherValue(Matcher::Glob(given.to_owned())), eval)
    }
}
