//! Runs policy files: the only module that names the Starlark engine. What comes out is plain data.

mod bounds;
mod builtins;
mod call;
mod errors;
mod handle;
mod matcher;
mod mending;
mod modules;
mod option;
mod parse;
mod recorder;
mod salvage;
mod run;
mod standard;
#[cfg(test)]
mod tests;
mod thread;
mod value;

use std::sync::Arc;

use crate::check::{failing_evaluation, invalid_nesting, invalid_size, invalid_text};
use crate::diagnostics::{Diagnostic, Site};
use crate::rules::{Declarations, Origin};
use crate::source::{PolicySet, SourceFile, Span};
use crate::syntax::guard::{DEEPEST_NESTING, ExcessKind, LARGEST_FILE, LARGEST_SEQUENCE, LONGEST_RANGE};
use crate::syntax::outline;

pub use builtins::{choices, signatures};
pub use call::{Positional, Signature};
pub use standard::{Standard, standard};
pub use thread::THREAD;

/// What running one file gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluated {
    /// What the file declared, without what its loads declared.
    pub declarations: Declarations,
    /// The mistakes found on the way, by position; those of the loaded files are theirs.
    pub diagnostics: Vec<Diagnostic>,
    /// The keywords beyond the reference dialect that calls of `prefix_rule` were given.
    pub extended: Vec<(Origin, &'static str)>,
    /// The files that were loaded, in order; a load that was never reached is not among them.
    pub loads: Vec<SourceFile>,
}

/// Runs one file and, through the database, what it loads.
pub fn evaluate(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> &Evaluated {
    evaluated(db, set, file)
}

/// The plain half of a run, so that what depends on it is spared when a run gives the same again.
#[salsa::tracked]
fn evaluated(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Arc<Evaluated> {
    run::run(db, set, file).evaluated.clone()
}

/// Where `file` names builtins that the reference dialect does not have.
#[salsa::tracked]
pub fn extensions(db: &dyn salsa::Database, file: SourceFile) -> Vec<Span> {
    if refusal(db, file).is_some() {
        return Vec::new();
    }
    let text = file.text(db);
    let (label, own_text) = (file.label(db).clone(), text.clone());
    let undefined = move |_: &_| parse::undefined(file, &label, &own_text, &builtins::REFERENCE);
    thread::on_own_thread(db, undefined).map_or_else(Vec::new, |spans| {
        let known = |span: &Span| builtins::GLOBALS.names().any(|name| name.as_str() == span.of(text));
        spans.into_iter().filter(known).collect()
    })
}

/// Why the engine can't read a file: every syntax error, or what kept it from looking for them.
#[salsa::tracked]
pub fn syntax_errors(db: &dyn salsa::Database, file: SourceFile) -> Vec<Diagnostic> {
    if let Some(refusal) = refusal(db, file) {
        return vec![refusal];
    }
    let (label, text) = (file.label(db).clone(), file.text(db).clone());
    let parsed = thread::on_own_thread(db, move |_| parse::parse(file, &label, &text).err().unwrap_or_default());
    parsed.unwrap_or_else(|| vec![failing_evaluation::broke_down(&Site::new(file, Span::default()))])
}

/// Whether a name is defined before a policy begins.
#[must_use]
pub fn is_builtin(name: &str) -> bool {
    builtins::GLOBALS.names().any(|known| known.as_str() == name)
}

/// Whether the language lets a policy bind a name: it keeps some words for itself.
#[must_use]
pub fn can_be_bound(name: &str) -> bool {
    parse::is_read(&format!("{name} = 1\n"))
}

/// Why a file is not even read by the engine.
fn refusal(db: &dyn salsa::Database, file: SourceFile) -> Option<Diagnostic> {
    let outline = outline(db, file);
    let at = |span| Site::new(file, span);
    if let Some(excess) = outline.excess {
        let site = at(excess.span);
        return Some(match excess.kind {
            ExcessKind::File(bytes) => invalid_size::file(&site, bytes, LARGEST_FILE),
            ExcessKind::Nesting => invalid_nesting::diagnostic(&site, DEEPEST_NESTING),
            ExcessKind::Sequence(bytes) => invalid_size::sequence(&site, bytes, LARGEST_SEQUENCE),
            ExcessKind::Range(items) => invalid_size::range(&site, items, LONGEST_RANGE),
        });
    }
    if file.text(db).starts_with('\u{feff}') {
        return Some(invalid_text::byte_order_mark(&at(Span::new(0, 3))));
    }
    outline.nul.map(|span| invalid_text::nul(&at(span)))
}
