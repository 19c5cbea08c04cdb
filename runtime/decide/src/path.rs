//! Paths as text: absolute and folded without looking at any file.

use core::fmt;

/// The folders against which the first word of a command becomes an absolute path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folders<'q> {
    /// The working directory, absolute.
    pub working: &'q str,
    /// What `~` stands for; without it, `~` is a name like any other.
    pub home: Option<&'q str>,
}

/// A word as an absolute path, with `.`, `..` and repeated slashes folded as text: symbolic links are not followed.
#[derive(Clone, Copy, Debug)]
pub struct ResolvedProgram<'q> {
    /// What is joined, in order; later parts are relative to earlier ones.
    parts: [&'q str; 3],
}

impl<'q> ResolvedProgram<'q> {
    /// Folds a path that is already absolute.
    #[must_use]
    pub const fn absolute(path: &'q str) -> Self {
        Self { parts: ["", "", path] }
    }

    /// Makes `word` absolute: `~` and `~/…` by the home folder, all else by the working directory.
    #[must_use]
    pub fn new(word: &'q str, folders: &Folders<'q>) -> Self {
        let below_home = word.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let parts = match (folders.home, below_home) {
            _ if word.starts_with('/') => ["", "", word],
            (Some(home), Some(rest)) if home.starts_with('/') => ["", home, rest],
            (Some(home), Some(rest)) => [folders.working, home, rest],
            _ => ["", folders.working, word],
        };
        Self { parts }
    }

    /// The last component; none for the root folder.
    #[must_use]
    pub fn base_name(&self) -> Option<&'q str> {
        self.components_from_the_end().next()
    }

    /// Whether both name the same place.
    #[must_use]
    pub fn same(&self, other: &ResolvedProgram<'_>) -> bool {
        self.components_from_the_end().eq(other.components_from_the_end())
    }

    /// The components that folding leaves. From the end, a `..` only needs a counter to take away its folder.
    fn components_from_the_end(&self) -> impl Iterator<Item = &'q str> + use<'q> {
        let mut folders_to_skip = 0_usize;
        let parts = self.parts.into_iter().rev();
        parts.flat_map(|part| part.rsplit('/')).filter(move |component| match *component {
            "" | "." => false,
            ".." => {
                folders_to_skip += 1;
                false
            }
            _ if folders_to_skip > 0 => {
                folders_to_skip -= 1;
                false
            }
            _ => true,
        })
    }
}

impl fmt::Display for ResolvedProgram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let components: alloc::vec::Vec<_> = self.components_from_the_end().collect();
        if components.is_empty() {
            return f.write_str("/");
        }
        components.iter().rev().try_for_each(|component| write!(f, "/{component}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn words_become_folded_absolute_paths() {
        let folders = Folders { working: "/oracle", home: Some("/home/dev") };
        for (word, path) in [
            ("/usr//bin/./git/", "/usr/bin/git"),
            ("/../usr/bin/../bin/git", "/usr/bin/git"),
            ("git/", "/oracle/git"),
            ("../git", "/git"),
            ("", "/oracle"),
            ("~", "/home/dev"),
            ("~/git", "/home/dev/git"),
            ("~root/git", "/oracle/~root/git"),
            ("a/b/../../..", "/"),
            ("..", "/"),
        ] {
            assert_eq!(ResolvedProgram::new(word, &folders).to_string(), path, "{word}");
        }
    }

    #[test]
    fn a_relative_home_is_below_the_working_directory() {
        let folders = Folders { working: "/w", home: Some("h") };
        assert_eq!(ResolvedProgram::new("~/git", &folders).to_string(), "/w/h/git");
        let folders = Folders { working: "/w", home: None };
        assert_eq!(ResolvedProgram::new("~/git", &folders).to_string(), "/w/~/git");
    }

    #[test]
    fn the_same_place_has_many_spellings() {
        let git = ResolvedProgram::absolute("/usr/bin/git");
        assert!(git.same(&ResolvedProgram::absolute("//usr/lib/../bin/git/.")));
        assert!(!git.same(&ResolvedProgram::absolute("/usr/bin/git/..")));
        assert_eq!(ResolvedProgram::absolute("/").base_name(), None);
    }
}
