//! A word that hardly stands for what was meant.

use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Site};
use crate::rules::quoted;

/// A word that hardly stands for what was meant.
pub const CODE: Code = Code("invalid-word");

/// Why a word is hardly the name of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// A blank stands in it.
    Blank,
    /// A blank begins or ends it.
    OuterBlank,
    /// It is how another tool writes rules: `Tool(…)`, or a `*` at the end.
    Foreign,
}

/// What is odd about `word` as the name of a program. Paths may hold anything.
#[must_use]
pub fn oddity(word: &str) -> Option<Oddity> {
    let is_blank = |character: char| matches!(character, ' ' | '\t');
    if word.contains('(') && word.ends_with(')') || word.len() > 1 && word.ends_with('*') {
        Some(Oddity::Foreign)
    } else if word.starts_with(is_blank) || word.ends_with(is_blank) {
        Some(Oddity::OuterBlank)
    } else if word.contains(is_blank) && !word.contains(['/', '\\']) {
        Some(Oddity::Blank)
    } else {
        None
    }
}

/// The first word `word` at `site` is odd. `literal` says that a string literal stands there, and `alone` that it is an element
/// and no alternative of one.
#[must_use]
pub fn diagnostic(site: &Site, word: &str, oddity: Oddity, literal: bool, alone: bool) -> Diagnostic {
    let shown = word.escape_debug();
    let warning = |message: String, label: &str| Diagnostic::warning(CODE, site, message, label);
    match oddity {
        Oddity::Foreign => warning(format!("`{shown}` is hardly the name of a program"), "compared as it is written")
            .with_note(
                "other tools write rules so; here a word is compared whole, and only `glob(…)` takes `*` for more",
            )
            .with_help("begin with the name of a program, and list the words after it"),
        Oddity::OuterBlank => {
            let diagnostic =
                warning(format!("`{shown}` begins or ends with a blank"), "matches no program").with_note(WHOLE);
            let trimmed = word.trim();
            if literal && !trimmed.is_empty() {
                diagnostic.with_replacement("leave the blanks out", quoted(trimmed))
            } else {
                diagnostic
            }
        }
        Oddity::Blank => {
            let words: Vec<String> = word.split_whitespace().map(quoted).collect();
            let diagnostic = warning(format!("`{shown}` is one word with a blank in it"), "one word").with_note(WHOLE);
            if literal && alone {
                diagnostic.with_replacement("write several words", words.join(", "))
            } else {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                diagnostic.with_help(format!("write {} to match several words", list(&words, "and")))
            }
        }
    }
}

/// The word `word` at `site` is all of a text that a program is told to run.
#[must_use]
pub fn text(site: &Site, word: &str) -> Diagnostic {
    let words: Vec<String> = word.split_whitespace().map(quoted).collect();
    let message = format!("`{}` matches no other text than this very one", word.escape_debug());
    Diagnostic::warning(CODE, site, message, "one word")
        .with_note("a text that a program runs is read, and its commands are judged by rules of their own")
        .with_help(format!("write a rule for the command: `[{}]`", words.join(", ")))
}

const WHOLE: &str = "words are compared whole, and the name of a program has no blanks";

#[cfg(test)]
mod tests {
    use super::{Oddity, diagnostic, oddity};
    use crate::check::testing::{message, site};

    #[test]
    fn a_text_is_better_a_rule_of_its_own() {
        let text = super::text(&site(), "make test");
        assert_eq!(message(&text), "`make test` matches no other text than this very one");
        assert_eq!(text.help.unwrap().text, "write a rule for the command: `[\"make\", \"test\"]`");
    }

    #[test]
    fn knows_what_programs_are_not_called() {
        for (word, odd) in [
            ("tmux list-panes", Some(Oddity::Blank)),
            ("git ", Some(Oddity::OuterBlank)),
            ("Write(.agent/*)", Some(Oddity::Foreign)),
            ("npm run *", Some(Oddity::Foreign)),
            ("git:*", Some(Oddity::Foreign)),
            ("/Applications/A B/c", None),
            ("C:\\Program Files\\a", None),
            ("[", None),
            ("", None),
            ("*", None),
        ] {
            assert_eq!(oddity(word), odd, "{word}");
        }
        let blank = diagnostic(&site(), "tmux list-panes", Oddity::Blank, true, true);
        assert_eq!(message(&blank), "`tmux list-panes` is one word with a blank in it");
        assert_eq!(blank.fixes[0].edits[0].text, "\"tmux\", \"list-panes\"");
    }
}
