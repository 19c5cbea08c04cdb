//! A named person's word for one request.

use serde::{Deserialize, Serialize};

use crate::hex;
use crate::request::Asked;

/// Who approves of what, and why. Whether `by` may is the table's to say: it reserves the names of components.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApprovalRecord {
    /// The person.
    pub by: String,
    /// Why.
    pub reason: String,
    /// The digest of the request, in hexadecimal.
    pub digest: String,
}

impl ApprovalRecord {
    /// An approval of exactly this.
    #[must_use]
    pub fn of(asked: &Asked, by: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { by: by.into(), reason: reason.into(), digest: hex::hex(&asked.digest()) }
    }

    /// The same as the runtime is told it. A digest that is none is that of no request.
    pub(crate) fn as_runtime(&self) -> policyc_runtime::Approval<'_> {
        let digest = hex::digest(&self.digest).unwrap_or_default();
        policyc_runtime::Approval { by: &self.by, reason: &self.reason, digest }
    }
}
