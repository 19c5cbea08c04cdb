//! The words for people about what a request does and what decides over it.

use policyc_runtime::{Account, Answers, Cause, Discharge, Discharged, EffectOrigin, EffectSource, Refusal, Table};

use crate::check::closest::closest;
use crate::escape;

/// Why a request is not simply allowed, as a sentence without its full stop.
#[must_use]
pub fn cause(cause: &Cause<'_>, account: &Account<'_>, table: &Table<'_>) -> String {
    let profile = || account.profile.map_or("", |profile| profile.name());
    match cause {
        Cause::Effect { capability, decision } => {
            let name = escape::word(capability.name());
            let says = match decision {
                policyc_runtime::Decision::Prompt => "asks about",
                _ => "does not list",
            };
            format!("the profile `{}` {says} `{name}`", escape::line(profile()))
        }
        Cause::ReadOnly { capability } => {
            format!("nothing may be changed, and `{}` does", escape::word(capability.name()))
        }
        Cause::Fact { fact, requirement } => {
            let place = format!("{}:{}", escape::line(requirement.file()), requirement.line());
            format!("the fact `{}` does not hold, which `requires` at {place} asks for", escape::line(fact))
        }
        Cause::Rule { rule: Some(rule), decision } => {
            let place = format!("{}:{}", escape::line(rule.file()), rule.line());
            because(format!("the rule at {place} says `{decision}`"), rule.justification())
        }
        Cause::Rule { rule: None, decision } => format!("what is in doubt about the command makes it `{decision}`"),
        Cause::ToolRule(rule) => {
            let place = format!("{}:{}", escape::line(rule.file()), rule.line());
            because(format!("the tool rule at {place} says `{}`", rule.decision()), rule.justification())
        }
        Cause::NetworkRule(rule) => {
            let place = format!("{}:{}", escape::line(rule.file()), rule.line());
            because(format!("the network rule at {place} says `{}`", rule.decision()), rule.justification())
        }
        Cause::Default(default) => {
            let place = format!("{}:{}", escape::line(default.file()), default.line());
            because(
                format!("`default_decision` at {place} says `{}`, for nothing permits it", default.decision()),
                default.justification(),
            )
        }
        Cause::Refusal(refusal) => refused(refusal, account, table),
        _ => "the policy decides so".to_owned(),
    }
}

/// What is wrong with the request, and the name that was likely meant.
fn refused(refusal: &Refusal<'_>, account: &Account<'_>, table: &Table<'_>) -> String {
    let (given, known): (&str, Vec<&str>) = match refusal {
        Refusal::UnknownProfile(given) => (given, table.profiles().map(|profile| profile.name()).collect()),
        Refusal::UnknownTool(given) => (given, table.tools().map(|tool| tool.name()).collect()),
        Refusal::UnknownParameter(given) => {
            let parameters = account.tool.iter().flat_map(|tool| tool.parameters());
            (given, parameters.map(|parameter| parameter.name()).collect())
        }
        _ => ("", Vec::new()),
    };
    let meant = closest(given, known).map(|meant| format!("; `{}` is the nearest", escape::line(meant)));
    let broken = declaration(refusal, account);
    format!("{}{}{}", escape::line(&refusal.to_string()), meant.unwrap_or_default(), broken.unwrap_or_default())
}

/// The declaration that the request does not keep to.
fn declaration(refusal: &Refusal<'_>, account: &Account<'_>) -> Option<String> {
    let (name, file, line) = match refusal {
        Refusal::Unoffered(_) => account.profile.map(|profile| (profile.name(), profile.file(), profile.line()))?,
        Refusal::Arguments(_)
        | Refusal::UnknownParameter(_)
        | Refusal::Missing(_)
        | Refusal::Type { .. }
        | Refusal::Path { .. }
        | Refusal::Host { .. }
        | Refusal::Unit(_)
        | Refusal::Word(_)
        | Refusal::Target(_) => account.tool.map(|tool| (tool.name(), tool.file(), tool.line()))?,
        _ => return None,
    };
    Some(format!("; `{}` is declared at {}:{line}", escape::word(name), escape::line(file)))
}

