//! The words of a text whose grammar is not understood.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::quoting::unescaped;
use crate::{ShellKind, Span, Word};

/// Every word, quotes decoded, operators left out. What stands in quotes that hold a substitution, and what follows a
/// quote without an end, is split at every quote too.
pub(crate) fn words(text: &str, kind: ShellKind) -> Vec<Word<'_>> {
    let escape = match kind {
        ShellKind::Bash | ShellKind::Kin => b'\\',
        ShellKind::PowerShell => b'`',
        ShellKind::Cmd => b'^',
    };
    let mut scan = Scan { text, words: Vec::new(), start: None, decoded: String::new(), done: 0, exists: false };
    let bytes = text.as_bytes();
    let mut index = 0;
    while let Some(&byte) = bytes.get(index) {
        match byte {
            // A line continuation is nothing at all.
            _ if byte == escape && bytes.get(index + 1) == Some(&b'\n') => {
                if scan.start.is_some() {
                    scan.keep_until(index);
                }
                (scan.done, index) = (index + 2, index + 2);
                continue;
            }
            _ if byte == escape => {
                scan.keep_until(index);
                let length = text.get(index + 1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
                (scan.done, index) = (index + 1, index + 1 + length);
                continue;
            }
            b'$' if !kind.is_windows() && bytes.get(index + 1) == Some(&b'\'') => {
                let start = index + 2;
                let Some((end, decoded)) = escape_quoted(text, start) else {
                    if scan.start.is_none() {
                        scan.done = index + 1;
                    }
                    index += 1;
                    continue;
                };
                scan.keep_until(index);
                scan.decoded.push_str(&decoded);
                (scan.done, index) = (end + 1, end + 1);
                continue;
            }
            b'"' | b'\'' if byte == b'"' || kind != ShellKind::Cmd => {
                let start = index + 1;
                scan.keep_until(index);
                let Some(end) = end_of_quote(bytes, start, byte, escape) else {
                    scan.done = start;
                    scan.end_word(start);
                    scan.split_plainly(start, text.len());
                    return scan.words;
                };
                let inside = text.get(start..end).unwrap_or_default();
                scan.decode(inside, byte, escape);
                (scan.done, scan.exists, index) = (end + 1, true, end + 1);
                if inside.contains("$(") || inside.contains('`') {
                    scan.end_word(index);
                    scan.split_plainly(start, end);
                }
                continue;
            }
            b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' | b'`' => {
                scan.end_word(index);
                scan.done = index + 1;
            }
            _ if kind.is_windows() && matches!(byte, b'{' | b'}' | b',') => {
                scan.end_word(index);
                scan.done = index + 1;
            }
            // To the interpreter of Windows they are quotes only where they hold a command.
            b'\'' if kind == ShellKind::Cmd => {
                scan.end_word(index);
                scan.done = index + 1;
            }
            // What opens a group, a variable or a quote of escapes is no part of a word.
            b'{' | b'}' | b'$' | b'@' if scan.start.is_none() => scan.done = index + 1,
            _ => {
                scan.start.get_or_insert(index);
            }
        }
        index += 1;
    }
    scan.end_word(text.len());
    scan.words
}

/// Words under construction.
struct Scan<'t> {
    text: &'t str,
    words: Vec<Word<'t>>,
    /// Where the word starts.
    start: Option<usize>,
    /// What is known of the word, if it is not simply a part of the text.
    decoded: String,
    /// Up to where the text is dealt with.
    done: usize,
    /// Whether the word exists even if it is empty.
    exists: bool,
}

impl<'t> Scan<'t> {
    fn keep_until(&mut self, index: usize) {
        self.start.get_or_insert(index);
        self.decoded.push_str(self.text.get(self.done..index).unwrap_or_default());
        self.exists = true;
    }

    fn decode(&mut self, inside: &str, quote: u8, escape: u8) {
        let escape = char::from(escape);
        if quote != b'"' || !inside.contains(escape) {
            self.decoded.push_str(inside);
            return;
        }
        let mut characters = inside.chars();
        while let Some(character) = characters.next() {
            match character {
                _ if character != escape => self.decoded.push(character),
                _ => match characters.next() {
                    Some('\n') => {}
                    Some(escaped) => {
                        if !matches!(escaped, '"' | '\\' | '$' | '`') {
                            self.decoded.push(escape);
                        }
                        self.decoded.push(escaped);
                    }
                    None => self.decoded.push(escape),
                },
            }
        }
    }

    fn end_word(&mut self, index: usize) {
        let exists = core::mem::take(&mut self.exists);
        let Some(start) = self.start.take() else { return };
        let span = Span::new(start, index);
        let rest = self.text.get(self.done..index).unwrap_or_default();
        if exists {
            let mut text = core::mem::take(&mut self.decoded);
            text.push_str(rest);
            self.words.push(Word::fixed(span, text));
        } else if let Some(text) = self.text.get(start..index) {
            self.words.push(Word::fixed(span, Cow::Borrowed(text)));
        }
        self.done = index;
    }

    /// Splits a part of the text at everything that might be an operator or a quote.
    fn split_plainly(&mut self, start: usize, end: usize) {
        let mut at = start;
        for part in self.text.get(start..end).unwrap_or_default().split(|character: char| {
            matches!(
                character,
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' | '`' | '"' | '\'' | '$' | '{' | '}'
            )
        }) {
            if !part.is_empty() {
                self.words.push(Word::fixed(Span::new(at, at + part.len()), part));
            }
            // All separators are one byte long.
            at += part.len() + 1;
        }
    }
}

/// Where the quote that opened before `start` ends.
/// Where the quote of escapes that begins at `start` ends, and what it stands for; nothing if that depends on more than
/// its text.
fn escape_quoted(text: &str, start: usize) -> Option<(usize, String)> {
    let bytes = text.as_bytes();
    let mut end = start;
    while *bytes.get(end)? != b'\'' {
        end += if bytes.get(end) == Some(&b'\\') { 2 } else { 1 };
    }
    Some((end, unescaped(text.get(start..end)?)?))
}

fn end_of_quote(bytes: &[u8], start: usize, quote: u8, escape: u8) -> Option<usize> {
    let mut index = start;
    loop {
        let byte = *bytes.get(index)?;
        if byte == quote {
            return Some(index);
        }
        index += if byte == escape && quote == b'"' { 2 } else { 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> Vec<String> {
        words(text, ShellKind::Bash).iter().map(|word| String::from(&*word.text)).collect()
    }

    #[test]
    fn every_place_of_a_word_is_found() {
        for (text, expected) in [
            ("g\\it 'push' \"or\"igin; (", &["git", "push", "origin"][..]),
            ("a|b&&{ c;}", &["a", "b", "c"]),
            ("x \"$(git push) y\" z", &["x", "$(git push) y", "git", "push", "y", "z"]),
            ("x `git push`", &["x", "git", "push"]),
            ("echo \"git 'push", &["echo", "", "git", "push"]),
            ("'' \\\n a", &["", "a"]),
            ("$'git' ${x}", &["git", "x}"]),
            ("$'\\x67it' a$'\\'b'", &["git", "a'b"]),
            ("é 'é'é", &["é", "éé"]),
        ] {
            assert_eq!(scan(text), expected, "{text}");
        }
    }
}
