//! Horner's rule over intervals, eight at a time.
//!
//! Every operation rounds outward by the sign of its error, as the scalar arithmetic does: a product's error from a fused multiply-add (the same number
//! that Dekker's product gives in the guarded range), a sum's from the two-sum. A lane that leaves the range where these are exact is reported, and the
//! caller evaluates it in scalar arithmetic; in the others the ends are bit for bit the same.

/// Intervals a batch.
pub const WIDTH: usize = 8;

/// Ends of intervals, lower and upper.
pub type Ends = ([f64; WIDTH], [f64; WIDTH]);

/// The polynomial with the given coefficients (highest first; lower and upper ends, all finite) at eight intervals with finite ends. Each lane is
/// `Some((lower, upper))`, or None where its argument has 0 inside or its evaluation left the range; None for all where the processor has no suitable
/// instructions.
#[must_use]
pub fn horner(coefficients: &[(f64, f64)], x: &Ends) -> [Option<(f64, f64)>; WIDTH] {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        return x86::horner(coefficients, x);
    }
    let _ = (coefficients, x);
    [None; WIDTH]
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! Safety: the public function is called only after the processor was asked for AVX2 and FMA; the other unsafe operations are unaligned loads and
    //! stores of four doubles inside arrays of eight.
    #![allow(unsafe_code)]

    use super::{Ends, WIDTH};
    use std::arch::x86_64::*;

    /// The range in which a product's error is a double: that of the scalar arithmetic.
    const LOW: f64 = 1e-280;
    const HIGH: f64 = 1e290;
    /// Doubles a vector, and vectors a batch: two independent chains hide each other's latency.
    const LANES: usize = 4;
    const CHAINS: usize = WIDTH / LANES;

    type Pair = [__m256d; CHAINS];

    pub(super) fn horner(coefficients: &[(f64, f64)], x: &Ends) -> [Option<(f64, f64)>; WIDTH] {
        // SAFETY: the caller has asked for the instructions.
        unsafe { horner_fma(coefficients, x) }
    }

    #[target_feature(enable = "avx2,fma")]
    fn load(values: &[f64; WIDTH]) -> Pair {
        // SAFETY: four doubles are readable at index 0 and at index 4 of eight; the loads need no alignment.
        unsafe { [_mm256_loadu_pd(values.as_ptr()), _mm256_loadu_pd(values.as_ptr().add(LANES))] }
    }

    #[target_feature(enable = "avx2,fma")]
    fn store(values: Pair) -> [f64; WIDTH] {
        let mut out = [0.0; WIDTH];
        // SAFETY: four doubles are writable at index 0 and at index 4 of eight; the stores need no alignment.
        unsafe {
            _mm256_storeu_pd(out.as_mut_ptr(), values[0]);
            _mm256_storeu_pd(out.as_mut_ptr().add(LANES), values[1]);
        }
        out
    }

    #[target_feature(enable = "avx2,fma")]
    fn abs(x: __m256d) -> __m256d {
        _mm256_andnot_pd(_mm256_set1_pd(-0.0), x)
    }

    #[target_feature(enable = "avx2,fma")]
    fn negate(x: __m256d) -> __m256d {
        _mm256_xor_pd(_mm256_set1_pd(-0.0), x)
    }

    /// y moved to its neighbour below (`up` false) or above in the lanes of the mask, where y is not 0.
    #[target_feature(enable = "avx2,fma")]
    fn step(y: __m256d, mask: __m256d, up: bool) -> __m256d {
        let bits = _mm256_castpd_si256(y);
        // The integer 1 for a positive number, -1 for a negative one: away from 0 in bits, so upwards in value.
        let sign = _mm256_or_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), bits), _mm256_set1_epi64x(1));
        let unit = _mm256_and_si256(sign, _mm256_castpd_si256(mask));
        _mm256_castsi256_pd(if up { _mm256_add_epi64(bits, unit) } else { _mm256_sub_epi64(bits, unit) })
    }

    /// The sizes met so far: a lane is good if all its products were inside the range and all its sums below the upper limit.
    struct Range {
        least: __m256d,
        largest: __m256d,
    }

    /// a b rounded down or up.
    #[target_feature(enable = "avx2,fma")]
    fn product(a: __m256d, b: __m256d, up: bool, range: &mut Range) -> __m256d {
        let zero = _mm256_setzero_pd();
        let product = _mm256_mul_pd(a, b);
        let error = _mm256_fmsub_pd(a, b, product);
        let size = abs(product);
        // With a NaN these instructions return their second operand: what was met before stays.
        range.least = _mm256_min_pd(size, range.least);
        range.largest = _mm256_max_pd(size, range.largest);
        let off = if up { _mm256_cmp_pd::<_CMP_GT_OQ>(error, zero) } else { _mm256_cmp_pd::<_CMP_LT_OQ>(error, zero) };
        step(product, off, up)
    }

    /// a + b rounded down or up.
    #[target_feature(enable = "avx2,fma")]
    fn sum(a: __m256d, b: __m256d, up: bool, range: &mut Range) -> __m256d {
        let zero = _mm256_setzero_pd();
        let sum = _mm256_add_pd(a, b);
        let virtual_b = _mm256_sub_pd(sum, a);
        let error = _mm256_add_pd(_mm256_sub_pd(a, _mm256_sub_pd(sum, virtual_b)), _mm256_sub_pd(b, virtual_b));
        range.largest = _mm256_max_pd(abs(sum), range.largest);
        let off = if up { _mm256_cmp_pd::<_CMP_GT_OQ>(error, zero) } else { _mm256_cmp_pd::<_CMP_LT_OQ>(error, zero) };
        step(sum, off, up)
    }

    #[target_feature(enable = "avx2,fma")]
    fn horner_fma(coefficients: &[(f64, f64)], x: &Ends) -> [Option<(f64, f64)>; WIDTH] {
        let zero = _mm256_setzero_pd();
        let Some((&(first_low, first_high), rest)) = coefficients.split_first() else { return [None; WIDTH] };
        let (x_low, x_high) = (load(&x.0), load(&x.1));
        // x = s f with f >= 0 and s = -1 in the mirrored lanes. Instead of y_k the chain carries z_k = s^k y_k, so that z_(k+1) = z_k f + s^(k+1) c:
        // only the coefficients, which nothing waits for, are mirrored.
        let mirrored: Pair = std::array::from_fn(|i| _mm256_cmp_pd::<_CMP_LT_OQ>(x_low[i], zero));
        let inside: Pair = std::array::from_fn(|i| _mm256_and_pd(mirrored[i], _mm256_cmp_pd::<_CMP_GT_OQ>(x_high[i], zero)));
        let f_low: Pair = std::array::from_fn(|i| _mm256_blendv_pd(x_low[i], negate(x_high[i]), mirrored[i]));
        let f_high: Pair = std::array::from_fn(|i| _mm256_blendv_pd(x_high[i], negate(x_low[i]), mirrored[i]));
        let mut low: Pair = [_mm256_set1_pd(first_low); CHAINS];
        let mut high: Pair = [_mm256_set1_pd(first_high); CHAINS];
        let mut range: [Range; CHAINS] = std::array::from_fn(|_| Range { least: _mm256_set1_pd(1.0), largest: _mm256_set1_pd(1.0) });
        let mut odd = true;
        for &(c_low, c_high) in rest {
            let (plain_low, plain_high) = (_mm256_set1_pd(c_low), _mm256_set1_pd(c_high));
            let (turned_low, turned_high) = (_mm256_set1_pd(-c_high), _mm256_set1_pd(-c_low));
            for i in 0..CHAINS {
                let turn = if odd { mirrored[i] } else { zero };
                let add_low = _mm256_blendv_pd(plain_low, turned_low, turn);
                let add_high = _mm256_blendv_pd(plain_high, turned_high, turn);
                // f >= 0: the least product is with f's lower end for z >= 0 and with its upper end for z < 0; the largest the other way round.
                let down = product(low[i], _mm256_blendv_pd(f_low[i], f_high[i], low[i]), false, &mut range[i]);
                let up = product(high[i], _mm256_blendv_pd(f_high[i], f_low[i], high[i]), true, &mut range[i]);
                low[i] = sum(down, add_low, false, &mut range[i]);
                high[i] = sum(up, add_high, true, &mut range[i]);
            }
            odd = !odd;
        }
        // y_n = s^n z_n: `odd` is now the parity of n + 1.
        let mut mask = 0;
        for i in 0..CHAINS {
            let turn = if odd { zero } else { mirrored[i] };
            (low[i], high[i]) = (_mm256_blendv_pd(low[i], negate(high[i]), turn), _mm256_blendv_pd(high[i], negate(low[i]), turn));
            let within = _mm256_and_pd(
                _mm256_cmp_pd::<_CMP_GT_OQ>(range[i].least, _mm256_set1_pd(LOW)),
                _mm256_cmp_pd::<_CMP_LT_OQ>(range[i].largest, _mm256_set1_pd(HIGH)),
            );
            mask |= _mm256_movemask_pd(_mm256_andnot_pd(inside[i], within)) << (LANES * i);
            // -0 becomes 0, as in the scalar arithmetic.
            (low[i], high[i]) = (_mm256_add_pd(low[i], zero), _mm256_add_pd(high[i], zero));
        }
        let (low, high) = (store(low), store(high));
        std::array::from_fn(|lane| (mask & (1 << lane) != 0).then_some((low[lane], high[lane])))
    }
}
