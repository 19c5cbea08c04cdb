//! An editor without a window: it sends messages, keeps what comes, and answers what it is asked.

use std::collections::VecDeque;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

/// Longer than anything takes, even on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Editor {
    runtime: Runtime,
    input: ReadHalf<DuplexStream>,
    output: WriteHalf<DuplexStream>,
    read: Vec<u8>,
    /// Notifications that nobody waited for yet.
    pub(crate) notifications: VecDeque<Value>,
    /// Answers that nobody waited for yet.
    answers: Vec<Value>,
    last_request: i64,
    server: Option<JoinHandle<()>>,
    /// What the server answered to `initialize`.
    pub(crate) capabilities: Value,
    /// The server's own requests, all of which are answered with `null`.
    pub(crate) requests: Vec<Value>,
}

impl Editor {
    /// A server that was told of no folder, by an editor that knows little.
    pub(crate) fn new() -> Self {
        Self::with(json!({ "capabilities": {} }))
    }

    /// A server that was sent `initialize` with these parameters, and `initialized`.
    pub(crate) fn with(parameters: Value) -> Self {
        let mut editor = Self::silent();
        editor.capabilities = editor.ask("initialize", parameters)["capabilities"].take();
        editor.tell("initialized", json!({}));
        editor
    }

    /// A server that was sent nothing yet.
    pub(crate) fn silent() -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let server = thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
            let (input, output) = tokio::io::split(theirs);
            runtime.block_on(policyc_lsp::serve(input, output));
            runtime.shutdown_background();
        });
        let (input, output) = tokio::io::split(ours);
        Self {
            runtime: Builder::new_current_thread().enable_all().build().expect("a runtime starts"),
            input,
            output,
            read: Vec::new(),
            notifications: VecDeque::new(),
            answers: Vec::new(),
            last_request: 0,
            server: Some(server),
            capabilities: Value::Null,
            requests: Vec::new(),
        }
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// Sends bytes, which need be no message.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        self.runtime.block_on(self.output.write_all(bytes)).expect("the server reads");
    }

    /// Sends a notification.
    pub(crate) fn tell(&mut self, method: &str, parameters: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    /// Sends a request, and returns its number.
    pub(crate) fn begin(&mut self, method: &str, parameters: Value) -> i64 {
        self.last_request += 1;
        let id = self.last_request;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        id
    }

    /// The answer to a request: its result, or its error.
    pub(crate) fn end(&mut self, id: i64) -> Result<Value, Value> {
        let mut message = loop {
            if let Some(place) = self.answers.iter().position(|answer| answer["id"] == id) {
                break self.answers.swap_remove(place);
            }
            let message = self.receive();
            self.told(message);
        };
        match message.get_mut("error") {
            Some(error) => Err(error.take()),
            None => Ok(message["result"].take()),
        }
    }

    /// Asks, and waits for the answer, which must not be an error.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.begin(method, parameters);
        self.end(id).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The next notification of this kind.
    pub(crate) fn await_notification(&mut self, method: &str) -> Value {
        loop {
            if let Some(place) = self.notifications.iter().position(|message| message["method"] == method) {
                return self.notifications.remove(place).expect("it was just found")["params"].take();
            }
            let message = self.receive();
            self.told(message);
        }
    }

    /// The diagnostics of this version of a document, once they come.
    pub(crate) fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        loop {
            let mut published = self.await_notification("textDocument/publishDiagnostics");
            if published["uri"] == uri && published["version"] == version {
                return match published["diagnostics"].take() {
                    Value::Array(diagnostics) => diagnostics,
                    other => panic!("not diagnostics: {other}"),
                };
            }
        }
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "policy", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Changes a document; `changes` as in the protocol.
    pub(crate) fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    fn told(&mut self, message: Value) {
        if message.get("method").is_none() {
            self.answers.push(message);
        } else if let Some(id) = message.get("id") {
            let answer = json!({ "jsonrpc": "2.0", "id": id, "result": null });
            self.send(&answer);
            self.requests.push(message);
        } else {
            self.notifications.push_back(message);
        }
    }

    /// The next message of the server.
    pub(crate) fn receive(&mut self) -> Value {
        loop {
            if let Some(message) = self.complete() {
                return message;
            }
            let mut piece = vec![0; 1 << 16];
            let read = self.runtime.block_on(async { timeout(PATIENCE, self.input.read(&mut piece)).await });
            let length = read.expect("the server says something").expect("the connection holds");
            assert!(length > 0, "the server is gone");
            self.read.extend_from_slice(&piece[..length]);
        }
    }

    /// Takes a message from what was read, if one is complete.
    fn complete(&mut self) -> Option<Value> {
        const END: &[u8] = b"\r\n\r\n";
        let end = self.read.windows(END.len()).position(|window| window == END)?;
        let header = std::str::from_utf8(&self.read[..end]).expect("a header is text");
        let length = header.lines().find_map(|line| line.strip_prefix("Content-Length: ")).expect("a length");
        let start = end + END.len();
        let length: usize = length.parse().expect("a length is a number");
        let body = self.read.get(start..start + length)?;
        let message = serde_json::from_slice(body).expect("a message is JSON");
        self.read.drain(..start + length);
        Some(message)
    }

    /// Ends the server as the protocol has it.
    pub(crate) fn finish(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.server.take().expect("it ends once").join().expect("the server ends in order");
    }
}
