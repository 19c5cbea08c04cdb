//! What is written: one event a line.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::approval::ApprovalRecord;

/// The names of events.
pub mod kind {
    /// What was decided over a request.
    pub const DECISION: &str = "policy.decision";
    /// A request was refused.
    pub const DENIED: &str = "policy.denied";
    /// A request needs an approval that it does not have.
    pub const APPROVAL_REQUIRED: &str = "policy.approval_required";
    /// What was allowed is about to run.
    pub const STARTED: &str = "exec.started";
    /// It has run, or failed to.
    pub const COMPLETED: &str = "invocation.completed";
    /// How commands will run.
    pub const RUNNER: &str = "runner.configuration";
    /// The table was replaced, or could not be.
    pub const TABLE: &str = "policy.table";
    /// A torn last line was cut off.
    pub const REPAIRED: &str = "trace.repaired";
    /// A grant was asked for.
    pub const GRANT_REQUESTED: &str = "grant.requested";
    /// A named person decided over a request for a grant.
    pub const GRANT_DECIDED: &str = "grant.decided";
    /// Uses of grants were spent.
    pub const GRANT_USED: &str = "grant.used";
    /// A grant ended by time or count.
    pub const GRANT_LAPSED: &str = "grant.lapsed";
    /// A grant was taken back.
    pub const GRANT_REVOKED: &str = "grant.revoked";
}

/// An event, as it stands in its line before the digest of the line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Event {
    /// Its place in the trace, from 1.
    pub sequence: u64,
    /// When it was written, in milliseconds since 1970.
    pub time: u64,
    /// The digest of the line before; zeros for the first.
    pub previous: String,
    /// Which session it belongs to.
    pub session: String,
    /// What it is.
    pub event: String,
    /// What it says.
    pub data: Value,
}

/// What `policy.decision` says: all that the decision was made of, so that it can be made again from this alone.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Decided {
    /// `command`, `text` or `tool`.
    pub kind: String,
    /// What was asked for; left out where the trace is redacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<AskedData>,
    /// The digest of the request.
    pub request_digest: String,
    /// The digest of the table.
    pub table_digest: String,
    /// Why the table is not the newest, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// Who asked.
    pub requester: String,
    /// Under which profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Whether nothing may be changed.
    pub read_only: bool,
    /// Whether no grant counts.
    pub per_request: bool,
    /// The tool, if the table has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Whether the tool is locked.
    #[serde(default)]
    pub locked: bool,
    /// What it is done to; left out where the trace is redacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What it does.
    pub effects: Vec<EffectData>,
    /// What it claims.
    pub claims: Vec<String>,
    /// The facts that its effects require.
    pub facts: Vec<FactData>,
    /// What else decides.
    pub causes: Vec<CauseData>,
    /// The approval that was given with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalRecord>,
    /// What turned the prompt into an allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discharged: Option<String>,
    /// The grants that did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grants: Vec<String>,
    /// What would.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub discharge: Vec<String>,
    /// The decision without approval and grants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undischarged: Option<String>,
    /// The decision; nothing if nothing decides, which the host takes for forbidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// Whether it is an approval that decides: the words of another system.
    pub explicit_approval: bool,
    /// Its reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_reason: Option<String>,
    /// What paths and programs were found to be; left out where the trace is redacted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolved: Vec<ResolvedData>,
    /// Under which terms it was judged, to ask the table again; left out where the trace is redacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<TermsData>,
}

/// What was asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskedData {
    /// The words of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// A text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// The text's language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell_kind: Option<String>,
    /// The name of a tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Its arguments, as they were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// The target that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// An effect, and what the profile says of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EffectData {
    /// Its name.
    pub name: String,
    /// Whether it changes something.
    pub writes: bool,
    /// What the profile says of it; nothing without a profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
}

/// A fact that was required.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FactData {
    /// The fact, as the policy writes it.
    pub fact: String,
    /// `holds`, `missing`, or `not applicable` where a claim exempts from it.
    pub state: String,
}

/// What decides besides effects and facts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CauseData {
    /// What it is.
    pub kind: String,
    /// Prompt or forbidden.
    pub decision: String,
    /// The same for people; left out where the trace is redacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// What a path or a program was found to be.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResolvedData {
    /// The parameter, or `program`.
    pub what: String,
    /// The path without links.
    pub path: String,
    /// `file`, `folder`, `nothing` or `program`.
    pub found: String,
}

/// Under which terms a request was judged.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TermsData {
    /// The facts that held.
    pub facts: Vec<String>,
    /// The time, in seconds since 1970.
    pub time: u64,
    /// The working directory.
    pub working: String,
    /// What `~` stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// The workspace.
    pub workspace: String,
    /// The folders outside that may be read.
    pub read_roots: Vec<String>,
    /// The grants that were looked at.
    pub grants: Vec<GrantData>,
}

/// A grant as it stood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GrantData {
    /// Its name.
    pub id: String,
    /// The effect.
    pub capability: String,
    /// The glob of targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Names of parameters and globs of their values.
    pub parameters: Vec<(String, String)>,
    /// Whether it is for an effect that changes something.
    pub writes: bool,
    /// When it ends.
    pub expires: u64,
    /// How many uses were left, if they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining: Option<u32>,
}

impl Decided {
    /// The same without what names or shows anything that was asked for.
    pub(crate) fn redacted(mut self) -> Self {
        self.request = None;
        self.target = None;
        self.resolved.clear();
        self.terms = None;
        self.approval_reason = None;
        self.causes.iter_mut().for_each(|cause| cause.message = None);
        if let Some(approval) = &mut self.approval {
            approval.reason = REDACTED.to_owned();
        }
        self.requester = REDACTED.to_owned();
        self
    }
}

/// What stands in a redacted trace for what was there.
pub(crate) const REDACTED: &str = "(redacted)";
