//! The kernels in AVX2.
//!
//! Safety: a function here needs the processor to have AVX2; the public ones are called only after [`available`] has said so, and the other
//! unsafe operations are unaligned loads and stores of a register from and to memory that is there.
#![allow(unsafe_code)]

use crate::double::{self, DoubleMoments};
use crate::{Above, BLOCK, LANES, MAGNITUDE, Moments, fold};
use std::arch::x86_64::*;

/// Whether the processor has what this module needs.
#[inline]
pub(crate) fn available() -> bool {
    is_x86_feature_detected!("avx2")
}

pub(crate) fn moments(values: &[f32], out: &mut Vec<Moments>) {
    // SAFETY: the caller has asked `available`.
    unsafe { moments_avx2(values, out) }
}

pub(crate) fn above(values: &[f32], window: (u32, u32), out: &mut Vec<Above>, inside: &mut Vec<u32>) {
    // SAFETY: the caller has asked `available`.
    unsafe { above_avx2(values, window, out, inside) }
}

#[target_feature(enable = "avx2")]
fn load(lanes: &[f32; LANES]) -> __m256 {
    // SAFETY: eight floats are readable behind the reference; the load needs no alignment.
    unsafe { _mm256_loadu_ps(lanes.as_ptr()) }
}

/// Running sums of |x| and x^2 for four lanes.
#[derive(Clone, Copy)]
struct Running {
    sum: __m256d,
    high: __m256d,
    low: __m256d,
}

impl Running {
    #[target_feature(enable = "avx2")]
    fn new() -> Running {
        let zero = _mm256_setzero_pd();
        Running { sum: zero, high: zero, low: zero }
    }

    /// The same operations in the same order as the portable step.
    #[target_feature(enable = "avx2")]
    fn step(&mut self, x: __m256d) {
        self.sum = _mm256_add_pd(self.sum, x);
        let square = _mm256_mul_pd(x, x);
        let sum = _mm256_add_pd(self.high, square);
        let virtual_b = _mm256_sub_pd(sum, self.high);
        let error = _mm256_add_pd(_mm256_sub_pd(self.high, _mm256_sub_pd(sum, virtual_b)), _mm256_sub_pd(square, virtual_b));
        self.high = sum;
        self.low = _mm256_add_pd(self.low, error);
    }
}

#[target_feature(enable = "avx2")]
fn doubles(v: __m256d) -> [f64; 4] {
    let low = _mm256_castpd256_pd128(v);
    let high = _mm256_extractf128_pd::<1>(v);
    [_mm_cvtsd_f64(low), _mm_cvtsd_f64(_mm_unpackhi_pd(low, low)), _mm_cvtsd_f64(high), _mm_cvtsd_f64(_mm_unpackhi_pd(high, high))]
}

#[target_feature(enable = "avx2")]
fn both(a: __m256d, b: __m256d) -> [f64; LANES] {
    let (a, b) = (doubles(a), doubles(b));
    [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]]
}

#[target_feature(enable = "avx2")]
fn integers(v: __m256i) -> [u32; LANES] {
    let mut out = [0; LANES];
    // SAFETY: eight integers are writable behind the reference; the store needs no alignment.
    unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), v) };
    out
}

#[target_feature(enable = "avx2")]
fn halves(v: __m256) -> (__m256d, __m256d) {
    (_mm256_cvtps_pd(_mm256_castps256_ps128(v)), _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(v)))
}

/// The last elements of a block, padded with zeros, which change nothing.
fn padded(rest: &[f32]) -> [f32; LANES] {
    let mut last = [0.0; LANES];
    last[..rest.len()].copy_from_slice(rest);
    last
}

#[target_feature(enable = "avx2")]
fn moments_avx2(values: &[f32], out: &mut Vec<Moments>) {
    let magnitude = _mm256_set1_epi32(MAGNITUDE as i32);
    let one = _mm256_set1_epi32(1);
    for block in values.chunks(BLOCK) {
        let (mut first, mut second) = (Running::new(), Running::new());
        let mut largest = _mm256_setzero_si256();
        let mut smallest = _mm256_set1_epi32(-1);
        let (chunks, rest) = block.as_chunks::<LANES>();
        let last = [padded(rest)];
        for lanes in chunks.iter().chain(if rest.is_empty() { &[] } else { &last[..] }) {
            let bits = _mm256_and_si256(_mm256_castps_si256(load(lanes)), magnitude);
            largest = _mm256_max_epu32(largest, bits);
            smallest = _mm256_min_epu32(smallest, _mm256_sub_epi32(bits, one));
            let (x, y) = halves(_mm256_castsi256_ps(bits));
            first.step(x);
            second.step(y);
        }
        let smallest = integers(smallest).into_iter().min().unwrap_or(u32::MAX).wrapping_add(1);
        out.push(fold(&both(first.sum, second.sum), &both(first.high, second.high), &both(first.low, second.low), &integers(largest), smallest));
    }
}

