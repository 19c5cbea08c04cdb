//! Values as policies write them.

use crate::escape;

/// A list of strings as policies write it.
pub fn list<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let words: Vec<_> = words.map(string).collect();
    format!("[{}]", words.join(", "))
}

/// A string as policies write it.
#[must_use]
pub fn string(word: &str) -> String {
    let mut string = String::from("\"");
    for character in word.chars() {
        match character {
            '"' | '\\' => string.extend(['\\', character]),
            '\n' => string.push_str("\\n"),
            '\t' => string.push_str("\\t"),
            '\r' => string.push_str("\\r"),
            _ if escape::is_hidden(character) => escape::push_code(&mut string, character),
            _ => string.push(character),
        }
    }
    string.push('"');
    string
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_starlark() {
        assert_eq!(list(["a\"b", "\u{202e}\x1b"].into_iter()), r#"["a\"b", "\u202e\x1b"]"#);
    }
}
