//! `textDocument/codeAction`: what can be done to the text at a place.

use policyc::ide::{self, ActionKind};

use crate::edits::workspace_edit;
use crate::positions::Lines;
use crate::protocol::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Diagnostic, NumberOrString,
};
use crate::snapshot::Snapshot;

/// What mends all of a file: editors can do it whenever a file is saved.
pub(crate) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.policyc");

pub(crate) fn answer(snapshot: &Snapshot, params: &CodeActionParams, versioned: bool) -> Option<CodeActionResponse> {
    let here = snapshot.here(&params.text_document.uri)?;
    let lines = snapshot.lines(here.file);
    let wanted = |kind: &CodeActionKind| {
        let within = |only: &CodeActionKind| {
            let (kind, only) = (kind.as_str(), only.as_str());
            only.is_empty() || kind == only || kind.strip_prefix(only).is_some_and(|rest| rest.starts_with('.'))
        };
        params.context.only.as_ref().is_none_or(|only| only.iter().any(within))
    };
    let action = |action: ide::CodeAction| {
        let kind = kind(action.kind);
        let mends = action.mends.and_then(|(code, span)| mended(params, &lines, code.0, span));
        wanted(&kind).then_some(())?;
        Some(CodeActionOrCommand::CodeAction(CodeAction {
            title: action.title,
            kind: Some(kind),
            diagnostics: mends.map(|diagnostic| vec![diagnostic]),
            edit: Some(workspace_edit(snapshot, &here.of, &action.edits, versioned)?),
            is_preferred: Some(action.preferred).filter(|preferred| *preferred),
            ..CodeAction::default()
        }))
    };
    let actions = ide::code_actions(&snapshot.db, here.set, here.file, lines.span(params.range));
    Some(actions.into_iter().filter_map(action).collect())
}

/// The editor's own copy of the diagnostic that an action mends.
fn mended(params: &CodeActionParams, lines: &Lines<'_>, code: &str, span: policyc::source::Span) -> Option<Diagnostic> {
    let range = lines.range(span);
    let same = |diagnostic: &&Diagnostic| {
        diagnostic.range == range && diagnostic.code == Some(NumberOrString::String(code.to_owned()))
    };
    params.context.diagnostics.iter().find(same).cloned()
}

const fn kind(kind: ActionKind) -> CodeActionKind {
    match kind {
        ActionKind::QuickFix => CodeActionKind::QUICKFIX,
        ActionKind::Add => CodeActionKind::REFACTOR,
        ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        ActionKind::FixAll => FIX_ALL,
    }
}
