//! `policyc/shipped`: the text of a policy that is shipped with the server. It is no file, and has an address only for an editor
//! that says `{"shipped": true}` in its `initializationOptions`, because others could not open it.

use policyc::shipped::{PREFIX, shipped};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answering::failed;
use crate::protocol::{Result, Uri};

/// What addresses of shipped policies begin with.
const SCHEME: &str = "policyc-std:/";

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ShippedParams {
    uri: String,
}

pub(crate) fn answer(params: &ShippedParams) -> Result<Value> {
    let label = params.uri.strip_prefix(SCHEME).map(|path| format!("{PREFIX}{}", path.trim_start_matches('/')));
    let found = shipped().iter().find(|(shipped, _)| Some(*shipped) == label.as_deref());
    let (_, text) = found.ok_or_else(|| failed("no shipped policy has this address"))?;
    Ok(json!({ "text": text }))
}

/// Whether the label is that of a shipped policy.
pub(crate) fn is(label: &str) -> bool {
    label.starts_with(PREFIX)
}

/// The address of a shipped policy.
pub(crate) fn address(label: &str) -> Option<Uri> {
    format!("{SCHEME}{}", label.strip_prefix(PREFIX)?).parse().ok()
}
