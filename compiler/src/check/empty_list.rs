//! A list that must name something and is empty.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// A list that must name something and is empty.
pub const CODE: Code = Code("empty-list");

/// The list at `site`, given for `parameter` of `builtin`, is empty; `gone` takes it, or the call,
/// away.
#[must_use]
pub fn diagnostic(site: &Site, builtin: &str, parameter: &str, gone: Option<Edit>) -> Diagnostic {
    let message = format!("`{parameter}` of `{builtin}` is an empty list");
    let (help, title) = match builtin {
        "option" => (format!("list what `{parameter}` is about, or leave it out"), format!("leave `{parameter}` out")),
        _ => ("list something, or drop the call".to_owned(), "drop the call".to_owned()),
    };
    Diagnostic::error(CODE, site, message, "names nothing").with_help(help).with_fix(Fix::sure(title, gone))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_parameter() {
        assert_eq!(
            message(&super::diagnostic(&site(), "option", "until", None)),
            "`until` of `option` is an empty list"
        );
    }
}
