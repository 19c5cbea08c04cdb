//! Signatures of words, superimposed in 64 bits: whether any word of a command may be one that a condition names is a
//! question of one operation. What shares no bit is no match; what shares one is compared.

/// The signature of what may be any word.
pub const ANY_WORD: u64 = u64::MAX;

/// The signature of a word that a condition names.
#[must_use]
pub fn signature(word: &str) -> u64 {
    match word.as_bytes() {
        [] | [b'-'] | [b'-', b'-'] => ANY_WORD,
        [b'-', b'-', first, ..] => long(*first),
        [b'-', letter, ..] => short(*letter),
        [first, ..] => operand(*first),
    }
}

/// The signature of a word of a command: of all that it may be, as an option or a bundle of them.
pub(crate) fn of_written(word: &str) -> u64 {
    match word.as_bytes() {
        [b'-', b'-', first, ..] => long(*first),
        [b'-', letters @ ..] => letters.iter().fold(0, |signatures, letter| signatures | short(*letter)),
        [first, ..] => operand(*first),
        [] => 0,
    }
}

/// Long options have 32 bits, letters of short ones 24, and words that are no options the rest.
const fn long(first: u8) -> u64 {
    1 << (first % 32)
}

const fn short(letter: u8) -> u64 {
    1 << (32 + letter % 24)
}

const fn operand(first: u8) -> u64 {
    1 << (56 + first % 8)
}

#[cfg(test)]
mod tests {
    use super::{ANY_WORD, of_written, signature};
    use crate::option_word::names_option;

    #[test]
    fn what_names_an_option_shares_a_bit_with_it() {
        let words = ["", "-", "--", "--=x", "-x", "-xyz", "-rf=1", "--force", "--forc", "--force=x", "-delete", "push"];
        let more = ["-é", "--é", "é", "-aé", "--no-force", "-f", "-r", "-z", "x", "-:", "-delete=1"];
        for word in words.iter().chain(&more) {
            for known in words.iter().chain(&more) {
                for generous in [false, true] {
                    let named = word == known || known.len() > 1 && names_option(word, known, generous);
                    let shared = signature(known) == ANY_WORD || signature(known) & of_written(word) != 0;
                    assert!(!named || shared, "{word} {known}");
                }
            }
        }
    }
}
