//! What may be written in a string: words of patterns and of commands, values, and paths of loads.

use std::collections::BTreeMap;

use super::{Asking, Completion, CompletionKind, command, paths};
use crate::eval::choices;
use crate::ide::cursor::CallAt;
use crate::ide::language::{Parameter, described};
use crate::ide::vocabulary::{Known, Word, known, known_command};
use crate::source::Span;

/// What may be written in the string at the place.
pub(super) fn in_string(place: &Asking<'_>) -> Vec<Completion> {
    let (Some((typed, content)), Some(call)) = (place.cursor.string(), place.cursor.call()) else { return Vec::new() };
    if call.name() == "load" {
        return match call.argument() {
            (0, None) => paths::paths(place, &typed, content),
            _ => paths::names(place, &call, content),
        };
    }
    let (Some(signature), Some(parameter)) = (call.signature(), call.parameter()) else { return Vec::new() };
    match (signature.builtin, parameter, call.path.as_slice()) {
        ("prefix_rule", "match" | "not_match", [_]) | ("expect", "request", []) => command::text(place, content),
        (_, _, []) if !choices(signature.builtin, parameter).is_empty() => {
            chosen(signature.builtin, parameter, content)
        }
        _ => {
            // What is typed there is among the words of the rule itself, and no news.
            let whole = content.of(place.file.text(place.db));
            let words = of_parameter(place, &call).into_iter();
            let news = |word: &Completion| word.kind != CompletionKind::Word || word.label != whole;
            words.filter(news).map(|word| Completion { span: content, ..word }).collect()
        }
    }
}

fn chosen(builtin: &str, parameter: &str, span: Span) -> Vec<Completion> {
    let documentation = described(builtin).and_then(|described| described.parameter(parameter));
    let documentation = documentation.map(Parameter::markdown).unwrap_or_default();
    let value = |choice| Completion::new(choice, CompletionKind::Value, span).documentation(&*documentation);
    choices(builtin, parameter).into_iter().map(value).collect()
}

/// The words that may stand at the place as part of the parameter.
pub(super) fn of_parameter(place: &Asking<'_>, call: &CallAt<'_>) -> Vec<Completion> {
    let (Some(signature), Some(parameter)) = (call.signature(), call.parameter()) else { return Vec::new() };
    let words = |elements: &[Option<Vec<String>>]| known(place.db, place.set, elements);
    let next = |depth: usize| {
        let (before, others) = call.before(depth);
        listed(&words(&before).next(), &others)
    };
    match (signature.builtin, parameter, call.path.as_slice()) {
        ("prefix_rule", "pattern", [_] | [_, _]) | ("program", "path", [_] | [_, _]) => next(0),
        ("prefix_rule", "unless", [_, _] | [_, _, _]) => next(1),
        ("program", "path", []) | ("host_executable", "name", []) => listed(&words(&[]).next(), &[]),
        ("prefix_rule", "having" | "without", [_] | [_, _]) => {
            let pattern = call.elements_of("pattern", 0);
            listed(&words(&pattern).anywhere(), &call.before(0).1)
        }
        ("prefix_rule", "match" | "not_match", [_, _]) => command_words(place, call, 1),
        ("expect", "request", [_]) => command_words(place, call, 0),
        _ => Vec::new(),
    }
}

/// The words that may follow those of a command that is written as a list.
fn command_words(place: &Asking<'_>, call: &CallAt<'_>, depth: usize) -> Vec<Completion> {
    let (before, _) = call.before(depth);
    let before: Option<Vec<String>> = before.into_iter().map(|word| word?.into_iter().next()).collect();
    before.map_or_else(Vec::new, |before| of_known(&known_command(place.db, place.set, &before)))
}

/// The words that may stand next in a command: of options, those in front of a subcommand as well.
pub(super) fn of_known(known: &Known<'_>) -> Vec<Completion> {
    listed(&known.next(), &[])
}

/// The words, without those that stand there already: programs and subcommands first, then words of rules, then options.
fn listed(words: &BTreeMap<&str, Word>, others: &[String]) -> Vec<Completion> {
    let words = words.iter().filter(|(name, _)| !others.iter().any(|other| other == *name));
    let mut listed: Vec<Completion> = words.map(|(name, word)| completion(name, word)).collect();
    listed.sort_by_key(|completion| match completion.kind {
        CompletionKind::Program => 0,
        CompletionKind::Word => 1,
        _ => 2,
    });
    listed
}

fn completion(name: &str, word: &Word) -> Completion {
    let (kind, detail) = match (&word.option, word.declared) {
        (Some(text), _) => (CompletionKind::Option, text.as_str()),
        (None, true) if word.in_rules => (CompletionKind::Program, "declared, and in rules"),
        (None, true) => (CompletionKind::Program, "declared"),
        (None, false) => (CompletionKind::Word, "in rules"),
    };
    Completion::new(name, kind, Span::default()).detail(detail)
}
