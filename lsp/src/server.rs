//! The messages that come in, each with the one place that answers it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;

use crate::abilities::Abilities;
use crate::place::Place;
use crate::positions::Encoding;
use crate::protocol::*;
use crate::requests::{
    self, evaluate::EvaluateParams, semantic_tokens::Told, shipped::ShippedParams, table::TableParams,
};
use crate::session::Session;
use crate::{capabilities, checker, framing};

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

/// The server, as the protocol's crate wants it.
pub(crate) struct Backend {
    pub(crate) shared: Arc<Shared>,
    pub(crate) client: Client,
    edited: Arc<Notify>,
    /// What was told of the tokens of open documents.
    told: Mutex<HashMap<String, Told>>,
}

/// How many bytes of messages wait.
const PIPE: usize = 64 << 10;

/// Answers the editor at the other end until it says `exit`. Whether it said `shutdown` before.
pub async fn serve(input: impl AsyncRead + Unpin + Send + 'static, output: impl AsyncWrite) -> bool {
    let (service, socket) = service();
    let (passed, sound) = tokio::io::duplex(PIPE);
    let orderly = Arc::new(AtomicBool::new(false));
    let passing = tokio::spawn(framing::pass(input, passed, Arc::clone(&orderly)));
    // A small number would make edits wait for answers.
    Server::new(sound, output, socket).concurrency_level(256).serve(service).await;
    passing.abort();
    orderly.load(Ordering::Relaxed)
}

/// The server, and what it says by itself.
pub(crate) fn service() -> (LspService<Backend>, ClientSocket) {
    let building = LspService::build(|client| {
        let (shared, edited) = (Arc::new(Shared::default()), Arc::new(Notify::new()));
        let checker = checker::run(Arc::clone(&shared), Arc::clone(&edited), client.clone());
        tokio::spawn(checker);
        Backend { shared, client, edited, told: Mutex::default() }
    });
    building
        .custom_method("policyc/evaluate", Backend::evaluate)
        .custom_method("policyc/shipped", Backend::shipped)
        .custom_method("policyc/table", Backend::table)
        .custom_method(framing::UNREADABLE, Backend::unreadable)
        .finish()
}

impl Backend {
    /// Changes the session, and has it checked. A panic leaves the server alive: the message that made it did nothing.
    fn edit(&self, edit: impl FnOnce(&mut Session)) {
        let edited = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| edit(&mut self.shared.session())));
        drop(edited);
        self.edited.notify_one();
    }

    async fn tokens(&self, uri: Uri, range: Option<Range>) -> Result<Option<Vec<SemanticToken>>> {
        self.answer("tokens", move |it| requests::semantic_tokens::answer(it, &uri, range)).await
    }

    /// Does something with what was last told of the tokens of a document.
    fn with_told<T>(&self, uri: &Uri, work: impl FnOnce(&mut Told) -> T) -> T {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        work(told.entry(uri.as_str().to_owned()).or_default())
    }

    async fn unreadable(&self, reason: Value) -> Result<Value> {
        framing::unreadable(&reason)
    }

    async fn evaluate(&self, params: EvaluateParams) -> Result<Value> {
        self.answer("policyc/evaluate", move |it| requests::evaluate::answer(it, params)).await?
    }

    async fn shipped(&self, params: ShippedParams) -> Result<Value> {
        requests::shipped::answer(&params)
    }

    async fn table(&self, params: TableParams) -> Result<Value> {
        self.answer("policyc/table", move |it| requests::table::answer(it, &params)).await?
    }
}

fn folders(folders: &[WorkspaceFolder]) -> Vec<PathBuf> {
    folders.iter().filter_map(|folder| path(&folder.uri)).collect()
}

fn path(uri: &Uri) -> Option<PathBuf> {
    match Place::of(uri) {
        Place::File(path) => Some(path),
        Place::Other(_) => None,
    }
}

