//! A `policyc.toml` that is not TOML, or a value in it that is not one of its key.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A `policyc.toml` that is not TOML, or a value in it that is not one of its key.
pub const CODE: Code = Code("invalid-configuration");

/// The text is not TOML at `site`, for the `reason` that the reader of TOML gives.
#[must_use]
pub fn syntax(site: &Site, reason: &str) -> Diagnostic {
    let reason = reason.lines().collect::<Vec<_>>().join("; ");
    Diagnostic::error(CODE, site, format!("`policyc.toml` is not TOML: {reason}"), "")
}

/// The value of `key` at `site` is not what is `expected`, such as `a list of paths`.
#[must_use]
pub fn value(site: &Site, key: &str, expected: &str) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("the value of `{key}` is not {expected}"), format!("expected {expected}"))
}

/// The layer whose name stands at `site` has no `key`, or one name stands for a trusted and an untrusted one.
#[must_use]
pub fn layer(site: &Site, problem: &str) -> Diagnostic {
    Diagnostic::error(CODE, site, problem, "")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_is_expected() {
        let diagnostic = super::value(&site(), "dialect", "`codex` or `policyc`");
        assert_eq!(message(&diagnostic), "the value of `dialect` is not `codex` or `policyc`");
        assert_eq!(message(&super::syntax(&site(), "one\ntwo")), "`policyc.toml` is not TOML: one; two");
        assert_eq!(message(&super::layer(&site(), "a layer has no name")), "a layer has no name");
    }
}
