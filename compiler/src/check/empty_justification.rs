//! A reason that says nothing.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// A reason that says nothing.
pub const CODE: Code = Code("empty-justification");

/// The justification at `site` is blank; `left_out` takes it out of the call.
#[must_use]
pub fn diagnostic(site: &Site, left_out: Option<Edit>) -> Diagnostic {
    Diagnostic::error(CODE, site, "the justification is blank", "says nothing")
        .with_note("the justification is shown to whoever is asked or refused")
        .with_help("say why in a sentence, or leave `justification` out")
        .with_fix(Fix::sure("leave `justification` out", left_out))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn stands_alone() {
        assert_eq!(message(&super::diagnostic(&site(), None)), "the justification is blank");
    }
}
