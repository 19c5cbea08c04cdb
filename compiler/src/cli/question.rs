//! What `eval` and `explain` are asked: which policy, how to judge, and the command.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use policyc::check::failing_expectation;
use policyc::diagnostics::Severity;
use policyc::workspace::Prelude;
use policyc_runtime::{Context, Folders, Matching, ShellKind, Table, Terms};
use serde::Deserialize;

use super::asked::Asked;
use super::compile::Compiled;
use super::paint::{OnTerminal, Paint};
use super::progress::Progress;
use super::remainder::Remainder;
use super::sources::{PolicyOptions, Repeats};
use super::subject::TermOptions;
use super::{draw, escape, output, tables, usage_error};

/// Where the rules are, and how to judge by them.
#[derive(Args)]
pub(super) struct Question {
    #[command(flatten)]
    source: Source,
    /// Use the policy without what files that fail allow, if all that they restrict was read
    #[arg(long, conflicts_with = "table")]
    keep_going: bool,
    /// How words are compared with patterns
    #[arg(long, value_enum, default_value_t)]
    matching: MatchingName,
    /// Under reference matching, let a program given by its path match the rules for its name, as far as
    /// `host_executable` allows; guarded matching always does
    #[arg(long)]
    resolve_host_executables: bool,
    /// The folder that relative paths are relative to [default: the current folder]
    #[arg(long, value_name = "DIR")]
    cwd: Option<String>,
    #[command(flatten)]
    pub(super) terms: TermOptions,
}

/// Policy files or a table; without either, the files that `policyc.toml` names.
#[derive(Args, Default)]
pub(super) struct Source {
    /// A policy file, or a folder to search for *.rules files; give the option again for each further one
    /// [default: those that `policyc.toml` names]
    #[arg(long, value_name = "PATH")]
    rules: Vec<PathBuf>,
    #[command(flatten)]
    options: PolicyOptions,
    /// A decision table, as `policyc build` makes it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "layer", "config", "no_prelude"])]
    table: Option<PathBuf>,
}

/// The names of [`Matching`].
#[derive(Clone, Copy, Default, ValueEnum)]
enum MatchingName {
    /// In every way that a command can be read
    #[default]
    Guarded,
    /// Word by word, as typed
    Reference,
}

/// A table, and the policy files that fail, without whose allows it was made.
pub(super) struct TableBytes {
    pub(super) bytes: Vec<u8>,
    pub(super) failing: Vec<String>,
}

impl Source {
    /// Whether the command line names any.
    pub(super) fn is_given(&self) -> bool {
        self.table.is_some() || !self.rules.is_empty()
    }
}

/// The folders that relative program paths start from.
pub(super) struct Place {
    working: String,
    home: Option<String>,
}

impl Question {
    /// A question to a policy, under guarded matching and no terms.
    pub(super) fn of(source: Source) -> Self {
        Self {
            source,
            keep_going: false,
            matching: MatchingName::Guarded,
            resolve_host_executables: false,
            cwd: None,
            terms: TermOptions::default(),
        }
    }

    /// The bytes of the table: read, or made of the policy files. Nothing if those have errors, which are then printed.
    pub(super) fn table_bytes(&self, subcommand: &str) -> anyhow::Result<Option<TableBytes>> {
        let Source { rules, options, table } = &self.source;
        if let Some(path) = table {
            return Ok(Some(TableBytes { bytes: tables::read(path)?, failing: Vec::new() }));
        }
        let progress = Progress::on_terminal();
        let as_typed = matches!(self.matching, MatchingName::Reference);
        let repeats = if as_typed { Repeats::Kept } else { Repeats::Refused };
        let mut chosen = options.chosen(subcommand, rules, repeats)?;
        // As typed, nothing depends on the prelude, which takes longer to run than most policies; but expectations do.
        if as_typed {
            chosen.sources.prelude = Prelude::Empty;
        }
        let mut compiled = Compiled::new(&chosen, &progress);
        let expects =
            |compiled: &Compiled| compiled.diagnostics.iter().any(|one| one.code == failing_expectation::CODE);
        if as_typed && !options.no_prelude && expects(&compiled) {
            chosen.sources.prelude = Prelude::Shipped;
            compiled = Compiled::new(&chosen, &progress);
        }
        let (bytes, remainder) = compiled.table_of_rest(self.keep_going);
        let bytes = bytes.map(<[u8]>::to_vec);
        drop(progress);
        if bytes.is_none() || remainder.is_some() {
            let paint = Paint::for_stderr();
            // Warnings are for `check`: here they would come with every answer.
            let errors: Vec<_> =
                compiled.diagnostics.iter().filter(|one| one.severity == Severity::Error).cloned().collect();
            draw::diagnostics(&compiled.db, &errors, paint);
            if let Some(remainder) = &remainder {
                output::complain(remainder.told(paint).as_bytes());
            }
        }
        let failing = match remainder {
            Some(Remainder::Usable { failing, .. }) => failing,
            _ => Vec::new(),
        };
        Ok(bytes.map(|bytes| TableBytes { bytes, failing }))
    }

