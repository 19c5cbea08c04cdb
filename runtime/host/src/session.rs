//! The pipeline. Whoever asks has a session; [`Session::authorise`] is the one way in, and to consume what it gave the one
//! way on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use policyc_runtime::{
    Access, Account, Answers, Context, Decision, Discharged, EffectOrigin, EffectSource, Grant, Role, ShellKind, Table,
    Terms,
};
use serde_json::{Map, Value, json};

use crate::account::decided;
use crate::facts::Facts;
use crate::grants::StoreProblem;
use crate::hex::hex;
use crate::host::{Host, Setup};
use crate::request::{Asked, Request};
use crate::resolve::{Place, Program, ResolveProblem};
use crate::runner::{Cancel, End, Job, Limits, Outcome, Streams};
use crate::tools::{Call, Output, SideEffect};
use crate::trace::event::{AskedData, CauseData, Decided, GrantData, REDACTED, ResolvedData, TermsData, kind};
use crate::trace::{Entry, TraceMode, TraceProblem, Written};
use crate::update::Policy;

/// Somebody who asks, and what they know by now.
pub struct Session<'h> {
    host: &'h Host,
    id: String,
    requester: String,
    profile: Option<String>,
    read_only: bool,
    facts: Mutex<Facts>,
}

/// What may run, once. It can be neither copied nor made by anybody else, and whoever runs it has it no more.
#[must_use = "nothing has run yet"]
pub struct Authorisation<'s, 'h> {
    session: &'s Session<'h>,
    policy: Arc<Policy>,
    asked: Asked,
    resolved: Resolved,
    decided: Decided,
    /// The words that run; none for a tool that the host performs without a command.
    words: Vec<String>,
    limits: Limits,
    written: Written,
}

/// What paths and programs were found to be.
#[derive(Default)]
struct Resolved {
    places: BTreeMap<String, Place>,
    arguments: Map<String, Value>,
    program: Option<Program>,
    problems: Vec<String>,
}

/// Why nothing runs.
#[derive(Debug)]
pub struct Refusal {
    /// Of which kind.
    pub kind: RefusalKind,
    /// Why, a sentence each.
    pub reasons: Vec<String>,
    /// What was decided, if it came so far.
    pub decided: Option<Box<Decided>>,
    /// The event that records it; none if it could not be written.
    pub written: Option<Written>,
}

/// Kinds of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalKind {
    /// It is forbidden.
    Denied,
    /// It needs an approval, or a grant, that it does not have.
    ApprovalRequired,
    /// It could not be recorded, and what is not recorded does not run.
    Unrecorded,
    /// It is no longer what was decided: the table was replaced, or a grant is used up.
    Stale,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons.join("; "))
    }
}

impl std::error::Error for Refusal {}

impl From<TraceProblem> for Refusal {
    fn from(problem: TraceProblem) -> Self {
        let reasons = vec![problem.to_string()];
        Self { kind: RefusalKind::Unrecorded, reasons, decided: None, written: None }
    }
}

/// What has run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Completion {
    /// What was decided.
    pub decided: Decided,
    /// How the command ended, if one ran.
    pub outcome: Option<Outcome>,
    /// What the tool answered, or why it failed.
    pub output: Option<Result<Output, String>>,
    /// The event that records it.
    pub written: Written,
}

/// Why what was authorised did not run, or not so that it could be recorded.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunProblem {
    /// Nothing has run.
    Refused(Refusal),
    /// It could not be started; the events say so.
    NotStarted(io::Error),
    /// It has run, and its end could not be recorded.
    Unrecorded(TraceProblem),
}

impl fmt::Display for RunProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::NotStarted(error) => write!(f, "it could not be started: {error}"),
            Self::Unrecorded(problem) => write!(f, "it has run, but its end could not be recorded: {problem}"),
        }
    }
}

impl std::error::Error for RunProblem {}

impl<'h> Session<'h> {
    pub(crate) fn new(host: &'h Host, id: String, requester: String) -> Self {
        Self { host, id, requester, profile: None, read_only: false, facts: Mutex::default() }
    }

