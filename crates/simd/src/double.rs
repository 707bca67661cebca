//! Sums of double-precision floats and of their squares, exact under a reported condition.
//!
//! As the other kernels, in plain Rust here and in AVX2 beside it: lane by lane the same operations, none of them fused, so the same bits.

use crate::{BLOCK, two_sum};

/// Lanes: one register of four doubles.
pub(crate) const LANES: usize = 4;
pub(crate) const MAGNITUDE: u64 = u64::MAX >> 1;
/// The bits of infinity: anything at or above is not finite.
pub const INFINITE_DOUBLE: u64 = 0x7ff0_0000_0000_0000;
/// 2^27 + 1 (Veltkamp's constant).
pub(crate) const SPLIT: f64 = 134_217_729.0;

/// The sum of a block of double-precision floats (or of their magnitudes) and the sum of their squares, each as the exact sum of a few floats.
///
/// Each element is split, x = a + b, into two signed numbers of at most 26 bits (Veltkamp), so that a^2, 2 a b and b^2 are exact; they and x are summed
/// apart, each with the rounding errors of its additions (two-sum) in a second float. With e the difference of the largest and the smallest nonzero
/// element's exponents, what is left to show is that these second sums are exact. In units of 2^(emax), 256 terms of at most t give partial sums below
/// 2^8 t; an addition's error is at most 2^(8 - 54) t rounded up to a power of two, and 260 of them (4 more where the lanes meet) stay below
/// 2^(8 - 53 + 9 - 1) t = 2^-37 t. They are multiples of the terms' unit u, so their sums are exact if 2^-37 t <= 2^53 u:
///
/// | terms | t | u, from the smallest element | exact if |
/// | --- | --- | --- | --- |
/// | x | 2 | 2^(-e - 52) | e <= 37 |
/// | a^2 | 4 | 2^(-2e - 50) | 2 e <= 38 |
/// | 2 a b | 2^-24 | 2^(-2e - 76) | 2 e <= 38 |
/// | b^2 | 2^-52 | 2^(-2e - 104) | 2 e <= 38 |
///
/// and if nothing overflows or falls below the unit of the subnormal numbers, for which exponents within +-480 suffice (2 * 480 + 104 < 1074). The bound
/// asked for is e <= 18.
#[derive(Clone, Copy, Debug, Default)]
pub struct DoubleMoments {
    /// The sum is the sum of these.
    pub sum: [f64; 2],
    /// The sum of squares is the sum of these.
    pub squares: [f64; 6],
    /// Bits of the largest |x|; [`INFINITE_DOUBLE`] or above if one is not finite.
    pub largest: u64,
    /// Bits of the smallest nonzero |x|; `u64::MAX` if all are zero.
    pub smallest: u64,
}

/// Largest exponent difference for which [`DoubleMoments`] is exact.
const EXACT_RANGE: u64 = 18;
/// Exponent fields of 2^-480 and 2^480.
const FIELDS: std::ops::RangeInclusive<u64> = 1023 - 480..=1023 + 480;

impl DoubleMoments {
    /// Whether `sum` and `squares` are exact.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let (high, low) = (self.largest >> 52, self.smallest >> 52);
        self.largest == 0 || (FIELDS.contains(&high) && FIELDS.contains(&low) && high - low <= EXACT_RANGE)
    }
}

/// A running sum and its errors, lane by lane.
#[derive(Clone, Copy)]
pub(crate) struct Running {
    pub high: [f64; LANES],
    pub low: [f64; LANES],
}

impl Running {
    const ZERO: Running = Running { high: [0.0; LANES], low: [0.0; LANES] };

    fn add(&mut self, terms: [f64; LANES]) {
        for (lane, term) in terms.into_iter().enumerate() {
            let (sum, error) = two_sum(self.high[lane], term);
            self.high[lane] = sum;
            self.low[lane] += error;
        }
    }

    fn fold(&self) -> [f64; 2] {
        let (mut high, mut low) = (0.0, 0.0);
        for lane in 0..LANES {
            let (sum, error) = two_sum(high, self.high[lane]);
            high = sum;
            low += self.low[lane] + error;
        }
        [high, low]
    }
}

/// What a block is reduced to, lane by lane.
pub(crate) struct State {
    pub sum: Running,
    pub upper: Running,
    pub cross: Running,
    pub lower: Running,
    /// Bits of magnitudes as signed integers, which most processors compare faster; they are not negative.
    pub largest: [i64; LANES],
    /// Zero counts as the largest.
    pub smallest: [i64; LANES],
}

