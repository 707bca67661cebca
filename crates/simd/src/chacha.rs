//! ChaCha with eight rounds for eight streams at once: the words of stream i stand in lane i.
//!
//! The same words as a scalar generator with this key, stream by stream (64-bit block counter, 64-bit stream number, little-endian words): a path that is
//! simulated in a lane is the path that its own stream gives.
#![allow(clippy::needless_range_loop, reason = "one plain loop over the lanes an operation is the shape that becomes vector code")]

/// Streams side by side.
pub const LANES: usize = 8;
/// 64-bit words a block.
pub const WORDS: usize = 8;

/// One row of words, a lane a stream.
pub type Row = [u64; LANES];

/// Eight streams with consecutive numbers under one key.
#[derive(Clone, Debug)]
pub struct Streams {
    key: [u32; 8],
    first: u64,
    counter: u64,
}

#[inline(always)]
fn quarter(state: &mut [[u32; LANES]; 16], a: usize, b: usize, c: usize, d: usize) {
    #[inline(always)]
    fn add(state: &mut [[u32; LANES]; 16], to: usize, from: usize) {
        for lane in 0..LANES {
            state[to][lane] = state[to][lane].wrapping_add(state[from][lane]);
        }
    }
    #[inline(always)]
    fn mix(state: &mut [[u32; LANES]; 16], to: usize, from: usize, turn: u32) {
        for lane in 0..LANES {
            state[to][lane] = (state[to][lane] ^ state[from][lane]).rotate_left(turn);
        }
    }
    add(state, a, b);
    mix(state, d, a, 16);
    add(state, c, d);
    mix(state, b, c, 12);
    add(state, a, b);
    mix(state, d, a, 8);
    add(state, c, d);
    mix(state, b, c, 7);
}

impl Streams {
    /// Streams `first`, `first + 1`, .., from their beginnings.
    #[must_use]
    pub fn new(key: &[u8; 32], first: u64) -> Streams {
        let mut words = [0; 8];
        for (word, bytes) in words.iter_mut().zip(key.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Streams { key: words, first, counter: 0 }
    }

    /// The next block of each stream: eight rows of words.
    #[inline(always)]
    pub fn block(&mut self) -> [Row; WORDS] {
        const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
        let mut start = [[0_u32; LANES]; 16];
        for (row, &constant) in start.iter_mut().zip(CONSTANTS.iter().chain(&self.key)) {
            *row = [constant; LANES];
        }
        start[12] = [self.counter as u32; LANES];
        start[13] = [(self.counter >> 32) as u32; LANES];
        for lane in 0..LANES {
            let stream = self.first.wrapping_add(lane as u64);
            start[14][lane] = stream as u32;
            start[15][lane] = (stream >> 32) as u32;
        }
        let mut state = start;
        for _ in 0..4 {
            quarter(&mut state, 0, 4, 8, 12);
            quarter(&mut state, 1, 5, 9, 13);
            quarter(&mut state, 2, 6, 10, 14);
            quarter(&mut state, 3, 7, 11, 15);
            quarter(&mut state, 0, 5, 10, 15);
            quarter(&mut state, 1, 6, 11, 12);
            quarter(&mut state, 2, 7, 8, 13);
            quarter(&mut state, 3, 4, 9, 14);
        }
        self.counter = self.counter.wrapping_add(1);
        let mut out = [[0_u64; LANES]; WORDS];
        for (word, row) in out.iter_mut().enumerate() {
            for lane in 0..LANES {
                let low = state[2 * word][lane].wrapping_add(start[2 * word][lane]);
                let high = state[2 * word + 1][lane].wrapping_add(start[2 * word + 1][lane]);
                row[lane] = u64::from(low) | u64::from(high) << 32;
            }
        }
        out
    }
}
