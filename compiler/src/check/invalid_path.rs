//! A program's path that cannot stand for its name.

use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Site};

/// A host executable's path that cannot stand for its name.
pub const CODE: Code = Code("invalid-path");

/// The path `given` at `site` is not absolute.
#[must_use]
pub fn relative(site: &Site, given: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(CODE, site, format!("`{given}` is not an absolute path"), "must begin with `/` or a drive");
    if given == "~" || given.starts_with("~/") {
        diagnostic.with_note("`~` is not expanded here: the policy does not know whose home it is")
    } else {
        diagnostic
    }
}

/// The path `given` at `site` ends in `base` (nothing for `/`), not in `name`.
#[must_use]
pub fn other_name(site: &Site, given: &str, base: Option<&str>, name: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        CODE,
        site,
        format!("`{given}` is not a path of `{name}`"),
        match base {
            Some(base) => format!("its last part is `{base}`"),
            None => "it has no last part".to_owned(),
        },
    )
    .with_note("names are compared exactly, letter case included");
    match base {
        Some(base) => diagnostic.with_help(format!("declare it with `host_executable(name = \"{base}\", …)`")),
        None => diagnostic,
    }
}

/// The path `given` at `site` ends in `base`, which is none of the `names` that the program goes by.
#[must_use]
pub fn other_program(site: &Site, given: &str, base: &str, names: &[String]) -> Diagnostic {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let message = format!("`{given}` is not a path of {}", list(&names, "or"));
    Diagnostic::error(CODE, site, message, format!("its last part is `{base}`"))
        .with_note("names are compared exactly, letter case included")
}

#[cfg(test)]
mod tests {
    use super::{other_name, relative};
    use crate::check::testing::{message, site};

    #[test]
    fn says_why_the_path_cannot_stand_for_the_name() {
        let home = relative(&site(), "~/bin/az");
        assert_eq!(message(&home), "`~/bin/az` is not an absolute path");
        assert_eq!(home.notes.len(), 1);
        let other = other_name(&site(), "/usr/bin/rg", Some("rg"), "git");
        assert_eq!(message(&other), "`/usr/bin/rg` is not a path of `git`");
        assert_eq!(other.primary.text, "its last part is `rg`");
    }
}
