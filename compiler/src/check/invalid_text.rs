//! A file that is not plain text.

use crate::diagnostics::{Code, Diagnostic, Site};
use crate::source::{SourceFile, Span};

/// A file that is not plain text.
pub const CODE: Code = Code("invalid-text");

/// The byte at `offset` of the file `label`, for which `file` stands, begins no UTF-8 character. `span` is where that is in
/// `file`'s text, which holds the file as far as it could be read.
#[must_use]
pub fn not_utf8(file: SourceFile, label: &str, offset: usize, span: Span) -> Diagnostic {
    Diagnostic::error(
        CODE,
        &Site::new(file, span),
        format!("`{label}` is not UTF-8 text"),
        format!("byte {offset} begins no character"),
    )
    .with_help("save the policy as UTF-8; a decision table is read with `--table`")
}

/// The file begins with a byte order mark, which stands at `site`.
#[must_use]
pub fn byte_order_mark(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "the file begins with a byte order mark", "invisible")
        .with_replacement("save the policy as UTF-8 without a byte order mark", "")
}

/// There is a NUL at `site`, outside every string and comment.
#[must_use]
pub fn nul(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "the file holds a NUL character", "invisible")
        .with_note("a policy is plain text; this file is most likely something else")
}

#[cfg(test)]
mod tests {
    use super::{byte_order_mark, not_utf8, nul};
    use crate::check::testing::{message, site};

    #[test]
    fn says_which_byte() {
        let site = site();
        let bytes = not_utf8(site.file, "a.rules", 7, site.span);
        assert_eq!(message(&bytes), "`a.rules` is not UTF-8 text");
        assert_eq!(bytes.primary.text, "byte 7 begins no character");
        assert_eq!(message(&byte_order_mark(&site)), "the file begins with a byte order mark");
        assert_eq!(message(&nul(&site)), "the file holds a NUL character");
    }
}
