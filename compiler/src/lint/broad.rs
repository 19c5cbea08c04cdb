//! Allows that leave open what runs.

use std::collections::BTreeMap;

use super::known::{Known, known_programs};
use super::{Lint, ways};
use crate::check::broad_rule::{self, Runs, Why};
use crate::diagnostics::Diagnostic;
use crate::rules::{Conditions, Matcher, PrefixRule};

impl Lint<'_> {
    /// What the pattern leaves open is what runs, or it leaves everything open.
    pub(super) fn broad(&self, rule: &PrefixRule) -> Option<Diagnostic> {
        let programs = known_programs(self.db, self.set);
        if rule.conditions.exact || !rule.conditions.having.is_empty() {
            return None;
        }
        let said = rule.pattern.iter().rposition(|element| !element.matchers.iter().any(describes_all));
        let Some(last) = said else {
            let limited = !rule.conditions.without.is_empty() || !rule.conditions.unless.is_empty();
            return (!limited).then(|| broad_rule::everything(&self.located(rule, &[0]).0));
        };
        let broad = ways(rule.pattern.get(..=last)?)?.into_iter().filter_map(|way| {
            let word = way.last().copied()?;
            let (name, why) = open(programs, &way, &rule.conditions)?;
            Some((name, why, rule.pattern.get(last)?.words.iter().position(|it| it == word)?))
        });
        let broad: Vec<_> = broad.collect();
        let ((name, why, place), others) = broad.split_first()?;
        let others: Vec<&str> = others.iter().map(|(name, ..)| name.as_str()).filter(|other| other != name).collect();
        Some(broad_rule::diagnostic(&self.word(rule, last, *place).0, name, why, &others))
    }
}

/// Whether every word is described, as that of a program.
fn describes_all(matcher: &Matcher) -> bool {
    match matcher {
        Matcher::AnyWord => true,
        Matcher::Glob(pattern) => !pattern.is_empty() && pattern.chars().all(|character| character == '*'),
        Matcher::Path(pattern) => matches!(pattern.as_str(), "/**" | "**"),
    }
}

/// What a command of the words `way` leaves open for its program to run: that part of it, and why.
fn open(programs: &BTreeMap<String, Known>, way: &[&str], conditions: &Conditions) -> Option<(String, Why)> {
    let (first, words) = way.split_first()?;
    let first = first.rsplit('/').next().unwrap_or(first);
    let unknown = Known::default();
    let (mut path, mut program) = (first.to_owned(), programs.get(first).unwrap_or(&unknown));
    let shown = [&[first], words].concat().join(" ");
    let mut operands = 0;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Some(option) = program.option(word) {
            match (option.value, words.len()) {
                // The value is what runs, and it is not said.
                (true, 0) => return option.runs.map(|runs| (shown, Why::Runs(runs))),
                (true, _) if option.runs.is_some() => return None,
                (true, _) => drop(words.next()),
                (false, _) if option.runs.is_none() => {}
                (false, 0) => return option.runs.map(|runs| (shown, Why::Runs(runs))),
                (false, _) => return None,
            }
        } else if word.starts_with('-') {
            return None;
        } else if let Some(subcommand) = programs.get(&format!("{path} {word}")).filter(|_| operands == 0) {
            path = format!("{path} {word}");
            program = subcommand;
        } else if !(program.assignments && word.contains('=')) {
            operands += 1;
        }
    }
    if let Some(runs) = program.runs {
        return (operands <= program.skip && (operands > 0 || program.skip == 0 || words.len() == 0))
            .then_some((shown, Why::Runs(runs)));
    }
    if operands > 0 || !conditions.without.is_empty() || path != shown {
        return None;
    }
    let commands = program.options.iter().filter(|(_, option)| matches!(option.runs, Some(Runs::Command | Runs::Text)));
    let commands: Vec<String> = commands.map(|(name, _)| name.clone()).collect();
    // Of a subcommand, an option that runs something is an exception, not what it is for.
    if !commands.is_empty() && !path.contains(' ') {
        return Some((shown, Why::Options(commands)));
    }
    let below = format!("{path} ");
    let mut subcommands = programs.range(below.clone()..).take_while(|(name, _)| name.starts_with(&below));
    let (subcommand, runs) = subcommands.find_map(|(name, program)| Some((name.clone(), program.runs?)))?;
    Some((shown, Why::Subcommand(subcommand, runs)))
}
