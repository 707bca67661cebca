//! Vectorized kernels, chosen at run time for the processor, with the same results on all of them.
//!
//! Each kernel exists twice, in plain Rust over fixed-width lanes and in AVX2, lane by lane the same operations: bit for bit the same results, and a
//! test holds them to it. What the kernels return is exact under a condition that they report.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod chacha;
mod double;
pub mod draws;
pub mod horner;
pub mod paths;
pub mod rows;

pub use double::{DoubleMoments, INFINITE_DOUBLE, double_moments, double_moments_portable};

/// Elements a block. The exactness bounds below depend on it.
pub const BLOCK: usize = 256;
/// Lanes: two registers of four doubles.
const LANES: usize = 8;
const MAGNITUDE: u32 = 0x7fff_ffff;
/// The bits of infinity: anything at or above is not finite.
pub const INFINITE: u32 = 0x7f80_0000;

/// The sum of magnitudes and the sum of squares of a block of single-precision floats.
///
/// With e the difference of the largest and the smallest nonzero element's exponents: all magnitudes are multiples of u = 2^(emin - 23) and their
/// partial sums are below 2^8 * 2^(emax + 1), so `sum` is exact if e + 9 + 23 <= 53. All squares are multiples of u^2; partial sums are below
/// 2^8 * 2^(2 emax + 2), an addition's rounding error is a multiple of u^2 of at most 2^(2 emax + 10 - 54), and 256 of them (and 8 more where the
/// lanes meet) stay below 2^(2 emax - 35), so `squares + squares_error` is exact if 2 e - 35 <= 53 - 46, that is e <= 21 for both.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moments {
    /// Sum of |x|.
    pub sum: f64,
    /// Sum of x^2, rounded.
    pub squares: f64,
    /// What `squares` lacks.
    pub squares_error: f64,
    /// Bits of the largest |x|; [`INFINITE`] or above if one is not finite.
    pub largest: u32,
    /// Bits of the smallest nonzero |x|; `u32::MAX` if all are zero.
    pub smallest: u32,
}

/// Largest exponent difference for which [`Moments`] is exact.
const EXACT_RANGE: u32 = 21;

/// Exponent field with subnormals at that of the smallest normal number, whose unit they share.
fn exponent(bits: u32) -> u32 {
    (bits >> 23).max(1)
}

impl Moments {
    /// Whether `sum` and `squares + squares_error` are exact.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.largest == 0 || (self.largest < INFINITE && exponent(self.largest) - exponent(self.smallest) <= EXACT_RANGE)
    }
}

/// [`Moments`] of the elements above a window, and their number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Above {
    /// Of the elements with bits above the window; `smallest` is the least that these can be.
    pub moments: Moments,
    /// How many there are.
    pub count: u32,
}

/// One lane's step of an error-free running sum.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let virtual_b = sum - a;
    (sum, (a - (sum - virtual_b)) + (b - virtual_b))
}

fn block_moments(values: &[f32]) -> Moments {
    let (mut sum, mut high, mut low) = ([0.0_f64; LANES], [0.0_f64; LANES], [0.0_f64; LANES]);
    let (mut largest, mut smallest) = ([0_u32; LANES], [u32::MAX; LANES]);
    let mut step = |lanes: &[f32; LANES]| {
        // One loop an operation: that is the shape which compilers turn into vector instructions.
        let mut x = [0.0_f64; LANES];
        for lane in 0..LANES {
            let bits = lanes[lane].to_bits() & MAGNITUDE;
            largest[lane] = largest[lane].max(bits);
            // Zero wraps to the top, so that the minimum skips it.
            smallest[lane] = smallest[lane].min(bits.wrapping_sub(1));
        }
        for lane in 0..LANES {
            x[lane] = f64::from(lanes[lane].abs());
        }
        for lane in 0..LANES {
            sum[lane] += x[lane];
        }
        for lane in 0..LANES {
            let (rounded, error) = two_sum(high[lane], x[lane] * x[lane]);
            high[lane] = rounded;
            low[lane] += error;
        }
    };
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        step(chunk);
    }
    if !rest.is_empty() {
        // Zeros change nothing.
        let mut last = [0.0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        step(&last);
    }
    fold(&sum, &high, &low, &largest, smallest.iter().copied().min().unwrap_or(u32::MAX).wrapping_add(1))
}

