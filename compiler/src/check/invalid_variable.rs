//! The name of an environment variable that is none.

use crate::diagnostics::{Code, Diagnostic, Fix, Site};

/// The name of an environment variable that is none.
pub const CODE: Code = Code("invalid-variable");

/// Whether `name` can name a variable; with `stars`, a `*` may stand for any characters beside others.
#[must_use]
pub fn is_name(name: &str, stars: bool) -> bool {
    let known = |character: char| character.is_ascii_alphanumeric() || character == '_' || stars && character == '*';
    !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(known)
        && name.chars().any(|character| character != '*')
}

/// The name `given` at `site` is not one; `stars` says that a `*` may stand in it. `quoted` is how
/// a name is written there, if a string literal stands there.
#[must_use]
pub fn diagnostic(site: &Site, given: &str, stars: bool, quoted: Option<fn(&str) -> String>) -> Diagnostic {
    let shown = given.escape_debug();
    let message = format!("`{shown}` is not the name of an environment variable");
    if stars && !given.is_empty() && given.chars().all(|character| character == '*') {
        return Diagnostic::error(CODE, site, format!("`{shown}` is every environment variable"), "names all of them")
            .with_note("`PATH` and `LD_PRELOAD` are among them, and change what any command does")
            .with_help("list the names, or what they begin with, such as `\"LC_*\"`");
    }
    let diagnostic = Diagnostic::error(CODE, site, message, "not a name");
    let named = |diagnostic: Diagnostic, name: &str, help: String| {
        let edit = quoted.map(|quoted| diagnostic.replacing(quoted(name)));
        diagnostic.with_help(help).with_fix(Fix::sure(format!("write `\"{name}\"`"), edit))
    };
    match given.split_once('=') {
        Some((name, _)) if is_name(name, stars) => {
            let help = format!("write `\"{name}\"`: whatever its value, the name is what counts");
            named(diagnostic, name, help)
        }
        _ if !stars && is_name(given, true) => {
            diagnostic.with_note("a `*` stands for other characters only in `inert_env`")
        }
        _ => match given.strip_prefix('$').filter(|name| is_name(name, stars)) {
            Some(name) => named(diagnostic, name, format!("write `\"{name}\"`, without the `$`")),
            None => diagnostic.with_note("a name is made of letters, digits and `_`, and does not begin with a digit"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{diagnostic, is_name};
    use crate::check::testing::{message, site};

    #[test]
    fn knows_names_and_what_was_meant() {
        for (name, plain, stars) in
            [("PATH", true, true), ("_1", true, true), ("LC_*", false, true), ("*", false, false), ("", false, false)]
        {
            assert_eq!((is_name(name, false), is_name(name, true)), (plain, stars), "{name}");
        }
        for bad in ["1A", "A-B", "A B", "A=1", "$A", "é"] {
            assert!(!is_name(bad, true), "{bad}");
        }
        let value = diagnostic(&site(), "CI=1", false, None);
        assert_eq!(message(&value), "`CI=1` is not the name of an environment variable");
        assert!(value.help.unwrap().text.starts_with("write `\"CI\"`"));
        assert_eq!(message(&diagnostic(&site(), "*", true, None)), "`*` is every environment variable");
    }
}
