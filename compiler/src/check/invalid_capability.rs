//! A capability that cannot be what is said of it, or cannot stand where it does.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A capability that cannot be what is said of it, or cannot stand where it does.
pub const CODE: Code = Code("invalid-capability");

/// The claim `name` stands among the effects of `parameter` of `builtin` at `site`.
#[must_use]
pub fn claim(site: &Site, name: &str, builtin: &str, parameter: &str) -> Diagnostic {
    let message = format!("`{name}` is a claim, which cannot stand in `{parameter}` of `{builtin}`");
    Diagnostic::error(CODE, site, message, "is no effect")
        .with_note("a claim is an attribute of requests: it exempts from facts, and never restricts or permits")
        .with_help("name an effect, or declare it without `claim = True`")
}

/// The effect `name` stands among claims, in `parameter` of `builtin` at `site`.
#[must_use]
pub fn effect(site: &Site, name: &str, builtin: &str, parameter: &str) -> Diagnostic {
    let message = format!("`{name}` is an effect, and `{parameter}` of `{builtin}` lists claims");
    Diagnostic::error(CODE, site, message, "is no claim")
        .with_help("declare a claim of its own: `capability(\"…\", claim = True)`")
}

/// A profile lists the effect of what is unknown at `site`.
#[must_use]
pub fn unknown_process(site: &Site, name: &str) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("no profile can list `{name}`"), "is always forbidden")
        .with_note("it is the effect of commands that nothing covers")
        .with_help("cover the commands that are meant with `command(…)`, and list their effects")
}

/// `keyword` at `site` says something of the capability `name` that cannot be, because `reason`.
#[must_use]
pub fn contradiction(site: &Site, name: &str, keyword: &str, reason: &str) -> Diagnostic {
    let message = format!("`{keyword}` cannot be said of `{}`: {reason}", name.escape_debug());
    Diagnostic::error(CODE, site, message, "contradicts what it is").with_help(format!("drop `{keyword}`"))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_does_not_go_together() {
        assert_eq!(
            message(&super::claim(&site(), "x", "command", "effects")),
            "`x` is a claim, which cannot stand in `effects` of `command`"
        );
        assert_eq!(
            message(&super::effect(&site(), "x", "tool", "claims")),
            "`x` is an effect, and `claims` of `tool` lists claims"
        );
        assert_eq!(message(&super::unknown_process(&site(), "a.b")), "no profile can list `a.b`");
        assert_eq!(
            message(&super::contradiction(&site(), "x", "access", "a claim does nothing")),
            "`access` cannot be said of `x`: a claim does nothing"
        );
    }
}
