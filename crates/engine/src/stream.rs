//! Random streams keyed by (seed, claim, part, route, index): the same words at any thread count, in any selection, on any machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A keyed source of independent streams.
#[derive(Clone)]
pub struct Keyed {
    key: [u8; 32],
}

impl Keyed {
    /// The source for one part by one route.
    ///
    /// The key is four FNV-1a hashes with different starts; names need to be told apart, not hidden.
    #[must_use]
    pub fn new(seed: u64, path: &[&str]) -> Keyed {
        let mut key = [0_u8; 32];
        for (lane, slot) in key.chunks_exact_mut(8).enumerate() {
            let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ (lane as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut absorb = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            seed.to_le_bytes().into_iter().for_each(&mut absorb);
            for name in path {
                // The length keeps ("a", "bc") and ("ab", "c") apart.
                (name.len() as u64).to_le_bytes().into_iter().for_each(&mut absorb);
                name.bytes().for_each(&mut absorb);
            }
            slot.copy_from_slice(&hash.to_le_bytes());
        }
        Keyed { key }
    }

    /// The stream with this index.
    #[must_use]
    pub fn stream(&self, index: u64) -> Stream {
        let mut rng = ChaCha8Rng::from_seed(self.key);
        rng.set_stream(index);
        Stream { rng, key: self.key, index }
    }

    /// Fills `words` from the stream with this index.
    pub fn fill(&self, index: u64, words: &mut [u64]) {
        let mut stream = self.stream(index);
        for word in words {
            *word = stream.rng.next_u64();
        }
    }
}

/// One stream of words: the cipher ChaCha with eight rounds as a counter-based generator, so streams of different indices are independent.
pub struct Stream {
    rng: ChaCha8Rng,
    key: [u8; 32],
    index: u64,
}

/// Stream numbers from here on belong to vector kernels; scalar streams are numbered by chunk and stay far below.
const FIRST_LANE: u64 = 1 << 62;
/// Streams a batch of lanes.
const LANES: u64 = 32;
/// Batches of lanes that a stream may ask for.
const BATCHES: u64 = 256;

impl sample::Words for Stream {
    fn word(&mut self) -> u64 {
        self.rng.next_u64()
    }

    fn lanes(&mut self, batch: u64) -> Option<([u8; 32], u64)> {
        let first = self.index.checked_mul(BATCHES)?.checked_add(batch)?.checked_mul(LANES)?.checked_add(FIRST_LANE)?;
        (batch < BATCHES).then_some((self.key, first))
    }
}

#[cfg(test)]
mod tests {
    use super::Keyed;

    fn words(seed: u64, path: &[&str], index: u64) -> [u64; 4] {
        let mut out = [0; 4];
        Keyed::new(seed, path).fill(index, &mut out);
        out
    }

    #[test]
    fn lanes_are_streams_of_their_own() {
        use sample::Words;
        let keyed = Keyed::new(1, &["p/c"]);
        let mut firsts: Vec<u64> = (0..4)
            .flat_map(|index| (0..256).map(move |batch| (index, batch)))
            .filter_map(|(index, batch)| keyed.stream(index).lanes(batch))
            .map(|(_, first)| first)
            .collect();
        firsts.sort_unstable();
        assert!(firsts.len() == 1024 && firsts[0] >= 1 << 62 && firsts.windows(2).all(|pair| pair[1] - pair[0] >= 32));
        assert!(keyed.stream(0).lanes(256).is_none() && keyed.stream(u64::MAX).lanes(0).is_none());
    }

    #[test]
    fn every_part_of_the_key_counts() {
        let base = words(1, &["p/c", "part"], 0);
        assert_eq!(base, words(1, &["p/c", "part"], 0));
        assert_ne!(base, words(2, &["p/c", "part"], 0));
        assert_ne!(base, words(1, &["p/c", "part"], 1));
        assert_ne!(base, words(1, &["p/d", "part"], 0));
        assert_ne!(base, words(1, &["p/cp", "art"], 0));
    }
}
