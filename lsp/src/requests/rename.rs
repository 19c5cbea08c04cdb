//! `textDocument/rename` and its preparation: another name for what is named at a place, in every file that loads it.

use policyc::ide;

use crate::answering::failed;
use crate::edits::workspace_edit;
use crate::protocol::{PrepareRenameResponse, RenameParams, Result, TextDocumentPositionParams, WorkspaceEdit};
use crate::snapshot::Snapshot;

pub(crate) fn prepare(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    let Some(at) = snapshot.at(params) else { return Ok(None) };
    let renamable = ide::prepare_rename(&snapshot.db, at.here.set, at.here.file, at.offset);
    let renamable = renamable.map_err(|refusal| failed(refusal.0))?;
    let range = at.lines.range(renamable.span);
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: renamable.name }))
}

pub(crate) fn answer(snapshot: &Snapshot, params: &RenameParams, versioned: bool) -> Result<Option<WorkspaceEdit>> {
    let Some(at) = snapshot.at(&params.text_document_position) else { return Ok(None) };
    let edits = ide::rename(&snapshot.db, at.here.set, at.here.file, at.offset, &params.new_name);
    let edits = edits.map_err(|refusal| failed(refusal.0))?;
    let edit = workspace_edit(snapshot, &at.here.of, &edits, versioned);
    edit.map(Some).ok_or_else(|| failed("a shipped policy cannot be changed"))
}
