//! Digests as text.

/// Bytes in lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| DIGITS.get(usize::from(value)).map_or('0', |digit| char::from(*digit));
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The digest that 64 hexadecimal digits are.
pub(crate) fn digest(text: &str) -> Option<[u8; 32]> {
    let mut digest = [0; 32];
    let bytes = text.as_bytes();
    if bytes.len() != 64 {
        return None;
    }
    for (byte, pair) in digest.iter_mut().zip(bytes.chunks_exact(2)) {
        let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
        let (high, low) = (value(*pair.first()?)?, value(*pair.get(1)?)?);
        *byte = high << 4 | low;
    }
    Some(digest)
}

#[cfg(test)]
mod tests {
    #[test]
    fn digests_come_back() {
        let bytes: [u8; 32] = std::array::from_fn(|place| place as u8 * 8);
        assert_eq!(super::digest(&super::hex(&bytes)), Some(bytes));
        assert_eq!(super::digest("zz"), None);
    }
}
