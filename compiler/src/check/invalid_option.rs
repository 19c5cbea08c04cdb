//! An option whose parts contradict one another, or that is not spelt like one.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// An option whose parts contradict one another, or that is not spelt like one.
pub const CODE: Code = Code("invalid-option");

/// Why a text is not the spelling of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// It has no characters.
    Empty,
    /// It has a blank in it.
    Blank,
    /// It begins like a word and does not end in `=`.
    Operand,
    /// It is a `=` alone.
    Bare,
    /// It is a long option with a `=` at its end.
    Equals,
}

/// What keeps `name` from being the spelling of an option.
///
/// # Errors
///
/// The first reason.
pub fn spelling(name: &str) -> Result<(), Spelling> {
    if name.is_empty() {
        Err(Spelling::Empty)
    } else if name.contains(char::is_whitespace) {
        Err(Spelling::Blank)
    } else if name == "=" {
        Err(Spelling::Bare)
    } else if name.starts_with('-') && name.ends_with('=') {
        Err(Spelling::Equals)
    } else if name.starts_with(|first: char| first.is_alphanumeric() || first == '_')
        && !name.ends_with('=')
        && !name.bytes().all(|byte| byte.is_ascii_digit())
    {
        Err(Spelling::Operand)
    } else {
        Ok(())
    }
}

/// The name `given` at `site` is not that of an option, for the reason `spelling`. `replaceable` says that a string
/// literal stands there.
#[must_use]
pub fn name(site: &Site, given: &str, spelling: Spelling, replaceable: bool) -> Diagnostic {
    let message = match spelling {
        Spelling::Empty => "the name of an option is empty".to_owned(),
        _ => format!("`{}` is not the name of an option", given.escape_debug()),
    };
    let label = match spelling {
        Spelling::Empty => "no name",
        Spelling::Blank => "has a blank in it",
        Spelling::Operand => "programs take this for an operand",
        Spelling::Bare => "names nothing",
        Spelling::Equals => "the `=` is no part of the name",
    };
    let diagnostic = Diagnostic::error(CODE, site, message, label);
    match spelling {
        Spelling::Equals if replaceable => {
            let name = given.trim_end_matches('=');
            diagnostic.with_replacement("what follows a `=` is the option's value", format!("\"{name}\""))
        }
        _ => diagnostic.with_note("a name begins with `-`, `+`, `/` or the like, or ends in `=`, as in `\"SHELL=\"`; what words begin with has \
             `value = \"attached\"`"),
    }
}

/// Two things that are said of an option at once and do not go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// `until` beside a `value`.
    UntilAndValue,
    /// `harmless` lists values, and there is none.
    ValuesWithoutValue,
    /// `placeholder` without a value that could be it.
    PlaceholderWithoutValue,
    /// `placeholder` beside `runs` or `writes`.
    PlaceholderAndMore,
    /// `moves` without a value that could be the folder, and without anything that runs there.
    MovesWithoutValue,
    /// `runs = "code"` or `writes` beside `harmless = True`.
    HarmlessAndHarm,
    /// `writes` beside something that runs and can be looked into.
    RunsAndWrites,
    /// Only words can be a command, and the value is part of one word.
    CommandInAWord,
    /// `value = "rest"` or `until` for a name that ends in `=`.
    WordsAfterEquals,
    /// Names that end in `=` beside names that do not.
    MixedNames,
}

/// What is said of an option at `site` contradicts the rest. `edit` ends that: what says too much goes, or a value comes.
#[must_use]
pub fn contradiction(site: &Site, contradiction: Contradiction, edit: Option<Edit>) -> Diagnostic {
    let (message, label, help) = match contradiction {
        Contradiction::UntilAndValue => (
            "an option has both `until` and `value`",
            "says what the value is, too",
            "keep `until`: it makes the words up to its end the value",
        ),
        Contradiction::ValuesWithoutValue => (
            "an option is harmless with some values, but takes none",
            "there is no value",
            "give it a `value`, or write `harmless = True`",
        ),
        Contradiction::PlaceholderWithoutValue => (
            "an option's value is the placeholder, but it takes none",
            "there is no value",
            "give it `value = True` or `value = \"attached\"`",
        ),
        Contradiction::PlaceholderAndMore => (
            "an option's value is the placeholder, and more",
            "contradicts `placeholder`",
            "keep one of them: a value is only one thing",
        ),
        Contradiction::MovesWithoutValue => (
            "an option's value is the folder to work in, but it takes none",
            "there is no value",
            "give it `value = True` or `value = \"attached\"`",
        ),
        Contradiction::HarmlessAndHarm => (
            "an option is harmless, and runs code or writes a file",
            "contradicts the rest",
            "drop one, or list the values with which it is harmless",
        ),
        Contradiction::RunsAndWrites => (
            "an option's value is a file that is written, and what is run",
            "contradicts `runs`",
            "keep one of them: a value is only one thing",
        ),
        Contradiction::CommandInAWord => (
            "an option runs a command of many words, but its value is part of one word",
            "a command is made of words",
            "give it another `value`, or write `runs = \"shell\"`",
        ),
        Contradiction::WordsAfterEquals => (
            "an option whose name ends in `=` has a value of many words",
            "the value ends with the word",
            "leave it out: the rest of the word is the value",
        ),
        Contradiction::MixedNames => (
            "an option has names with and without `=` at their end",
            "unlike the names before",
            "declare them apart, each in its own `option(…)`",
        ),
    };
    let fix = match contradiction {
        Contradiction::UntilAndValue => Fix::sure("leave `value` out", edit),
        Contradiction::WordsAfterEquals => Fix::sure("leave it out", edit),
        _ => Fix::choice("give it a value", edit),
    };
    Diagnostic::error(CODE, site, message, label).with_help(help).with_fix(fix)
}

#[cfg(test)]
mod tests {
    use super::{Contradiction, Spelling, contradiction, name, spelling};
    use crate::check::testing::{message, site};

    #[test]
    fn knows_how_options_are_spelt() {
        for good in ["-C", "--git-dir", "-exec", "+e", "/c", "SHELL=", "of=", "-@", "-", "--", "~", "42"] {
            assert_eq!(spelling(good), Ok(()), "{good}");
        }
        for (bad, why) in [
            ("", Spelling::Empty),
            ("-a b", Spelling::Blank),
            ("run", Spelling::Operand),
            ("=", Spelling::Bare),
            ("--git-dir=", Spelling::Equals),
        ] {
            assert_eq!(spelling(bad), Err(why), "{bad}");
        }
        let equals = name(&site(), "--git-dir=", Spelling::Equals, true);
        assert_eq!(message(&equals), "`--git-dir=` is not the name of an option");
        assert_eq!(equals.fixes[0].edits[0].text, "\"--git-dir\"");
        let both = contradiction(&site(), Contradiction::UntilAndValue, None);
        assert_eq!(message(&both), "an option has both `until` and `value`");
    }
}
