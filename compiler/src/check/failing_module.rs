//! A loaded file that has mistakes of its own.

use crate::diagnostics::{Code, Diagnostic, Site};
use crate::source::{SourceFile, Span};

/// A loaded file that has mistakes of its own.
pub const CODE: Code = Code("failing-module");

/// The file loaded as `path` at `site` has mistakes; the first of them stands at `first`.
#[must_use]
pub fn diagnostic(site: &Site, path: &str, first: (SourceFile, Span)) -> Diagnostic {
    let (file, span) = first;
    Diagnostic::error(CODE, site, format!("cannot load `{path}`: it has mistakes"), "loaded here")
        .with_label(file, span, "the first mistake is here")
        .with_help("mend the loaded file first")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn points_at_the_first_mistake() {
        let site = site();
        let diagnostic = super::diagnostic(&site, "./a.rules", (site.file, site.span));
        assert_eq!(message(&diagnostic), "cannot load `./a.rules`: it has mistakes");
        assert_eq!(diagnostic.labels.len(), 1);
    }
}