fn fold(sum: &[f64; LANES], high: &[f64; LANES], low: &[f64; LANES], largest: &[u32; LANES], smallest: u32) -> Moments {
    let mut out = Moments {
        largest: largest.iter().copied().max().unwrap_or(0),
        smallest: if smallest == 0 { u32::MAX } else { smallest },
        ..Moments::default()
    };
    for lane in 0..LANES {
        out.sum += sum[lane];
        let (rounded, error) = two_sum(out.squares, high[lane]);
        out.squares = rounded;
        out.squares_error += low[lane] + error;
    }
    out
}

fn block_above(values: &[f32], window: (u32, u32), inside: &mut Vec<u32>) -> Above {
    let (mut sum, mut high, mut low) = ([0.0_f64; LANES], [0.0_f64; LANES], [0.0_f64; LANES]);
    let (mut largest, mut count) = ([0_u32; LANES], 0);
    for lanes in values.chunks(LANES) {
        for (lane, value) in lanes.iter().enumerate() {
            let bits = value.to_bits() & MAGNITUDE;
            if bits > window.1 {
                count += 1;
                largest[lane] = largest[lane].max(bits);
                let x = f64::from(value.abs());
                sum[lane] += x;
                let (rounded, error) = two_sum(high[lane], x * x);
                high[lane] = rounded;
                low[lane] += error;
            } else if bits >= window.0 {
                inside.push(bits);
            }
        }
    }
    Above { moments: fold(&sum, &high, &low, &largest, window.1.saturating_add(1)), count }
}

/// [`Moments`] of each block of [`BLOCK`] elements (the last may be shorter), appended to `out`.
pub fn moments(values: &[f32], out: &mut Vec<Moments>) {
    #[cfg(target_arch = "x86_64")]
    if avx2::available() {
        return avx2::moments(values, out);
    }
    moments_portable(values, out);
}

/// [`moments`] without vector instructions of the processor's own; the same results.
pub fn moments_portable(values: &[f32], out: &mut Vec<Moments>) {
    out.extend(values.chunks(BLOCK).map(block_moments));
}

/// [`Above`] for each block of [`BLOCK`] elements (the last may be shorter), appended to `out`; the magnitude bits of the elements in the window
/// (both ends included), in order, appended to `inside`.
pub fn above(values: &[f32], window: (u32, u32), out: &mut Vec<Above>, inside: &mut Vec<u32>) {
    #[cfg(target_arch = "x86_64")]
    if avx2::available() {
        return avx2::above(values, window, out, inside);
    }
    above_portable(values, window, out, inside);
}

/// [`above`] without vector instructions of the processor's own; the same results.
pub fn above_portable(values: &[f32], window: (u32, u32), out: &mut Vec<Above>, inside: &mut Vec<u32>) {
    out.extend(values.chunks(BLOCK).map(|block| block_above(block, window, inside)));
}

/// Appends to `out` the indices, counted from `base`, of the elements whose magnitude bits are at least `threshold` (at most 2^31 - 1), ascending;
/// returns how many are equal to it.
pub fn at_least(values: &[f32], threshold: u32, base: u32, out: &mut Vec<u32>) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if avx2::available() {
        return avx2::at_least(values, threshold, base, out);
    }
    at_least_portable(values, threshold, base, out)
}

/// [`at_least`] without vector instructions of the processor's own; the same results.
pub fn at_least_portable(values: &[f32], threshold: u32, base: u32, out: &mut Vec<u32>) -> u64 {
    let mut equal = 0;
    for (value, index) in values.iter().zip(base..) {
        let bits = magnitude_bits(*value);
        equal += u64::from(bits == threshold);
        if bits >= threshold {
            out.push(index);
        }
    }
    equal
}

