//! All rules that a word can belong to, and what is declared of the program that it names.

use super::{Asking, RULER};
use crate::db::standing_order;
use crate::ide::cursor::CallAt;
use crate::ide::phrase::code;
use crate::ide::vocabulary::{Known, known};
use crate::ide::word_rules::{RuleOfWord, rules_of_word};

/// How many rules are listed.
const MOST_RULES: usize = 20;

/// How many options are listed.
const MOST_OPTIONS: usize = 40;

/// What there is to know of a word in a pattern or, where no pattern is written, anywhere in one.
pub(super) fn word(place: &Asking<'_>, call: Option<&CallAt<'_>>, word: &str) -> Option<String> {
    let before = call.and_then(before);
    let mut rules: Vec<RuleOfWord<'_>> = Vec::new();
    for file in standing_order(place.db, place.set) {
        rules.extend(rules_of_word(place.db, place.set, *file, word, before.as_deref()));
    }
    let parts = [listed(place, word, before.as_deref(), &rules), program(place, word, before.as_deref())];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(RULER))
}

/// The elements in front of the word; none if the call says nothing of where in a pattern it stands.
fn before(call: &CallAt<'_>) -> Option<Vec<Option<Vec<String>>>> {
    match (call.signature()?.builtin, call.parameter()?, call.path.as_slice()) {
        ("prefix_rule", "pattern", [_] | [_, _]) | ("program", "path", [_] | [_, _]) => Some(call.before(0).0),
        ("prefix_rule", "unless", [_, _] | [_, _, _]) => Some(call.before(1).0),
        ("program", "path", []) | ("host_executable", "name", []) => Some(Vec::new()),
        _ => None,
    }
}

fn listed(
    place: &Asking<'_>,
    word: &str,
    before: Option<&[Option<Vec<String>>]>,
    rules: &[RuleOfWord<'_>],
) -> Option<String> {
    if rules.is_empty() {
        return None;
    }
    let plural = if rules.len() == 1 { "rule" } else { "rules" };
    let after = before.map(words_before).filter(|before| !before.is_empty());
    let after = after.map_or(String::new(), |before| format!(" after {}", code(&before)));
    let mut text = format!("{}{after}: {} {plural}\n", code(word), rules.len());
    for RuleOfWord { rule, .. } in rules.iter().take(MOST_RULES) {
        let pattern = crate::check::failing_example::pattern(&rule.pattern);
        let origin = &rule.origin;
        let line = crate::syntax::line_index(place.db, origin.file).position(origin.span.start).line;
        let label = origin.file.label(place.db);
        text.push_str(&format!("\n- **{}** {}  {label}:{line}", rule.decision, code(&shortened(&pattern))));
    }
    if rules.len() > MOST_RULES {
        text.push_str(&format!("\n- and {} more", rules.len() - MOST_RULES));
    }
    Some(text)
}

/// What is declared of the program or subcommand that ends in the word, or of the option that it is.
fn program(place: &Asking<'_>, word: &str, before: Option<&[Option<Vec<String>>]>) -> Option<String> {
    let before = before?;
    let above = known(place.db, place.set, before);
    let (start, above) = above.innermost();
    let option = above.option(word).filter(|_| word.starts_with(['-', '+', '/']));
    if let Some(option) = option {
        let text = if option.text.is_empty() { "nothing is said of it" } else { option.text.as_str() };
        return Some(format!("option {} of {}: {text}", code(word), code(&words_before(before.get(start..)?))));
    }
    let elements: Vec<Option<Vec<String>>> = before.iter().cloned().chain([Some(vec![word.to_owned()])]).collect();
    let known = known(place.db, place.set, &elements);
    let (start, known) = known.innermost();
    let name = words_before(elements.get(start..)?);
    known.declared().then(|| declared(&name, known))
}

fn declared(name: &str, known: &Known<'_>) -> String {
    let options = known.options();
    let mut text = format!("program {}", code(name));
    let subcommands = known.subcommands();
    if !subcommands.is_empty() {
        let names: Vec<String> = subcommands.iter().take(MOST_OPTIONS).map(|name| code(name)).collect();
        let more = if subcommands.len() > MOST_OPTIONS { ", …" } else { "" };
        text.push_str(&format!("\n\nsubcommands: {}{more}", names.join(", ")));
    }
    if options.is_empty() {
        return text + "\n\nno options are declared: an allow stops at any";
    }
    text.push_str("\n\ndeclared options:\n");
    for (name, option) in options.iter().take(MOST_OPTIONS) {
        let said = if option.text.is_empty() { String::new() } else { format!(": {}", option.text) };
        text.push_str(&format!("\n- {}{said}", code(name)));
    }
    if options.len() > MOST_OPTIONS {
        text.push_str(&format!("\n- and {} more", options.len() - MOST_OPTIONS));
    }
    text
}

/// The first alternatives of some elements, as a shell line.
fn words_before(elements: &[Option<Vec<String>>]) -> String {
    let first = |element: &Option<Vec<String>>| {
        let first = element.as_ref().and_then(|words| words.first().cloned());
        first.unwrap_or_else(|| "…".to_owned())
    };
    elements.iter().map(first).collect::<Vec<_>>().join(" ")
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