    /// The same under a profile.
    #[must_use]
    pub fn under(self, profile: impl Into<String>) -> Self {
        Self { profile: Some(profile.into()), ..self }
    }

    /// The same where nothing may be changed. Nothing takes that back.
    #[must_use]
    pub fn read_only(self) -> Self {
        Self { read_only: true, ..self }
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether nothing may be changed.
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Decides over a request, and records it. When it returns, the decision is on the disk, and nothing has run.
    ///
    /// # Errors
    /// When the request is not allowed, or the decision could not be recorded.
    pub fn authorise(&self, request: impl Into<Request>) -> Result<Authorisation<'_, 'h>, Refusal> {
        let request = request.into();
        let policy = self.host.policy()?;
        let table = policy.table();
        let checked = request.asked.check();
        // What is out of bounds is neither looked at nor kept.
        let asked = if checked.is_ok() { request.asked.clone() } else { Asked::Command(Vec::new()) };
        let mut resolved = match checked {
            Ok(()) => self.resolve(&table, &asked),
            Err(problem) => Resolved { problems: vec![problem.to_string()], ..Resolved::default() },
        };
        let terms = self.terms(&request, &resolved);
        let (mut decided, account, named) = match &terms {
            Ok(terms) => self.decide(&table, &asked, &request, terms),
            Err(problem) => {
                resolved.problems.push(problem.to_string());
                self.decide(&table, &asked, &request, &TermsData { time: self.now(), ..TermsData::default() })
            }
        };
        let words = self.words(&asked, &account);
        self.check_links(&named, &mut resolved);
        if decided.decision.as_deref() == Some(Decision::Allow.name()) {
            self.find_program(&table, &words, &mut resolved);
            self.check_performer(&asked, &words, &mut resolved);
        }
        let limits = self.limits(&account);
        drop(account);
        forbid(&mut decided, &resolved.problems);
        decided.table_digest = hex(&policy.digest());
        decided.degraded = policy.degraded().map(str::to_owned);
        decided.resolved = resolved.data();
        let written = self.record(&decided)?;
        let Written { .. } = written;
        if let Some(refusal) = refusal(&decided, &written) {
            return Err(refusal);
        }
        Ok(Authorisation {
            session: self,
            policy: Arc::clone(&policy),
            asked,
            resolved,
            decided,
            words,
            limits,
            written,
        })
    }

    /// The time, in seconds since 1970.
    fn now(&self) -> u64 {
        self.host.setup.trace.now() / 1000
    }

    /// Opens every place that a call names.
    fn resolve(&self, table: &Table<'_>, asked: &Asked) -> Resolved {
        let mut resolved = Resolved::default();
        let Asked::Tool { tool, arguments, .. } = asked else { return resolved };
        let Some(tool) = table.tool(tool) else { return resolved };
        // The runtime refuses what it cannot read, and keys that are there twice.
        let Ok(arguments) = serde_json::from_str::<Map<String, Value>>(arguments) else { return resolved };
        for parameter in tool.parameters() {
            let reads = match parameter.role() {
                Role::Path => false,
                Role::SourcePath => true,
                _ => continue,
            };
            let Some(path) = arguments.get(parameter.name()).and_then(Value::as_str) else { continue };
            match self.host.setup.workspace.place(path, reads) {
                Ok(place) => drop(resolved.places.insert(parameter.name().to_owned(), place)),
                // The runtime says the same of the text.
                Err(ResolveProblem::Path(_)) => {}
                Err(problem) => resolved.problems.push(format!("the parameter `{}`: {problem}", parameter.name())),
            }
        }
        resolved.arguments = arguments;
        resolved
    }

    /// Under which terms the request is judged.
    fn terms(&self, request: &Request, resolved: &Resolved) -> Result<TermsData, StoreProblem> {
        let (workspace, now) = (&self.host.setup.workspace, self.now());
        let facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        // What cannot be read was not read before.
        let facts = resolved.places.values().filter_map(|place| facts.of(place).ok().flatten()).collect();
        let grants = if self.profile.is_some() && !request.per_request {
            self.tell_lapses(now)?;
            self.host.setup.grants.applicable(&self.requester, now)?
        } else {
            Vec::new()
        };
        Ok(TermsData {
            facts,
            time: now,
            working: workspace.folders().working.to_owned(),
            home: workspace.folders().home.map(str::to_owned),
            workspace: workspace.path().to_owned(),
            read_roots: workspace.read_roots().map(str::to_owned).collect(),
            grants,
        })
    }

    /// Records which grants have ended since it was recorded last.
    fn tell_lapses(&self, now: u64) -> Result<(), StoreProblem> {
        let Setup { grants, trace, .. } = &self.host.setup;
        grants.lapse(now, &mut |ended| {
            let entries: Vec<_> = ended.iter().map(|grant| grant.lapsed(trace.mode())).collect();
            let written = trace.append("", &entries);
            written.map(drop).map_err(|problem| StoreProblem::Unrecorded(problem.to_string()))
        })
    }

    /// Asks the table.
    fn decide<'t>(
        &self,
        table: &'t Table<'t>,
        asked: &Asked,
        request: &Request,
        known: &TermsData,
    ) -> (Decided, Account<'t>, Named) {
        let facts: Vec<&str> = known.facts.iter().map(String::as_str).collect();
        let roots: Vec<&str> = known.read_roots.iter().map(String::as_str).collect();
        let parameters: Vec<Vec<(&str, &str)>> = known.grants.iter().map(parameters).collect();
        let grants: Vec<_> = known.grants.iter().zip(&parameters).map(|(grant, it)| as_runtime(grant, it)).collect();
        let terms = Terms {
            profile: self.profile.as_deref(),
            read_only: self.read_only,
            facts: &facts,
            approval: request.approval.as_ref().map(crate::ApprovalRecord::as_runtime),
            grants: &grants,
            per_request: request.per_request,
            time: known.time,
            workspace: Some(&known.workspace),
            read_roots: &roots,
        };
        let context =
            Context { folders: Some(self.host.setup.workspace.folders()), terms: Some(&terms), ..Context::default() };
        let evaluation = table.decide(asked.as_runtime(), &context);
        let account = evaluation.account();
        let named = Named::of(asked, &account, || evaluation.answers());
        let mut decided = decided(table, &account, asked.digest());
        decided.kind = asked.kind().to_owned();
        decided.request = Some(AskedData::of(asked));
        decided.requester.clone_from(&self.requester);
        decided.profile.clone_from(&self.profile);
        decided.read_only = self.read_only;
        decided.per_request = request.per_request;
        decided.approval.clone_from(&request.approval);
        if decided.explicit_approval {
            decided.approval_reason = request.approval.as_ref().map(|approval| approval.reason.clone());
        }
        if let Some(Discharged::Grants(places)) = account.discharged {
            let used = known.grants.iter().enumerate().filter(|(place, _)| places >> place & 1 == 1);
            decided.grants = used.map(|(_, grant)| grant.id.clone()).collect();
        }
        decided.terms = Some(known.clone());
        (decided, account, named)
    }

