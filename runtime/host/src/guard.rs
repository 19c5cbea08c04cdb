//! The read-only layers before and behind the pipeline. Each asks the same decision as the pipeline does, so that no layer
//! depends on another: the command line before it asks for anything, whoever performs a tool before it writes, and whoever
//! collects changes before it takes a tool for one that makes them.

use std::fmt;

use policyc_runtime::{Cause, Context, Request, Table, Terms};

/// That something would change what must not be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadOnlyProblem {
    /// The command line's: nothing was asked for.
    Command {
        /// What would have run.
        what: String,
        /// The plan.
        plan: String,
    },
    /// Whoever performs a tool: permission denied.
    Write {
        /// The tool.
        tool: String,
        /// The plan.
        plan: String,
    },
    /// Whoever collects changes.
    Change {
        /// The tool.
        tool: String,
        /// The plan.
        plan: String,
    },
}

impl fmt::Display for ReadOnlyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, plan, says) = match self {
            Self::Command { what, plan } => (what, plan, "is not run"),
            Self::Write { tool, plan } => (tool, plan, "may not write: permission denied"),
            Self::Change { tool, plan } => (tool, plan, "may not change anything"),
        };
        write!(f, "`{}` {says}; `{}` is read-only", what.escape_debug(), plan.escape_debug())
    }
}

impl std::error::Error for ReadOnlyProblem {}

/// Whether a request does what is forbidden only because nothing may be changed: the one decision that all layers ask.
fn changes(table: &Table<'_>, request: Request<'_, String>) -> bool {
    let terms = Terms { read_only: true, ..Terms::NONE };
    let context = Context { terms: Some(&terms), ..Context::default() };
    let account = table.decide(request, &context).account();
    account.causes.iter().any(|cause| matches!(cause, Cause::ReadOnly { .. } | Cause::Refusal(_)))
}

/// The command line's layer: aborts before a session is asked.
///
/// # Errors
/// When the request changes something and nothing may be changed.
pub fn check_command(
    table: &Table<'_>,
    request: Request<'_, String>,
    (read_only, plan): (bool, &str),
) -> Result<(), ReadOnlyProblem> {
    if !read_only || !changes(table, request) {
        return Ok(());
    }
    let what = match request {
        Request::Command(words) => words.join(" "),
        Request::Text { text, .. } => text.to_owned(),
        Request::Tool { tool, .. } => tool.to_owned(),
        Request::Network { host, .. } => host.to_owned(),
    };
    Err(ReadOnlyProblem::Command { what, plan: plan.to_owned() })
}

/// The layer of whoever performs a tool: is asked before it writes.
///
/// # Errors
/// When the tool changes something, or is unknown, and nothing may be changed.
pub fn check_write(table: &Table<'_>, tool: &str, (read_only, plan): (bool, &str)) -> Result<(), ReadOnlyProblem> {
    if read_only && tool_changes(table, tool) {
        return Err(ReadOnlyProblem::Write { tool: tool.to_owned(), plan: plan.to_owned() });
    }
    Ok(())
}

/// Whether a tool, however it is called, does something that changes what is there. What is unknown does.
fn tool_changes(table: &Table<'_>, name: &str) -> bool {
    table.tool(name).is_none_or(|tool| {
        tool.effects().numbers().filter_map(|number| table.capability(number)).any(|effect| effect.writes())
    })
}

/// The layer of whoever collects the changes of a plan.
#[derive(Clone, Debug, Default)]
pub struct ChangeSet {
    read_only: bool,
    plan: String,
    tools: Vec<String>,
}

impl ChangeSet {
    /// The changes of a plan; of a read-only one, none.
    #[must_use]
    pub fn of(plan: impl Into<String>, read_only: bool) -> Self {
        Self { read_only, plan: plan.into(), tools: Vec::new() }
    }

    /// Takes a tool among those that make the changes.
    ///
    /// # Errors
    /// When the tool changes something, or is unknown, and the plan is read-only.
    pub fn wrap(&mut self, table: &Table<'_>, tool: &str) -> Result<(), ReadOnlyProblem> {
        if self.read_only && tool_changes(table, tool) {
            return Err(ReadOnlyProblem::Change { tool: tool.to_owned(), plan: self.plan.clone() });
        }
        self.tools.push(tool.to_owned());
        Ok(())
    }

    /// The tools that were taken.
    #[must_use]
    pub fn tools(&self) -> &[String] {
        &self.tools
    }
}
