//! A kind of value, operand or text that is not one.

use super::closest::{meant, quoted};
use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Site};

/// A kind of value, operand or text that is not one.
pub const CODE: Code = Code("unknown-kind");

/// The kind `given` at `site`, for `parameter`, is none of the `known` ones. `replaceable` says that a string literal
/// stands there.
#[must_use]
pub fn diagnostic(site: &Site, parameter: &str, given: &str, known: &[&str], replaceable: bool) -> Diagnostic {
    let shown = given.escape_debug();
    let diagnostic = Diagnostic::error(CODE, site, format!("`{shown}` is not a kind of `{parameter}`"), "unknown kind")
        .with_note(format!("`{parameter}` is {}", list(known, "or")));
    let meant = meant(given, known, |name| match name {
        "posix" | "script" | "text" => Some("shell"),
        "batch" => Some("cmd"),
        "argv" | "program" | "words" => Some("command"),
        "file" => Some("code"),
        "none" | "files" | "paths" => Some("data"),
        "variables" => Some("assignments"),
        "all" => Some("rest"),
        _ => None,
    });
    diagnostic.did_you_mean(meant, replaceable.then_some(quoted))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn suggests_a_kind() {
        let known = ["data", "command", "shell"];
        for (given, meant) in [("comand", "command"), ("Shell", "shell"), ("script", "shell")] {
            let diagnostic = super::diagnostic(&site(), "operands", given, &known, true);
            assert_eq!(message(&diagnostic), format!("`{given}` is not a kind of `operands`"));
            assert_eq!(diagnostic.fixes[0].edits[0].text, format!("\"{meant}\""));
        }
    }
}
