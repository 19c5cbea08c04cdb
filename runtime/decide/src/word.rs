//! The words of a command, each as the table's words are compared with it.

use crate::hash;

/// A word that can be looked up.
pub(crate) trait Word: Copy {
    /// Its hash under the seed of the table.
    fn hash(self, seed: u32) -> u64;

    /// Whether these bytes of the table are this word.
    fn is(self, bytes: &[u8]) -> bool;
}

/// A word compared byte for byte.
#[derive(Clone, Copy)]
pub(crate) struct Exact<'q>(pub(crate) &'q str);

impl Word for Exact<'_> {
    #[inline(always)]
    fn hash(self, seed: u32) -> u64 {
        hash::word(self.0.as_bytes(), seed)
    }

    #[inline(always)]
    fn is(self, bytes: &[u8]) -> bool {
        same_bytes(bytes, self.0.as_bytes())
    }
}

/// A word compared in its folded form, in which the table keeps words of rules under canonical matching.
#[cfg(feature = "canonical")]
#[derive(Clone, Copy)]
pub(crate) struct Folded<'q>(pub(crate) &'q str);

#[cfg(feature = "canonical")]
impl Word for Folded<'_> {
    fn hash(self, seed: u32) -> u64 {
        hash::word_from_iter(crate::fold::folded_bytes(self.0), seed)
    }

    fn is(self, bytes: &[u8]) -> bool {
        crate::fold::folded_bytes(self.0).eq(bytes.iter().copied())
    }
}

/// Whether a word of the table is this word; under canonical matching the table keeps it folded.
pub(crate) fn is_same(known: &str, word: &str, canonical: bool) -> bool {
    #[cfg(feature = "canonical")]
    if canonical {
        return Folded(word).is(known.as_bytes());
    }
    // Without the feature, tables with such rules are refused when they are read.
    let _ = canonical;
    known == word
}

/// Equality of short texts in one or two loads each, where a call of the general comparison would cost more.
#[inline(always)]
fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() || a.len() > 16 {
        return a == b;
    }
    if let (Some(a_first), Some(b_first), Some(a_last), Some(b_last)) =
        (a.first_chunk::<8>(), b.first_chunk::<8>(), a.last_chunk::<8>(), b.last_chunk::<8>())
    {
        return a_first == b_first && a_last == b_last;
    }
    if let (Some(a_first), Some(b_first), Some(a_last), Some(b_last)) =
        (a.first_chunk::<4>(), b.first_chunk::<4>(), a.last_chunk::<4>(), b.last_chunk::<4>())
    {
        return a_first == b_first && a_last == b_last;
    }
    a.iter().eq(b)
}

#[cfg(test)]
mod tests {
    use super::same_bytes;

    #[test]
    fn texts_are_the_same_when_every_byte_is() {
        let text = *b"abcdefghijklmnopqrst";
        for length in 0..=text.len() {
            assert!(same_bytes(&text[..length], &text[..length]));
            for changed in 0..length {
                let mut other = text;
                other[changed] ^= 1;
                assert!(!same_bytes(&text[..length], &other[..length]), "{length} bytes, byte {changed}");
            }
        }
    }
}
