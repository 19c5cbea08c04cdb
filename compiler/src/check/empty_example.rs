//! An example without a word.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// An example without a word.
pub const CODE: Code = Code("empty-example");

/// The example of `parameter` at `site` has no word; it was written as a string if `text`, and
/// `dropped` takes it away.
#[must_use]
pub fn diagnostic(site: &Site, parameter: &str, text: bool, dropped: Option<Edit>) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(CODE, site, format!("an example of `{parameter}` has no words"), "no words here")
            .with_help("write a command, such as `\"git status\"`, or drop the example")
            .with_fix(Fix::sure("drop the example", dropped));
    if text {
        diagnostic.with_note("an example is split as a shell would: blanks separate words, and `#` starts a comment")
    } else {
        diagnostic
    }
}

/// The request of `expect` at `site` has no words.
#[must_use]
pub fn request(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "the request of `expect` has no words", "no words here")
        .with_help("write shell text, such as `\"git status\"`, or words, such as `[\"git\", \"status\"]`")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_parameter() {
        assert_eq!(message(&super::diagnostic(&site(), "match", true, None)), "an example of `match` has no words");
        assert_eq!(message(&super::request(&site())), "the request of `expect` has no words");
    }
}
