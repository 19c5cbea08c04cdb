//! What may be written in a command: in examples, expectations and scratch lines.

use super::{Asking, Completion, words};
use crate::ide::vocabulary::known_command;
use crate::source::Span;

/// What may follow in the text of a command that stands at `content`, whose beginning is typed up to the place.
pub(super) fn text(place: &Asking<'_>, content: Span) -> Vec<Completion> {
    let offset = place.cursor.offset;
    let text = place.file.text(place.db);
    let typed = Span::new(content.start, offset).of(text);
    let Some(typed) = last_command(typed) else { return Vec::new() };
    let start = offset - u32::try_from(typed.word.len()).unwrap_or_default();
    let rest = Span::new(offset, content.end).of(text);
    let end = rest.find(|next: char| next.is_whitespace() || "'\"\\;&|()".contains(next)).unwrap_or(rest.len());
    let span = Span::new(start, offset + u32::try_from(end).unwrap_or_default());
    let known = known_command(place.db, place.set, &typed.before);
    words::of_known(&known).into_iter().map(|word| Completion { span, ..word }).collect()
}

/// The last simple command of a text that is being typed.
#[derive(Debug, PartialEq, Eq)]
struct Typed<'t> {
    /// The words before the one that is being typed.
    before: Vec<String>,
    /// What is typed of the last.
    word: &'t str,
}

/// The last simple command of `text`; nothing within quotes, where a word is anything.
fn last_command(text: &str) -> Option<Typed<'_>> {
    let (mut start, mut word, mut quote) = (0, 0, None);
    let mut characters = text.char_indices();
    while let Some((place, character)) = characters.next() {
        let after = place + character.len_utf8();
        match (quote, character) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (None | Some('"'), '\\') => drop(characters.next()),
            (None, '\'' | '"') => quote = Some(character),
            (None, ';' | '&' | '|' | '(' | '{' | '`' | '\n') => (start, word) = (after, after),
            (None, _) if character.is_whitespace() => word = after,
            _ => {}
        }
    }
    let (before, word) = (text.get(start..word)?, text.get(word..)?);
    let plain = quote.is_none() && !word.contains(['\\', '\'', '"', '$']);
    let before: Vec<String> = shlex::split(before)?;
    let assigns = |word: &String| word.split_once('=').is_some_and(|(name, _)| is_name(name));
    let before = before.into_iter().skip_while(assigns).collect();
    plain.then_some(Typed { before, word })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

#[cfg(test)]
mod tests {
    use super::last_command;

    #[test]
    fn the_last_simple_command_is_found() {
        for (text, expected) in [
            ("git pu", Some((vec!["git"], "pu"))),
            ("", Some((vec![], ""))),
            ("cd x && A=b git -C 'a b' ", Some((vec!["git", "-C", "a b"], ""))),
            ("echo 'a; b' | gi", Some((vec![], "gi"))),
            ("echo $(git lo", Some((vec!["git"], "lo"))),
            ("git 'lo", None),
            ("git $x", None),
        ] {
            let found = last_command(text);
            let found = found.as_ref().map(|found| (found.before.iter().map(String::as_str).collect(), found.word));
            assert_eq!(found, expected, "{text}");
        }
    }
}
