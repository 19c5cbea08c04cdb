//! A profile offers a tool that nothing declares.

use super::closest::{closest, quoted};
use crate::diagnostics::{Code, Diagnostic, Site};

/// A profile offers a tool that nothing declares.
pub const CODE: Code = Code("unknown-tool");

/// The tool `given` at `site` is none of the `known` ones. `replaceable` says that a string literal stands there.
#[must_use]
pub fn diagnostic(site: &Site, given: &str, known: &[&str], replaceable: bool) -> Diagnostic {
    let shown = given.escape_debug();
    let diagnostic =
        Diagnostic::error(CODE, site, format!("no file of the policy declares a tool `{shown}`"), "unknown tool")
            .with_note("what is not declared is refused under every profile");
    match closest(given, known.iter().copied()) {
        None => diagnostic.with_help(format!("declare it: `tool(\"{shown}\", …)`")),
        meant => diagnostic.did_you_mean(meant, replaceable.then_some(quoted)),
    }
}

/// The matcher at `site` describes no tool that is declared.
#[must_use]
pub fn nothing(site: &Site, shown: &str) -> Diagnostic {
    let message = format!("`{shown}` describes no tool that the policy declares");
    Diagnostic::warning(CODE, site, message, "offers nothing")
        .with_note("what is not declared is refused under every profile")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn suggests_a_tool() {
        let diagnostic = super::diagnostic(&site(), "fs/wirte", &["fs/write", "fs/read"], true);
        assert_eq!(message(&diagnostic), "no file of the policy declares a tool `fs/wirte`");
        assert_eq!(diagnostic.fixes[0].edits[0].text, "\"fs/write\"");
        let nothing = super::nothing(&site(), "glob(\"x/*\")");
        assert_eq!(message(&nothing), "`glob(\"x/*\")` describes no tool that the policy declares");
    }
}
