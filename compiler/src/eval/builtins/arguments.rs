//! What rules ask of tool calls: names of tools, and elements at places among the arguments.

use starlark::values::Value;

use super::super::call::Call;
use super::super::value::kind;
use super::elements::{Kinds, Way, element};
use crate::check::{invalid_glob, invalid_pointer, invalid_tool, invalid_type};
use crate::rules::effects::Argument;
use crate::rules::{Element, Matcher};
use crate::syntax::Step;

/// The names of tools in `value`, to which `way` leads.
pub(super) fn tool(call: &mut Call<'_, '_>, way: Way<'_>, whole: &str, value: Value<'_>) -> Option<Element> {
    let tools = element(call, way, whole, value, Kinds::Tools)?;
    for name in &tools.words {
        let part = |part: &str| !part.is_empty() && part.trim() == part && !part.contains(char::is_control);
        if name.split('/').count() > 2 || !name.split('/').all(part) {
            let site = call.part(&way()).site;
            call.mistake(invalid_tool::pattern(&site, name));
        }
    }
    for matcher in &tools.matchers {
        let Matcher::Glob(pattern) = matcher else { continue };
        let site = || way();
        if pattern.chars().all(|one| one == '*') {
            let site = call.part(&site()).site;
            call.mistake(invalid_tool::every(&site));
        } else if pattern.split('/').count() > 2
            || pattern.split('/').any(|part| part.is_empty() || invalid_glob::glob(part).is_err())
        {
            let site = call.part(&site()).site;
            call.mistake(invalid_tool::pattern(&site, pattern));
        }
    }
    Some(tools)
}

/// The places and elements of the dict with these `entries`, to which `way` leads.
pub(super) fn arguments<'v>(
    call: &mut Call<'_, 'v>,
    way: &[Step<'static>],
    entries: Vec<(Value<'v>, Value<'v>)>,
) -> Vec<Argument> {
    let at = |step: Step<'static>| -> Vec<Step<'static>> { way.iter().copied().chain([step]).collect() };
    let mut arguments = Vec::with_capacity(entries.len());
    for (place, (key, value)) in entries.into_iter().enumerate() {
        let Some(pointer) = key.unpack_str() else {
            let site = call.part(&at(Step::Key(place))).site;
            call.mistake(invalid_type::item(&site, "a place among arguments", "a string", &kind(key), Vec::new()));
            continue;
        };
        if !invalid_pointer::is_pointer(pointer) {
            let part = call.part(&at(Step::Key(place)));
            call.mistake(invalid_pointer::diagnostic(&part.site, pointer, part.literal));
        }
        if let Some(element) = element(call, &|| at(Step::Entry(place)), "`args`", value, Kinds::Values) {
            arguments.push(Argument { pointer: pointer.to_owned(), element });
        }
    }
    arguments
}
