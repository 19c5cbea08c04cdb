//! What may be written outside of strings: names, keyword arguments and values.

use super::snippets::{STATEMENTS, arguments};
use super::{Asking, Completion, CompletionKind, words};
use crate::eval::{choices, signatures, standard};
use crate::ide::cursor::CallAt;
use crate::ide::language::{Parameter, described};
use crate::ide::scope::{DefinedKind, Function, defined, locals, resolved};
use crate::syntax::token::TokenKind;

/// Builtins that give a value and, of each, the parameters in which it has a use.
const VALUES: [(&str, &[&str]); 4] = [
    ("any_word", &["pattern", "having", "without", "unless"]),
    ("glob", &["pattern", "having", "without", "unless"]),
    ("path", &["pattern", "having", "without", "unless"]),
    ("option", &["options"]),
];

/// What may be written at a place outside of strings.
pub(super) fn in_code(place: &Asking<'_>) -> Vec<Completion> {
    let mut found = Vec::new();
    match place.cursor.call() {
        Some(call) => in_call(place, &call, &mut found),
        None => {
            if defines(place) {
                return found;
            }
            if place.cursor.begins_line() {
                statements(place, &mut found);
            }
            names(place, &mut found);
        }
    }
    found
}

/// Whether the word at the place is a name that is being made up.
fn defines(place: &Asking<'_>) -> bool {
    place.cursor.previous().is_some_and(|it| matches!(it.kind, TokenKind::Def | TokenKind::For | TokenKind::Lambda))
}

fn in_call(place: &Asking<'_>, call: &CallAt<'_>, found: &mut Vec<Completion>) {
    let parameter = call.parameter();
    if call.path.is_empty() && call.argument().1.is_some_and(|keyword| Some(keyword) != parameter) {
        return names(place, found);
    }
    if let Some(signature) = call.signature() {
        if let Some(parameter) = parameter {
            values(place, call, signature.builtin, parameter, found);
        }
        if call.begins_argument() && call.argument().1.is_none() {
            keywords(place, call, found);
        }
        value_builtins(place, parameter, found);
    } else if call.begins_argument() {
        own_keywords(place, call, found);
    }
    names(place, found);
}

/// The keyword arguments that are missing.
fn keywords(place: &Asking<'_>, call: &CallAt<'_>, found: &mut Vec<Completion>) {
    let Some(signature) = call.signature() else { return };
    let given: Vec<&str> = call.keywords().collect();
    let positional = call.positional();
    for (index, name) in signature.parameters.iter().enumerate() {
        let by_position = signature.position(index).is_some_and(|position| position < positional);
        if given.contains(name) || by_position {
            continue;
        }
        let Some(parameter) = described(signature.builtin).and_then(|described| described.parameter(name)) else {
            continue;
        };
        let value = value_of(signature.builtin, parameter);
        found.push(
            Completion::new(*name, CompletionKind::Argument, place.typed())
                .detail(parameter.shown())
                .documentation(parameter.markdown())
                .snippet(format!("{name} = {value}")),
        );
    }
}

/// How the value of a keyword argument begins.
fn value_of(builtin: &str, parameter: &Parameter) -> String {
    let choices = choices(builtin, &parameter.name);
    match (parameter.default.as_deref(), parameter.name.as_str()) {
        (Some("False"), _) if builtin != "option" || parameter.name != "value" => "True".to_owned(),
        (Some("True"), _) => "False".to_owned(),
        (Some("0"), _) => "${1:1}".to_owned(),
        _ if builtin == "option" && parameter.name == "value" => "True".to_owned(),
        _ if !choices.is_empty() => format!("\"${{1|{}|}}\"", choices.join(",")),
        (Some("[]"), "having" | "without") | (_, "until") => "[\"$1\"]".to_owned(),
        (Some("[]"), "unless") => "[[\"$1\"]]".to_owned(),
        (Some("[]"), "options") => "[$1]".to_owned(),
        (Some("[]"), _) | (_, "pattern" | "paths" | "names") => "[\"$1\"]".to_owned(),
        _ => "\"$1\"".to_owned(),
    }
}

/// The values that the parameter takes.
fn values(place: &Asking<'_>, call: &CallAt<'_>, builtin: &str, parameter: &str, found: &mut Vec<Completion>) {
    let span = place.typed();
    if !call.path.is_empty() {
        for word in words::of_parameter(place, call) {
            let text = crate::rules::quoted(&word.label);
            found.push(Completion { label: text.clone(), text, span, ..word });
        }
        return;
    }
    let documentation = described(builtin).and_then(|described| described.parameter(parameter));
    let documentation = documentation.map(Parameter::markdown).unwrap_or_default();
    let value = |text: String| Completion::new(text, CompletionKind::Value, span).documentation(&*documentation);
    let default = described(builtin).and_then(|described| described.parameter(parameter)?.default.as_deref());
    found.extend(choices(builtin, parameter).into_iter().map(|choice| value(format!("\"{choice}\""))));
    if matches!(default, Some("True" | "False")) {
        found.extend(["True", "False"].map(|text| value(text.to_owned())));
    }
    if default == Some("None") || (builtin, parameter) == ("expect", "decision") {
        found.push(value("None".to_owned()));
    }
}

