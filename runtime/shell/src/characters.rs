//! Characters and sizes that no text may have, whatever its grammar.

use crate::{MAX_TEXT, Problem, ProblemKind, Span};

/// Why the text is refused before it is read.
pub(crate) fn refused(text: &str) -> Option<Problem> {
    if text.len() > MAX_TEXT {
        return Some(Problem { span: Span::new(MAX_TEXT, text.len()), kind: ProblemKind::TooLong });
    }
    if text.is_ascii() && !text.as_bytes().contains(&0) {
        return None;
    }
    text.char_indices().find_map(|(start, character)| {
        let kind = match character {
            '\0' => ProblemKind::Nul,
            _ if is_invisible(character) => ProblemKind::Invisible,
            _ => return None,
        };
        Some(Problem { span: Span::new(start, start + character.len_utf8()), kind })
    })
}

/// Zero-width characters and those that change the direction of text.
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{61C}'
            | '\u{180E}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}'
            | '\u{FEFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_refused_character_is_named() {
        for (text, problem) in [
            ("plain é", None),
            ("a\0b\u{200B}", Some((1, 2, ProblemKind::Nul))),
            ("é\u{202E}", Some((2, 5, ProblemKind::Invisible))),
            ("\u{FEFF}ls", Some((0, 3, ProblemKind::Invisible))),
        ] {
            let found = refused(text).map(|problem| (problem.span.start, problem.span.end, problem.kind));
            assert_eq!(found, problem, "{text:?}");
        }
    }
}
