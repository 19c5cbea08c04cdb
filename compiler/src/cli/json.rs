//! Diagnostics as programs read them. The shape is part of the command line: keys are added, never changed.

use policyc::db::Database;
use policyc::diagnostics::{Diagnostic, Fix, Label, Severity};
use policyc::source::{Position, SourceFile, Span};
use policyc::syntax;
use serde::Serialize;

/// What `policyc check --format json` prints, as one object.
#[derive(Serialize)]
pub(super) struct Report<'d> {
    pub(super) diagnostics: Vec<Entry<'d>>,
    /// Policy files, with those they load.
    pub(super) files: usize,
    pub(super) rules: usize,
    pub(super) examples: usize,
    pub(super) errors: usize,
    pub(super) warnings: usize,
    /// With `--keep-going`, the files without whose allows the set can be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failing: Option<&'d [String]>,
    /// Why it cannot be used without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) refused: Option<&'d str>,
}

/// One diagnostic.
#[derive(Serialize)]
pub(super) struct Entry<'d> {
    code: &'static str,
    severity: &'static str,
    message: &'d str,
    file: &'d str,
    /// Bytes from the start of the file.
    span: Bytes,
    /// Lines and characters, from 1.
    range: Range,
    /// What to write at the span itself; may be empty.
    text: &'d str,
    labels: Vec<Place<'d>>,
    notes: &'d [String],
    help: Option<Help<'d>>,
    /// The ways to mend it, the likeliest first.
    fixes: Vec<Way<'d>>,
}

#[derive(Serialize)]
struct Place<'d> {
    file: &'d str,
    span: Bytes,
    range: Range,
    text: &'d str,
}

#[derive(Serialize)]
struct Help<'d> {
    text: &'d str,
    /// The text to put in place of the span, where that is sure to be right.
    edit: Option<Place<'d>>,
}

/// One way to mend a mistake: texts to put in place of spans, all of them together.
#[derive(Serialize)]
struct Way<'d> {
    title: &'d str,
    /// Whether it is sure to be right.
    sure: bool,
    edits: Vec<Place<'d>>,
}

#[derive(Serialize)]
struct Bytes {
    start: u32,
    end: u32,
}

#[derive(Serialize)]
struct Range {
    start: LineColumn,
    end: LineColumn,
}

#[derive(Serialize)]
struct LineColumn {
    line: u32,
    column: u32,
}

/// One diagnostic as data for programs.
pub(super) fn entry<'d>(db: &'d Database, diagnostic: &'d Diagnostic) -> Entry<'d> {
    let place = |label: &'d Label| place(db, label.file, label.span, &label.text);
    let primary = place(&diagnostic.primary);
    Entry {
        code: diagnostic.code.0,
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: &diagnostic.message,
        file: primary.file,
        span: primary.span,
        range: primary.range,
        text: primary.text,
        labels: diagnostic.labels.iter().map(place).collect(),
        notes: &diagnostic.notes,
        help: diagnostic.help.as_ref().map(|help| Help { text: &help.text, edit: only_edit(db, &diagnostic.fixes) }),
        fixes: diagnostic.fixes.iter().map(|fix| way(db, fix)).collect(),
    }
}

/// The edit that is sure to be right, if that is one.
fn only_edit<'d>(db: &'d Database, fixes: &'d [Fix]) -> Option<Place<'d>> {
    match fixes.first() {
        Some(Fix { sure: true, edits, .. }) => match edits.as_slice() {
            [edit] => Some(place(db, edit.file, edit.span, &edit.text)),
            _ => None,
        },
        _ => None,
    }
}

fn way<'d>(db: &'d Database, fix: &'d Fix) -> Way<'d> {
    let edits = fix.edits.iter().map(|edit| place(db, edit.file, edit.span, &edit.text)).collect();
    Way { title: &fix.title, sure: fix.sure, edits }
}

fn place<'d>(db: &'d Database, file: SourceFile, span: Span, text: &'d str) -> Place<'d> {
    let lines = syntax::line_index(db, file);
    let position = |offset| {
        let Position { line, column } = lines.position(offset);
        LineColumn { line, column }
    };
    let range = Range { start: position(span.start), end: position(span.end) };
    Place { file: file.label(db), span: Bytes { start: span.start, end: span.end }, range, text }
}
