//! What a request does against what its terms permit: the strictest of all decides, and only a prompt can be discharged.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::account::{Account, Cause, Discharge, Discharged, EffectOrigin, EffectSource, FactState, Refusal};
use crate::call::Call;
use crate::declarations::NetworkRule;
use crate::effects::{Effects, FactPiece, Requirement};
use crate::guarded;
use crate::host::request_host;
use crate::jail::Jail;
use crate::matcher::glob;
use crate::request::{Context, Request};
use crate::table::Table;
use crate::terms::{Access, Approval, Grant, Terms};
use crate::{Decision, Protocol};

/// What reaching a host does, if it is declared.
const NETWORK_ACCESS: &str = "command.network_access";

/// How many grants are told apart by their places.
const MOST_GRANTS: usize = 64;

/// Judges a request under terms, in full or for the decision alone.
pub(crate) fn account<'t, W: AsRef<str>>(
    table: &'t Table<'t>,
    context: &Context<'_>,
    terms: &Terms<'_>,
    request: Request<'_, W>,
    full: bool,
) -> Account<'t> {
    let jail = Jail { folders: context.folders.as_ref(), workspace: terms.workspace, read_roots: terms.read_roots };
    let profile = terms.profile.and_then(|name| table.profile(name));
    let account = Account {
        decision: None,
        undischarged: None,
        profile,
        effects: Effects::NONE,
        claims: Effects::NONE,
        sources: Vec::new(),
        tool: None,
        target: None,
        command: Vec::new(),
        causes: Vec::new(),
        facts: Vec::new(),
        tool_rules: Vec::new(),
        network_rules: Vec::new(),
        discharged: None,
        discharge: Vec::new(),
    };
    let mut weighing = Weighing {
        table,
        terms,
        full,
        account,
        effects: None,
        other: None,
        permitted: true,
        locked: false,
        call: None,
    };
    match request {
        Request::Command(_) | Request::Text { .. } => weighing.commands(&jail, request),
        Request::Tool { tool, arguments, target } => {
            weighing.tool(context, &jail, (tool, arguments, target));
        }
        Request::Network { protocol, host } => weighing.network(protocol, host),
    }
    weighing.profile();
    weighing.read_only();
    weighing.facts();
    weighing.settle(&request);
    weighing.account
}

/// One weighing of a request. What effects ask is kept apart from what all else asks: only the former is granted.
struct Weighing<'t, 'q> {
    table: &'t Table<'t>,
    terms: &'q Terms<'q>,
    full: bool,
    account: Account<'t>,
    effects: Option<Decision>,
    other: Option<Decision>,
    /// Whether something permits what no profile speaks of.
    permitted: bool,
    locked: bool,
    call: Option<Call<'t, 'q>>,
}

impl<'t, 'q> Weighing<'t, 'q> {
    /// Something other than an effect decides.
    fn decide(&mut self, decision: Decision, cause: impl FnOnce() -> Cause<'t>) {
        self.other = self.other.max(Some(decision));
        if self.full && decision > Decision::Allow {
            self.account.causes.push(cause());
        }
    }

    fn refuse(&mut self, refusal: Refusal<'t>) {
        self.decide(Decision::Forbidden, || Cause::Refusal(refusal));
    }

    fn source(&mut self, effects: Effects, origin: &EffectOrigin<'t>) {
        self.account.effects = self.account.effects.and(effects);
        if self.full {
            let source = |effect| EffectSource { effect, command: None, origin: origin.clone() };
            self.account.sources.extend(effects.numbers().map(source));
        }
    }

    fn uncovered(&mut self) {
        if let Some(vocabulary) = self.table.vocabulary() {
            self.source(Effects::of(vocabulary.unknown_process), &EffectOrigin::Uncovered);
        }
    }

    fn commands<W: AsRef<str>>(&mut self, jail: &Jail<'_>, request: Request<'_, W>) {
        let found = guarded::gather(self.table, jail, request, self.full);
        self.account.effects = found.effects;
        self.account.sources = found.sources;
        self.permitted = found.decision == Some(Decision::Allow);
        if let Some(decision) = found.decision.filter(|decision| *decision > Decision::Allow) {
            let mut told = false;
            for rule in found.restrictive {
                told |= rule.decision() == decision;
                self.decide(rule.decision(), || Cause::Rule { rule: Some(rule), decision: rule.decision() });
            }
            if !told {
                self.decide(decision, || Cause::Rule { rule: None, decision });
            }
        }
    }

