//! Workspaces: folders, `policyc.toml`, files that are loaded, changed, renamed and gone.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::editor::Editor;

/// A folder with these files, and its address.
fn folder(files: &[(&str, &str)]) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    let path = fs::canonicalize(folder.path()).expect("the folder is there");
    let address = format!("file://{}", path.display());
    (folder, address)
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}

fn in_folders(addresses: &[&str]) -> Editor {
    let folders: Vec<Value> = addresses.iter().map(|uri| json!({ "uri": uri, "name": "folder" })).collect();
    Editor::with(json!({ "capabilities": {}, "workspaceFolders": folders }))
}

/// The codes of the diagnostics that are published next for `uri`.
fn codes(editor: &mut Editor, uri: &str) -> Vec<String> {
    loop {
        let published = editor.await_notification("textDocument/publishDiagnostics");
        if published["uri"] == uri {
            let told = published["diagnostics"].as_array().expect("a list").clone();
            return told.iter().map(|it| it["code"].as_str().expect("a code").to_owned()).collect();
        }
    }
}

#[test]
fn every_file_of_a_folder_is_checked_open_or_not() {
    let (_folder, address) = folder(&[
        ("a.rules", "prefix_rule(['git'], 'alow')\n"),
        ("below/b.rules", "load('../common.rules', 'NAMES')\nprefix_rule([NAMES], 'prompt')\n"),
        ("common.rules", "NAMES = ['x', 'y']\n"),
        ("below/.hidden/c.rules", "(\n"),
    ]);
    let mut editor = in_folders(&[&address]);
    assert_eq!(codes(&mut editor, &format!("{address}/a.rules")), ["unknown-decision"]);
    let status = editor.await_notification("policyc/status");
    assert_eq!((&status["files"], &status["prompt"], &status["errors"]), (&json!(3), &json!(1), &json!(1)));
    // What is open counts before what is saved, for those that load it, too.
    editor.open(&format!("{address}/common.rules"), "NAMES = []\n");
    assert_eq!(codes(&mut editor, &format!("{address}/below/b.rules")), ["empty-alternatives"]);
}

#[test]
fn lsp_1_an_empty_file_is_valid() {
    let (_folder, address) = folder(&[("a.rules", "")]);
    let mut editor = in_folders(&[&address]);
    let status = editor.await_notification("policyc/status");
    assert_eq!((&status["files"], &status["errors"]), (&json!(1), &json!(0)));
    assert!(editor.notifications.iter().all(|it| it["method"] != "textDocument/publishDiagnostics"));
    editor.finish();
}

#[test]
fn lsp_4_a_file_that_is_renamed_to_another_extension_is_no_longer_ours() {
    let (folder, address) = folder(&[("p.rules", "prefix_rule(pattern = [], decision = 'allow')\n")]);
    let (old, new) = (format!("{address}/p.rules"), format!("{address}/p.txt"));
    let mut editor = in_folders(&[&address]);
    editor.open(&old, "prefix_rule(pattern = [], decision = 'allow')\n");
    assert_eq!(editor.diagnostics(&old, 1)[0]["code"], "empty-pattern");
    fs::rename(folder.path().join("p.rules"), folder.path().join("p.txt")).expect("a file can be renamed");
    editor.tell("workspace/didRenameFiles", json!({ "files": [{ "oldUri": old, "newUri": new }] }));
    assert_eq!(codes(&mut editor, &old), Vec::<String>::new());
    let hints = json!({ "textDocument": { "uri": new }, "range": whole() });
    assert_eq!(editor.ask("textDocument/inlayHint", hints), Value::Null);
    editor.finish();
}

#[test]
fn lsp_5_the_diagnostics_of_a_deleted_file_go() {
    let (folder, address) = folder(&[("p.rules", "prefix_rule(pattern = [], decision = 'allow')\n")]);
    let uri = format!("{address}/p.rules");
    let mut editor = in_folders(&[&address]);
    assert_eq!(codes(&mut editor, &uri), ["empty-pattern"]);
    fs::remove_file(folder.path().join("p.rules")).expect("a file can be removed");
    editor.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 3 }] }));
    assert_eq!(codes(&mut editor, &uri), Vec::<String>::new());
    editor.finish();
}

