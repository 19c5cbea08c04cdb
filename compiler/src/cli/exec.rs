//! `policyc exec`: runs a command, or a text for a shell, if the policy allows it, and records what was decided and done.

use std::env;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, ValueEnum};
use policyc_host::runner::docker::Mount;
use policyc_host::runner::{Cancel, Docker, Limits, Local, Runner, Streams, signals};
use policyc_host::tools::Registry;
use policyc_host::tools::http::{Url, Web};
use policyc_host::trace::event::Decided;
use policyc_host::{
    ApprovalRecord, Asked, Completion, Host, PolicySource, Refusal, RefusalKind, Request, RunProblem, Search, Setup,
    Workspace, check_command,
};
use policyc_runtime::{ShellKind, Table};
use serde_json::{Map, Value, json};

use super::paint::{OnTerminal, Paint};
use super::question::{Question, Source, refuse_misspelt_option};
use super::records::{self, GrantOptions, TraceOptions};
use super::{FAILED, escape, output, subject, usage_error};

/// It needs an approval; it is forbidden; nothing decides. As `policyc eval --exit-code`.
const PROMPT: u8 = 10;
const FORBIDDEN: u8 = 11;

/// The variables that a command has if they are set: where it is, who runs it, and how it talks to people.
const PASSED_IN: [&str; 13] = [
    "USER",
    "LOGNAME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "TZ",
    "TMPDIR",
    "CI",
];

/// What reads texts, without what users have it read before.
const SHELLS: [&str; 2] = ["/bin/bash", "/usr/bin/bash"];
const SHELL_OPTIONS: [&str; 4] = ["--noprofile", "--norc", "-c", "--"];

const EXAMPLES: &str = "\
Exit codes: that of the command, or 128 and the number of the signal that ended it,
or 124 if its time was over; of what did not run: 10 it needs an approval,
11 it is refused, 1 nothing could be decided or recorded, 2 wrong usage.

Examples:
  policyc exec --rules policy --profile verify -- git status
  policyc exec --table policy.table --approve-risk 'release 1.2' -- git push
  policyc exec --table policy.table --json --shell 'git status && git diff'
  policyc exec --table policy.table --tool list_dir --args '{\"path\": \"src\"}'";

/// Run a command or a text for a shell, if the policy allows it
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "policyc exec [OPTIONS] [--rules …|--layer …|--table …] [--] <WORD>...\n       \
        policyc exec [OPTIONS] [--rules …|--layer …|--table …] --shell <TEXT>\n       \
        policyc exec [OPTIONS] [--rules …|--layer …|--table …] --tool <NAME> --args <JSON>"
)]
pub(super) struct Exec {
    #[command(flatten)]
    source: Source,
    /// Judge under this profile of the policy: what it does not list is forbidden
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Refuse whatever changes something
    #[arg(long)]
    read_only: bool,
    /// Approve of it, for this reason
    #[arg(long, value_name = "REASON")]
    approve_risk: Option<String>,
    /// What it runs in
    #[arg(long, value_enum, default_value_t)]
    runner: RunnerName,
    /// The image of the container [default: $R000_DOCKER_IMAGE, or one with build tools]
    #[arg(long, value_name = "IMAGE")]
    docker_image: Option<String>,
    /// How a container has the workspace
    #[arg(long, value_enum, default_value_t)]
    mount: MountName,
    /// The folder that it may change, and runs in [default: the current folder]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// A folder outside that may be read; give the option again for each further one
    #[arg(long, value_name = "DIR")]
    read_root: Vec<PathBuf>,
    /// A variable that it has, too: NAME, as it is here, or NAME=VALUE; give the option again for each further one
    #[arg(long, value_name = "NAME[=VALUE]")]
    env: Vec<String>,
    /// End it after so many seconds
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    #[command(flatten)]
    trace: TraceOptions,
    #[command(flatten)]
    grants: GrantOptions,
    /// Who asks [default: the user]
    #[arg(long = "as", value_name = "NAME")]
    requester: Option<String>,
    /// Answer in JSON, with what it wrote
    #[arg(long)]
    json: bool,
    /// Run a text by a shell: every command in it is judged
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "words")]
    shell: Option<OsString>,
    /// Have the host perform this tool: NAME, or SERVER/NAME
    #[arg(long, value_name = "NAME", conflicts_with_all = ["words", "shell"])]
    tool: Option<String>,
    /// The arguments of the tool, a JSON object
    #[arg(long, value_name = "JSON", requires = "tool", default_value = "{}", hide_default_value = true)]
    args: String,
    /// What the tool is said to be done to; refused if its arguments say otherwise
    #[arg(long, value_name = "TARGET", requires = "tool")]
    target: Option<String>,
    /// The SearXNG instance that `web.search` asks; there is no search without one
    #[arg(long, value_name = "URL")]
    search_endpoint: Option<Url>,
    /// The command: its program and arguments, each a word. All that follows the first word belongs to it
    #[arg(value_name = "WORD", required_unless_present_any = ["shell", "tool"], trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// The names of runners.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum RunnerName {
    /// Processes of this host, within what the kernel gives without privileges
    #[default]
    Local,
    /// Containers without network
    Docker,
}

