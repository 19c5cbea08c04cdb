//! An effect or a claim that nothing declares.

use super::closest::{closest, quoted};
use crate::diagnostics::{Code, Diagnostic, Site};

/// An effect or a claim that nothing declares.
pub const CODE: Code = Code("unknown-capability");

/// The capability `given` at `site` is none of the `known` ones. `replaceable` says that a string literal stands there.
#[must_use]
pub fn diagnostic(site: &Site, given: &str, known: &[&str], replaceable: bool) -> Diagnostic {
    let shown = given.escape_debug();
    let message = format!("no file of the policy declares a capability `{shown}`");
    let diagnostic = Diagnostic::error(CODE, site, message, "unknown capability")
        .with_note("effects and claims are declared once, in any file of the policy, with `capability(…)`");
    match closest(&given.to_lowercase(), known.iter().copied()) {
        None => diagnostic.with_help(format!("declare it: `capability(\"{shown}\")`")),
        meant => diagnostic.did_you_mean(meant, replaceable.then_some(quoted)),
    }
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn suggests_a_capability() {
        let known = ["command.git_push", "command.git_write"];
        let near = super::diagnostic(&site(), "command.git_psh", &known, true);
        assert_eq!(message(&near), "no file of the policy declares a capability `command.git_psh`");
        assert_eq!(near.fixes[0].edits[0].text, "\"command.git_push\"");
        let far = super::diagnostic(&site(), "fs.read", &known, true);
        assert_eq!(far.help.unwrap().text, "declare it: `capability(\"fs.read\")`");
    }
}
