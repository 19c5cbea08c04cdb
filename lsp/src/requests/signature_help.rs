//! `textDocument/signatureHelp`: what the call around a place takes.

use policyc::ide;

use crate::protocol::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp, SignatureHelpParams,
    SignatureInformation,
};
use crate::snapshot::Snapshot;

pub(crate) fn answer(snapshot: &Snapshot, params: &SignatureHelpParams) -> Option<SignatureHelp> {
    let at = snapshot.at(&params.text_document_position_params)?;
    let help = ide::signature(&snapshot.db, at.here.set, at.here.file, at.offset)?;
    // The protocol counts these in UTF-16, whatever positions are counted in.
    let offset = |byte: usize| {
        let before = help.label.get(..byte).unwrap_or(&help.label);
        u32::try_from(before.encode_utf16().count()).unwrap_or_default()
    };
    let parameters = help.parameters.iter().map(|parameter| ParameterInformation {
        label: ParameterLabel::LabelOffsets([offset(parameter.label.start), offset(parameter.label.end)]),
        documentation: documentation(&parameter.documentation),
    });
    let active = help.active.and_then(|active| u32::try_from(active).ok());
    let signature = SignatureInformation {
        documentation: documentation(&help.documentation),
        parameters: Some(parameters.collect()),
        active_parameter: active,
        label: help.label.clone(),
    };
    Some(SignatureHelp { signatures: vec![signature], active_signature: Some(0), active_parameter: active })
}

fn documentation(text: &str) -> Option<Documentation> {
    let markup = || MarkupContent { kind: MarkupKind::Markdown, value: text.to_owned() };
    (!text.is_empty()).then(|| Documentation::MarkupContent(markup()))
}
