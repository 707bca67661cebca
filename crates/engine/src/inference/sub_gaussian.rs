//! Sub-Gaussian variables: a mixture over the exponential supermartingales.

use super::{EProcess, InferenceError, Null, UNIT, require};

/// Evidence against E X <= b (or >= b) for X sub-Gaussian with known scale sigma.
///
/// With S the sum of X_i - b and V = n sigma^2, exp(l S - l^2 V / 2) is a supermartingale under the null for each l >= 0; mixed over a half-normal l of
/// precision rho it is 2 sqrt(rho/(V + rho)) exp(S^2/(2(V + rho))) Phi(S/sqrt(V + rho)) (Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon, Annals of
/// Statistics 49, 2021, one-sided normal mixture).
#[derive(Clone, Debug)]
pub struct HalfNormalMixture {
    sign: f64,
    bound: f64,
    variance: f64,
    precision: f64,
    count: f64,
    sum: f64,
    absolute: f64,
}

impl HalfNormalMixture {
    /// The test for scale `sigma`; it is most powerful around `horizon` draws.
    ///
    /// # Errors
    /// [`InferenceError`] unless sigma is positive, its square a normal number, and the bound finite.
    pub fn new(sigma: f64, null: Null, bound: f64, horizon: u64) -> Result<HalfNormalMixture, InferenceError> {
        require(sigma > 0.0 && (sigma * sigma).is_normal(), "normal mixture", "sigma", sigma, "positive with a square in the range of doubles")?;
        require(bound.is_finite(), "normal mixture", "bound", bound, "finite")?;
        let variance = sigma * sigma;
        // The optimal precision for a horizon n is about n sigma^2 / (2 ln(1/level)); levels near 1e-9 have 2 ln = 41.
        let precision = (horizon.max(1) as f64) * variance / 41.0;
        let sign = if null == Null::AtMost { 1.0 } else { -1.0 };
        Ok(HalfNormalMixture { sign, bound, variance, precision, count: 0.0, sum: 0.0, absolute: 0.0 })
    }
}

impl EProcess for HalfNormalMixture {
    fn update(&mut self, x: f64) -> bool {
        if !x.is_finite() {
            return false;
        }
        let step = self.sign * (x - self.bound);
        self.sum += step;
        self.absolute += step.abs() + self.sum.abs();
        self.count += 1.0;
        true
    }

    fn log_capital(&self) -> f64 {
        // Rounding of the sum, against the test.
        let sum = self.sum - 2.0 * UNIT * self.absolute;
        let total = self.count * self.variance + self.precision;
        let z = sum / total.sqrt();
        // ln(exp(z^2/2) Phi(z)). Left of -5 the two factors leave the range of doubles one after the other and their product means nothing; there
        // Mills' ratio bounds it from below by |z| / ((1 + z^2) sqrt(2 pi)).
        let log_mixed = if z > -5.0 {
            0.5 * z * z + core_math::log(0.5 * core_math::erfc(-z * std::f64::consts::FRAC_1_SQRT_2))
        } else {
            -core_math::log((z + 1.0 / z).abs()) - 0.5 * core_math::log(2.0 * std::f64::consts::PI)
        };
        let log = core_math::log(2.0) + 0.5 * core_math::log(self.precision / total) + log_mixed;
        // A dozen roundings of numbers no larger than the squares met.
        log - 16.0 * UNIT * (1.0 + if z > -5.0 { z * z } else { 0.0 } + log.abs())
    }
}
