//! `workspace/symbol`: what the files of the workspace declare and define under such a name.

use policyc::ide;

use super::document_symbol::{kind, name};
use crate::protocol::{OneOf, WorkspaceSymbol, WorkspaceSymbolParams, WorkspaceSymbolResponse};
use crate::snapshot::Snapshot;

pub(crate) fn answer(snapshot: &Snapshot, params: &WorkspaceSymbolParams) -> WorkspaceSymbolResponse {
    let mut symbols: Vec<WorkspaceSymbol> = Vec::new();
    for set in &snapshot.view.sets {
        for found in ide::workspace_symbols(&snapshot.db, set.set, &params.query) {
            let Some(location) = snapshot.location(set, found.place.file, found.place.span) else { continue };
            let symbol = WorkspaceSymbol {
                name: name(&found.name),
                kind: kind(found.kind),
                tags: None,
                container_name: Some(found.container),
                location: OneOf::Left(location),
                data: None,
            };
            // A file may be in several sets.
            if !symbols.contains(&symbol) {
                symbols.push(symbol);
            }
        }
    }
    WorkspaceSymbolResponse::Nested(symbols)
}
