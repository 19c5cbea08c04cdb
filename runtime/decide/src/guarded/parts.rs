//! The parts of a word that its program may take for a path.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// What a path may stand behind: a name, what says that a file is to be read, and another item of a list.
const BEFORE: [char; 4] = ['=', '@', '<', ','];

/// What may stand behind a path.
const BEHIND: [char; 5] = [':', ';', ',', '?', '#'];

/// The scheme of addresses that are paths.
const SCHEME: &str = "file:";

/// Whether a word can have any such part.
pub(super) fn has_parts(word: &str) -> bool {
    word.starts_with('-') || word.contains(BEFORE) || word.contains(BEHIND)
}

/// What stands behind a letter of an option or a mark, whole and up to the next mark, and what addresses stand for.
pub(super) fn parts(word: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut attached = true;
    let letters = word
        .char_indices()
        .skip(1)
        .take_while(move |(_, letter)| core::mem::replace(&mut attached, letter.is_ascii_alphanumeric()));
    let letters = letters.filter(|_| word.starts_with('-') && !word.starts_with("--"));
    let marks = word.match_indices(BEFORE).map(|(place, mark)| place + mark.len());
    let starts = letters.map(|(place, letter)| place + letter.len_utf8()).chain(marks);
    let rests = core::iter::once(word).chain(starts.filter_map(|start| word.get(start..)));
    rests.filter(|rest| !rest.is_empty()).flat_map(|rest| {
        let path = path_of(rest);
        let before = |text: &str| text.find(BEHIND).filter(|end| *end > 0);
        let shorter = match &path {
            Some(path) => before(path).and_then(|end| path.get(..end).map(|path| Cow::Owned(path.into()))),
            None => before(rest).and_then(|end| rest.get(..end).map(Cow::Borrowed)),
        };
        [Some(Cow::Borrowed(rest)), path, shorter].into_iter().flatten()
    })
}

/// The path that an address of a file stands for.
fn path_of(address: &str) -> Option<Cow<'_, str>> {
    let (scheme, path) = address.split_at_checked(SCHEME.len())?;
    if !scheme.eq_ignore_ascii_case(SCHEME) {
        return None;
    }
    let path = match path.strip_prefix("//") {
        Some(path) => path.find('/').and_then(|host| path.get(host..)).unwrap_or(path),
        None => path,
    };
    Some(if path.contains('%') { Cow::Owned(decoded(path)) } else { Cow::Borrowed(path) })
}

/// A text with its percent signs and the two digits behind them as bytes.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind.get(..2).filter(|_| *first == b'%').and_then(|digits| core::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
