//! Text that is not Starlark.

use crate::diagnostics::{Code, Diagnostic, Site};
use crate::syntax::statements::{Fault, FaultKind};

/// Text that is not Starlark.
pub const CODE: Code = Code("invalid-syntax");

/// The text at `site` cannot stand there; `reason` is the parser's own sentence.
#[must_use]
pub fn unparsed(site: &Site, reason: &str) -> Diagnostic {
    let reason = reason.strip_prefix("Parse error: ").unwrap_or(reason);
    let mut lines = reason.lines();
    let message = lines.next().unwrap_or("this is not Starlark").trim_end_matches('.');
    let diagnostic = Diagnostic::error(CODE, site, message, "");
    match message {
        "tabs are not allowed" => diagnostic.with_help("use spaces"),
        "incorrect indentation" => diagnostic.with_help("indent the line like the block that it belongs to"),
        "cannot use reserved keyword `while`" => {
            diagnostic.with_help("loop with `for … in range(…)`: a policy always comes to an end")
        }
        _ => diagnostic,
    }
}

/// The token of `fault`, which stands at `site`, has no partner; `token` is its text.
#[must_use]
pub fn unbalanced(site: &Site, fault: Fault, token: &str) -> Diagnostic {
    match fault.kind {
        FaultKind::Unclosed => Diagnostic::error(CODE, site, format!("`{token}` is never closed"), "opened here"),
        FaultKind::Unopened => {
            Diagnostic::error(CODE, site, format!("`{token}` closes nothing"), "nothing is open here")
        }
        FaultKind::Mismatched(open) => {
            Diagnostic::error(CODE, site, format!("`{token}` closes a bracket of another kind"), "closed here")
                .with_label(site.file, open, "opened here")
        }
        FaultKind::UnclosedString => {
            Diagnostic::error(CODE, site, "a string is never closed", "the string begins here")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{unbalanced, unparsed};
    use crate::check::testing::{message, site};
    use crate::syntax::statements::{Fault, FaultKind};

    #[test]
    fn the_parser_s_sentence_becomes_a_message() {
        let tabs = unparsed(&site(), "Parse error: tabs are not allowed");
        assert_eq!(message(&tabs), "tabs are not allowed");
        assert_eq!(tabs.help.unwrap().text, "use spaces");
    }

    #[test]
    fn an_unclosed_bracket_is_named() {
        let site = site();
        let fault = Fault { kind: FaultKind::Unclosed, span: site.span };
        assert_eq!(message(&unbalanced(&site, fault, "(")), "`(` is never closed");
    }
}
