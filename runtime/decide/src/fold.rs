//! Unicode canonical caseless comparison (Unicode 16, section 3.13, definition D145): words are equal if their folded
//! forms are, where the folded form of X is NFD(toCasefold(NFD(X))).

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

/// The folded form of a word, as its bytes in UTF-8.
pub(crate) fn folded_bytes(word: &str) -> impl Iterator<Item = u8> {
    // ASCII is its own NFD, and its folding is one to one.
    let ascii = word.is_ascii().then(|| word.bytes().map(|byte| byte.to_ascii_lowercase()));
    let other = ascii.is_none().then(|| word.chars().nfd().default_case_fold().nfd().flat_map(utf8));
    ascii.into_iter().flatten().chain(other.into_iter().flatten())
}

fn utf8(character: char) -> impl Iterator<Item = u8> {
    let mut buffer = [0; 4];
    let length = character.encode_utf8(&mut buffer).len();
    buffer.into_iter().take(length)
}

/// The folded form of a word: what tables hold for rules under canonical matching.
#[must_use]
pub fn fold(word: &str) -> alloc::string::String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    word.chars().nfd().default_case_fold().nfd().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_is_canonical_and_full_but_not_compatible() {
        for (a, b, equal) in [
            ("Git", "gIT", true),
            ("straße", "STRASSE", true),
            ("é", "E\u{301}", true),
            ("\u{1f0}\u{345}\u{327}", "\u{1f0}\u{327}\u{345}", true),
            ("ﬁ", "FI", true),
            ("İ", "i", false),
            ("ａ", "a", false),
        ] {
            assert_eq!(fold(a) == fold(b), equal, "{a} {b}");
            assert!(folded_bytes(a).eq(fold(a).bytes()), "{a}");
        }
    }
}
