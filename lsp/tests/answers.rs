//! What requests answer, and what the server survives.

use serde_json::{Value, json};

use crate::editor::Editor;

const URI: &str = "untitled:policy.rules";

fn open(text: &str) -> Editor {
    let mut editor = Editor::new();
    editor.open(URI, text);
    editor.diagnostics(URI, 1);
    editor
}

fn document() -> Value {
    json!({ "uri": URI })
}

fn whole() -> Value {
    json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 10_000, "character": 0 } })
}

/// The hints of the document, as texts.
fn hints(editor: &mut Editor) -> Vec<String> {
    let hints = editor.ask("textDocument/inlayHint", json!({ "textDocument": document(), "range": whole() }));
    let text = |hint: &Value| hint["label"][0]["value"].as_str().expect("a text").to_owned();
    hints.as_array().expect("a list").iter().map(text).collect()
}

/// The titles of the lenses of the document.
fn lenses(editor: &mut Editor) -> Vec<String> {
    let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": document() }));
    let title = |lens: &Value| lens["command"]["title"].as_str().expect("a title").to_owned();
    lenses.as_array().expect("a list").iter().map(title).collect()
}

#[test]
fn hits_stand_beside_examples_expectations_and_scratch_lines() {
    let mut editor = open("prefix_rule(['git', 'push'], 'prompt', match = ['git push'])\n#? git -C x push\n#? ls\n");
    assert_eq!(hints(&mut editor), ["→ prompt  policy.rules:1", "→ prompt  policy.rules:1", "→ no rule"]);
    let scratch = json!({ "line": 2, "character": 5 });
    editor.change(URI, 2, json!([{ "range": { "start": scratch, "end": scratch }, "text": "; git push" }]));
    assert_eq!(hints(&mut editor)[2], "→ prompt  policy.rules:1");
    editor.finish();
}

#[test]
fn a_broken_file_keeps_its_last_good_answers() {
    let mut editor = open("prefix_rule(['git', 'push'], 'prompt')\n#? git push\n");
    assert_eq!(hints(&mut editor), ["→ prompt  policy.rules:1"]);
    let end = json!({ "line": 2, "character": 0 });
    editor.change(URI, 2, json!([{ "range": { "start": end, "end": end }, "text": "prefix_rule([" }]));
    assert_eq!(editor.diagnostics(URI, 2).len(), 1);
    let status = loop {
        let status = editor.await_notification("policyc/status");
        if status["errors"] == 1 {
            break status;
        }
    };
    assert_eq!(status["degraded"], json!(["policy.rules"]));
    assert_eq!(status["prompt"], 1);
    let evaluated = editor.ask("policyc/evaluate", json!({ "text": "git push", "textDocument": document() }));
    assert_eq!(evaluated["decision"], "prompt");
    editor.finish();
}

#[test]
fn texts_and_words_are_evaluated_as_on_the_command_line() {
    let mut editor = open("prefix_rule(['git', 'push'], 'forbidden', justification = 'no')\n");
    let evaluated = editor.ask("policyc/evaluate", json!({ "text": "cd x && git push", "textDocument": document() }));
    assert_eq!(evaluated["decision"], "forbidden");
    assert_eq!(evaluated["commands"][1]["matches"][0]["line"], 1);
    assert_eq!(evaluated["files"]["policy.rules"], URI);
    let words = editor.ask("policyc/evaluate", json!({ "words": ["git", "push"], "textDocument": document() }));
    assert_eq!(words["decision"], "forbidden");
    let listing = editor.ask("policyc/table", json!({ "textDocument": document() }));
    assert!(listing["listing"].as_str().expect("a text").contains("git push"), "{listing}");
    let id = editor.begin("policyc/evaluate", json!({ "textDocument": document() }));
    assert_eq!(editor.end(id).expect_err("nothing is asked")["code"], -32602);
    editor.finish();
}

#[test]
fn everything_in_a_file_can_be_run() {
    let mut editor = open("prefix_rule(['git'], 'prompt', match = ['git push', 'ls'])\nexpect('git', 'prompt')\n");
    assert_eq!(lenses(&mut editor)[0], "run all: 1 of 2 examples pass, 1 expectation passes");
    let arguments = json!({ "command": "policyc.runAll", "arguments": [URI] });
    editor.ask("workspace/executeCommand", arguments);
    let message = editor.await_notification("window/showMessage");
    assert_eq!(message["message"], "policy.rules: 1 of 2 examples pass, 1 expectation passes");
    assert_eq!(message["type"], 2);
    editor.finish();
}

