//! An option that a program is given twice.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};
use crate::source::{SourceFile, Span};

/// An option that a program is given twice.
pub const CODE: Code = Code("duplicate-option");

/// The option `name` is declared again at `site`; `first` is where it was before. `dropped` takes the second
/// one away, if both are names of one `option(…)`.
#[must_use]
pub fn diagnostic(site: &Site, name: &str, first: (SourceFile, Span), dropped: Option<Edit>) -> Diagnostic {
    let message = format!("the option `{}` is declared twice", name.escape_debug());
    let diagnostic = Diagnostic::error(CODE, site, message, "declared again here");
    if first.1 == site.span { diagnostic } else { diagnostic.with_label(first.0, first.1, "first declared here") }
        .with_help("say all there is to say of an option in one `option(…)`")
        .with_fix(Fix::sure("drop the second one", dropped))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_option() {
        let first = (site().file, crate::source::Span::new(1, 2));
        let diagnostic = super::diagnostic(&site(), "-C", first, None);
        assert_eq!(message(&diagnostic), "the option `-C` is declared twice");
        assert_eq!(diagnostic.labels.len(), 1);
    }
}
