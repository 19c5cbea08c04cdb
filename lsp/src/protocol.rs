//! The protocol's types: the only module that names the crates they come from.

pub(crate) use tower_lsp::jsonrpc::{Error, ErrorCode, Request, Response, Result};
pub(crate) use tower_lsp::ls_types::notification::Notification;
pub(crate) use tower_lsp::ls_types::*;
pub(crate) use tower_lsp::{Client, ClientSocket, LanguageServer, LspService, Server};
