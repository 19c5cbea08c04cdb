//! A default that allows.

use crate::diagnostics::{Code, Diagnostic, Fix, Site};

/// A default that allows.
pub const CODE: Code = Code("broad-default");

/// The decision of `default_decision` at `site` is `allow`. `replaceable` says that a string literal stands there.
#[must_use]
pub fn diagnostic(site: &Site, replaceable: bool) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(CODE, site, "what no rule knows cannot be allowed by default", "allows everything unknown")
            .with_note("a policy that forgets a command would allow it")
            .with_help("write `\"prompt\"` or `\"forbidden\"`, and a rule for each command that may run unasked");
    let other = |decision: &str| {
        let edit = replaceable.then(|| diagnostic.replacing(format!("\"{decision}\"")));
        Fix::choice(format!("write `{decision}`"), edit)
    };
    let (prompt, forbidden) = (other("prompt"), other("forbidden"));
    diagnostic.with_fix(prompt).with_fix(forbidden)
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn stands_alone() {
        assert_eq!(message(&super::diagnostic(&site(), true)), "what no rule knows cannot be allowed by default");
    }
}