#[test]
fn lsp_2_a_range_beyond_the_end_is_answered() {
    let mut editor = open("prefix_rule(pattern=[\"jq\"], decision=\"allow\")\n");
    editor.change(URI, 2, json!([{ "text": "" }]));
    let beyond = json!({ "start": { "line": 99, "character": 99 }, "end": { "line": 100, "character": 0 } });
    let hints = editor.ask("textDocument/inlayHint", json!({ "textDocument": document(), "range": beyond }));
    assert_eq!(hints, json!([]));
    let unknown = json!({ "textDocument": { "uri": "file:///nowhere/x.rules" }, "range": beyond });
    assert_eq!(editor.ask("textDocument/inlayHint", unknown), Value::Null);
    editor.finish();
}

#[test]
fn lsp_10_a_rule_without_examples_has_its_lenses() {
    let mut editor = open("prefix_rule(pattern=[\"jq\"], decision=\"allow\")\n");
    let lenses = lenses(&mut editor);
    assert!(lenses.iter().any(|title| title == "try a command…"), "{lenses:?}");
    assert!(lenses.iter().any(|title| title == "hit by 0 expectations"), "{lenses:?}");
    editor.finish();
}

#[test]
fn diagnostics_can_be_asked_for() {
    let parameters = json!({ "capabilities": {}, "initializationOptions": { "diagnostics": "pull" } });
    let mut editor = Editor::with(parameters);
    assert_eq!(editor.capabilities["diagnosticProvider"]["workspaceDiagnostics"], true);
    editor.open(URI, "prefix_rule([], 'prompt')\n");
    let report = editor.ask("textDocument/diagnostic", json!({ "textDocument": document() }));
    assert_eq!(report["kind"], "full");
    assert_eq!(report["items"][0]["code"], "empty-pattern");
    let again = json!({ "textDocument": document(), "previousResultId": report["resultId"] });
    assert_eq!(editor.ask("textDocument/diagnostic", again)["kind"], "unchanged");
    let previous = json!([{ "uri": URI, "value": report["resultId"] }, { "uri": "file:///gone.rules", "value": "x" }]);
    let workspace = editor.ask("workspace/diagnostic", json!({ "previousResultIds": previous }));
    let kinds: Vec<_> = workspace["items"].as_array().expect("a list").iter().map(|item| &item["kind"]).collect();
    assert_eq!(kinds, ["unchanged", "full"]);
    assert_eq!(workspace["items"][1]["items"], json!([]));
    assert!(editor.notifications.iter().all(|it| it["method"] != "textDocument/publishDiagnostics"));
    editor.finish();
}

/// The parameters of a request about a place.
fn at(line: u32, character: u32) -> Value {
    json!({ "textDocument": document(), "position": { "line": line, "character": character } })
}

#[test]
fn what_stands_at_a_place_is_told() {
    let mut editor = open("prefix_rule(['git', 'push'], 'prompt')\n");
    let hover = editor.ask("textDocument/hover", at(0, 3));
    assert_eq!(hover["contents"]["kind"], "markdown");
    assert!(hover["contents"]["value"].as_str().expect("a text").contains("prefix_rule"), "{hover}");
    assert_eq!(hover["range"]["end"], json!({ "line": 0, "character": 11 }));
    assert_eq!(editor.ask("textDocument/hover", at(1, 0)), Value::Null);
    editor.finish();
}

#[test]
fn lsp_7_a_syntax_error_hides_no_other_mistake() {
    let mut editor = Editor::new();
    editor.open(URI, "def bad(\n\nprefix_rule(pattern=[\"jq\"], decision=\"alow\")\n");
    let told = editor.diagnostics(URI, 1);
    let told: Vec<_> = told.iter().map(|it| (it["code"].clone(), it["range"]["start"]["line"].clone())).collect();
    assert_eq!(told, [(json!("invalid-syntax"), json!(0)), (json!("unknown-decision"), json!(2))]);
    // The name in the call still leads somewhere.
    assert_ne!(editor.ask("textDocument/hover", at(2, 3)), Value::Null);
    editor.finish();
}

