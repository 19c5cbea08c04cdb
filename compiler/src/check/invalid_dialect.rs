//! A use of the language beyond the dialect that is asked for.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A use of the language beyond the dialect that is asked for.
pub const CODE: Code = Code("invalid-dialect");

/// The builtin `name` at `site` is none of the reference dialect's.
#[must_use]
pub fn builtin(site: &Site, name: &str) -> Diagnostic {
    extension(site, &format!("`{name}`"), "unknown there")
}

/// The keyword `name` of `prefix_rule` at `site` is none of the reference dialect's.
#[must_use]
pub fn keyword(site: &Site, name: &str) -> Diagnostic {
    extension(site, &format!("`{name}` of `prefix_rule`"), "unknown there")
}

/// The path at `site` is loaded, which the reference dialect does not know.
#[must_use]
pub fn load(site: &Site) -> Diagnostic {
    extension(site, "`load`", "cannot be loaded there")
}

fn extension(site: &Site, what: &str, label: &str) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("the dialect `codex` does not have {what}"), label)
        .with_note("the reference engine refuses a file that uses it")
}

#[cfg(test)]
mod tests {
    use super::{builtin, keyword, load};
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_extension() {
        assert_eq!(message(&builtin(&site(), "glob")), "the dialect `codex` does not have `glob`");
        assert_eq!(message(&keyword(&site(), "env")), "the dialect `codex` does not have `env` of `prefix_rule`");
        assert_eq!(message(&load(&site())), "the dialect `codex` does not have `load`");
    }
}
