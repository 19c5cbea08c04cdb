//! `tool`: what a call of a tool takes, does and runs.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::none::NoneType;

use policyc_runtime::format::MOST_TOOL_PARAMETERS;

use super::super::call::{Call, Positional, Signature};
use super::super::recorder::Declaration;
use super::super::value::kind;
use super::elements::steps;
use super::{kinds, names, template};
use crate::check::invalid_name::{self, Named};
use crate::check::invalid_tool::{self, Problem};
use crate::check::{empty_list, invalid_type, unknown_kind, unknown_parameter};
use crate::rules::Declarations;
use crate::rules::effects::{Cost, Parameter, Piece, Role, Tool};
use crate::syntax::Step;

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "tool",
    parameters: &["name", "effects", "params", "target", "argv", "claims", "locked", "idempotent", "timeout", "cost"],
    positional: Positional::First(2),
    required: 2,
};

const NAME: usize = 0;
const EFFECTS: usize = 1;
const PARAMS: usize = 2;
const TARGET: usize = 3;
const ARGV: usize = 4;
const CLAIMS: usize = 5;
const LOCKED: usize = 6;
const IDEMPOTENT: usize = 7;
const TIMEOUT: usize = 8;
const COST: usize = 9;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says what a call of the tool takes, does and runs.
    fn tool<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let name = names::name(&mut call, NAME, Named::Tool);
        let effects = names::effects(&mut call, EFFECTS, "tool");
        let parameters = parameters(&mut call, &name);
        let target = target(&mut call, &name, &parameters);
        let tool = Tool {
            effects,
            target,
            argv: argv(&mut call, &name, &parameters),
            claims: names::capabilities(&mut call, CLAIMS),
            locked: call.boolean(LOCKED).unwrap_or(false),
            idempotent: call.boolean(IDEMPOTENT).unwrap_or(false),
            timeout: call.number(TIMEOUT, 1, |site| invalid_tool::diagnostic(site, &name, Problem::Timeout)),
            cost: kinds::kind(&mut call, COST, &Cost::ALL.map(|cost| (cost.name(), cost))),
            name,
            parameters,
            origin: call.origin().clone(),
        };
        call.finish(NAME, |_| tool)
    }
}

impl Declaration for Tool {
    fn words(&self) -> impl Iterator<Item = &String> {
        let pieces = self.argv.iter().filter_map(|piece| match piece {
            Piece::Literal(text) | Piece::Parameter(text) => Some(text),
            Piece::Target => None,
        });
        let parameters = self.parameters.iter().map(|parameter| &parameter.name);
        [&self.name].into_iter().chain(&self.effects).chain(&self.claims).chain(parameters).chain(pieces)
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.tools.push(self);
    }
}

/// The parameters. One with a mistake is there as well, so that what names it does not add another.
fn parameters(call: &mut Call<'_, '_>, tool: &str) -> Vec<Parameter> {
    let given = call.dict(PARAMS).unwrap_or_default();
    let way = call.parameter(PARAMS);
    if given.len() > MOST_TOOL_PARAMETERS {
        let site = call.site(PARAMS);
        call.mistake(invalid_tool::diagnostic(&site, tool, Problem::TooManyParameters(MOST_TOOL_PARAMETERS)));
    }
    let mut parameters = Vec::with_capacity(given.len());
    for (place, (key, value)) in given.into_iter().enumerate() {
        let Some(name) = key.unpack_str() else {
            let site = call.part(&[way, Step::Key(place)]).site;
            call.mistake(invalid_type::item(&site, "the name of a parameter", "a string", &kind(key), Vec::new()));
            continue;
        };
        if !Named::Parameter.permits(name) {
            let part = call.part(&[way, Step::Key(place)]);
            call.mistake(invalid_name::diagnostic(&part.site, Named::Parameter, name, part.literal));
        }
        let (mut role, mut optional) = (Role::Any, false);
        match value.unpack_str() {
            None => {
                let site = call.part(&[way, Step::Entry(place)]).site;
                call.mistake(invalid_type::item(
                    &site,
                    "the role of a parameter",
                    "a string",
                    &kind(value),
                    Vec::new(),
                ));
            }
            Some(given) => {
                let word = given.strip_suffix('?').unwrap_or(given);
                optional = word.len() < given.len();
                match Role::ALL.into_iter().find(|role| role.name() == word) {
                    Some(known) => role = known,
                    None => {
                        let part = call.part(&[way, Step::Entry(place)]);
                        let known = Role::ALL.map(Role::name);
                        let replaceable = part.literal && !optional;
                        call.mistake(unknown_kind::diagnostic(&part.site, "params", given, &known, replaceable));
                    }
                }
            }
        }
        parameters.push(Parameter { name: name.to_owned(), role, optional });
    }
    parameters
}

