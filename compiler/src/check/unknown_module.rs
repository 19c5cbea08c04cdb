//! A `load` of a file that does not exist.

use super::closest::closest;
use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Fix, Site};
use crate::shipped::PREFIX;
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
    let labels: Vec<&str> = labels.into_iter().collect();
    let named = labels.iter().copied().find(|known| known.strip_suffix(".rules") == Some(label));
    let diagnostic = Diagnostic::error(CODE, site, format!("there is no file `{label}` to load"), "not found");
    let meant = named.or_else(|| closest(label, labels.iter().copied()));
    if meant.is_none() && label.starts_with(PREFIX) {
        let own = labels.iter().filter_map(|label| label.strip_prefix(PREFIX)).filter(|file| !file.contains('/'));
        return diagnostic.with_help(format!("what is shipped is {}", list(&own.collect::<Vec<_>>(), "and")));
    }
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
        let short = super::diagnostic(&site(), "@std//rm", ["@std//git.rules", "@std//rm.rules"], str::to_owned);
        assert_eq!(short.help.unwrap().text, "did you mean `@std//rm.rules`?");
        let other =
            super::diagnostic(&site(), "@std//files.rules", ["@std//git.rules", "@std//rm.rules"], str::to_owned);
        assert_eq!(other.help.unwrap().text, "what is shipped is `git.rules` and `rm.rules`");
    }
}
