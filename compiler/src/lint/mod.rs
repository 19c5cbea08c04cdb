//! What is allowed and probably not meant: warnings about rules as they stand beside others.

mod broad;
mod known;
mod programs;
mod shadowed;
mod words;

use crate::diagnostics::{Diagnostic, Site};
use crate::eval::evaluate;
use crate::layers;
use crate::rules::{Decision, Element, PrefixRule};
use crate::shipped::PREFIX;
use crate::source::{PolicySet, SourceFile};
use crate::syntax::{Located, Step, locate};

/// What is odd about the rules of a file; nothing about one that is shipped, which is not the author's to mend.
#[salsa::tracked]
pub fn warnings(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<Diagnostic> {
    if file.label(db).starts_with(PREFIX) {
        return Vec::new();
    }
    let declarations = &evaluate(db, set, file).declarations;
    let lint = Lint { db, set, trusted: layers::is_trusted(db, set, file) };
    let mut warnings = Vec::new();
    for command in &declarations.commands {
        lint.words(&command.rule, &mut warnings);
        lint.texts(&command.rule, &mut warnings);
    }
    if lint.trusted {
        declarations.programs.iter().for_each(|program| lint.program(program, &mut warnings));
    }
    for rule in &declarations.prefix_rules {
        lint.words(rule, &mut warnings);
        lint.texts(rule, &mut warnings);
        if rule.decision == Decision::Allow && lint.trusted {
            warnings.extend(lint.broad(rule));
            warnings.extend(lint.shadowed(rule));
        }
    }
    warnings
}

/// For how many plain commands a pattern may stand to be looked at.
const MOST_WAYS: usize = 256;

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

    /// Where a word of an element stands, whether a literal shows it there, and whether it is the element.
    fn word(&self, rule: &PrefixRule, index: usize, place: usize) -> (Site, bool, bool) {
        let alone = rule.pattern.get(index).is_some_and(|element| element.len() == 1);
        let (site, literal) = self.located(rule, &[index]);
        let text = site.span.of(site.file.text(self.db));
        if alone && !text.starts_with('[') {
            return (site, literal, true);
        }
        let (site, literal) = self.located(rule, &[index, place]);
        (site, literal, false)
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

#[cfg(test)]
mod tests;
