//! Limits of grants that are none.

use crate::diagnostics::{Code, Diagnostic, Site};

/// Limits of grants that are none.
pub const CODE: Code = Code("invalid-grant");

/// The time `given` at `site` cannot be read.
#[must_use]
pub fn time(site: &Site, given: &str) -> Diagnostic {
    let message = format!("`{}` is not a time that a grant can last", given.escape_debug());
    Diagnostic::error(CODE, site, message, "not a time")
        .with_note("a time is a number above 0 and its unit: `s`, `m`, `h` or `d`, as in `12h`")
}

/// The time `given` at `site` is longer than seven days.
#[must_use]
pub fn too_long(site: &Site, given: &str) -> Diagnostic {
    let message = format!("no grant can last `{}`", given.escape_debug());
    Diagnostic::error(CODE, site, message, "longer than 7d").with_help("write `\"7d\"` or less")
}

/// `max_open` at `site` is not a number of grants.
#[must_use]
pub fn open(site: &Site) -> Diagnostic {
    Diagnostic::error(
        CODE,
        site,
        "`max_open` of `grants` is not a number of requests",
        "less than none, or far too many",
    )
}

/// A name in `reserved` at `site` is blank.
#[must_use]
pub fn reserved(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "a name in `reserved` of `grants` is blank", "names nobody")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(message(&super::time(&site(), "soon")), "`soon` is not a time that a grant can last");
        assert_eq!(message(&super::too_long(&site(), "8d")), "no grant can last `8d`");
        assert_eq!(message(&super::open(&site())), "`max_open` of `grants` is not a number of requests");
        assert_eq!(message(&super::reserved(&site())), "a name in `reserved` of `grants` is blank");
    }
}