    /// Refuses a command whose paths, as far as they can be told, go through links: as text they lead nowhere outside.
    fn check_links(&self, named: &Named, resolved: &mut Resolved) {
        let workspace = &self.host.setup.workspace;
        let read = named.read.iter().map(|path| (path, true));
        for (path, reads) in read.chain(named.written.iter().map(|path| (path, false))) {
            let problem = match workspace.place(path, reads) {
                Err(problem @ (ResolveProblem::Link | ResolveProblem::HardLink | ResolveProblem::NotAFolder)) => {
                    problem
                }
                // A device that policies let commands write to is no place in the workspace.
                _ => continue,
            };
            resolved.problems.push(format!("`{}`: {problem}", path.escape_debug()));
        }
    }

    /// The words that run for a request.
    fn words(&self, asked: &Asked, account: &Account<'_>) -> Vec<String> {
        match asked {
            Asked::Command(words) => words.clone(),
            Asked::Text { text, kind: ShellKind::Bash } if !self.host.setup.shell.is_empty() => {
                self.host.setup.shell.iter().chain([text]).cloned().collect()
            }
            Asked::Text { .. } => Vec::new(),
            Asked::Tool { .. } => account.command.clone(),
        }
    }

    /// Finds the file that the first word is, where commands run on this host.
    fn find_program(&self, table: &Table<'_>, words: &[String], resolved: &mut Resolved) {
        let Some(word) = words.first().filter(|_| self.host.setup.runner.finds_programs_here()) else { return };
        let program = self.host.setup.search.program(word, self.host.setup.workspace.path());
        match program.and_then(|program| listed(table, program)) {
            Ok(program) => resolved.program = Some(program),
            Err(problem) => resolved.problems.push(problem.to_string()),
        }
    }

