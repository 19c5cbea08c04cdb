//! Checking a policy from strangers: in a process of its own, which the system stops when it takes too much.
//!
//! The worker is this same program. It says where it is and what it found in lines of JSON on its standard output,
//! each a [`Message`]; whatever else happens to it, the supervisor sees it end.

use std::env;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use policyc::check::unreachable_end;
use policyc::config::Config;
use policyc::db::Database;
use policyc::diagnostics::{Diagnostic, Site};
use policyc::source::Span;
use serde::{Deserialize, Serialize};

use super::check::{Check, Dialect, Format, Outcome};
use super::compile::Compiled;
use super::paint::{OnTerminal, Paint};
use super::progress::Progress;
use super::sources::{LayerPath, Policies, nothing};
use super::{check, output};
use policyc::workspace::{self, Disk, Found, Kept};

/// What a worker may allocate, the code itself included.
#[cfg(unix)]
const MEMORY: u64 = 1 << 30;
/// How long a worker may take.
const TIME: Duration = Duration::from_secs(10);

/// A line that the worker writes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Message {
    /// It begins with something: what it does, and with which file.
    Stage(String, String),
    /// It is done.
    Done { stdout: String, stderr: String, code: u8 },
}

/// Checks within limits.
pub(super) fn work(check: &Check) -> anyhow::Result<u8> {
    limit()?;
    let progress = Progress::told(|doing, label| {
        // A supervisor that is gone needs no news; the limits still hold.
        let _ = send(&Message::Stage(doing.to_owned(), label.to_owned()));
    });
    let outcome = check.outcome(progress)?;
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    send(&Message::Done { stdout: text(&outcome.stdout), stderr: text(&outcome.stderr), code: outcome.code })?;
    Ok(0)
}

fn send(message: &Message) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    output::print(&line)
}

#[cfg(unix)]
fn limit() -> anyhow::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // The processor time is a second net: it holds even if the supervisor is killed.
    for (resource, most) in [(Resource::As, MEMORY), (Resource::Cpu, TIME.as_secs() + 5), (Resource::Core, 0)] {
        let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }).context("cannot limit the worker")?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn limit() -> anyhow::Result<()> {
    Ok(())
}

/// Runs a worker, watches it, and passes on what it found.
pub(super) fn supervise(check: &Check) -> anyhow::Result<Outcome> {
    let program = env::current_exe().context("cannot find this program to start it again")?;
    let mut command = Command::new(program);
    command.args(["check", "--worker"]);
    if check.format == Format::Json {
        command.args(["--format", "json"]);
    }
    if let Some(dialect) = check.dialect {
        command.args(["--dialect", if dialect == Dialect::Codex { "codex" } else { "policyc" }]);
    }
    let Policies { paths, options } = &check.policies;
    if let Some(config) = &options.config {
        command.arg("--config").arg(config);
    }
    for (set, flag) in [(options.no_prelude, "--no-prelude"), (check.keep_going, "--keep-going")] {
        command.args(set.then_some(flag));
    }
    command.args(options.layer.iter().map(LayerPath::argument));
    // The worker's output is a pipe, so it cannot see for itself whether there is a terminal.
    command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", if Paint::for_stderr().is_on() { "1" } else { "0" });
    command.arg("--").args(paths).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut worker = command.spawn().context("cannot start the worker")?;
    let seen = watch(&mut worker, &Progress::on_terminal());
    // A worker that is already gone needs no killing.
    let _ = worker.kill();
    let status = worker.wait().context("cannot wait for the worker")?;
    match seen {
        Seen { done: Some(outcome), .. } => Ok(outcome),
        seen => breach(check, &seen, status),
    }
}

/// What the supervisor learnt from a worker.
struct Seen {
    doing: String,
    label: String,
    done: Option<Outcome>,
    late: bool,
    /// What it, or the Rust runtime in it, complained of at its end.
    last_words: String,
}

fn watch(worker: &mut Child, progress: &Progress) -> Seen {
    let (sender, messages) = mpsc::channel();
    if let Some(stdout) = worker.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let Ok(message) = serde_json::from_str::<Message>(&line) else { return };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
    }
    let last_words = worker.stderr.take().map(|stderr| {
        thread::spawn(move || {
            let mut words = Vec::new();
            let _ = stderr.take(64 << 10).read_to_end(&mut words);
            String::from_utf8_lossy(&words).into_owned()
        })
    });
    let mut seen =
        Seen { doing: "starting".to_owned(), label: String::new(), done: None, late: false, last_words: String::new() };
    let end = Instant::now() + TIME;
    loop {
        match messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(Message::Stage(doing, label)) => {
                progress.stage(&doing, &label);
                (seen.doing, seen.label) = (doing, label);
            }
            Ok(Message::Done { stdout, stderr, code }) => {
                seen.done = Some(Outcome { stdout: stdout.into_bytes(), stderr: stderr.into_bytes(), code });
                return seen;
            }
            Err(RecvTimeoutError::Timeout) => {
                seen.late = true;
                return seen;
            }
            Err(RecvTimeoutError::Disconnected) => {
                seen.last_words = last_words.and_then(|words| words.join().ok()).unwrap_or_default();
                return seen;
            }
        }
    }
}

/// The worker ended without an answer: that is a mistake of the policy, or of this program.
fn breach(check: &Check, seen: &Seen, status: ExitStatus) -> anyhow::Result<Outcome> {
    let message = if seen.late {
        format!("the policy took longer than {} seconds", TIME.as_secs())
    } else if seen.last_words.contains("memory allocation of") || seen.last_words.contains("out of memory") {
        "the policy took more than 1 GiB of memory".to_owned()
    } else if seen.last_words.contains("overflowed its stack") {
        "the policy nests too deeply".to_owned()
    } else if seen.last_words.trim().is_empty() {
        format!("the policy ended the process that ran it ({status})")
    } else {
        anyhow::bail!("the isolated check failed ({status}): {}", seen.last_words.trim());
    };
    let mut db = Database::default();
    let mut found: Found = workspace::find(&mut db, &Disk, &mut Kept::default(), None, &nothing(), &|_| {});
    let Policies { paths, options } = &check.policies;
    let given = paths.iter().chain(options.layer.iter().map(LayerPath::path)).next();
    let label =
        if seen.label.is_empty() { given.map(|path| workspace::label_of(&Disk, Path::new(""), path)) } else { None };
    let label = label.unwrap_or_else(|| seen.label.clone());
    let help = "the file, or one that it loads, does not end or grows without bound; look at its loops and repetitions";
    let site = Site::new(workspace::unread_file(&db, &label), Span::default());
    let diagnostic = Diagnostic::error(unreachable_end::CODE, &site, message, "").with_help(help);
    let named = if seen.label.is_empty() { String::new() } else { format!(" `{label}`") };
    let diagnostic = diagnostic.with_note(format!("it was stopped while {}{named}", seen.doing));
    found.mistakes.clear();
    check::report(&Compiled { db, found, config: Config::default(), diagnostics: vec![diagnostic] }, check.format, None)
}
