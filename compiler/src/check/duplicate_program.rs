//! A program that a file declares twice.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};
use crate::source::{SourceFile, Span};

/// A program that a file declares twice.
pub const CODE: Code = Code("duplicate-program");

/// The program `path` is declared again at `site`; `first` is where it was before. `gone` takes this
/// declaration away, which says the same.
#[must_use]
pub fn diagnostic(site: &Site, path: &str, first: (SourceFile, Span), gone: Option<Edit>) -> Diagnostic {
    let message = format!("the program `{}` is declared twice", path.escape_debug());
    let diagnostic = Diagnostic::error(CODE, site, message, "declared again here")
        .with_note("a program's declaration replaces an earlier one, options and all")
        .with_help("say all there is to say of a program in one `program(…)`")
        .with_fix(Fix::sure("drop the second one, which says the same", gone));
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
    fn names_the_program() {
        let first = (site().file, crate::source::Span::new(1, 2));
        let diagnostic = super::diagnostic(&site(), "git fetch", first, None);
        assert_eq!(message(&diagnostic), "the program `git fetch` is declared twice");
    }
}
