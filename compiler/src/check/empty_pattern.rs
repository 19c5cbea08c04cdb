//! A rule without a pattern.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A rule without a pattern.
pub const CODE: Code = Code("empty-pattern");

/// The pattern at `site` has no elements.
#[must_use]
pub fn diagnostic(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "the pattern is empty", "needs at least the program's name")
        .with_note("a rule is found by the first word of a command")
        .with_help("begin the pattern with the name of a program")
}

/// The pattern at `site`, one of `unless`, has no elements.
#[must_use]
pub fn exception(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "a pattern of `unless` is empty", "excepts every command")
        .with_help("write the pattern of the commands that the rule is not about")
}

/// The path at `site`, that of a `program`, has no elements.
#[must_use]
pub fn program(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "the path of `program` is empty", "needs at least the program's name")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn stands_alone() {
        assert_eq!(message(&super::diagnostic(&site())), "the pattern is empty");
        assert_eq!(message(&super::exception(&site())), "a pattern of `unless` is empty");
        assert_eq!(message(&super::program(&site())), "the path of `program` is empty");
    }
}