#[test]
fn lsp_8_an_error_in_a_shared_file_is_a_diagnostic_there() {
    let (_folder, address) = folder(&[
        ("common.rules", "TOOLS = [\n"),
        ("a.rules", "load('./common.rules', 'TOOLS')\nprefix_rule(pattern = ['jq'], decision = 'allow')\n"),
    ]);
    let mut editor = in_folders(&[&address]);
    assert_eq!(codes(&mut editor, &format!("{address}/a.rules")), ["failing-module"]);
    assert_eq!(codes(&mut editor, &format!("{address}/common.rules")), ["invalid-syntax"]);
    editor.finish();
}

#[test]
fn lsp_13_an_unsaved_text_wins_over_the_disk_for_who_loads_it() {
    let (_folder, address) = folder(&[("common.rules", "OTHER = 1\n")]);
    let (common, policy) = (format!("{address}/common.rules"), format!("{address}/a.rules"));
    // No folder is open: the file and what it loads are a set.
    let mut editor = Editor::new();
    editor.open(&common, "TOOLS = 'jq'\n");
    editor.open(&policy, "load('./common.rules', 'TOOLS')\nprefix_rule(pattern = [TOOLS], decision = 'allow')\n");
    assert_eq!(editor.diagnostics(&policy, 1), Vec::<Value>::new());
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": common } }));
    assert_eq!(codes(&mut editor, &policy), ["unknown-name"]);
    editor.finish();
}

#[test]
fn files_that_change_on_the_disk_are_read_again() {
    let (folder, address) = folder(&[("a.rules", "prefix_rule(['a'], 'prompt')\n")]);
    let uri = format!("{address}/a.rules");
    let capabilities = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let folders = json!([{ "uri": address, "name": "folder" }]);
    let mut editor = Editor::with(json!({ "capabilities": capabilities, "workspaceFolders": folders }));
    assert_eq!(editor.await_notification("policyc/status")["rules"], 1);
    assert!(editor.requests.iter().any(|request| request["method"] == "client/registerCapability"));
    write(folder.path(), "a.rules", "prefix_rule(['a'], 'promt')\n");
    editor.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 2 }] }));
    assert_eq!(codes(&mut editor, &uri), ["unknown-decision"]);
    write(folder.path(), "b.rules", "prefix_rule([], 'prompt')\n");
    let created = format!("{address}/b.rules");
    editor.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": created, "type": 1 }] }));
    assert_eq!(codes(&mut editor, &created), ["empty-pattern"]);
    editor.finish();
}

#[test]
fn a_configured_folder_is_a_set_of_its_own() {
    let (_folder, address) = folder(&[
        ("a.rules", "prefix_rule(['a'])\nexpect('b', None)\n"),
        ("inner/policyc.toml", "policies = ['policies']\n[lints]\nbroad-rule = 'error'\n"),
        ("inner/policies/b.rules", "prefix_rule(['b'])\nprefix_rule(['bash'])\n"),
        ("inner/other.rules", "(\n"),
    ]);
    let mut editor = in_folders(&[&address]);
    let uri = format!("{address}/inner/policies/b.rules");
    let published = loop {
        let published = editor.await_notification("textDocument/publishDiagnostics");
        if published["uri"] == uri {
            break published;
        }
    };
    assert_eq!(published["diagnostics"][0]["code"], "broad-rule");
    assert_eq!(published["diagnostics"][0]["severity"], 1);
    let statuses = [editor.await_notification("policyc/status"), editor.await_notification("policyc/status")];
    let mut errors: Vec<(i64, i64)> = statuses
        .iter()
        .map(|status| (status["rules"].as_i64().unwrap_or(-1), status["errors"].as_i64().unwrap_or(-1)))
        .collect();
    errors.sort_unstable();
    assert_eq!(errors, [(1, 0), (2, 1)], "{statuses:?}");
    // A file that the configuration does not name is checked when it is open.
    let other = format!("{address}/inner/other.rules");
    editor.open(&other, "(\n");
    assert_eq!(editor.diagnostics(&other, 1).len(), 1);
    // Mistakes of the configuration are shown in it, as it is typed.
    let configuration = format!("{address}/inner/policyc.toml");
    editor.open(&configuration, "polices = []\n");
    assert_eq!(codes(&mut editor, &configuration), ["unknown-key"]);
    editor.finish();
}

