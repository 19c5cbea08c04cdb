//! Which rules a word can belong to.

use std::collections::HashMap;

use policyc_runtime::{Context, Folders, Matching, Table};

use super::standing::standing;
use crate::lower::{Place, RuleSet, lower};
use crate::rules::{Conditions, PrefixRule};
use crate::source::{PolicySet, Position, SourceFile};

/// How many rules with matchers are tried on a word.
const MOST_TRIED: usize = 100;

/// The rules of a file by the words of their patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct WordRules {
    /// Of each word the rules, by their places in the file, and its places in their patterns.
    words: HashMap<String, Vec<(u32, u32)>>,
    /// The elements with matchers: the rule, and the place in its pattern.
    matchers: Vec<(u32, u32)>,
}

#[salsa::tracked]
fn word_rules(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> WordRules {
    let mut known = WordRules::default();
    for (rule, place) in (0..).zip(&standing(db, set, file).declarations.prefix_rules) {
        for (element, at) in (0..).zip(&place.pattern) {
            for word in &element_words(at) {
                known.words.entry((*word).clone()).or_default().push((rule, element));
            }
            if !at.matchers.is_empty() {
                known.matchers.push((rule, element));
            }
        }
    }
    known
}

/// The words of an element, each once.
fn element_words(element: &crate::rules::Element) -> Vec<&String> {
    let mut words: Vec<&String> = element.words.iter().collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// A rule that a word can belong to.
pub(super) struct RuleOfWord<'db> {
    /// The rule.
    pub(super) rule: &'db PrefixRule,
}

/// The rules of a file that `word` can belong to: anywhere in their patterns, or behind the elements `before`, of each of
/// which the words are known that may stand there, or nothing.
pub(super) fn rules_of_word<'db>(
    db: &'db dyn salsa::Database,
    set: PolicySet,
    file: SourceFile,
    word: &str,
    before: Option<&[Option<Vec<String>>]>,
) -> Vec<RuleOfWord<'db>> {
    let known = word_rules(db, set, file);
    let rules = &standing(db, set, file).declarations.prefix_rules;
    let context = Context {
        matching: Matching::Reference,
        folders: Some(Folders { working: set.working_directory(db), home: set.home(db).as_deref() }),
        ..Context::default()
    };
    let named = known.words.get(word).into_iter().flatten().map(|found| (found, false));
    let tried = known.matchers.iter().take(MOST_TRIED).map(|found| (found, true));
    let mut found: Vec<u32> = Vec::new();
    for (&(rule, element), described) in named.chain(tried) {
        let Some(candidate) = rules.get(rule as usize) else { continue };
        let place = element as usize;
        let fits = before.is_none_or(|before| before.len() == place && agrees(candidate, before));
        if fits && !found.contains(&rule) && (!described || describes(candidate, place, word, &context)) {
            found.push(rule);
        }
    }
    found.sort_unstable();
    found.into_iter().filter_map(|rule| rules.get(rule as usize)).map(|rule| RuleOfWord { rule }).collect()
}

/// Whether the elements before a word can be those of the rule: where words are known, one is in both.
fn agrees(rule: &PrefixRule, before: &[Option<Vec<String>>]) -> bool {
    before.iter().zip(&rule.pattern).all(|(words, element)| {
        let common = |words: &Vec<String>| words.iter().any(|word| element.words.contains(word));
        words.as_ref().is_none_or(common) || !element.matchers.is_empty()
    })
}

/// Whether one of the matchers at a place describes the word, as a table of that place alone decides.
fn describes(rule: &PrefixRule, place: usize, word: &str, context: &Context<'_>) -> bool {
    let Some(element) = rule.pattern.get(place) else { return false };
    let alone = PrefixRule {
        pattern: vec![element.clone()],
        conditions: Conditions::default(),
        examples: Vec::new(),
        counterexamples: Vec::new(),
        justification: None,
        origin: rule.origin.clone(),
        ..*rule
    };
    let rules = RuleSet { prefix_rules: vec![&alone], ..RuleSet::default() };
    let bytes = lower(&rules, |_| Place { file: "", position: Position { line: 1, column: 1 }, layer: 0 });
    Table::from_bytes(&bytes).is_ok_and(|table| table.decide(&[word], context).decision().is_some())
}
