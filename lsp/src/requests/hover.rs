//! `textDocument/hover`: what there is to know about what stands at a place.

use policyc::ide;

use crate::protocol::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use crate::snapshot::Snapshot;

pub(crate) fn answer(snapshot: &Snapshot, params: &HoverParams) -> Option<Hover> {
    let at = snapshot.at(&params.text_document_position_params)?;
    let hover = ide::hover(&snapshot.db, at.here.set, at.here.file, at.offset)?;
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: hover.text };
    Some(Hover { contents: HoverContents::Markup(contents), range: Some(at.lines.range(hover.span)) })
}
