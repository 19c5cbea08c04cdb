//! How commands run. A runner is configured by the host; no decision changes it.

pub mod docker;
mod local;
pub mod signals;
pub mod staged;
#[cfg(target_os = "linux")]
mod tree;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::resolve::{Program, Workspace};

pub use docker::{Docker, Mount};
pub use local::Local;

/// What commands run in.
pub trait Runner: Send + Sync {
    /// Its name, as the command line and events say it.
    fn name(&self) -> &'static str;

    /// How it runs commands, for events.
    fn configuration(&self) -> Value;

    /// Whether programs are files of this host, which are resolved before it is decided.
    fn finds_programs_here(&self) -> bool;

    /// Runs a command to its end, or to that of its time.
    ///
    /// # Errors
    /// When it could not be started.
    fn run(&self, job: &Job<'_>) -> io::Result<Outcome>;
}

/// A command that was decided.
pub struct Job<'j> {
    /// Its words.
    pub words: &'j [String],
    /// Its program, where that is a file of this host.
    pub program: Option<&'j Program>,
    /// Where it runs.
    pub workspace: &'j Workspace,
    /// All variables that it has.
    pub environment: &'j [(String, String)],
    /// How long it may take, and how much it may say.
    pub limits: Limits,
    /// Where its input comes from and its output goes.
    pub streams: Streams,
    /// Whether the host said that nothing may be changed.
    pub read_only: bool,
    /// Whether it should stop.
    pub cancel: &'j Cancel,
}

/// Where input comes from and output goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Streams {
    /// No input; output is kept, as far as it may be long.
    #[default]
    Captured,
    /// Those of the host.
    Inherited,
}

/// How much a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long; without it, as long as it likes.
    pub time: Option<Duration>,
    /// How many bytes of output are kept, of each stream.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Some(Duration::from_secs(60)), output: 1 << 20 }
    }
}

/// A way to stop what runs, and to send it signals.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    cancelled: AtomicBool,
    signals: Mutex<Vec<i32>>,
}

impl Cancel {
    /// Stops what runs, and all that would.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
    }

    /// Whether it should stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Passes a signal on to what runs.
    pub fn signal(&self, signal: i32) {
        self.0.signals.lock().unwrap_or_else(PoisonError::into_inner).push(signal);
    }

    fn signals(&self) -> Vec<i32> {
        std::mem::take(&mut *self.0.signals.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How.
    pub end: End,
    /// What it wrote, where that was kept.
    pub stdout: Vec<u8>,
    /// What it wrote as errors, where that was kept.
    pub stderr: Vec<u8>,
    /// Whether it wrote more than was kept.
    pub cut: bool,
    /// What the sandbox should have had and this system does not give.
    pub not_applied: Vec<String>,
    /// How many processes it left behind, which were ended.
    pub left: usize,
    /// What else was done: files that were copied back, or why none were.
    pub notes: Vec<String>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It returned this code.
    Exited(i32),
    /// This signal ended it.
    Signalled(i32),
    /// Its time was over, and all of it was ended.
    TimedOut,
    /// It was told to stop, and all of it was ended.
    Cancelled,
    /// It succeeded, but what it changed may not come back, so that nothing did.
    Rejected,
}

impl Default for End {
    fn default() -> Self {
        Self::Exited(0)
    }
}

impl End {
    /// The code that a shell would give for it.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::Exited(code) => code,
            Self::Signalled(signal) => 128 + signal,
            Self::TimedOut => 124,
            Self::Cancelled => 130,
            Self::Rejected => 125,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exited with {code}"),
            Self::Signalled(signal) => write!(f, "ended by signal {signal}"),
            Self::TimedOut => f.write_str("ended when its time was over"),
            Self::Cancelled => f.write_str("ended when it was cancelled"),
            Self::Rejected => f.write_str("succeeded, but what it changed may not come back"),
        }
    }
}

/// Runs nothing, and keeps what would have run: for tests.
#[derive(Debug, Default)]
pub struct Recording {
    ran: Mutex<Vec<Vec<String>>>,
    outcome: Outcome,
}

impl Recording {
    /// One that says of every command that it ended so.
    #[must_use]
    pub fn answering(outcome: Outcome) -> Self {
        Self { ran: Mutex::default(), outcome }
    }

    /// What would have run so far.
    #[must_use]
    pub fn ran(&self) -> Vec<Vec<String>> {
        self.ran.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Runner for Recording {
    fn name(&self) -> &'static str {
        "recording"
    }

    fn configuration(&self) -> Value {
        json!({ "runner": self.name() })
    }

    fn finds_programs_here(&self) -> bool {
        false
    }

    fn run(&self, job: &Job<'_>) -> io::Result<Outcome> {
        self.ran.lock().unwrap_or_else(PoisonError::into_inner).push(job.words.to_vec());
        Ok(self.outcome.clone())
    }
}

impl<R: Runner + ?Sized> Runner for Arc<R> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn configuration(&self) -> Value {
        (**self).configuration()
    }

    fn finds_programs_here(&self) -> bool {
        (**self).finds_programs_here()
    }

    fn run(&self, job: &Job<'_>) -> io::Result<Outcome> {
        (**self).run(job)
    }
}
