//! `textDocument/diagnostic` and `workspace/diagnostic`: diagnostics for those who ask instead of being told.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::diagnostics::{self, Report};
use crate::protocol::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult, FullDocumentDiagnosticReport,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport,
    WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult,
    WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};
use crate::snapshot::Snapshot;

pub(crate) fn document(snapshot: &Snapshot, params: &DocumentDiagnosticParams) -> DocumentDiagnosticReportResult {
    let reports = diagnostics::reports(snapshot, &diagnostics::of_all(snapshot));
    let report = reports.into_iter().find(|report| report.uri == params.text_document.uri);
    let diagnostics = report.map(|report| report.diagnostics).unwrap_or_default();
    let result_id = result_id(&diagnostics);
    let report = if params.previous_result_id.as_ref() == Some(&result_id) {
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        })
    } else {
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport {
                result_id: Some(result_id),
                items: diagnostics,
            },
        })
    };
    report.into()
}

pub(crate) fn workspace(snapshot: &Snapshot, params: &WorkspaceDiagnosticParams) -> WorkspaceDiagnosticReportResult {
    let previous: HashMap<&str, &str> =
        params.previous_result_ids.iter().map(|known| (known.uri.as_str(), known.value.as_str())).collect();
    let mut reports = diagnostics::reports(snapshot, &diagnostics::of_all(snapshot));
    // What was wrong and is gone must be said too.
    for known in &params.previous_result_ids {
        if !reports.iter().any(|report| report.uri == known.uri) {
            reports.push(Report { uri: known.uri.clone(), version: None, diagnostics: Vec::new() });
        }
    }
    let item = |report: Report| {
        let Report { uri, version, diagnostics } = report;
        let (version, result_id) = (version.map(i64::from), result_id(&diagnostics));
        if previous.get(uri.as_str()) == Some(&result_id.as_str()) {
            WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                uri,
                version,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
            })
        } else {
            WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                uri,
                version,
                full_document_diagnostic_report: FullDocumentDiagnosticReport {
                    result_id: Some(result_id),
                    items: diagnostics,
                },
            })
        }
    };
    let items = reports.into_iter().map(item).collect();
    WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items })
}

/// The same for the same diagnostics, and for no others.
fn result_id(diagnostics: &[crate::protocol::Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(diagnostics).unwrap_or_default().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