impl State {
    fn step(&mut self, lanes: &[f64; LANES], signed: bool) {
        // One loop an operation: that is the shape which compilers turn into vector instructions.
        let mut x = [0.0; LANES];
        for lane in 0..LANES {
            let bits = (lanes[lane].to_bits() & MAGNITUDE) as i64;
            self.largest[lane] = if bits > self.largest[lane] { bits } else { self.largest[lane] };
            let nonzero = if bits == 0 { i64::MAX } else { bits };
            self.smallest[lane] = if nonzero < self.smallest[lane] { nonzero } else { self.smallest[lane] };
            x[lane] = if signed { lanes[lane] } else { f64::from_bits(bits as u64) };
        }
        let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let scaled = SPLIT * x[lane];
            a[lane] = scaled - (scaled - x[lane]);
            b[lane] = x[lane] - a[lane];
        }
        let (mut aa, mut ab, mut bb) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            aa[lane] = a[lane] * a[lane];
            ab[lane] = 2.0 * a[lane] * b[lane];
            bb[lane] = b[lane] * b[lane];
        }
        self.sum.add(x);
        self.upper.add(aa);
        self.cross.add(ab);
        self.lower.add(bb);
    }
}

/// The last elements of a block, padded with zeros, which change nothing.
pub(crate) fn padded(rest: &[f64]) -> [f64; LANES] {
    let mut last = [0.0; LANES];
    last[..rest.len()].copy_from_slice(rest);
    last
}

impl State {
    pub(crate) fn moments(&self) -> DoubleMoments {
        let smallest = self.smallest.into_iter().min().unwrap_or(i64::MAX);
        let ([a, b], [c, d], [e, f]) = (self.upper.fold(), self.cross.fold(), self.lower.fold());
        DoubleMoments {
            sum: self.sum.fold(),
            squares: [a, b, c, d, e, f],
            largest: self.largest.into_iter().max().unwrap_or(0) as u64,
            smallest: if smallest == i64::MAX { u64::MAX } else { smallest as u64 },
        }
    }
}

/// [`DoubleMoments`] of each block of [`BLOCK`] elements (the last may be shorter), appended to `out`; of magnitudes unless `signed`.
pub fn double_moments(values: &[f64], signed: bool, out: &mut Vec<DoubleMoments>) {
    #[cfg(target_arch = "x86_64")]
    if crate::avx2::available() {
        return crate::avx2::double_moments(values, signed, out);
    }
    double_moments_portable(values, signed, out);
}

