//! Horner's rule over intervals, four at a time.
//!
//! Every operation rounds outward by the sign of its error, as the scalar arithmetic does: a product's error from a fused multiply-add (the same number
//! that Dekker's product gives in the guarded range), a sum's from the two-sum. A lane that leaves the range where these are exact is reported, and the
//! caller evaluates it in scalar arithmetic; in the others the ends are bit for bit the same.

/// Intervals a batch.
pub const WIDTH: usize = 4;

/// Ends of intervals, lower and upper.
pub type Ends = ([f64; WIDTH], [f64; WIDTH]);

/// The polynomial with the given coefficients (highest first; lower and upper ends, all finite) at four intervals with finite ends. Each lane is
/// `Some((lower, upper))`, or None if its evaluation left the range; None for all where the processor has no suitable instructions.
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
    //! stores of arrays of four doubles.
    #![allow(unsafe_code)]

    use super::{Ends, WIDTH};
    use std::arch::x86_64::*;

    /// The range in which a product's error is a double: that of the scalar arithmetic.
    const LOW: f64 = 1e-280;
    const HIGH: f64 = 1e290;

    pub(super) fn horner(coefficients: &[(f64, f64)], x: &Ends) -> [Option<(f64, f64)>; WIDTH] {
        // SAFETY: the caller has asked for the instructions.
        unsafe { horner_fma(coefficients, x) }
    }

    #[target_feature(enable = "avx2,fma")]
    fn load(values: &[f64; WIDTH]) -> __m256d {
        // SAFETY: four doubles are readable behind the reference; the load needs no alignment.
        unsafe { _mm256_loadu_pd(values.as_ptr()) }
    }

    #[target_feature(enable = "avx2,fma")]
    fn store(values: __m256d) -> [f64; WIDTH] {
        let mut out = [0.0; WIDTH];
        // SAFETY: four doubles are writable behind the reference; the store needs no alignment.
        unsafe { _mm256_storeu_pd(out.as_mut_ptr(), values) };
        out
    }

    #[target_feature(enable = "avx2,fma")]
    fn abs(x: __m256d) -> __m256d {
        _mm256_andnot_pd(_mm256_set1_pd(-0.0), x)
    }

    /// The neighbour of `y` below (`up` false) or above, in the lanes of the mask (where y is not 0).
    #[target_feature(enable = "avx2,fma")]
    fn step(y: __m256d, mask: __m256d, up: bool) -> __m256d {
        let bits = _mm256_castpd_si256(y);
        // All ones for a negative number: the integer -1, else 0.
        let negative = _mm256_cmpgt_epi64(_mm256_setzero_si256(), bits);
        // Down: -1 for a positive number, +1 for a negative one; up the other way round.
        let down = _mm256_sub_epi64(_mm256_set1_epi64x(-1), _mm256_add_epi64(negative, negative));
        let towards = if up { _mm256_sub_epi64(_mm256_setzero_si256(), down) } else { down };
        _mm256_castsi256_pd(_mm256_add_epi64(bits, _mm256_and_si256(towards, _mm256_castpd_si256(mask))))
    }

    /// a b rounded down and up; clears the lanes of `good` where the error is not certain.
    #[target_feature(enable = "avx2,fma")]
    fn product(a: __m256d, b: __m256d, good: &mut __m256d) -> (__m256d, __m256d) {
        let zero = _mm256_setzero_pd();
        let product = _mm256_mul_pd(a, b);
        let error = _mm256_fmsub_pd(a, b, product);
        let size = abs(product);
        let within = _mm256_and_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(size, _mm256_set1_pd(LOW)), _mm256_cmp_pd::<_CMP_LT_OQ>(size, _mm256_set1_pd(HIGH)));
        // A factor 0 makes the product exactly 0.
        let exact = _mm256_or_pd(_mm256_cmp_pd::<_CMP_EQ_OQ>(a, zero), _mm256_cmp_pd::<_CMP_EQ_OQ>(b, zero));
        *good = _mm256_and_pd(*good, _mm256_or_pd(within, exact));
        let down = step(product, _mm256_cmp_pd::<_CMP_LT_OQ>(error, zero), false);
        let up = step(product, _mm256_cmp_pd::<_CMP_GT_OQ>(error, zero), true);
        (down, up)
    }

    /// a + b and its rounding error; clears the lanes of `good` where the two-sum overflows.
    #[target_feature(enable = "avx2,fma")]
    fn sum(a: __m256d, b: __m256d, good: &mut __m256d) -> (__m256d, __m256d) {
        let sum = _mm256_add_pd(a, b);
        let virtual_b = _mm256_sub_pd(sum, a);
        let error = _mm256_add_pd(_mm256_sub_pd(a, _mm256_sub_pd(sum, virtual_b)), _mm256_sub_pd(b, virtual_b));
        *good = _mm256_and_pd(*good, _mm256_cmp_pd::<_CMP_LT_OQ>(abs(sum), _mm256_set1_pd(HIGH)));
        (sum, error)
    }

    #[target_feature(enable = "avx2,fma")]
    fn horner_fma(coefficients: &[(f64, f64)], x: &Ends) -> [Option<(f64, f64)>; WIDTH] {
        let zero = _mm256_setzero_pd();
        let Some((&(first_low, first_high), rest)) = coefficients.split_first() else { return [None; WIDTH] };
        let (x_low, x_high) = (load(&x.0), load(&x.1));
        let (mut low, mut high) = (_mm256_set1_pd(first_low), _mm256_set1_pd(first_high));
        let mut good = _mm256_cmp_pd::<_CMP_EQ_OQ>(zero, zero);
        for &(c_low, c_high) in rest {
            // The least and the largest of the four end products; rounding keeps their order.
            let (a_down, a_up) = product(low, x_low, &mut good);
            let (b_down, b_up) = product(low, x_high, &mut good);
            let (c_down, c_up) = product(high, x_low, &mut good);
            let (d_down, d_up) = product(high, x_high, &mut good);
            let down = _mm256_min_pd(_mm256_min_pd(a_down, b_down), _mm256_min_pd(c_down, d_down));
            let up = _mm256_max_pd(_mm256_max_pd(a_up, b_up), _mm256_max_pd(c_up, d_up));
            let (below, error) = sum(down, _mm256_set1_pd(c_low), &mut good);
            low = step(below, _mm256_cmp_pd::<_CMP_LT_OQ>(error, zero), false);
            let (above, error) = sum(up, _mm256_set1_pd(c_high), &mut good);
            high = step(above, _mm256_cmp_pd::<_CMP_GT_OQ>(error, zero), true);
        }
        let mask = _mm256_movemask_pd(good);
        // -0 becomes 0, as in the scalar arithmetic.
        let (low, high) = (store(_mm256_add_pd(low, zero)), store(_mm256_add_pd(high, zero)));
        std::array::from_fn(|lane| (mask & (1 << lane) != 0).then_some((low[lane], high[lane])))
    }
}
