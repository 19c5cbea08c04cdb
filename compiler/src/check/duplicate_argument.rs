//! An argument that is given twice.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// An argument that is given twice.
pub const CODE: Code = Code("duplicate-argument");

/// `parameter` of `builtin` is given a second time at `site`; `left_out` takes it out of the call there.
#[must_use]
pub fn diagnostic(site: &Site, builtin: &str, parameter: &str, left_out: Option<Edit>) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("`{parameter}` is given twice to `{builtin}`"), "given again here")
        .with_help(format!("keep one `{parameter}`"))
        .with_fix(Fix::choice("keep the first", left_out))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_parameter() {
        let diagnostic = super::diagnostic(&site(), "prefix_rule", "pattern", None);
        assert_eq!(message(&diagnostic), "`pattern` is given twice to `prefix_rule`");
    }
}
