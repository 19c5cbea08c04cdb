//! The database and the questions that span a whole policy set.

use std::collections::HashSet;

use crate::diagnostics::{Diagnostic, Severity};
use crate::eval::evaluate;
use crate::lower::{Place, RuleSet, lower};
use crate::self_test::failing_examples;
use crate::source::{PolicySet, SourceFile};
use crate::syntax::line_index;

/// Holds the inputs and remembers every answer that still holds.
#[salsa::db]
#[derive(Clone, Default)]
pub struct Database {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}

/// Every file of the set, loaded ones included, in the order in which they run: each once, after what it loads.
#[salsa::tracked]
pub fn run_order(db: &dyn salsa::Database, set: PolicySet) -> Vec<SourceFile> {
    fn run(
        db: &dyn salsa::Database,
        set: PolicySet,
        file: SourceFile,
        seen: &mut HashSet<SourceFile>,
        order: &mut Vec<SourceFile>,
    ) {
        if seen.insert(file) {
            for load in &evaluate(db, set, file).loads {
                run(db, set, *load, seen, order);
            }
            order.push(file);
        }
    }
    let (mut seen, mut order) = (HashSet::new(), Vec::new());
    for file in set.files(db) {
        run(db, set, *file, &mut seen, &mut order);
    }
    order
}

/// What the files declare together, in the order in which they run.
pub fn rule_set(db: &dyn salsa::Database, set: PolicySet, files: impl IntoIterator<Item = SourceFile>) -> RuleSet<'_> {
    let mut rules = RuleSet::default();
    for file in files {
        let declarations = &evaluate(db, set, file).declarations;
        rules.prefix_rules.extend(&declarations.prefix_rules);
        rules.host_executables.extend(&declarations.host_executables);
        rules.network_rules.extend(&declarations.network_rules);
        rules.programs.extend(&declarations.programs);
        rules.inert_env.extend(&declarations.inert_env);
        rules.default_decisions.extend(&declarations.default_decisions);
    }
    rules
}

/// The decision table of the set. It holds what could be understood; use it for answers only if no
/// [diagnostic](diagnostics) is an error.
#[salsa::tracked]
pub fn table(db: &dyn salsa::Database, set: PolicySet) -> Vec<u8> {
    let rules = rule_set(db, set, run_order(db, set).iter().copied());
    lower(&rules, |origin| Place {
        file: origin.file.label(db),
        position: line_index(db, origin.file).position(origin.span.start),
        layer: 0,
    })
}

/// Everything wrong with the set, file by file in the order in which they run, each file's by position.
#[salsa::tracked]
pub fn diagnostics(db: &dyn salsa::Database, set: PolicySet) -> Vec<Diagnostic> {
    let of_file = |file: &SourceFile| {
        let mut diagnostics = evaluate(db, set, *file).diagnostics.clone();
        diagnostics.extend(failing_examples(db, set, *file).iter().cloned());
        diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
        diagnostics
    };
    run_order(db, set).iter().flat_map(of_file).collect()
}

/// Whether nothing stands in the way of using the set.
pub fn usable(db: &dyn salsa::Database, set: PolicySet) -> bool {
    diagnostics(db, set).iter().all(|diagnostic| diagnostic.severity < Severity::Error)
}
