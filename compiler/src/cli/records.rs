//! Where hosts keep what lasts: the trace, and grants.

use std::env;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, ValueEnum};
use policyc_host::Workspace;
use policyc_host::grants::{GrantStore, NoGrants, Sqlite};
use policyc_host::trace::{Trace, TraceMode};

use super::escape;

/// Where it is recorded, and how.
#[derive(Args)]
pub(super) struct TraceOptions {
    /// Where it is recorded [default: policyc/trace.jsonl below $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// What the trace shows
    #[arg(long, value_enum, default_value_t)]
    trace_mode: ModeName,
}

/// The names of [`TraceMode`].
#[derive(Clone, Copy, Default, ValueEnum)]
enum ModeName {
    /// All that was asked for
    #[default]
    Private,
    /// Digests, effects and decisions only
    Redacted,
}

impl TraceOptions {
    /// Opens the trace, which must be where what runs does not write.
    pub(super) fn open(&self, workspace: Option<&Workspace>) -> anyhow::Result<Trace> {
        let path = match &self.trace {
            Some(path) => path.clone(),
            None => state_folder("--trace")?.join("trace.jsonl"),
        };
        let (path, shown) = outside(&path, "trace", "--trace", workspace)?;
        let mode = match self.trace_mode {
            ModeName::Private => TraceMode::Private,
            ModeName::Redacted => TraceMode::Redacted,
        };
        Trace::open(&path, mode).map_err(|problem| anyhow!("cannot use the trace `{shown}`: {problem}"))
    }
}

/// Where grants are.
#[derive(Args)]
pub(super) struct GrantOptions {
    /// Where grants are kept [default: policyc/grants.db below $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, value_name = "FILE")]
    grants: Option<PathBuf>,
}

impl GrantOptions {
    /// The store of a host: none if nobody has ever asked for a grant.
    pub(super) fn of_host(&self, workspace: &Workspace) -> anyhow::Result<Box<dyn GrantStore>> {
        if self.grants.is_none() && !self.path()?.exists() {
            return Ok(Box::new(NoGrants));
        }
        Ok(Box::new(self.open(Some(workspace))?))
    }

    /// Opens the store, which must be where what runs does not write, or makes one.
    pub(super) fn open(&self, workspace: Option<&Workspace>) -> anyhow::Result<Sqlite> {
        let (path, shown) = outside(&self.path()?, "store of grants", "--grants", workspace)?;
        Sqlite::open(&path).map_err(|problem| anyhow!("cannot use `{shown}`: {problem}"))
    }

    fn path(&self) -> anyhow::Result<PathBuf> {
        self.grants.clone().map_or_else(|| Ok(state_folder("--grants")?.join("grants.db")), Ok)
    }
}

/// The path without links above the file itself, and how it is shown, unless it is in the workspace.
fn outside(path: &Path, what: &str, option: &str, workspace: Option<&Workspace>) -> anyhow::Result<(PathBuf, String)> {
    let shown = escape::line(&path.to_string_lossy()).into_owned();
    let path = std::path::absolute(path)?;
    let folder = path.parent().unwrap_or(Path::new("/")).canonicalize();
    let folder = folder.map_err(|error| anyhow!("cannot open the {what} `{shown}`: {error}"))?;
    if workspace.is_some_and(|workspace| folder.starts_with(workspace.path())) {
        bail!(
            "the {what} `{shown}` is in the workspace, where what runs could change it; name another with `{option}`"
        );
    }
    let name = path.file_name().ok_or_else(|| anyhow!("the {what} `{shown}` is no file"))?;
    Ok((folder.join(name), shown))
}

/// Where things are kept if nothing else is said. Its folders are made for the user alone.
fn state_folder(option: &str) -> anyhow::Result<PathBuf> {
    let state = env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    let state = state
        .or_else(home)
        .ok_or_else(|| anyhow!("there is no home folder to keep it in; name a file with `{option}`"))?;
    let folder = state.join("policyc");
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    made.with_context(|| format!("cannot make the folder `{}`", escape::line(&folder.to_string_lossy())))?;
    Ok(folder)
}

/// Who asks, as far as it can be told.
pub(super) fn user() -> String {
    env::var("USER").or_else(|_| env::var("LOGNAME")).unwrap_or_else(|_| "unknown".to_owned())
}
