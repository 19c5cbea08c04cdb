//! Where documents are: files have paths, however an editor spells them; whatever else has an address of its own.

use std::path::{Path, PathBuf};

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

    /// The path, of a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Other(_) => None,
        }
    }

    /// What a person calls it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            Self::Other(address) => address.rsplit(['/', ':']).next().unwrap_or(address).to_owned(),
        }
    }
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
        assert_eq!(place("untitled:Untitled-1"), Place::Other("untitled:Untitled-1".to_owned()));
        assert_eq!(place("untitled:Untitled-1").name(), "Untitled-1");
    }
}
