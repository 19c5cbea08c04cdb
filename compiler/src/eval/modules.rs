//! The files that a file loads, found and run before it.

use std::collections::HashSet;

use starlark::environment::FrozenModule;

use super::bounds::DEEPEST_LOADS;
use super::run::run;
use crate::check::{invalid_load, unknown_module, unreachable_module};
use crate::db;
use crate::diagnostics::{Diagnostic, Severity, Site};
use crate::shipped::shipped;
use crate::source::{Module, PolicySet, SourceFile, Span};
use crate::syntax::{Load, load_path, module_label, outline};

/// What a `load` statement finds.
pub(super) struct Target {
    /// The path in the statement.
    pub(super) path: String,
    /// The path's place.
    pub(super) span: Span,
    /// The loaded file, or why there is none.
    pub(super) loaded: Result<Loaded, Box<Diagnostic>>,
}

/// A file that was run.
pub(super) struct Loaded {
    /// The file.
    pub(super) file: SourceFile,
    /// Its label.
    pub(super) label: String,
    /// What it defines, if its run came to the end.
    pub(super) module: Option<FrozenModule>,
    /// Its first mistake.
    pub(super) mistake: Option<(SourceFile, Span)>,
}

/// Runs every file that `file` loads. A file that loads itself again, however far away, is not run: the run would wait for itself.
pub(super) fn targets(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<Target> {
    let loads = &outline(db, file).loads;
    loads
        .iter()
        .map(|load| Target {
            path: load.path.clone(),
            span: load.span,
            loaded: find(db, set, file, load).and_then(|target| {
                let site = Site::new(file, load.span);
                acyclic(db, set, file, target, load, &site, found)?;
                let target = standing(db, set, file, target, load, &site);
                let run = run(db, set, target);
                Ok(Loaded {
                    file: target,
                    label: target.label(db).clone(),
                    module: run.module.clone(),
                    mistake: run
                        .evaluated
                        .diagnostics
                        .iter()
                        .find(|diagnostic| diagnostic.severity == Severity::Error)
                        .map(|diagnostic| (diagnostic.primary.file, diagnostic.primary.span)),
                })
            }),
        })
        .collect()
}

/// What answers for a loaded file: the file as it last ran, if it is broken and that does not come back to `file`.
fn standing(
    db: &dyn salsa::Database,
    set: PolicySet,
    file: SourceFile,
    target: SourceFile,
    load: &Load,
    site: &Site,
) -> SourceFile {
    let standing = db::standing(db, set, target);
    // What other broken files loaded may be run as well, so the way through those must not come back either.
    if standing != target && acyclic(db, set, file, standing, load, site, found_ever).is_err() {
        return target;
    }
    standing
}

/// The file that a `load` of `importer` names.
fn find(
    db: &dyn salsa::Database,
    set: PolicySet,
    importer: SourceFile,
    load: &Load,
) -> Result<SourceFile, Box<Diagnostic>> {
    let site = Site::new(importer, load.span);
    let label = module_label(importer.label(db), &load.path, set.roots(db))
        .map_err(|error| Box::new(invalid_load::path(&site, &load.path, error)))?;
    let modules = set.modules(db);
    let mistake = match modules.get(&label) {
        Some(Module::File(file)) => return Ok(*file),
        Some(Module::Unreadable(reason)) => unreachable_module::unreadable(&site, &label, reason),
        Some(Module::Outside) => unreachable_module::outside(&site, &label),
        None => {
            let shipped = shipped().iter().map(|(label, _)| *label);
            let known = modules.keys().map(String::as_str).chain(shipped);
            unknown_module::diagnostic(&site, &label, known.filter(|known| known != importer.label(db)), |meant| {
                load_path(importer.label(db), meant)
            })
        }
    };
    Err(Box::new(mistake))
}

/// The loads that a way follows: [`found`] or [`found_ever`].
type Found = for<'db> fn(&'db dyn salsa::Database, PolicySet, SourceFile) -> &'db Vec<SourceFile>;

/// The files that `file` loads, as far as there are any, in order.
#[salsa::tracked]
fn found(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<SourceFile> {
    outline(db, file).loads.iter().filter_map(|load| find(db, set, file, load).ok()).collect()
}

/// The files that `file` loads, and those that it loaded as it last ran.
#[salsa::tracked]
fn found_ever(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<SourceFile> {
    let last_good = file.last_good(db).into_iter().flat_map(|last_good| found(db, set, last_good));
    found(db, set, file).iter().chain(last_good).copied().collect()
}

/// Follows the loads of `target` in the order in which they run, to see that they neither come back to `file` nor nest too deep.
fn acyclic(
    db: &dyn salsa::Database,
    set: PolicySet,
    file: SourceFile,
    target: SourceFile,
    load: &Load,
    site: &Site,
    found: Found,
) -> Result<(), Box<Diagnostic>> {
    // The root of the way is the `load` itself: it leads to nothing but `target`.
    let mut seen = HashSet::new();
    let mut way = vec![(file, vec![target])];
    while let Some((_, rest)) = way.last_mut() {
        let Some(next) = rest.pop() else {
            way.pop();
            continue;
        };
        if next == file {
            let cycle = way.iter().map(|(file, _)| *file).chain([file]);
            let labels: Vec<String> = cycle.map(|file| file.label(db).clone()).collect();
            return Err(Box::new(invalid_load::cycle(site, &load.path, &labels)));
        }
        if seen.insert(next) {
            if way.len() == DEEPEST_LOADS {
                return Err(Box::new(invalid_load::depth(site, &load.path, DEEPEST_LOADS)));
            }
            way.push((next, found(db, set, next).iter().rev().copied().collect()));
        }
    }
    Ok(())
}
