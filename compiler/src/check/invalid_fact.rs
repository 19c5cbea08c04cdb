//! A fact that cannot be read.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A fact that cannot be read.
pub const CODE: Code = Code("invalid-fact");

/// What is wrong with the text of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// There is nothing in it.
    Blank,
    /// A brace is never closed, or never opened.
    Brace,
    /// What stands between braces is not a name.
    NoName,
}

/// The fact at `site` has a problem.
#[must_use]
pub fn diagnostic(site: &Site, problem: Problem) -> Diagnostic {
    let (message, label) = match problem {
        Problem::Blank => ("the fact is empty", "says nothing"),
        Problem::Brace => ("a brace in the fact has no other", "no pair"),
        Problem::NoName => ("the braces in the fact hold no name", "not a parameter"),
    };
    Diagnostic::error(CODE, site, message, label)
        .with_note("values of the call stand in braces: `{path}` for a parameter, `{target}` for the target")
        .with_help("write a fact as the host tells it, such as `\"read:{path}\"`")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_is_wrong() {
        use super::{Problem, diagnostic};
        assert_eq!(message(&diagnostic(&site(), Problem::Blank)), "the fact is empty");
        assert_eq!(message(&diagnostic(&site(), Problem::Brace)), "a brace in the fact has no other");
        assert_eq!(message(&diagnostic(&site(), Problem::NoName)), "the braces in the fact hold no name");
    }
}
