//! `policyc check`: parses, runs and self-tests a policy.

use clap::{Args, ValueEnum};
use policyc::count::count;
use policyc::diagnostics::Severity;
use policyc::{config, dialect};

use super::compile::Compiled;
use super::paint::{OnTerminal, Paint};
use super::progress::Progress;
use super::remainder::Remainder;
use super::sources::{Policies, Repeats};
use super::{FAILED, draw, isolate, json, output};

const EXAMPLES: &str = "\
Exit codes: 0 no errors, 1 errors, 2 wrong usage.

Examples:
  policyc check                           what the nearest policyc.toml names
  policyc check policies                  every .rules file below the folder
  policyc check base.rules team.rules     these two, as one policy
  policyc check --format json policies    the same for programs
  policyc check --layer user=$HOME/.policies --layer project:untrusted=policies
  policyc check --isolate from-strangers  bounded in memory and time";

const JSON: &str = "\
JSON (keys may be added, none is taken away or changed):
  {\"diagnostics\": [{
     \"code\", \"severity\" (\"error\" or \"warning\"), \"message\", \"file\",
     \"span\": {\"start\", \"end\"}               bytes, from 0
     \"range\": {\"start\": {\"line\", \"column\"}, \"end\": {…}}  in characters, from 1
     \"text\",                                what to write there; may be empty
     \"labels\": [{\"file\", \"span\", \"range\", \"text\"}],  related places
     \"notes\": [text],
     \"help\": {\"text\", \"edit\": {\"file\", \"span\", \"range\", \"text\"} or null} or null
   }],
   \"files\", \"rules\", \"examples\", \"errors\", \"warnings\",  numbers
   \"failing\": [file], with --keep-going: the set is used without what these allow,
   \"refused\": text}    or why it cannot be used without them";

/// Check a policy: parse it, run it and test its examples
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    after_long_help = format!("{EXAMPLES}\n\n{JSON}"),
)]
pub(super) struct Check {
    #[command(flatten)]
    pub(super) policies: Policies,
    /// Be content if the set can be used without what the files that fail allow: all that they restrict was read
    #[arg(long)]
    pub(super) keep_going: bool,
    /// How mistakes are printed: for people on standard error, or as one JSON object on standard output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    /// Which engine must understand the policy: codex refuses whatever its own does not know
    /// [default: what `policyc.toml` says, or else policyc]
    #[arg(long, value_enum)]
    pub(super) dialect: Option<Dialect>,
    /// Run the policy in a process of its own, which may take 1 GiB of memory (where the system can limit it) and 10 seconds
    #[arg(long)]
    isolate: bool,
    /// Be that process
    #[arg(long, hide = true, conflicts_with = "isolate")]
    worker: bool,
}

/// How mistakes are printed.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// Which engine must understand a policy.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Dialect {
    /// This one
    Policyc,
    /// The reference engine
    Codex,
}

impl From<Dialect> for config::Dialect {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Policyc => Self::Policyc,
            Dialect::Codex => Self::Codex,
        }
    }
}

/// What a check prints, and its exit code.
pub(super) struct Outcome {
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    pub(super) code: u8,
}

impl Check {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        if self.worker {
            return isolate::work(&self);
        }
        let outcome = if self.isolate { isolate::supervise(&self)? } else { self.outcome(Progress::on_terminal())? };
        output::complain(&outcome.stderr);
        output::print(&outcome.stdout)?;
        Ok(outcome.code)
    }

    /// Checks, and leaves the printing to the caller.
    pub(super) fn outcome(&self, progress: Progress) -> anyhow::Result<Outcome> {
        let chosen = self.policies.options.chosen("check", &self.policies.paths, Repeats::Refused)?;
        let mut compiled = Compiled::new(&chosen, &progress);
        let dialect = self.dialect.map_or(compiled.config.dialect, config::Dialect::from);
        if dialect == config::Dialect::Codex {
            compiled.diagnostics.extend(dialect::uses(&compiled.db, compiled.found.set));
        }
        let remainder = compiled.table_of_rest(self.keep_going).1;
        let outcome = report(&compiled, self.format, remainder.as_ref())?;
        drop(progress);
        Ok(outcome)
    }
}

/// What is to be printed about a compiled policy.
pub(super) fn report(compiled: &Compiled, format: Format, remainder: Option<&Remainder>) -> anyhow::Result<Outcome> {
    let (errors, warnings) = (compiled.number(Severity::Error), compiled.number(Severity::Warning));
    let usable = errors == 0 || matches!(remainder, Some(Remainder::Usable { .. }));
    let code = if usable { 0 } else { FAILED };
    if format == Format::Json {
        let (failing, refused) = match remainder {
            Some(Remainder::Usable { failing, .. }) => (Some(failing.as_slice()), None),
            Some(Remainder::Refused(why)) => (None, Some(why.as_str())),
            None => (None, None),
        };
        let report = json::Report {
            diagnostics: compiled.diagnostics.iter().map(|diagnostic| json::entry(&compiled.db, diagnostic)).collect(),
            files: compiled.files(),
            rules: compiled.rules(),
            examples: compiled.examples(),
            errors,
            warnings,
            failing,
            refused,
        };
        let mut stdout = serde_json::to_vec(&report)?;
        stdout.push(b'\n');
        return Ok(Outcome { stdout, stderr: Vec::new(), code });
    }
    let mut stderr = draw::drawn(&compiled.db, &compiled.diagnostics, Paint::for_stderr());
    let checked =
        [count(compiled.files(), "file"), count(compiled.rules(), "rule"), count(compiled.examples(), "example")];
    let checked = checked.join(", ");
    let found = match (errors, warnings) {
        (0, 0) => Paint::for_stdout().good("no mistakes").to_string(),
        (0, warnings) => Paint::for_stdout().warning(count(warnings, "warning")).to_string(),
        (errors, 0) => Paint::for_stderr().error(count(errors, "error")).to_string(),
        (errors, warnings) => {
            let paint = Paint::for_stderr();
            format!("{}, {}", paint.error(count(errors, "error")), paint.warning(count(warnings, "warning")))
        }
    };
    let summary = format!("{checked}: {found}\n").into_bytes();
    let mut stdout = Vec::new();
    // The answer of a check that found nothing wrong is an answer, not a complaint.
    if errors == 0 {
        stdout = summary
    } else {
        stderr.extend(summary)
    }
    if let Some(remainder) = remainder {
        stderr.extend(remainder.told(Paint::for_stderr()).into_bytes());
    }
    Ok(Outcome { stdout, stderr, code })
}
