//! Where documents are: files have paths, however an editor spells them; whatever else has an address of its own.

use std::path::{Path, PathBuf};

use policyc::workspace::{Disk, FileSystem};

use crate::protocol::Uri;

/// What tells one document from another. Editors spell the address of one file in several ways (`%3A` for `:`, letters
/// escaped or not), so files are told apart by their paths.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    /// A file, which need not exist.
    File(PathBuf),
    /// What was never saved, or is no file: the address as it was given.
    Other(String),
}

/// Below it is no file of any system: no path has such a character.
const UNSAVED: &str = "/\0";

impl Place {
    /// The place that an address names.
    pub(crate) fn of(uri: &Uri) -> Self {
        match uri.to_file_path() {
            Some(path) if uri.scheme().as_str().eq_ignore_ascii_case("file") && path.is_absolute() => {
                Self::File(path.components().collect())
            }
            _ => Self::Other(uri.as_str().to_owned()),
        }
    }

    /// The path of the folder that the document is in.
    pub(crate) fn folder(&self) -> PathBuf {
        match self {
            Self::File(path) => path.parent().unwrap_or(path).to_owned(),
            // A folder for each, so that one never loads another.
            Self::Other(address) => Path::new(UNSAVED).join(address.replace('/', "%2F")),
        }
    }

    /// The path in the folder.
    pub(crate) fn name(&self) -> PathBuf {
        match self {
            Self::File(path) => path.file_name().map_or_else(|| path.clone(), PathBuf::from),
            Self::Other(address) => PathBuf::from(address.rsplit(['/', ':']).next().unwrap_or(address)),
        }
    }

    /// The one path of the document, links followed.
    pub(crate) fn resolved(&self) -> PathBuf {
        match self {
            Self::File(path) => resolved(path),
            Self::Other(_) => self.folder().join(self.name()),
        }
    }

    /// Whether the document is one of ours by its name.
    pub(crate) fn is_policy(&self) -> bool {
        self.name().extension().is_some_and(|extension| extension == "rules")
    }

    /// Whether the document is a `policyc.toml`.
    pub(crate) fn is_configuration(&self) -> bool {
        self.name() == Path::new(policyc::config::NAME)
    }
}

/// The one path of a file, links followed as far as there is something to follow.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    if let Ok(place) = Disk.place(path) {
        return place;
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => resolved(folder).join(name),
        _ => path.to_owned(),
    }
}

/// Whether a path is that of an unsaved document.
pub(crate) fn is_unsaved(path: &Path) -> bool {
    path.starts_with(UNSAVED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_place_however_it_is_spelt() {
        let place = |uri: &str| Place::of(&uri.parse().expect("an address"));
        let plain = place("file:///tmp/a%20b/%C3%A9.rules");
        assert_eq!(plain, Place::File(PathBuf::from("/tmp/a b/é.rules")));
        assert_eq!(place("file:///tmp/a%20b/./%c3%a9.rules"), plain);
        assert_eq!(place("FILE:///tmp/a%20b//%C3%A9.rules"), plain);
        assert!(plain.is_policy() && !place("file:///policyc.toml").is_policy());
        assert!(place("file:///a/policyc.toml").is_configuration());
    }

    #[test]
    fn unsaved_documents_are_no_files() {
        let place = |uri: &str| Place::of(&uri.parse().expect("an address"));
        let unsaved = place("untitled:Untitled-1");
        assert_eq!(unsaved, Place::Other("untitled:Untitled-1".to_owned()));
        assert_eq!(unsaved.name(), PathBuf::from("Untitled-1"));
        assert!(is_unsaved(&unsaved.resolved()));
        assert_ne!(unsaved.resolved(), place("untitled:/a/Untitled-1").resolved());
        assert_eq!(place("untitled:/a/b.rules").name(), PathBuf::from("b.rules"));
    }
}