    /// Whether there is anything that would do it.
    fn check_performer(&self, asked: &Asked, words: &[String], resolved: &mut Resolved) {
        match asked {
            Asked::Text { .. } if words.is_empty() => {
                resolved.problems.push("no shell is configured for texts of this kind".to_owned());
            }
            Asked::Tool { tool, .. } if words.is_empty() && self.host.setup.tools.get(tool).is_none() => {
                resolved.problems.push(format!("the host has no tool `{}`", tool.escape_debug()));
            }
            _ => {}
        }
    }

    /// How much a run may take: what the host permits, or less where the table says so.
    fn limits(&self, account: &Account<'_>) -> Limits {
        let limits = self.host.setup.limits;
        let seconds = account.tool.and_then(|tool| tool.timeout()).map(|seconds| u64::from(seconds.get()));
        let declared = seconds.map(Duration::from_secs);
        let time = [limits.time, declared].into_iter().flatten().min();
        Limits { time, ..limits }
    }

    /// Writes the decision, and what follows from it.
    fn record(&self, decided: &Decided) -> Result<Written, TraceProblem> {
        let trace = &self.host.setup.trace;
        let shown = match trace.mode() {
            TraceMode::Private => decided.clone(),
            TraceMode::Redacted => decided.clone().redacted(),
        };
        let data = serde_json::to_value(&shown).map_err(io::Error::from)?;
        let entries = [Entry::new(kind::DECISION, data)];
        let written = trace.append(&self.id, &entries)?.pop();
        let written = written.ok_or_else(|| TraceProblem::Io(io::Error::other("nothing was written")))?;
        let follows = match refusal_kind(decided) {
            None => return Ok(written),
            Some(RefusalKind::ApprovalRequired) => kind::APPROVAL_REQUIRED,
            Some(_) => kind::DENIED,
        };
        let data = json!({
            "decision": written.sequence,
            "requestDigest": decided.request_digest,
            "reasons": reasons(&shown),
            "discharge": decided.discharge,
        });
        trace.append(&self.id, &[Entry::new(follows, degraded(data, decided.degraded.as_deref()))])?;
        Ok(written)
    }
}

/// What the words of a command name, if they are paths.
#[derive(Default)]
struct Named {
    read: Vec<String>,
    written: Vec<String>,
}

/// What ends a path in a text that is not taken apart.
const AROUND_PATHS: &[char] = &['"', '\'', '`', ';', '&', '|', '<', '>', '(', ')', '{', '}', '=', ','];

