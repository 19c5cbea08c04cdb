//! What decided over what a request does: its effects, where each comes from, and what would discharge a prompt.

use std::fmt::Write;

use policyc::answers::causes;
use policyc_runtime::{Account, Answers, Context, Decision, Discharge, Effects, Request, Table};

use super::super::asked::Asked;
use super::super::escape;
use super::super::paint::Paint;
use super::layout::{INDENT, Written, wrap};

/// How many sources of one effect are told.
const MOST: usize = 5;

/// A decision and its reasons, for a person.
pub(super) fn text(
    table: &Table<'_>,
    context: &Context<'_>,
    asked: &Asked,
    (account, answers, decision): (&Account<'_>, &Answers<'_>, Option<Decision>),
    paint: Paint,
) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let shown = shown(asked);
    match decision {
        Some(decision) => writeln!(text, "{}  {shown}", paint.decision(decision, format!("{decision:<9}")))?,
        None => writeln!(text, "{}  {shown}", paint.faint("nothing decides"))?,
    }
    facts(&mut text, context, account)?;
    for number in account.effects.numbers() {
        effect(&mut text, table, account, answers, number, paint)?;
    }
    if !account.causes.is_empty() {
        writeln!(text, "\n{}", paint.strong("why"))?;
        for cause in &account.causes {
            wrap(&mut text, 2, &format!("{}: {}", cause.decision(), causes::cause(cause, account, table)))?;
        }
    }
    for state in account.facts.iter().filter(|state| state.holds != Some(false)) {
        let holds = if state.holds.is_some() { "holds" } else { "is not asked for, because of a claim" };
        wrap(&mut text, 2, &format!("the fact `{}` {holds}", escape::line(&state.requirement.fact().to_string())))?;
    }
    end(&mut text, context, asked, account, decision)?;
    Ok(text)
}

fn shown(asked: &Asked) -> String {
    match asked.request() {
        Request::Command(words) => escape::display_words(words.iter().map(String::as_str)),
        Request::Text { text, .. } => escape::display(text).into_owned(),
        Request::Tool { tool, arguments, .. } => {
            format!("{} {}", escape::line(tool), escape::shortened(&escape::line(arguments), 200))
        }
        Request::Network { protocol, host } => format!("{} {}", escape::line(protocol), escape::line(host)),
    }
}

fn facts(text: &mut String, context: &Context<'_>, account: &Account<'_>) -> Written {
    if let Some(profile) = account.profile {
        let place = format!("{}:{}", escape::line(profile.file()), profile.line());
        writeln!(text, "{:INDENT$}under the profile `{}` ({place})", "", escape::line(profile.name()))?;
    }
    if context.terms.is_some_and(|terms| terms.read_only) {
        writeln!(text, "{:INDENT$}nothing may be changed", "")?;
    }
    if let Some(target) = &account.target {
        writeln!(text, "{:INDENT$}its target is `{}`", "", escape::line(target))?;
    }
    if !account.command.is_empty() {
        let command = escape::words(account.command.iter().map(String::as_str));
        writeln!(text, "{:INDENT$}it runs {command}", "")?;
    }
    Ok(())
}

fn effect(
    text: &mut String,
    table: &Table<'_>,
    account: &Account<'_>,
    answers: &Answers<'_>,
    number: u32,
    paint: Paint,
) -> Written {
    let Some(capability) = table.capability(number) else { return Ok(()) };
    let name = escape::word(capability.name());
    match account.profile.map(|profile| profile.decision(Effects::of(number))) {
        Some(decision) => writeln!(text, "\n  {}  {name}", paint.decision(decision, format!("{decision:<9}")))?,
        None => writeln!(text, "\n  {name}")?,
    }
    let sources = account.sources.iter().filter(|source| source.effect == number);
    let number = sources.clone().count();
    for source in sources.take(MOST) {
        wrap(text, INDENT, &causes::source(source, answers))?;
    }
    if number > MOST { wrap(text, INDENT, &format!("and {} more", number - MOST)) } else { Ok(()) }
}

fn end(
    text: &mut String,
    context: &Context<'_>,
    asked: &Asked,
    account: &Account<'_>,
    decision: Option<Decision>,
) -> Written {
    let approval = context.terms.and_then(|terms| terms.approval);
    match account.discharged {
        Some(policyc_runtime::Discharged::Approval) => {
            let reason = approval.map_or("", |approval| approval.reason);
            writeln!(text)?;
            wrap(text, 0, &format!("It was to be asked about, and is approved of: {}", escape::line(reason)))?;
        }
        Some(policyc_runtime::Discharged::Grants(_)) => {
            writeln!(text)?;
            wrap(text, 0, "It was to be asked about, and grants permit it.")?;
        }
        None if decision == Some(Decision::Prompt) => {
            let would = |wanted| account.discharge.contains(&wanted);
            writeln!(text)?;
            if would(Discharge::Nothing) {
                wrap(text, 0, "The tool is locked: neither approvals nor grants make an allow of this.")?;
            } else {
                let grants =
                    if would(Discharge::Grants) { ", and so would a grant for what is asked about" } else { "" };
                wrap(text, 0, &format!("An approval of this very request would make an allow of it{grants}."))?;
            }
        }
        None => {}
    }
    if context.terms.is_some() {
        writeln!(text, "\nrequest {}", causes::hex(&asked.request().digest()))?;
    }
    Ok(())
}
