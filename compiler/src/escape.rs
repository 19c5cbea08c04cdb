//! Text from strangers, made safe to show: what a terminal would obey or not show at all becomes visible.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a terminal would obey the character, turn the text around, or show nothing: control and format characters,
/// and every blank but the ASCII one.
pub fn is_hidden(character: char) -> bool {
    match character {
        ' '..='~' => false,
        // Format characters (Cf of Unicode 16) of the first plane, soft hyphen to interlinear marks.
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}'
        | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        // Those beyond it, tags and variation selectors included.
        | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        // Joiner and fillers that show nothing.
        | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{ffa0}'
        // Blanks, line and paragraph separators.
        | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}'
        | '\u{2800}' | '\u{3000}' => true,
        _ => character.is_control(),
    }
}

/// How a hidden character is shown: as Starlark and Rust write it.
pub fn push_escape(shown: &mut String, character: char) {
    let _ = match u32::from(character) {
        code @ ..0x80 => write!(shown, "\\x{code:02x}"),
        code => write!(shown, "\\u{{{code:x}}}"),
    };
}

/// How a hidden character is written in a literal: `\u` takes four and `\U` eight digits, in Starlark strings as in the
/// `$'…'` quotes of bash and zsh.
pub fn push_code(literal: &mut String, character: char) {
    let _ = match u32::from(character) {
        code @ ..0x80 => write!(literal, "\\x{code:02x}"),
        code @ ..0x1_0000 => write!(literal, "\\u{code:04x}"),
        code => write!(literal, "\\U{code:08x}"),
    };
}

/// The text on one line: line breaks are shown as escapes too.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, |_| false)
}

/// The text with its line breaks.
pub fn lines(text: &str) -> Cow<'_, str> {
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

/// The text on one line for a host to show: every hidden character as `\u{…}`.
pub fn display(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_hidden(character) {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(character));
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// A word as one would type it, but for hidden characters, which stay.
fn quoted(word: &str) -> Cow<'_, str> {
    if is_plain(word) { Cow::Borrowed(word) } else { Cow::Owned(format!("'{}'", word.replace('\'', r"'\''"))) }
}

/// Words as one would type them, for a host to show.
pub fn display_words<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    display(&quoted_words(words)).into_owned()
}

/// Words as one would type them, but for hidden characters, which stay.
pub fn quoted_words<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// A text of at most `limit` characters; the end of a longer one is replaced by a mark.
pub fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
    }
}

/// Whether a shell takes the word for itself without quotes.
fn is_plain(word: &str) -> bool {
    let plain = |character: char| character.is_alphanumeric() || "_@%+=:,./-".contains(character);
    !word.is_empty() && word.chars().all(plain)
}

/// A word as one would type it in a shell: bare if it is plain, else in quotes.
pub fn word(word: &str) -> Cow<'_, str> {
    if !word.contains(is_hidden) {
        return quoted(word);
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
pub fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
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
    fn what_hosts_show_stays_on_one_line() {
        assert_eq!(display("rm /tmp/\u{200b}x\u{202e}\n"), r"rm /tmp/\u{200b}x\u{202e}\u{a}");
        assert_eq!(display_words(["echo", "a\u{2028}b", "c\u{3000}"]), r"echo 'a\u{2028}b' 'c\u{3000}'");
        assert_eq!(display("é 漢 🙂"), "é 漢 🙂");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöüx", 3), "äöü…");
    }
}
