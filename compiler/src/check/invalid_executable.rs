//! A host executable whose name is not one.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A host executable whose name is not one.
pub const CODE: Code = Code("invalid-executable");

/// The name `given` at `site` is not the last part of any path.
#[must_use]
pub fn diagnostic(site: &Site, given: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(CODE, site, format!("`{given}` is not the name of a program"), "must be a bare name")
            .with_note("the name is what stands after the last `/` of the program's paths");
    match given.rsplit('/').next().filter(|name| *name != given && is_name(name)) {
        Some(name) => diagnostic.with_help(format!("name it `{name}` and list `{given}` among its paths")),
        None => diagnostic,
    }
}

/// Whether `name` can be the last part of a path.
#[must_use]
pub fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains('/')
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn suggests_the_base_name() {
        let diagnostic = super::diagnostic(&site(), "/usr/bin/git");
        assert_eq!(message(&diagnostic), "`/usr/bin/git` is not the name of a program");
        assert!(diagnostic.help.unwrap().text.starts_with("name it `git`"));
        assert_eq!(super::diagnostic(&site(), "..").help, None);
    }
}
