//! The hashes that are part of the table format: the compiler places words and edges by them, the runtime finds them.

const K: [u64; 4] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9, 0xd6e8_feb8_6659_fd93];

/// The 128-bit product, folded to 64 bits: every input bit reaches every output bit.
#[inline(always)]
const fn fold_multiply(a: u64, b: u64) -> u64 {
    let product = (a as u128).wrapping_mul(b as u128);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The hash of a word: its bytes in little-endian groups of eight, the last filled up with zeros, and its length.
/// It is made for [`edge`], which mixes it once more.
#[inline(always)]
#[must_use]
pub fn word(bytes: &[u8], seed: u32) -> u64 {
    let (groups, tail) = bytes.as_chunks::<8>();
    let mut state = u64::from(seed) ^ K[0];
    for group in groups {
        state = fold_multiply(state ^ u64::from_le_bytes(*group), K[1]);
    }
    if !tail.is_empty() {
        state = fold_multiply(state ^ tail_group(bytes, tail.len()), K[1]);
    }
    state ^ bytes.len() as u64
}

/// The hash of a word whose bytes come one by one; equal to [`word`] of the same bytes.
#[cfg(feature = "canonical")]
pub(crate) fn word_from_iter(bytes: impl Iterator<Item = u8>, seed: u32) -> u64 {
    let mut state = u64::from(seed) ^ K[0];
    let (mut group, mut length) = (0, 0_u64);
    for byte in bytes {
        group |= u64::from(byte) << (8 * (length % 8));
        length += 1;
        if length.is_multiple_of(8) {
            state = fold_multiply(state ^ group, K[1]);
            group = 0;
        }
    }
    if !length.is_multiple_of(8) {
        state = fold_multiply(state ^ group, K[1]);
    }
    state ^ length
}

/// The last `length % 8` bytes as a little-endian number, read in at most two loads.
#[inline(always)]
fn tail_group(bytes: &[u8], length: usize) -> u64 {
    let shift = |bytes: usize| 8 * (bytes as u32 & 7);
    if let Some(last) = bytes.last_chunk::<8>() {
        return u64::from_le_bytes(*last) >> shift(8 - length);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return u64::from(first) | u64::from(last) << shift(length - 4);
    }
    match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c] => u64::from(u32::from_le_bytes([a, b, c, 0])),
        _ => 0,
    }
}

/// The hash of an edge: the state that it leaves and the hash of the word on it.
#[inline(always)]
#[must_use]
pub const fn edge(state: u32, word: u64) -> u64 {
    fold_multiply(word ^ (state as u64) << 32, K[3])
}

/// The slot where the search for `hash` starts, among `capacity` of them.
#[inline(always)]
#[must_use]
pub const fn slot(hash: u64, capacity: u32) -> u32 {
    (((hash >> 32) * capacity as u64) >> 32) as u32
}

/// The part of a hash that its slot keeps, independent of where the slot is.
#[inline(always)]
#[must_use]
pub const fn tag(hash: u64) -> u32 {
    hash as u32
}

/// The checksum of a table. Each step is a bijection of the lane's state, so a change within one group of eight
/// bytes can never go unseen; anything wider is missed once in 2^64.
#[must_use]
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let mut lanes = K;
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        let (groups, _) = block.as_chunks::<8>();
        for (lane, group) in lanes.iter_mut().zip(groups) {
            *lane = step(*lane, u64::from_le_bytes(*group));
        }
    }
    let mut last = bytes.len() as u64;
    for &byte in rest {
        last = step(last, u64::from(byte));
    }
    lanes.into_iter().fold(last, step)
}

#[inline(always)]
const fn step(lane: u64, group: u64) -> u64 {
    (lane ^ group).wrapping_mul(K[0]).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "canonical")]
    #[test]
    fn one_word_has_one_hash() {
        let bytes: [u8; 40] = core::array::from_fn(|i| (i * 37 + 5) as u8);
        for length in 0..=bytes.len() {
            let bytes = &bytes[..length];
            assert_eq!(word(bytes, 7), word_from_iter(bytes.iter().copied(), 7), "{length} bytes");
        }
    }

    /// Eight a slot on average: a Poisson tail beyond 30 has a chance of 1 in 10^8 a slot.
    fn assert_even(hashes: impl Iterator<Item = u64>) {
        let mut counts = [0_u32; 4096];
        for hash in hashes {
            counts[slot(hash, 4096) as usize] += 1;
        }
        assert_eq!(counts.iter().sum::<u32>(), 8 * 4096);
        assert!(counts.iter().all(|&count| count < 30));
    }

    fn similar_word(number: u32) -> u64 {
        word(&[b'p', b'r', b'o', b'g', (number >> 12) as u8, (number >> 6 & 63) as u8, (number & 63) as u8], 0)
    }

    #[test]
    fn similar_words_of_one_state_spread_evenly() {
        assert_even((0..8 * 4096).map(|number| edge(3, similar_word(number))));
    }

    #[test]
    fn few_words_of_many_states_spread_evenly() {
        assert_even((0..8 * 4096).map(|number| edge(number >> 2, similar_word(number & 3))));
    }

    #[test]
    fn every_flipped_bit_changes_the_checksum() {
        let mut bytes: [u8; 77] = core::array::from_fn(|i| i as u8);
        let sum = checksum(&bytes);
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&bytes), sum, "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
