//! The `policyc.toml` that a command goes by.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use policyc::config::{self, Config};
use policyc::db::Database;
use policyc::diagnostics::Diagnostic;
use policyc::source::SourceFile;
use policyc::workspace::{Disk, Sources, Surroundings, label_of};

use super::escape;
use super::output::reason;

/// A `policyc.toml` that was read.
pub(super) struct Configuration {
    label: String,
    text: String,
    /// Its folder, as it was named or found.
    folder: PathBuf,
}

impl Configuration {
    /// The one at or above the current folder, if there is one.
    pub(super) fn nearest() -> anyhow::Result<Option<Self>> {
        let mut folder = PathBuf::new();
        let depth = std::env::current_dir().map_or(0, |folder| folder.components().count());
        for _ in 0..depth {
            let path = folder.join(config::NAME);
            match fs::read_to_string(&path) {
                Ok(text) => return Ok(Some(Self { label: label_of(&Disk, Path::new(""), &path), text, folder })),
                Err(error) if [ErrorKind::NotFound, ErrorKind::IsADirectory].contains(&error.kind()) => {}
                Err(error) => return Err(unreadable(&path, &error)),
            }
            folder.push("..");
        }
        Ok(None)
    }

    /// The one that was named.
    pub(super) fn named(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { label: label_of(&Disk, Path::new(""), path), text, folder })
    }

    /// Whether it speaks for all of the paths: they are below its folder.
    pub(super) fn covers<'p>(&self, paths: impl Iterator<Item = &'p PathBuf>) -> bool {
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let Ok(folder) = fs::canonicalize(folder) else { return false };
        paths.into_iter().all(|path| fs::canonicalize(path).is_ok_and(|path| path.starts_with(&folder)))
    }

    /// What it says, and what is wrong with it.
    pub(super) fn read(&self, db: &Database) -> (Config, Vec<Diagnostic>) {
        config::read(db, SourceFile::new(db, self.label.clone(), self.text.clone())).clone()
    }

    /// The policy set that it names, which is judged in its folder.
    pub(super) fn sources(&self) -> Sources {
        let config = self.read(&Database::default()).0;
        let mut surroundings = Surroundings::of_process();
        let folder = fs::canonicalize(if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder });
        if let Some(folder) = folder.ok().and_then(|folder| folder.into_os_string().into_string().ok()) {
            surroundings.working_directory = folder;
        }
        Sources::configured(&config, PathBuf::new(), &self.folder, surroundings)
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> anyhow::Error {
    anyhow!("cannot read `{}`: {}", escape::line(&path.to_string_lossy()), reason(error))
}
