//! An editor that does what none should: the server lives, answers each request, and is right afterwards.

use std::time::{Duration, Instant};

use policyc_tests::random::Random;
use serde_json::{Value, json};

use crate::editor::Editor;

const URI: &str = "untitled:rough.rules";
const OTHER: &str = "untitled:other.rules";
const WRONG: &str = "prefix_rule(['a'], 'alow')\n";

fn at(uri: &str, line: u64, character: u64) -> Value {
    let position = json!({ "line": line, "character": character });
    let range = json!({ "start": position, "end": position });
    json!({ "textDocument": { "uri": uri }, "position": position, "range": range, "positions": [position],
        "context": { "diagnostics": [], "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false },
        "newName": "x", "ch": "\n", "options": { "tabSize": 4, "insertSpaces": true } })
}

/// Requests about a place, all of them with the same parameters.
const REQUESTS: [&str; 23] = [
    "policyc/table",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/diagnostic",
    "textDocument/documentHighlight",
    "textDocument/documentLink",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/hover",
    "textDocument/inlayHint",
    "textDocument/onTypeFormatting",
    "textDocument/prepareCallHierarchy",
    "textDocument/prepareRename",
    "textDocument/rangeFormatting",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/signatureHelp",
];

fn code(answer: Result<Value, Value>) -> Option<i64> {
    answer.err().and_then(|error| error["code"].as_i64())
}

/// What the server says of a message: to one without a number, in the name of none.
fn said(editor: &mut Editor, message: &str) -> Value {
    editor.send_raw(message.as_bytes());
    loop {
        let said = editor.receive();
        if said.get("id") == Some(&Value::Null) {
            return said["error"]["code"].clone();
        }
    }
}

#[test]
fn what_is_no_message_is_told_so_and_the_next_one_is_heard() {
    let mut editor = Editor::new();
    editor.open(URI, WRONG);
    let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    for (message, code) in [
        (framed("{\"a\":"), -32700),
        (framed(""), -32700),
        (framed("[]"), -32600),
        (framed("null"), -32600),
        (framed("{\"jsonrpc\": \"2.0\", \"method\": 7}"), -32600),
        (framed("{\"jsonrpc\": \"1.0\", \"method\": \"shutdown\"}"), -32600),
        (framed("{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"shutdown\"}"), -32600),
        (framed(&"[".repeat(100_000)), -32700),
        ("Content-Length: many\r\n\r\n".to_owned(), -32700),
        ("No-Length: 3\r\n\r\n".to_owned(), -32700),
        ("what?\r\n\r\n".to_owned(), -32700),
    ] {
        assert_eq!(said(&mut editor, &message), code, "{message:.60}");
        editor.ask("textDocument/hover", at(URI, 0, 3));
    }
    editor.send_raw(b"\r\n\r\n");
    // An answer that nobody asked for.
    editor.send_raw(framed("{\"jsonrpc\": \"2.0\", \"id\": 900, \"result\": 1}").as_bytes());
    editor.change(URI, 2, json!([{ "text": "prefix_rule(['a'])\n" }]));
    assert_eq!(editor.diagnostics(URI, 2), Vec::<Value>::new());
    editor.finish();
}

#[test]
fn every_request_is_answered_whatever_its_name_is() {
    let mut editor = Editor::new();
    for method in ["$/nothing", "nothing", "", "policyc/nothing", "textDocument/nothing"] {
        let id = editor.begin(method, json!({}));
        assert_eq!(code(editor.end(id)), Some(-32601), "{method}");
        editor.tell(method, json!({}));
    }
    for parameters in [json!({}), json!([]), json!(5), json!({ "textDocument": { "uri": "no address %" } })] {
        for method in REQUESTS {
            let id = editor.begin(method, parameters.clone());
            let _ = editor.end(id);
        }
        for method in ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "$/cancelRequest"] {
            editor.tell(method, parameters.clone());
        }
    }
    editor.finish();
}

#[test]
fn requests_come_too_early_and_too_late() {
    let mut editor = Editor::silent();
    let id = editor.begin("textDocument/hover", at(URI, 0, 0));
    assert_eq!(code(editor.end(id)), Some(-32002));
    editor.open(URI, WRONG);
    editor.ask("initialize", json!({ "capabilities": {} }));
    editor.tell("initialized", json!({}));
    let id = editor.begin("initialize", json!({ "capabilities": {} }));
    assert_eq!(code(editor.end(id)), Some(-32600));
    editor.open(OTHER, WRONG);
    assert_eq!(editor.diagnostics(OTHER, 1).len(), 1);
    editor.ask("shutdown", Value::Null);
    let id = editor.begin("textDocument/hover", at(OTHER, 0, 3));
    assert_eq!(code(editor.end(id)), Some(-32600));
    editor.tell("exit", Value::Null);
}

