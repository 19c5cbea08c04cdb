//! An example that proves less than it seems to.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// An example that proves less than it seems to.
pub const CODE: Code = Code("evadable-example");

/// The first operator of a shell in `text` that stands at the edge of a word and is not quoted.
#[must_use]
pub fn operator(text: &str) -> Option<&str> {
    let is_operator = |character: char| matches!(character, '&' | '|' | ';' | '<' | '>');
    let mut characters = text.char_indices();
    let (mut quote, mut before) = (None, ' ');
    while let Some((at, character)) = characters.next() {
        match (quote, character) {
            (None, '#') if before.is_whitespace() => return None,
            (None | Some('"'), '\\') => drop(characters.next()),
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (None, _) if is_operator(character) => {
                let rest = text.get(at..)?;
                let length = rest.find(|next| !is_operator(next)).unwrap_or(rest.len());
                let after = rest.get(length..)?.chars().next();
                let ends = after.is_none_or(char::is_whitespace);
                // `a;` ends a command, and `>file` writes one; in `<x>` and `a&b` a person means the characters.
                let alone = before.is_whitespace() && ends;
                let control = matches!(character, '&' | '|' | ';') && ends;
                if alone || control {
                    return rest.get(..length);
                }
                for _ in 1..length {
                    characters.next();
                }
            }
            _ => {}
        }
        before = character;
    }
    None
}

/// The example of `parameter` at `site` has the shell's `operator` in it; `listed` writes it
/// as a list of words.
#[must_use]
pub fn diagnostic(site: &Site, parameter: &str, operator: &str, listed: Option<Edit>) -> Diagnostic {
    let message = format!("an example of `{parameter}` has the shell's `{operator}` in it, which is a word here");
    Diagnostic::warning(CODE, site, message, "one command, as it is read here")
        .with_note("an example is split into words and never run: it says nothing of what a shell would make of it")
        .with_help("ask with `expect(…)`, which reads shell text, or write the command as a list of words")
        .with_fix(Fix::choice("write the command as a list of words", listed))
}

/// The example of `not_match` at `site`, a `command`, is matched all the same, in another reading than as typed.
#[must_use]
pub fn matched(site: &Site, command: &str) -> Diagnostic {
    let message = format!("the rule matches `{}` all the same, where commands are read", command.escape_debug());
    Diagnostic::warning(CODE, site, message, "not matched as typed, and matched as it is read")
        .with_note(
            "an example is compared word by word, as typed; a policy sees through options, paths and wrappers as well",
        )
        .with_help("drop the example, and say with `expect(…)` what the policy answers")
}

#[cfg(test)]
mod tests {
    use super::{diagnostic, matched, operator};
    use crate::check::testing::{message, site};

    #[test]
    fn operators_are_known_by_what_is_around_them() {
        for (text, found) in [
            ("cd /srv && git push", Some("&&")),
            ("cd /srv; git push", Some(";")),
            ("a | b", Some("|")),
            ("a > b", Some(">")),
            ("sleep 1 &", Some("&")),
            ("find . -exec a {} \\;", None),
            ("find . -exec a {} ';'", None),
            ("curl https://a/?b=1&c=2", None),
            ("echo \"a && b\"", None),
            ("git log # a; b", None),
            ("a <x>", None),
        ] {
            assert_eq!(operator(text), found, "{text}");
        }
        let expected = "an example of `match` has the shell's `&&` in it, which is a word here";
        assert_eq!(message(&diagnostic(&site(), "match", "&&", None)), expected);
        let expected = "the rule matches `sudo git push` all the same, where commands are read";
        assert_eq!(message(&matched(&site(), "sudo git push")), expected);
    }
}
