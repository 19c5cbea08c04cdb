//! Commands that rules match, and random policies for guarded matching over programs that the prelude knows.

use policyc::rules::{Decision, Element, Matcher, PrefixRule};

use crate::policy::File;
use crate::random::Random;
use crate::samples::quote;

/// Words of a command that `rule` matches, unless its exceptions exclude it: of an example, or made from the pattern.
#[must_use]
pub fn command(random: &mut Random, rule: &PrefixRule) -> Vec<String> {
    if !rule.examples.is_empty() && random.one_in(3) {
        return random.pick(&rule.examples).words.clone();
    }
    let required = rule.pattern.iter().chain(&rule.conditions.having);
    let mut words: Vec<String> = required.map(|element| word(random, element)).collect();
    if !rule.conditions.exact && random.one_in(3) {
        words.push((*random.pick(&["x", "src/a.c", "--verbose", "origin", "a b"])).to_owned());
    }
    words
}

/// A word that may stand for `element`.
fn word(random: &mut Random, element: &Element) -> String {
    let place = random.below(element.len());
    if let Some(word) = element.words.get(place) {
        return word.clone();
    }
    match element.matchers.get(place - element.words.len()) {
        Some(Matcher::Glob(pattern)) => instance(pattern),
        Some(Matcher::Path(pattern)) => instance(&pattern.replace("**", "a/b")),
        _ => "anything".to_owned(),
    }
}

/// A text that a glob describes.
fn instance(pattern: &str) -> String {
    let mut text = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '*' => text.push('x'),
            '?' => text.push('y'),
            '\\' => text.extend(characters.next()),
            '[' => {
                let set: String = characters.by_ref().take_while(|one| *one != ']').collect();
                text.extend(set.chars().find(|one| !matches!(one, '!' | '^')));
            }
            plain => text.push(plain),
        }
    }
    text
}

const PROGRAMS: &[(&str, &[&str])] = &[
    ("git", &["push", "status", "log", "commit", "clean"]),
    ("docker", &["ps", "rm", "run", "compose"]),
    ("kubectl", &["get", "delete"]),
    ("npm", &["test", "publish", "run"]),
    ("rm", &["-rf", "-r", "build"]),
    ("cargo", &["test", "publish"]),
    ("mytool", &["get", "set", "drop-all"]),
    ("ls", &["-la", "src"]),
    ("echo", &["git", "x"]),
    ("curl", &["-o", "https://example.com"]),
    ("/opt/bin/deploy", &["now"]),
];

const LATER: &[&str] = &[
    "\"--force\"",
    "\"-f\"",
    "[\"a\", \"b\"]",
    "glob(\"x*\")",
    "any_word()",
    "path(\"~/.ssh/**\")",
    "[\"-n\", glob(\"--dry*\")]",
];

/// A random rule with one of `decisions`, as text.
#[must_use]
pub fn rule(random: &mut Random, decisions: &[Decision]) -> String {
    let (program, subcommands) = *random.pick(PROGRAMS);
    let mut pattern = vec![if random.one_in(20) { "any_word()".to_owned() } else { quote(program) }];
    if !random.one_in(4) {
        pattern.push(match random.below(8) {
            0 => "any_word()".to_owned(),
            1 => format!("[{}, {}]", quote(random.pick::<&str>(subcommands)), quote(random.pick::<&str>(subcommands))),
            2 => "glob(\"*s*\")".to_owned(),
            _ => quote(random.pick::<&str>(subcommands)),
        });
        if random.one_in(4) {
            pattern.push((*random.pick(LATER)).to_owned());
        }
    }
    let decision = random.pick(decisions);
    let mut text = format!("prefix_rule([{}], {:?}", pattern.join(", "), decision.name());
    let exact = random.one_in(8);
    if exact {
        text += ", exact = True";
    }
    if !exact && random.one_in(4) {
        text += &format!(", {} = [{}]", random.pick(&["having", "without"]), random.pick(LATER));
    }
    if !exact && pattern.len() < 3 && random.one_in(10) && *decision > Decision::Allow {
        text += &format!(", unless = [[{}, \"--help\"]]", pattern.join(", "));
    }
    let made_of_words = text.matches('(').count() == 1;
    if random.one_in(12) && made_of_words {
        text += ", canonical_matching = True";
    }
    if *decision == Decision::Allow {
        if random.one_in(8) {
            text += ", env = [\"A\"]";
        }
        if random.one_in(8) {
            text += ", writes = [\"/tmp/**\"]";
        }
    }
    text + ")"
}

/// A random policy of a few such rules.
#[must_use]
pub fn policy(random: &mut Random, decisions: &[Decision]) -> Vec<String> {
    (0..random.between(1, 8)).map(|_| rule(random, decisions)).collect()
}

/// `rules` as a file.
#[must_use]
pub fn file(rules: &[String]) -> File {
    File::new("policy.rules", rules.join("\n") + "\n")
}