#[test]
fn lsp_11_a_hover_shows_how_to_repeat_the_evaluation_in_a_terminal() {
    let mut editor = open("prefix_rule(pattern=[\"jq\"], decision=\"allow\")\n#? jq . x\n");
    for (line, command) in [(0, "jq"), (1, "--shell 'jq . x'")] {
        let hover = editor.ask("textDocument/hover", at(line, 3));
        let text = hover["contents"]["value"].as_str().expect("Markdown").to_owned();
        let asked = |shown: &str| shown.starts_with("policyc explain ") && shown.ends_with(command);
        assert!(text.lines().any(asked), "{text}");
    }
    editor.finish();
}

#[test]
fn lsp_14_a_hover_leaves_the_diagnostics_alone() {
    let mut editor = Editor::new();
    editor.open(URI, "prefix_rule(pattern=[\"jq\"], decision=\"alow\")\n");
    assert_eq!(editor.diagnostics(URI, 1).len(), 1);
    editor.ask("textDocument/hover", at(0, 40));
    editor.ask("textDocument/hover", at(0, 3));
    // Nothing is published because something was read.
    assert!(editor.notifications.iter().all(|it| it["method"] != "textDocument/publishDiagnostics"));
    editor.finish();
}

#[test]
fn what_may_be_written_at_a_place_is_offered() {
    let mut editor = open("prefix_rule(['git', 'push'], '')\n");
    let offered = editor.ask("textDocument/completion", at(0, 30));
    let labels: Vec<_> = offered.as_array().expect("a list").iter().map(|it| &it["label"]).collect();
    assert!(labels.contains(&&json!("forbidden")), "{labels:?}");
    editor.finish();
}

#[test]
fn a_call_says_what_it_takes() {
    let mut editor = open("prefix_rule(['git'], )\n");
    let help = editor.ask("textDocument/signatureHelp", at(0, 21));
    let signature = &help["signatures"][0];
    assert!(signature["label"].as_str().expect("a text").starts_with("prefix_rule("), "{help}");
    assert_eq!(signature["activeParameter"], 1);
    editor.finish();
}

/// A document with another version, and the edits that are for it, done.
fn edited(text: &str, edit: &Value) -> String {
    let edits = edit["changes"][URI].as_array().expect("edits of the document");
    let mut edits: Vec<(u64, u64, u64, &str)> = edits
        .iter()
        .map(|edit| {
            let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
            assert_eq!(start["line"], end["line"], "an edit within a line");
            let number = |value: &Value| value.as_u64().expect("a number");
            let new = edit["newText"].as_str().expect("a text");
            (number(&start["line"]), number(&start["character"]), number(&end["character"]), new)
        })
        .collect();
    edits.sort_unstable();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (line, start, end, new) in edits.into_iter().rev() {
        lines[line as usize].replace_range(start as usize..end as usize, new);
    }
    lines.join("\n") + "\n"
}

#[test]
fn names_lead_to_their_definitions_and_back() {
    let mut editor = open("NAMES = ['a']\nprefix_rule([NAMES])\n");
    let name = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 5 } });
    let definition = editor.ask("textDocument/definition", at(1, 15));
    assert_eq!(definition, json!([{ "uri": URI, "range": name }]));
    let mut asked = at(0, 2);
    asked["context"] = json!({ "includeDeclaration": true });
    assert_eq!(editor.ask("textDocument/references", asked.clone()).as_array().expect("a list").len(), 2);
    asked["context"] = json!({ "includeDeclaration": false });
    let references = editor.ask("textDocument/references", asked);
    assert_eq!(references[0]["range"]["start"], json!({ "line": 1, "character": 13 }));
    let highlights = editor.ask("textDocument/documentHighlight", at(1, 15));
    assert_eq!(highlights.as_array().expect("a list").len(), 2);
    assert_eq!((&highlights[0]["kind"], &highlights[1]["kind"]), (&json!(3), &json!(2)));
    editor.finish();
}

