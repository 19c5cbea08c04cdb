//! A condition of a rule that means nothing, or never holds.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};
use crate::rules::Decision;

/// A condition of a rule that means nothing, or never holds.
pub const CODE: Code = Code("invalid-condition");

/// The matcher at `site` stands in a rule whose words are compared under canonical matching.
#[must_use]
pub fn canonical(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "a rule with `canonical_matching` is made of words alone", "more than one word")
        .with_note("only words are compared without letter case and the composition of accents")
        .with_help("make two rules: one with `canonical_matching`, one with this")
}

/// `keyword` at `site` widens what an allowed command may do, and the rule's decision is `decision`.
/// `left_out` takes it out of the call.
#[must_use]
pub fn restrictive(site: &Site, keyword: &str, decision: Decision, left_out: Option<Edit>) -> Diagnostic {
    let message = format!("`{keyword}` means nothing in a rule whose decision is `{decision}`");
    Diagnostic::error(CODE, site, message, "only for `allow`")
        .with_note("a rule that restricts does so whatever environment and redirects its command has")
        .with_help(format!("drop `{keyword}`"))
        .with_fix(Fix::sure(format!("drop `{keyword}`"), left_out))
}

/// `keyword` at `site` is about further words, and `exact` says that there are none. `without_it` takes
/// the keyword out of the call, `without_exact` the other.
#[must_use]
pub fn exact(site: &Site, keyword: &str, without_it: Option<Edit>, without_exact: Option<Edit>) -> Diagnostic {
    let message = format!("`{keyword}` is about words after the pattern, and `exact` says that there are none");
    let consequence = if keyword == "having" { "can never hold" } else { "always holds" };
    Diagnostic::error(CODE, site, message, consequence)
        .with_help(format!("drop `exact` or `{keyword}`"))
        .with_fix(Fix::choice(format!("drop `{keyword}`"), without_it))
        .with_fix(Fix::choice("drop `exact`", without_exact))
}

/// The word `word`, at `site` in `without`, is one that `having` asks for; `dropped` takes it away.
#[must_use]
pub fn contradiction(site: &Site, word: &str, dropped: Option<Edit>) -> Diagnostic {
    let message = format!("`having` and `without` are both about {word}, so that the rule matches nothing");
    Diagnostic::error(CODE, site, message, "`having` asks for it")
        .with_fix(Fix::choice("drop it from `without`", dropped))
}

/// No command can match both the rule's pattern and the exception at `site`; `dropped` takes it away.
#[must_use]
pub fn apart(site: &Site, pattern: &str, dropped: Option<Edit>) -> Diagnostic {
    Diagnostic::error(CODE, site, "an exception of `unless` excepts nothing", "no command of the rule is like this")
        .with_note(format!("the rule's pattern is `{pattern}`"))
        .with_help("an exception is the pattern of a whole command, from its first word")
        .with_fix(Fix::choice("drop the exception", dropped))
}

/// Every command that matches the rule's pattern is excepted at `site`; `dropped` takes the exception away.
#[must_use]
pub fn everything(site: &Site, pattern: &str, dropped: Option<Edit>) -> Diagnostic {
    Diagnostic::error(CODE, site, "an exception of `unless` excepts every command of the rule", "nothing is left")
        .with_note(format!("the rule's pattern is `{pattern}`"))
        .with_help("make the exception longer than the rule's pattern")
        .with_fix(Fix::choice("drop the exception", dropped))
}

/// `paths_from` of a `command` at `site` is not a number of operands.
#[must_use]
pub fn paths_from(site: &Site) -> Diagnostic {
    let message = "`paths_from` of `command` is not a number of operands";
    Diagnostic::error(CODE, site, message, "less than none, or far too many")
        .with_help("`paths_from = 0` says that every operand is a path, `paths_from = 1` that all but the first are")
}

#[cfg(test)]
mod tests {
    use super::{apart, canonical, contradiction, everything, exact, restrictive};
    use crate::check::testing::{message, site};
    use crate::rules::Decision;

    #[test]
    fn says_what_does_not_go_together() {
        assert_eq!(message(&canonical(&site())), "a rule with `canonical_matching` is made of words alone");
        assert_eq!(
            message(&restrictive(&site(), "env", Decision::Prompt, None)),
            "`env` means nothing in a rule whose decision is `prompt`"
        );
        assert_eq!(exact(&site(), "having", None, None).primary.text, "can never hold");
        assert!(
            message(&contradiction(&site(), "`\"-f\"`", None)).starts_with("`having` and `without` are both about")
        );
        assert_eq!(message(&apart(&site(), "[]", None)), "an exception of `unless` excepts nothing");
        assert_eq!(
            message(&everything(&site(), "[]", None)),
            "an exception of `unless` excepts every command of the rule"
        );
    }
}
