//! A `load` of a file that does not exist.

use super::closest::closest;
use crate::diagnostics::{Code, Diagnostic, Fix, Site};
use crate::syntax::literal;

/// A `load` of a file that does not exist.
pub const CODE: Code = Code("unknown-module");

/// The path at `site` names `label`, and there is no such file; `labels` are those that there are, and `path` is
/// how one of them is written there.
#[must_use]
pub fn diagnostic<'a>(
    site: &Site,
    label: &str,
    labels: impl IntoIterator<Item = &'a str>,
    path: impl FnOnce(&str) -> String,
) -> Diagnostic {
    let diagnostic = Diagnostic::error(CODE, site, format!("there is no file `{label}` to load"), "not found");
    let meant = closest(label, labels);
    let edit = meant.map(|meant| diagnostic.replacing(literal::written(&path(meant))));
    let title = meant.map(|meant| format!("load `{meant}`")).unwrap_or_default();
    diagnostic.did_you_mean(meant, None).with_fix(Fix::sure(title, edit))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_file() {
        let diagnostic = super::diagnostic(&site(), "@std//gti.rules", ["@std//git.rules"], str::to_owned);
        assert_eq!(message(&diagnostic), "there is no file `@std//gti.rules` to load");
        assert_eq!(diagnostic.help.unwrap().text, "did you mean `@std//git.rules`?");
    }
}