#[test]
fn a_name_is_changed_wherever_it_is_used() {
    let text = "NAMES = ['a']\nprefix_rule([NAMES])\n";
    let mut editor = open(text);
    let prepared = editor.ask("textDocument/prepareRename", at(1, 15));
    assert_eq!(prepared["placeholder"], "NAMES");
    let mut asked = at(1, 15);
    asked["newName"] = json!("WORDS");
    let edit = editor.ask("textDocument/rename", asked.clone());
    assert_eq!(edited(text, &edit), text.replace("NAMES", "WORDS"));
    asked["newName"] = json!("not a name");
    let id = editor.begin("textDocument/rename", asked);
    assert_eq!(editor.end(id).expect_err("it is no name")["code"], -32803);
    let id = editor.begin("textDocument/prepareRename", at(1, 3));
    assert!(editor.end(id).is_err(), "a builtin keeps its name");
    editor.finish();
}

#[test]
fn symbols_are_listed_and_found() {
    let mut editor = open("def rules(word):\n    prefix_rule([word])\nrules('git')\nprefix_rule(['ls'], 'prompt')\n");
    let flat = editor.ask("textDocument/documentSymbol", json!({ "textDocument": document() }));
    let names: Vec<_> = flat.as_array().expect("a list").iter().map(|it| it["name"].clone()).collect();
    assert!(names.contains(&json!("rules")), "{names:?}");
    assert_eq!(flat[0]["location"]["uri"], URI);
    let found = editor.ask("workspace/symbol", json!({ "query": "rules" }));
    assert_eq!(found[0]["name"], "rules");
    assert_eq!(found[0]["location"]["uri"], URI);
    editor.finish();
}

#[test]
fn calls_of_functions_are_followed() {
    let mut editor = open("def rules(word):\n    prefix_rule([word])\ndef more():\n    rules('git')\nmore()\n");
    let items = editor.ask("textDocument/prepareCallHierarchy", at(0, 5));
    assert_eq!(items[0]["name"], "rules");
    let incoming = editor.ask("callHierarchy/incomingCalls", json!({ "item": items[0] }));
    assert_eq!(incoming[0]["from"]["name"], "more");
    let outgoing = editor.ask("callHierarchy/outgoingCalls", json!({ "item": incoming[0]["from"] }));
    assert_eq!(outgoing[0]["to"]["name"], "rules");
    assert_eq!(outgoing[0]["fromRanges"][0]["start"]["line"], 3);
    editor.finish();
}

#[test]
fn mistakes_are_mended_one_by_one_or_all_at_once() {
    let text = "prefix_rule(['a'], \"alow\")\nprefix_rule(['b'], \"promt\")\n";
    let mut editor = Editor::new();
    editor.open(URI, text);
    let told = editor.diagnostics(URI, 1);
    let asked = |context: Value| json!({ "textDocument": document(), "range": told[0]["range"], "context": context });
    let actions = editor.ask("textDocument/codeAction", asked(json!({ "diagnostics": told })));
    let fix = &actions[0];
    assert_eq!((&fix["kind"], &fix["diagnostics"]), (&json!("quickfix"), &json!([told[0]])));
    assert_eq!(edited(text, &fix["edit"]), text.replace("alow", "allow"));
    let only = json!({ "diagnostics": [], "only": ["source.fixAll"] });
    let actions = editor.ask("textDocument/codeAction", asked(only));
    let kinds: Vec<_> = actions.as_array().expect("a list").iter().map(|action| &action["kind"]).collect();
    assert_eq!(kinds, ["source.fixAll.policyc"]);
    assert_eq!(edited(text, &actions[0]["edit"]), text.replace("alow", "allow").replace("promt", "prompt"));
    editor.finish();
}

#[test]
fn a_document_is_formatted_with_few_edits() {
    let text = "prefix_rule( ['a'] )\nprefix_rule(['b'], 'prompt')\nprefix_rule( ['c'] )\n";
    let mut editor = open(text);
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let edits = editor.ask("textDocument/formatting", json!({ "textDocument": document(), "options": options }));
    assert!(!edits.as_array().expect("a list").is_empty());
    let changed = |edits: &Value| edited(text, &json!({ "changes": { URI: edits } }));
    let formatted = changed(&edits);
    assert!(formatted.contains("prefix_rule(['a'])") || formatted.contains("prefix_rule([\"a\"])"), "{formatted}");
    let line = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 9 } });
    let asked = json!({ "textDocument": document(), "range": line, "options": options });
    let first = changed(&editor.ask("textDocument/rangeFormatting", asked));
    assert_eq!(first.lines().nth(2), text.lines().nth(2), "what is not in the range stays");
    assert_ne!(first.lines().next(), text.lines().next());
    editor.change(URI, 2, json!([{ "text": "prefix_rule([\n\n" }]));
    let mut typed = at(1, 0);
    typed["ch"] = json!("\n");
    typed["options"] = options.clone();
    let indented = editor.ask("textDocument/onTypeFormatting", typed);
    assert_eq!(indented[0]["newText"], "    ");
    let broken = editor.ask("textDocument/formatting", json!({ "textDocument": document(), "options": options }));
    assert_eq!(broken, Value::Null, "a file with syntax errors is left alone");
    editor.finish();
}

