//! What is allowed and probably not meant: warnings about rules as they stand beside others.

use std::collections::{BTreeMap, HashMap};

use crate::check::failing_example::pattern as shown;
use crate::check::shadowed_rule::{self, Stricter};
use crate::check::{broad_rule, broad_secret, invalid_word};
use crate::db::{run_order, whole_rule_set};
use crate::diagnostics::{Diagnostic, Site};
use crate::eval::evaluate;
use crate::layers;
use crate::rules::{Decision, Element, PrefixRule};
use crate::shipped::PREFIX;
use crate::source::{PolicySet, SourceFile};
use crate::syntax::{Located, Step, line_index, locate};

/// What is odd about the rules of a file; nothing about one that is shipped, which is not the author's to mend.
#[salsa::tracked]
pub fn warnings(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<Diagnostic> {
    if file.label(db).starts_with(PREFIX) {
        return Vec::new();
    }
    let rules = &evaluate(db, set, file).declarations.prefix_rules;
    let lint = Lint { db, set, trusted: layers::is_trusted(db, set, file) };
    let mut warnings = Vec::new();
    for rule in rules {
        lint.words(rule, &mut warnings);
        if rule.decision == Decision::Allow && lint.trusted {
            warnings.extend(lint.broad(rule));
            warnings.extend(lint.shadowed(rule));
        }
    }
    warnings
}

/// For how many plain commands a pattern may stand to be looked at.
const MOST_WAYS: usize = 64;

const PATTERN: Step<'static> = Step::Parameter { name: "pattern", position: Some(0) };

struct Lint<'db> {
    db: &'db dyn salsa::Database,
    set: PolicySet,
    trusted: bool,
}

impl Lint<'_> {
    /// Where a part of the rule's pattern stands.
    fn located(&self, rule: &PrefixRule, items: &[usize]) -> (Site, bool) {
        let steps: Vec<Step<'_>> = [PATTERN].into_iter().chain(items.iter().map(|&item| Step::Item(item))).collect();
        let Located { span, literal } = locate(rule.origin.file.text(self.db), rule.origin.span, &steps);
        (Site::within(&rule.origin, span), literal)
    }

    /// Where a word of an element stands, and whether it is the element.
    fn word(&self, rule: &PrefixRule, index: usize, place: usize) -> (Site, bool) {
        let alone = rule.pattern.get(index).is_some_and(|element| element.len() == 1);
        let (site, literal) = self.located(rule, &[index]);
        let text = site.span.of(site.file.text(self.db));
        if alone && !text.starts_with('[') {
            return (site, literal);
        }
        (self.located(rule, &[index, place]).0, false)
    }

    fn words(&self, rule: &PrefixRule, warnings: &mut Vec<Diagnostic>) {
        for (index, element) in rule.pattern.iter().enumerate() {
            for (place, word) in element.words.iter().enumerate() {
                if index == 0
                    && let Some(oddity) = invalid_word::oddity(word)
                {
                    let (site, replaceable) = self.word(rule, index, place);
                    warnings.push(invalid_word::diagnostic(&site, word, oddity, replaceable));
                }
                if broad_secret::is_secret(word) {
                    warnings.push(broad_secret::diagnostic(&self.word(rule, index, place).0));
                }
            }
        }
    }

    /// The pattern is all of a program that runs something.
    fn broad(&self, rule: &PrefixRule) -> Option<Diagnostic> {
        let programs = running_programs(self.db, self.set);
        if programs.is_empty() || rule.conditions.exact || !rule.conditions.having.is_empty() {
            return None;
        }
        let last = rule.pattern.len().checked_sub(1)?;
        let (way, runs) = ways(&rule.pattern)?.into_iter().find_map(|mut way| {
            let first = way.first_mut()?;
            *first = first.rsplit('/').next().unwrap_or(first);
            let runs = programs.get(&way.join(" "))?;
            Some((way, *runs))
        })?;
        let word = way.last()?;
        let written = &rule.pattern.get(last)?.words;
        let place = written.iter().position(|written| written.rsplit('/').next() == Some(word))?;
        Some(broad_rule::diagnostic(&self.word(rule, last, place).0, &way.join(" "), runs))
    }

    /// Whatever the rule matches, a stricter one does as well.
    fn shadowed(&self, rule: &PrefixRule) -> Option<Diagnostic> {
        let stricter = stricter_rules(self.db, self.set);
        if stricter.is_empty() || rule.canonical_matching {
            return None;
        }
        let mut found = None;
        for way in ways(&rule.pattern)? {
            let mut prefix = String::new();
            let rule = way.iter().find_map(|word| {
                push(&mut prefix, word);
                stricter.get(&prefix)
            });
            found = found.or(Some(rule?));
        }
        let (file, index) = *found?;
        let other = evaluate(self.db, self.set, file).declarations.prefix_rules.get(index)?;
        let file = other.origin.file;
        let line = line_index(self.db, file).position(other.origin.span.start).line;
        let stricter = Stricter {
            pattern: shown(&other.pattern),
            decision: other.decision,
            place: format!("{}:{line}", file.label(self.db)),
        };
        Some(shadowed_rule::diagnostic(&self.located(rule, &[]).0, &shown(&rule.pattern), &stricter))
    }
}

/// The commands that a pattern stands for, if these are few and all plain.
fn ways(pattern: &[Element]) -> Option<Vec<Vec<&str>>> {
    let mut ways: Vec<Vec<&str>> = vec![Vec::new()];
    for element in pattern {
        if !element.matchers.is_empty() || ways.len() * element.words.len() > MOST_WAYS {
            return None;
        }
        ways = match element.words.as_slice() {
            [only] => {
                ways.iter_mut().for_each(|way| way.push(only));
                ways
            }
            words => ways.iter().flat_map(|way| words.iter().map(|word| [way.as_slice(), &[word]].concat())).collect(),
        };
    }
    Some(ways)
}

/// Adds a word to a key that tells words apart.
fn push(key: &mut String, word: &str) {
    key.push_str(word);
    key.push('\0');
}

/// The programs of the whole set that run something, by the words that they are called.
#[salsa::tracked]
fn running_programs(db: &dyn salsa::Database, set: PolicySet) -> BTreeMap<String, broad_rule::Runs> {
    let mut programs = BTreeMap::new();
    for program in whole_rule_set(db, set).programs {
        for way in ways(&program.path).unwrap_or_default() {
            match broad_rule::runs(program) {
                Some(runs) => programs.insert(way.join(" "), runs),
                // A later declaration replaces an earlier one.
                None => programs.remove(&way.join(" ")),
            };
        }
    }
    programs
}

/// For each plain beginning of a command, the first unconditional rule that asks or forbids: its file and its place there.
#[salsa::tracked]
fn stricter_rules(db: &dyn salsa::Database, set: PolicySet) -> HashMap<String, (SourceFile, usize)> {
    let mut stricter = HashMap::new();
    for file in run_order(db, set) {
        for (index, rule) in evaluate(db, set, *file).declarations.prefix_rules.iter().enumerate() {
            let plain = !rule.canonical_matching && rule.conditions.is_empty();
            if rule.decision > Decision::Allow && plain {
                for way in ways(&rule.pattern).unwrap_or_default() {
                    let mut key = String::new();
                    way.iter().for_each(|word| push(&mut key, word));
                    stricter.entry(key).or_insert((*file, index));
                }
            }
        }
    }
    stricter
}
