//! A tool that is declared twice.

use crate::diagnostics::{Code, Diagnostic, Site};
use crate::source::{SourceFile, Span};

/// A tool that is declared twice.
pub const CODE: Code = Code("duplicate-tool");

/// The tool `name` is declared again at `site`; `first` is where it was before.
#[must_use]
pub fn diagnostic(site: &Site, name: &str, first: (SourceFile, Span)) -> Diagnostic {
    let message = format!("the tool `{}` is declared twice", name.escape_debug());
    let diagnostic = Diagnostic::error(CODE, site, message, "declared again here")
        .with_note("a declaration does not replace another: what a tool does is said once")
        .with_help("say all there is to say of a tool in one `tool(…)`");
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
    fn names_the_tool() {
        let first = (site().file, crate::source::Span::new(1, 2));
        let diagnostic = super::diagnostic(&site(), "a", first);
        assert_eq!(message(&diagnostic), "the tool `a` is declared twice");
        assert_eq!(diagnostic.labels.len(), 1);
    }
}