fn because(says: String, justification: Option<&str>) -> String {
    match justification {
        Some(justification) => format!("{says}: {}", escape::line(justification)),
        None => says,
    }
}

/// What a cause is called by programs.
#[must_use]
pub const fn kind(cause: &Cause<'_>) -> &'static str {
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

/// Where an effect comes from.
#[must_use]
pub fn source(source: &EffectSource<'_>, answers: &Answers<'_>) -> String {
    let command = source.command.and_then(|place| answers.commands.get(place));
    let shown = command.map(|command| {
        let words = command.words.iter().map(|word| word.text.as_str());
        escape::shortened(&escape::display_words(words), 120).into_owned()
    });
    let shown = shown.as_deref();
    match &source.origin {
        EffectOrigin::Row(row) => {
            let place = format!("{}:{}", escape::line(row.rule.file()), row.rule.line());
            match shown {
                Some(shown) => format!("`{shown}`, by the row at {place}"),
                None => format!("the row at {place}"),
            }
        }
        EffectOrigin::Allowed => {
            format!("`{}`, which a rule allows and no row describes", shown.unwrap_or("a command"))
        }
        EffectOrigin::Redirect(target) => format!("the redirect that names `{}`", escape::line(target)),
        EffectOrigin::Uncovered => match shown {
            Some(shown) => format!("no row certainly describes `{shown}`"),
            None => "no row certainly describes all that runs".to_owned(),
        },
        EffectOrigin::Tool => "the tool's declaration".to_owned(),
        EffectOrigin::Destination => "a host is reached".to_owned(),
    }
}

/// What a source of effects is called by programs.
#[must_use]
pub const fn source_kind(origin: &EffectOrigin<'_>) -> &'static str {
    match origin {
        EffectOrigin::Row(_) => "row",
        EffectOrigin::Allowed => "rule",
        EffectOrigin::Redirect(_) => "redirect",
        EffectOrigin::Uncovered => "uncovered",
        EffectOrigin::Tool => "tool",
        EffectOrigin::Destination => "destination",
    }
}

/// What would make an allow of a prompt.
#[must_use]
pub const fn discharge(discharge: Discharge) -> &'static str {
    match discharge {
        Discharge::Approval => "approval",
        Discharge::Grants => "grants",
        Discharge::Nothing => "nothing",
    }
}

/// What made an allow of a prompt.
#[must_use]
pub const fn discharged(discharged: Discharged) -> &'static str {
    match discharged {
        Discharged::Approval => "approval",
        Discharged::Grants(_) => "grants",
    }
}

/// Why an account is what it is, the most important first.
#[must_use]
pub fn reasons(account: &Account<'_>, answers: &Answers<'_>, table: &Table<'_>) -> Vec<String> {
    let mut causes: Vec<&Cause<'_>> = account.causes.iter().collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.decision()));
    let mut reasons = Vec::new();
    for one in causes {
        let mut reason = cause(one, account, table);
        if let Cause::Effect { capability, .. } | Cause::ReadOnly { capability } = one {
            let of = |source: &&EffectSource<'_>| source.effect == capability.number();
            if let Some(first) = account.sources.iter().find(of) {
                reason = format!("{reason}: {}", source(first, answers));
            }
        }
        reasons.push(reason);
    }
    if reasons.is_empty() {
        let names: Vec<_> = account
            .effects
            .numbers()
            .filter_map(|number| table.capability(number))
            .map(|capability| format!("`{}`", escape::word(capability.name())))
            .collect();
        if !names.is_empty() {
            reasons.push(format!("it does no more than {}", names.join(", ")));
        }
    }
    reasons
}

/// A digest as text.
#[must_use]
pub fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