/// The same without AVX2.
pub fn double_moments_portable(values: &[f64], signed: bool, out: &mut Vec<DoubleMoments>) {
    for block in values.chunks(BLOCK) {
        let [sum, upper, cross, lower] = [Running::ZERO; 4];
        let mut state = State { sum, upper, cross, lower, largest: [0; LANES], smallest: [i64::MAX; LANES] };
        let (chunks, rest) = block.as_chunks::<LANES>();
        for lanes in chunks {
            state.step(lanes, signed);
        }
        if !rest.is_empty() {
            state.step(&padded(rest), signed);
        }
        out.push(state.moments());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fixed generator of 64-bit words.
    fn words(seed: u64) -> impl Iterator<Item = u64> {
        let mut state = 0x9e37_79b9_7f4a_7c15 ^ seed;
        std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        })
    }

    /// A nonzero word as a float whose exponent is `base` and up to `spread` more.
    fn float(word: u64, base: u64, spread: u64) -> f64 {
        f64::from_bits((word & 0x800f_ffff_ffff_ffff) | ((base + (word >> 53) % (spread + 1)) << 52))
    }

    #[test]
    fn vector_and_portable_kernels_agree_bit_for_bit() {
        for n in [0, 1, 3, 4, 5, 255, 256, 257, 1000] {
            for (base, spread) in [(1023, 0), (1000, 30), (1, 2045)] {
                let values: Vec<f64> = words(n as u64).take(n).map(|word| if word % 9 == 0 { 0.0 } else { float(word, base, spread) }).collect();
                for signed in [false, true] {
                    let (mut a, mut b) = (Vec::new(), Vec::new());
                    double_moments(&values, signed, &mut a);
                    double_moments_portable(&values, signed, &mut b);
                    assert_eq!(a.len(), n.div_ceil(BLOCK));
                    for (a, b) in a.iter().zip(&b) {
                        assert_eq!((a.largest, a.smallest, a.is_exact()), (b.largest, b.smallest, b.is_exact()));
                        if a.is_exact() {
                            assert_eq!(a.sum.map(f64::to_bits), b.sum.map(f64::to_bits));
                            assert_eq!(a.squares.map(f64::to_bits), b.squares.map(f64::to_bits));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_not_finite_or_out_of_range_is_told() {
        let moments = |values: &[f64]| {
            let mut out = Vec::new();
            double_moments(values, false, &mut out);
            out[0]
        };
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let found = moments(&[1.0, 2.0, 3.0, 4.0, bad]);
            assert!(found.largest >= INFINITE_DOUBLE && !found.is_exact());
        }
        assert!(moments(&[0.0, -0.0]).is_exact());
        assert!(moments(&[1.0, 2.0_f64.powi(18)]).is_exact());
        assert!(!moments(&[1.0, 2.0_f64.powi(19)]).is_exact());
        assert!(!moments(&[2.0_f64.powi(481)]).is_exact() && !moments(&[2.0_f64.powi(-481)]).is_exact());
        assert!(!moments(&[f64::MAX]).is_exact() && !moments(&[f64::from_bits(1)]).is_exact());
    }

    /// Nonnegative integers of 320 bits, least word first: enough for sums of squares of 53-bit integers shifted by up to 18.
    #[derive(Clone, Copy, Default, PartialEq, Debug)]
    struct Wide([i128; 5]);

    impl Wide {
        /// Adds `value` 2^(64 word) without carrying; five words of 64 bits, each with room for 2^62 terms.
        fn add(&mut self, mut value: i128, word: usize) {
            // Two's complement by words: the low 64 bits here, the rest (arithmetic shift) to the next.
            self.0[word] += value & i128::from(u64::MAX);
            value >>= 64;
            self.0[word + 1] += value;
        }

        fn carried(mut self) -> Wide {
            for word in 0..4 {
                self.0[word + 1] += self.0[word] >> 64;
                self.0[word] &= i128::from(u64::MAX);
            }
            self
        }
    }

    /// A float that is a multiple of 2^-`unit` as an integer multiple of it, in words.
    fn add_float(to: &mut Wide, value: f64, unit: i32) {
        if value == 0.0 {
            return;
        }
        let bits = value.to_bits();
        let (mut significand, mut exponent) = (i128::from((bits & 0xf_ffff_ffff_ffff) | 1 << 52), (bits >> 52 & 0x7ff) as i32 - 1075 + unit);
        while exponent < 0 {
            assert_eq!(significand & 1, 0, "not a multiple of the unit");
            significand >>= 1;
            exponent += 1;
        }
        let signed = if value < 0.0 { -significand } else { significand };
        to.add(signed << (exponent % 64), exponent as usize / 64);
    }

    #[test]
    fn what_is_reported_exact_is_exact_up_to_the_range_allowed() {
        let mut exact = 0;
        for seed in 0..400 {
            let spread = [0, 5, 17, EXACT_RANGE][seed as usize % 4];
            let style = seed / 4 % 4;
            let block: Vec<f64> = words(seed)
                .take(BLOCK)
                .map(|word| match style {
                    // All bits set, and large and small ones in the worst mix.
                    0 => f64::from_bits((1023 + if word % 3 == 0 { 0 } else { spread }) << 52 | 0xf_ffff_ffff_ffff),
                    1 => float(word | 0xfff_ffff, 1023, spread),
                    2 => float(word, 1023, spread),
                    _ => float(word & !0xfff, 1023, spread) * if word % 2 == 0 { 1.0 } else { -1.0 },
                })
                .collect();
            for signed in [false, true] {
                let mut out = Vec::new();
                double_moments(&block, signed, &mut out);
                assert!(out[0].is_exact());
                exact += 1;
                // Elements are multiples of 2^-52, squares of 2^-104.
                let (mut sum, mut squares) = (Wide::default(), Wide::default());
                for &value in &block {
                    let x = (value.abs() * 2.0_f64.powi(52)) as i128;
                    sum.add(if signed && value < 0.0 { -x } else { x }, 0);
                    // x has up to 71 bits: x = h 2^36 + l.
                    let (h, l) = (x >> 36, x & ((1 << 36) - 1));
                    squares.add(l * l, 0);
                    squares.add((h * l) << 37 & i128::from(u64::MAX), 0);
                    squares.add((h * l) >> 27, 1);
                    squares.add((h * h) << 8, 1);
                }
                let (mut got_sum, mut got_squares) = (Wide::default(), Wide::default());
                out[0].sum.iter().for_each(|&part| add_float(&mut got_sum, part, 52));
                out[0].squares.iter().for_each(|&part| add_float(&mut got_squares, part, 104));
                assert_eq!(got_sum.carried(), sum.carried(), "seed {seed}, signed {signed}");
                assert_eq!(got_squares.carried(), squares.carried(), "seed {seed}, signed {signed}");
            }
        }
        assert_eq!(exact, 800);
    }
}
