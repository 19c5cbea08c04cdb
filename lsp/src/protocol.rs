//! The protocol's types: the only module that names the crates they come from.

pub(crate) use tower_lsp::jsonrpc::Result;
pub(crate) use tower_lsp::ls_types::*;
pub(crate) use tower_lsp::{Client, LanguageServer, LspService, Server};
