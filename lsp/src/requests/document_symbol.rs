//! `textDocument/documentSymbol`: what a file declares and defines.

use policyc::ide::{self, Symbol, SymbolKind};
use serde_json::json;

use crate::positions::Lines;
use crate::protocol::{self, DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, SymbolInformation, Uri};
use crate::snapshot::Snapshot;

pub(crate) fn answer(
    snapshot: &Snapshot,
    params: &DocumentSymbolParams,
    nested: bool,
) -> Option<DocumentSymbolResponse> {
    let uri = &params.text_document.uri;
    let here = snapshot.here(uri)?;
    let lines = snapshot.lines(here.file);
    let symbols = ide::document_symbols(&snapshot.db, here.file);
    if nested {
        return Some(DocumentSymbolResponse::Nested(symbols.iter().map(|it| symbol(&lines, it)).collect()));
    }
    let mut flat = Vec::new();
    flatten(&lines, uri, symbols, None, &mut flat);
    Some(DocumentSymbolResponse::Flat(flat))
}

fn symbol(lines: &Lines<'_>, it: &Symbol) -> DocumentSymbol {
    let children: Vec<_> = it.children.iter().map(|child| symbol(lines, child)).collect();
    #[expect(deprecated, reason = "the field must be there")]
    DocumentSymbol {
        name: name(&it.name),
        detail: Some(it.detail.clone()).filter(|detail| !detail.is_empty()),
        kind: kind(it.kind),
        tags: None,
        deprecated: None,
        range: lines.range(it.whole),
        selection_range: lines.range(it.span),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

/// For an editor that takes no symbols within symbols.
fn flatten(
    lines: &Lines<'_>,
    uri: &Uri,
    symbols: &[Symbol],
    container: Option<&str>,
    flat: &mut Vec<SymbolInformation>,
) {
    for it in symbols {
        let location = json!({ "uri": uri, "range": lines.range(it.whole) });
        let information =
            json!({ "name": name(&it.name), "kind": kind(it.kind), "location": location, "containerName": container });
        flat.extend(serde_json::from_value::<SymbolInformation>(information).ok());
        flatten(lines, uri, &it.children, Some(&it.name), flat);
    }
}

/// The protocol forbids a symbol without a name.
pub(super) fn name(name: &str) -> String {
    if name.trim().is_empty() { "…".to_owned() } else { name.to_owned() }
}

pub(super) const fn kind(kind: SymbolKind) -> protocol::SymbolKind {
    match kind {
        SymbolKind::Rule => protocol::SymbolKind::EVENT,
        SymbolKind::Expectation => protocol::SymbolKind::BOOLEAN,
        SymbolKind::Knowledge => protocol::SymbolKind::OBJECT,
        SymbolKind::Function => protocol::SymbolKind::FUNCTION,
        SymbolKind::Variable => protocol::SymbolKind::VARIABLE,
    }
}
