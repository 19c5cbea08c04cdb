//! An example that is not a command.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// An example that is not a command.
pub const CODE: Code = Code("invalid-example");

/// The example of `parameter` at `site` is `found` where a command must stand; `listed` makes a list
/// of a tuple.
#[must_use]
pub fn example(site: &Site, parameter: &str, found: &str, listed: Vec<Edit>) -> Diagnostic {
    Diagnostic::error(
        CODE,
        site,
        format!("an example of `{parameter}` must be a string or a list of strings, not {found}"),
        format!("this is {found}"),
    )
    .with_help("write a command as text, such as `\"git status\"`, or as words, such as `[\"git\", \"status\"]`")
    .with_fix(Fix::sure("make it a list", listed))
}

/// The word of an example at `site` is `found`; `quoted` makes a string of a number.
#[must_use]
pub fn word(site: &Site, parameter: &str, found: &str, quoted: Option<Edit>) -> Diagnostic {
    Diagnostic::error(
        CODE,
        site,
        format!("a word of a `{parameter}` example must be a string, not {found}"),
        format!("this is {found}"),
    )
    .with_fix(Fix::sure("quote it: words are compared as text", quoted))
}

/// Why a text cannot be split into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// This quote is never closed.
    Unclosed(char),
    /// The text ends in a backslash.
    Backslash,
}

/// The example of `parameter` at `site` cannot be split into words.
#[must_use]
pub fn quoting(site: &Site, parameter: &str, quoting: Quoting) -> Diagnostic {
    let (label, help) = match quoting {
        Quoting::Unclosed(quote) => {
            (format!("the quote `{quote}` is never closed"), "close the quote, or write the command as a list of words")
        }
        Quoting::Backslash => (
            "ends in a backslash that escapes nothing".to_owned(),
            "double the backslash, or write the command as a list of words",
        ),
    };
    Diagnostic::error(CODE, site, format!("an example of `{parameter}` cannot be split into words"), label)
        .with_note("an example is split as a shell would split it, before anything is expanded")
        .with_help(help)
}

#[cfg(test)]
mod tests {
    use super::{Quoting, example, quoting, word};
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(
            message(&example(&site(), "match", "a tuple", Vec::new())),
            "an example of `match` must be a string or a list of strings, not a tuple"
        );
        assert_eq!(
            message(&word(&site(), "not_match", "a number", None)),
            "a word of a `not_match` example must be a string, not a number"
        );
        let diagnostic = quoting(&site(), "match", Quoting::Unclosed('\''));
        assert_eq!(message(&diagnostic), "an example of `match` cannot be split into words");
        assert_eq!(diagnostic.primary.text, "the quote `'` is never closed");
    }
}
