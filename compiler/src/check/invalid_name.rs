//! A name that cannot be one of its kind.

use super::closest::quoted;
use crate::diagnostics::{Code, Diagnostic, Site};

/// A name that cannot be one of its kind.
pub const CODE: Code = Code("invalid-name");

/// What has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// An effect or a claim.
    Capability,
    /// A tool.
    Tool,
    /// A parameter of a tool.
    Parameter,
    /// A profile.
    Profile,
}

impl Named {
    const fn thing(self) -> &'static str {
        match self {
            Self::Capability => "capability",
            Self::Tool => "tool",
            Self::Parameter => "parameter",
            Self::Profile => "profile",
        }
    }

    /// Whether `name` can be one of these.
    #[must_use]
    pub fn permits(self, name: &str) -> bool {
        let begins = |word: &str, also: &str| {
            word.starts_with(|first: char| first.is_ascii_alphanumeric() || also.contains(first))
        };
        let consists =
            |word: &str, also: &str| word.chars().all(|one| one.is_ascii_alphanumeric() || also.contains(one));
        match self {
            Self::Capability => name.split('.').all(|word| {
                word.starts_with(|first: char| first.is_ascii_lowercase())
                    && word.chars().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '_')
            }),
            Self::Tool => {
                name.split('/').count() <= 2 && name.split('/').all(|part| begins(part, "_") && consists(part, "_-."))
            }
            Self::Parameter => begins(name, "_$@") && consists(name, "_-.$@"),
            Self::Profile => begins(name, "_") && consists(name, "_-."),
        }
    }
}

/// The name `given` at `site` cannot be that of a `named`. `replaceable` says that a string literal stands there.
#[must_use]
pub fn diagnostic(site: &Site, named: Named, given: &str, replaceable: bool) -> Diagnostic {
    let message = format!("`{}` cannot be the name of a {}", given.escape_debug(), named.thing());
    let diagnostic = Diagnostic::error(CODE, site, message, "not such a name").with_note(match named {
        Named::Capability => "it is made of lower-case words (letters, digits, `_`) with dots between them",
        Named::Tool => {
            "it is one word (letters, digits, `_`, `-`, `.`), or that of a server, `/`, and that of its tool"
        }
        Named::Parameter | Named::Profile => "it is one word: letters, digits, `_`, `-` and `.`",
    });
    let separators: &[char] = match named {
        Named::Capability => &['-', ' ', '/', ':'],
        _ => &[' ', ':'],
    };
    let meant = given.trim().replace(separators, "_");
    let meant = if named == Named::Capability { meant.to_lowercase() } else { meant };
    let meant = Some(meant.as_str()).filter(|meant| named.permits(meant));
    diagnostic.did_you_mean(meant, replaceable.then_some(quoted))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_are_words() {
        use super::Named;
        for name in ["fs", "command.git_push", "a1.b_2"] {
            assert!(Named::Capability.permits(name), "{name}");
        }
        for name in ["", "Fs", "fs.", "fs..read", "fs-read", "1a", "fs read"] {
            assert!(!Named::Capability.permits(name), "{name}");
        }
        for name in ["read", "my-server/delete_page", "a.b/c"] {
            assert!(Named::Tool.permits(name), "{name}");
        }
        for name in ["", "a/", "/a", "a/b/c", "a b", "-a", "a*"] {
            assert!(!Named::Tool.permits(name), "{name}");
        }
        let diagnostic = super::diagnostic(&site(), Named::Capability, "FS-Read", true);
        assert_eq!(message(&diagnostic), "`FS-Read` cannot be the name of a capability");
        assert_eq!(diagnostic.fixes[0].edits[0].text, "\"fs_read\"");
    }
}
