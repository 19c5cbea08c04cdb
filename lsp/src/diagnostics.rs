//! The compiler's diagnostics as the protocol's.

use policyc::diagnostics::{Code, Diagnostic, Label, Severity};
use policyc::source::SourceFile;

use crate::positions::Lines;
use crate::protocol::{
    self, CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
    Uri,
};
use crate::session::{Document, Snapshot};

/// Who says so.
const SOURCE: &str = "policyc";

/// The diagnostics of an open document.
pub(crate) fn of(snapshot: &Snapshot, document: &Document) -> Vec<protocol::Diagnostic> {
    let lines = Lines::new(document.file.text(&snapshot.db), snapshot.encoding);
    let all = policyc::db::diagnostics(&snapshot.db, document.set).iter();
    let own = all.filter(|diagnostic| diagnostic.primary.file == document.file);
    own.map(|diagnostic| converted(snapshot, document, &lines, diagnostic)).collect()
}

fn converted(
    snapshot: &Snapshot,
    document: &Document,
    lines: &Lines<'_>,
    diagnostic: &Diagnostic,
) -> protocol::Diagnostic {
    let related = |label: &Label| {
        let uri = uri_of(snapshot, document, label.file)?;
        let range = if label.file == document.file {
            lines.range(label.span)
        } else {
            Lines::new(label.file.text(&snapshot.db), snapshot.encoding).range(label.span)
        };
        Some(DiagnosticRelatedInformation { location: Location { uri, range }, message: label.text.clone() })
    };
    let related: Vec<_> = diagnostic.labels.iter().filter_map(related).collect();
    protocol::Diagnostic {
        range: lines.range(diagnostic.primary.span),
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
    ["shadowed", "unreachable", "duplicate"].contains(&problem).then(|| vec![DiagnosticTag::UNNECESSARY])
}

fn uri_of(snapshot: &Snapshot, document: &Document, file: SourceFile) -> Option<Uri> {
    let mut documents = [document].into_iter().chain(&snapshot.documents);
    documents.find(|document| document.file == file).map(|document| document.uri.clone())
}
