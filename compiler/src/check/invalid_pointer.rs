//! A place among the arguments of a call that is not a JSON pointer.

use super::closest::quoted;
use crate::diagnostics::{Code, Diagnostic, Site};

/// A place among the arguments of a call that is not a JSON pointer.
pub const CODE: Code = Code("invalid-pointer");

/// Whether `pointer` is a JSON pointer (RFC 6901): empty, or `/` and a key, any number of times, where `~0` and `~1` stand
/// for `~` and `/`.
#[must_use]
pub fn is_pointer(pointer: &str) -> bool {
    let escaped = |part: &str| part.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    pointer.is_empty() || pointer.starts_with('/') && escaped(pointer)
}

/// The key `given` at `site` is not a JSON pointer. `replaceable` says that a string literal stands there.
#[must_use]
pub fn diagnostic(site: &Site, given: &str, replaceable: bool) -> Diagnostic {
    let message = format!("`{}` is not a JSON pointer", given.escape_debug());
    let diagnostic = Diagnostic::error(CODE, site, message, "not a place among the arguments")
        .with_note("a pointer is `/` and a key, again for what is inside it; `~0` and `~1` stand for `~` and `/`");
    let meant = format!("/{}", given.trim_start_matches(['$', '.']).replace('.', "/"));
    let meant = Some(meant.as_str()).filter(|meant| !given.starts_with('/') && is_pointer(meant) && meant.len() > 1);
    diagnostic.did_you_mean(meant, replaceable.then_some(quoted))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn pointers_begin_with_a_slash() {
        use super::is_pointer;
        assert!(["", "/", "/a/b", "/a~1b/0", "/~0"].into_iter().all(is_pointer));
        assert!(!["a", "/~", "/a~2", "~1"].into_iter().any(is_pointer));
        let diagnostic = super::diagnostic(&site(), "$.a.b", true);
        assert_eq!(message(&diagnostic), "`$.a.b` is not a JSON pointer");
        assert_eq!(diagnostic.fixes[0].edits[0].text, "\"/a/b\"");
    }
}
