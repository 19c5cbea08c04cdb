//! A rule in words.

use crate::rules::{Decision, Element, Matcher, PrefixRule};

/// What a rule matches, as typed, in one sentence of Markdown.
pub(super) fn matched(rule: &PrefixRule) -> String {
    let conditions = &rule.conditions;
    let mut said = format!("commands that begin with {}", pattern(&rule.pattern));
    if conditions.exact {
        said.push_str(", without any further word");
    }
    for element in &conditions.having {
        said.push_str(&format!(", with {} among the words after that", alternatives(element)));
    }
    for element in &conditions.without {
        said.push_str(&format!(", without {} among the words after that", alternatives(element)));
    }
    if !conditions.unless.is_empty() {
        let patterns: Vec<String> = conditions.unless.iter().map(|elements| pattern(elements)).collect();
        said.push_str(&format!("; not those that begin with {}", patterns.join(", or with ")));
    }
    if rule.canonical_matching {
        said.push_str("; letter case and the composition of accents make no difference");
    }
    said
}

/// How guarded matching reads commands for a rule, beyond as typed.
pub(super) fn guarded(rule: &PrefixRule, harmless: &[&str], paths: &[String]) -> String {
    if rule.decision > Decision::Allow {
        return "also by any path of the program, with options in front of a word, with variables set, behind what runs \
                it such as `sudo` or `xargs`, and inside shell text; what only the run can know counts as well"
            .to_owned();
    }
    let list = |items: &[&str]| {
        let shown: Vec<String> = items.iter().take(MOST).map(|item| code(item)).collect();
        let more = if items.len() > MOST { ", …" } else { "" };
        format!("{}{more}", shown.join(", "))
    };
    let mut said = match harmless {
        [] => "with no option in front of a word".to_owned(),
        _ => format!("also with options in front of a word that are declared harmless ({})", list(harmless)),
    };
    match paths {
        [] => said.push_str(", by its name alone"),
        _ => said.push_str(&format!(", also as {}", list(&paths.iter().map(String::as_str).collect::<Vec<_>>()))),
    }
    let named = |names: &[String], what: &str| {
        if names.is_empty() {
            String::new()
        } else {
            format!("{what}{}", list(&names.iter().map(String::as_str).collect::<Vec<_>>()))
        }
    };
    said.push_str(", with inert variables");
    said.push_str(&named(&rule.conditions.env, " and "));
    said.push_str(&named(&rule.conditions.writes, ", writing to "));
    said.push_str("; what is in doubt is asked about");
    said
}

/// How many names are listed.
const MOST: usize = 8;

/// The words of a pattern, one place after the other.
fn pattern(elements: &[Element]) -> String {
    elements.iter().map(alternatives).collect::<Vec<_>>().join(" ")
}

fn alternatives(element: &Element) -> String {
    let words = element.words.iter().map(|word| code(word));
    let matchers = element.matchers.iter().map(|matcher| match matcher {
        Matcher::AnyWord => "any word".to_owned(),
        Matcher::Glob(pattern) => format!("a word like {}", code(pattern)),
        Matcher::Path(pattern) => format!("a path in {}", code(pattern)),
    });
    let mut all: Vec<String> = words.chain(matchers).collect();
    if all.len() > 2 * MOST {
        let rest = all.len() - MOST;
        all.truncate(MOST);
        all.push(format!("one of {rest} more"));
    }
    match all.as_slice() {
        [only] => only.clone(),
        [first @ .., last] => format!("({} or {last})", first.join(", ")),
        [] => String::new(),
    }
}

/// Text as Markdown shows it letter by letter.
pub(super) fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let ticks = if text.contains('`') { "``" } else { "`" };
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}
