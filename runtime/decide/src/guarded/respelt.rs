//! Words in one word, which an option puts in its own place, as a text of a shell.

use alloc::string::String;

/// Adds the words that `value` holds. Beside what shells do with quotes, a backslash with a letter stands for a character
/// there, `\_` for a blank between words, and `\c` for the end; in single quotes, it still takes a quote for itself.
pub(super) fn push(text: &mut String, value: &str) {
    let mut characters = value.chars();
    let mut quote = None;
    while let Some(one) = characters.next() {
        if one != '\\' {
            if matches!(one, '\'' | '"') && quote.is_none_or(|open| open == one) {
                quote = if quote.is_some() { None } else { Some(one) };
            }
            text.push(one);
            continue;
        }
        match (characters.next(), quote) {
            (Some('\''), Some('\'')) => text.push_str("'\\''"),
            (Some('\\'), Some('\'')) => text.push('\\'),
            (Some(other), Some('\'')) => text.extend(['\\', other]),
            // Outside of quotes the others are characters of a word: of none that a program has.
            (Some('_' | 'f' | 'n' | 'r' | 't' | 'v'), None) | (Some('_'), Some(_)) => text.push(' '),
            (Some('c'), None) => return,
            (Some('f'), _) => text.push('\u{c}'),
            (Some('n'), _) => text.push('\n'),
            (Some('r'), _) => text.push('\r'),
            (Some('t'), _) => text.push('\t'),
            (Some('v'), _) => text.push('\u{b}'),
            (Some(other), _) => text.extend(['\\', other]),
            (None, _) => text.push('\\'),
        }
    }
}
