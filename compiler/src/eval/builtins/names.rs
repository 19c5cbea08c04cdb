//! Names: those that declarations give, and lists of those that others have declared.

use super::super::call::Call;
use super::elements::steps;
use super::strings::strings;
use crate::check::invalid_name::{self, Named};
use crate::check::{duplicate_effect, empty_list};

/// The name given for the parameter at `index`.
pub(super) fn name(call: &mut Call<'_, '_>, index: usize, named: Named) -> String {
    let Some(given) = call.string(index) else { return String::new() };
    if !named.permits(given) {
        let parameter = call.parameter(index);
        let part = call.part(&[parameter]);
        call.mistake(invalid_name::diagnostic(&part.site, named, given, part.literal));
    }
    given.to_owned()
}

/// The names of capabilities given for the parameter at `index`, each once.
pub(super) fn capabilities(call: &mut Call<'_, '_>, index: usize) -> Vec<String> {
    let given = call.list(index).unwrap_or_default();
    let what = format!("a name of `{}`", call.name(index));
    let check = |_: &str| Ok::<(), std::convert::Infallible>(());
    let names = strings(call, index, given, (&what, false), check, |_, _, _, never| match never {});
    let parameter = call.parameter(index);
    for (place, name) in names.iter().enumerate() {
        if names.iter().take(place).any(|other| other == name) {
            let site = call.part(&steps(&[parameter], &[place])).site;
            call.mistake(duplicate_effect::diagnostic(&site, name, call.name(index)));
        }
    }
    names
}

/// The same where `builtin` needs one at least.
pub(super) fn effects(call: &mut Call<'_, '_>, index: usize, builtin: &str) -> Vec<String> {
    let names = capabilities(call, index);
    if names.is_empty() && call.is_sound() {
        let site = call.site(index);
        call.mistake(empty_list::diagnostic(&site, builtin, call.name(index), None));
    }
    names
}
