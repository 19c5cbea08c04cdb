//! Services and their logs: the commands that the table says, in an environment that says nothing, and their output without
//! what logs should not tell.

use std::path::PathBuf;

use serde_json::json;

use super::mask::masked;
use super::{Call, Output, Registry, RegistryProblem, SideEffect, Tool, ToolFailure};
use crate::runner::{End, Job, Streams};

/// The codes with which a state is told: running, and not running.
const TOLD: [i32; 2] = [0, 3];

/// What is there while the manager of services runs.
const MANAGER: &str = "/run/systemd/system";

/// Adds the tools.
///
/// # Errors
/// When one of their names is taken, or the host has started.
pub fn register(registry: &mut Registry) -> Result<(), RegistryProblem> {
    register_with(registry, PathBuf::from(MANAGER))
}

/// The same for a manager whose folder is elsewhere.
///
/// # Errors
/// As [`register`].
pub fn register_with(registry: &mut Registry, manager: PathBuf) -> Result<(), RegistryProblem> {
    let operation = |name, codes| Operation { name, codes, manager: manager.clone() };
    registry.add(operation(&["service.status"], &TOLD))?;
    registry.add(operation(&["service.restart"], &[0]))?;
    registry.add(operation(&["logs.query"], &[0]))
}

/// An operation of the manager of services.
struct Operation {
    name: &'static [&'static str],
    /// The codes with which it has succeeded.
    codes: &'static [i32],
    manager: PathBuf,
}

impl Tool for Operation {
    fn names(&self) -> &[&'static str] {
        self.name
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        if call.command.is_empty() {
            return Err(ToolFailure::new("the policy says no command for it"));
        }
        if !self.manager.is_dir() {
            return Err(ToolFailure::new("no manager of services runs here"));
        }
        let environment = [("PATH".to_owned(), call.search.path()), ("LC_ALL".to_owned(), "C.UTF-8".to_owned())];
        let job = Job {
            words: call.command,
            program: call.program,
            workspace: call.workspace,
            environment: &environment,
            limits: call.limits,
            streams: Streams::Captured,
            read_only: call.read_only,
            cancel: call.cancel,
        };
        let outcome = call.runner.run(&job)?;
        let end = outcome.end.to_string();
        let side_effects = vec![SideEffect::Ran { words: call.command.to_vec(), outcome: end.clone() }];
        let failed = |message: String| ToolFailure { message, side_effects: side_effects.clone() };
        let text = |bytes: &[u8]| masked(&String::from_utf8_lossy(bytes));
        let (Some(stdout), Some(stderr)) = (text(&outcome.stdout), text(&outcome.stderr)) else {
            return Err(failed("its output could not be masked".to_owned()));
        };
        match outcome.end {
            End::Exited(code) if self.codes.contains(&code) => {
                let content = json!({ "exitCode": code, "output": stdout, "cut": outcome.cut });
                Ok(Output { content, low_trust: true, side_effects })
            }
            _ => Err(failed(format!("{end}: {}", stderr.trim()))),
        }
    }
}
