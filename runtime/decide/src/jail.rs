//! Where a path leads, as text: into the workspace, under a folder that may be read, or out.
//!
//! The one resolver of paths in tool calls and redirects. It looks at no file: links are the host's part.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};

use crate::guarded::is_disguised;
use crate::path::{Folders, ResolvedProgram};

/// What a request may reach.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jail<'q> {
    /// The folders that paths are relative to.
    pub folders: Option<&'q Folders<'q>>,
    /// The workspace, absolute; without it, the working directory.
    pub workspace: Option<&'q str>,
    /// Absolute folders outside that may be read.
    pub read_roots: &'q [&'q str],
}

/// Why a path may not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathProblem {
    /// It is empty.
    Empty,
    /// It has a NUL, a line break or another control character.
    Control,
    /// It is the workspace itself, which is no file, and not to be put in another's place.
    Workspace,
    /// It leads out of the workspace, or of what may be read.
    Outside,
    /// It is, or is below, what is protected in every workspace: the records of version control, and credentials.
    Protected,
}

impl core::fmt::Display for PathProblem {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Empty => "the path is empty",
            Self::Control => "the path has a control character",
            Self::Workspace => "the path is the workspace itself",
            Self::Outside => "the path leads out of the workspace",
            Self::Protected => "the path is protected: version control's own files, or credentials",
        })
    }
}

/// Folders that only tools of their own may touch.
const PROTECTED_FOLDERS: [&str; 2] = [".git", ".qre"];

/// Files that hold credentials.
const CREDENTIALS: [&str; 7] = [".env", ".netrc", "credentials", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];

/// What the names of further files with credentials begin with.
const ENVIRONMENT: &str = ".env.";

/// What files are called that only show which credentials there are.
const SAMPLES: [&str; 3] = [".example", ".sample", ".template"];

impl Jail<'_> {
    /// Whether a word, if it is a path, leads to what may be read.
    pub(crate) fn lets_read(&self, word: &str) -> bool {
        let here =
            self.folders.is_none_or(|folders| self.workspace.is_none_or(|workspace| workspace == folders.working));
        if here && is_component(word) {
            return !is_protected(word);
        }
        !matches!(self.resolve(word, true), Err(PathProblem::Outside | PathProblem::Protected))
    }

    /// Whether a word is, or leads below, what holds credentials or the records of version control, wherever it begins.
    #[must_use]
    pub fn is_secret(word: &str) -> bool {
        word.split(['/', '\\']).any(is_protected)
    }

    /// The place that a path names, folded, if it may be used: `reads` says that folders outside may be, too.
    ///
    /// # Errors
    /// When the path leads out, or to what is protected, or is no path.
    pub fn resolve(&self, path: &str, reads: bool) -> Result<String, PathProblem> {
        if path.is_empty() {
            return Err(PathProblem::Empty);
        }
        if path.contains(char::is_control) || is_disguised(path) {
            return Err(PathProblem::Control);
        }
        if leaves_elsewhere(path) {
            return Err(PathProblem::Outside);
        }
        let resolved = match self.folders {
            Some(folders) => {
                let resolved = if is_plain(path) && !path.starts_with(['/', '~']) {
                    [folded(folders.working).trim_end_matches('/'), path].join("/")
                } else {
                    ResolvedProgram::new(path, folders).to_string()
                };
                let below = |root: &str| is_below(&resolved, &folded(root));
                let workspace = folded(self.workspace.unwrap_or(folders.working));
                let inside = is_below(&resolved, &workspace);
                let readable = inside || reads && self.read_roots.iter().any(|root| below(root));
                if !readable {
                    return Err(PathProblem::Outside);
                }
                if !reads && *resolved == *workspace {
                    return Err(PathProblem::Workspace);
                }
                resolved
            }
            // Nothing is known but that it stays below wherever it begins.
            None => match relative(path).ok_or(PathProblem::Outside)? {
                resolved if resolved.is_empty() && !reads => return Err(PathProblem::Workspace),
                resolved => resolved,
            },
        };
        // Some systems take letters of either case, and backslashes, for the same.
        let lower = if resolved.is_ascii() { Cow::Borrowed(&*resolved) } else { Cow::Owned(resolved.to_lowercase()) };
        if lower.split(['/', '\\']).any(is_protected) { Err(PathProblem::Protected) } else { Ok(resolved) }
    }
}

/// Whether a path leads out on the systems that take backslashes for slashes, and letters before a colon for drives, or for
/// whoever takes it for an address.
fn leaves_elsewhere(path: &str) -> bool {
    let mut letters = path.chars();
    let drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && letters.next() == Some(':');
    drive || path.contains("://") || path.contains('\\') && relative(&path.replace('\\', "/")).is_none()
}

