//! A reason that says nothing.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A reason that says nothing.
pub const CODE: Code = Code("empty-justification");

/// The justification at `site` is blank.
#[must_use]
pub fn diagnostic(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "the justification is blank", "says nothing")
        .with_note("the justification is shown to whoever is asked or refused")
        .with_help("say why in a sentence, or leave `justification` out")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn stands_alone() {
        assert_eq!(message(&super::diagnostic(&site())), "the justification is blank");
    }
}