#[test]
fn places_that_no_text_has_are_answered() {
    let texts = [
        "",
        "prefix_rule(['git'],\r\n    'prompt',\r\n)\r\n#? git x\r\n",
        "# 😀😀\nprefix_rule(['😀'], match = ['😀'])\n#? 😀 x\n",
        "\u{feff}prefix_rule(['a'])\n",
        "prefix_rule(['a\0'])\n#? a\0b\n",
        "prefix_rule(['a'])\rprefix_rule(['b'])\r",
        "\u{2028}\u{b}\u{c}x",
    ];
    for text in texts {
        let mut editor = Editor::new();
        editor.open(URI, text);
        for (line, character) in [(0, 0), (0, 3), (1, 15), (0, u64::from(u32::MAX)), (u64::from(u32::MAX), 7)] {
            for method in REQUESTS {
                let id = editor.begin(method, at(URI, line, character));
                let answer = editor.end(id);
                let refused = method.ends_with("ename") && code(answer.clone()) == Some(-32803);
                assert!(answer.is_ok() || refused, "{text:?} {line}:{character} {method}: {answer:?}");
            }
        }
        // Half of a pair, an end before its start, and a place beyond the text.
        for (version, [line, character, end_line, end]) in
            (2..).zip([[0, 3, 0, 4], [9, 9, 0, 0], [u32::MAX, u32::MAX, u32::MAX, u32::MAX]])
        {
            let range = json!({ "start": { "line": line, "character": character }, "end": { "line": end_line, "character": end } });
            editor.change(URI, version, json!([{ "range": range, "text": "x" }]));
            editor.diagnostics(URI, version);
        }
        editor.change(URI, 5, json!([{ "text": WRONG }]));
        assert_eq!(editor.diagnostics(URI, 5).len(), 1);
        editor.finish();
    }
}

#[test]
fn a_thousand_edits_and_cancelled_requests_lose_nothing() {
    let mut editor = Editor::new();
    let mut random = Random::seeded(9);
    editor.open(URI, "");
    let mut begun = Vec::new();
    for version in 2..2_000 {
        let end = json!({ "line": 0, "character": version - 2 });
        editor.change(URI, version, json!([{ "range": { "start": end, "end": end }, "text": "#" }]));
        if version % 7 == 0 {
            begun.push(editor.begin(random.pick::<&str>(&REQUESTS), at(URI, 0, 5)));
        }
        if version % 21 == 0 {
            editor.tell("$/cancelRequest", json!({ "id": begun.last() }));
        }
    }
    let known = [None, Some(-32800), Some(-32801), Some(-32803)];
    for id in begun {
        let code = code(editor.end(id));
        assert!(known.contains(&code), "{code:?}");
    }
    editor.change(URI, 2_000, json!([{ "text": WRONG }]));
    assert_eq!(editor.diagnostics(URI, 2_000).len(), 1);
    editor.finish();
}

#[test]
fn a_document_is_closed_while_it_is_asked_about() {
    let mut editor = Editor::new();
    for number in 0..20 {
        let uri = format!("untitled:closed{number}.rules");
        editor.open(&uri, &"prefix_rule(['a'], match = ['a'])\n".repeat(50));
        let before = ["textDocument/inlayHint", "textDocument/codeLens"].map(|it| editor.begin(it, at(&uri, 0, 3)));
        editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
        let after = editor.begin("textDocument/hover", at(&uri, 0, 3));
        editor.change(&uri, 9, json!([{ "text": "x" }]));
        for id in before {
            assert!([None, Some(-32801)].contains(&code(editor.end(id))));
        }
        let after = editor.end(after);
        assert!(after == Ok(Value::Null) || code(after.clone()) == Some(-32801), "{after:?}");
    }
    editor.finish();
}

#[test]
fn a_policy_without_end_keeps_no_other_waiting() {
    let hostile = [
        "def f():\n    for x in range(1000000000):\n        for y in range(1000000000):\n            pass\nf()\n",
        "def f():\n    x = 'aaaaaaaa'\n    for i in range(100):\n        x = x + x\nf()\n",
        "[prefix_rule(['a%d' % i]) for i in range(3000000)]\n",
        "[prefix_rule([], 'x%d' % i) for i in range(3000000)]\n",
    ];
    for text in hostile {
        let mut editor = Editor::new();
        editor.open(OTHER, "prefix_rule(['git'], 'prompt')\n");
        editor.diagnostics(OTHER, 1);
        editor.open(URI, text);
        let start = Instant::now();
        assert_ne!(editor.ask("textDocument/hover", at(OTHER, 0, 3)), Value::Null);
        editor.change(OTHER, 2, json!([{ "text": WRONG }]));
        editor.ask("textDocument/hover", at(OTHER, 0, 3));
        assert!(start.elapsed() < Duration::from_secs(10), "{text}: {:?}", start.elapsed());
        for version in 2..20 {
            let start = json!({ "line": 0, "character": 0 });
            editor.change(URI, version, json!([{ "range": { "start": start, "end": start }, "text": "#" }]));
        }
        editor.change(URI, 20, json!([{ "text": WRONG }]));
        assert_eq!(editor.diagnostics(URI, 20).len(), 1, "{text}");
        editor.finish();
    }
}

#[test]
fn a_text_of_megabytes_is_answered_and_forgotten() {
    let wide = format!("prefix_rule(['a', [{}]])\n", "'b',".repeat(30_000));
    let long = format!("{}\n", "x".repeat(500_000));
    let large = "prefix_rule(['git'])\n".repeat(900_000);
    for text in [wide, long, large, "[1,".repeat(30_000), "#? a\n".repeat(3_000)] {
        let mut editor = Editor::new();
        editor.open(URI, &text);
        editor.diagnostics(URI, 1);
        for method in REQUESTS {
            let id = editor.begin(method, at(URI, 0, 22));
            let _ = editor.end(id);
        }
        editor.change(URI, 2, json!([{ "text": WRONG }]));
        assert_eq!(editor.diagnostics(URI, 2).len(), 1);
        editor.finish();
    }
}
