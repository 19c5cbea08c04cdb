//! A key of `policyc.toml`, or a lint in it, that is none.

use super::closest::{bare, closest};
use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Site};

/// A key of `policyc.toml`, or a lint in it, that is none.
pub const CODE: Code = Code("unknown-key");

/// The key `given` at `site` is none of the `known` ones of `place`, such as `a layer`.
#[must_use]
pub fn diagnostic(site: &Site, place: &str, given: &str, known: &[&str]) -> Diagnostic {
    let shown = given.escape_debug();
    Diagnostic::error(CODE, site, format!("`{shown}` is not a key of {place}"), "unknown key")
        .with_note(format!("the keys of {place} are {}", list(known, "and")))
        .did_you_mean(closest(given, known.iter().copied()), Some(bare))
}

/// The code `given` at `site` is not that of a lint, though it may be that of an error, which cannot be turned off.
#[must_use]
pub fn lint(site: &Site, given: &str, lints: &[&str], error: bool) -> Diagnostic {
    let shown = given.escape_debug();
    let message = if error {
        format!("`{shown}` is an error, and only lints have a level")
    } else {
        format!("`{shown}` is not a lint")
    };
    Diagnostic::error(CODE, site, message, "no lint")
        .with_note(format!("the lints are {}", list(lints, "and")))
        .did_you_mean(closest(given, lints.iter().copied()).filter(|_| !error), Some(bare))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn suggests_a_key() {
        let diagnostic = super::diagnostic(&site(), "`policyc.toml`", "polices", &["policies", "dialect"]);
        assert_eq!(message(&diagnostic), "`polices` is not a key of `policyc.toml`");
        assert_eq!(diagnostic.fixes[0].edits[0].text, "policies");
        let diagnostic = super::lint(&site(), "broad-rul", &["broad-rule"], false);
        assert_eq!(message(&diagnostic), "`broad-rul` is not a lint");
        assert_eq!(diagnostic.fixes[0].edits[0].text, "broad-rule");
        let diagnostic = super::lint(&site(), "invalid-type", &["invalid-word"], true);
        assert_eq!(message(&diagnostic), "`invalid-type` is an error, and only lints have a level");
        assert_eq!(diagnostic.help, None);
    }
}
