//! How long an author waits: from a keystroke to its diagnostics, and for what is asked then, over a real connection in
//! memory; and how much memory the server takes. Prints a table of medians and 95th percentiles.

#[path = "../tests/editor.rs"]
#[allow(dead_code, clippy::indexing_slicing, reason = "the tests use the rest, and fail by panicking")]
mod editor;

use std::time::{Duration, Instant};

use editor::Editor;
use policyc_tests::workload::Workload;
use serde_json::{Value, json};

const URI: &str = "untitled:bench.rules";

/// How long something took, again and again.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn percentile(&mut self, percent: usize) -> Duration {
        self.0.sort_unstable();
        let last = self.0.len().saturating_sub(1);
        self.0.get(last * percent / 100).copied().unwrap_or_default()
    }

    fn row(&mut self, what: &str) {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1_000.0;
        let (median, late) = (milliseconds(self.percentile(50)), milliseconds(self.percentile(95)));
        println!("| {what} | {median:.2} ms | {late:.2} ms |");
    }
}

/// Types into the name of a rule in the middle, so that what is declared changes, and takes it back.
struct Typist {
    line: usize,
    column: usize,
    version: i64,
}

impl Typist {
    fn key(&mut self, editor: &mut Editor) -> Duration {
        let at = |column: usize| json!({ "line": self.line, "character": column });
        let types = self.version % 2 == 1;
        self.version += 1;
        let change = if types {
            json!([{ "range": { "start": at(self.column), "end": at(self.column) }, "text": "x" }])
        } else {
            json!([{ "range": { "start": at(self.column), "end": at(self.column + 1) }, "text": "" }])
        };
        let start = Instant::now();
        editor.change(URI, self.version, change);
        let told = editor.diagnostics(URI, self.version);
        let taken = start.elapsed();
        // Of a rule with another name, the examples fail.
        let fine =
            |it: &Value| it.get("severity") != Some(&json!(1)) || it.get("code") == Some(&json!("failing-example"));
        assert!(told.iter().all(fine), "{told:?}");
        editor.notifications.clear();
        taken
    }
}

fn policy(rules: usize, examples: usize) -> (String, Typist) {
    let text = Workload::over_many_programs(rules).with_examples(examples).generate().policy;
    let line = rules / 2;
    let middle = text.lines().nth(line).unwrap_or_default();
    let column = middle.find("[\"").map_or(0, |start| start + 3);
    (format!("{text}#? git push origin\n"), Typist { line, column, version: 1 })
}

fn keystrokes(rules: usize, examples: usize, times: usize) {
    let (text, mut typist) = policy(rules, examples);
    let mut editor = Editor::new();
    editor.open(URI, &text);
    editor.diagnostics(URI, 1);
    for _ in 0..4 {
        typist.key(&mut editor);
    }
    let mut taken = Times((0..times).map(|_| typist.key(&mut editor)).collect());
    taken.row(&format!("keystroke to diagnostics, {rules} rules, {examples} examples each"));
    editor.finish();
}

fn requests(rules: usize, times: usize) {
    let (text, mut typist) = policy(rules, 1);
    let mut editor = Editor::new();
    editor.open(URI, &text);
    editor.diagnostics(URI, 1);
    let document = json!({ "uri": URI });
    let at = json!({ "line": typist.line, "character": typist.column });
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": rules + 1, "character": 0 } });
    let context = json!({ "diagnostics": [] });
    let range = json!({ "start": at, "end": at });
    let last = json!({ "start": { "line": rules.saturating_sub(40), "character": 0 }, "end": { "line": rules + 1, "character": 0 } });
    let asked = [
        ("hover", "textDocument/hover", json!({ "textDocument": document, "position": at })),
        ("completion", "textDocument/completion", json!({ "textDocument": document, "position": at })),
        ("inlay hints of 40 lines", "textDocument/inlayHint", json!({ "textDocument": document, "range": last })),
        ("inlay hints of all lines", "textDocument/inlayHint", json!({ "textDocument": document, "range": whole })),
        ("code lenses", "textDocument/codeLens", json!({ "textDocument": document })),
        (
            "code actions",
            "textDocument/codeAction",
            json!({ "textDocument": document, "range": range, "context": context }),
        ),
        ("semantic tokens", "textDocument/semanticTokens/full", json!({ "textDocument": document })),
    ];
    for (name, method, parameters) in asked {
        let (mut first, mut again) = (Times::default(), Times::default());
        for _ in 0..times {
            typist.key(&mut editor);
            for times in [&mut first, &mut again] {
                let start = Instant::now();
                let answer = editor.ask(method, parameters.clone());
                times.0.push(start.elapsed());
                assert_ne!(answer, Value::Null, "{name}");
            }
        }
        first.row(&format!("{name} after a keystroke, {rules} rules"));
        again.row(&format!("{name} again, {rules} rules"));
    }
    editor.finish();
}

/// What a server of its own takes, after so many edits.
#[cfg(target_os = "linux")]
fn memory(rules: usize) {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};

    let (text, typist) = policy(rules, 0);
    let mut server = Command::new(env!("CARGO_BIN_EXE_policyc-lsp"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut input = server.stdin.take().expect("its input is ours");
    let mut output = server.stdout.take().expect("its output is ours");
    let mut send = |message: Value| {
        let body = message.to_string();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        input.flush().expect("the server reads");
    };
    let mut heard = String::new();
    let mut hear = |until: &str| {
        let mut piece = [0; 1 << 16];
        while !heard.contains(until) {
            let length = output.read(&mut piece).expect("the server writes");
            assert!(length > 0, "the server is gone: {heard}");
            heard.push_str(&String::from_utf8_lossy(piece.get(..length).unwrap_or_default()));
        }
        heard.clear();
    };
    send(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }));
    hear("\"id\":1");
    send(json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let document = json!({ "uri": URI, "languageId": "policy", "version": 1, "text": text });
    send(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    hear("policyc/status");
    for version in 2..40 {
        let at = json!({ "line": typist.line, "character": typist.column });
        let change = json!([{ "range": { "start": at, "end": at }, "text": "x" }]);
        let document = json!({ "uri": URI, "version": version });
        let parameters = json!({ "textDocument": document, "contentChanges": change });
        send(json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": parameters }));
        hear("policyc/status");
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": rules + 1, "character": 0 } });
        let parameters = json!({ "textDocument": { "uri": URI }, "range": range });
        send(json!({ "jsonrpc": "2.0", "id": version, "method": "textDocument/inlayHint", "params": parameters }));
        hear(&format!("\"id\":{version}"));
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).expect("the server lives");
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        let kibibytes = line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok());
        kibibytes.unwrap_or_default() >> 10
    };
    println!("| memory, {rules} rules, 38 edits | {} MiB | {} MiB at most |", field("VmRSS"), field("VmHWM"));
    server.kill().expect("the server can be ended");
    let _ = server.wait();
}

fn main() {
    println!("| | median | 95 of 100 |\n| --- | ---: | ---: |");
    for examples in [0, 1] {
        keystrokes(40, examples, 400);
        keystrokes(1_000, examples, 200);
        keystrokes(10_000, examples, 40);
    }
    requests(1_000, 60);
    #[cfg(target_os = "linux")]
    memory(10_000);
}
