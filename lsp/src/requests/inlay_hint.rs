//! `textDocument/inlayHint`: what the policy set answers, beside each example, expectation and scratch line.

use policyc::ide;

use crate::protocol::{
    InlayHint, InlayHintLabel, InlayHintLabelPart, InlayHintParams, InlayHintTooltip, MarkupContent, MarkupKind,
};
use crate::snapshot::Snapshot;

pub(crate) fn answer(snapshot: &Snapshot, params: &InlayHintParams) -> Option<Vec<InlayHint>> {
    let here = snapshot.here(&params.text_document.uri)?;
    let lines = snapshot.lines(here.file);
    let hits = ide::hits(&snapshot.db, here.set, here.file, lines.span(params.range));
    let hint = |hit: ide::Hit| {
        let place = hit.rule.and_then(|rule| snapshot.location(&here.of, rule.file, rule.span));
        let part = InlayHintLabelPart { value: hit.text, location: place, ..InlayHintLabelPart::default() };
        InlayHint {
            position: lines.position(hit.after),
            label: InlayHintLabel::LabelParts(vec![part]),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::MarkupContent(MarkupContent {
                kind: MarkupKind::Markdown,
                value: hit.tooltip,
            })),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        }
    };
    Some(hits.into_iter().map(hint).collect())
}
