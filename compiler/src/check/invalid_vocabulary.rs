//! More capabilities than a policy can have.

use crate::diagnostics::{Code, Diagnostic, Site};

/// More capabilities than a policy can have.
pub const CODE: Code = Code("invalid-vocabulary");

/// The capability at `site` is one more than the `most` that a policy can have; `implied` is one that counts though
/// nothing declares it.
#[must_use]
pub fn too_many(site: &Site, most: usize, implied: Option<&str>) -> Diagnostic {
    let message = format!("the policy has more than {most} capabilities");
    let diagnostic = Diagnostic::error(CODE, site, message, "one too many")
        .with_help("declare effects as coarse as profiles tell them apart");
    match implied {
        Some(name) => diagnostic.with_note(format!("`{name}` counts as well, declared or not")),
        None => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_bound() {
        let diagnostic = super::too_many(&site(), 128, Some("a.b"));
        assert_eq!(message(&diagnostic), "the policy has more than 128 capabilities");
        assert_eq!(diagnostic.notes, ["`a.b` counts as well, declared or not"]);
    }
}
