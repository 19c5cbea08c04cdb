//! Lists of strings, each of which must be right in itself.

use starlark::values::Value;

use super::super::call::{Call, Part};
use super::super::matcher::MatcherValue;
use super::super::value::kind;
use super::elements::steps;
use crate::check::{invalid_glob, invalid_type, invalid_variable};
use crate::diagnostics::Diagnostic;
use crate::rules::Matcher;
use crate::syntax::literal;

/// The strings of `given`, a list that was given for the parameter at `index`. Each is `what` (such as "a name of `env`");
/// of one that `check` does not like, `complain` has to say why. With `paths`, a `path(…)` stands for its pattern.
pub(super) fn strings<'a, 'v, P>(
    call: &mut Call<'a, 'v>,
    index: usize,
    given: &[Value<'v>],
    (what, paths): (&str, bool),
    check: impl Fn(&str) -> Result<(), P>,
    complain: impl Fn(&Call<'a, 'v>, &Part, &str, P) -> Diagnostic,
) -> Vec<String> {
    let parameter = call.parameter(index);
    let mut strings = Vec::with_capacity(given.len());
    for (place, item) in given.iter().enumerate() {
        let Some(text) = item.unpack_str().or_else(|| path(*item).filter(|_| paths)) else {
            let site = call.part(&steps(&[parameter], &[place])).site;
            call.mistake(invalid_type::item(&site, what, "a string", &kind(*item), Vec::new()));
            continue;
        };
        if let Err(problem) = check(text) {
            let part = call.part(&steps(&[parameter], &[place]));
            call.mistake(complain(call, &part, text, problem));
        }
        strings.push(text.to_owned());
    }
    strings
}

/// The names of variables given for the parameter at `index`; with `stars`, a `*` may stand in them.
pub(super) fn variables<'v>(call: &mut Call<'_, 'v>, index: usize, what: &str, stars: bool) -> Vec<String> {
    let given: &'v [Value<'v>] = call.list(index).unwrap_or_default();
    let check = |name: &str| if invalid_variable::is_name(name, stars) { Ok(()) } else { Err(()) };
    strings(call, index, given, (what, false), check, |_, part, name, ()| {
        let quoted = part.literal.then_some(literal::written as fn(&str) -> String);
        invalid_variable::diagnostic(&part.site, name, stars, quoted)
    })
}

/// The path patterns given for the parameter at `index`; a `path(…)` is one as well.
pub(super) fn paths<'v>(call: &mut Call<'_, 'v>, index: usize, what: &str) -> Vec<String> {
    let given: &'v [Value<'v>] = call.list(index).unwrap_or_default();
    strings(call, index, given, (what, true), invalid_glob::path, |call, part, pattern, (problem, range)| {
        let site = call.inside(part, pattern, range.clone());
        invalid_glob::diagnostic(&site, "path", pattern, (problem, range), part.literal.then_some(part.site.span))
    })
}

/// The pattern of a `path(…)`.
fn path<'v>(value: Value<'v>) -> Option<&'v str> {
    match MatcherValue::from_value(value) {
        Some(MatcherValue(Matcher::Path(pattern))) => Some(pattern),
        _ => None,
    }
}
