//! An argument of the wrong type.

use crate::diagnostics::{Code, Diagnostic, Site};

/// An argument of the wrong type.
pub const CODE: Code = Code("invalid-type");

/// `parameter` of `builtin`, at `site`, must be `expected` (such as "a list") and is `found`.
#[must_use]
pub fn argument(site: &Site, builtin: &str, parameter: &str, expected: &str, found: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        CODE,
        site,
        format!("`{parameter}` of `{builtin}` must be {expected}, not {found}"),
        format!("this is {found}"),
    );
    match (found, expected) {
        ("`None`", _) => diagnostic.with_help(format!("leave `{parameter}` out")),
        ("a string", "a list") => diagnostic.with_help("put the string into brackets: `[…]`"),
        ("a tuple", "a list") => diagnostic.with_help("use `[…]` instead of `(…)`"),
        (_, "a boolean") => diagnostic.with_help("write `True` or `False`"),
        _ => diagnostic,
    }
}

/// `what` (such as "a path of `host_executable`"), at `site`, is `found` where `expected` must stand.
#[must_use]
pub fn item(site: &Site, what: &str, expected: &str, found: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(CODE, site, format!("{what} must be {expected}, not {found}"), format!("this is {found}"));
    match (what, found) {
        ("a pattern of `unless`", "a string") => {
            diagnostic.with_help("put the words of each pattern into brackets: `[[…], […]]`")
        }
        ("an item of `options`", "a string") => {
            diagnostic.with_help("write `option(…)` around the names of each option")
        }
        _ => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::{argument, item};
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_was_expected() {
        let none = argument(&site(), "prefix_rule", "decision", "a string", "`None`");
        assert_eq!(message(&none), "`decision` of `prefix_rule` must be a string, not `None`");
        assert_eq!(none.help.unwrap().text, "leave `decision` out");
        assert_eq!(
            message(&item(&site(), "a path of `host_executable`", "a string", "a number")),
            "a path of `host_executable` must be a string, not a number"
        );
    }
}