impl Named {
    fn of<'t>(asked: &Asked, account: &Account<'t>, answers: impl Fn() -> Answers<'t>) -> Self {
        let mut named = Self::default();
        for source in &account.sources {
            if let EffectOrigin::Redirect(target) = &source.origin {
                named.written.push(target.clone());
            }
        }
        // Where what a command does depends on where its operands lie, each of its words may be one.
        let by_place = |source: &EffectSource<'_>| match &source.origin {
            EffectOrigin::Row(row) if row.paths_from().is_some() => source.command,
            _ => None,
        };
        let places: BTreeSet<usize> = account.sources.iter().filter_map(by_place).collect();
        if !places.is_empty() {
            let answers = answers();
            let commands = places.iter().filter_map(|place| answers.commands.get(*place));
            let words = commands.flat_map(|command| command.words.iter().skip(1)).filter(|word| !word.dynamic);
            words.for_each(|word| named.add(&word.text));
        }
        if let Asked::Text { text, .. } = asked {
            text.split(|one: char| one.is_whitespace() || AROUND_PATHS.contains(&one)).for_each(|word| named.add(word));
        }
        named
    }

    /// A word, and what it may be an option's value of.
    fn add(&mut self, word: &str) {
        let value = word.split_once('=').map(|(_, value)| value);
        self.read.extend([Some(word), value].into_iter().flatten().filter(|path| !path.is_empty()).map(str::to_owned));
    }
}

impl Resolved {
    fn data(&self) -> Vec<ResolvedData> {
        let place = |(name, place): (&String, &Place)| ResolvedData {
            what: name.clone(),
            path: place.path().to_owned(),
            found: match place.found().map(crate::resolve::Found::kind) {
                Some(crate::resolve::Kind::File) => "file",
                Some(crate::resolve::Kind::Folder) => "folder",
                None => "nothing",
            }
            .to_owned(),
        };
        let program = self.program.iter().map(|program| ResolvedData {
            what: "program".to_owned(),
            path: program.path().to_owned(),
            found: "program".to_owned(),
        });
        self.places.iter().map(place).chain(program).collect()
    }
}

/// A program, unless the table lists other files for its bare name.
fn listed(table: &Table<'_>, program: Program) -> Result<Program, ResolveProblem> {
    let name = program.asked();
    let executable = table.host_executables().find(|executable| executable.name() == name);
    match executable {
        Some(executable) if !executable.paths().any(|path| path == program.path()) => {
            Err(ResolveProblem::Unlisted { name: name.to_owned(), path: program.path().to_owned() })
        }
        _ => Ok(program),
    }
}

fn parameters(grant: &GrantData) -> Vec<(&str, &str)> {
    grant.parameters.iter().map(|(name, glob)| (name.as_str(), glob.as_str())).collect()
}

fn as_runtime<'g>(grant: &'g GrantData, parameters: &'g [(&'g str, &'g str)]) -> Grant<'g> {
    Grant {
        capability: &grant.capability,
        target: grant.target.as_deref(),
        parameters,
        access: if grant.writes { Access::Write } else { Access::Read },
        expires: grant.expires,
        remaining: grant.remaining,
    }
}

/// Makes the decision forbidden where the request cannot be what was decided over.
fn forbid(decided: &mut Decided, problems: &[String]) {
    let forbidden = Decision::Forbidden.name();
    for problem in problems {
        decided.causes.push(CauseData {
            kind: "host".to_owned(),
            decision: forbidden.to_owned(),
            message: Some(problem.clone()),
        });
    }
    if !problems.is_empty() {
        decided.decision = Some(forbidden.to_owned());
        decided.undischarged = Some(forbidden.to_owned());
        decided.discharged = None;
        decided.explicit_approval = false;
        decided.approval_reason = None;
        decided.grants.clear();
        decided.discharge.clear();
    }
}

/// Of which kind the refusal is, if it is one. What nothing decides is refused.
fn refusal_kind(decided: &Decided) -> Option<RefusalKind> {
    match decided.decision.as_deref().and_then(Decision::from_name) {
        Some(Decision::Allow) => None,
        Some(Decision::Prompt) => Some(RefusalKind::ApprovalRequired),
        Some(Decision::Forbidden) | None => Some(RefusalKind::Denied),
    }
}

fn reasons(decided: &Decided) -> Vec<String> {
    let mut reasons: Vec<String> = decided.causes.iter().filter_map(|cause| cause.message.clone()).collect();
    if reasons.is_empty() {
        reasons.push(match decided.decision {
            None => "no rule speaks of it, and what no rule allows is refused".to_owned(),
            Some(_) => REDACTED.to_owned(),
        });
    }
    reasons
}

