//! What a string literal means.

/// What a string literal stands for, and where each part of it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// Places in the text, in order, from which on it is written as it is, and where in the source that stands.
    runs: Vec<(u32, u32)>,
    /// Where the closing quotes stand in the source.
    end: u32,
}

impl Decoded {
    /// What the string literal `source` stands for; nothing if it is not a closed string literal, or a bytes one.
    #[must_use]
    pub fn of(source: &str) -> Option<Self> {
        let (raw, quoted) = match source.strip_prefix('r') {
            Some(quoted) => (true, quoted),
            None => (false, source),
        };
        let (quotes, body) = ["\"\"\"", "'''", "\"", "'"]
            .into_iter()
            .find_map(|quotes| Some((quotes, quoted.strip_prefix(quotes)?.strip_suffix(quotes)?)))?;
        let end = source.len() - quotes.len();
        let mut text = String::with_capacity(body.len());
        let mut runs: Vec<(u32, u32)> = Vec::new();
        let mut characters = body.chars();
        loop {
            let place = (offset(text.len()), offset(end - characters.as_str().len()));
            if runs.last().is_none_or(|run| place.1 - run.1 != place.0 - run.0) {
                runs.push(place);
            }
            let Some(character) = characters.next() else { break };
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
        Some(Self { text, runs, end: offset(end) })
    }

    /// The same, with places in the source counted from `base` bytes earlier.
    #[must_use]
    pub fn shifted(mut self, base: u32) -> Self {
        self.runs.iter_mut().for_each(|run| run.1 = run.1.saturating_add(base));
        self.end = self.end.saturating_add(base);
        self
    }

    /// Where the byte of the text at `offset`, or its end, stands in the source.
    #[must_use]
    pub fn source(&self, offset: u32) -> u32 {
        let after = self.runs.partition_point(|&(decoded, _)| decoded <= offset);
        let run = after.checked_sub(1).and_then(|run| self.runs.get(run));
        run.map_or(self.end, |&(decoded, source)| source.saturating_add(offset - decoded).min(self.end))
    }

    /// What stands at `source` in the source, as a place in the text.
    #[must_use]
    pub fn decoded(&self, source: u32) -> u32 {
        let after = self.runs.partition_point(|&(_, place)| place <= source);
        let run = after.checked_sub(1).and_then(|run| self.runs.get(run));
        let next = self.runs.get(after).map_or(offset(self.text.len()), |&(decoded, _)| decoded);
        run.map_or(0, |&(decoded, place)| decoded.saturating_add(source - place).min(next))
    }
}

fn offset(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// The text that the string literal `source` stands for; nothing if it is not a closed string literal, or a bytes one.
#[must_use]
pub fn value(source: &str) -> Option<String> {
    Decoded::of(source).map(|decoded| decoded.text)
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
    use super::{Decoded, value, written};

    #[test]
    fn what_is_written_is_read_again() {
        let text = "a\"'\\\n\t\r\u{0}\u{85}é\u{1f600}";
        assert_eq!(value(&written(text)).as_deref(), Some(text));
        assert_eq!(written("it's"), "\"it's\"");
    }

    #[test]
    fn each_part_of_a_string_is_found_in_its_source() {
        let source = r#""a\tb\x41é\
c""#;
        let decoded = Decoded::of(source).unwrap().shifted(10);
        assert_eq!(decoded.text, "a\tbAéc");
        for (part, written) in [("a", "a"), ("\t", "\\t"), ("b", "b"), ("A", "\\x41"), ("é", "é"), ("c", "c")] {
            let (place, at) = (decoded.text.find(part).unwrap(), source.find(written).unwrap());
            let at = u32::try_from(at).unwrap() + 10;
            assert_eq!(decoded.source(u32::try_from(place).unwrap()), at, "{part:?}");
            assert_eq!(decoded.decoded(at), u32::try_from(place).unwrap(), "{part:?}");
        }
        assert_eq!(decoded.source(7), 10 + u32::try_from(source.len()).unwrap() - 1);
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
