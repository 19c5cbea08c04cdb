//! Signature help: what the call around a place takes, and which of it is being written.

use super::cursor::{CallAt, Cursor};
use super::language::described;
use super::scope::{DefinedKind, Function, resolved};
use crate::eval::standard;
use crate::source::{PolicySet, SourceFile};

/// What a call takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The call, as code.
    pub label: String,
    /// What it does, as Markdown.
    pub documentation: String,
    /// Its parameters, in order.
    pub parameters: Vec<ParameterHelp>,
    /// Which of them the place belongs to.
    pub active: Option<usize>,
}

/// A parameter of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterHelp {
    /// Its bytes in the label.
    pub label: std::ops::Range<usize>,
    /// What it is, as Markdown.
    pub documentation: String,
}

/// What the innermost call around the place takes, if that is known.
#[must_use]
pub fn signature(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, offset: u32) -> Option<SignatureHelp> {
    let cursor = Cursor::new(db, file, offset);
    let help = cursor.calls().find_map(|call| {
        let name = call.name();
        of_builtin(name, &call).or_else(|| match &resolved(db, set, file, name)?.1.kind {
            DefinedKind::Function(function) => Some(of_function(name, function, &call)),
            _ => None,
        })
    });
    help.or_else(|| {
        let name = cursor.call()?.name();
        let known = standard().iter().find(|it| it.name == name && it.function)?;
        let documentation = known.documentation.clone();
        Some(SignatureHelp { label: known.code.clone(), documentation, parameters: Vec::new(), active: None })
    })
}

fn of_builtin(name: &str, call: &CallAt<'_>) -> Option<SignatureHelp> {
    let described = described(name)?;
    let (label, places) = described.synopsis(name);
    let texts = described.parameters.iter().map(|parameter| parameter.text.clone());
    let parameters = places.into_iter().zip(texts);
    let names = described.parameters.iter().map(|parameter| parameter.name.as_str());
    let repeated = described.parameters.iter().position(|parameter| parameter.repeated);
    let active = match (call.argument(), call.parameter()) {
        ((_, Some(keyword)), _) => names.clone().position(|name| name == keyword),
        (_, Some(parameter)) => names.clone().position(|name| name == parameter),
        ((place, None), None) => repeated.filter(|repeated| place >= *repeated).or((name == "load").then_some(0)),
    };
    let parameters = parameters.map(|(label, documentation)| ParameterHelp { label, documentation }).collect();
    Some(SignatureHelp { label, documentation: described.summary.clone(), parameters, active })
}

fn of_function(name: &str, function: &Function, call: &CallAt<'_>) -> SignatureHelp {
    let mut label = format!("{name}(");
    let mut parameters = Vec::new();
    for (index, parameter) in function.parameters.iter().enumerate() {
        if index > 0 {
            label.push_str(", ");
        }
        let start = label.len();
        label.push_str(parameter);
        parameters.push(ParameterHelp { label: start..label.len(), documentation: String::new() });
    }
    label.push(')');
    let named = |parameter: &String, wanted: &str| {
        let name = parameter.split(['=', ':']).next().unwrap_or_default();
        name.trim() == wanted
    };
    let positions =
        || function.parameters.iter().position(|parameter| parameter.starts_with('*') && !parameter.starts_with("**"));
    let active = match call.argument() {
        (_, Some(keyword)) => function.parameters.iter().position(|parameter| named(parameter, keyword)),
        (place, None) => match positions() {
            Some(rest) if place >= rest => Some(rest),
            _ => Some(place).filter(|place| *place < parameters.len()),
        },
    };
    SignatureHelp { label, documentation: function.documentation.clone(), parameters, active }
}

#[cfg(test)]
mod tests {
    use super::signature;
    use crate::ide::fixture::fixture;

    /// The label with the active parameter in brackets.
    fn shown(text: &str) -> String {
        let fixture = fixture(text);
        let Some(help) = signature(&fixture.db, fixture.set, fixture.file, fixture.offset) else {
            return "nothing".to_owned();
        };
        let mut label = help.label;
        if let Some(active) = help.active {
            let range = help.parameters[active].label.clone();
            label.insert(range.end, '⟩');
            label.insert(range.start, '⟨');
        }
        label
    }

    #[test]
    fn the_parameter_that_is_being_written_is_shown() {
        let host = |active: &str| format!("host_executable({active})");
        assert_eq!(shown("host_executable(<cursor>"), host("⟨name⟩, paths"));
        assert_eq!(shown("host_executable('git', [<cursor>"), host("name, ⟨paths⟩"));
        assert_eq!(shown("host_executable(paths = ['/a<cursor>'])"), host("name, ⟨paths⟩"));
        assert_eq!(shown("host_executable('a', [], <cursor>)"), host("name, paths"));
        assert!(shown("option('-a', '-b<cursor>'").starts_with("option(⟨names…⟩, value = False"));
        assert!(shown("option('-a', runs = <cursor>").contains("⟨runs = None⟩"));
        assert!(shown("load('./a.rules', '<cursor>')").starts_with("load(path, ⟨names…⟩"));
        assert_eq!(shown("load('<cursor>')"), "load(⟨path⟩, names…)");
        assert_eq!(shown("x = len(<cursor>)"), "len(a, /)");
        assert_eq!(shown("prefix_rule([])<cursor>"), "nothing");
        assert_eq!(shown("unknown(<cursor>)"), "nothing");
    }

    #[test]
    fn functions_of_the_policy_are_known_across_loads() {
        let text = "//- make.rules loaded\ndef deny(words, *more, why = \"no\"):\n    \"Refuses.\"\n//- a.rules\nload('./make.rules', refuse = 'deny')\n";
        assert_eq!(shown(&format!("{text}refuse(<cursor>")), "refuse(⟨words⟩, *more, why = \"no\")");
        assert_eq!(shown(&format!("{text}refuse(1, 2, 3<cursor>")), "refuse(words, ⟨*more⟩, why = \"no\")");
        assert_eq!(shown(&format!("{text}refuse(1, why = <cursor>")), "refuse(words, *more, ⟨why = \"no\"⟩)");
        let fixture = fixture(&format!("{text}refuse(<cursor>"));
        let help = signature(&fixture.db, fixture.set, fixture.file, fixture.offset).unwrap();
        assert_eq!(help.documentation, "Refuses.");
    }
}