/// The lanes of a mask, which most often has one.
#[cold]
#[inline(never)]
fn collect(lanes: &[f32; LANES], mut hits: u32, inside: &mut Vec<u32>) {
    while hits != 0 {
        inside.push(lanes[hits.trailing_zeros() as usize].to_bits() & MAGNITUDE);
        hits &= hits - 1;
    }
}

#[target_feature(enable = "avx2")]
fn above_avx2(values: &[f32], window: (u32, u32), out: &mut Vec<Above>, inside: &mut Vec<u32>) {
    let magnitude = _mm256_set1_epi32(MAGNITUDE as i32);
    // Magnitude bits are below 2^31, so signed comparisons order them; ends of the window beyond are cut to that.
    let top = _mm256_set1_epi32(window.1.min(MAGNITUDE) as i32);
    let below_window = _mm256_set1_epi32((window.0.min(MAGNITUDE) as i32).wrapping_sub(1));
    for block in values.chunks(BLOCK) {
        let (mut first, mut second) = (Running::new(), Running::new());
        let (mut largest, mut count) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        let (chunks, rest) = block.as_chunks::<LANES>();
        let mut step = |lanes: &[f32; LANES], real: u32| {
            let bits = _mm256_and_si256(_mm256_castps_si256(load(lanes)), magnitude);
            let above = _mm256_cmpgt_epi32(bits, top);
            count = _mm256_sub_epi32(count, above);
            let within = _mm256_andnot_si256(above, _mm256_cmpgt_epi32(bits, below_window));
            let hits = _mm256_movemask_ps(_mm256_castsi256_ps(within)) as u32 & real;
            if hits != 0 {
                collect(lanes, hits, inside);
            }
            let bits = _mm256_and_si256(bits, above);
            largest = _mm256_max_epu32(largest, bits);
            let (x, y) = halves(_mm256_castsi256_ps(bits));
            first.step(x);
            second.step(y);
        };
        for lanes in chunks {
            step(lanes, u32::MAX);
        }
        if !rest.is_empty() {
            // Padded zeros are not elements: they must not count as inside a window that starts at zero.
            step(&padded(rest), (1 << rest.len()) - 1);
        }
        let moments = fold(
            &both(first.sum, second.sum),
            &both(first.high, second.high),
            &both(first.low, second.low),
            &integers(largest),
            window.1.saturating_add(1),
        );
        out.push(Above { moments, count: integers(count).iter().sum() });
    }
}

