//! An allow rule that a stricter one always beats.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};
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
    /// How many other rules it takes to match all that the allow rule matches.
    pub others: usize,
    /// Whether the allow rule is about every command that begins with its pattern, as an exception is.
    pub exceptable: bool,
}

/// The allow rule whose pattern, `pattern`, stands at `site` never decides, because of `stricter`.
#[must_use]
pub fn diagnostic(site: &Site, pattern: &str, stricter: &Stricter) -> Diagnostic {
    let Stricter { pattern: wider, decision, place, others, exceptable } = stricter;
    let message = match others {
        0 => format!("this rule never decides: `{wider}` at {place} matches all it matches, and is stricter"),
        1 => {
            format!("this rule never decides: `{wider}` at {place} and another match all it matches, and are stricter")
        }
        _ => format!(
            "this rule never decides: `{wider}` at {place} and {others} others match all it matches, and are stricter"
        ),
    };
    let label = if *others == 0 { format!("always `{decision}`") } else { "always stricter".to_owned() };
    Diagnostic::warning(CODE, site, message, label)
        .with_note("of all rules that match, the strictest wins, however short its pattern")
        .with_help(if *exceptable {
            format!("drop one of them, or except it there with whatever may follow: `unless = [{pattern}]`")
        } else {
            "drop one of them, or make the pattern of the stricter one longer; `unless` would except whatever follows, too"
                .to_owned()
        })
}

/// The same with what can be done: `dropped` takes the rule away, `excepted` excepts its commands from the stricter one.
#[must_use]
pub fn mended(diagnostic: Diagnostic, dropped: Option<Edit>, excepted: Option<Edit>) -> Diagnostic {
    diagnostic
        .with_fix(Fix::choice("drop this rule", dropped))
        .with_fix(Fix::choice("except its commands from the stricter rule", excepted))
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
            others: 0,
            exceptable: true,
        };
        let diagnostic = diagnostic(&site(), "[\"kubectl\", \"get\"]", &stricter);
        let expected = "this rule never decides: `[\"kubectl\"]` at a.rules:1 matches all it matches, and is stricter";
        assert_eq!(message(&diagnostic), expected);
    }
}
