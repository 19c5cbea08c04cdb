//! Text from strangers, made safe to show: what a terminal would obey or not show at all becomes visible.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a terminal would obey the character, turn the text around, or show nothing.
pub(super) fn is_hidden(character: char) -> bool {
    match character {
        // Soft hyphen, Arabic letter mark, Hangul fillers, Khmer inherent vowels, Mongolian vowel separator.
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{3164}'
        // Zero-width characters, direction marks, line and paragraph separators, embeddings and isolates.
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        // Byte order mark, interlinear marks, tags.
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => character.is_control(),
    }
}

/// How a hidden character is shown: as Starlark and Rust write it.
pub(super) fn push_escape(shown: &mut String, character: char) {
    let _ = match u32::from(character) {
        code @ ..0x80 => write!(shown, "\\x{code:02x}"),
        code => write!(shown, "\\u{{{code:x}}}"),
    };
}

/// How a hidden character is written in a literal: `\u` takes four and `\U` eight digits, in Starlark strings as in the
/// `$'…'` quotes of bash and zsh.
pub(super) fn push_code(literal: &mut String, character: char) {
    let _ = match u32::from(character) {
        code @ ..0x80 => write!(literal, "\\x{code:02x}"),
        code @ ..0x1_0000 => write!(literal, "\\u{code:04x}"),
        code => write!(literal, "\\U{code:08x}"),
    };
}

/// The text on one line: line breaks are shown as escapes too.
pub(super) fn line(text: &str) -> Cow<'_, str> {
    escaped(text, |_| false)
}

/// The text with its line breaks.
pub(super) fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |character| character == '\n')
}

fn escaped(text: &str, keeps: impl Fn(char) -> bool) -> Cow<'_, str> {
    let hidden = |character| is_hidden(character) && !keeps(character);
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\n' if hidden('\n') => shown.push_str("\\n"),
            '\t' if hidden('\t') => shown.push_str("\\t"),
            character if hidden(character) => push_escape(&mut shown, character),
            character => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// A text of at most `limit` characters; the end of a longer one is replaced by a mark.
pub(super) fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
    }
}

/// A word as one would type it in a shell: bare if it is plain, else in quotes.
pub(super) fn word(word: &str) -> Cow<'_, str> {
    let plain = |character: char| character.is_alphanumeric() || "_@%+=:,./-".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    if !word.contains(is_hidden) {
        return Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")));
    }
    let mut quoted = String::from("$'");
    for character in word.chars() {
        match character {
            '\'' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            _ if is_hidden(character) => push_code(&mut quoted, character),
            _ => quoted.push(character),
        }
    }
    quoted.push('\'');
    Cow::Owned(quoted)
}

/// Words as one would type them.
pub(super) fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let mut shown = String::new();
    for next in words {
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.push_str(&word(next));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_shown() {
        assert_eq!(line("a\x1b[2Jb\u{202e}c\n"), "a\\x1b[2Jb\\u{202e}c\\n");
        assert_eq!(lines("a\nb\r\n"), "a\nb\\x0d\n");
        assert_eq!(line("é 漢 🙂"), "é 漢 🙂");
    }

    #[test]
    fn words_are_shown_as_a_shell_reads_them() {
        for (given, shown) in [
            ("git", "git"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("a\x1b'\u{202e}", r"$'a\x1b\'\u202e'"),
            ("ünïcode", "ünïcode"),
        ] {
            assert_eq!(word(given), shown);
        }
        assert_eq!(words(["rm", "-rf", "/tmp/a b"]), "rm -rf '/tmp/a b'");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöüx", 3), "äöü…");
    }
}
