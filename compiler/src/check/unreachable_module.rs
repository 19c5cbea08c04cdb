//! A `load` of a file that cannot be read.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A `load` of a file that cannot be read.
pub const CODE: Code = Code("unreachable-module");

/// The path at `site` names `label`, which cannot be read; `reason` is the system's, without the label.
#[must_use]
pub fn unreadable(site: &Site, label: &str, reason: &str) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("cannot read `{label}`"), "loaded here").with_note(reason)
}

/// The path at `site` names `label`, behind which a link leads out of the policy set.
#[must_use]
pub fn outside(site: &Site, label: &str) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("`{label}` is a link that leads out of the policy set"), "loaded here")
        .with_note("a policy loads only files below the folders that the policy set was made from")
}

#[cfg(test)]
mod tests {
    use super::{outside, unreadable};
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_file() {
        assert_eq!(message(&unreadable(&site(), "a.rules", "permission denied")), "cannot read `a.rules`");
        assert_eq!(message(&outside(&site(), "a.rules")), "`a.rules` is a link that leads out of the policy set");
    }
}
