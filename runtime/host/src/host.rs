//! What is configured once, and the sessions on it.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::grants::GrantStore;
use crate::resolve::{Search, Workspace};
use crate::runner::{Limits, Runner};
use crate::session::Session;
use crate::tools::Registry;
use crate::trace::event::kind;
use crate::trace::{Entry, Trace, TraceProblem};
use crate::update::{Policy, PolicySource, Watched};

/// All that a host is configured with. It is the only place where anything is: no request and no table changes it.
pub struct Setup {
    /// Where the table comes from.
    pub policy: PolicySource,
    /// The folders that requests may reach.
    pub workspace: Workspace,
    /// Where programs are searched.
    pub search: Search,
    /// The trace.
    pub trace: Trace,
    /// Where grants are kept.
    pub grants: Box<dyn GrantStore>,
    /// What commands run in.
    pub runner: Box<dyn Runner>,
    /// The tools that the host performs.
    pub tools: Registry,
    /// All variables that commands have.
    pub environment: Vec<(String, String)>,
    /// The program and options behind which a text for a shell is run; empty if none is.
    pub shell: Vec<String>,
    /// How much a command may take.
    pub limits: Limits,
}

/// A host that has started.
pub struct Host {
    pub(crate) setup: Setup,
    watched: Watched,
}

impl Host {
    /// Starts a host: takes the table, freezes the tools, and records how commands will run.
    ///
    /// # Errors
    /// When the table cannot be used or the trace cannot be written.
    pub fn start(setup: Setup) -> Result<Self, HostError> {
        let watched = Watched::start(setup.policy.clone()).map_err(HostError::Table)?;
        let Setup { tools, .. } = setup;
        let setup = Setup { tools: tools.frozen(), ..setup };
        let configuration = json!({ "runner": setup.runner.name(), "configuration": setup.runner.configuration() });
        setup.trace.append("", &[Entry::new(kind::RUNNER, configuration)]).map_err(HostError::Trace)?;
        Ok(Self { setup, watched })
    }

    /// A session of somebody, under a profile or under the rules alone.
    #[must_use]
    pub fn session(&self, id: impl Into<String>, requester: impl Into<String>) -> Session<'_> {
        Session::new(self, id.into(), requester.into())
    }

    /// The table in force. A change of it is an event.
    pub(crate) fn policy(&self) -> Result<Arc<Policy>, TraceProblem> {
        let (policy, changed) = self.watched.current();
        if changed {
            let data = json!({ "tableDigest": crate::hex::hex(&policy.digest()), "degraded": policy.degraded() });
            self.setup.trace.append("", &[Entry::new(kind::TABLE, data)])?;
        }
        Ok(policy)
    }

    /// The trace.
    #[must_use]
    pub const fn trace(&self) -> &Trace {
        &self.setup.trace
    }

    /// The folders that requests may reach.
    #[must_use]
    pub const fn workspace(&self) -> &Workspace {
        &self.setup.workspace
    }

    /// The name of the runner, and how it runs commands.
    #[must_use]
    pub fn runner(&self) -> (&'static str, Value) {
        (self.setup.runner.name(), self.setup.runner.configuration())
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("trace", &self.setup.trace.path()).finish_non_exhaustive()
    }
}

/// Why a host does not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum HostError {
    /// The table cannot be used.
    Table(String),
    /// The trace cannot be written.
    Trace(TraceProblem),
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(reason) => f.write_str(reason),
            Self::Trace(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for HostError {}
