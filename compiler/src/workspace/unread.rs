//! Why a policy file could not be read.

use std::io;
use std::path::Path;

use super::file_system::FileSystem;
use super::labels::shown;
use crate::db::Database;
use crate::source::SourceFile;
use crate::syntax::guard::LARGEST_FILE;

/// Stands for a file or folder of which nothing could be read.
#[must_use]
pub fn unread_file(db: &Database, label: &str) -> SourceFile {
    SourceFile::new(db, shown(label).to_owned(), String::new())
}

/// Why a policy file could not be read.
pub(super) enum Unread {
    System(String),
    NotAFile,
    /// The text as far as it can be read, and where it cannot.
    NotUtf8 {
        text: String,
        offset: usize,
    },
    /// How many bytes it has.
    TooLarge(usize),
    Table,
    Outside,
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::System(reason) => f.write_str(reason),
            Self::NotAFile => f.write_str("it is not a regular file"),
            Self::NotUtf8 { offset, .. } => write!(f, "it is not UTF-8 (at byte {offset})"),
            Self::TooLarge(_) => write!(f, "it has more than {} MiB", LARGEST_FILE >> 20),
            Self::Table => f.write_str("it is a decision table, not a policy"),
            Self::Outside => f.write_str("it links to a file outside the folder"),
        }
    }
}

/// What the system says, without the number that Rust appends, and beginning small to continue a sentence.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut characters = text.chars();
    match (characters.next(), characters.clone().next()) {
        // "I/O error" keeps its capitals.
        (Some(first), Some(second)) if second.is_lowercase() => first.to_lowercase().chain(characters).collect(),
        _ => text.to_owned(),
    }
}

/// The text of a policy file. No more is read of a larger file, or of a device that never ends, than a policy may have.
pub(super) fn read_policy(files: &dyn FileSystem, path: &Path) -> Result<String, Unread> {
    let too_large = |size: u64| usize::try_from(size).ok().filter(|size| *size <= LARGEST_FILE).is_none();
    if let Some(size) = files.size(path).filter(|size| too_large(*size)) {
        return Err(Unread::TooLarge(usize::try_from(size).unwrap_or(usize::MAX)));
    }
    let bytes = files.read(path, LARGEST_FILE).map_err(|error| Unread::System(reason(&error)))?;
    if bytes.len() > LARGEST_FILE {
        return Err(Unread::TooLarge(bytes.len()));
    }
    if bytes.starts_with(&policyc_runtime::format::MAGIC) {
        return Err(Unread::Table);
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        // What comes before is the same in both texts, and what cannot be read becomes one replacement character.
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        Unread::NotUtf8 { text, offset }
    })
}
