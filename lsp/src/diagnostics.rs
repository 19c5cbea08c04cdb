//! The compiler's diagnostics as the protocol's, file by file.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use policyc::config::Dialect;
use policyc::diagnostics::{Code, Diagnostic, Label, Severity};
use policyc::source::{SourceFile, Span};
use policyc::{db, dialect};

use crate::positions::Lines;
use crate::protocol::{
    self, CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, NumberOrString, Uri,
};
use crate::sets::Set;
use crate::snapshot::Snapshot;

/// Who says so.
const SOURCE: &str = "policyc";

/// What there is to say of one document or file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    pub(crate) uri: Uri,
    /// The version of the document, if it is open.
    pub(crate) version: Option<i32>,
    pub(crate) diagnostics: Vec<protocol::Diagnostic>,
}

/// Everything that is wrong in a set: what kept files from being read, then the mistakes in them, weighed as configured.
fn of_set(snapshot: &Snapshot, set: &Set) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    if let Some((_, mistakes)) = &set.configuration {
        all.extend(mistakes.iter().cloned());
    }
    all.extend(set.unread.iter().cloned());
    all.extend(db::diagnostics(&snapshot.db, set.set).iter().cloned());
    if set.dialect == Dialect::Codex {
        all.extend(dialect::uses(&snapshot.db, set.set));
    }
    all.into_iter().filter_map(|diagnostic| set.lints.weighed(diagnostic)).collect()
}

/// What is wrong in each set.
pub(crate) fn of_all(snapshot: &Snapshot) -> Vec<(Arc<Set>, Vec<Diagnostic>)> {
    snapshot.view.sets.iter().map(|set| (Arc::clone(set), of_set(snapshot, set))).collect()
}

/// A report of every file that anything is wrong with, and of every open document, given what is wrong in each set.
pub(crate) fn reports(snapshot: &Snapshot, sets: &[(Arc<Set>, Vec<Diagnostic>)]) -> Vec<Report> {
    let documents = snapshot.view.documents.iter().map(|(_, document)| Report {
        uri: document.uri.clone(),
        version: Some(document.version),
        diagnostics: Vec::new(),
    });
    let mut reports: BTreeMap<String, Report> =
        documents.map(|report| (report.uri.as_str().to_owned(), report)).collect();
    for (set, all) in sets {
        let mut by_file: HashMap<SourceFile, Vec<&Diagnostic>> = HashMap::new();
        for diagnostic in all {
            by_file.entry(diagnostic.primary.file).or_default().push(diagnostic);
        }
        for (file, diagnostics) in by_file {
            let converter = Converter::new(snapshot, set, file);
            let converted: Vec<_> = diagnostics.iter().map(|diagnostic| converter.converted(diagnostic)).collect();
            for uri in uris(snapshot, set, file) {
                let fresh = || Report { uri: uri.clone(), version: None, diagnostics: Vec::new() };
                let report = reports.entry(uri.as_str().to_owned()).or_insert_with(fresh);
                for diagnostic in &converted {
                    // A file of several sets has most of its mistakes in each.
                    if !report.diagnostics.contains(diagnostic) {
                        report.diagnostics.push(diagnostic.clone());
                    }
                }
            }
        }
    }
    reports.into_values().collect()
}

/// The addresses under which a file is known: those of its open documents, or its own.
fn uris(snapshot: &Snapshot, set: &Set, file: SourceFile) -> Vec<Uri> {
    let path = set.places.get(&file).cloned();
    let path = path.unwrap_or_else(|| crate::place::resolved(&set.folder.join(file.label(&snapshot.db))));
    let open: Vec<Uri> = snapshot.view.documents.of(&path).map(|document| document.uri.clone()).collect();
    if !open.is_empty() {
        return open;
    }
    // Of a folder there is nothing to open: its `policyc.toml` named it, or else the workspace did.
    let configured = set.configuration.as_ref().map(|(configuration, _)| *configuration);
    let file = if path.is_dir() { configured.filter(|it| *it != file) } else { Some(file) };
    file.and_then(|file| snapshot.uri(set, file)).into_iter().collect()
}

/// Converts the diagnostics of one file.
struct Converter<'s> {
    snapshot: &'s Snapshot,
    set: &'s Set,
    file: SourceFile,
    lines: Lines<'s>,
}

impl<'s> Converter<'s> {
    fn new(snapshot: &'s Snapshot, set: &'s Set, file: SourceFile) -> Self {
        Self { snapshot, set, file, lines: snapshot.lines(file) }
    }

    fn converted(&self, diagnostic: &Diagnostic) -> protocol::Diagnostic {
        let related: Vec<_> = diagnostic.labels.iter().filter_map(|label| self.related(label)).collect();
        protocol::Diagnostic {
            range: self.lines.range(diagnostic.primary.span),
            severity: Some(match diagnostic.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
            }),
            code: Some(NumberOrString::String(diagnostic.code.0.to_owned())),
            code_description: page(diagnostic.code),
            source: Some(SOURCE.to_owned()),
            message: message(diagnostic),
            related_information: Some(related).filter(|related| !related.is_empty()),
            tags: tags(diagnostic.code),
            data: None,
        }
    }

    fn related(&self, label: &Label) -> Option<DiagnosticRelatedInformation> {
        let location = if label.file == self.file {
            let uri = uris(self.snapshot, self.set, self.file).into_iter().next()?;
            protocol::Location { uri, range: self.lines.range(label.span) }
        } else {
            self.snapshot.location(self.set, label.file, label.span)?
        };
        let message = if label.text.is_empty() { self.text(label.file, label.span) } else { label.text.clone() };
        Some(DiagnosticRelatedInformation { location, message })
    }

    /// What is shown of a place that nothing is said of.
    fn text(&self, file: SourceFile, span: Span) -> String {
        span.of(file.text(&self.snapshot.db)).lines().next().unwrap_or_default().to_owned()
    }
}

/// What is wrong, and below it what its label, its notes and its help say: an editor has one text for all.
fn message(diagnostic: &Diagnostic) -> String {
    let mut message = diagnostic.message.clone();
    let label = &diagnostic.primary.text;
    if !label.is_empty() {
        message = format!("{message}\n{label}");
    }
    for note in &diagnostic.notes {
        message = format!("{message}\nnote: {note}");
    }
    match &diagnostic.help {
        Some(help) => format!("{message}\nhelp: {}", help.text),
        None => message,
    }
}

fn page(code: Code) -> Option<CodeDescription> {
    let page = format!("https://github.com/policyc/policyc/blob/main/docs/diagnostics/{}.md", code.0);
    Some(CodeDescription { href: page.parse().ok()? })
}

/// What can be left out without a change is shown faded.
fn tags(code: Code) -> Option<Vec<DiagnosticTag>> {
    let problem = code.0.split('-').next().unwrap_or_default();
    let unread = code == policyc::check::duplicate_file::CODE || code.0 == "unreachable-file";
    let unnecessary = ["shadowed", "unreachable", "duplicate"].contains(&problem) && !unread;
    unnecessary.then(|| vec![DiagnosticTag::UNNECESSARY])
}
