//! A folder without policy files.

use crate::diagnostics::{Code, Diagnostic, Site};
use crate::source::{SourceFile, Span};

/// A folder without policy files.
pub const CODE: Code = Code("empty-folder");

/// The folder `label`, for which `file` stands, holds no policy file.
#[must_use]
pub fn diagnostic(file: SourceFile, label: &str) -> Diagnostic {
    let site = Site::new(file, Span::default());
    Diagnostic::error(CODE, &site, format!("the folder `{label}` holds no policy file"), "")
        .with_note("a folder is searched, with its subfolders, for files that end in `.rules`")
        .with_help("name the folder that holds the policy, or the files themselves")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_folder() {
        let diagnostic = super::diagnostic(site().file, "policies");
        assert_eq!(message(&diagnostic), "the folder `policies` holds no policy file");
    }
}
