//! `policyc build`: makes a decision table of a policy.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use policyc::count::count;
use policyc_runtime::Table;

use super::check::{self, Format};
use super::compile::Compiled;
use super::output::reason;
use super::progress::Progress;
use super::replace::replace;
use super::sources::{Policies, Repeats};
use super::{escape, output};

const EXAMPLES: &str = "\
The table replaces FILE at once or not at all: a program that reads it sees the
old table or the new one. The same policy makes the same bytes on every machine.

Exit codes: 0 built, 1 the policy has errors (FILE stays as it was), 2 wrong usage.

Examples:
  policyc build policies -o policy.table
  policyc build base.rules team.rules -o policy.table
  policyc build --layer user=base.rules --layer project:untrusted=policies -o policy.table";

/// Make a decision table of a policy, if `check` finds no errors in it
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Build {
    #[command(flatten)]
    policies: Policies,
    /// Build without what files that fail allow, if all that they restrict was read
    #[arg(long)]
    keep_going: bool,
    /// Where to put the table; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Build {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        let name = escape::line(&self.output.to_string_lossy()).into_owned();
        // A slip is told before the work, not after it.
        let to_stdout = self.output == Path::new("-");
        let target = if to_stdout { PathBuf::new() } else { target(&self.output, &name)? };
        let progress = Progress::on_terminal();
        let chosen = self.policies.options.chosen("build", &self.policies.paths, Repeats::Refused)?;
        let compiled = Compiled::new(&chosen, &progress);
        progress.stage("making the table", "");
        let (table, remainder) = compiled.table_of_rest(self.keep_going);
        drop(progress);
        let report = check::report(&compiled, Format::Text, remainder.as_ref())?;
        output::complain(&report.stderr);
        let Some(bytes) = table else { return Ok(report.code) };
        if compiled.found.places.contains_key(&target) {
            bail!("`{name}` is one of the policy files; a table would replace it");
        }
        let made = Table::from_bytes(bytes).map_err(|error| anyhow!("the table just made cannot be read: {error}"))?;
        // A rule about several programs is several in the table.
        let stored = made.rules().len() + made.network_rules().len() + made.tool_rules().len() + made.commands().len();
        let rules = match compiled.rules() {
            rules if remainder.is_some() || rules == stored => count(stored, "rule"),
            rules => format!("{} (stored as {stored}, one a program)", count(rules, "rule")),
        };
        if to_stdout {
            output::print(bytes)?;
            return Ok(0);
        }
        replace(&target, bytes).map_err(|error| anyhow!("cannot write `{name}`: {}", reason(&error)))?;
        output::print(format!("{name}: {}, {}\n", rules, count(bytes.len(), "byte")).as_bytes())?;
        Ok(0)
    }
}

/// The file to replace: where a symbolic link leads, not the link.
fn target(path: &Path, name: &str) -> anyhow::Result<PathBuf> {
    if path.extension().is_some_and(|extension| extension == "rules") {
        bail!("`{name}` is named like a policy file; a table in its place would be read as one");
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => bail!("`{name}` is a folder; name a file in it"),
        Ok(metadata) if !metadata.is_file() => bail!("`{name}` is not a regular file, and cannot be replaced by one"),
        Ok(_) => Ok(fs::canonicalize(path).with_context(|| format!("cannot find `{name}`"))?),
        Err(error) if error.kind() != io::ErrorKind::NotFound => bail!("cannot write `{name}`: {}", reason(&error)),
        // A link to nothing stays a link to nothing: what it was meant to lead to is not ours to make.
        Err(_) if fs::symlink_metadata(path).is_ok() => bail!("`{name}` is a link that leads nowhere"),
        Err(_) => {
            let text = path.to_string_lossy();
            if text.ends_with(std::path::is_separator) || text.ends_with("/.") {
                bail!("`{name}` names a folder, not a file");
            }
            let Some(file) = path.file_name() else { bail!("`{name}` names no file") };
            let folder = match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            let folder = fs::canonicalize(folder).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => {
                    let folder = escape::line(&folder.to_string_lossy()).into_owned();
                    anyhow!("cannot write `{name}`: there is no folder `{folder}`")
                }
                _ => anyhow!("cannot write `{name}`: {}", reason(&error)),
            })?;
            Ok(folder.join(file))
        }
    }
}
