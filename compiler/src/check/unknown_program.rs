//! A declaration that adds to a program which nothing declares.

use super::closest::closest;
use crate::diagnostics::{Code, Diagnostic, Site};

/// A declaration that adds to a program which nothing declares.
pub const CODE: Code = Code("unknown-program");

/// The declaration of `name`, whose path stands at `site`, inherits from one that is not there; `known` are those that are.
#[must_use]
pub fn diagnostic<'a>(site: &Site, name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let message = format!("nothing is declared of `{}` that this could inherit", name.escape_debug());
    let diagnostic = Diagnostic::warning(CODE, site, message, "has no effect");
    match closest(name, known) {
        Some(meant) => diagnostic.with_help(format!("did you mean `{}`?", meant.escape_debug())),
        None => diagnostic.with_help("leave `inherit` out, and say what its operands are"),
    }
}

#[cfg(test)]
mod tests {
    use super::diagnostic;
    use crate::check::testing::{message, site};

    #[test]
    fn names_what_was_meant() {
        let diagnostic = diagnostic(&site(), "kubctl", ["kubectl", "helm"]);
        assert_eq!(message(&diagnostic), "nothing is declared of `kubctl` that this could inherit");
        assert_eq!(diagnostic.help.unwrap().text, "did you mean `kubectl`?");
    }
}