/// Matchers and options, where they have a use.
fn value_builtins(place: &Asking<'_>, parameter: Option<&str>, found: &mut Vec<Completion>) {
    let Some(parameter) = parameter else { return };
    let fitting = VALUES.iter().filter(|(_, parameters)| parameters.contains(&parameter));
    found.extend(fitting.filter_map(|(builtin, _)| call_of(place, builtin)));
}

/// A call of a builtin.
fn call_of(place: &Asking<'_>, builtin: &str) -> Option<Completion> {
    let described = described(builtin)?;
    let (arguments, next) = (arguments(builtin), place.cursor.following());
    let completion = Completion::new(builtin, CompletionKind::Builtin, place.typed())
        .detail(described.summary.clone())
        .documentation(described.markdown(builtin));
    // Where the arguments stand already, the name is all that is missing.
    let called = next.is_some_and(|next| next.kind == TokenKind::OpenRound && next.span.start == place.typed().end);
    Some(if called { completion } else { completion.snippet(format!("{builtin}({arguments})")) })
}

/// What a line may begin with.
fn statements(place: &Asking<'_>, found: &mut Vec<Completion>) {
    let declaring = signatures().into_iter().map(|signature| signature.builtin);
    let declaring = declaring.filter(|builtin| VALUES.iter().all(|(name, _)| name != builtin));
    found.extend(declaring.filter_map(|builtin| call_of(place, builtin)));
    found.extend(STATEMENTS.iter().map(|statement| {
        Completion::new(statement.label, CompletionKind::Snippet, place.typed())
            .detail(statement.detail)
            .snippet(statement.text)
    }));
}

/// The parameters of the policy's own function that are not given by name.
fn own_keywords(place: &Asking<'_>, call: &CallAt<'_>, found: &mut Vec<Completion>) {
    let Some((_, own)) = resolved(place.db, place.set, place.file, call.name()) else { return };
    let DefinedKind::Function(Function { parameters, .. }) = &own.kind else { return };
    let given: Vec<&str> = call.keywords().collect();
    for parameter in parameters.iter().skip(call.positional()).filter(|parameter| !parameter.starts_with('*')) {
        let name = parameter.split(['=', ':']).next().unwrap_or_default().trim();
        if !given.contains(&name) {
            found.push(
                Completion::new(name, CompletionKind::Argument, place.typed())
                    .detail(parameter.clone())
                    .text(format!("{name} = ")),
            );
        }
    }
}

/// The names that are there.
fn names(place: &Asking<'_>, found: &mut Vec<Completion>) {
    let span = place.typed();
    let locals = locals(place.cursor).into_iter();
    found.extend(locals.map(|name| Completion::new(name, CompletionKind::Variable, span)));
    let first = place.cursor.tokens().first();
    let in_function = first.is_some_and(|first| first.kind == TokenKind::Def);
    // Outside of functions, a name is there once its statement has run.
    let new_statement = place.cursor.begins_line() && place.cursor.call().is_none();
    let end = match first {
        _ if in_function => u32::MAX,
        Some(first) if !new_statement => first.span.start,
        _ => place.cursor.offset,
    };
    for own in defined(place.db, place.file).iter().filter(|own| own.span.start < end) {
        let resolved = resolved(place.db, place.set, place.file, &own.name);
        let function = resolved.and_then(|(_, found)| match &found.kind {
            DefinedKind::Function(function) => Some(function),
            _ => None,
        });
        let detail = match &own.kind {
            DefinedKind::Loaded { path, .. } => path.clone(),
            _ => String::new(),
        };
        let completion = match function {
            Some(function) => Completion::new(own.name.clone(), CompletionKind::Function, span)
                .documentation(function.documentation.clone())
                .detail(format!("{}({})", own.name, function.parameters.join(", "))),
            None => Completion::new(own.name.clone(), CompletionKind::Variable, span).detail(detail),
        };
        if found.iter().all(|other| other.label != completion.label) {
            found.push(completion);
        }
    }
    found.extend(standard().iter().map(|known| {
        let kind = if known.function { CompletionKind::Function } else { CompletionKind::Keyword };
        let detail = if known.function { known.code.clone() } else { String::new() };
        Completion::new(known.name.clone(), kind, span).detail(detail).documentation(known.documentation.clone())
    }));
}