/// The names of [`Mount`].
#[derive(Clone, Copy, Default, ValueEnum)]
enum MountName {
    /// A copy, of which comes back what may
    #[default]
    Staged,
    /// The workspace, for reading
    ReadOnly,
    /// The workspace
    Direct,
}

impl Exec {
    pub(super) fn run(mut self) -> anyhow::Result<u8> {
        let cancel = Cancel::default();
        signals::pass_on(&cancel).context("cannot catch signals")?;
        let asked = self.asked()?;
        if self.approve_risk.as_ref().is_some_and(|reason| reason.trim().is_empty()) {
            return Err(usage_error("exec", "'--approve-risk' needs a reason"));
        }
        let question = Question::of(std::mem::take(&mut self.source));
        let words: Vec<String> = if let Asked::Command(words) = &asked { words.clone() } else { Vec::new() };
        refuse_misspelt_option(&question, "exec", &words)?;
        let Some(made) = question.table_bytes("exec")? else { return Ok(FAILED) };
        let guarded = self.guard(&question.open(&made.bytes)?, &asked);
        let host = self.host(made.bytes)?;
        let mut session = host.session(session_name(), self.requester.clone().unwrap_or_else(records::user));
        if let Some(profile) = &self.profile {
            session = session.under(profile);
        }
        if self.read_only {
            session = session.read_only();
        }
        let mut request = Request::new(asked.clone());
        if let Some(reason) = &self.approve_risk {
            request = request.approved(ApprovalRecord::of(&asked, subject::OPERATOR, reason));
        }
        let authorisation = match (session.authorise(request), guarded) {
            (Err(refusal), _) => return self.refused(&host, &refusal),
            (Ok(_), Err(problem)) => bail!("{problem}"),
            (Ok(authorisation), Ok(())) => authorisation,
        };
        let streams = if self.json { Streams::Captured } else { Streams::Inherited };
        match authorisation.run(streams, &cancel) {
            Ok(completion) => self.completed(&host, &completion),
            Err(RunProblem::Refused(refusal)) => self.refused(&host, &refusal),
            Err(problem) => Err(anyhow!("{problem}")),
        }
    }

    fn asked(&mut self) -> anyhow::Result<Asked> {
        if let Some(tool) = self.tool.take() {
            return Ok(Asked::Tool { tool, arguments: std::mem::take(&mut self.args), target: self.target.take() });
        }
        let not_utf8 = || usage_error("exec", "what is to run must be UTF-8, or it could not be recorded");
        if let Some(text) = self.shell.take() {
            let text = text.into_string().map_err(|_| not_utf8())?;
            return Ok(Asked::Text { text, kind: ShellKind::Bash });
        }
        let words = std::mem::take(&mut self.words).into_iter().map(|word| word.into_string().map_err(|_| not_utf8()));
        Ok(Asked::Command(words.collect::<Result<_, _>>()?))
    }

    /// The command line's own read-only layer.
    fn guard(&self, table: &Table<'_>, asked: &Asked) -> Result<(), policyc_host::ReadOnlyProblem> {
        check_command(table, asked.as_runtime(), (self.read_only, "this invocation"))
    }

    fn host(&self, table: Vec<u8>) -> anyhow::Result<Host> {
        let root = match &self.workspace {
            Some(folder) => folder.clone(),
            None => env::current_dir().context("cannot find the current folder; name one with `--workspace`")?,
        };
        // What `~` stands for is told to whoever judges and to what runs alike.
        let home = policyc::workspace::Surroundings::home().or_else(|| root.to_str().map(str::to_owned));
        let workspace = Workspace::open(&root, home, &self.read_root).map_err(|error| {
            anyhow!("cannot open the workspace `{}`: {error}", escape::line(&root.to_string_lossy()))
        })?;
        let search = Search::new(&env::var("PATH").unwrap_or_default(), &workspace);
        let trace = self.trace.open(Some(&workspace))?;
        let grants = self.grants.of_host(&workspace)?;
        let runner: Box<dyn Runner> = match self.runner {
            RunnerName::Local => Box::new(Local::default()),
            RunnerName::Docker => Box::new(self.docker(&search, &workspace)?),
        };
        let shell = SHELLS.iter().find(|shell| self.runner == RunnerName::Docker || Path::new(shell).exists());
        let shell = shell.iter().map(|shell| **shell).chain(SHELL_OPTIONS).map(str::to_owned);
        let setup = Setup {
            policy: PolicySource::Bytes(table),
            environment: self.environment(&search, workspace.folders().home)?,
            workspace,
            search,
            trace,
            grants,
            runner,
            tools: Registry::standard(&Web { search: self.search_endpoint.clone(), ..Web::default() })?,
            shell: shell.collect(),
            limits: Limits { time: self.timeout.map(Duration::from_secs), ..Limits::default() },
        };
        Ok(Host::start(setup)?)
    }

