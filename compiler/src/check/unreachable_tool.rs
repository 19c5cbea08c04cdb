//! A tool that a profile offers and never lets be called.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A tool that a profile offers and never lets be called.
pub const CODE: Code = Code("unreachable-tool");

/// The `profile` offers `tool` at `site`, and forbids its effect `effect`.
#[must_use]
pub fn diagnostic(site: &Site, profile: &str, tool: &str, effect: &str) -> Diagnostic {
    let message = format!("the profile `{profile}` offers the tool `{tool}` and forbids what it does");
    Diagnostic::warning(CODE, site, message, "can never be called")
        .with_note(format!("its effect `{effect}` is in neither list, and what is not written is forbidden"))
        .with_help("list all that it does in `allow` or `prompt`, or do not offer it")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_profile_and_tool() {
        let diagnostic = super::diagnostic(&site(), "p", "t", "fs.write");
        assert_eq!(message(&diagnostic), "the profile `p` offers the tool `t` and forbids what it does");
    }
}
