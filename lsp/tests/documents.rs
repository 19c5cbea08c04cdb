//! Opening, changing and closing documents.

use serde_json::json;

use crate::editor::Editor;

const WRONG: &str = "prefix_rule(pattern = ['cat'], decision = 'alow')\n";

#[test]
fn a_document_is_checked_as_it_is_typed() {
    let mut editor = Editor::new();
    assert_eq!(editor.capabilities["positionEncoding"], "utf-16");
    let uri = "untitled:Untitled-1";
    editor.open(uri, WRONG);
    let told = editor.diagnostics(uri, 1);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["code"], "unknown-decision");
    assert_eq!(told[0]["source"], "policyc");
    let page = "https://github.com/policyc/policyc/blob/main/docs/diagnostics/unknown-decision.md";
    assert_eq!(told[0]["codeDescription"]["href"], page);
    let range = json!({ "start": { "line": 0, "character": 42 }, "end": { "line": 0, "character": 48 } });
    assert_eq!(told[0]["range"], range);

    let typed = json!({ "line": 0, "character": 44 });
    editor.change(uri, 2, json!([{ "range": { "start": typed, "end": typed }, "text": "l" }]));
    assert_eq!(editor.diagnostics(uri, 2), Vec::<serde_json::Value>::new());

    editor.change(uri, 3, json!([{ "text": "(" }]));
    assert_eq!(editor.diagnostics(uri, 3).len(), 1);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    let cleared = editor.await_notification("textDocument/publishDiagnostics");
    assert_eq!(cleared, json!({ "uri": uri, "diagnostics": [] }));
    editor.finish();
}

#[test]
fn columns_are_counted_as_agreed() {
    for (offered, agreed, column) in [
        (json!(["utf-8", "utf-16"]), "utf-8", 6),
        (json!(["utf-32"]), "utf-32", 3),
        (json!(["utf-7", "utf-16"]), "utf-16", 4),
    ] {
        let mut editor = Editor::with(json!({ "capabilities": { "general": { "positionEncodings": offered } } }));
        assert_eq!(editor.capabilities["positionEncoding"], agreed);
        let uri = "file:///nowhere/a.rules";
        editor.open(uri, "'😀'; x\n");
        let typed = json!({ "line": 0, "character": column });
        editor.change(uri, 2, json!([{ "range": { "start": typed, "end": typed }, "text": "\ny" }]));
        let told = editor.diagnostics(uri, 2);
        assert_eq!(told[0]["range"]["start"], json!({ "line": 1, "character": 0 }), "{agreed}: {told:?}");
    }
}
