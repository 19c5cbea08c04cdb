//! `textDocument/formatting`, of a range and while one types: the one style, as few edits as that takes.

use policyc::format::{self, Edit};
use policyc::ide;

use crate::positions::Lines;
use crate::protocol::{
    DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams, Position, Range, TextEdit,
};
use crate::snapshot::{Here, Snapshot};

pub(crate) fn whole(snapshot: &Snapshot, params: &DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    let here = snapshot.here(&params.text_document.uri)?;
    let lines = snapshot.lines(here.file);
    Some(changes(snapshot, &here)?.into_iter().map(|edit| converted(&lines, edit)).collect())
}

/// Of what formatting the whole file would change, what touches the lines of the range.
pub(crate) fn range(snapshot: &Snapshot, params: &DocumentRangeFormattingParams) -> Option<Vec<TextEdit>> {
    let here = snapshot.here(&params.text_document.uri)?;
    let lines = snapshot.lines(here.file);
    let end = Position { line: params.range.end.line, character: u32::MAX };
    let range = lines.span(Range { start: Position { line: params.range.start.line, character: 0 }, end });
    let touches = |edit: &Edit| edit.span.start <= range.end && range.start <= edit.span.end;
    Some(changes(snapshot, &here)?.into_iter().filter(touches).map(|edit| converted(&lines, edit)).collect())
}

pub(crate) fn on_type(snapshot: &Snapshot, params: &DocumentOnTypeFormattingParams) -> Option<Vec<TextEdit>> {
    let at = snapshot.at(&params.text_document_position)?;
    let typed = params.ch.chars().next()?;
    let edits = ide::on_type(&snapshot.db, at.here.file, at.offset, typed);
    Some(edits.into_iter().map(|edit| converted(&at.lines, edit)).collect())
}

/// Nothing for a file with syntax errors, which is left alone.
fn changes(snapshot: &Snapshot, here: &Here) -> Option<Vec<Edit>> {
    let formatted = format::format(&snapshot.db, here.file).ok()?;
    Some(format::edits(here.file.text(&snapshot.db), &formatted))
}

fn converted(lines: &Lines<'_>, edit: Edit) -> TextEdit {
    TextEdit { range: lines.range(edit.span), new_text: edit.text }
}
