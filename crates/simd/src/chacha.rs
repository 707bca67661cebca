//! ChaCha with eight rounds for sixteen streams at once: the words of stream i stand in lane i.
//!
//! The same words as a scalar generator with this key, stream by stream (64-bit block counter, 64-bit stream number, little-endian words): a path that is
//! simulated in a lane is the path that its own stream gives.
#![allow(clippy::needless_range_loop, reason = "one plain loop over the lanes an operation is the shape that becomes vector code")]

/// Streams side by side.
pub const LANES: usize = 16;
/// 64-bit words a block.
pub const WORDS: usize = 8;

/// One row of words, a lane a stream.
pub type Row = [u64; LANES];

/// Sixteen streams with consecutive numbers under one key.
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

/// The 64-bit words of one row: low half first.
#[inline(always)]
fn join(low: [u32; LANES], low_start: [u32; LANES], high: [u32; LANES], high_start: [u32; LANES]) -> Row {
    let mut row = [0; LANES];
    for lane in 0..LANES {
        let (low, high) = (low[lane].wrapping_add(low_start[lane]), high[lane].wrapping_add(high_start[lane]));
        row[lane] = u64::from(low) | u64::from(high) << 32;
    }
    row
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

    /// The state before the rounds, and the counter moved on.
    #[inline(always)]
    fn start(&mut self) -> [[u32; LANES]; 16] {
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
        self.counter = self.counter.wrapping_add(1);
        start
    }

    /// The next block of each stream: eight rows of words.
    #[inline(always)]
    pub fn block(&mut self) -> [Row; WORDS] {
        let start = self.start();
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
        let mut out = [[0_u64; LANES]; WORDS];
        for word in 0..WORDS {
            out[word] = join(state[2 * word], start[2 * word], state[2 * word + 1], start[2 * word + 1]);
        }
        out
    }
}

/// Where a kernel gets its words from.
pub(crate) trait Source {
    /// The next block of each stream.
    fn block(&mut self) -> [Row; WORDS];
    /// The streams with the next numbers, from their beginnings.
    fn next(&self) -> Self;
}

impl Source for Streams {
    #[inline(always)]
    fn block(&mut self) -> [Row; WORDS] {
        Streams::block(self)
    }

    fn next(&self) -> Streams {
        Streams { first: self.first.wrapping_add(LANES as u64), counter: 0, ..*self }
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod wide {
    //! The same streams by AVX-512: one register a row.
    //!
    //! Safety: the block is computed only inside functions that are called after the processor was asked for AVX-512 (F, DQ, VL, BW); loads and stores are
    //! unaligned and stay inside arrays of the registers' size.
    #![allow(unsafe_code)]

    use super::{LANES, Row, Source, Streams, WORDS};
    use std::arch::x86_64::*;

    /// Streams whose blocks come from vector registers.
    pub(crate) struct Wide(pub(crate) Streams);

    type State = [__m512i; 16];

    /// a += b, d = (d ^ a) <<< 16, c += d, b = (b ^ c) <<< 12, and again with 8 and 7.
    #[target_feature(enable = "avx512f")]
    fn quarter(s: &mut State, a: usize, b: usize, c: usize, d: usize) {
        s[a] = _mm512_add_epi32(s[a], s[b]);
        s[d] = _mm512_rol_epi32::<16>(_mm512_xor_si512(s[d], s[a]));
        s[c] = _mm512_add_epi32(s[c], s[d]);
        s[b] = _mm512_rol_epi32::<12>(_mm512_xor_si512(s[b], s[c]));
        s[a] = _mm512_add_epi32(s[a], s[b]);
        s[d] = _mm512_rol_epi32::<8>(_mm512_xor_si512(s[d], s[a]));
        s[c] = _mm512_add_epi32(s[c], s[d]);
        s[b] = _mm512_rol_epi32::<7>(_mm512_xor_si512(s[b], s[c]));
    }

    /// Eight 64-bit words from eight low and eight high halves.
    #[target_feature(enable = "avx512f")]
    fn join(low: __m256i, high: __m256i) -> __m512i {
        _mm512_or_si512(_mm512_cvtepu32_epi64(low), _mm512_slli_epi64::<32>(_mm512_cvtepu32_epi64(high)))
    }

    #[target_feature(enable = "avx512f")]
    fn block(start: &[[u32; LANES]; 16]) -> [Row; WORDS] {
        // SAFETY: each row is 64 readable bytes.
        let first: State = std::array::from_fn(|row| unsafe { _mm512_loadu_si512(start[row].as_ptr().cast()) });
        let mut s = first;
        for _ in 0..4 {
            quarter(&mut s, 0, 4, 8, 12);
            quarter(&mut s, 1, 5, 9, 13);
            quarter(&mut s, 2, 6, 10, 14);
            quarter(&mut s, 3, 7, 11, 15);
            quarter(&mut s, 0, 5, 10, 15);
            quarter(&mut s, 1, 6, 11, 12);
            quarter(&mut s, 2, 7, 8, 13);
            quarter(&mut s, 3, 4, 9, 14);
        }
        let mut out = [[0_u64; LANES]; WORDS];
        for (word, row) in out.iter_mut().enumerate() {
            let low = _mm512_add_epi32(s[2 * word], first[2 * word]);
            let high = _mm512_add_epi32(s[2 * word + 1], first[2 * word + 1]);
            let (lower, upper) = (
                join(_mm512_castsi512_si256(low), _mm512_castsi512_si256(high)),
                join(_mm512_extracti64x4_epi64::<1>(low), _mm512_extracti64x4_epi64::<1>(high)),
            );
            // SAFETY: a row is 128 writable bytes.
            unsafe {
                _mm512_storeu_si512(row.as_mut_ptr().cast(), lower);
                _mm512_storeu_si512(row.as_mut_ptr().add(8).cast(), upper);
            }
        }
        out
    }

    impl Source for Wide {
        #[inline(always)]
        fn block(&mut self) -> [Row; WORDS] {
            let start = self.0.start();
            // SAFETY: this type is made only where the processor has the instructions.
            unsafe { block(&start) }
        }

        fn next(&self) -> Wide {
            Wide(self.0.next())
        }
    }
}
