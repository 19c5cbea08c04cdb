//! A part of a pattern that is not a word.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// A part of a pattern that is not a word.
pub const CODE: Code = Code("invalid-element");

/// The element of `whole` (such as "a pattern") at `site` is `found` (such as "a number") where a word or a list of words
/// must stand; `replacement` is the word that it was surely meant to be, and `listed` makes a list of a tuple.
#[must_use]
pub fn element(site: &Site, whole: &str, found: &str, replacement: Option<&str>, listed: Vec<Edit>) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        CODE,
        site,
        format!("an element of {whole} must be a string or a list of strings, not {found}"),
        format!("this is {found}"),
    );
    quoted(diagnostic, replacement).with_fix(Fix::sure("make it a list", listed))
}

/// The alternative at `site` is `found` where a word must stand; `spliced` makes what is in an inner list alternatives.
#[must_use]
pub fn alternative(site: &Site, found: &str, replacement: Option<&str>, spliced: Vec<Edit>) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        CODE,
        site,
        format!("an alternative must be a string, not {found}"),
        format!("this is {found}"),
    );
    if found == "a list" {
        diagnostic
            .with_note("alternatives do not nest: an element is one word or one list of words")
            .with_help("move the inner words into the outer list")
            .with_fix(Fix::sure("move the inner words into the outer list", spliced))
    } else {
        quoted(diagnostic, replacement)
    }
}

/// The matcher at `site` stands in the path of a `program`.
#[must_use]
pub fn matcher(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "the path of a `program` is made of words alone", "stands for more than one word")
        .with_help("list the words that the program and its subcommands are called")
}

fn quoted(diagnostic: Diagnostic, replacement: Option<&str>) -> Diagnostic {
    match replacement {
        Some(word) => diagnostic.with_replacement("quote it: words are compared as text", format!("\"{word}\"")),
        None => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::{alternative, element};
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_was_found() {
        let diagnostic = element(&site(), "a pattern", "a number", Some("5"), Vec::new());
        assert_eq!(message(&diagnostic), "an element of a pattern must be a string or a list of strings, not a number");
        assert_eq!(diagnostic.fixes[0].edits[0].text, "\"5\"");
        assert_eq!(
            message(&alternative(&site(), "a list", None, Vec::new())),
            "an alternative must be a string, not a list"
        );
    }
}