/// An event, with why the table is not the newest if it is not.
fn degraded(mut data: Value, reason: Option<&str>) -> Value {
    if let (Some(reason), Some(data)) = (reason, data.as_object_mut()) {
        data.insert("degraded".to_owned(), json!(reason));
    }
    data
}

fn refusal(decided: &Decided, written: &Written) -> Option<Refusal> {
    let kind = refusal_kind(decided)?;
    let (decided, written) = (Box::new(decided.clone()), Some(written.clone()));
    Some(Refusal { kind, reasons: reasons(&decided), decided: Some(decided), written })
}

impl Authorisation<'_, '_> {
    /// What was decided.
    #[must_use]
    pub const fn decided(&self) -> &Decided {
        &self.decided
    }

    /// The event that records the decision.
    #[must_use]
    pub const fn written(&self) -> &Written {
        &self.written
    }

    /// Runs it. When it returns, its end is on the disk.
    ///
    /// # Errors
    /// When it is not what was decided any more, could not be started, or its end could not be recorded.
    pub fn run(self, streams: Streams, cancel: &Cancel) -> Result<Completion, RunProblem> {
        let configuration = self.start()?;
        let host = &self.session.host.setup;
        let (mut outcome, mut output, mut side_effects) = (None, None, Vec::new());
        let tool = match &self.asked {
            Asked::Tool { tool, .. } => host.tools.get(tool).map(|found| (tool, found)),
            _ => None,
        };
        let end = match tool {
            Some((name, tool)) => {
                let done = self.perform(name, tool, cancel, &mut side_effects);
                let end = done.as_ref().map_or_else(|failure| format!("failed: {failure}"), |_| "done".to_owned());
                output = Some(done);
                Ok(end)
            }
            None => host.runner.run(&self.job(streams, cancel)).map(|ended| {
                let end = ended.end.to_string();
                side_effects.push(SideEffect::Ran { words: self.words.clone(), outcome: end.clone() });
                outcome = Some(ended);
                end
            }),
        };
        let written = self.complete(&end, outcome.as_ref(), &side_effects, &configuration);
        let written = written.map_err(RunProblem::Unrecorded)?;
        if !self.decided.grants.is_empty() {
            // What cannot be told now is told before the next decision.
            let _ = self.session.tell_lapses(self.session.now());
        }
        end.map_err(RunProblem::NotStarted)?;
        Ok(Completion { decided: self.decided, outcome, output, written })
    }

    /// Makes sure that it may still run, takes what it uses up, and records that it starts.
    fn start(&self) -> Result<Value, RunProblem> {
        let (session, host) = (self.session, &self.session.host.setup);
        let now = session.host.policy().map_err(|problem| RunProblem::Refused(problem.into()))?;
        if now.digest() != self.policy.digest() {
            return Err(self.stale("the table was replaced since it was decided"));
        }
        if let Some(problem) = self.resolved.program.as_ref().and_then(|program| program.unchanged().err()) {
            return Err(self.stale(&problem.to_string()));
        }
        if !self.decided.grants.is_empty() {
            let consumed = host.grants.consume(&session.requester, &self.decided.grants, session.now());
            consumed.map_err(|problem| self.stale(&problem.to_string()))?;
        }
        let configuration = host.runner.configuration();
        let sequence = self.written.sequence;
        let mut entries = Vec::new();
        if !self.decided.grants.is_empty() {
            entries.push(Entry::new(kind::GRANT_USED, json!({ "decision": sequence, "grants": self.decided.grants })));
        }
        let data = json!({ "decision": sequence, "runner": host.runner.name(), "configuration": configuration });
        entries.push(Entry::new(kind::STARTED, degraded(data, self.policy.degraded())));
        host.trace.append(&session.id, &entries).map_err(|problem| RunProblem::Refused(problem.into()))?;
        Ok(configuration)
    }

