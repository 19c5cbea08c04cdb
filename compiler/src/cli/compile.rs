//! From the paths of the command line to everything that is known about their policy.

use policyc::config::Config;
use policyc::db::{self, Database};
use policyc::diagnostics::{Diagnostic, Severity};
use policyc::eval;
use policyc::lower::RuleSet;
use policyc::shipped::PREFIX;

use super::progress::Progress;
use super::remainder::{self, Remainder};
use super::sources::Chosen;
use policyc::workspace::{self, Disk, Found, Kept};

/// A policy set and what is wrong with it.
pub(super) struct Compiled {
    pub(super) db: Database,
    pub(super) found: Found,
    /// What the configuration says.
    pub(super) config: Config,
    /// First what is wrong with the configuration and what kept files from being read, then the mistakes in those that were.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Compiled {
    pub(super) fn new(chosen: &Chosen, progress: &Progress) -> Self {
        let mut db = Database::default();
        let found = workspace::find(&mut db, &Disk, &mut Kept::default(), None, &chosen.sources, &|label| {
            progress.stage("reading", label);
        });
        // The database keeps what each file declared: asking one by one only serves to say where the time goes.
        for file in found.set.files(&db) {
            progress.stage("evaluating", file.label(&db));
            let _ = eval::evaluate(&db, found.set, *file);
        }
        progress.stage("testing the examples", "");
        let configuration = chosen.configuration.as_ref();
        let (config, mut diagnostics) = configuration.map(|it| it.read(&db)).unwrap_or_default();
        diagnostics.extend(found.mistakes.iter().cloned());
        let told = db::diagnostics(&db, found.set).iter().cloned();
        diagnostics.extend(told.filter_map(|diagnostic| config.lints.weighed(diagnostic)));
        Self { db, found, config, diagnostics }
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
        let calls = set.tool_rules.into_iter().map(|rule| rule.examples.len() + rule.counterexamples.len());
        rules.map(|rule| rule.examples.len() + rule.counterexamples.len()).chain(calls).sum()
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