#[test]
fn files_with_odd_names_and_links_are_found() {
    let (folder, address) = folder(&[("a b/é[1].rules", "prefix_rule([], 'prompt')\n")]);
    let mut editor = in_folders(&[&address]);
    let uri = format!("{address}/a%20b/%C3%A9%5B1%5D.rules");
    assert_eq!(codes(&mut editor, &uri), ["empty-pattern"]);
    // An editor that spells the address in its own way gets it back so.
    let own = format!("{address}/a%20b/%c3%a9%5b1%5d.rules");
    editor.open(&own, "prefix_rule(['a'], 'promt')\n");
    assert_eq!(codes(&mut editor, &own), ["unknown-decision"]);
    #[cfg(unix)]
    {
        let link = folder.path().join("link.rules");
        std::os::unix::fs::symlink(folder.path().join("a b/é[1].rules"), link).expect("a link can be made");
        let link = format!("{address}/link.rules");
        editor.open(&link, "prefix_rule(['a'], 'prmpt')\n");
        assert_eq!(codes(&mut editor, &link), ["unknown-decision"]);
    }
    drop(folder);
    editor.finish();
}

#[test]
fn folders_come_and_go() {
    let (_one, first) = folder(&[("a.rules", "prefix_rule([], 'prompt')\n")]);
    let (_two, second) = folder(&[("b.rules", "prefix_rule([], 'prompt')\n")]);
    let mut editor = in_folders(&[&first]);
    assert_eq!(codes(&mut editor, &format!("{first}/a.rules")), ["empty-pattern"]);
    let folder = |uri: &str| json!([{ "uri": uri, "name": "folder" }]);
    let event = json!({ "event": { "added": folder(&second), "removed": folder(&first) } });
    editor.tell("workspace/didChangeWorkspaceFolders", event);
    assert_eq!(codes(&mut editor, &format!("{first}/a.rules")), Vec::<String>::new());
    assert_eq!(codes(&mut editor, &format!("{second}/b.rules")), ["empty-pattern"]);
    editor.finish();
}

fn whole() -> Value {
    json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 10_000, "character": 0 } })
}

#[test]
fn loads_lead_to_their_files_and_names_are_changed_across_them() {
    let (_folder, address) = folder(&[
        ("common.rules", "TOOLS = 'jq'\n"),
        ("a.rules", "load('./common.rules', 'TOOLS')\nprefix_rule([TOOLS])\n"),
    ]);
    let (common, policy) = (format!("{address}/common.rules"), format!("{address}/a.rules"));
    let edits = json!({ "workspace": { "workspaceEdit": { "documentChanges": true } } });
    let folders = json!([{ "uri": address, "name": "folder" }]);
    let mut editor = Editor::with(json!({ "capabilities": edits, "workspaceFolders": folders }));
    editor.open(&policy, "load('./common.rules', 'TOOLS')\nprefix_rule([TOOLS])\n");
    let links = editor.ask("textDocument/documentLink", json!({ "textDocument": { "uri": policy } }));
    assert_eq!(links[0]["target"], json!(common));
    let at = json!({ "line": 1, "character": 15 });
    let asked = json!({ "textDocument": { "uri": policy }, "position": at, "newName": "PROGRAMS" });
    let renamed = editor.ask("textDocument/rename", asked);
    let changes = renamed["documentChanges"].as_array().expect("a list");
    let of = |uri: &str| {
        let change = changes.iter().find(|change| change["textDocument"]["uri"] == uri).expect("edits of the file");
        (change["textDocument"]["version"].clone(), change["edits"].as_array().expect("a list").len())
    };
    assert_eq!(of(&policy), (json!(1), 2));
    assert_eq!(of(&common), (Value::Null, 1));
    editor.finish();
}
