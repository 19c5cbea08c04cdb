//! What a request does and what decides over it, as a part of an answer's JSON.

use policyc_runtime::{Account, Answers, Decision, EffectOrigin, Request, Table, Terms};
use serde::Serialize;

use super::causes;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accounted<'a> {
    request_digest: String,
    table_digest: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<&'a str>,
    read_only: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    runs: &'a [String],
    effects: Vec<Effect<'a>>,
    claims: Vec<&'a str>,
    causes: Vec<Cause>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facts: Vec<Fact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undischarged: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    discharged: Option<&'static str>,
    explicit_approval: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    discharge: Vec<&'static str>,
}

#[derive(Serialize)]
struct Effect<'a> {
    name: &'a str,
    writes: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    sources: Vec<Source<'a>>,
}

#[derive(Serialize)]
struct Source<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    message: String,
}

#[derive(Serialize)]
struct Cause {
    kind: &'static str,
    decision: &'static str,
    message: String,
}

#[derive(Serialize)]
struct Fact {
    fact: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<bool>,
}

impl<'a> Accounted<'a> {
    pub(super) fn new<W: AsRef<str>>(
        table: &'a Table<'a>,
        terms: &Terms<'a>,
        request: Request<'_, W>,
        account: &'a Account<'a>,
        answers: &Answers<'_>,
    ) -> Self {
        let effect = |number: u32| {
            let capability = table.capability(number)?;
            let profile = account.profile;
            let decision = profile.map(|profile| profile.decision(policyc_runtime::Effects::of(number)).name());
            let sources = account.sources.iter().filter(|source| source.effect == number);
            let sources = sources.map(|source| Source {
                kind: causes::source_kind(&source.origin),
                command: source.command,
                file: if let EffectOrigin::Row(row) = &source.origin { Some(row.rule.file()) } else { None },
                line: if let EffectOrigin::Row(row) = &source.origin { Some(row.rule.line()) } else { None },
                message: causes::source(source, answers),
            });
            Some(Effect { name: capability.name(), writes: capability.writes(), decision, sources: sources.collect() })
        };
        let approved = matches!(account.discharged, Some(policyc_runtime::Discharged::Approval));
        let claims = account.claims.numbers().filter_map(|number| table.capability(number));
        Self {
            request_digest: causes::hex(&request.digest()),
            table_digest: causes::hex(&table.digest()),
            profile: account.profile.map(|profile| profile.name()),
            read_only: terms.read_only,
            tool: account.tool.map(|tool| tool.name()),
            target: account.target.as_deref(),
            runs: &account.command,
            effects: account.effects.numbers().filter_map(effect).collect(),
            claims: claims.map(|claim| claim.name()).collect(),
            causes: account
                .causes
                .iter()
                .map(|cause| Cause {
                    kind: causes::kind(cause),
                    decision: cause.decision().name(),
                    message: causes::cause(cause, account, table),
                })
                .collect(),
            facts: account
                .facts
                .iter()
                .map(|state| Fact { fact: state.requirement.fact().to_string(), holds: state.holds })
                .collect(),
            undischarged: account.undischarged.map(Decision::name),
            discharged: account.discharged.map(causes::discharged),
            explicit_approval: approved,
            approval_reason: terms.approval.filter(|_| approved).map(|approval| approval.reason),
            discharge: account.discharge.iter().map(|one| causes::discharge(*one)).collect(),
        }
    }
}

/// An answer in the words of another system: `Allow`, `RequireApproval`, `Deny`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Qre<'a> {
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
    command_capabilities: Vec<&'a str>,
    reasons: Vec<String>,
    explicit_approval: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_reason: Option<&'a str>,
    request_digest: String,
}

impl<'a> Qre<'a> {
    pub(super) fn new<W: AsRef<str>>(
        table: &'a Table<'a>,
        terms: &Terms<'a>,
        request: Request<'_, W>,
        account: &'a Account<'a>,
        (answers, decision): (&Answers<'_>, Option<Decision>),
    ) -> Self {
        let approved = matches!(account.discharged, Some(policyc_runtime::Discharged::Approval));
        let effects = account.effects.numbers().filter_map(|number| table.capability(number));
        Self {
            decision: match decision {
                Some(Decision::Allow) => "Allow",
                Some(Decision::Prompt) => "RequireApproval",
                // There, what nothing speaks of is denied.
                Some(Decision::Forbidden) | None => "Deny",
            },
            profile: account.profile.map(|profile| profile.name()),
            tool: account.tool.map(|tool| tool.name()),
            target: account.target.as_deref(),
            command_capabilities: effects.map(|effect| effect.name()).collect(),
            reasons: causes::reasons(account, answers, table),
            explicit_approval: approved,
            approval_reason: terms.approval.filter(|_| approved).map(|approval| approval.reason),
            request_digest: causes::hex(&request.digest()),
        }
    }
}