    fn environment(&self, search: &Search, home: Option<&str>) -> anyhow::Result<Vec<(String, String)>> {
        let here = |name: &str| Some((name.to_owned(), env::var(name).ok().filter(|value| reads_alike(name, value))?));
        let mut environment = vec![("PATH".to_owned(), search.path())];
        environment.extend(home.map(|home| ("HOME".to_owned(), home.to_owned())));
        environment.extend(PASSED_IN.into_iter().filter_map(here));
        environment.extend(self.variables()?);
        Ok(environment)
    }

    /// The variables that the command line names.
    fn variables(&self) -> anyhow::Result<Vec<(String, String)>> {
        let mut variables = Vec::new();
        for given in &self.env {
            let (name, value) = match given.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (given.as_str(), env::var(given).ok()),
            };
            if name.is_empty() || name.contains('\0') {
                return Err(usage_error("exec", "'--env' needs the name of a variable"));
            }
            variables.extend(value.map(|value| (name.to_owned(), value)));
        }
        Ok(variables)
    }

    fn docker(&self, search: &Search, workspace: &Workspace) -> anyhow::Result<Docker> {
        let engine = search.program("docker", workspace.path());
        let engine = engine.map_err(|problem| anyhow!("cannot use the runner `docker`: {problem}"))?;
        let image = Docker::image(self.docker_image.clone(), env::var("R000_DOCKER_IMAGE").ok());
        let mut docker = Docker::new(PathBuf::from(engine.path()), image);
        docker.mount = match self.mount {
            MountName::Staged => Mount::Staged,
            MountName::ReadOnly => Mount::ReadOnly,
            MountName::Direct => Mount::Direct,
        };
        docker.environment = self.variables()?;
        let names = ["PATH", "HOME", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "XDG_RUNTIME_DIR"];
        let here = |name: &str| Some((name.to_owned(), env::var(name).ok()?));
        docker.engine_environment = names.into_iter().filter_map(here).collect();
        Ok(docker)
    }

    /// Says why nothing has run.
    fn refused(&self, host: &Host, refusal: &Refusal) -> anyhow::Result<u8> {
        if self.json {
            let mut answer = self.answer(host, refusal.decided.as_deref());
            answer.insert("refused".to_owned(), json!(refusal_name(refusal.kind)));
            answer.insert("reasons".to_owned(), json!(refusal.reasons));
            trace_of(&mut answer, host, refusal.written.as_ref());
            print(&answer)?;
        } else {
            let paint = Paint::for_stderr();
            let mut told = format!("{} {}; nothing has run\n", paint.error("refused:"), refusal_says(refusal.kind));
            for reason in &refusal.reasons {
                told.push_str(&format!("  - {}\n", escape::line(reason)));
            }
            let grantable = |decided: &Decided| decided.discharge.iter().any(|way| way == "grants");
            told.push_str(match refusal.kind {
                RefusalKind::ApprovalRequired if refusal.decided.as_deref().is_some_and(grantable) => {
                    "  to run it, approve of it: `--approve-risk REASON`, or ask for a grant: `policyc grants request`\n"
                }
                RefusalKind::ApprovalRequired => "  to run it, approve of it: `--approve-risk REASON`\n",
                RefusalKind::Denied => "  `policyc explain` with the same policy says more\n",
                _ => "",
            });
            output::complain(told.as_bytes());
        }
        Ok(match refusal.kind {
            RefusalKind::ApprovalRequired => PROMPT,
            RefusalKind::Unrecorded => FAILED,
            _ => FORBIDDEN,
        })
    }

    /// Says what has run, and gives its code.
    fn completed(&self, host: &Host, completion: &Completion) -> anyhow::Result<u8> {
        let Some(outcome) = &completion.outcome else { return self.performed(host, completion) };
        let code = outcome.end.code();
        if self.json {
            let mut answer = self.answer(host, Some(&completion.decided));
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            answer.insert("outcome".to_owned(), json!(outcome.end.to_string()));
            answer.insert("exitCode".to_owned(), json!(code));
            answer.insert("stdout".to_owned(), json!(text(&outcome.stdout)));
            answer.insert("stderr".to_owned(), json!(text(&outcome.stderr)));
            answer.insert("outputCut".to_owned(), json!(outcome.cut));
            answer.insert("notApplied".to_owned(), json!(outcome.not_applied));
            answer.insert("left".to_owned(), json!(outcome.left));
            answer.insert("notes".to_owned(), json!(outcome.notes));
            trace_of(&mut answer, host, Some(&completion.written));
            print(&answer)?;
        } else if std::io::stderr().is_terminal() || outcome.end != policyc_host::runner::End::Exited(code) {
            for note in &outcome.notes {
                output::complain(format!("policyc: {}\n", escape::line(note)).as_bytes());
            }
        }
        Ok(u8::try_from(code).unwrap_or(u8::MAX))
    }

    /// Says what a tool answered.
    fn performed(&self, host: &Host, completion: &Completion) -> anyhow::Result<u8> {
        let Some(output) = &completion.output else { bail!("nothing has run") };
        if self.json {
            let mut answer = self.answer(host, Some(&completion.decided));
            match output {
                Ok(output) => answer.insert("output".to_owned(), json!(output)),
                Err(failure) => answer.insert("failure".to_owned(), json!(failure)),
            };
            trace_of(&mut answer, host, Some(&completion.written));
            print(&answer)?;
        } else {
            match output {
                Ok(output) => output::print(format!("{:#}\n", output.content).as_bytes())?,
                Err(failure) => bail!("{failure}"),
            }
        }
        Ok(if output.is_ok() { 0 } else { FAILED })
    }

    /// What is answered whatever came of it.
    fn answer(&self, host: &Host, decided: Option<&Decided>) -> Map<String, Value> {
        let mut answer = Map::new();
        let mut put = |key: &str, value: Value| drop(answer.insert(key.to_owned(), value));
        if let Some(decided) = decided {
            // What nothing decides is refused.
            put("decision", json!(decided.decision.as_deref().unwrap_or("forbidden")));
            put("profile", json!(decided.profile));
            put("readOnly", json!(decided.read_only));
            put("effects", json!(decided.effects));
            put("claims", json!(decided.claims));
            put("discharge", json!(decided.discharge));
            put("explicitApproval", json!(decided.explicit_approval));
            if let Some(reason) = &decided.approval_reason {
                put("approvalReason", json!(reason));
            }
            put("requestDigest", json!(decided.request_digest));
            put("tableDigest", json!(decided.table_digest));
            if let Some(degraded) = &decided.degraded {
                put("degraded", json!(degraded));
            }
        }
        let (runner, configuration) = host.runner();
        put("runner", json!(runner));
        put("runnerConfiguration", configuration);
        answer
    }
}

