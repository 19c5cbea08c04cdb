//! What is asked for, and what became of it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::StoreProblem;
use super::limits::{GrantRules, is_same_name};
use crate::trace::event::GrantData;

/// The longest text in a request, in bytes, and the most of anything that there may be several of.
const LONGEST_TEXT: usize = 4096;
const MOST: usize = 64;

/// A request for a grant: what for, how long, how often, and all that whoever decides should know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GrantRequest {
    /// Who would use it.
    pub requester: String,
    /// What it is for, by name: requests for one intention share a batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intention: Option<String>,
    /// The effect.
    pub capability: String,
    /// A glob of targets; any target without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Names of parameters, and a glob of values for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<(String, String)>,
    /// Whether it is for an effect that changes something.
    pub writes: bool,
    /// How long and how often.
    #[serde(flatten)]
    pub asked: AskedGrant,
    /// Why it is needed.
    pub reason: String,
    /// What shows that it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// What can go wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<String>,
    /// What is done against that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mitigation: Option<String>,
    /// What is done without the grant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// What else was thought of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<String>,
}

/// How long a grant lasts from when it is given, and how often it can be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedGrant {
    /// How many seconds.
    pub seconds: u64,
    /// How many uses; any number without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
}

impl GrantRequest {
    /// Whether it is complete and within bounds.
    pub(super) fn check(&self) -> Result<(), StoreProblem> {
        let refused = |reason: &str| Err(StoreProblem::Refused(reason.to_owned()));
        if self.reason.trim().is_empty() {
            return refused("a request needs a reason");
        }
        if self.asked.seconds == 0 || self.asked.uses == Some(0) {
            return refused("a grant lasts for a time, and can be used at least once");
        }
        let optional = [&self.intention, &self.target, &self.risk, &self.mitigation, &self.fallback];
        let texts = [&self.requester, &self.capability, &self.reason].into_iter().chain(optional.into_iter().flatten());
        let texts = texts.chain(&self.evidence).chain(&self.alternatives);
        let mut texts = texts.chain(self.parameters.iter().flat_map(|(name, glob)| [name, glob]));
        let several = [self.parameters.len(), self.evidence.len(), self.alternatives.len()];
        if texts.any(|text| text.len() > LONGEST_TEXT) || several.iter().any(|number| *number > MOST) {
            return refused("a text in a request has at most 4096 bytes, and there are at most 64 of each kind");
        }
        Ok(())
    }
}

/// A request as it stands in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Filed {
    /// Its name.
    pub id: String,
    /// The name that it shares with others for the same intention.
    pub batch: String,
    /// When it was filed.
    pub filed: u64,
    /// What is asked for.
    pub request: GrantRequest,
    /// What became of it.
    pub state: RequestState,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "is")]
#[non_exhaustive]
pub enum RequestState {
    /// Nobody has decided.
    Open,
    /// There is a grant.
    Granted {
        /// Who decided.
        by: String,
        /// Why.
        reason: String,
        /// The grant.
        grant: GrantData,
    },
    /// There is none.
    Denied {
        /// Who decided.
        by: String,
        /// Why.
        reason: String,
        /// Until when the requester need not ask for this effect again.
        again: u64,
    },
}

/// What is decided over a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A grant: no longer and no more often than asked for, or less.
    Grant {
        /// At most so many seconds.
        seconds: Option<u64>,
        /// At most so many uses.
        uses: Option<u32>,
    },
    /// No grant, and for so many seconds no further request for the effect.
    Deny {
        /// How many seconds the requester has to wait.
        wait: u64,
    },
}

/// Who decides, why, and under which rules.
#[derive(Clone, Copy, Debug)]
pub struct Decider<'d> {
    /// The person.
    pub by: &'d str,
    /// Why.
    pub reason: &'d str,
    /// What the policy says of grants.
    pub rules: &'d GrantRules,
}

impl Decider<'_> {
    /// Whether this is a person with a reason.
    pub(super) fn check(&self) -> Result<(), StoreProblem> {
        self.rules.check_name(self.by, "a decision")?;
        if self.reason.trim().is_empty() {
            return Err(StoreProblem::Refused("a decision needs a reason".to_owned()));
        }
        Ok(())
    }

    /// Whether it may decide over a request of this requester.
    pub(super) fn check_over(&self, requester: &str) -> Result<(), StoreProblem> {
        if is_same_name(self.by, requester) {
            let by = self.by.escape_debug();
            return Err(StoreProblem::Refused(format!(
                "`{by}` asked for it, and nobody decides over their own request"
            )));
        }
        Ok(())
    }
}

/// A grant as it is kept.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    /// What hosts know of it.
    #[serde(flatten)]
    pub grant: GrantData,
    /// Who can use it.
    pub requester: String,
    /// The request that it came of.
    pub request: String,
    /// How many uses it had, if they are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
    /// Whether it holds, or why not.
    pub state: GrantState,
}

/// Whether a grant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum GrantState {
    /// It does.
    Holds,
    /// Its time is over.
    Expired,
    /// All its uses are spent.
    Spent,
    /// It was taken back.
    Revoked,
}

impl fmt::Display for GrantState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Holds => "holds",
            Self::Expired => "expired",
            Self::Spent => "spent",
            Self::Revoked => "revoked",
        })
    }
}
