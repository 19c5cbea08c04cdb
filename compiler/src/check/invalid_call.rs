//! A call with too few or too many arguments.

use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// A call with too few or too many arguments.
pub const CODE: Code = Code("invalid-call");

/// `builtin` is called at `site` without what it needs: `parameters`, of which there is at least one.
#[must_use]
pub fn missing(site: &Site, builtin: &str, parameters: &[&str]) -> Diagnostic {
    let names = list(parameters, "and");
    Diagnostic::error(CODE, site, format!("`{builtin}` is called without {names}"), format!("needs {names}"))
}

/// `builtin` is called with the positional argument at `site` although it takes no more than `most`; `by_name` says that
/// it takes others by their name, which `named` gives them.
#[must_use]
pub fn too_many(site: &Site, builtin: &str, most: usize, by_name: bool, named: Vec<Edit>) -> Diagnostic {
    let arguments = if most == 1 { "argument" } else { "arguments" };
    let names = if by_name { " without their names" } else { "" };
    let message = format!("`{builtin}` takes no more than {most} {arguments}{names}");
    Diagnostic::error(CODE, site, message, "one too many")
        .with_help("give arguments by name, so that each says what it is")
        .with_fix(Fix::sure("give the arguments their names", named))
}

#[cfg(test)]
mod tests {
    use super::{missing, too_many};
    use crate::check::testing::{message, site};

    #[test]
    fn names_what_is_missing() {
        assert_eq!(
            message(&missing(&site(), "network_rule", &["protocol", "decision"])),
            "`network_rule` is called without `protocol` and `decision`"
        );
        assert_eq!(
            message(&too_many(&site(), "host_executable", 2, false, Vec::new())),
            "`host_executable` takes no more than 2 arguments"
        );
        assert_eq!(
            message(&too_many(&site(), "program", 1, true, Vec::new())),
            "`program` takes no more than 1 argument without their names"
        );
    }
}
