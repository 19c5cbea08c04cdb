//! Allows that a stricter rule leaves without effect.

use std::collections::HashMap;

use super::{Lint, ways};
use crate::check::failing_example::pattern as shown;
use crate::check::shadowed_rule::{self, Stricter};
use crate::db::run_order;
use crate::diagnostics::{Diagnostic, Edit};
use crate::eval::evaluate;
use crate::rules::{Decision, Origin, PrefixRule};
use crate::shipped::PREFIX;
use crate::source::{PolicySet, SourceFile};
use crate::syntax::{Step, insertion, line_index, locate, statement_removal};

impl Lint<'_> {
    /// Whatever the rule matches, a stricter one does as well.
    pub(super) fn shadowed(&self, rule: &PrefixRule) -> Option<Diagnostic> {
        let stricter = stricter_rules(self.db, self.set);
        if stricter.is_empty() || rule.canonical_matching {
            return None;
        }
        let mut found: Vec<&(SourceFile, usize)> = Vec::new();
        for way in ways(&rule.pattern)? {
            let mut prefix = String::new();
            let rule = way.iter().find_map(|word| {
                push(&mut prefix, word);
                stricter.get(&prefix)
            })?;
            if !found.contains(&rule) {
                found.push(rule);
            }
        }
        let (file, index) = **found.first()?;
        let other = evaluate(self.db, self.set, file).declarations.prefix_rules.get(index)?;
        let file = other.origin.file;
        let line = line_index(self.db, file).position(other.origin.span.start).line;
        let exact = rule.conditions.exact;
        let stricter = Stricter {
            pattern: shown(&other.pattern),
            decision: other.decision,
            place: format!("{}:{line}", file.label(self.db)),
            others: found.len() - 1,
            exceptable: !exact && rule.conditions.having.is_empty() && rule.conditions.without.is_empty(),
        };
        let diagnostic = shadowed_rule::diagnostic(&self.located(rule, &[]).0, &shown(&rule.pattern), &stricter);
        let except = if found.len() == 1 && stricter.exceptable {
            self.except(&other.origin, &shown(&rule.pattern))
        } else {
            None
        };
        Some(shadowed_rule::mended(diagnostic, self.gone(&rule.origin), except))
    }

    /// The declaration at `origin` goes, if it is a statement at top level.
    fn gone(&self, origin: &Origin) -> Option<Edit> {
        let text = origin.file.text(self.db);
        let removed = origin.stack.is_empty().then(|| statement_removal(text, origin.span)).flatten()?;
        Some(Edit { file: origin.file, span: removed, text: String::new() })
    }

    /// The rule at `origin` is not about commands like `pattern`.
    fn except(&self, origin: &Origin, pattern: &str) -> Option<Edit> {
        let text = origin.file.text(self.db);
        let own = origin.stack.is_empty() && !origin.file.label(self.db).starts_with(PREFIX);
        let unless = Step::Parameter { name: "unless", position: None };
        let exceptions = locate(text, origin.span, &[unless]).span;
        // An escape of the engine's own is none of the language's.
        let (span, text) = if !own || pattern.contains("\\u{") {
            None
        } else if exceptions == origin.span {
            insertion(text, origin.span, &format!("unless = [{pattern}]"))
        } else {
            insertion(text, exceptions, pattern)
        }?;
        Some(Edit { file: origin.file, span, text })
    }
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

/// Adds a word to a key that tells words apart.
fn push(key: &mut String, word: &str) {
    key.push_str(word);
    key.push('\0');
}
