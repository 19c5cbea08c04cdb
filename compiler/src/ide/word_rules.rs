//! Which rules a word can belong to. The rules are gone through each time: that is sooner done than keeping an index of what
//! changes with every keystroke.

use policyc_runtime::{Context, Folders, Matching, Table};

use super::standing::standing;
use crate::lower::{Place, RuleSet, lower};
use crate::rules::{Conditions, PrefixRule};
use crate::source::{PolicySet, Position, SourceFile};

/// How many rules with matchers are tried on a word.
const MOST_TRIED: usize = 100;

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
    let rules = &standing(db, set, file).declarations.prefix_rules;
    let context = Context {
        matching: Matching::Reference,
        folders: Some(Folders { working: set.working_directory(db), home: set.home(db).as_deref() }),
        ..Context::default()
    };
    let (mut found, mut tried) = (Vec::new(), 0);
    for rule in rules {
        let places = rule
            .pattern
            .iter()
            .enumerate()
            .filter(|(place, _)| before.is_none_or(|before| before.len() == *place && agrees(rule, before)));
        for (place, element) in places {
            let named = element.words.iter().any(|known| known == word);
            let may = !named && !element.matchers.is_empty() && tried < MOST_TRIED;
            tried += usize::from(may);
            if named || may && describes(rule, place, word, &context) {
                found.push(RuleOfWord { rule });
                break;
            }
        }
    }
    found
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
