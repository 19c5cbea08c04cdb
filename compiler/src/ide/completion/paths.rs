//! What may be written in a `load`: paths of policy files, and the names that they define.

use std::collections::BTreeSet;

use super::{Asking, Completion, CompletionKind};
use crate::ide::cursor::CallAt;
use crate::ide::scope::{DefinedKind, defined, loaded, resolved};
use crate::shipped::{PREFIX, shipped};
use crate::source::{Module, Span};
use crate::syntax::module_label;

/// The paths that a load may name from this file.
pub(super) fn paths(place: &Asking<'_>, typed: &str, content: Span) -> Vec<Completion> {
    let here = place.file.label(place.db).as_str();
    let mut labels: BTreeSet<&str> =
        place.set.files(place.db).iter().map(|file| file.label(place.db).as_str()).collect();
    let modules = place.set.modules(place.db).iter().filter(|(_, module)| matches!(module, Module::File(_)));
    labels.extend(modules.map(|(label, _)| label.as_str()));
    labels.extend(shipped().iter().map(|(label, _)| *label));
    labels.remove(here);
    let mut paths: Vec<(bool, String)> = labels.into_iter().filter_map(|label| path(place, here, label)).collect();
    // Those of the author's own come first, unless the shipped ones are asked for.
    paths.sort_by_key(|(own, _)| *own == typed.starts_with('@'));
    let completion = |(own, path): (bool, String)| {
        let detail = if own { "" } else { "shipped" };
        Completion::new(path, CompletionKind::File, content).detail(detail)
    };
    paths.into_iter().map(completion).collect()
}

/// The path by which the file labelled `here` loads the one labelled `label`, and whether that is the author's own.
fn path(place: &Asking<'_>, here: &str, label: &str) -> Option<(bool, String)> {
    let path = if label.starts_with(PREFIX) { label.to_owned() } else { relative(here, label) };
    let leads = module_label(here, &path, place.set.roots(place.db));
    (leads.as_deref() == Ok(label)).then(|| (!label.starts_with(PREFIX), path))
}

/// The path from the folder of one label to another label.
fn relative(from: &str, to: &str) -> String {
    let mut from: Vec<&str> = from.split('/').collect();
    from.pop();
    let to: Vec<&str> = to.split('/').collect();
    let folders = to.len().saturating_sub(1);
    let common = from.iter().zip(to.iter().take(folders)).take_while(|(one, other)| one == other).count();
    let up = from.len() - common;
    let begin = if up == 0 { "./".to_owned() } else { "../".repeat(up) };
    begin + &to.get(common..).unwrap_or_default().join("/")
}

/// The names that the loaded file defines, without those that are loaded already.
pub(super) fn names(place: &Asking<'_>, call: &CallAt<'_>, content: Span) -> Vec<Completion> {
    let Some(file) = call.string(0).and_then(|path| loaded(place.db, place.set, place.file, &path)) else {
        return Vec::new();
    };
    let (current, _) = call.argument();
    let given: Vec<String> =
        (1..call.count()).filter(|index| *index != current).filter_map(|index| call.string(index)).collect();
    let names = defined(place.db, file).iter();
    let names = names.filter(|name| !name.name.starts_with('_') && !given.contains(&name.name));
    let completion = |name: &crate::ide::scope::Defined| {
        let found = resolved(place.db, place.set, file, &name.name);
        match found.map(|(_, found)| &found.kind) {
            Some(DefinedKind::Function(function)) => Completion::new(&name.name, CompletionKind::Function, content)
                .detail(format!("{}({})", name.name, function.parameters.join(", ")))
                .documentation(function.documentation.clone()),
            _ => Completion::new(&name.name, CompletionKind::Variable, content),
        }
    };
    names.map(completion).collect()
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn paths_lead_from_one_file_to_another() {
        for (from, to, path) in [
            ("a.rules", "b.rules", "./b.rules"),
            ("x/a.rules", "b.rules", "../b.rules"),
            ("x/a.rules", "x/y/b.rules", "./y/b.rules"),
            ("x/y/a.rules", "x/z/b.rules", "../z/b.rules"),
            ("x/a.rules", "x", "../x"),
        ] {
            assert_eq!(relative(from, to), path, "{from} {to}");
        }
    }
}
