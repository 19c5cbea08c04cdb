//! A pattern for words or paths that is not one.

use std::ops::Range;

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};
use crate::source::Span;
use crate::syntax::literal;

/// A pattern for words or paths that is not one.
pub const CODE: Code = Code("invalid-glob");

/// What is wrong with a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It has no characters.
    Empty,
    /// It ends in a backslash that quotes nothing.
    Backslash,
    /// A `[` is never closed.
    Unclosed,
    /// The first character of a range comes after the last.
    Range(char, char),
    /// `**` stands beside something else in its component.
    Stars,
    /// `~` is followed by a name.
    Home,
}

/// What is wrong with the glob `pattern`, and in which bytes.
///
/// # Errors
///
/// The first problem.
pub fn glob(pattern: &str) -> Result<(), (Problem, Range<usize>)> {
    if pattern.is_empty() {
        return Err((Problem::Empty, 0..0));
    }
    let mut characters = pattern.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if characters.next().is_none() => return Err((Problem::Backslash, at..pattern.len())),
            '[' => class(&mut characters, at, pattern.len())?,
            _ => {}
        }
    }
    Ok(())
}

/// Reads a class up to its `]`; its `[` stands at `open`.
fn class(characters: &mut std::str::CharIndices<'_>, open: usize, end: usize) -> Result<(), (Problem, Range<usize>)> {
    let unclosed = (Problem::Unclosed, open..open + 1);
    let mut rest = characters.clone();
    if rest.next().is_some_and(|(_, character)| matches!(character, '!' | '^')) {
        *characters = rest;
    }
    let (mut members, mut before, mut range) = (0, None, false);
    while let Some((at, character)) = characters.next() {
        let member = match character {
            ']' if members > 0 => return Ok(()),
            '\\' => characters.next().ok_or((Problem::Backslash, at..end))?.1,
            '-' if before.is_some() && !range && characters.clone().next().is_some_and(|(_, next)| next != ']') => {
                range = true;
                continue;
            }
            character => character,
        };
        members += 1;
        before = match before {
            Some((start, first)) if range => {
                if first > member {
                    return Err((Problem::Range(first, member), start..at + character.len_utf8()));
                }
                None
            }
            _ => Some((at, member)),
        };
        range = false;
    }
    Err(unclosed)
}

/// What is wrong with the path pattern `pattern`, and in which bytes.
///
/// # Errors
///
/// The first problem.
pub fn path(pattern: &str) -> Result<(), (Problem, Range<usize>)> {
    if pattern.is_empty() {
        return Err((Problem::Empty, 0..0));
    }
    // On Windows a backslash parts components; elsewhere it quotes.
    let drive = pattern.get(1..).is_some_and(|rest| rest.starts_with(":/") || rest.starts_with(":\\"));
    let separators: &[char] = if drive { &['/', '\\'] } else { &['/'] };
    let mut start = 0;
    for component in pattern.split(separators) {
        let range = start..start + component.len();
        if start == 0 && component.len() > 1 && component.starts_with('~') {
            return Err((Problem::Home, range));
        }
        if component != "**" && component.contains("**") {
            return Err((Problem::Stars, range));
        }
        if !component.is_empty() {
            let shift = |range: Range<usize>| start + range.start..start + range.end;
            glob(component).map_err(|(problem, range)| (problem, shift(range)))?;
        }
        start += component.len() + 1;
    }
    Ok(())
}

