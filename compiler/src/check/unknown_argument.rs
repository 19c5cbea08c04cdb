//! A keyword that a builtin does not have.

use super::closest::{bare, closest};
use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// A keyword that a builtin does not have.
pub const CODE: Code = Code("unknown-argument");

/// The keyword `given` at `site` is none of the `known` ones of `builtin`. `replaceable` says that the keyword is what stands
/// there, and `left_out` takes it out of the call.
#[must_use]
pub fn diagnostic(
    site: &Site,
    builtin: &str,
    given: &str,
    known: &[&str],
    replaceable: bool,
    left_out: Option<Edit>,
) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(CODE, site, format!("`{builtin}` has no argument `{given}`"), "unknown argument")
            .with_note(format!("`{builtin}` takes {}", list(known, "and")));
    let meant = match given {
        "reason" | "message" | "why" | "comment" => Some("justification"),
        "effect" | "action" | "verdict" => Some("decision"),
        "command" | "prefix" => Some("pattern"),
        "except" | "exceptions" | "exclude" => Some("unless"),
        "exactly" | "only" | "full" => Some("exact"),
        "contains" | "including" | "requires" => Some("having"),
        "excluding" | "lacking" => Some("without"),
        "environment" | "variables" => Some("env"),
        "redirects" | "outputs" => Some("writes"),
        "examples" | "matches" => Some("match"),
        "run" | "executes" => Some("runs"),
        "inherits" | "extend" | "adds" => Some("inherit"),
        _ => None,
    };
    let meant = meant.filter(|name| known.contains(name)).or_else(|| closest(given, known.iter().copied()));
    let diagnostic = match meant {
        Some(_) => diagnostic.did_you_mean(meant, replaceable.then_some(bare)),
        None => {
            diagnostic.with_help(format!("leave `{given}` out: what no engine reads would only look like protection"))
        }
    };
    diagnostic.with_fix(Fix::choice(format!("leave `{given}` out"), left_out))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn suggests_what_was_meant() {
        let known = ["pattern", "justification"];
        let diagnostic = super::diagnostic(&site(), "prefix_rule", "patern", &known, true, None);
        assert_eq!(message(&diagnostic), "`prefix_rule` has no argument `patern`");
        assert_eq!(diagnostic.fixes[0].edits[0].text, "pattern");
        let reason = super::diagnostic(&site(), "prefix_rule", "reason", &known, false, None);
        assert_eq!(reason.help.unwrap().text, "did you mean `justification`?");
        let other = super::diagnostic(&site(), "prefix_rule", "unsafe_ok", &known, true, None);
        assert!(other.help.unwrap().text.starts_with("leave `unsafe_ok` out"));
    }
}