#[test]
fn parts_are_put_away_and_selections_grow() {
    let mut editor = open("prefix_rule(\n    ['a'],\n    'prompt',\n)\n# one\n# two\n");
    let folds = editor.ask("textDocument/foldingRange", json!({ "textDocument": document() }));
    let lines = |fold: &Value| (fold["startLine"].clone(), fold["endLine"].clone());
    let lines: Vec<_> = folds.as_array().expect("a list").iter().map(lines).collect();
    assert!(lines.contains(&(json!(0), json!(2))) && lines.contains(&(json!(4), json!(5))), "{lines:?}");
    let positions = json!([{ "line": 1, "character": 6 }, { "line": 6, "character": 0 }]);
    let asked = json!({ "textDocument": document(), "positions": positions });
    let grown = editor.ask("textDocument/selectionRange", asked);
    assert_eq!(grown.as_array().expect("a list").len(), 2);
    let mut range = &grown[0];
    let mut steps = 0;
    while !range["parent"].is_null() {
        range = &range["parent"];
        steps += 1;
    }
    assert!(steps >= 2, "{grown}");
    editor.finish();
}

#[test]
fn pieces_of_a_document_are_told_apart() {
    let mut editor = open("# 😀\nprefix_rule(['a'], 'prompt')\n");
    let legend = editor.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    let full = editor.ask("textDocument/semanticTokens/full", json!({ "textDocument": document() }));
    let data = full["data"].as_array().expect("a list").clone();
    assert_eq!(data[..3], [json!(0), json!(0), json!(4)], "a comment of four units");
    assert_eq!(legend[data[8].as_u64().expect("a number") as usize], "function");
    let start = json!({ "line": 1, "character": 0 });
    editor.change(URI, 2, json!([{ "range": { "start": start, "end": start }, "text": "prefix_rule(['b'])\n" }]));
    let asked = json!({ "textDocument": document(), "previousResultId": full["resultId"] });
    let delta = editor.ask("textDocument/semanticTokens/full/delta", asked);
    let mut patched = data;
    for edit in delta["edits"].as_array().expect("edits") {
        let start = edit["start"].as_u64().expect("a number") as usize;
        let end = start + edit["deleteCount"].as_u64().expect("a number") as usize;
        let new = edit["data"].as_array().cloned().unwrap_or_default();
        patched.splice(start..end, new);
    }
    let fresh = editor.ask("textDocument/semanticTokens/full", json!({ "textDocument": document() }));
    assert_eq!(json!(patched), fresh["data"]);
    let line = json!({ "start": { "line": 2, "character": 0 }, "end": { "line": 2, "character": 30 } });
    let range = editor.ask("textDocument/semanticTokens/range", json!({ "textDocument": document(), "range": line }));
    assert_eq!(range["data"][0], 2);
    editor.finish();
}

#[test]
fn shipped_policies_have_addresses_where_the_editor_can_ask_for_their_text() {
    let text = "load('@std//git.rules', 'READ_ONLY')\n";
    for shipped in [false, true] {
        let mut editor = Editor::with(json!({ "capabilities": {}, "initializationOptions": { "shipped": shipped } }));
        editor.open(URI, text);
        editor.diagnostics(URI, 1);
        let evaluated = editor.ask("policyc/evaluate", json!({ "text": "git push", "textDocument": document() }));
        let address = "policyc-std:/git.rules";
        assert_eq!(evaluated["files"]["@std//git.rules"], if shipped { json!(address) } else { Value::Null });
        let answer = editor.ask("policyc/shipped", json!({ "uri": address }));
        assert!(answer["text"].as_str().expect("a text").contains("Publishing"), "{answer}");
        let id = editor.begin("policyc/shipped", json!({ "uri": "policyc-std:/none.rules" }));
        assert_eq!(editor.end(id).expect_err("there is none")["code"], -32803);
        editor.finish();
    }
}
