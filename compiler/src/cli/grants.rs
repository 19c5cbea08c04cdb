//! `policyc grants`: asks for temporary authority, and decides over it.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand};
use policyc::duration::{seconds, shown};
use policyc_host::grants::{
    AskedGrant, Decider, Filed, GrantQueue, GrantRequest, GrantRules, GrantStore, Kept, RequestState, StoreProblem,
    Verdict,
};
use policyc_host::trace::{Entry, Trace, utc};
use serde_json::json;

use super::question::{Question, Source};
use super::records::{GrantOptions, TraceOptions, user};
use super::{FAILED, escape, output};

const EXAMPLES: &str = "\
A grant turns what a profile asks about into what it allows, for one requester, one
effect, a time and a number of uses. It changes nothing that is forbidden.

Examples:
  policyc grants request --table policy.table --as agent --capability files.write \\
      --for 2h --uses 3 --reason 'the release notes'
  policyc grants list
  policyc grants decide r1 --table policy.table --by ana --grant --reason 'reviewed'
  policyc grants revoke g1 --table policy.table --by ana --reason 'released'";

/// Ask for temporary authority, and decide over it
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Grants {
    #[command(subcommand)]
    subcommand: Subcommands,
}

#[derive(Subcommand)]
enum Subcommands {
    /// Show the requests that nobody has decided over, and the grants that hold
    List(List),
    /// Ask for a grant
    Request(Box<Ask>),
    /// Decide over a request, or over all of a batch
    Decide(Decide),
    /// Take a grant back
    Revoke(Revoke),
}

