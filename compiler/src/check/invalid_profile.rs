//! A profile that contradicts itself.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A profile that contradicts itself.
pub const CODE: Code = Code("invalid-profile");

/// The profile `name` lists the effect at `site` both in `allow` and in `prompt`.
#[must_use]
pub fn both(site: &Site, name: &str, effect: &str) -> Diagnostic {
    let (name, effect) = (name.escape_debug(), effect.escape_debug());
    let message = format!("the profile `{name}` both allows `{effect}` and asks about it");
    Diagnostic::error(CODE, site, message, "is in `allow` as well").with_help("leave it in one of the lists")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_profile_and_effect() {
        assert_eq!(
            message(&super::both(&site(), "verify", "fs.read")),
            "the profile `verify` both allows `fs.read` and asks about it"
        );
    }
}
