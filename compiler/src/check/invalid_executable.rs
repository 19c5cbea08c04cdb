//! A host executable whose name is not one.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// A host executable whose name is not one.
pub const CODE: Code = Code("invalid-executable");

/// The name `given` at `site` is not the last part of any path; `named` gives the name that one has, and lists the path.
#[must_use]
pub fn diagnostic(site: &Site, given: &str, named: Vec<Edit>) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(CODE, site, format!("`{given}` is not the name of a program"), "must be a bare name")
            .with_note("the name is what stands after the last `/` of the program's paths");
    match base_name(given) {
        Some(name) => {
            let help = format!("name it `{name}` and list `{given}` among its paths");
            diagnostic.with_help(help).with_fix(Fix::sure(format!("name it `{name}` and list the path"), named))
        }
        None => diagnostic,
    }
}

/// The name of the program at the path `given`, if it is one.
#[must_use]
pub fn base_name(given: &str) -> Option<&str> {
    given.rsplit('/').next().filter(|name| *name != given && is_name(name))
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
        let diagnostic = super::diagnostic(&site(), "/usr/bin/git", Vec::new());
        assert_eq!(message(&diagnostic), "`/usr/bin/git` is not the name of a program");
        assert!(diagnostic.help.unwrap().text.starts_with("name it `git`"));
        assert_eq!(super::diagnostic(&site(), "..", Vec::new()).help, None);
    }
}
