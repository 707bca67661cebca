//! Vectorized kernels, chosen at run time for the processor, with the same results on all of them.
//!
//! The code is written once in plain Rust over fixed-width lanes; `pulp` compiles it for each instruction set and picks one. What the kernels
//! return is exact under a condition that they report, so the instruction set cannot show in a result.

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

/// [`Moments`] of the elements above a threshold, and how many elements are above it and in a window below.
#[derive(Clone, Copy, Debug, Default)]
pub struct Above {
    /// Of the elements with bits above the window; `smallest` is the least that these can be.
    pub moments: Moments,
    /// How many are above the window.
    pub count: u32,
    /// How many are in the window.
    pub window: u32,
}

/// One lane's step of an error-free running sum.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let virtual_b = sum - a;
    (sum, (a - (sum - virtual_b)) + (b - virtual_b))
}

#[inline(always)]
fn block_moments(values: &[f32]) -> Moments {
    let (mut sum, mut high, mut low) = ([0.0_f64; LANES], [0.0_f64; LANES], [0.0_f64; LANES]);
    let (mut largest, mut smallest) = ([0_u32; LANES], [u32::MAX; LANES]);
    let mut take = |lane: usize, value: f32| {
        let bits = value.to_bits() & MAGNITUDE;
        largest[lane] = largest[lane].max(bits);
        // Zero wraps to the top, so that the minimum skips it.
        smallest[lane] = smallest[lane].min(bits.wrapping_sub(1));
        let x = f64::from(f32::from_bits(bits));
        sum[lane] += x;
        let (rounded, error) = two_sum(high[lane], x * x);
        high[lane] = rounded;
        low[lane] += error;
    };
    let mut chunks = values.chunks_exact(LANES);
    for chunk in chunks.by_ref() {
        for lane in 0..LANES {
            take(lane, chunk[lane]);
        }
    }
    for (lane, &value) in chunks.remainder().iter().enumerate() {
        take(lane, value);
    }
    fold(&sum, &high, &low, &largest, smallest.iter().copied().min().unwrap_or(u32::MAX).wrapping_add(1))
}

#[inline(always)]
fn fold(sum: &[f64; LANES], high: &[f64; LANES], low: &[f64; LANES], largest: &[u32; LANES], smallest: u32) -> Moments {
    let mut out = Moments { largest: largest.iter().copied().max().unwrap_or(0), smallest: if smallest == 0 { u32::MAX } else { smallest }, ..Moments::default() };
    for lane in 0..LANES {
        out.sum += sum[lane];
        let (rounded, error) = two_sum(out.squares, high[lane]);
        out.squares = rounded;
        out.squares_error += low[lane] + error;
    }
    out
}

#[inline(always)]
fn block_above(values: &[f32], window_low: u32, window_high: u32) -> Above {
    let (mut sum, mut high, mut low) = ([0.0_f64; LANES], [0.0_f64; LANES], [0.0_f64; LANES]);
    let (mut largest, mut count, mut window) = ([0_u32; LANES], [0_u32; LANES], [0_u32; LANES]);
    let mut take = |lane: usize, value: f32| {
        let bits = value.to_bits() & MAGNITUDE;
        let above = bits > window_high;
        count[lane] += u32::from(above);
        window[lane] += u32::from(!above & (bits >= window_low));
        let bits = if above { bits } else { 0 };
        largest[lane] = largest[lane].max(bits);
        let x = f64::from(f32::from_bits(bits));
        sum[lane] += x;
        let (rounded, error) = two_sum(high[lane], x * x);
        high[lane] = rounded;
        low[lane] += error;
    };
    let mut chunks = values.chunks_exact(LANES);
    for chunk in chunks.by_ref() {
        for lane in 0..LANES {
            take(lane, chunk[lane]);
        }
    }
    for (lane, &value) in chunks.remainder().iter().enumerate() {
        take(lane, value);
    }
    let moments = fold(&sum, &high, &low, &largest, window_high.saturating_add(1));
    Above { moments, count: count.iter().sum(), window: window.iter().sum() }
}

/// [`Moments`] of each block of [`BLOCK`] elements (the last may be shorter), appended to `out`.
pub fn moments(values: &[f32], out: &mut Vec<Moments>) {
    struct Work<'a>(&'a [f32], &'a mut Vec<Moments>);
    impl pulp::WithSimd for Work<'_> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, _simd: S) {
            for block in self.0.chunks(BLOCK) {
                self.1.push(block_moments(block));
            }
        }
    }
    pulp::Arch::new().dispatch(Work(values, out));
}

/// [`Above`] for each block of [`BLOCK`] elements (the last may be shorter), appended to `out`. The window is inclusive, in bits of |x|.
pub fn above(values: &[f32], window_low: u32, window_high: u32, out: &mut Vec<Above>) {
    struct Work<'a>(&'a [f32], u32, u32, &'a mut Vec<Above>);
    impl pulp::WithSimd for Work<'_> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, _simd: S) {
            for block in self.0.chunks(BLOCK) {
                self.3.push(block_above(block, self.1, self.2));
            }
        }
    }
    pulp::Arch::new().dispatch(Work(values, window_low, window_high, out));
}

/// Magnitude bits of a float: their order is the order of |x|.
#[inline(always)]
#[must_use]
pub fn magnitude_bits(value: f32) -> u32 {
    value.to_bits() & MAGNITUDE
}