/// For each mask of eight lanes, the lanes that are set, first ones first: the permutation that packs them.
const PACK: [[u32; LANES]; 256] = {
    let mut table = [[0; LANES]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < LANES {
            if mask & (1 << lane) != 0 {
                table[mask][at] = lane as u32;
                at += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

pub(crate) fn at_least(values: &[f32], threshold: u32, base: u32, out: &mut Vec<u32>) -> u64 {
    // SAFETY: the caller has asked `available`.
    unsafe { at_least_avx2(values, threshold, base, out) }
}

#[target_feature(enable = "avx2")]
fn at_least_avx2(values: &[f32], threshold: u32, base: u32, out: &mut Vec<u32>) -> u64 {
    let start = out.len();
    // Room for every element and a full register beyond, which is written before it is counted.
    out.reserve(values.len() + LANES);
    let magnitude = _mm256_set1_epi32(MAGNITUDE as i32);
    let level = _mm256_set1_epi32(threshold as i32);
    let below = _mm256_set1_epi32((threshold as i32).wrapping_sub(1));
    let mut index = _mm256_add_epi32(_mm256_set1_epi32(base as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    let (mut at, mut equal) = (start, _mm256_setzero_si256());
    let (chunks, rest) = values.as_chunks::<LANES>();
    for lanes in chunks {
        let bits = _mm256_and_si256(_mm256_castps_si256(load(lanes)), magnitude);
        equal = _mm256_sub_epi32(equal, _mm256_cmpeq_epi32(bits, level));
        let mask = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(bits, below))) as usize;
        // SAFETY: the table's row has eight integers; `at - start` is at most the number of elements seen before these, so that the reserved room
        // has eight more behind it.
        unsafe {
            let order = _mm256_loadu_si256(PACK[mask].as_ptr().cast());
            _mm256_storeu_si256(out.as_mut_ptr().add(at).cast(), _mm256_permutevar8x32_epi32(index, order));
        }
        at += mask.count_ones() as usize;
        index = _mm256_add_epi32(index, _mm256_set1_epi32(LANES as i32));
    }
    // SAFETY: each integer from `start` to `at` was written above: a store at `at` fills eight, and `at` moves by no more.
    unsafe { out.set_len(at) };
    let equal: u64 = integers(equal).into_iter().map(u64::from).sum();
    equal + crate::at_least_portable(rest, threshold, base.wrapping_add((values.len() - rest.len()) as u32), out)
}

pub(crate) fn double_moments(values: &[f64], signed: bool, out: &mut Vec<DoubleMoments>) {
    // SAFETY: the caller has asked `available`.
    unsafe { double_moments_avx2(values, signed, out) }
}

#[target_feature(enable = "avx2")]
fn load_doubles(lanes: &[f64; double::LANES]) -> __m256d {
    // SAFETY: four floats are readable behind the reference; the load needs no alignment.
    unsafe { _mm256_loadu_pd(lanes.as_ptr()) }
}

#[target_feature(enable = "avx2")]
fn long_integers(v: __m256i) -> [i64; double::LANES] {
    let mut out = [0; double::LANES];
    // SAFETY: four integers are writable behind the reference; the store needs no alignment.
    unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), v) };
    out
}

/// A running sum and its errors.
#[derive(Clone, Copy)]
struct Pair {
    high: __m256d,
    low: __m256d,
}

impl Pair {
    #[target_feature(enable = "avx2")]
    fn add(&mut self, term: __m256d) {
        let sum = _mm256_add_pd(self.high, term);
        let virtual_b = _mm256_sub_pd(sum, self.high);
        let error = _mm256_add_pd(_mm256_sub_pd(self.high, _mm256_sub_pd(sum, virtual_b)), _mm256_sub_pd(term, virtual_b));
        self.high = sum;
        self.low = _mm256_add_pd(self.low, error);
    }

    #[target_feature(enable = "avx2")]
    fn running(self) -> double::Running {
        double::Running { high: doubles(self.high), low: doubles(self.low) }
    }
}

/// The same operations in the same order as the portable kernel.
#[target_feature(enable = "avx2")]
fn double_moments_avx2(values: &[f64], signed: bool, out: &mut Vec<DoubleMoments>) {
    let magnitude = _mm256_set1_epi64x(double::MAGNITUDE as i64);
    let kept = if signed { _mm256_set1_epi64x(-1) } else { magnitude };
    let split = _mm256_set1_pd(double::SPLIT);
    let top = _mm256_set1_epi64x(i64::MAX);
    let zero = Pair { high: _mm256_setzero_pd(), low: _mm256_setzero_pd() };
    for block in values.chunks(BLOCK) {
        let [mut sum, mut upper, mut cross, mut lower] = [zero; 4];
        let (mut largest, mut smallest) = (_mm256_setzero_si256(), top);
        let (chunks, rest) = block.as_chunks::<{ double::LANES }>();
        let last = [double::padded(rest)];
        for lanes in chunks.iter().chain(if rest.is_empty() { &[] } else { &last[..] }) {
            let raw = _mm256_castpd_si256(load_doubles(lanes));
            let bits = _mm256_and_si256(raw, magnitude);
            largest = _mm256_blendv_epi8(largest, bits, _mm256_cmpgt_epi64(bits, largest));
            let nonzero = _mm256_blendv_epi8(bits, top, _mm256_cmpeq_epi64(bits, _mm256_setzero_si256()));
            smallest = _mm256_blendv_epi8(smallest, nonzero, _mm256_cmpgt_epi64(smallest, nonzero));
            let x = _mm256_castsi256_pd(_mm256_and_si256(raw, kept));
            let scaled = _mm256_mul_pd(split, x);
            let a = _mm256_sub_pd(scaled, _mm256_sub_pd(scaled, x));
            let b = _mm256_sub_pd(x, a);
            sum.add(x);
            upper.add(_mm256_mul_pd(a, a));
            cross.add(_mm256_mul_pd(_mm256_add_pd(a, a), b));
            lower.add(_mm256_mul_pd(b, b));
        }
        let state = double::State {
            sum: sum.running(),
            upper: upper.running(),
            cross: cross.running(),
            lower: lower.running(),
            largest: long_integers(largest),
            smallest: long_integers(smallest),
        };
        out.push(state.moments());
    }
}
