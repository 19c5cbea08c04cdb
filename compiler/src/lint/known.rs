//! What is known of the programs of the set, as far as it is about what runs.

use std::collections::BTreeMap;

use crate::check::broad_rule::{self, Runs};
use crate::db::{prelude_order, run_order};
use crate::eval::evaluate;
use crate::layers;
use crate::programs;
use crate::rules::{Harmless, OptionValue, Program, ProgramOption};
use crate::source::PolicySet;

/// What is known of a program, as far as it is about what runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) runs: Option<Runs>,
    /// How many operands come before those that run.
    pub(super) skip: u32,
    pub(super) assignments: bool,
    /// Its options that take a value, run something or are harmless.
    pub(super) options: BTreeMap<String, KnownOption>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownOption {
    /// Whether it takes the next word.
    pub(super) value: bool,
    pub(super) runs: Option<Runs>,
}

impl Known {
    /// What is known of an option; in `-lc`, of the last letter.
    pub(super) fn option(&self, word: &str) -> Option<&KnownOption> {
        let last = || {
            let bundled = word.starts_with('-') && !word.starts_with("--") && word.len() > 2;
            let letter = word.chars().next_back().filter(|_| bundled)?;
            self.options.get(&format!("-{letter}")).filter(|option| option.runs.is_some())
        };
        self.options.get(word).or_else(last)
    }
}

/// What the files of the set declare of programs, as far as they may. An edit elsewhere in them leaves this as it is, and so
/// what follows from it and the prelude, which is a lot.
#[salsa::tracked]
fn own_programs(db: &dyn salsa::Database, set: PolicySet) -> Vec<Program> {
    let trusted = run_order(db, set).iter().filter(|file| layers::is_trusted(db, set, **file));
    trusted.flat_map(|file| evaluate(db, set, *file).declarations.programs.iter().cloned()).collect()
}

/// The programs of the whole set, by the words that they are called, with blanks between them.
#[salsa::tracked]
pub(super) fn known_programs(db: &dyn salsa::Database, set: PolicySet) -> BTreeMap<String, Known> {
    let prelude = prelude_order(db, set).iter().flat_map(|file| &evaluate(db, set, *file).declarations.programs);
    let all: Vec<&Program> = prelude.chain(own_programs(db, set)).collect();
    let all = programs::known(&all);
    let known = all.into_iter().map(|(name, known)| {
        let option = |(name, option): &(&str, &ProgramOption)| {
            let value = matches!(option.value, OptionValue::Required | OptionValue::Rest | OptionValue::Until(_));
            let runs = option.runs.map(broad_rule::option_runs);
            let harmless = option.harmless == Harmless::Yes;
            (value || runs.is_some() || harmless).then(|| ((*name).to_owned(), KnownOption { value, runs }))
        };
        let program = Known {
            runs: broad_rule::runs(known.declared),
            skip: known.declared.skip,
            assignments: known.declared.assignments,
            options: known.options.iter().filter_map(option).collect(),
        };
        (name.join(" "), program)
    });
    known.collect()
}
