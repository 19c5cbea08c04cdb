//! An allow rule that a stricter one always beats.

use crate::diagnostics::{Code, Diagnostic, Site};
use crate::rules::Decision;

/// An allow rule that a stricter one always beats.
pub const CODE: Code = Code("shadowed-rule");

/// The rule that wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stricter {
    /// Its pattern, as an author would write it.
    pub pattern: String,
    /// What it decides.
    pub decision: Decision,
    /// Where it stands, as `file:line`.
    pub place: String,
}

/// The allow rule whose pattern, `pattern`, stands at `site` never decides, because of `stricter`.
#[must_use]
pub fn diagnostic(site: &Site, pattern: &str, stricter: &Stricter) -> Diagnostic {
    let Stricter { pattern: wider, decision, place } = stricter;
    let message = format!("this rule never decides: `{wider}` at {place} matches all it matches, and is stricter");
    Diagnostic::warning(CODE, site, message, format!("always `{decision}`"))
        .with_note("of all rules that match, the strictest wins, however short its pattern")
        .with_help(format!("drop one of them, or except the command there: `unless = [{pattern}]`"))
}

#[cfg(test)]
mod tests {
    use super::{Stricter, diagnostic};
    use crate::check::testing::{message, site};
    use crate::rules::Decision;

    #[test]
    fn names_the_stricter_rule() {
        let stricter = Stricter {
            pattern: "[\"kubectl\"]".to_owned(),
            decision: Decision::Forbidden,
            place: "a.rules:1".to_owned(),
        };
        let diagnostic = diagnostic(&site(), "[\"kubectl\", \"get\"]", &stricter);
        let expected = "this rule never decides: `[\"kubectl\"]` at a.rules:1 matches all it matches, and is stricter";
        assert_eq!(message(&diagnostic), expected);
    }
}
