//! What actions make of policies.

use super::{CodeAction, code_actions};
use crate::db::{diagnostics, table};
use crate::diagnostics::Edit;
use crate::ide::fixture::{Fixture, fixture};
use crate::source::SourceFile;

/// What can be done at the cursor.
pub(super) fn offered(text: &str) -> (Fixture, Vec<CodeAction>) {
    let fixture = fixture(text);
    let actions = code_actions(&fixture.db, fixture.set, fixture.file, fixture.span);
    (fixture, actions)
}

/// A file after edits.
pub(super) fn edited(fixture: &Fixture, file: SourceFile, edits: &[Edit]) -> String {
    let mut text = file.text(&fixture.db).clone();
    let mut own: Vec<&Edit> = edits.iter().filter(|edit| edit.file == file).collect();
    own.sort_by_key(|edit| edit.span);
    let apart = own.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
    assert!(apart, "edits overlap: {own:?}");
    own.iter().rev().for_each(|edit| text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text));
    text
}

/// The files that an action changes, as one text of the fixture's kind if there are several.
pub(super) fn made(fixture: &Fixture, action: &CodeAction) -> String {
    let changed = fixture.files.iter().filter(|(_, file)| action.edits.iter().any(|edit| edit.file == **file));
    let texts: Vec<String> = changed
        .map(|(label, file)| match fixture.files.len() {
            1 => edited(fixture, *file, &action.edits),
            _ => format!("//- {label}\n{}", edited(fixture, *file, &action.edits)),
        })
        .collect();
    texts.concat()
}

/// What becomes of a text by the action whose title begins so.
pub(super) fn after(text: &str, title: &str) -> String {
    let (fixture, actions) = offered(text);
    let titles: Vec<&str> = actions.iter().map(|action| action.title.as_str()).collect();
    match actions.iter().find(|action| action.title.starts_with(title)) {
        Some(action) => made(&fixture, action),
        None => format!("only {titles:?}"),
    }
}

/// The titles of what can be done.
pub(super) fn titles(text: &str) -> Vec<String> {
    offered(text).1.into_iter().map(|action| action.title).collect()
}

/// What a policy of one file says: its mistakes, and its answer to each command.
pub(super) fn said(text: &str, commands: &[&str]) -> (Vec<String>, Vec<Option<policyc_runtime::Decision>>) {
    let fixture = fixture(text);
    let mistakes = diagnostics(&fixture.db, fixture.set).iter().map(|it| it.message.clone()).collect();
    let table = policyc_runtime::Table::from_bytes(table(&fixture.db, fixture.set)).unwrap();
    let answer = |command: &&str| {
        let words = shlex::split(command).unwrap();
        table.decide(&words, &policyc_runtime::Context::default()).decision()
    };
    (mistakes, commands.iter().map(answer).collect())
}