fn trace_of(answer: &mut Map<String, Value>, host: &Host, written: Option<&policyc_host::trace::Written>) {
    let Some(written) = written else { return };
    let trace = json!({ "file": host.trace().path(), "sequence": written.sequence, "hash": written.hash });
    answer.insert("trace".to_owned(), trace);
}

fn print(answer: &Map<String, Value>) -> anyhow::Result<()> {
    let mut written = serde_json::to_vec(answer)?;
    written.push(b'\n');
    output::print(&written)
}

const fn refusal_name(kind: RefusalKind) -> &'static str {
    match kind {
        RefusalKind::Denied => "denied",
        RefusalKind::ApprovalRequired => "approval-required",
        RefusalKind::Stale => "stale",
        _ => "unrecorded",
    }
}

const fn refusal_says(kind: RefusalKind) -> &'static str {
    match kind {
        RefusalKind::Denied => "the policy forbids it",
        RefusalKind::ApprovalRequired => "it needs an approval",
        RefusalKind::Stale => "it is no longer what was decided",
        _ => "it could not be recorded",
    }
}

/// Whether a shell in this locale reads a text as it was judged: in UTF-8, or byte by byte. Others take a backslash for the
/// second half of a letter.
fn reads_alike(name: &str, value: &str) -> bool {
    let encoding = value.split_once('.').map_or(value, |(_, encoding)| encoding).split('@').next().unwrap_or_default();
    !(name.starts_with("LC_") || name == "LANG")
        || ["", "C", "POSIX", "UTF-8", "UTF8"].iter().any(|known| known.eq_ignore_ascii_case(encoding))
}

fn session_name() -> String {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    format!("exec-{}-{time}", process::id())
}
