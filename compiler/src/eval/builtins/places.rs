//! Where programs are: absolute paths of either kind of system.

/// Whether `path` is absolute: from the root, or from that of a drive.
pub(super) fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || is_on_drive(path)
}

fn is_on_drive(path: &str) -> bool {
    let mut characters = path.chars();
    characters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && characters.next() == Some(':')
        && matches!(characters.next(), Some('/' | '\\'))
}

/// The last part of an absolute path once `.`, `..` and `//` are folded away.
pub(super) fn base_name(path: &str) -> Option<&str> {
    let separators: &[char] = if is_on_drive(path) { &['/', '\\'] } else { &['/'] };
    let drive = usize::from(is_on_drive(path));
    let mut parts = Vec::new();
    for part in path.split(separators).skip(drive) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.pop()
}

/// Whether a file called `base`, at `path`, is the program `name`. On a drive neither letter case nor `.exe` matters.
pub(super) fn called(base: &str, name: &str, path: &str) -> bool {
    let is = |base: &str| base.eq_ignore_ascii_case(name);
    let stem = base.rsplit_once('.').filter(|(_, extension)| extension.eq_ignore_ascii_case("exe"));
    base == name || is_on_drive(path) && (is(base) || stem.is_some_and(|(stem, _)| is(stem)))
}

#[cfg(test)]
mod tests {
    use super::{base_name, called, is_absolute};

    #[test]
    fn the_last_part_is_that_of_the_folded_path() {
        for path in ["/usr/bin/git/", "/a/git/.", "/a/x/../git", "//a//git", "/../git", "/a/git/../git", "C:\\a/git"] {
            assert!(is_absolute(path), "{path}");
            assert_eq!(base_name(path), Some("git"), "{path}");
        }
        assert_eq!(base_name("/usr/bin/git/.."), Some("bin"));
        assert_eq!(base_name("/.."), None);
        assert_eq!(base_name("/a\\b"), Some("a\\b"));
        for path in ["git", "C:git", "~/git", ""] {
            assert!(!is_absolute(path), "{path}");
        }
    }

    #[test]
    fn on_a_drive_a_program_has_an_extension() {
        assert!(called("Git.EXE", "git", "C:/Git.EXE") && called("git", "git", "C:/git"));
        assert!(!called("Git", "git", "/bin/Git") && !called("git.exe", "git", "/bin/git.exe"));
        assert!(called("git.exe", "git.exe", "/bin/git.exe") && !called("git.com", "git", "C:/git.com"));
    }
}