    fn tool(&mut self, context: &Context<'_>, jail: &Jail<'_>, asked: (&'q str, &'q str, Option<&'q str>)) {
        let declared = self.terms.profile.is_some() || self.terms.read_only;
        let call = Call::new(self.table, asked, jail, declared);
        if let Some(tool) = call.tool {
            self.locked = tool.locked();
            self.account.claims = tool.claims();
            self.source(tool.effects(), &EffectOrigin::Tool);
        } else {
            self.uncovered();
        }
        if let Some(profile) = self.account.profile.filter(|profile| !profile.offers(call.name)) {
            let _ = profile;
            self.refuse(Refusal::Unoffered(call.name.to_string()));
        }
        for refusal in &call.refusals {
            self.refuse(refusal.clone());
        }
        self.permitted = false;
        for rule in call.rules(self.table, context.folders.as_ref()) {
            self.permitted |= rule.decision() == Decision::Allow;
            self.decide(rule.decision(), || Cause::ToolRule(rule));
            if self.full {
                self.account.tool_rules.push(rule);
            }
        }
        for (protocol, host) in &call.destinations {
            for rule in reaching(self.table, *protocol, host).filter(|rule| rule.decision() > Decision::Allow) {
                self.decide(rule.decision(), || Cause::NetworkRule(rule));
            }
        }
        if !call.command.is_empty() {
            // The tool says what it does, and so do the rows of the command that it runs: one without is unknown.
            let found = guarded::gather(self.table, jail, Request::Command(&call.command), self.full);
            self.account.effects = self.account.effects.and(found.effects);
            self.account
                .sources
                .extend(found.sources.into_iter().map(|source| EffectSource { command: None, ..source }));
            for rule in found.restrictive {
                self.decide(rule.decision(), || Cause::Rule { rule: Some(rule), decision: rule.decision() });
            }
            if let Some(decision) = found.decision.filter(|decision| *decision > Decision::Allow) {
                self.other = self.other.max(Some(decision));
            }
        }
        self.account.tool = call.tool;
        self.account.target.clone_from(&call.target);
        self.account.command.clone_from(&call.command);
        self.call = Some(call);
    }

    fn network(&mut self, protocol: &str, host: &str) {
        let known = Protocol::from_name(protocol);
        if known.is_none() {
            self.refuse(Refusal::Protocol(protocol.to_string()));
        }
        self.permitted = false;
        match request_host(host) {
            Err(problem) => self.refuse(Refusal::Destination(problem)),
            Ok(host) => {
                for rule in reaching(self.table, known, &host).filter(|_| known.is_some()) {
                    self.permitted |= rule.decision() == Decision::Allow;
                    self.decide(rule.decision(), || Cause::NetworkRule(rule));
                    if self.full {
                        self.account.network_rules.push(rule);
                    }
                }
                self.account.target = Some(host);
            }
        }
        let access = self.table.capabilities().find(|it| it.name() == NETWORK_ACCESS && !it.is_claim());
        if let Some(access) = access {
            self.source(Effects::of(access.number()), &EffectOrigin::Destination);
        }
        if access.is_none() || !self.permitted && self.other.is_none() {
            self.uncovered();
        }
    }

    /// One cell for each effect; what is not written is forbidden.
    fn profile(&mut self) {
        let Some(name) = self.terms.profile else {
            // Without a profile, no match means what the policy or the host says it does.
            if !self.permitted && self.other.is_none() {
                let strictest = self.table.default_decisions().map(|default| default.decision()).max();
                let default = self.table.default_decisions().find(|default| Some(default.decision()) == strictest);
                if let Some(default) = default {
                    self.decide(default.decision(), || Cause::Default(default));
                }
            }
            return;
        };
        let Some(profile) = self.account.profile else {
            return self.refuse(Refusal::UnknownProfile(name.to_string()));
        };
        self.permitted = true;
        let effects = self.account.effects;
        let decision = profile.decision(effects);
        self.effects = Some(decision);
        if !self.full || decision == Decision::Allow {
            return;
        }
        for number in effects.numbers() {
            let decision = profile.decision(Effects::of(number));
            if let Some(capability) = self.table.capability(number).filter(|_| decision > Decision::Allow) {
                self.account.causes.push(Cause::Effect { capability, decision });
            }
        }
    }

    fn read_only(&mut self) {
        if !self.terms.read_only {
            return;
        }
        let Some(vocabulary) = self.table.vocabulary() else { return self.refuse(Refusal::NoEffects) };
        let writing = self.account.effects.among(vocabulary.writes);
        if writing.is_empty() {
            return;
        }
        self.other = Some(Decision::Forbidden);
        if self.full {
            let writing = writing.numbers().filter_map(|number| self.table.capability(number));
            self.account.causes.extend(writing.map(|capability| Cause::ReadOnly { capability }));
        }
    }

    fn facts(&mut self) {
        // Facts are a part of what profiles permit.
        if self.terms.profile.is_none() && !self.terms.read_only {
            return;
        }
        for requirement in self.table.requirements() {
            if requirement.effects().among(self.account.effects).is_empty() {
                continue;
            }
            let exempt = !requirement.unless().among(self.account.claims).is_empty();
            let holds = exempt || self.holds(&requirement);
            if !holds {
                let fact = if self.full { self.fact(&requirement).unwrap_or_default() } else { String::new() };
                self.decide(Decision::Forbidden, || Cause::Fact { fact, requirement });
            }
            if self.full {
                self.account.facts.push(FactState { requirement, holds: (!exempt).then_some(holds) });
            }
        }
    }

    fn holds(&self, requirement: &Requirement<'t>) -> bool {
        let mut pieces = requirement.fact().pieces();
        if let (Some(FactPiece::Literal(fact)), None) = (pieces.next(), pieces.next()) {
            return self.terms.facts.contains(&fact);
        }
        self.fact(requirement).is_ok_and(|fact| self.terms.facts.contains(&&*fact))
    }

    /// The fact with the values of the call, or as far as it can be told.
    fn fact(&self, requirement: &Requirement<'t>) -> Result<String, String> {
        let mut fact = String::new();
        let mut told = true;
        for piece in requirement.fact().pieces() {
            let value = match piece {
                FactPiece::Literal(text) => Some(Cow::Borrowed(text)),
                FactPiece::Target => self.account.target.as_deref().map(Cow::Borrowed),
                FactPiece::Parameter(name) => self.call.as_ref().and_then(|call| call.value(name)).map(Cow::Borrowed),
            };
            told &= value.is_some();
            fact.push_str(&value.unwrap_or(Cow::Borrowed("…")));
        }
        if told { Ok(fact) } else { Err(fact) }
    }

    /// Puts it together, and discharges what can be.
    fn settle<W: AsRef<str>>(&mut self, request: &Request<'_, W>) {
        let permitted = self.permitted.then_some(Decision::Allow);
        let undischarged = self.effects.max(self.other).max(permitted);
        self.account.undischarged = undischarged;
        self.account.decision = undischarged;
        if undischarged != Some(Decision::Prompt) {
            return;
        }
        if self.locked {
            self.account.discharge.extend(self.full.then_some(Discharge::Nothing));
            return;
        }
        if let Some(approval) = &self.terms.approval {
            match self.refused(approval, request) {
                None => {
                    self.account.discharged = Some(Discharged::Approval);
                    self.account.decision = Some(Decision::Allow);
                    return;
                }
                Some(refusal) if self.full => self.account.causes.push(Cause::Refusal(refusal)),
                Some(_) => {}
            }
        }
        let grantable = self.effects == Some(Decision::Prompt)
            && self.other.max(permitted) != Some(Decision::Prompt)
            && !self.terms.per_request;
        if grantable && let Some(used) = self.granted() {
            self.account.discharged = Some(Discharged::Grants(used));
            self.account.decision = Some(Decision::Allow);
        } else if self.full {
            self.account.discharge.push(Discharge::Approval);
            self.account.discharge.extend(grantable.then_some(Discharge::Grants));
        }
    }

    /// Why an approval does not count.
    fn refused<W: AsRef<str>>(&self, approval: &Approval<'_>, request: &Request<'_, W>) -> Option<Refusal<'t>> {
        let reserved = |name: &str| self.table.grants().any(|limits| limits.reserved().any(|it| same_name(it, name)));
        if approval.by.trim().is_empty() || reserved(approval.by) {
            Some(Refusal::ApprovalBy(approval.by.to_string()))
        } else if approval.reason.trim().is_empty() {
            Some(Refusal::ApprovalWithoutReason)
        } else if approval.digest != request.digest() {
            Some(Refusal::ApprovalOfAnother)
        } else {
            None
        }
    }

