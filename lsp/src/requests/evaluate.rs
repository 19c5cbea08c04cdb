//! `policyc/evaluate`: the JSON of `policyc eval`, for a command or a text, with the addresses of the files it names.

use policyc::db;
use policyc::ide::evaluate::{Question, evaluate};
use policyc::source::SourceFile;
use serde::Deserialize;
use serde_json::Value;

use super::table::set;
use crate::answering::failed;
use crate::protocol::{Error, Result, TextDocumentIdentifier};
use crate::snapshot::Snapshot;

/// A command by its words, or a text for a shell.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EvaluateParams {
    text: Option<String>,
    words: Option<Vec<String>>,
    shell_kind: Option<String>,
    text_document: Option<TextDocumentIdentifier>,
    policy_set: Option<String>,
}

pub(crate) fn answer(snapshot: &Snapshot, params: EvaluateParams) -> Result<Value> {
    let EvaluateParams { text, words, shell_kind, text_document, policy_set } = params;
    let question = match (text, words) {
        (Some(text), None) => Question::text(text, shell_kind.as_deref()),
        (None, Some(words)) if !words.is_empty() => Some(Question::Words(words)),
        _ => None,
    };
    let question = question.ok_or_else(|| Error::invalid_params("expected either a `text` or `words`"))?;
    let set =
        set(snapshot, text_document.as_ref(), policy_set.as_deref()).ok_or_else(|| failed("no policy is open"))?;
    let mut answer = evaluate(&snapshot.db, set.set, question).ok_or_else(|| failed("there is no table"))?;
    let address = |file: &SourceFile| {
        let uri = snapshot.uri(&set, *file)?;
        Some((file.label(&snapshot.db).clone(), Value::from(uri.as_str())))
    };
    if let Value::Object(answer) = &mut answer {
        let files = db::run_order(&snapshot.db, set.set);
        answer.insert("files".to_owned(), Value::Object(files.iter().filter_map(address).collect()));
    }
    Ok(answer)
}
