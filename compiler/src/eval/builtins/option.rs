//! `option`: what an option of a program does to the words around it.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::Value;
use starlark::values::list::ListRef;

use super::super::call::{Call, Positional, Signature};
use super::super::option::OptionValue as Given;
use super::super::value::kind;
use super::kinds::{self, RUNS};
use super::strings::strings;
use crate::check::invalid_option::{self, Contradiction, Spelling, contradiction};
use crate::check::{empty_list, invalid_glob, invalid_type};
use crate::rules::{Harmless, OptionValue, ProgramOption, Runs};
use crate::syntax::Step;

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "option",
    parameters: &["value", "until", "harmless", "runs", "writes", "placeholder", "moves"],
    positional: Positional::Any("the option's names"),
    required: 0,
};

const VALUE: usize = 0;
const UNTIL: usize = 1;
const HARMLESS: usize = 2;
const RUNS_: usize = 3;
const WRITES: usize = 4;
const PLACEHOLDER: usize = 5;
const MOVES: usize = 6;

/// What `value` may be beside a boolean.
pub(super) const VALUES: [&str; 3] = ["separate", "attached", "rest"];

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says what an option of a program is.
    fn option<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<Given> {
        let mut call = Call::giving(&SIGNATURE, arguments, eval)?;
        let names = names(&mut call);
        let value = value(&mut call, &names);
        let harmless = harmless(&mut call);
        let runs = kinds::kind(&mut call, RUNS_, &RUNS);
        let writes = call.boolean(WRITES).unwrap_or(false);
        let placeholder = call.boolean(PLACEHOLDER).unwrap_or(false);
        let moves = call.boolean(MOVES).unwrap_or(false);
        let option = ProgramOption { names, value, harmless, runs, writes, placeholder, moves };
        if call.is_sound() {
            contradictions(&mut call, &option);
        }
        call.give(Given(option), eval)
    }
}

fn names(call: &mut Call<'_, '_>) -> Vec<String> {
    let given = call.others();
    // What a word begins with may look like an operand.
    let attached = call.value(VALUE).and_then(Value::unpack_str) == Some("attached");
    let mut names = Vec::with_capacity(given.len());
    for (index, name) in given.into_iter().enumerate() {
        let Some(text) = name.unpack_str() else {
            let site = call.part(&[Step::Positional(index)]).site;
            call.mistake(invalid_type::item(&site, "a name of `option`", "a string", &kind(name), Vec::new()));
            continue;
        };
        let spelt = invalid_option::spelling(text);
        let spelt = if attached && spelt == Err(Spelling::Operand) { Ok(()) } else { spelt };
        if let Err(spelling) = spelt {
            let part = call.part(&[Step::Positional(index)]);
            call.mistake(invalid_option::name(&part.site, text, spelling, part.literal));
        } else if names.first().is_some_and(|first: &String| first.ends_with('=') != text.ends_with('=')) {
            let site = call.part(&[Step::Positional(index)]).site;
            call.mistake(contradiction(&site, Contradiction::MixedNames, None));
        }
        names.push(text.to_owned());
    }
    names
}

/// The value, of which a name that ends in `=` leaves no choice: it is the rest of the word.
fn value(call: &mut Call<'_, '_>, names: &[String]) -> OptionValue {
    let in_word = names.first().is_some_and(|name| name.ends_with('='));
    if let Some(ends) = until(call) {
        if call.is_given(VALUE) && call.value(VALUE).and_then(Value::unpack_bool) != Some(false) {
            let site = call.keyword(VALUE);
            let left_out = call.left_out(VALUE);
            call.mistake(contradiction(&site, Contradiction::UntilAndValue, left_out));
        }
        if in_word {
            let site = call.keyword(UNTIL);
            let left_out = call.left_out(UNTIL);
            call.mistake(contradiction(&site, Contradiction::WordsAfterEquals, left_out));
        }
        return OptionValue::Until(ends);
    }
    let value = match call.value(VALUE) {
        None => OptionValue::None,
        Some(value) => match (value.unpack_bool(), value.unpack_str()) {
            (Some(false), _) => OptionValue::None,
            (Some(true), _) => OptionValue::Required,
            (None, Some("separate")) => OptionValue::Next,
            (None, Some("attached")) => OptionValue::Attached,
            (None, Some("rest")) => OptionValue::Rest,
            (None, Some(_)) => {
                kinds::unknown(call, VALUE, &VALUES);
                OptionValue::Required
            }
            (None, None) => {
                call.wrong_type(VALUE, "a boolean, `\"separate\"`, `\"attached\"` or `\"rest\"`");
                OptionValue::None
            }
        },
    };
    match value {
        OptionValue::Rest if in_word => {
            let site = call.site(VALUE);
            let left_out = call.left_out(VALUE);
            call.mistake(contradiction(&site, Contradiction::WordsAfterEquals, left_out));
            value
        }
        _ if in_word => OptionValue::Attached,
        _ => value,
    }
}

