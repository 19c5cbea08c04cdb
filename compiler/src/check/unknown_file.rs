//! A file or folder that does not exist.

use super::closest::closest;
use crate::diagnostics::{Code, Diagnostic, Site};
use crate::source::{SourceFile, Span};

/// A file or folder that does not exist.
pub const CODE: Code = Code("unknown-file");

/// Nothing is at `label`, for which `file` stands; `neighbours` are the names that its folder does hold, as whole labels.
#[must_use]
pub fn diagnostic(file: SourceFile, label: &str, neighbours: &[&str]) -> Diagnostic {
    let site = Site::new(file, Span::default());
    Diagnostic::error(CODE, &site, format!("there is no file or folder `{label}`"), "")
        .did_you_mean(closest(label, neighbours.iter().copied()), None)
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn suggests_a_neighbour() {
        let diagnostic = super::diagnostic(site().file, "gti.rules", &["git.rules", "npm.rules"]);
        assert_eq!(message(&diagnostic), "there is no file or folder `gti.rules`");
        assert_eq!(diagnostic.help.unwrap().text, "did you mean `git.rules`?");
    }
}
