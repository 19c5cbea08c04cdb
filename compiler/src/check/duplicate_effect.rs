//! A capability that one list names twice.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A capability that one list names twice.
pub const CODE: Code = Code("duplicate-effect");

/// The capability `name` stands in the list of `parameter` once more at `site`.
#[must_use]
pub fn diagnostic(site: &Site, name: &str, parameter: &str) -> Diagnostic {
    let message = format!("`{parameter}` names `{}` twice", name.escape_debug());
    Diagnostic::error(CODE, site, message, "named before").with_help("drop it, or write what was meant")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_capability() {
        assert_eq!(message(&super::diagnostic(&site(), "fs.read", "allow")), "`allow` names `fs.read` twice");
    }
}
