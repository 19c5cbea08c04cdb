//! The compiler's edits as the protocol's.

use std::collections::{BTreeMap, HashMap};

use policyc::diagnostics::Edit;
use policyc::source::SourceFile;

use crate::protocol::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use crate::sets::Set;
use crate::snapshot::Snapshot;

/// Edits of any files; nothing if one of them is on no disk. Where the editor understands that, they are for the versions of
/// the documents that were looked at, and for no others.
pub(crate) fn workspace_edit(snapshot: &Snapshot, set: &Set, edits: &[Edit], versioned: bool) -> Option<WorkspaceEdit> {
    let mut by_file: BTreeMap<String, (Uri, SourceFile, Vec<TextEdit>)> = BTreeMap::new();
    for Edit { file, span, text } in edits {
        let uri = snapshot.uri(set, *file)?;
        let entry = by_file.entry(uri.as_str().to_owned()).or_insert_with(|| (uri, *file, Vec::new()));
        entry.2.push(TextEdit { range: snapshot.lines(*file).range(*span), new_text: text.clone() });
    }
    if !versioned {
        let changes: HashMap<Uri, Vec<TextEdit>> = by_file.into_values().map(|(uri, _, edits)| (uri, edits)).collect();
        return Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() });
    }
    let document = |(uri, file, edits): (Uri, SourceFile, Vec<TextEdit>)| {
        let open = set.places.get(&file).and_then(|path| snapshot.view.documents.speaking(path));
        TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier {
                uri,
                version: open.map(|document| document.version),
            },
            edits: edits.into_iter().map(OneOf::Left).collect(),
        }
    };
    let changes = DocumentChanges::Edits(by_file.into_values().map(document).collect());
    Some(WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() })
}
