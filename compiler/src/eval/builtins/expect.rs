//! `expect`: what the whole policy set must answer.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::dict::DictRef;
use starlark::values::list::ListRef;
use starlark::values::none::NoneType;

use super::super::call::{Call, Positional, Signature};
use super::super::recorder::Declaration;
use super::strings::strings;
use super::{judgement, tool_call};
use crate::check::{empty_example, unknown_decision};
use crate::rules::{Declarations, Expectation, Request};

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "expect",
    parameters: &["request", "decision", "profile"],
    positional: Positional::First(2),
    required: 2,
};

const REQUEST: usize = 0;
const DECISION: usize = 1;
const PROFILE: usize = 2;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says what the whole policy set must answer to `request`.
    fn expect<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let request = request(&mut call).unwrap_or_else(|| Request::Text(String::new()));
        if call.value(DECISION).and_then(|value| value.unpack_str()).is_some_and(unknown_decision::is_none) {
            let part = call.part(&[call.parameter(DECISION)]);
            call.mistake(unknown_decision::none(&part.site, part.literal));
            return call.finish(REQUEST, |origin| Expectation { request, decision: None, profile: None, origin });
        }
        let decides = call.value(DECISION).is_some_and(|value| !value.is_none());
        let decision = if decides { judgement::decision(&mut call, DECISION, false) } else { None };
        let profile = call.optional_string(PROFILE).map(str::to_owned);
        call.finish(REQUEST, |origin| Expectation { request, decision, profile, origin })
    }
}

impl Declaration for Expectation {
    fn words(&self) -> impl Iterator<Item = &String> {
        let (words, arguments) = match &self.request {
            Request::Text(text) | Request::Network(_, text) => (std::slice::from_ref(text), None),
            Request::Command(words) => (words.as_slice(), None),
            Request::Tool(call) => (std::slice::from_ref(&call.tool), Some(&call.arguments)),
        };
        words.iter().chain(arguments).chain(&self.profile)
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.expectations.push(self);
    }
}

/// What is asked: text with something in it, words of which there is one, or a dict of another request.
fn request(call: &mut Call<'_, '_>) -> Option<Request> {
    let value = call.value(REQUEST)?;
    if let Some(text) = value.unpack_str() {
        if text.trim().is_empty() {
            let site = call.site(REQUEST);
            call.mistake(empty_example::request(&site));
        }
        return Some(Request::Text(text.to_owned()));
    }
    if let Some(dict) = DictRef::from_value(value) {
        let way = call.parameter(REQUEST);
        return tool_call::request(call, &[way], "request", dict);
    }
    let Some(words) = ListRef::from_value(value) else {
        call.wrong_type(REQUEST, "a string, a list or a dict");
        return None;
    };
    if words.is_empty() {
        let site = call.site(REQUEST);
        call.mistake(empty_example::request(&site));
    }
    let check = |_: &str| Ok::<(), std::convert::Infallible>(());
    let what = ("a word of `request`", false);
    Some(Request::Command(strings(call, REQUEST, words.content(), what, check, |_, _, _, never| match never {})))
}
