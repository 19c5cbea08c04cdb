//! An argument of the wrong type.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// An argument of the wrong type.
pub const CODE: Code = Code("invalid-type");

/// `parameter` of `builtin`, at `site`, must be `expected` (such as "a list") and is `found`; `edits` make it so.
#[must_use]
pub fn argument(
    site: &Site,
    builtin: &str,
    parameter: &str,
    expected: &str,
    found: &str,
    edits: Vec<Edit>,
) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        CODE,
        site,
        format!("`{parameter}` of `{builtin}` must be {expected}, not {found}"),
        format!("this is {found}"),
    );
    let (help, title) = match (found, expected) {
        ("`None`", _) => (format!("leave `{parameter}` out"), format!("leave `{parameter}` out")),
        ("a string", "a list") => {
            let title =
                if parameter == "pattern" { "make a list of its words" } else { "put the string into brackets" };
            ("put the string into brackets: `[…]`".to_owned(), title.to_owned())
        }
        ("a tuple", expected) if expected.contains("a list") => {
            ("use `[…]` instead of `(…)`".to_owned(), "make it a list".to_owned())
        }
        (_, "a boolean") => {
            let meant = edits.first().map(|edit| format!("write `{}`", edit.text)).unwrap_or_default();
            ("write `True` or `False`".to_owned(), meant)
        }
        _ => return diagnostic,
    };
    diagnostic.with_help(help).with_fix(Fix::sure(title, edits))
}

/// `what` (such as "a path of `host_executable`"), at `site`, is `found` where `expected` must stand;
/// `edits` make it so.
#[must_use]
pub fn item(site: &Site, what: &str, expected: &str, found: &str, edits: Vec<Edit>) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(CODE, site, format!("{what} must be {expected}, not {found}"), format!("this is {found}"));
    match (what, found) {
        ("a pattern of `unless`", "a string") => {
            let diagnostic = diagnostic.with_help("put the words of each pattern into brackets: `[[…], […]]`");
            diagnostic.with_fix(Fix::sure("put the words into brackets", edits))
        }
        ("an item of `options`", "a string") => {
            let diagnostic = diagnostic.with_help("write `option(…)` around the names of each option");
            diagnostic.with_fix(Fix::sure("write `option(…)` around it", edits))
        }
        (_, "a tuple") => diagnostic.with_fix(Fix::sure("make it a list", edits)),
        _ => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::{argument, item};
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_was_expected() {
        let none = argument(&site(), "prefix_rule", "decision", "a string", "`None`", Vec::new());
        assert_eq!(message(&none), "`decision` of `prefix_rule` must be a string, not `None`");
        assert_eq!(none.help.unwrap().text, "leave `decision` out");
        assert_eq!(
            message(&item(&site(), "a path of `host_executable`", "a string", "a number", Vec::new())),
            "a path of `host_executable` must be a string, not a number"
        );
    }
}
