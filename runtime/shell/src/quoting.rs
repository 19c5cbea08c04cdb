//! Quotes, decoded as the shell decodes them.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::ProblemKind;
use crate::atoms::Atom;
use crate::parser::{Parsed, Parser};

/// Where text stands in which only `$`, `` ` `` and `\` are special.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoted {
    /// Between double quotes.
    Double,
    /// In the body of a here-document.
    HereDocument,
}

impl<'t> Parser<'t> {
    /// The text between the single quote here and the next.
    pub(crate) fn single_quoted(&mut self) -> Parsed<&'t str> {
        let start = self.pos + 1;
        let rest = self.bytes.get(start..).unwrap_or_default();
        match rest.iter().position(|&byte| byte == b'\'') {
            Some(length) => {
                self.pos = start + length + 1;
                Ok(self.slice(start..start + length))
            }
            None => self.unclosed(ProblemKind::UnclosedQuote),
        }
    }

    /// What the double quote here opens, up to the one that closes it. Empty quotes yield an empty atom, so that the
    /// word exists.
    pub(crate) fn double_quoted(&mut self, atoms: &mut Vec<Atom<'t>>) -> Parsed {
        let start = self.pos;
        self.pos += 1;
        let before = atoms.len();
        self.deeper(|parser| {
            parser.expanding_text(atoms, Quoted::Double)?;
            if parser.peek().is_none() {
                parser.note(start, start + 1, ProblemKind::UnclosedQuote);
                return Err(crate::parser::Stopped);
            }
            Ok(())
        })?;
        self.pos += 1;
        if atoms.len() == before {
            atoms.push(Atom::Quoted(Cow::Borrowed("")));
        }
        Ok(())
    }

    /// Text in which expansions happen but nothing else does, up to a double quote or the end.
    pub(crate) fn expanding_text(&mut self, atoms: &mut Vec<Atom<'t>>, place: Quoted) -> Parsed {
        loop {
            let start = self.pos;
            let rest = self.bytes.get(start..).unwrap_or_default();
            let special = |byte: &u8| match byte {
                b'$' | b'`' | b'\\' => true,
                b'"' => place == Quoted::Double,
                _ => false,
            };
            self.pos = start + rest.iter().position(special).unwrap_or(rest.len());
            if self.pos > start {
                atoms.push(Atom::Quoted(Cow::Borrowed(self.slice(start..self.pos))));
            }
            match self.peek() {
                Some(b'\\') => match self.at(1) {
                    Some(b'\n') => self.pos += 2,
                    Some(b'$' | b'`' | b'\\') => self.escaped_character(atoms)?,
                    Some(b'"') if place == Quoted::Double => self.escaped_character(atoms)?,
                    None if place == Quoted::Double => self.pos += 1,
                    _ => {
                        atoms.push(Atom::Quoted(Cow::Borrowed("\\")));
                        self.pos += 1;
                    }
                },
                Some(b'$') => self.quoted_dollar(atoms, place)?,
                Some(b'`') => {
                    self.backquoted(place == Quoted::Double)?;
                    atoms.push(Atom::unknown(false, false));
                }
                _ => return Ok(()),
            }
        }
    }

    /// A quote of escapes, `$'…'`. What its bytes are is not always text: then only the shell knows it.
    pub(crate) fn escape_quoted(&mut self, atoms: &mut Vec<Atom<'t>>) -> Parsed {
        let start = self.pos + 2;
        let mut end = start;
        loop {
            match self.bytes.get(end) {
                Some(b'\\') => end += 2,
                Some(b'\'') => break,
                Some(_) => end += 1,
                None => return self.unclosed(ProblemKind::UnclosedQuote),
            }
        }
        self.pos = end + 1;
        let body = self.slice(start..end);
        atoms.push(if !body.contains('\\') {
            Atom::Quoted(Cow::Borrowed(body))
        } else if let Some(text) = unescaped(body) {
            Atom::Quoted(Cow::Owned(text))
        } else {
            Atom::unknown(false, false)
        });
        Ok(())
    }

    /// Stops at the end of the text, because what opens here is never closed.
    #[cold]
    pub(crate) fn unclosed<T>(&mut self, kind: ProblemKind) -> Parsed<T> {
        self.note(self.pos, self.pos + 1, kind);
        self.pos = self.bytes.len();
        Err(crate::parser::Stopped)
    }
}

/// The text that escapes stand for; none if it is no text, or if the locale decides what it is.
pub(crate) fn unescaped(body: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(body.len());
    let mut rest = body.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let (&escape, after) = rest.split_first()?;
        rest = after;
        let value = match escape {
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 27,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => escape,
            b'0'..=b'7' => {
                let (more, after) = digits(rest, 8, 2);
                rest = after;
                // Three octal digits may exceed a byte; the shell keeps the low eight bits.
                let high = u32::from(escape - b'0') * 8_u32.pow(more.count);
                u8::try_from((high + more.value) & 0xFF).ok()?
            }
            // What follows a brace differs between versions of shells.
            b'x' if rest.first() == Some(&b'{') => return None,
            b'x' => {
                let (number, after) = digits(rest, 16, 2);
                if number.count == 0 {
                    bytes.extend(b"\\x");
                    continue;
                }
                rest = after;
                u8::try_from(number.value).ok()?
            }
            b'u' | b'U' => {
                let (number, after) = digits(rest, 16, if escape == b'u' { 4 } else { 8 });
                if number.count == 0 {
                    bytes.extend([b'\\', escape]);
                    continue;
                }
                rest = after;
                // Beyond ASCII, the locale decides which bytes these are.
                u8::try_from(number.value).ok().filter(u8::is_ascii)?
            }
            b'c' => {
                let (&control, after) = rest.split_first()?;
                rest = after;
                if control == b'\\' {
                    rest = rest.strip_prefix(b"\\").unwrap_or(rest);
                }
                match control {
                    b'?' => 0x7F,
                    _ if control.is_ascii() => control.to_ascii_uppercase() & 0x1F,
                    _ => return None,
                }
            }
            _ => {
                bytes.extend([b'\\', escape]);
                continue;
            }
        };
        // A NUL ends the text inside the shell.
        if value == 0 {
            return None;
        }
        bytes.push(value);
    }
    String::from_utf8(bytes).ok()
}

/// A number in an escape.
struct Number {
    value: u32,
    count: u32,
}

/// Up to `most` digits, and what is left.
fn digits(bytes: &[u8], base: u32, most: u32) -> (Number, &[u8]) {
    let mut number = Number { value: 0, count: 0 };
    let mut rest = bytes;
    while number.count < most
        && let Some((&byte, after)) = rest.split_first()
        && let Some(digit) = char::from(byte).to_digit(base)
    {
        number = Number { value: number.value.wrapping_mul(base).wrapping_add(digit), count: number.count + 1 };
        rest = after;
    }
    (number, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_the_bytes_they_stand_for() {
        for (body, text) in [
            (r"a\tb\n", Some("a\tb\n")),
            (r"\147\x69\u0074\U00000021", Some("git!")),
            (r"\e\E\cA\c?\c\\x", Some("\x1b\x1b\x01\x7f\x1cx")),
            (r"\'\q\?\x\u", Some("'\\q?\\x\\u")),
            (r"\xc3\xa9", Some("é")),
            (r"\xff", None),
            (r"a\0b", None),
            (r"\u00e9", None),
            (r"\x{41}", None),
        ] {
            assert_eq!(unescaped(body).as_deref(), text, "{body}");
        }
    }
}
