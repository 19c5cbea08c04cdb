//! `textDocument/codeLens`: over a file and its rules, how their examples fare, what hits them, and a way to try a command.

use policyc::ide::{self, Action};
use serde_json::json;

use crate::protocol::{CodeLens, CodeLensParams, Command, Location};
use crate::snapshot::Snapshot;

pub(crate) fn answer(snapshot: &Snapshot, params: &CodeLensParams) -> Option<Vec<CodeLens>> {
    let uri = &params.text_document.uri;
    let here = snapshot.here(uri)?;
    let lines = snapshot.lines(here.file);
    let lens = |lens: ide::Lens| {
        let range = lines.range(lens.span);
        let (command, arguments) = match lens.action {
            Action::Run => ("policyc.runAll", vec![json!(uri)]),
            Action::Try(command) => ("policyc.tryCommand", vec![json!(uri), json!(command)]),
            Action::ShowHits(places) => {
                let location = |place: &ide::Place| snapshot.location(&here.of, place.file, place.span);
                let locations: Vec<Location> = places.iter().filter_map(location).collect();
                ("policyc.showHits", vec![json!(uri), json!(range.start), json!(locations)])
            }
        };
        let command = Command { title: lens.title, command: command.to_owned(), arguments: Some(arguments) };
        CodeLens { range, command: Some(command), data: None }
    };
    Some(ide::lenses(&snapshot.db, here.set, here.file).into_iter().map(lens).collect())
}
