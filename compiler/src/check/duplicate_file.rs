//! A policy file that is named twice.

use crate::diagnostics::{Code, Diagnostic, Site};
use crate::source::{SourceFile, Span};

/// A policy file that is named twice.
pub const CODE: Code = Code("duplicate-file");

/// `file`, known as `label`, is in the policy set already, there known as `first`.
#[must_use]
pub fn diagnostic(file: SourceFile, label: &str, first: &str) -> Diagnostic {
    let site = Site::new(file, Span::default());
    let diagnostic = Diagnostic::error(CODE, &site, format!("`{label}` is given twice"), "")
        .with_note("every rule of the file would be declared, and reported, twice")
        .with_help("name each file once");
    if first == label { diagnostic } else { diagnostic.with_note(format!("the file was first given as `{first}`")) }
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn another_spelling_is_told() {
        let diagnostic = super::diagnostic(site().file, "./a.rules", "a.rules");
        assert_eq!(message(&diagnostic), "`./a.rules` is given twice");
        assert_eq!(diagnostic.notes.last().unwrap(), "the file was first given as `a.rules`");
    }
}