fn target(call: &mut Call<'_, '_>, tool: &str, parameters: &[Parameter]) -> Option<String> {
    let given = call.optional_string(TARGET);
    if given != Some("target")
        && let Some(place) = parameters.iter().position(|parameter| parameter.name == "target")
    {
        let way = call.parameter(PARAMS);
        let site = call.part(&[way, Step::Key(place)]).site;
        call.mistake(invalid_tool::diagnostic(&site, tool, Problem::OtherTarget));
    }
    let given = given?;
    let way = call.parameter(TARGET);
    let part = call.part(&[way]);
    match parameters.iter().find(|parameter| parameter.name == given) {
        None => {
            let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            call.mistake(unknown_parameter::diagnostic(&part.site, tool, given, &known, part.literal));
        }
        Some(parameter) => {
            if parameter.optional {
                let problem = Problem::Optional(given, "target");
                call.mistake(invalid_tool::diagnostic(&part.site, tool, problem));
            }
            if !parameter.role.is_text() {
                let problem = Problem::NoText(given, parameter.role.name());
                call.mistake(invalid_tool::diagnostic(&part.site, tool, problem));
            }
        }
    }
    Some(given.to_owned())
}

/// The command that the tool runs. Only whole words come from the call, never the program.
fn argv(call: &mut Call<'_, '_>, tool: &str, parameters: &[Parameter]) -> Vec<Piece> {
    if call.value(ARGV).is_none_or(|value| value.is_none()) {
        return Vec::new();
    }
    let given = call.list(ARGV).unwrap_or_default();
    if given.is_empty() && call.is_sound() {
        let site = call.site(ARGV);
        call.mistake(empty_list::diagnostic(&site, "tool", "argv", None));
    }
    let way = call.parameter(ARGV);
    let mut pieces = Vec::with_capacity(given.len());
    for (place, word) in given.iter().enumerate() {
        let Some(text) = word.unpack_str() else {
            let site = call.part(&steps(&[way], &[place])).site;
            call.mistake(invalid_type::item(&site, "a word of `argv`", "a string", &kind(*word), Vec::new()));
            continue;
        };
        let piece = template::word(text);
        let problem = match &piece {
            Err(name) => Some(Problem::PartOfWord(name)),
            Ok(Piece::Parameter(_)) if place == 0 => Some(Problem::ProgramFromCall),
            Ok(Piece::Parameter(name)) => match parameters.iter().find(|parameter| parameter.name == *name) {
                Some(parameter) if !parameter.role.is_word() => Some(Problem::NoWord(name, parameter.role.name())),
                Some(parameter) if parameter.optional => Some(Problem::Optional(name, "argv")),
                Some(_) => None,
                None => {
                    let site = call.part(&steps(&[way], &[place])).site;
                    let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
                    call.mistake(unknown_parameter::diagnostic(&site, tool, name, &known, false));
                    None
                }
            },
            Ok(Piece::Literal(_) | Piece::Target) => None,
        };
        if let Some(problem) = problem {
            let site = call.part(&steps(&[way], &[place])).site;
            call.mistake(invalid_tool::diagnostic(&site, tool, problem));
        }
        pieces.extend(piece.ok());
    }
    pieces
}
