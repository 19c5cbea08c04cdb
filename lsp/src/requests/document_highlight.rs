//! `textDocument/documentHighlight`: the places, in one file, of what is named at one.

use policyc::ide::{self, Access, Highlight};

use crate::protocol::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};
use crate::snapshot::Snapshot;

pub(crate) fn answer(snapshot: &Snapshot, params: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let at = snapshot.at(&params.text_document_position_params)?;
    let highlight = |highlight: Highlight| DocumentHighlight {
        range: at.lines.range(highlight.span),
        kind: Some(match highlight.access {
            Access::Definition | Access::Write => DocumentHighlightKind::WRITE,
            Access::Read => DocumentHighlightKind::READ,
        }),
    };
    let highlights = ide::highlights(&snapshot.db, at.here.set, at.here.file, at.offset);
    Some(highlights.into_iter().map(highlight).collect())
}
