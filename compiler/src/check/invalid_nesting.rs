//! Text that nests too deep to be read.

use crate::diagnostics::{Code, Diagnostic, Site};

/// Text that nests too deep to be read.
pub const CODE: Code = Code("invalid-nesting");

/// The level at `site` is deeper than `most`.
#[must_use]
pub fn diagnostic(site: &Site, most: u32) -> Diagnostic {
    Diagnostic::error(
        CODE,
        site,
        format!("nested more than {most} levels deep"),
        format!("level {} begins here", most + 1),
    )
    .with_note("brackets, indented blocks, `elif`s of one chain and operators of one expression are levels")
    .with_help("give a part of the expression a name, or use a list and a loop")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_bound() {
        assert_eq!(message(&super::diagnostic(&site(), 9)), "nested more than 9 levels deep");
    }
}
