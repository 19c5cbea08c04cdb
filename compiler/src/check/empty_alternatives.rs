//! An element without a word.

use crate::diagnostics::{Code, Diagnostic, Site};

/// An element without a word.
pub const CODE: Code = Code("empty-alternatives");

/// The list of alternatives at `site` is empty.
#[must_use]
pub fn diagnostic(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "a list of alternatives is empty", "no word can stand here")
        .with_note("an element that no word can match makes a rule that no command can match")
        .with_help("list the words that may stand in this place, or drop the element")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn stands_alone() {
        assert_eq!(message(&super::diagnostic(&site())), "a list of alternatives is empty");
    }
}
