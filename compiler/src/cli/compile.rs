//! From the paths of the command line to everything that is known about their policy.

use policyc::db::{self, Database};
use policyc::diagnostics::{Diagnostic, Severity};
use policyc::eval;
use policyc::lower::RuleSet;
use policyc::shipped::PREFIX;

use super::files::{self, Found};
use super::progress::Progress;
use super::remainder::{self, Remainder};
use super::sources::Sources;

/// A policy set and what is wrong with it.
pub(super) struct Compiled {
    pub(super) db: Database,
    pub(super) found: Found,
    /// First what kept files from being read, then the mistakes in those that were.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Compiled {
    pub(super) fn new(sources: &Sources, progress: &Progress) -> Self {
        let db = Database::default();
        let found = files::find(&db, sources, &|label| progress.stage("reading", label));
        // The database keeps what each file declared: asking one by one only serves to say where the time goes.
        for file in found.set.files(&db) {
            progress.stage("evaluating", file.label(&db));
            let _ = eval::evaluate(&db, found.set, *file);
        }
        progress.stage("testing the examples", "");
        let mut diagnostics = found.mistakes.clone();
        diagnostics.extend(db::diagnostics(&db, found.set).iter().cloned());
        Self { db, found, diagnostics }
    }

    pub(super) fn number(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    pub(super) fn files(&self) -> usize {
        self.found.files.iter().filter(|file| !file.label(&self.db).starts_with(PREFIX)).count()
    }

    fn rule_set(&self) -> RuleSet<'_> {
        let files = db::run_order(&self.db, self.found.set);
        db::rule_set(&self.db, self.found.set, files.iter().copied())
    }

    /// Rules of every kind, and rows of what commands do.
    pub(super) fn rules(&self) -> usize {
        let rules = self.rule_set();
        rules.prefix_rules.len() + rules.network_rules.len() + rules.tool_rules.len() + rules.commands.len()
    }

    pub(super) fn examples(&self) -> usize {
        let set = self.rule_set();
        let rules = set.prefix_rules.into_iter().chain(set.commands.into_iter().map(|command| &command.rule));
        rules.map(|rule| rule.examples.len() + rule.counterexamples.len()).sum()
    }

    /// The decision table, unless there are errors.
    pub(super) fn table(&self) -> Option<&[u8]> {
        (self.number(Severity::Error) == 0).then(|| db::table(&self.db, self.found.set).as_slice())
    }
}

impl Compiled {
    /// The decision table, with `keep_going` also of what is left when the files that fail allow nothing; that is then
    /// said. Otherwise nothing, with the reason if one was asked for.
    pub(super) fn table_of_rest(&self, keep_going: bool) -> (Option<&[u8]>, Option<Remainder>) {
        if let Some(table) = self.table() {
            return (Some(table), None);
        }
        if !keep_going {
            return (None, None);
        }
        let remainder = remainder::of(self);
        let table = match &remainder {
            Remainder::Usable { set, .. } => Some(db::table(&self.db, *set).as_slice()),
            Remainder::Refused(_) => None,
        };
        (table, Some(remainder))
    }
}

/// `1 file`, `2 files`.
pub(super) fn count(number: usize, what: &str) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(0, "file"), "0 files");
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(999, "rule"), "999 rules");
        assert_eq!(count(1234567, "byte"), "1,234,567 bytes");
    }
}