/// Magnitude bits of a float: their order is the order of |x|.
#[inline]
#[must_use]
pub fn magnitude_bits(value: f32) -> u32 {
    value.to_bits() & MAGNITUDE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of every kind a file may hold: ties, zeros, subnormals, extremes, NaN and infinities, from a fixed generator.
    fn values(n: usize, kind: u32) -> Vec<f32> {
        let mut state = 0x9e37_79b9_u32 ^ kind;
        (0..n)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                match kind {
                    0 => (state % 2000) as f32 / 100.0 - 10.0,
                    1 => f32::from_bits(state),
                    2 => f32::from_bits(state & 0x8000_ffff),
                    3 => [0.0, -0.0, 1.0, -1.0][state as usize % 4],
                    _ => f32::from_bits((state & 0x807f_ffff) | ((110 + state % 20) << 23)),
                }
            })
            .collect()
    }

    #[test]
    fn vector_and_portable_kernels_agree_bit_for_bit() {
        for kind in 0..5 {
            for n in [0, 1, 7, 8, 9, 255, 256, 257, 1000, 4096] {
                let values = values(n, kind);
                let (mut a, mut b) = (Vec::new(), Vec::new());
                moments(&values, &mut a);
                moments_portable(&values, &mut b);
                for (a, b) in a.iter().zip(&b) {
                    assert_eq!((a.largest, a.smallest), (b.largest, b.smallest), "kind {kind}, n {n}");
                    if a.largest < INFINITE {
                        assert_eq!(
                            [a.sum, a.squares, a.squares_error].map(f64::to_bits),
                            [b.sum, b.squares, b.squares_error].map(f64::to_bits),
                            "{kind} {n}"
                        );
                    }
                }
                for window in [(0, 0), (0, u32::MAX - 1), (1.0_f32.to_bits(), 2.0_f32.to_bits()), (0, 1.0_f32.to_bits()), (INFINITE, u32::MAX)] {
                    let (mut a, mut b, mut inside_a, mut inside_b) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
                    above(&values, window, &mut a, &mut inside_a);
                    above_portable(&values, window, &mut b, &mut inside_b);
                    assert_eq!(inside_a, inside_b, "kind {kind}, n {n}, {window:?}");
                    for (a, b) in a.iter().zip(&b) {
                        assert_eq!((a.count, a.moments.largest), (b.count, b.moments.largest), "kind {kind}, n {n}, {window:?}");
                        if a.moments.largest < INFINITE {
                            assert_eq!(a.moments.sum.to_bits(), b.moments.sum.to_bits());
                            assert_eq!(a.moments.squares.to_bits(), b.moments.squares.to_bits());
                            assert_eq!(a.moments.squares_error.to_bits(), b.moments.squares_error.to_bits());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn vector_and_portable_indices_agree() {
        for kind in 0..5 {
            for n in [0, 1, 8, 9, 255, 1000] {
                let values = values(n, kind);
                for threshold in [0, 1, 1.0_f32.to_bits(), 5.0_f32.to_bits(), INFINITE] {
                    let (mut a, mut b) = (vec![77], vec![77]);
                    assert_eq!(at_least(&values, threshold, 1000, &mut a), at_least_portable(&values, threshold, 1000, &mut b));
                    assert_eq!(a, b, "kind {kind}, n {n}, threshold {threshold}");
                    let expected: Vec<u32> = (0..n as u32).filter(|&i| magnitude_bits(values[i as usize]) >= threshold).map(|i| i + 1000).collect();
                    assert_eq!(a[1..], expected);
                }
            }
        }
    }

    /// A magnitude as an integer multiple of 2^-150 (exponent at most 60 above the smallest here, so that squares fit 128 bits after scaling).
    fn scaled(value: f32, unit: i32) -> u128 {
        let bits = value.to_bits() & MAGNITUDE;
        let (field, fraction) = (bits >> 23, u128::from(bits & 0x7f_ffff));
        let (significand, exponent) = if field == 0 { (fraction, 1) } else { (fraction | 0x80_0000, field as i32) };
        significand << (exponent - unit)
    }

    #[test]
    fn what_is_reported_exact_is_exact_up_to_the_range_allowed() {
        // Exponents spread over exactly the range that is still called exact, in the worst mix: many large, few small, all bits set.
        for spread in [0, 10, EXACT_RANGE] {
            let block: Vec<f32> =
                (0..BLOCK).map(|i| f32::from_bits((((100 + if i % 3 == 0 { 0 } else { spread }) << 23) | 0x7f_ffff) - (i as u32 % 5))).collect();
            let mut out = Vec::new();
            moments(&block, &mut out);
            assert!(out[0].is_exact(), "spread {spread}");
            let unit = 100;
            let sum: u128 = block.iter().map(|&value| scaled(value, unit)).sum();
            let squares: u128 = block.iter().map(|&value| scaled(value, unit) * scaled(value, unit)).sum();
            // 2^(unit - 150) is the unit of the significands: field 100 means exponent -27, significand unit 2^-50.
            let scale = 2.0_f64.powi(50);
            assert_eq!((out[0].sum * scale) as u128, sum, "spread {spread}");
            let high = (out[0].squares * scale * scale) as u128;
            let error = (out[0].squares_error * scale * scale) as i128;
            assert_eq!(high.wrapping_add_signed(error), squares, "spread {spread}");
        }
        let wide = [f32::from_bits(100 << 23), f32::from_bits((101 + EXACT_RANGE) << 23)];
        let mut out = Vec::new();
        moments(&wide, &mut out);
        assert!(!out[0].is_exact(), "beyond the range nothing is promised");
    }
}