fn places<'u>(addresses: impl Iterator<Item = &'u String>) -> Vec<Place> {
    addresses.filter_map(|address| address.parse().ok()).map(|uri| Place::of(&uri)).collect()
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let general = params.capabilities.general.as_ref();
        let encoding = Encoding::agreed(general.and_then(|general| general.position_encodings.as_deref()));
        let abilities = Abilities::of(&params);
        #[expect(deprecated, reason = "an editor that knows of no folders has a root")]
        let root = params.root_uri.as_ref();
        let folders = match &params.workspace_folders {
            Some(folders) if !folders.is_empty() => self::folders(folders),
            _ => root.and_then(path).into_iter().collect(),
        };
        self.edit(|session| {
            session.encoding = encoding;
            session.abilities = abilities.clone();
            session.set_folders(folders);
        });
        Ok(capabilities::initialized(encoding, &abilities))
    }

    async fn initialized(&self, _: InitializedParams) {
        let watches = self.shared.session().abilities.watches;
        if watches && let Err(error) = self.client.register_capability(capabilities::watching()).await {
            self.client.log_message(MessageType::WARNING, format!("files are not watched: {error}")).await;
        }
        self.edited.notify_one();
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    // Documents change before anything is awaited: messages are begun in the order in which they came, and go on in any.

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let TextDocumentItem { uri, version, text, language_id } = params.text_document;
        let place = Place::of(&uri);
        // What a file is by its name counts: an editor may keep the language of one that got another name.
        if place.is_policy() || place.is_configuration() || language_id == "policy" {
            self.edit(|session| session.open(uri, version, text));
        }
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        self.edit(|session| session.change(&uri, version, params.content_changes));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.told.lock().unwrap_or_else(PoisonError::into_inner).remove(uri.as_str());
        self.edit(|session| session.close(&uri));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        let change = |event: &FileEvent| (Place::of(&event.uri), event.typ == FileChangeType::CHANGED);
        let changes: Vec<_> = params.changes.iter().map(change).collect();
        self.edit(|session| session.disk_changed(&changes));
    }

    async fn did_create_files(&self, params: CreateFilesParams) {
        let created = places(params.files.iter().map(|file| &file.uri));
        let created: Vec<_> = created.into_iter().map(|place| (place, false)).collect();
        self.edit(|session| session.disk_changed(&created));
    }

    async fn did_rename_files(&self, params: RenameFilesParams) {
        let gone = places(params.files.iter().map(|file| &file.old_uri));
        self.edit(|session| session.gone(&gone));
    }

    async fn did_delete_files(&self, params: DeleteFilesParams) {
        let gone = places(params.files.iter().map(|file| &file.uri));
        self.edit(|session| session.gone(&gone));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let (added, removed) = (folders(&params.event.added), folders(&params.event.removed));
        self.edit(|session| session.change_folders(&added, &removed));
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {}

    async fn did_change_configuration(&self, _: DidChangeConfigurationParams) {}

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        self.answer("diagnostics", move |it| requests::pull::document(it, &params)).await
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        self.answer("diagnostics", move |it| requests::pull::workspace(it, &params)).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        self.answer("inlay hints", move |it| requests::inlay_hint::answer(it, &params)).await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.answer("lenses", move |it| requests::code_lens::answer(it, &params)).await
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        self.answer("hover", move |it| requests::hover::answer(it, &params)).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let snippets = self.shared.session().abilities.snippets;
        self.answer("completion", move |it| requests::completion::answer(it, &params, snippets)).await
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        self.answer("signature help", move |it| requests::signature_help::answer(it, &params)).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let linked = self.shared.session().abilities.definition_links;
        self.answer("definition", move |it| requests::definition::answer(it, &params, linked)).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        self.answer("references", move |it| requests::references::answer(it, &params)).await
    }

    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        self.answer("highlights", move |it| requests::document_highlight::answer(it, &params)).await
    }

    async fn prepare_rename(&self, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        self.answer("rename", move |it| requests::rename::prepare(it, &params)).await?
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let versioned = self.shared.session().abilities.versioned_edits;
        self.answer("rename", move |it| requests::rename::answer(it, &params, versioned)).await?
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        let nested = self.shared.session().abilities.nested_symbols;
        self.answer("symbols", move |it| requests::document_symbol::answer(it, &params, nested)).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        self.answer("symbols", move |it| Some(requests::workspace_symbol::answer(it, &params))).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        self.answer("links", move |it| requests::document_link::answer(it, &params)).await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        self.answer("call hierarchy", move |it| requests::call_hierarchy::prepare(it, &params)).await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        self.answer("call hierarchy", move |it| requests::call_hierarchy::incoming(it, &params)).await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        self.answer("call hierarchy", move |it| requests::call_hierarchy::outgoing(it, &params)).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let versioned = self.shared.session().abilities.versioned_edits;
        self.answer("code actions", move |it| requests::code_action::answer(it, &params, versioned)).await
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.answer("formatting", move |it| requests::formatting::whole(it, &params)).await
    }

    async fn range_formatting(&self, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.answer("formatting", move |it| requests::formatting::range(it, &params)).await
    }

    async fn on_type_formatting(&self, params: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.answer("formatting", move |it| requests::formatting::on_type(it, &params)).await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        self.answer("folding", move |it| requests::folding_range::answer(it, &params)).await
    }

    async fn selection_range(&self, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        self.answer("selection", move |it| requests::selection_range::answer(it, &params)).await
    }

    async fn semantic_tokens_full(&self, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        let uri = params.text_document.uri;
        let tokens = self.tokens(uri.clone(), None).await?;
        Ok(tokens.map(|tokens| self.with_told(&uri, |told| told.full(tokens)).into()))
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        let uri = params.text_document.uri;
        let tokens = self.tokens(uri.clone(), None).await?;
        Ok(tokens.map(|tokens| self.with_told(&uri, |told| told.delta(&params.previous_result_id, tokens))))
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        let tokens = self.tokens(params.text_document.uri, Some(params.range)).await?;
        Ok(tokens.map(|data| SemanticTokens { result_id: None, data }.into()))
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        let uri = params.arguments.first().and_then(Value::as_str).and_then(|uri| uri.parse::<Uri>().ok());
        match (params.command.as_str(), uri) {
            ("policyc.runAll", Some(uri)) => {
                let told = self.answer("policyc.runAll", move |it| requests::run_all::answer(it, &uri)).await?;
                if let Some((kind, message)) = told {
                    self.client.show_message(kind, &message).await;
                    return Ok(Some(Value::from(message)));
                }
                Ok(None)
            }
            _ => Err(Error::invalid_params("no such command, or no document")),
        }
    }
}
