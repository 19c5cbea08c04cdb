//! Which expectations a rule is hit by.

use std::collections::HashMap;
use std::iter::repeat_n;

use policyc_runtime::ShellKind;

use super::Place;
use super::answer::Judge;
use crate::db::{rule_set, run_order, standing_order};
use crate::eval::evaluate;
use crate::rules::Request;
use crate::source::{PolicySet, SourceFile};

/// A rule: the file whose run declared it, and its place among the rules of that.
pub(super) type RuleKey = (SourceFile, usize);

/// The calls of the expectations that each rule of the set matches, in order. Rules that none hits are left out.
#[salsa::tracked]
pub(super) fn expectation_hits(db: &dyn salsa::Database, set: PolicySet) -> HashMap<RuleKey, Vec<Place>> {
    let order = standing_order(db, set);
    // What the last good text of a file says is said of the file.
    let current: HashMap<&str, SourceFile> =
        run_order(db, set).iter().map(|file| (file.label(db).as_str(), *file)).collect();
    let declared = || order.iter().flat_map(|file| &evaluate(db, set, *file).declarations.expectations);
    let expectations = || declared().filter(|expectation| expectation.is_of_rules());
    let mut hits: HashMap<RuleKey, Vec<Place>> = HashMap::new();
    if expectations().next().is_none() {
        return hits;
    }
    let Some(judge) = Judge::new(db, set) else { return hits };
    let keys = keys(db, set, order);
    for expectation in expectations() {
        let ran = expectation.origin.file;
        let file = current.get(ran.label(db).as_str()).copied().unwrap_or(ran);
        let place = Place { file, span: expectation.origin.span };
        let answers = match &expectation.request {
            Request::Text(text) => judge.answers(policyc_runtime::Request::text(text, ShellKind::default())),
            Request::Command(words) => judge.answers(words.into()),
            Request::Tool(_) | Request::Network(..) => continue,
        };
        let matches = answers.commands.iter().flat_map(|command| &command.matches).filter(|found| found.counts);
        for key in matches.filter_map(|found| keys.get(found.rule.id() as usize)) {
            let places = hits.entry(*key).or_default();
            if places.last() != Some(&place) {
                places.push(place);
            }
        }
    }
    hits
}

/// The rules by their numbers in the table: each once for each of its heads, without those that their layer may not declare.
fn keys(db: &dyn salsa::Database, set: PolicySet, order: &[SourceFile]) -> Vec<RuleKey> {
    let counting = rule_set(db, set, order.iter().copied()).prefix_rules;
    let mut counting = counting.into_iter().peekable();
    let mut keys = Vec::new();
    for file in order {
        for (index, rule) in evaluate(db, set, *file).declarations.prefix_rules.iter().enumerate() {
            if counting.next_if(|next| std::ptr::eq(*next, rule)).is_some() {
                keys.extend(repeat_n((*file, index), rule.pattern.first().map_or(0, |heads| heads.len())));
            }
        }
    }
    keys
}