/// The pattern `given` at `site` has the `problem` in the bytes that go with it; `what` it is a pattern of, as in "glob".
/// `whole` is the string literal that stands for it, if one does.
#[must_use]
pub fn diagnostic(
    site: &Site,
    what: &str,
    given: &str,
    (problem, range): (Problem, Range<usize>),
    whole: Option<Span>,
) -> Diagnostic {
    let message = match problem {
        Problem::Empty => format!("the pattern of a {what} is empty"),
        _ => format!("`{}` is not the pattern of a {what}", given.escape_debug()),
    };
    let label = match problem {
        Problem::Empty => "has no characters".to_owned(),
        Problem::Backslash => "quotes nothing".to_owned(),
        Problem::Unclosed => "is never closed".to_owned(),
        Problem::Range(first, last) => {
            format!("`{}` comes after `{}`", first.escape_debug(), last.escape_debug())
        }
        Problem::Stars => "`**` stands beside something else".to_owned(),
        Problem::Home => "names somebody's home".to_owned(),
    };
    let diagnostic = Diagnostic::error(CODE, site, message, label);
    let diagnostic = match problem {
        Problem::Empty if what == "glob" => diagnostic.with_help("write `\"\"` for the empty word, `\"*\"` for any"),
        Problem::Empty => diagnostic.with_help("name a place, such as `\"~/.ssh/**\"`"),
        Problem::Backslash => diagnostic.with_help("a backslash that stands for itself is written twice"),
        Problem::Unclosed => diagnostic
            .with_note("a `]` that comes first in its brackets stands for itself")
            .with_help("put a backslash before a bracket that stands for itself"),
        Problem::Range(first, last) => diagnostic.with_help(format!("write `{last}-{first}`")),
        Problem::Stars => diagnostic.with_help("give `**` a place between slashes of its own, or write one `*`"),
        Problem::Home => diagnostic.with_note("only `~` alone is known").with_help("write the absolute path, or `~/…`"),
    };
    let edit = |text: String| whole.map(|span| Edit { file: site.file, span, text: literal::written(&text) });
    diagnostic.with_fix(mended(given, problem, range).and_then(|(title, text, sure)| {
        let edit = edit(text);
        if sure { Fix::sure(title, edit) } else { Fix::choice(title, edit) }
    }))
}

/// What to do about a problem, what comes of it, and whether that is sure to be meant.
fn mended(given: &str, problem: Problem, range: Range<usize>) -> Option<(String, String, bool)> {
    let (before, wrong, after) = (given.get(..range.start)?, given.get(range.clone())?, given.get(range.end..)?);
    match problem {
        Problem::Empty => Some(("write `\"*\"`".to_owned(), "*".to_owned(), false)),
        Problem::Backslash => {
            Some(("double the backslash".to_owned(), format!("{before}\\{wrong}{after}"), wrong.starts_with('\\')))
        }
        Problem::Unclosed => {
            Some(("put a backslash before the bracket".to_owned(), format!("{before}\\{wrong}{after}"), false))
        }
        Problem::Range(first, last) if wrong == format!("{first}-{last}") && !matches!(last, '!' | '^' | ']') => {
            Some((format!("write `{last}-{first}`"), format!("{before}{last}-{first}{after}"), true))
        }
        Problem::Stars => {
            Some(("write one `*`".to_owned(), format!("{before}{}{after}", wrong.replace("**", "*")), false))
        }
        Problem::Range(..) | Problem::Home => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Problem, diagnostic, glob, path};
    use crate::check::testing::{message, site};

    #[test]
    fn says_where_a_pattern_goes_wrong() {
        for good in [
            "*",
            "a?b",
            "[abc]",
            "[!a-z-]",
            "[-a]",
            "\\[",
            "[\\]]",
            "[a\\-z]",
            "é[à-ü]",
            "]",
            "**",
            "[!!]",
            "[]a]",
            "[^]]",
        ] {
            assert_eq!(glob(good), Ok(()), "{good}");
        }
        for (bad, problem, place) in [
            ("", Problem::Empty, ""),
            ("a\\", Problem::Backslash, "\\"),
            ("a[b", Problem::Unclosed, "["),
            ("[", Problem::Unclosed, "["),
            ("[!", Problem::Unclosed, "["),
            ("[a\\", Problem::Backslash, "\\"),
            ("x[]", Problem::Unclosed, "["),
            ("x[!]y", Problem::Unclosed, "["),
            ("[z-a]", Problem::Range('z', 'a'), "z-a"),
        ] {
            assert_eq!(
                glob(bad).map_err(|(problem, range)| (problem, bad.get(range).unwrap())),
                Err((problem, place)),
                "{bad}"
            );
        }
        for good in ["~", "~/.ssh/**", "/a/*/b?", "C:\\x", "**", "../x", "~/**/x", "a~"] {
            assert_eq!(path(good), Ok(()), "{good}");
        }
        for (bad, problem, place) in [
            ("", Problem::Empty, ""),
            ("~root/x", Problem::Home, "~root"),
            ("/a/b**/c", Problem::Stars, "b**"),
            ("/a/[b", Problem::Unclosed, "["),
        ] {
            assert_eq!(
                path(bad).map_err(|(problem, range)| (problem, bad.get(range).unwrap())),
                Err((problem, place)),
                "{bad}"
            );
        }
        let diagnostic = diagnostic(&site(), "glob", "[z-a]", (Problem::Range('z', 'a'), 1..4), None);
        assert_eq!(message(&diagnostic), "`[z-a]` is not the pattern of a glob");
        assert_eq!(diagnostic.help.unwrap().text, "write `a-z`");
    }
}
