//! An expectation under a profile that nothing declares.

use super::closest::{closest, quoted};
use crate::diagnostics::{Code, Diagnostic, Site};

/// An expectation under a profile that nothing declares.
pub const CODE: Code = Code("unknown-profile");

/// The profile `given` at `site` is none of the `known` ones. `replaceable` says that a string literal stands there.
#[must_use]
pub fn diagnostic(site: &Site, given: &str, known: &[&str], replaceable: bool) -> Diagnostic {
    let message = format!("no file of the policy declares a profile `{}`", given.escape_debug());
    Diagnostic::error(CODE, site, message, "unknown profile")
        .did_you_mean(closest(given, known.iter().copied()), replaceable.then_some(quoted))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn suggests_a_profile() {
        let diagnostic = super::diagnostic(&site(), "verfy", &["readonly", "verify"], true);
        assert_eq!(message(&diagnostic), "no file of the policy declares a profile `verfy`");
        assert_eq!(diagnostic.fixes[0].edits[0].text, "\"verify\"");
    }
}
