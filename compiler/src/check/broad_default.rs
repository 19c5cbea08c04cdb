//! A default that allows.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A default that allows.
pub const CODE: Code = Code("broad-default");

/// The decision of `default_decision` at `site` is `allow`.
#[must_use]
pub fn diagnostic(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "what no rule knows cannot be allowed by default", "allows everything unknown")
        .with_note("a policy that forgets a command would allow it")
        .with_help("write `\"prompt\"` or `\"forbidden\"`, and a rule for each command that may run unasked")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn stands_alone() {
        assert_eq!(message(&super::diagnostic(&site())), "what no rule knows cannot be allowed by default");
    }
}
