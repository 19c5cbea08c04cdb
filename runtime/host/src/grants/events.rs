//! What traces say of grants and of requests for them.

use serde_json::{Value, json};

use super::{Decider, Filed, Kept, RequestState};
use crate::trace::event::{REDACTED, kind};
use crate::trace::{Entry, TraceMode};

impl Kept {
    /// The event that it has ended.
    #[must_use]
    pub fn lapsed(&self, mode: TraceMode) -> Entry {
        let shown = json!({ "grant": self.grant.id, "capability": self.grant.capability, "state": self.state });
        Entry::new(kind::GRANT_LAPSED, with_names(shown, mode, &[("requester", &self.requester)]))
    }

    /// The event that somebody has taken it back.
    #[must_use]
    pub fn revoked(&self, mode: TraceMode, decider: &Decider<'_>) -> Entry {
        let names = [("requester", self.requester.as_str()), ("by", decider.by), ("reason", decider.reason)];
        let shown = json!({ "grant": self.grant.id, "capability": self.grant.capability });
        Entry::new(kind::GRANT_REVOKED, with_names(shown, mode, &names))
    }
}

impl Filed {
    /// The event that it was filed.
    #[must_use]
    pub fn requested(&self, mode: TraceMode) -> Entry {
        let shown = json!({
            "request": self.id,
            "batch": self.batch,
            "capability": self.request.capability,
            "writes": self.request.writes,
            "seconds": self.request.asked.seconds,
            "uses": self.request.asked.uses,
        });
        let names = [("requester", self.request.requester.as_str()), ("reason", self.request.reason.as_str())];
        Entry::new(kind::GRANT_REQUESTED, with_names(shown, mode, &names))
    }

    /// The event that somebody has decided over it; nothing while nobody has.
    #[must_use]
    pub fn decided(&self, mode: TraceMode) -> Option<Entry> {
        let mut shown = json!({ "request": self.id, "capability": self.request.capability });
        let (by, reason) = match &self.state {
            RequestState::Open => return None,
            RequestState::Granted { by, reason, grant } => {
                put(&mut shown, "verdict", json!("granted"));
                put(&mut shown, "grant", json!(grant.id));
                put(&mut shown, "expires", json!(grant.expires));
                put(&mut shown, "uses", json!(grant.remaining));
                (by, reason)
            }
            RequestState::Denied { by, reason, again } => {
                put(&mut shown, "verdict", json!("denied"));
                put(&mut shown, "again", json!(again));
                (by, reason)
            }
        };
        let names = [("requester", self.request.requester.as_str()), ("by", by), ("reason", reason)];
        Some(Entry::new(kind::GRANT_DECIDED, with_names(shown, mode, &names)))
    }
}

/// What an event says, with names and reasons where the trace shows them.
fn with_names(mut shown: Value, mode: TraceMode, names: &[(&str, &str)]) -> Value {
    for (key, name) in names {
        put(&mut shown, key, json!(if mode == TraceMode::Private { *name } else { REDACTED }));
    }
    shown
}

fn put(shown: &mut Value, key: &str, value: Value) {
    shown.as_object_mut().map(|shown| shown.insert(key.to_owned(), value));
}