/// Where grants are and what is recorded of them, and how to answer.
#[derive(Args)]
struct Place {
    #[command(flatten)]
    grants: GrantOptions,
    #[command(flatten)]
    trace: TraceOptions,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct List {
    #[command(flatten)]
    place: Place,
    /// Show what is decided and what has ended, too
    #[arg(long)]
    all: bool,
}

#[derive(Args)]
struct Ask {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    place: Place,
    /// Who would use it [default: the user]
    #[arg(long = "as", value_name = "NAME")]
    requester: Option<String>,
    /// The effect that it is for
    #[arg(long, value_name = "EFFECT")]
    capability: String,
    /// A glob of what it may be done to [default: anything]
    #[arg(long, value_name = "GLOB")]
    target: Option<String>,
    /// A glob of values for a parameter of a tool; give the option again for each further one
    #[arg(long, value_name = "NAME=GLOB", value_parser = parameter)]
    param: Vec<(String, String)>,
    /// How long: a number and s, m, h or d; at most what the policy says, and 7d
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    seconds: u64,
    /// How many uses [default: any number]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    uses: Option<u32>,
    /// Why it is needed
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// What it is for: requests for one intention are decided over together
    #[arg(long, value_name = "NAME")]
    intention: Option<String>,
    /// What shows that it is needed; give the option again for each further one
    #[arg(long, value_name = "TEXT")]
    evidence: Vec<String>,
    /// What can go wrong
    #[arg(long, value_name = "TEXT")]
    risk: Option<String>,
    /// What is done against that
    #[arg(long, value_name = "TEXT")]
    mitigation: Option<String>,
    /// What is done without the grant
    #[arg(long, value_name = "TEXT")]
    fallback: Option<String>,
    /// What else was thought of; give the option again for each further one
    #[arg(long, value_name = "TEXT")]
    alternative: Vec<String>,
}

/// Who decides, and why.
#[derive(Args)]
struct Person {
    /// Who decides: a person, and not who asked
    #[arg(long, value_name = "NAME")]
    by: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

#[derive(Args)]
struct Decide {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    person: Person,
    /// Give what was asked for, or less
    #[arg(long, required_unless_present = "deny", conflicts_with_all = ["deny", "wait"])]
    grant: bool,
    /// Give nothing
    #[arg(long, conflicts_with_all = ["seconds", "uses"])]
    deny: bool,
    /// Give it for this time only
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    seconds: Option<u64>,
    /// Give so many uses only
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    uses: Option<u32>,
    /// Have the requester wait for this time before asking for the effect again
    #[arg(long, value_name = "TIME", value_parser = time)]
    wait: Option<u64>,
    /// The request or the batch, as `list` names it
    #[arg(value_name = "ID")]
    id: String,
}

#[derive(Args)]
struct Revoke {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    person: Person,
    /// The grant, as `list` names it
    #[arg(value_name = "ID")]
    id: String,
}

impl Grants {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        match self.subcommand {
            Subcommands::List(list) => list.run(),
            Subcommands::Request(ask) => ask.run(),
            Subcommands::Decide(decide) => decide.run(),
            Subcommands::Revoke(revoke) => revoke.run(),
        }
    }
}

impl List {
    fn run(self) -> anyhow::Result<u8> {
        let (store, trace) = (self.place.grants.open(None)?, self.place.trace.open(None)?);
        let now = now();
        // Whoever looks sees what has ended, and so does the trace.
        store.lapse(now, &mut |ended| record(&trace, ended.iter().map(|kept| kept.lapsed(trace.mode()))))?;
        let (requests, grants) = (store.requests(self.all)?, store.grants(self.all, now)?);
        if self.place.json {
            return print(&json!({ "requests": requests, "grants": grants }));
        }
        let mut told = String::new();
        for filed in &requests {
            told.push_str(&request_lines(filed));
        }
        for kept in &grants {
            told.push_str(&grant_line(kept));
        }
        if told.is_empty() {
            told.push_str("no request waits, and no grant holds\n");
        }
        output::print(told.as_bytes())?;
        Ok(0)
    }
}

impl Ask {
    fn run(self) -> anyhow::Result<u8> {
        let Some(rules) = rules(self.source)? else { return Ok(FAILED) };
        let (store, trace) = (self.place.grants.open(None)?, self.place.trace.open(None)?);
        let request = GrantRequest {
            requester: self.requester.unwrap_or_else(user),
            intention: self.intention,
            writes: rules.writes(&self.capability),
            capability: self.capability,
            target: self.target,
            parameters: self.param,
            asked: AskedGrant { seconds: self.seconds, uses: self.uses },
            reason: self.reason,
            evidence: self.evidence,
            risk: self.risk,
            mitigation: self.mitigation,
            fallback: self.fallback,
            alternatives: self.alternative,
        };
        let filed = store.file(&request, &rules, now(), &mut |filed| {
            record(&trace, filed.iter().map(|filed| filed.requested(trace.mode())))
        })?;
        if self.place.json {
            return print(&json!(filed));
        }
        let told = format!(
            "{} waits for a decision: `policyc grants decide {} --by NAME --grant --reason TEXT`\n",
            filed.id, filed.id
        );
        output::print(told.as_bytes())?;
        Ok(0)
    }
}

impl Decide {
    fn run(self) -> anyhow::Result<u8> {
        let Some(rules) = rules(self.source)? else { return Ok(FAILED) };
        let (store, trace) = (self.place.grants.open(None)?, self.place.trace.open(None)?);
        let verdict = if self.deny {
            Verdict::Deny { wait: self.wait.unwrap_or_default() }
        } else {
            Verdict::Grant { seconds: self.seconds, uses: self.uses }
        };
        let decider = Decider { by: &self.person.by, reason: &self.person.reason, rules: &rules };
        let decided = store.decide(&self.id, &verdict, &decider, now(), &mut |decided| {
            record(&trace, decided.iter().filter_map(|filed| filed.decided(trace.mode())))
        })?;
        if self.place.json {
            return print(&json!(decided));
        }
        let told: String = decided.iter().map(request_lines).collect();
        output::print(told.as_bytes())?;
        Ok(0)
    }
}

impl Revoke {
    fn run(self) -> anyhow::Result<u8> {
        let Some(rules) = rules(self.source)? else { return Ok(FAILED) };
        let (store, trace) = (self.place.grants.open(None)?, self.place.trace.open(None)?);
        let decider = Decider { by: &self.person.by, reason: &self.person.reason, rules: &rules };
        let revoked = store.revoke(&self.id, &decider, now(), &mut |revoked| {
            record(&trace, revoked.iter().map(|kept| kept.revoked(trace.mode(), &decider)))
        })?;
        if self.place.json {
            return print(&json!(revoked));
        }
        output::print(grant_line(&revoked).as_bytes())?;
        Ok(0)
    }
}

/// What the policy says of grants; nothing if it has errors, which are then printed.
fn rules(source: Source) -> anyhow::Result<Option<GrantRules>> {
    let question = Question::of(source);
    let Some(made) = question.table_bytes("grants")? else { return Ok(None) };
    Ok(Some(GrantRules::of(&question.open(&made.bytes)?)))
}

fn record(trace: &Trace, entries: impl Iterator<Item = Entry>) -> Result<(), StoreProblem> {
    let written = trace.append("", &entries.collect::<Vec<_>>());
    written.map(drop).map_err(|problem| StoreProblem::Unrecorded(problem.to_string()))
}

fn request_lines(filed: &Filed) -> String {
    let Filed { id, batch, request, state, .. } = filed;
    let AskedGrant { seconds, uses } = request.asked;
    let mut told = format!(
        "{id:<5} {} asks for {}, {}{}: {}\n",
        escape::line(&request.requester),
        scope(&request.capability, request.target.as_deref(), &request.parameters),
        shown(seconds),
        uses.map_or_else(String::new, |uses| format!(", {}", times(uses))),
        escape::line(&request.reason),
    );
    let mut add = |what: &str, text: &str| told.push_str(&format!("      {what}: {}\n", escape::line(text)));
    if let Some(intention) = &request.intention {
        add("intention", &format!("{intention} ({batch})"));
    }
    request.evidence.iter().for_each(|evidence| add("evidence", evidence));
    for (what, text) in
        [("risk", &request.risk), ("mitigation", &request.mitigation), ("without it", &request.fallback)]
    {
        text.iter().for_each(|text| add(what, text));
    }
    request.alternatives.iter().for_each(|alternative| add("instead of", alternative));
    match state {
        RequestState::Granted { by, reason, grant } => {
            add("granted", &format!("{} by {by}, until {}: {reason}", grant.id, utc(grant.expires)));
        }
        RequestState::Denied { by, reason, .. } => add("denied", &format!("by {by}: {reason}")),
        _ => {}
    }
    told
}

fn grant_line(kept: &Kept) -> String {
    let Kept { grant, requester, uses, state, .. } = kept;
    let left = match (grant.remaining, uses) {
        (Some(left), Some(uses)) => format!(", {left} of {} left", times(*uses)),
        _ => String::new(),
    };
    format!(
        "{:<5} {} may {}, until {}{left}; it {}\n",
        grant.id,
        escape::line(requester),
        scope(&grant.capability, grant.target.as_deref(), &grant.parameters),
        utc(grant.expires),
        match state {
            policyc_host::grants::GrantState::Holds => "holds".to_owned(),
            ended => format!("is {ended}"),
        },
    )
}

/// What a grant is for.
fn scope(capability: &str, target: Option<&str>, parameters: &[(String, String)]) -> String {
    let mut scope = format!("`{}`", escape::line(capability));
    if let Some(target) = target {
        scope.push_str(&format!(" on `{}`", escape::line(target)));
    }
    for (name, glob) in parameters {
        scope.push_str(&format!(" where {} is `{}`", escape::line(name), escape::line(glob)));
    }
    scope
}

fn times(uses: u32) -> String {
    if uses == 1 { "1 use".to_owned() } else { format!("{uses} uses") }
}

fn print(answer: &serde_json::Value) -> anyhow::Result<u8> {
    output::print(format!("{answer}\n").as_bytes())?;
    Ok(0)
}

fn time(given: &str) -> Result<u64, String> {
    seconds(given).ok_or_else(|| "a time is a number and a unit: 90s, 15m, 2h, 7d".to_owned())
}

fn parameter(given: &str) -> Result<(String, String), String> {
    let (name, glob) = given.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or("expected `NAME=GLOB`")?;
    Ok((name.to_owned(), glob.to_owned()))
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
