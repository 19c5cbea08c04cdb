//! What can be done to a text at a place: ways to mend its mistakes, and ways to say the same, or more, otherwise.

mod alternatives;
mod ask;
mod executables;
mod layout;
mod statement;

use crate::db::diagnostics;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix};
use crate::source::{PolicySet, SourceFile, Span};

/// Something that can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeAction {
    /// What it does.
    pub title: String,
    /// What it is for.
    pub kind: ActionKind,
    /// Whether it is what most authors would do, so that an editor may do it by one key.
    pub preferred: bool,
    /// The mistake that it mends: its code and its place.
    pub mends: Option<(Code, Span)>,
    /// What is to be edited, all of it together; none of the edits overlap.
    pub edits: Vec<Edit>,
}

/// What an action is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// It mends a mistake.
    QuickFix,
    /// It says more: an example, an expectation, a declaration.
    Add,
    /// It says the same otherwise.
    Rewrite,
    /// It mends all mistakes of the file that have a sure way.
    FixAll,
}

impl CodeAction {
    fn new(kind: ActionKind, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { title: capitalised(&title.into()), kind, preferred: false, mends: None, edits }
    }
}

/// What can be done to what stands at `span`, mistakes first.
#[must_use]
pub fn code_actions(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, span: Span) -> Vec<CodeAction> {
    let mistakes = diagnostics(db, set).iter().filter(|diagnostic| diagnostic.primary.file == file);
    let here = mistakes.filter(|diagnostic| meets(diagnostic.primary.span, span));
    let mut actions: Vec<CodeAction> = here.flat_map(quick_fixes).collect();
    let place = Here { db, set, file, span };
    actions.extend(ask::actions(place));
    actions.extend(executables::actions(place));
    actions.extend(alternatives::actions(place));
    actions.extend(layout::actions(place));
    let all = fix_all(db, set, file);
    if !all.is_empty() {
        actions.push(CodeAction::new(ActionKind::FixAll, "mend all that has a sure way in this file", all));
    }
    actions
}

/// The edits that mend every mistake of a file which has a sure way to mend it, by position; where two such ways meet, the
/// first is taken, and mending again takes the other.
#[must_use]
pub fn fix_all(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let mistakes = diagnostics(db, set).iter().filter(|diagnostic| diagnostic.primary.file == file);
    for fix in mistakes.filter_map(sure) {
        let own = fix.edits.iter().all(|edit| edit.file == file);
        let free = fix.edits.iter().all(|edit| edits.iter().all(|other| apart(edit.span, other.span)));
        if own && free {
            edits.extend(fix.edits.iter().cloned());
        }
    }
    edits.sort_by_key(|edit| edit.span);
    edits
}

/// The way to mend a mistake that was surely meant.
fn sure(diagnostic: &Diagnostic) -> Option<&Fix> {
    diagnostic.fixes.iter().find(|fix| fix.sure)
}

fn quick_fixes(diagnostic: &Diagnostic) -> Vec<CodeAction> {
    let action = |fix: &Fix| CodeAction {
        preferred: fix.sure,
        mends: Some((diagnostic.code, diagnostic.primary.span)),
        ..CodeAction::new(ActionKind::QuickFix, fix.title.clone(), fix.edits.clone())
    };
    diagnostic.fixes.iter().map(action).collect()
}

/// Whether two spans have a byte, or an end, in common.
const fn meets(one: Span, other: Span) -> bool {
    one.start <= other.end && other.start <= one.end
}

/// Whether edits of two spans do not get in each other's way: at one place, only one can put something.
const fn apart(one: Span, other: Span) -> bool {
    let same = one.start == other.start && one.end == other.end;
    !same && (one.end <= other.start || other.end <= one.start)
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

/// What is asked about.
#[derive(Clone, Copy)]
struct Here<'db> {
    db: &'db dyn salsa::Database,
    set: PolicySet,
    file: SourceFile,
    span: Span,
}

impl<'db> Here<'db> {
    fn text(self) -> &'db str {
        self.file.text(self.db)
    }

    fn edit(self, span: Span, text: impl Into<String>) -> Edit {
        Edit { file: self.file, span, text: text.into() }
    }
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