    /// The table in `bytes`, which [`Question::table_bytes`] gave.
    pub(super) fn open<'b>(&self, bytes: &'b [u8]) -> anyhow::Result<Table<'b>> {
        tables::open(bytes, self.source.table.as_deref().unwrap_or(Path::new("the table just made")))
    }

    /// The folders that paths are relative to. Guarded matching does without if there are none to be had; reference
    /// matching needs them only to resolve program paths.
    pub(super) fn place(&self) -> anyhow::Result<Option<Place>> {
        match self.matching {
            MatchingName::Guarded => Ok(self.folders().ok()),
            MatchingName::Reference if self.resolve_host_executables => self.folders().map(Some),
            MatchingName::Reference => Ok(None),
        }
    }

    fn folders(&self) -> anyhow::Result<Place> {
        let text = |folder: PathBuf| {
            let folder = folder.into_os_string().into_string();
            folder.map_err(|_| anyhow!("the current folder's path is not UTF-8; name another with `--cwd`"))
        };
        let unknown = |error: std::io::Error| {
            anyhow!("cannot find the current folder: {}; name one with `--cwd /…`", output::reason(&error))
        };
        let working = match &self.cwd {
            Some(cwd) if cwd.starts_with('/') => cwd.clone(),
            Some(cwd) => text(std::path::absolute(cwd).map_err(unknown)?)?,
            None => text(env::current_dir().map_err(unknown)?)?,
        };
        Ok(Place { working, home: policyc::workspace::Surroundings::home() })
    }

    /// Whether commands are compared as typed.
    pub(super) const fn is_as_typed(&self) -> bool {
        matches!(self.matching, MatchingName::Reference)
    }

    /// How to judge, under these terms if any are given.
    pub(super) fn context<'q>(&self, place: Option<&'q Place>, terms: &'q Terms<'q>) -> Context<'q> {
        let folders = place.map(|place| Folders { working: &place.working, home: place.home.as_deref() });
        let resolve_host_executables = self.resolve_host_executables;
        Context {
            matching: self.matching.into(),
            resolve_host_executables,
            folders,
            terms: (!self.terms.is_none()).then_some(terms),
        }
    }
}

impl From<MatchingName> for Matching {
    fn from(name: MatchingName) -> Self {
        match name {
            MatchingName::Guarded => Self::Guarded,
            MatchingName::Reference => Self::Reference,
        }
    }
}

/// A text for a shell in place of a command.
#[derive(Args)]
pub(super) struct ShellText {
    /// Judge a text for a shell: every command in it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "words")]
    shell: Option<OsString>,
    /// The language of the text
    #[arg(long, value_name = "KIND", value_enum)]
    shell_kind: Option<ShellName>,
}

/// The names of [`ShellKind`].
#[derive(Clone, Copy, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum ShellName {
    /// sh, dash, bash, ksh, zsh
    #[default]
    Bash,
    /// fish, csh: what they read as bash does
    Kin,
    /// PowerShell
    #[value(name = "powershell")]
    PowerShell,
    /// The command interpreter of Windows
    Cmd,
}

impl From<ShellName> for ShellKind {
    fn from(name: ShellName) -> Self {
        match name {
            ShellName::Bash => Self::Bash,
            ShellName::Kin => Self::Kin,
            ShellName::PowerShell => Self::PowerShell,
            ShellName::Cmd => Self::Cmd,
        }
    }
}

impl Question {
    /// What the command line asks about: the text, or else the words.
    pub(super) fn asked(&self, subcommand: &str, text: ShellText, words: Vec<String>) -> anyhow::Result<Asked> {
        let Some(shell) = text.shell else {
            if text.shell_kind.is_some() {
                return Err(usage_error(
                    subcommand,
                    "'--shell-kind' is about the text of '--shell', which is not given",
                ));
            }
            return Ok(Asked::command(words));
        };
        if matches!(self.matching, MatchingName::Reference) {
            return Err(usage_error(
                subcommand,
                "reference matching compares the words of a command and cannot read the text of '--shell'\n\n  \
                 tip: leave out '--matching reference', or give the command as words",
            ));
        }
        Ok(Asked::text(&shell, text.shell_kind.unwrap_or_default().into()))
    }
}

/// Refuses a command that begins with what looks like one of our own options: a word that is no option begins the command,
/// even if it begins with a hyphen, and the answer would be to another question than the one meant. After `--` every word
/// is meant.
pub(super) fn refuse_misspelt_option(question: &Question, subcommand: &str, words: &[String]) -> anyhow::Result<()> {
    let as_typed = matches!(question.matching, MatchingName::Reference);
    let Some(first) = words.first().filter(|word| word.starts_with('-') && word.len() > 1) else { return Ok(()) };
    let given: Vec<OsString> = env::args_os().collect();
    let before = given.len().checked_sub(words.len() + 1).and_then(|place| given.get(place));
    if before.is_some_and(|before| before == "--") {
        return Ok(());
    }
    let shown = escape::line(first);
    let name = first.split('=').next().unwrap_or_default().trim_start_matches('-');
    let command = super::command();
    // Those of `eval` are what one expects of `explain`, too.
    let commands = [subcommand, "eval"].into_iter().filter_map(|name| command.find_subcommand(name));
    let options = commands.flat_map(|command| command.get_arguments().filter_map(|argument| argument.get_long()));
    let closest = options.map(|option| (strsim::jaro_winkler(name, option), option));
    match closest.max_by(|(one, _), (other, _)| one.total_cmp(other)) {
        Some((likeness, option)) if likeness >= 0.999 => Err(usage_error(
            subcommand,
            format_args!(
                "unexpected argument '{shown}' found\n\n  tip: '--{option}' is an option of 'policyc eval'\n  \
                 tip: to judge a command that begins with '{shown}', write '-- {shown}'"
            ),
        )),
        Some((likeness, option)) if likeness >= 0.85 => Err(usage_error(
            subcommand,
            format_args!(
                "unexpected argument '{shown}' found\n\n  tip: a similar option exists: '--{option}'\n  \
                 tip: to judge a command that begins with '{shown}', write '-- {shown}'"
            ),
        )),
        // The reference engine judges any such word.
        _ if as_typed => Ok(()),
        _ => Err(usage_error(
            subcommand,
            format_args!(
                "unexpected argument '{shown}' found\n\n  tip: to judge a command that begins with '{shown}', write '-- {shown}'"
            ),
        )),
    }
}