    /// The grants that cover all that effects ask, by their places; nothing if some effect has none.
    fn granted(&self) -> Option<u64> {
        let asked = self.account.effects.among(self.account.profile?.prompts());
        asked.numbers().try_fold(0, |used, number| {
            let effect = self.table.capability(number)?;
            let access = if effect.writes() { Access::Write } else { Access::Read };
            let grants = self.terms.grants.iter().take(MOST_GRANTS);
            let place = grants
                .enumerate()
                .find(|(_, grant)| grant.capability == effect.name() && grant.access >= access && self.applies(grant));
            Some(used | 1 << place?.0)
        })
    }

    fn applies(&self, grant: &Grant<'_>) -> bool {
        let longest = self.table.grants().map(|limits| limits.max_ttl()).min().unwrap_or(MAX_TTL).min(MAX_TTL);
        let left = grant.expires.saturating_sub(self.terms.time);
        let value = |name: &str| self.call.as_ref().and_then(|call| call.value(name));
        left > 0
            && left <= u64::from(longest)
            && grant.remaining != Some(0)
            && grant.target.is_none_or(|wanted| self.account.target.as_ref().is_some_and(|it| glob(wanted, it, false)))
            && grant.parameters.iter().all(|(name, wanted)| value(name).is_some_and(|it| glob(wanted, it, false)))
    }
}

/// The longest that a grant may last: seven days.
const MAX_TTL: u32 = 7 * 24 * 60 * 60;

/// Names of components are one whatever their letter case, and blanks around them.
fn same_name(one: &str, other: &str) -> bool {
    one.trim().eq_ignore_ascii_case(other.trim())
}

/// The rules for a host, through one protocol or any.
fn reaching<'t>(table: &'t Table<'t>, protocol: Option<Protocol>, host: &str) -> impl Iterator<Item = NetworkRule<'t>> {
    table.network_rules().filter(move |rule| rule.host() == host && protocol.is_none_or(|it| it == rule.protocol()))
}
