//! `policyc fmt`: writes policy files in the one style.

use std::collections::HashSet;
use std::io::Read;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use policyc::count::count;
use policyc::db::Database;
use policyc::diagnostics::Diagnostic;
use policyc::format;
use policyc::source::SourceFile;
use policyc::workspace::{self, Disk, Kept};
use similar::TextDiff;

use super::output::{complain, print, reason};
use super::paint::{OnTerminal, Paint};
use super::progress::Progress;
use super::replace::replace;
use super::sources::{PolicyOptions, Repeats};
use super::{FAILED, draw, escape, usage_error};

const EXAMPLES: &str = "\
What a policy means never changes: only blanks, ends of lines and the commas after last items do. A file that
cannot be read as Starlark is left as it is, and its mistakes are told.

Exit codes: 0 all is formatted, 1 a file has mistakes or, with --check, would change; 2 wrong usage.

Examples:
  policyc fmt policies            every .rules file below the folder
  policyc fmt --check policies    name those that would change, and change none
  policyc fmt --diff git.rules    show what would change, and change nothing
  policyc fmt - < git.rules       from standard input to standard output";

/// How a file from standard input is called.
const STANDARD_INPUT: &str = "standard input";

/// Write policy files in one style
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Fmt {
    /// Policy files, and folders to search for *.rules files; `-` is standard input [default: those that `policyc.toml`
    /// names]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The configuration [default: the nearest `policyc.toml` at or above the current folder]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Change nothing: name the files that would change
    #[arg(long)]
    check: bool,
    /// Change nothing: show what would change
    #[arg(long)]
    diff: bool,
}

/// What became of the files.
#[derive(Default)]
struct Formatted {
    /// Those that are written otherwise, and how.
    changed: Vec<(SourceFile, String)>,
    /// Why others were left alone.
    mistakes: Vec<Diagnostic>,
    /// How many those are.
    refused: usize,
}

impl Formatted {
    fn add(&mut self, db: &Database, file: SourceFile) {
        match format::format(db, file) {
            Ok(text) if text == *file.text(db) => {}
            Ok(text) => self.changed.push((file, text)),
            Err(mistakes) => {
                self.mistakes.extend(mistakes);
                self.refused += 1;
            }
        }
    }
}

impl Fmt {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        if self.paths.iter().any(|path| path.as_os_str() == "-") {
            if self.paths.len() > 1 {
                return Err(usage_error("fmt", "`-`, which is standard input, stands alone"));
            }
            return self.standard_input();
        }
        let options = PolicyOptions { layer: Vec::new(), config: self.config.clone(), no_prelude: true };
        let sources = options.chosen("fmt", &self.paths, Repeats::Kept)?.sources;
        let mut db = Database::default();
        let progress = Progress::on_terminal();
        let read = |label: &str| progress.stage("reading", label);
        let found = workspace::find(&mut db, &Disk, &mut Kept::default(), None, &sources, &read);
        let mut formatted = Formatted { mistakes: found.mistakes, ..Formatted::default() };
        let mut known = HashSet::new();
        for &file in found.set.files(&db).iter().filter(|file| known.insert(**file)) {
            progress.stage("formatting", file.label(&db));
            formatted.add(&db, file);
        }
        drop(progress);
        draw::diagnostics(&db, &formatted.mistakes, Paint::for_stderr());
        self.show(&db, &formatted)?;
        if !self.check && !self.diff {
            for (file, text) in &formatted.changed {
                let place = found.places.iter().find_map(|(place, found)| (found == file).then_some(place));
                let place = place.expect("a file that was read has a place");
                let name = escape::line(file.label(&db));
                replace(place, text.as_bytes())
                    .map_err(|error| anyhow!("cannot write `{name}`: {}", reason(&error)))?;
            }
            self.summary(known.len(), &formatted)?;
        }
        Ok(self.code(&formatted))
    }

    fn standard_input(&self) -> anyhow::Result<u8> {
        let mut text = String::new();
        let read = std::io::stdin().lock().read_to_string(&mut text);
        read.map_err(|error| anyhow!("cannot read {STANDARD_INPUT}: {}", reason(&error)))?;
        let db = Database::default();
        let file = SourceFile::new(&db, STANDARD_INPUT.to_owned(), text);
        let mut formatted = Formatted::default();
        formatted.add(&db, file);
        draw::diagnostics(&db, &formatted.mistakes, Paint::for_stderr());
        self.show(&db, &formatted)?;
        if !self.check && !self.diff && formatted.mistakes.is_empty() {
            let text = formatted.changed.first().map_or(file.text(&db), |(_, text)| text);
            print(text.as_bytes())?;
        }
        Ok(self.code(&formatted))
    }

    /// Shows what would change, if it is asked for.
    fn show(&self, db: &Database, formatted: &Formatted) -> anyhow::Result<()> {
        for (file, text) in &formatted.changed {
            let name = escape::line(file.label(db));
            if self.diff {
                let diff = TextDiff::from_lines(file.text(db).as_str(), text.as_str());
                let names = (format!("{name}"), format!("{name} (formatted)"));
                print(diff.unified_diff().header(&names.0, &names.1).to_string().as_bytes())?;
            } else if self.check {
                print(format!("{name}\n").as_bytes())?;
            }
        }
        Ok(())
    }

    fn summary(&self, files: usize, formatted: &Formatted) -> anyhow::Result<()> {
        let files = count(files, "file");
        let changed = match formatted.changed.len() {
            0 => "nothing to change".to_owned(),
            changed => format!("{changed} formatted"),
        };
        if formatted.mistakes.is_empty() {
            return print(format!("{files}: {}\n", Paint::for_stdout().good(changed)).as_bytes());
        }
        let refused = match formatted.refused {
            0 => String::new(),
            refused => format!(", {}", Paint::for_stderr().error(format!("{refused} left alone"))),
        };
        complain(format!("{files}: {changed}{refused}\n").as_bytes());
        Ok(())
    }

    fn code(&self, formatted: &Formatted) -> u8 {
        let failed = !formatted.mistakes.is_empty() || self.check && !formatted.changed.is_empty();
        if failed { FAILED } else { 0 }
    }
}
