//! What the editor can do, as far as that matters here.

use serde_json::Value;

use crate::protocol::InitializeParams;

/// What was said in `initialize`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Abilities {
    /// It asks for diagnostics, so they are not sent: it would show them twice.
    pub(crate) pulls: bool,
    pub(crate) refreshes_inlay_hints: bool,
    pub(crate) refreshes_code_lenses: bool,
    pub(crate) refreshes_tokens: bool,
    /// Files that change on the disk can be asked for.
    pub(crate) watches: bool,
    /// It asks for the text of shipped policies, so that these have addresses.
    pub(crate) shipped: bool,
    /// Completions may have places to fill in.
    pub(crate) snippets: bool,
    /// Edits may say which version of a document they are for.
    pub(crate) versioned_edits: bool,
    /// Where something is defined may be told with what is asked about.
    pub(crate) definition_links: bool,
    /// Symbols may stand in one another.
    pub(crate) nested_symbols: bool,
}

impl Abilities {
    pub(crate) fn of(params: &InitializeParams) -> Self {
        let options = params.initialization_options.as_ref();
        let pulls = options.and_then(|options| options.get("diagnostics")).and_then(Value::as_str) == Some("pull");
        let shipped = options.and_then(|options| options.get("shipped")).and_then(Value::as_bool).unwrap_or_default();
        // The shapes of these are many; their JSON is one.
        let capabilities = serde_json::to_value(&params.capabilities).unwrap_or_default();
        let can = |path: &str| capabilities.pointer(path).and_then(Value::as_bool).unwrap_or_default();
        Self {
            pulls,
            shipped,
            refreshes_inlay_hints: can("/workspace/inlayHint/refreshSupport"),
            refreshes_code_lenses: can("/workspace/codeLens/refreshSupport"),
            refreshes_tokens: can("/workspace/semanticTokens/refreshSupport"),
            watches: can("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            snippets: can("/textDocument/completion/completionItem/snippetSupport"),
            versioned_edits: can("/workspace/workspaceEdit/documentChanges"),
            definition_links: can("/textDocument/definition/linkSupport"),
            nested_symbols: can("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
        }
    }
}
