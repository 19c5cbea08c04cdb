//! SHA-256 (FIPS 180-4), which names requests and tables.

/// The fractional parts of the cube roots of the first 64 primes.
#[rustfmt::skip]
const CONSTANTS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// A digest of bytes that come piece by piece.
#[derive(Clone)]
pub struct Sha256 {
    state: [u32; 8],
    block: [u8; 64],
    filled: usize,
    length: u64,
}

impl Sha256 {
    /// The digest of nothing so far.
    #[must_use]
    pub const fn new() -> Self {
        let state = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
        Self { state, block: [0; 64], filled: 0, length: 0 }
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.length = self.length.wrapping_add(bytes.len() as u64);
        let (head, rest) = bytes.split_at((64 - self.filled).min(bytes.len()));
        head.iter().for_each(|byte| self.push(*byte));
        // Once nothing is left over, whole blocks need not be collected byte by byte.
        let (blocks, tail) = rest.as_chunks::<64>();
        for block in blocks {
            self.block = *block;
            self.compress();
        }
        tail.iter().for_each(|byte| self.push(*byte));
    }

    fn push(&mut self, byte: u8) {
        if let Some(free) = self.block.get_mut(self.filled) {
            *free = byte;
        }
        self.filled += 1;
        if self.filled == self.block.len() {
            self.compress();
            self.filled = 0;
        }
    }

    /// The digest.
    #[must_use]
    pub fn finish(mut self) -> [u8; 32] {
        let bits = self.length.wrapping_mul(8);
        self.push(0x80);
        while self.filled != 56 {
            self.push(0);
        }
        bits.to_be_bytes().into_iter().for_each(|byte| self.push(byte));
        let mut digest = [0; 32];
        for (four, word) in digest.chunks_exact_mut(4).zip(self.state) {
            four.copy_from_slice(&word.to_be_bytes());
        }
        digest
    }

    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> [u8; 32] {
        let mut sha = Self::new();
        sha.update(bytes);
        sha.finish()
    }

    fn compress(&mut self) {
        let mut schedule = [0_u32; 64];
        for (word, four) in schedule.iter_mut().zip(self.block.chunks_exact(4)) {
            *word = four.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        }
        for place in 16..64 {
            let earlier = |back: usize| schedule.get(place - back).copied().unwrap_or_default();
            let (near, far) = (earlier(2), earlier(15));
            let small0 = far.rotate_right(7) ^ far.rotate_right(18) ^ far >> 3;
            let small1 = near.rotate_right(17) ^ near.rotate_right(19) ^ near >> 10;
            let sum = earlier(16).wrapping_add(small0).wrapping_add(earlier(7)).wrapping_add(small1);
            if let Some(word) = schedule.get_mut(place) {
                *word = sum;
            }
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = self.state;
        for (constant, word) in CONSTANTS.into_iter().zip(schedule) {
            let big1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = e & f ^ !e & g;
            let first = h.wrapping_add(big1).wrapping_add(choice).wrapping_add(constant).wrapping_add(word);
            let big0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let second = big0.wrapping_add(a & b ^ a & c ^ b & c);
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
        }
        for (state, more) in self.state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *state = state.wrapping_add(more);
        }
    }
}

impl Default for Sha256 {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::Sha256;
    use alloc::string::String;

    fn digest(pieces: &[&[u8]]) -> String {
        let mut sha = Sha256::new();
        pieces.iter().for_each(|piece| sha.update(piece));
        sha.finish().iter().map(|byte| alloc::format!("{byte:02x}")).collect()
    }

    #[test]
    fn digests_are_those_of_the_standard() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest(&[b"abc"]), abc);
        assert_eq!(digest(&[b"a", b"", b"bc"]), abc);
        assert_eq!(digest(&[]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(digest(&[two_blocks]), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        let million = alloc::vec![b'a'; 1_000_000];
        assert_eq!(digest(&[&million]), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}
