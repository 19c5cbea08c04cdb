//! Every decision again, from what was recorded alone: no table, no file.

use policyc_runtime::{Context, Decision, Folders, Grant, ShellKind, Table, Terms};

use super::event::{AskedData, Decided, Event, kind};
use crate::hex::hex;
use crate::request::Asked;

/// What came of a replay.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// The decisions, in order.
    pub decisions: Vec<Replayed>,
}

/// A decision that was made again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The event that recorded it.
    pub sequence: u64,
    /// What was recorded.
    pub recorded: Option<String>,
    /// What follows from the recorded effects, facts, causes and discharges; an error says why none does.
    pub again: Result<Option<String>, String>,
    /// What the table says, where one was given, it is the recorded one and the trace says what was asked.
    pub asked: Option<Option<String>>,
}

impl Replayed {
    /// Whether it came out as recorded.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.again.as_ref() == Ok(&self.recorded) && self.asked.as_ref().is_none_or(|asked| *asked == self.recorded)
    }
}

impl Replay {
    /// Whether all came out as recorded.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.decisions.iter().all(Replayed::agrees)
    }
}

/// Makes every decision of a trace again; with a table also by asking it.
#[must_use]
pub fn replay(events: &[Event], table: Option<&Table<'_>>) -> Replay {
    let digest = table.map(|table| hex(&table.digest()));
    let decisions = events.iter().filter(|event| event.event == kind::DECISION);
    let decisions = decisions.map(|event| match serde_json::from_value::<Decided>(event.data.clone()) {
        Ok(decided) => Replayed {
            sequence: event.sequence,
            recorded: decided.decision.clone(),
            again: again(&decided),
            asked: table.filter(|_| digest.as_ref() == Some(&decided.table_digest)).and_then(|it| ask(it, &decided)),
        },
        Err(error) => Replayed { sequence: event.sequence, recorded: None, again: Err(error.to_string()), asked: None },
    });
    Replay { decisions: decisions.collect() }
}

fn decision(name: &str) -> Result<Decision, String> {
    let known = [Decision::Allow, Decision::Prompt, Decision::Forbidden].into_iter().find(|it| it.name() == name);
    known.ok_or_else(|| format!("`{}` is no decision", name.escape_debug()))
}

/// The decision that follows from what was recorded.
fn again(decided: &Decided) -> Result<Option<String>, String> {
    let mut strictest = decided.undischarged.as_deref().map(decision).transpose()?;
    let undischarged = strictest;
    let mut parts = Vec::new();
    for effect in &decided.effects {
        parts.extend(effect.decision.as_deref().map(decision).transpose()?);
        parts.extend((decided.read_only && effect.writes).then_some(Decision::Forbidden));
    }
    for fact in &decided.facts {
        match fact.state.as_str() {
            "missing" => parts.push(Decision::Forbidden),
            "holds" | "not applicable" => {}
            state => return Err(format!("`{}` is no state of a fact", state.escape_debug())),
        }
    }
    for cause in &decided.causes {
        parts.push(decision(&cause.decision)?);
    }
    strictest = strictest.max(parts.iter().copied().max());
    if strictest != undischarged {
        return Err("what was recorded decides otherwise than was recorded".to_owned());
    }
    let discharged = decided.discharged.as_deref();
    if discharged.is_some() && undischarged != Some(Decision::Prompt) {
        return Err("only a prompt can be discharged".to_owned());
    }
    let by_grants = discharged == Some("grants");
    if by_grants
        && (decided.per_request
            || decided.grants.is_empty()
            || decided.causes.iter().any(|it| !["effect", "approval"].contains(&it.kind.as_str())))
    {
        return Err("grants do not discharge this".to_owned());
    }
    if discharged.is_some() && decided.locked {
        return Err("nothing discharges a locked tool".to_owned());
    }
    if discharged == Some("approval") && decided.approval.as_ref().is_none_or(|it| it.digest != decided.request_digest)
    {
        return Err("the approval is not of this request".to_owned());
    }
    let strictest = if discharged.is_some() { Some(Decision::Allow) } else { strictest };
    Ok(strictest.map(|decision| decision.name().to_owned()))
}

