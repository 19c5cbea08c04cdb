//! The smallest rule that would allow a command which no rule is about.
//!
//! It is found by asking: a table of that rule alone, with what is known of variables and program paths, is asked about
//! the same text or command, and what it doubts is written into the rule.

use crate::check::broad_secret::is_secret;
use crate::db::Database;
use crate::lower::{Place, RuleSet, lower};
use crate::rules::{Conditions, Decision, Element, HostExecutable, InertEnv, Origin, PrefixRule};
use crate::source::{Position, SourceFile, Span};
use policyc_runtime::{Answers, CommandAnswer, Context, Doubt, Request, Table, TextAnswer};

use super::literal;

/// A longer rule helps nobody.
const LONGEST: usize = 1_000;
/// A longer text takes too long to judge once more for each of its commands.
const LONGEST_TEXT: usize = 16 << 10;

/// The rule as policy text; nothing if no rule can allow the command.
pub fn rule(
    table: &Table<'_>,
    context: &Context<'_>,
    answers: &Answers<'_>,
    command: &CommandAnswer<'_>,
) -> Option<String> {
    let words: Vec<String> =
        command.words.iter().take_while(|word| !word.dynamic).map(|word| word.text.clone()).collect();
    let (first, rest) = words.split_first()?;
    // A rule must not be wider than it looks, keep a secret, or be about a program that there cannot be.
    let open = words.len() < command.words.len();
    if first.is_empty()
        || one_word(first)
        || open && rest.is_empty() && has_subcommands(table, first)
        || words.iter().any(|word| is_secret(word))
    {
        return None;
    }
    // What is left of a command if its program becomes nothing is none that anybody meant.
    if command.place.is_none() && command.inside.is_none() && !answers.texts.is_empty() {
        return None;
    }
    if words.iter().map(String::len).sum::<usize>() > LONGEST {
        return None;
    }
    let text = command.place.and_then(|(text, _)| answers.texts.get(text)).or(answers.texts.first());
    if text.is_some_and(|text| text.problem.is_some()) {
        return None;
    }
    let written = |words: &[String], conditions: &Conditions| {
        let rule = written(words, conditions);
        if open { format!("{rule}  # whatever follows") } else { rule }
    };
    if text.is_some_and(|text| text.text.len() > LONGEST_TEXT) {
        return None;
    }
    if nothing_around(text, command) {
        return Some(written(&words, &Conditions::default()));
    }
    let db = Database::default();
    let file = SourceFile::new(&db, String::new(), String::new());
    let origin = Origin { file, span: Span::default(), stack: Vec::new() };
    let mut rule = PrefixRule {
        pattern: words.iter().map(|word| Element::of(vec![word.clone()])).collect(),
        decision: Decision::Allow,
        justification: None,
        canonical_matching: false,
        examples: Vec::new(),
        counterexamples: Vec::new(),
        conditions: Conditions::default(),
        origin: origin.clone(),
    };
    let inert = InertEnv { names: table.inert_variables().map(str::to_owned).collect(), origin: origin.clone() };
    let executables: Vec<_> = table
        .host_executables()
        .map(|executable| HostExecutable {
            name: executable.name().to_owned(),
            paths: executable.paths().map(str::to_owned).collect(),
            origin: origin.clone(),
        })
        .collect();
    // Once to see what is in doubt, and once more to see that nothing is left.
    for _ in 0..2 {
        let rules = RuleSet {
            prefix_rules: vec![&rule],
            inert_env: vec![&inert],
            host_executables: executables.iter().collect(),
            ..RuleSet::default()
        };
        let place = |_: &Origin| Place { file: "", position: Position { line: 1, column: 1 }, layer: 0 };
        let bytes = lower(&rules, place);
        let alone = Table::from_bytes(&bytes).ok()?;
        let judged = match command.place.and_then(|(text, _)| answers.texts.get(text)) {
            Some(text) => alone.decide(Request::text(&text.text, text.kind), context).answers(),
            None => {
                let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
                alone.decide(&words, context).answers()
            }
        };
        let span = command.place.map(|(_, span)| span);
        let same =
            |found: &&CommandAnswer<'_>| found.place.map(|(_, span)| span) == span && found.words == command.words;
        let found = judged.commands.iter().find(same);
        let found = found.or_else(|| judged.commands.first().filter(|_| span.is_none()))?;
        if found.decision == Some(Decision::Allow) {
            return Some(written(&words, &rule.conditions));
        }
        for doubt in &found.doubts {
            match doubt {
                Doubt::Variable { name } => rule.conditions.env.push(name.clone()),
                Doubt::Write { target } => rule.conditions.writes.push(target.clone()),
                _ => return None,
            }
        }
    }
    None
}

/// Whether what a program does is said by a word after it.
fn has_subcommands(table: &Table<'_>, program: &str) -> bool {
    let paths = table.programs().into_iter().flat_map(|known| known.names);
    paths.into_iter().any(|path| path.len() > 1 && path.first() == Some(&program))
}

/// Whether the name of a program has a blank in it: most often several words were meant.
pub fn one_word(program: &str) -> bool {
    program.contains(char::is_whitespace) && !program.contains(['/', '\\'])
}

/// Whether there is nothing but plain words to judge: no variable, redirect, path or character in disguise.
fn nothing_around(text: Option<&TextAnswer>, command: &CommandAnswer<'_>) -> bool {
    let plain = |text: &str| text.is_ascii() && !text.contains(['>', '=', '\0']);
    command.words.iter().all(|word| plain(&word.text)) && text.is_none_or(|text| plain(&text.text))
}

fn written(words: &[String], conditions: &Conditions) -> String {
    let list = |words: &[String]| literal::list(words.iter().map(String::as_str));
    let mut rule = format!("prefix_rule(pattern = {}, decision = \"allow\"", list(words));
    for (name, values) in [("env", &conditions.env), ("writes", &conditions.writes)] {
        if !values.is_empty() {
            rule += &format!(", {name} = {}", list(values));
        }
    }
    rule + ")"
}
