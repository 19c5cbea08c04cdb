//! `policyc/table`: the listing of the decision table that answers for a document.

use std::sync::Arc;

use policyc::ide::evaluate::table_listing;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answering::failed;
use crate::protocol::{Result, TextDocumentIdentifier};
use crate::sets::Set;
use crate::snapshot::Snapshot;
use crate::status::address;

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TableParams {
    text_document: Option<TextDocumentIdentifier>,
    policy_set: Option<String>,
}

pub(crate) fn answer(snapshot: &Snapshot, params: &TableParams) -> Result<Value> {
    let set = set(snapshot, params.text_document.as_ref(), params.policy_set.as_deref());
    let set = set.ok_or_else(|| failed("no policy is open"))?;
    let listing = table_listing(&snapshot.db, set.set).ok_or_else(|| failed("there is no table"))?;
    Ok(json!({ "listing": listing, "set": address(snapshot, &set) }))
}

/// The set that a document is in, or that is named so, or else the only one that comes to mind.
pub(super) fn set(
    snapshot: &Snapshot,
    document: Option<&TextDocumentIdentifier>,
    named: Option<&str>,
) -> Option<Arc<Set>> {
    if let Some(here) = document.and_then(|document| snapshot.here(&document.uri)) {
        return Some(here.of);
    }
    let sets = &snapshot.view.sets;
    let named =
        named.and_then(|named| sets.iter().find(|set| address(snapshot, set) == named || set.root.name() == named));
    named.or(sets.first()).cloned()
}
