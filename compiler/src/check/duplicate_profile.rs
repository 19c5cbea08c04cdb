//! A profile that is declared twice.

use crate::diagnostics::{Code, Diagnostic, Site};
use crate::source::{SourceFile, Span};

/// A profile that is declared twice.
pub const CODE: Code = Code("duplicate-profile");

/// The profile `name` is declared again at `site`; `first` is where it was before.
#[must_use]
pub fn diagnostic(site: &Site, name: &str, first: (SourceFile, Span)) -> Diagnostic {
    let message = format!("the profile `{}` is declared twice", name.escape_debug());
    let diagnostic = Diagnostic::error(CODE, site, message, "declared again here")
        .with_note("a declaration does not replace another: what a profile permits is said once")
        .with_help("choose another name, or drop one of them");
    if first == (site.file, site.span) {
        diagnostic
    } else {
        diagnostic.with_label(first.0, first.1, "first declared here")
    }
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_profile() {
        let first = (site().file, crate::source::Span::new(1, 2));
        let diagnostic = super::diagnostic(&site(), "a", first);
        assert_eq!(message(&diagnostic), "the profile `a` is declared twice");
        assert_eq!(diagnostic.labels.len(), 1);
    }
}
