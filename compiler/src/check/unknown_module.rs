//! A `load` of a file that does not exist.

use super::closest::closest;
use crate::diagnostics::{Code, Diagnostic, Site};

/// A `load` of a file that does not exist.
pub const CODE: Code = Code("unknown-module");

/// The path at `site` names `label`, and there is no such file; `labels` are those that there are.
#[must_use]
pub fn diagnostic<'a>(site: &Site, label: &str, labels: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("there is no file `{label}` to load"), "not found")
        .did_you_mean(closest(label, labels), None)
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_file() {
        let diagnostic = super::diagnostic(&site(), "@std//gti.rules", ["@std//git.rules"]);
        assert_eq!(message(&diagnostic), "there is no file `@std//gti.rules` to load");
        assert_eq!(diagnostic.help.unwrap().text, "did you mean `@std//git.rules`?");
    }
}
