//! `tool_rule`: what is to be done with calls of tools, declared or not.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::dict::DictRef;
use starlark::values::none::NoneType;

use super::super::call::{Call, Positional, Signature};
use super::super::recorder::Declaration;
use super::super::value::kind;
use super::arguments::{arguments, tool};
use super::elements::steps;
use super::{judgement, tool_call};
use crate::check::{empty_list, invalid_type};
use crate::rules::effects::{Argument, ToolCall, ToolException, ToolRule};
use crate::rules::{Decision, Declarations, Element, Request};

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "tool_rule",
    parameters: &["tool", "args", "decision", "justification", "unless", "match", "not_match"],
    positional: Positional::First(1),
    required: 1,
};

const TOOL: usize = 0;
const ARGS: usize = 1;
const DECISION: usize = 2;
const JUSTIFICATION: usize = 3;
const UNLESS: usize = 4;
const MATCH: usize = 5;
const NOT_MATCH: usize = 6;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says what is to be done with the calls of a tool.
    fn tool_rule<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let rule = rule(&mut call);
        call.finish(TOOL, |origin| ToolRule { origin, ..rule })
    }
}

fn rule(call: &mut Call<'_, '_>) -> ToolRule {
    let way = call.parameter(TOOL);
    let named = call.value(TOOL).and_then(|value| tool(call, &|| vec![way], "`tool`", value));
    let way = call.parameter(ARGS);
    let entries = call.dict(ARGS).unwrap_or_default();
    ToolRule {
        tool: named.unwrap_or_default(),
        arguments: arguments(call, &[way], entries),
        decision: judgement::decision(call, DECISION, false).unwrap_or(Decision::Allow),
        justification: judgement::justification(call, JUSTIFICATION),
        unless: exceptions(call),
        examples: examples(call, MATCH),
        counterexamples: examples(call, NOT_MATCH),
        origin: call.origin().clone(),
    }
}

/// The calls that the rule is not about: dicts of arguments, or names of tools.
fn exceptions(call: &mut Call<'_, '_>) -> Vec<ToolException> {
    let given = call.list(UNLESS).unwrap_or_default();
    let way = call.parameter(UNLESS);
    let mut exceptions = Vec::with_capacity(given.len());
    for (place, value) in given.iter().enumerate() {
        let at = || steps(&[way], &[place]);
        exceptions.extend(match DictRef::from_value(*value) {
            Some(dict) => {
                let entries: Vec<_> = dict.iter().collect();
                if entries.is_empty() {
                    let site = call.part(&at()).site;
                    call.mistake(empty_list::exception(&site));
                }
                Some(ToolException::Arguments(arguments(call, &at(), entries)))
            }
            None => tool(call, &at, "`unless`", *value).map(ToolException::Tool),
        });
    }
    exceptions
}

/// Calls that prove the rule.
fn examples(call: &mut Call<'_, '_>, index: usize) -> Vec<ToolCall> {
    let given = call.list(index).unwrap_or_default();
    let (way, name) = (call.parameter(index), call.name(index));
    let mut examples = Vec::with_capacity(given.len());
    for (place, value) in given.iter().enumerate() {
        let at = steps(&[way], &[place]);
        let request = match DictRef::from_value(*value) {
            Some(dict) => tool_call::request(call, &at, name, dict),
            None => {
                let site = call.part(&at).site;
                let what = format!("an example of `{name}`");
                call.mistake(invalid_type::item(&site, &what, "a dict", &kind(*value), Vec::new()));
                None
            }
        };
        match request {
            Some(Request::Tool(example)) => examples.push(example),
            Some(_) => {
                let site = call.part(&at).site;
                call.mistake(crate::check::invalid_request::no_tool(&site, name));
            }
            None => {}
        }
    }
    examples
}

impl Declaration for ToolRule {
    fn words(&self) -> impl Iterator<Item = &String> {
        fn texts(argument: &Argument) -> impl Iterator<Item = &String> {
            [&argument.pointer].into_iter().chain(argument.element.texts())
        }
        let exceptions = self.unless.iter().flat_map(|exception| {
            let (tool, arguments): (Option<&Element>, &[Argument]) = match exception {
                ToolException::Tool(tool) => (Some(tool), &[]),
                ToolException::Arguments(arguments) => (None, arguments),
            };
            tool.into_iter().flat_map(Element::texts).chain(arguments.iter().flat_map(texts))
        });
        let examples = self.examples.iter().chain(&self.counterexamples);
        let examples = examples.flat_map(|example| [&example.tool, &example.arguments]);
        let asked = self.tool.texts().chain(self.arguments.iter().flat_map(texts));
        asked.chain(exceptions).chain(examples).chain(&self.justification)
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.tool_rules.push(self);
    }
}
