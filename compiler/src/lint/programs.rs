//! Declarations of programs beside what is shipped.

use std::collections::{BTreeMap, BTreeSet};

use super::Lint;
use super::known::known_programs;
use crate::check::broad_rule::{self, Runs};
use crate::check::{shadowed_program, unknown_program};
use crate::db::prelude_order;
use crate::diagnostics::{Diagnostic, Site};
use crate::eval::evaluate;
use crate::programs::{self, names};
use crate::rules::Program;
use crate::source::PolicySet;
use crate::syntax::{Step, locate};

impl Lint<'_> {
    /// What the file says of a program takes the place of what is shipped, or adds to what nobody has said.
    pub(super) fn program(&self, program: &Program, warnings: &mut Vec<Diagnostic>) {
        let path = || {
            let step = Step::Parameter { name: "path", position: Some(0) };
            let located = locate(program.origin.file.text(self.db), program.origin.span, &[step]);
            Site::within(&program.origin, located.span)
        };
        for name in names(program) {
            let name = name.join(" ");
            if program.inherit {
                let programs = known_programs(self.db, self.set);
                if !programs.contains_key(&name) {
                    warnings.push(unknown_program::diagnostic(&path(), &name, programs.keys().map(String::as_str)));
                    return;
                }
            } else if let Some(shipped) = harm_of_prelude(self.db, self.set).get(&name) {
                let declared = program.options.iter().flat_map(|option| &option.names);
                let declared: BTreeSet<&String> = declared.collect();
                let gone = shipped.options.iter().filter(|option| !declared.contains(option)).map(String::as_str);
                let gone: Vec<&str> = gone.collect();
                let runs = shipped.runs.filter(|_| broad_rule::runs(program).is_none());
                if !gone.is_empty() || runs.is_some() {
                    warnings.push(shadowed_program::diagnostic(&path(), &name, &gone, runs));
                    return;
                }
            }
        }
    }
}

/// What a program does beside what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Harm {
    runs: Option<Runs>,
    /// The options that run something or write files.
    options: Vec<String>,
}

/// The same of the programs that the prelude declares, as far as there is any.
#[salsa::tracked]
fn harm_of_prelude(db: &dyn salsa::Database, set: PolicySet) -> BTreeMap<String, Harm> {
    let files = prelude_order(db, set).iter();
    let programs: Vec<_> = files.flat_map(|file| &evaluate(db, set, *file).declarations.programs).collect();
    let harm = programs::known(&programs).into_iter().filter_map(|(name, known)| {
        let harmful = known.options.iter().filter(|(_, option)| option.runs.is_some() || option.writes);
        let options = harmful.map(|(name, _)| (*name).to_owned()).collect();
        let harm = Harm { runs: broad_rule::runs(known.declared), options };
        (harm.runs.is_some() || !harm.options.is_empty()).then(|| (name.join(" "), harm))
    });
    harm.collect()
}
