//! A decision that is not one.

use super::closest::{meant, quoted};
use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Site};

/// A decision that is not one.
pub const CODE: Code = Code("unknown-decision");

/// The decision `given` at `site` is none of the `known` ones. `replaceable` says that a string literal stands there.
#[must_use]
pub fn diagnostic(site: &Site, given: &str, known: &[&str], replaceable: bool) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(CODE, site, format!("`{}` is not a decision", given.escape_debug()), "unknown decision")
            .with_note(format!("a decision is {}", list(known, "or")));
    let meant = meant(given, known, |name| match name {
        "deny" | "denied" | "block" | "forbid" | "reject" | "refuse" | "never" | "no" => Some("forbidden"),
        "ask" | "confirm" | "approve" | "prompt-user" | "review" => Some("prompt"),
        "accept" | "permit" | "allowed" | "ok" | "yes" => Some("allow"),
        _ => None,
    });
    diagnostic.did_you_mean(meant, replaceable.then_some(quoted))
}

/// Whether a word is how one may write down that nothing decides.
#[must_use]
pub fn is_none(given: &str) -> bool {
    matches!(given.trim().to_ascii_lowercase().as_str(), "none" | "null" | "nothing" | "undecided" | "no decision" | "")
}

/// A string at `site` stands where `None` is meant. `replaceable` says that a string literal stands there.
#[must_use]
pub fn none(site: &Site, replaceable: bool) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(CODE, site, "that nothing decides is written `None`, which is no string", "a string")
            .with_note("what is expected is `\"allow\"`, `\"prompt\"`, `\"forbidden\"` or `None`");
    if replaceable { diagnostic.with_replacement("write `None`", "None") } else { diagnostic.with_help("write `None`") }
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn suggests_what_other_tools_call_it() {
        let known = ["allow", "prompt", "forbidden"];
        for (given, meant) in [("deny", "forbidden"), ("ask", "prompt"), ("Allow", "allow"), ("promt", "prompt")] {
            let diagnostic = super::diagnostic(&site(), given, &known, true);
            assert_eq!(message(&diagnostic), format!("`{given}` is not a decision"));
            assert_eq!(diagnostic.fixes[0].edits[0].text, format!("\"{meant}\""));
        }
    }
}
