//! A file or folder that cannot be read.

use crate::diagnostics::{Code, Diagnostic, Site};
use crate::source::{SourceFile, Span};

/// A file or folder that cannot be read.
pub const CODE: Code = Code("unreachable-file");

/// `label`, for which `file` stands, cannot be read; `reason` is the system's, without the label.
#[must_use]
pub fn diagnostic(file: SourceFile, label: &str, reason: &str) -> Diagnostic {
    let site = Site::new(file, Span::default());
    Diagnostic::error(CODE, &site, format!("cannot read `{label}`"), "").with_note(reason)
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn tells_the_system_s_reason() {
        let diagnostic = super::diagnostic(site().file, "a.rules", "permission denied");
        assert_eq!(message(&diagnostic), "cannot read `a.rules`");
        assert_eq!(diagnostic.notes, ["permission denied"]);
    }
}
