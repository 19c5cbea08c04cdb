//! A name that nothing defines.

use super::closest::{bare, closest};
use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// A name that nothing defines.
pub const CODE: Code = Code("unknown-name");

/// The name `given` at `site` is not defined; `known` are those that are.
#[must_use]
pub fn undefined<'a>(site: &Site, given: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("`{given}` is not defined"), "unknown name")
        .did_you_mean(closest(given, known), Some(bare))
}

/// The name `given` at `site` is to be loaded from `label`, which does not define it but the names `known`.
/// `renamed` writes one of these in its place, wherever that is needed.
#[must_use]
pub fn not_exported<'a>(
    site: &Site,
    given: &str,
    label: &str,
    known: impl IntoIterator<Item = &'a str>,
    renamed: impl FnOnce(&str) -> Vec<Edit>,
) -> Diagnostic {
    let diagnostic = Diagnostic::error(CODE, site, format!("`{label}` does not define `{given}`"), "unknown name");
    if given.starts_with('_') {
        return diagnostic.with_note("a name that begins with `_` is private to its file");
    }
    let known: Vec<&str> = known.into_iter().filter(|name| !name.starts_with('_')).collect();
    let meant = closest(given, known.iter().copied());
    if meant.is_none() && !known.is_empty() {
        let shown: Vec<&str> = known.iter().copied().take(MOST_NAMES).collect();
        let more = if known.len() > shown.len() { ", and more" } else { "" };
        return diagnostic.with_help(format!("it defines {}{more}", list(&shown, "and")));
    }
    let edits = meant.map(renamed).unwrap_or_default();
    let title = meant.map(|meant| format!("write `{meant}`")).unwrap_or_default();
    diagnostic.did_you_mean(meant, None).with_fix(Fix::sure(title, edits))
}

/// How many names are listed.
const MOST_NAMES: usize = 8;

#[cfg(test)]
mod tests {
    use super::{not_exported, undefined};
    use crate::check::testing::{message, site};

    #[test]
    fn suggests_a_name() {
        let undefined = undefined(&site(), "READ_ONY", ["READ_ONLY", "prefix_rule"]);
        assert_eq!(message(&undefined), "`READ_ONY` is not defined");
        assert_eq!(undefined.fixes[0].edits[0].text, "READ_ONLY");
        let not_exported = not_exported(&site(), "READ_ONY", "a.rules", ["READ_ONLY"], |_| Vec::new());
        assert_eq!(message(&not_exported), "`a.rules` does not define `READ_ONY`");
        let other = super::not_exported(&site(), "X", "a.rules", ["READ_ONLY", "_OWN", "WRITES"], |_| Vec::new());
        assert_eq!(other.help.unwrap().text, "it defines `READ_ONLY` and `WRITES`");
    }
}
