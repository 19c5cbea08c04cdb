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
    /// It sets a variable: `NAME=value`.
    Assignment,
    /// It begins in the home folder, which only a shell knows.
    Home,
}

/// What is odd about `word` as the name of a program. Paths may hold anything.
#[must_use]
pub fn oddity(word: &str) -> Option<Oddity> {
    let is_blank = |character: char| matches!(character, ' ' | '\t');
    let variable = |name: &str| {
        !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit()) && {
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        }
    };
    if word.split_once('=').is_some_and(|(name, _)| variable(name)) {
        Some(Oddity::Assignment)
    } else if word.starts_with("~/") {
        Some(Oddity::Home)
    } else if word.contains('(') && word.ends_with(')') || word.len() > 1 && word.ends_with('*') {
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
        Oddity::Assignment => {
            let name = word.split('=').next().unwrap_or_default();
            warning(format!("`{shown}` sets a variable, and is no program"), "matches no program")
                .with_note("variables are no words of a command: rules that restrict hold whatever is set")
                .with_help(format!("begin with the program, and let an allowed one have it with `env = [\"{name}\"]`"))
        }
        Oddity::Home => {
            let name = word.rsplit('/').next().unwrap_or_default();
            warning(
                format!("`{shown}` is compared as it is written, and no shell replaces its `~`"),
                "matches no program",
            )
            .with_help(format!(
                "write `path({})`, or the name `{}` and its paths in a `host_executable`",
                quoted(word),
                name.escape_debug()
            ))
        }
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

/// What a shell would make of a later word that means nothing but itself here.
#[must_use]
pub fn is_shell(word: &str) -> bool {
    matches!(word, "*" | "**" | "&&" | "||" | "|" | "|&" | "&" | ">" | ">>" | "<" | "<<" | "2>" | "2>&1" | "&>")
}

/// The word `word` at `site`, which is not the first, means something to shells and nothing here.
#[must_use]
pub fn shell(site: &Site, word: &str) -> Diagnostic {
    let message = format!("`{word}` is a word like any other here");
    let diagnostic = Diagnostic::warning(CODE, site, message, "stands for itself");
    if word.starts_with('*') {
        diagnostic
            .with_note("further words may follow a pattern, unless it is `exact`")
            .with_help("leave it out, or write `any_word()` if a word must stand there")
    } else {
        diagnostic
            .with_note("a text is read as the commands that it runs, and each is judged alone")
            .with_help("write a rule for each command")
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
            ("FOO=1", Some(Oddity::Assignment)),
            ("a-b=1", None),
            ("~/bin/x", Some(Oddity::Home)),
        ] {
            assert_eq!(oddity(word), odd, "{word}");
        }
        let blank = diagnostic(&site(), "tmux list-panes", Oddity::Blank, true, true);
        assert_eq!(message(&blank), "`tmux list-panes` is one word with a blank in it");
        assert_eq!(blank.fixes[0].edits[0].text, "\"tmux\", \"list-panes\"");
    }
}
