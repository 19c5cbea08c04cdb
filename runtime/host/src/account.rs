//! A decision as it is recorded: all that it was made of.

use std::cmp::Reverse;

use policyc_runtime::{Account, Cause, Decision, Discharge, Discharged, FactPiece, Refusal, Table};

use crate::hex::hex;
use crate::trace::event::{CauseData, Decided, EffectData, FactData};

/// What a table's account says, without what only the host knows.
pub(crate) fn decided(table: &Table<'_>, account: &Account<'_>, request_digest: [u8; 32]) -> Decided {
    let effect = |number: u32| {
        let capability = table.capability(number)?;
        let decision = account.profile.map(|it| it.decision(policyc_runtime::Effects::of(number)).name().to_owned());
        Some(EffectData { name: capability.name().to_owned(), writes: capability.writes(), decision })
    };
    let mut causes: Vec<&Cause<'_>> = account.causes.iter().collect();
    causes.sort_by_key(|cause| Reverse(cause.decision()));
    let claims = account.claims.numbers().filter_map(|number| table.capability(number));
    Decided {
        kind: String::new(),
        request: None,
        request_digest: hex(&request_digest),
        table_digest: String::new(),
        degraded: None,
        requester: String::new(),
        profile: None,
        read_only: false,
        per_request: false,
        tool: account.tool.map(|tool| tool.name().to_owned()),
        locked: account.tool.is_some_and(|tool| tool.locked()),
        target: account.target.clone(),
        effects: account.effects.numbers().filter_map(effect).collect(),
        claims: claims.map(|claim| claim.name().to_owned()).collect(),
        facts: account.facts.iter().map(fact).collect(),
        causes: causes.into_iter().map(cause).collect(),
        approval: None,
        discharged: account.discharged.map(|by| discharged(by).to_owned()),
        grants: Vec::new(),
        discharge: account.discharge.iter().map(|one| discharge(*one).to_owned()).collect(),
        undischarged: account.undischarged.map(|decision| decision.name().to_owned()),
        decision: account.decision.map(|decision| decision.name().to_owned()),
        explicit_approval: account.discharged == Some(Discharged::Approval),
        approval_reason: None,
        resolved: Vec::new(),
        terms: None,
    }
}

fn fact(state: &policyc_runtime::FactState<'_>) -> FactData {
    let mut fact = String::new();
    for piece in state.requirement.fact().pieces() {
        match piece {
            FactPiece::Literal(text) => fact.push_str(text),
            FactPiece::Parameter(name) => fact.extend(["{", name, "}"]),
            _ => fact.push_str("{target}"),
        }
    }
    let state = match state.holds {
        Some(true) => "holds",
        Some(false) => "missing",
        None => "not applicable",
    };
    FactData { fact, state: state.to_owned() }
}

fn cause(cause: &Cause<'_>) -> CauseData {
    // An approval that does not count changes nothing.
    let approval = matches!(
        cause,
        Cause::Refusal(Refusal::ApprovalOfAnother | Refusal::ApprovalWithoutReason | Refusal::ApprovalBy(_))
    );
    let decision = if approval { Decision::Allow } else { cause.decision() };
    let kind = if approval { "approval" } else { kind(cause) };
    CauseData { kind: kind.to_owned(), decision: decision.name().to_owned(), message: Some(message(cause)) }
}

const fn kind(cause: &Cause<'_>) -> &'static str {
    match cause {
        Cause::Effect { .. } => "effect",
        Cause::ReadOnly { .. } => "read-only",
        Cause::Fact { .. } => "fact",
        Cause::Rule { rule: Some(_), .. } => "rule",
        Cause::Rule { rule: None, .. } => "doubt",
        Cause::ToolRule(_) => "tool-rule",
        Cause::NetworkRule(_) => "network-rule",
        Cause::Default(_) => "default",
        Cause::Refusal(_) => "refusal",
        _ => "other",
    }
}

/// Why a request is not simply allowed, as a sentence without its full stop.
fn message(cause: &Cause<'_>) -> String {
    let rule = |what: &str, (file, line): (&str, u32), decision: Decision, why: Option<&str>| {
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        format!("the {what} at {file}:{line} says {decision}{why}")
    };
    match cause {
        Cause::Effect { capability, decision: Decision::Prompt } => {
            format!("the profile asks about `{}`", capability.name())
        }
        Cause::Effect { capability, .. } => format!("the profile does not list `{}`", capability.name()),
        Cause::ReadOnly { capability } => format!("nothing may be changed, and `{}` does", capability.name()),
        Cause::Fact { fact, .. } => format!("the fact `{fact}` does not hold"),
        Cause::Rule { rule: Some(it), decision } => rule("rule", (it.file(), it.line()), *decision, it.justification()),
        Cause::Rule { rule: None, decision } => format!("what is in doubt about it makes it {decision}"),
        Cause::ToolRule(it) => rule("tool rule", (it.file(), it.line()), it.decision(), it.justification()),
        Cause::NetworkRule(it) => rule("network rule", (it.file(), it.line()), it.decision(), it.justification()),
        Cause::Default(it) => rule("default", (it.file(), it.line()), it.decision(), it.justification()),
        Cause::Refusal(refusal) => refusal.to_string(),
        _ => "the policy decides so".to_owned(),
    }
}

const fn discharged(by: Discharged) -> &'static str {
    match by {
        Discharged::Approval => "approval",
        Discharged::Grants(_) => "grants",
    }
}

const fn discharge(by: Discharge) -> &'static str {
    match by {
        Discharge::Approval => "approval",
        Discharge::Grants => "grants",
        Discharge::Nothing => "nothing",
    }
}