    fn stale(&self, reason: &str) -> RunProblem {
        let data = json!({ "decision": self.written.sequence, "reasons": [reason] });
        let session = self.session;
        let data = degraded(data, self.policy.degraded());
        let written = session.host.setup.trace.append(&session.id, &[Entry::new(kind::DENIED, data)]);
        RunProblem::Refused(Refusal {
            kind: RefusalKind::Stale,
            reasons: vec![reason.to_owned()],
            decided: Some(Box::new(self.decided.clone())),
            written: written.ok().and_then(|mut written| written.pop()),
        })
    }

    fn job<'j>(&'j self, streams: Streams, cancel: &'j Cancel) -> Job<'j> {
        let host = &self.session.host.setup;
        Job {
            words: &self.words,
            program: self.resolved.program.as_ref(),
            workspace: &host.workspace,
            environment: &host.environment,
            limits: self.limits,
            streams,
            read_only: self.session.read_only,
            cancel,
        }
    }

    /// Has a tool do it.
    fn perform(
        &self,
        name: &str,
        tool: &dyn crate::tools::Tool,
        cancel: &Cancel,
        side_effects: &mut Vec<SideEffect>,
    ) -> Result<Output, String> {
        let (session, host) = (self.session, &self.session.host.setup);
        crate::guard::check_write(&self.policy.table(), name, (session.read_only, &session.id))
            .map_err(|problem| problem.to_string())?;
        let call = Call {
            name,
            arguments: &self.resolved.arguments,
            places: &self.resolved.places,
            command: &self.words,
            program: self.resolved.program.as_ref(),
            environment: &host.environment,
            limits: self.limits,
            runner: &*host.runner,
            search: &host.search,
            workspace: &host.workspace,
            read_only: session.read_only,
            cancel,
        };
        let done = tool.call(&call);
        side_effects.extend_from_slice(match &done {
            Ok(output) => &output.side_effects,
            Err(failure) => &failure.side_effects,
        });
        let mut facts = session.facts.lock().unwrap_or_else(PoisonError::into_inner);
        side_effects.iter().for_each(|effect| facts.note(effect));
        done.map_err(|failure| failure.message)
    }

    /// Records the end.
    fn complete(
        &self,
        end: &io::Result<String>,
        outcome: Option<&Outcome>,
        side_effects: &[SideEffect],
        configuration: &Value,
    ) -> Result<Written, TraceProblem> {
        let (session, host) = (self.session, &self.session.host.setup);
        let shows = host.trace.mode() == TraceMode::Private;
        let names: Vec<&str> = self.decided.effects.iter().map(|effect| effect.name.as_str()).collect();
        let mut data = json!({
            "decision": self.written.sequence,
            "outcome": match end {
                Ok(end) if shows || outcome.is_some() => end.clone(),
                Ok(end) => end.split(':').next().unwrap_or_default().to_owned(),
                Err(error) => format!("not started: {error}"),
            },
            "runner": host.runner.name(),
            "configuration": configuration,
            "effects": names,
            "claims": self.decided.claims,
        });
        let mut put = |key: &str, value: Value| {
            data.as_object_mut().map(|data| data.insert(key.to_owned(), value));
        };
        if shows {
            put("sideEffects", serde_json::to_value(side_effects).map_err(io::Error::from)?);
        } else {
            put("sideEffects", json!(side_effects.len()));
        }
        if let Some(outcome) = outcome {
            if let End::Exited(code) = outcome.end {
                put("exitCode", json!(code));
            }
            put("notApplied", json!(outcome.not_applied));
            put("left", json!(outcome.left));
            put("notes", if shows { json!(outcome.notes) } else { json!(outcome.notes.len()) });
        }
        let data = degraded(data, self.policy.degraded());
        let written = host.trace.append(&session.id, &[Entry::new(kind::COMPLETED, data)])?.pop();
        written.ok_or_else(|| TraceProblem::Io(io::Error::other("nothing was written")))
    }
}

impl fmt::Debug for Authorisation<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digest = hex(&self.asked.digest());
        f.debug_struct("Authorisation").field("request", &digest).field("event", &self.written).finish_non_exhaustive()
    }
}

impl fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("id", &self.id).field("requester", &self.requester).finish_non_exhaustive()
    }
}
