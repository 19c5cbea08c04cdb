//! The three engines that must give one answer: the naive reference, the fresh table, and a copy of it read from elsewhere.

use std::collections::BTreeSet;

use policyc_runtime::{Context, Folders, Matching, Table, fold};

use crate::naive::{self, Answer, Match};
use crate::policy::{Policy, position};

/// A policy set with its table opened twice.
pub struct Engines<'p> {
    policy: &'p Policy,
    fresh: Table<'p>,
    moved: Table<'p>,
}

impl<'p> Engines<'p> {
    /// Opens `policy`, whose table is copied to `elsewhere`: to an odd address, so that alignment can't matter.
    ///
    /// # Errors
    /// A sentence, when a table can't be opened or doesn't hold the rules of the policy.
    pub fn new(policy: &'p Policy, elsewhere: &'p mut Vec<u8>) -> Result<Self, String> {
        elsewhere.clear();
        elsewhere.push(0);
        elsewhere.extend_from_slice(policy.table());
        let copy = elsewhere.get(1..).unwrap_or_default();
        let open =
            |bytes| Table::from_bytes(bytes).map_err(|error| format!("the policy's own table is refused: {error}"));
        let engines = Self { policy, fresh: open(policy.table())?, moved: open(copy)? };
        engines.check_rules()?;
        Ok(engines)
    }

    /// The one answer of all engines.
    ///
    /// # Errors
    /// A sentence, when they don't agree.
    pub fn decide(&self, command: &[String], folders: Option<Folders<'_>>) -> Result<Answer, String> {
        let naive = naive::decide(self.policy.declarations(), command, folders);
        for (name, table) in [("fresh table", &self.fresh), ("table copied elsewhere", &self.moved)] {
            let answer = ask(table, command, folders);
            if answer != naive {
                return Err(format!(
                    "the engines differ on {command:?} (folders: {folders:?})\n  naive reference: {naive:?}\n  {name}: {answer:?}"
                ));
            }
        }
        Ok(naive)
    }

    /// The fresh table.
    #[must_use]
    pub const fn table(&self) -> &Table<'p> {
        &self.fresh
    }

    /// Whether the table lists exactly the policy's rules, with where they stand.
    fn check_rules(&self) -> Result<(), String> {
        let mut expected = Vec::new();
        for rule in &self.policy.declarations().prefix_rules {
            let text = self.policy.text(rule.origin.file);
            let (line, column) = position(text, rule.origin.span.start);
            let (first, later) = rule.pattern.split_first().expect("a pattern has at least one element");
            for head in &first.words {
                let mut pattern = vec![vec![head.clone()]];
                // A table holds the later words of rules under canonical matching as they are compared: folded.
                let held = |word: &String| if rule.canonical_matching { fold(word) } else { word.clone() };
                pattern.extend(later.iter().map(|element| as_set(element.words.iter().map(held))));
                expected.push(format!(
                    "{} {pattern:?} {} {:?} canonical={} {}:{line}:{column}",
                    expected.len(),
                    rule.decision,
                    rule.justification,
                    rule.canonical_matching,
                    self.policy.label(rule.origin.file),
                ));
            }
        }
        let held: Vec<String> = self
            .fresh
            .rules()
            .map(|rule| {
                let pattern: Vec<Vec<String>> =
                    rule.pattern().map(|element| as_set(element.words().map(str::to_owned))).collect();
                format!(
                    "{} {pattern:?} {} {:?} canonical={} {}:{}:{}",
                    rule.id(),
                    rule.decision(),
                    rule.justification().map(str::to_owned),
                    rule.canonical_matching(),
                    rule.file(),
                    rule.line(),
                    rule.column(),
                )
            })
            .collect();
        if held == expected {
            return Ok(());
        }
        let difference = held.iter().zip(&expected).find(|(held, expected)| held != expected);
        Err(match difference {
            Some((held, expected)) => {
                format!("the table holds the rule\n  {held}\nwhere the policy says\n  {expected}")
            }
            None => format!("the table holds {} rules where the policy has {}", held.len(), expected.len()),
        })
    }
}

fn as_set(words: impl Iterator<Item = String>) -> Vec<String> {
    words.collect::<BTreeSet<_>>().into_iter().collect()
}

/// What `table` answers.
#[must_use]
pub fn ask(table: &Table<'_>, command: &[String], folders: Option<Folders<'_>>) -> Answer {
    let context = Context { matching: Matching::Reference, resolve_host_executables: folders.is_some(), folders };
    let evaluation = table.decide(command, &context);
    let matches = evaluation
        .matches()
        .map(|found| Match {
            rule: found.rule.id(),
            words: evaluation.words().take(found.length).map(str::to_owned).collect(),
        })
        .collect();
    Answer {
        decision: evaluation.decision(),
        matches,
        program: evaluation.resolved_program().map(|program| program.to_string()),
    }
}
