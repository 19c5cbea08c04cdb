//! A list that must name something and is empty.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A list that must name something and is empty.
pub const CODE: Code = Code("empty-list");

/// The list at `site`, given for `parameter` of `builtin`, is empty.
#[must_use]
pub fn diagnostic(site: &Site, builtin: &str, parameter: &str) -> Diagnostic {
    let message = format!("`{parameter}` of `{builtin}` is an empty list");
    Diagnostic::error(CODE, site, message, "names nothing").with_help(match builtin {
        "option" => format!("list what `{parameter}` is about, or leave it out"),
        _ => "list something, or drop the call".to_owned(),
    })
}

/// The exception of `unless` at `site` asks nothing of a call.
#[must_use]
pub fn exception(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "an exception of `unless` asks nothing of a call", "excepts every call")
        .with_help("write what the arguments are of calls that the rule is not about")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_parameter() {
        assert_eq!(message(&super::diagnostic(&site(), "option", "until")), "`until` of `option` is an empty list");
        assert_eq!(message(&super::exception(&site())), "an exception of `unless` asks nothing of a call");
    }
}
