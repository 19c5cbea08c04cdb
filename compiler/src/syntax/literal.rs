//! What a string literal means.

/// The text that the string literal `source` stands for; nothing if it is not a closed string literal, or a bytes one.
#[must_use]
pub fn value(source: &str) -> Option<String> {
    let (raw, quoted) = match source.strip_prefix('r') {
        Some(quoted) => (true, quoted),
        None => (false, source),
    };
    let body = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .find_map(|quotes| quoted.strip_prefix(quotes)?.strip_suffix(quotes))?;
    let mut text = String::with_capacity(body.len());
    let mut characters = body.chars();
    while let Some(character) = characters.next() {
        match character {
            '\r' => {}
            '\\' if raw => {
                let next = characters.next()?;
                if !matches!(next, '\'' | '"') {
                    text.push('\\');
                }
                text.push(next);
            }
            '\\' => escape(&mut characters, &mut text)?,
            _ => text.push(character),
        }
    }
    Some(text)
}

/// A string literal that stands for `text`.
#[must_use]
pub fn written(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            _ if character.is_control() => literal.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => literal.push(character),
        }
    }
    literal.push('"');
    literal
}

/// Reads what follows a backslash.
fn escape(characters: &mut std::str::Chars<'_>, text: &mut String) -> Option<()> {
    let character = match characters.next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0C',
        'v' => '\x0B',
        '\n' => return Some(()),
        '\r' => return characters.next().filter(|&next| next == '\n').map(drop),
        'x' => code(characters, 2)?,
        'u' => code(characters, 4)?,
        'U' => code(characters, 8)?,
        digit @ '0'..='7' => octal(digit, characters)?,
        quote @ ('"' | '\'' | '\\') => quote,
        other => {
            text.push('\\');
            other
        }
    };
    text.push(character);
    Some(())
}

fn code(characters: &mut std::str::Chars<'_>, length: usize) -> Option<char> {
    let digits = characters.as_str().get(..length)?;
    let code = u32::from_str_radix(digits, 16).ok()?;
    characters.nth(length - 1)?;
    char::from_u32(code)
}

fn octal(first: char, characters: &mut std::str::Chars<'_>) -> Option<char> {
    let mut value = first.to_digit(8)?;
    for _ in 0..2 {
        let Some(digit) = characters.clone().next().and_then(|next| next.to_digit(8)) else {
            break;
        };
        value = value * 8 + digit;
        characters.next();
    }
    char::from_u32(value)
}

#[cfg(test)]
mod tests {
    use super::{value, written};

    #[test]
    fn what_is_written_is_read_again() {
        let text = "a\"'\\\n\t\r\u{0}\u{85}é\u{1f600}";
        assert_eq!(value(&written(text)).as_deref(), Some(text));
        assert_eq!(written("it's"), "\"it's\"");
    }

    #[test]
    fn escapes_mean_what_the_evaluator_takes_them_for() {
        let cases = [
            (r#""a\tb\x41\u00e9\U0001F600\101\q""#, Some("a\tbAé😀A\\q")),
            (r#"r'a\n\''"#, Some("a\\n'")),
            ("'''a\nb'''", Some("a\nb")),
            ("'a", None),
            (r"'\x4'", None),
            ("b'a'", None),
        ];
        for (source, expected) in cases {
            assert_eq!(value(source).as_deref(), expected, "{source}");
        }
    }
}
