//! The messages that come in, each with the one place that answers it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;

use crate::checker;
use crate::positions::Encoding;
use crate::protocol::*;
use crate::session::Session;

/// What every task shares.
#[derive(Default)]
pub(crate) struct Shared {
    session: Mutex<Session>,
}

impl Shared {
    /// The session, once nobody else uses it. One that a panic left is whole: inputs are set one by one.
    pub(crate) fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Backend {
    shared: Arc<Shared>,
    edited: Arc<Notify>,
    client: Client,
}

/// Answers the editor at the other end until it says `exit`.
pub async fn serve(input: impl AsyncRead + Unpin, output: impl AsyncWrite) {
    let (service, socket) = LspService::new(|client| {
        let (shared, edited) = (Arc::new(Shared::default()), Arc::new(Notify::new()));
        let checker = checker::run(Arc::clone(&shared), Arc::clone(&edited), client.clone());
        tokio::spawn(checker);
        Backend { shared, edited, client }
    });
    // A small number would make edits wait for answers.
    Server::new(input, output, socket).concurrency_level(256).serve(service).await;
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let general = params.capabilities.general.as_ref();
        let offered = general.and_then(|general| general.position_encodings.as_deref());
        let encoding = Encoding::agreed(offered);
        self.shared.session().encoding = encoding;
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            ..TextDocumentSyncOptions::default()
        };
        Ok(InitializeResult {
            capabilities: ServerCapabilities {
                position_encoding: Some(encoding.kind()),
                text_document_sync: Some(sync.into()),
                ..ServerCapabilities::default()
            },
            server_info: Some(ServerInfo {
                name: "policyc-lsp".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            ..InitializeResult::default()
        })
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    // Documents change before anything is awaited: messages are begun in the order in which they came, and go on in any.

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let TextDocumentItem { uri, version, text, .. } = params.text_document;
        self.shared.session().open(uri, version, text);
        self.edited.notify_one();
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        self.shared.session().change(&uri, version, params.content_changes);
        self.edited.notify_one();
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let closed = self.shared.session().close(&params.text_document.uri);
        if let Some(document) = closed {
            self.client.publish_diagnostics(document.uri, Vec::new(), None).await;
        }
    }
}