/// What a table says, under the recorded terms.
fn ask(table: &Table<'_>, decided: &Decided) -> Option<Option<String>> {
    let (asked, terms) = (decided.request.as_ref()?.asked()?, decided.terms.as_ref()?);
    let facts: Vec<&str> = terms.facts.iter().map(String::as_str).collect();
    let roots: Vec<&str> = terms.read_roots.iter().map(String::as_str).collect();
    let parameters: Vec<Vec<(&str, &str)>> = terms
        .grants
        .iter()
        .map(|grant| grant.parameters.iter().map(|(name, glob)| (name.as_str(), glob.as_str())).collect())
        .collect();
    let grants: Vec<Grant<'_>> = terms
        .grants
        .iter()
        .zip(&parameters)
        .map(|(grant, parameters)| Grant {
            capability: &grant.capability,
            target: grant.target.as_deref(),
            parameters,
            access: if grant.writes { policyc_runtime::Access::Write } else { policyc_runtime::Access::Read },
            expires: grant.expires,
            remaining: grant.remaining,
        })
        .collect();
    let terms = Terms {
        profile: decided.profile.as_deref(),
        read_only: decided.read_only,
        facts: &facts,
        approval: decided.approval.as_ref().map(crate::ApprovalRecord::as_runtime),
        grants: &grants,
        per_request: decided.per_request,
        time: terms.time,
        workspace: Some(&terms.workspace),
        read_roots: &roots,
    };
    let recorded = decided.terms.as_ref()?;
    let folders = Folders { working: &recorded.working, home: recorded.home.as_deref() };
    let context = Context { folders: Some(folders), terms: Some(&terms), ..Context::default() };
    let decision = table.decide(asked.as_runtime(), &context).decision();
    // What the host refused, the table need not.
    let refused = decided.causes.iter().any(|cause| cause.kind == "host");
    let decision = if refused { Some(Decision::Forbidden) } else { decision };
    Some(decision.map(|decision| decision.name().to_owned()))
}

impl AskedData {
    /// What was asked for, as it is recorded.
    pub(crate) fn of(asked: &Asked) -> Self {
        let nothing = Self { command: None, shell: None, shell_kind: None, tool: None, arguments: None, target: None };
        match asked {
            Asked::Command(words) => Self { command: Some(words.clone()), ..nothing },
            Asked::Text { text, kind } => {
                Self { shell: Some(text.clone()), shell_kind: Some(kind_name(*kind).to_owned()), ..nothing }
            }
            Asked::Tool { tool, arguments, target } => {
                Self { tool: Some(tool.clone()), arguments: Some(arguments.clone()), target: target.clone(), ..nothing }
            }
        }
    }

    /// What was asked for.
    pub(crate) fn asked(&self) -> Option<Asked> {
        if let Some(words) = &self.command {
            return Some(Asked::Command(words.clone()));
        }
        if let Some(text) = &self.shell {
            let name = self.shell_kind.as_deref()?;
            let kinds = [ShellKind::Bash, ShellKind::Kin, ShellKind::PowerShell, ShellKind::Cmd];
            let kind = kinds.into_iter().find(|kind| kind_name(*kind) == name)?;
            return Some(Asked::Text { text: text.clone(), kind });
        }
        let (tool, arguments) = (self.tool.clone()?, self.arguments.clone()?);
        Some(Asked::Tool { tool, arguments, target: self.target.clone() })
    }
}

const fn kind_name(kind: ShellKind) -> &'static str {
    match kind {
        ShellKind::Bash => "bash",
        ShellKind::Kin => "kin",
        ShellKind::PowerShell => "powershell",
        ShellKind::Cmd => "cmd",
    }
}