/// Whether a word can be nothing but the name of what is in the working directory, whatever the system.
fn is_component(word: &str) -> bool {
    word != ".." && word.bytes().all(|byte| byte.is_ascii_graphic() && !b"/\\~:".contains(&byte))
}

/// An absolute path, folded.
fn folded(path: &str) -> Cow<'_, str> {
    match path.strip_prefix('/') {
        Some(rest) if is_plain(rest) => Cow::Borrowed(path),
        _ => Cow::Owned(ResolvedProgram::absolute(path).to_string()),
    }
}

/// Whether folding a path below a folder would leave it as it is.
fn is_plain(path: &str) -> bool {
    path.split('/').all(|component| !matches!(component, "" | "." | ".."))
}

fn is_below(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A relative path folded, if it never leaves the folder that it begins in.
fn relative(path: &str) -> Option<String> {
    if path.starts_with(['/', '~']) {
        return None;
    }
    let mut folded = alloc::vec::Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => drop(folded.pop()?),
            component => folded.push(component),
        }
    }
    Some(folded.join("/"))
}

/// Whether a component is that of a protected place, whatever the case of its ASCII letters. Some systems drop dots and
/// blanks at the end, and take what follows a colon for a part of the file.
fn is_protected(component: &str) -> bool {
    let component = component.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    let ends = |end: &str| {
        component
            .len()
            .checked_sub(end.len())
            .and_then(|at| component.get(at..))
            .is_some_and(|it| it.eq_ignore_ascii_case(end))
    };
    let is = |name: &&str| component.eq_ignore_ascii_case(name);
    if !component.bytes().any(|byte| matches!(byte, b'.' | b'~')) {
        return CREDENTIALS.iter().any(is);
    }
    // The short name of a folder whose name begins with a dot: the rest of it and a number.
    let short = |folder: &&str| {
        let behind = component
            .split_once('~')
            .filter(|(name, _)| folder.get(1..).is_some_and(|it| it.eq_ignore_ascii_case(name)));
        behind.is_some_and(|(_, number)| number.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let environment = component.get(..ENVIRONMENT.len()).is_some_and(|it| it.eq_ignore_ascii_case(ENVIRONMENT));
    PROTECTED_FOLDERS.iter().any(|folder| is(folder) || short(folder))
        || CREDENTIALS.iter().any(is)
        || environment && !SAMPLES.iter().any(|sample| ends(sample))
        || ends(".key")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_workspace() {
        let folders = Folders { working: "/w/sub", home: Some("/home/dev") };
        let jail = Jail { folders: Some(&folders), workspace: Some("/w"), read_roots: &["/usr/share/doc"] };
        assert_eq!(jail.resolve("a/../b.txt", false).as_deref(), Ok("/w/sub/b.txt"));
        assert_eq!(jail.resolve("../x", false).as_deref(), Ok("/w/x"));
        assert_eq!(jail.resolve("/usr/share/doc/a", true).as_deref(), Ok("/usr/share/doc/a"));
        for (path, problem) in [
            ("", PathProblem::Empty),
            ("a\0b", PathProblem::Control),
            ("../../etc", PathProblem::Outside),
            ("/wx", PathProblem::Outside),
            ("~/x", PathProblem::Outside),
            ("/usr/share/doc/a", PathProblem::Outside),
            (".git/config", PathProblem::Protected),
            ("a/.GIT", PathProblem::Protected),
            (".env", PathProblem::Protected),
            (".env.local", PathProblem::Protected),
            ("x/id_rsa", PathProblem::Protected),
            ("server.key", PathProblem::Protected),
            ("..\\x", PathProblem::Outside),
            ("a\\..\\..\\..\\x", PathProblem::Outside),
            ("\\\\server\\share", PathProblem::Outside),
            ("C:/x", PathProblem::Outside),
            ("c:x", PathProblem::Outside),
            ("file:///etc/x", PathProblem::Outside),
            ("..", PathProblem::Workspace),
            ("../sub/..", PathProblem::Workspace),
            (".g\u{200c}it/config", PathProblem::Control),
            ("GIT~1/config", PathProblem::Protected),
        ] {
            assert_eq!(jail.resolve(path, false), Err(problem), "{path}");
        }
        assert!(jail.resolve(".env.example", false).is_ok() && jail.resolve("a.keys", false).is_ok());
        assert!(jail.resolve(".gitignore", false).is_ok());
    }

    #[test]
    fn without_folders_only_what_stays_below_is_used() {
        let jail = Jail::default();
        assert_eq!(jail.resolve("a/./b", false).as_deref(), Ok("a/b"));
        assert_eq!(jail.resolve(".", true).as_deref(), Ok(""));
        assert_eq!(jail.resolve("a/..", false), Err(PathProblem::Workspace));
        for path in ["/a", "~/a", "..", "a/../.."] {
            assert_eq!(jail.resolve(path, true), Err(PathProblem::Outside), "{path}");
        }
    }
}