/// The words that end the value.
fn until(call: &mut Call<'_, '_>) -> Option<Vec<String>> {
    let given = call.list(UNTIL)?;
    if given.is_empty() {
        let site = call.site(UNTIL);
        call.mistake(empty_list::diagnostic(&site, "option", "until", None));
    }
    let check = |_: &str| Ok::<(), std::convert::Infallible>(());
    Some(strings(call, UNTIL, given, ("a word of `until`", false), check, |_, _, _, never| match never {}))
}

fn harmless(call: &mut Call<'_, '_>) -> Harmless {
    let Some(value) = call.value(HARMLESS) else { return Harmless::No };
    if let Some(always) = value.unpack_bool() {
        return if always { Harmless::Yes } else { Harmless::No };
    }
    let Some(given) = ListRef::from_value(value) else {
        call.wrong_type(HARMLESS, "a boolean or a list");
        return Harmless::No;
    };
    if given.is_empty() {
        let site = call.site(HARMLESS);
        let left_out = call.left_out(HARMLESS);
        call.mistake(empty_list::diagnostic(&site, "option", "harmless", left_out));
    }
    let what = ("a value of `harmless`", false);
    Harmless::Values(strings(call, HARMLESS, given.content(), what, invalid_glob::glob, |call, part, glob, wrong| {
        let (problem, range) = wrong;
        let site = call.inside(part, glob, range.clone());
        invalid_glob::diagnostic(&site, "glob", glob, (problem, range), part.literal.then_some(part.site.span))
    }))
}

fn contradictions(call: &mut Call<'_, '_>, option: &ProgramOption) {
    use Contradiction as C;
    let ProgramOption { value, harmless, runs, writes, placeholder, moves, .. } = option;
    let in_word = matches!(value, OptionValue::Attached);
    let contradictions = [
        (matches!(harmless, Harmless::Values(_)) && *value == OptionValue::None, HARMLESS, C::ValuesWithoutValue),
        (
            *placeholder && !matches!(value, OptionValue::Required | OptionValue::Attached),
            PLACEHOLDER,
            C::PlaceholderWithoutValue,
        ),
        (*placeholder && (runs.is_some() || *writes), PLACEHOLDER, C::PlaceholderAndMore),
        (*moves && *value == OptionValue::None && runs.is_none(), MOVES, C::MovesWithoutValue),
        (*harmless == Harmless::Yes && (*writes || *runs == Some(Runs::Code)), HARMLESS, C::HarmlessAndHarm),
        (*writes && matches!(runs, Some(Runs::Command | Runs::Text(_))), WRITES, C::RunsAndWrites),
        (in_word && *runs == Some(Runs::Command), RUNS_, C::CommandInAWord),
    ];
    for (_, keyword, which) in contradictions.into_iter().filter(|(holds, ..)| *holds) {
        let site = call.keyword(keyword);
        let needs_value = matches!(which, C::ValuesWithoutValue | C::PlaceholderWithoutValue) && !call.is_given(VALUE);
        let edit = if needs_value { call.further("value = True") } else { None };
        call.mistake(contradiction(&site, which, edit));
    }
}
