//! Proportions: exact binomial tails at a fixed number of draws, and a betting test at any time.

use super::{EProcess, InferenceError, Null, UNIT, require, require_level, threshold};
use numeric::{BigInterval, Rational, TailError, binomial_quantile, binomial_tails};
use std::ops::RangeInclusive;

/// An upper bound of the p-value of k successes in n draws under the null hypothesis: P(Bin(n, b) >= k) against p <= b, P(Bin(n, b) <= k) against p >= b.
/// Certified tails, never a floating distribution function.
///
/// # Errors
/// [`TailError`] unless b is a probability.
pub fn proportion_p_value(k: u64, n: u64, null: Null, bound: &Rational) -> Result<BigInterval, TailError> {
    let at = i64::try_from(k).unwrap_or(i64::MAX);
    Ok(match null {
        Null::AtMost => binomial_tails(n, at - 1, bound)?.upper,
        Null::AtLeast => binomial_tails(n, at, bound)?.lower,
    })
}

/// Evidence against p <= b (or >= b) from successes and failures: the likelihood ratio against b, mixed over a uniform alternative.
///
/// For each t > b the product of t/b at a success and (1 - t)/(1 - b) at a failure is a nonnegative supermartingale under p <= b (a martingale at p = b), and so
/// is its mean over t uniform on (b, 1), the beta-binomial mixture (Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49, 2021,
/// section 3.2). The integral over t is a tail of a beta law with whole parameters, that is a binomial tail, so that after k successes in n draws
///
/// capital = P(Bin(n+1, b) <= k) / ((1 - b) (n + 1) P(Bin(n, b) = k)).
///
/// Both probabilities are carried along from draw to draw: no incomplete beta function is evaluated.
#[derive(Clone, Debug)]
pub struct BetaBinomial {
    mirrored: bool,
    log_success: f64,
    log_failure: f64,
    bound: f64,
    draws: f64,
    successes: f64,
    /// ln P(Bin(n, b) = k)
    log_point: f64,
    log_point_debt: f64,
    /// P(Bin(n+1, b) <= k)
    below: f64,
    below_debt: f64,
}

impl BetaBinomial {
    /// The test of p <= bound, or p >= bound.
    ///
    /// # Errors
    /// [`InferenceError`] unless 0 < bound < 1 (a null at an end is trivially true, or false at the first draw against it).
    pub fn new(null: Null, bound: &Rational) -> Result<BetaBinomial, InferenceError> {
        let (zero, one) = (Rational::from(0), Rational::from(1));
        // p >= b is 1 - p <= 1 - b for the failures. Rounding up makes the null larger.
        let mirrored = null == Null::AtLeast;
        let near = if mirrored { one.clone() - bound.clone() } else { bound.clone() }.to_f64_up();
        let inside = *bound > zero && *bound < one && near < 1.0;
        require(
            inside,
            "beta-binomial mixture",
            "bound",
            bound,
            "between 0 and 1, both excluded, and further than 2^-53 from the end at which it says nothing",
        )?;
        Ok(BetaBinomial {
            mirrored,
            log_success: core_math::log(near),
            log_failure: core_math::log1p(-near),
            bound: near,
            draws: 0.0,
            successes: 0.0,
            log_point: 0.0,
            log_point_debt: 0.0,
            below: 1.0 - near,
            below_debt: UNIT,
        })
    }
}

impl EProcess for BetaBinomial {
    /// 1 is a success, 0 a failure; anything else contradicts the law.
    fn update(&mut self, x: f64) -> bool {
        if x != 0.0 && x != 1.0 {
            return false;
        }
        let success = (x == 1.0) != self.mirrored;
        let next = self.draws + 1.0;
        // P(Bin(n+1, b) = k+1) after a success, P(Bin(n+1, b) = k) after a failure, from P(Bin(n, b) = k).
        let ways = if success { next / (self.successes + 1.0) } else { next / (next - self.successes) };
        let change = (if success { self.log_success } else { self.log_failure }) + core_math::log(ways);
        self.log_point += change;
        // Logarithms are off by half a unit relative, the quotient by as much, the sums by half a unit of what they give.
        self.log_point_debt += UNIT * (2.0 + 2.0 * self.log_success.abs().max(self.log_failure.abs()) + 2.0 * change.abs() + self.log_point.abs());
        let point = core_math::exp(self.log_point);
        // P(Bin(n+2, b) <= k+1) = P(Bin(n+1, b) <= k) + (1 - b) P(Bin(n+1, b) = k+1), and P(Bin(n+2, b) <= k) = P(Bin(n+1, b) <= k) - b P(Bin(n+1, b) = k).
        self.below += if success { (1.0 - self.bound) * point } else { -self.bound * point };
        self.below_debt += point * (1.1 * self.log_point_debt + 4.0 * UNIT) + UNIT;
        self.draws = next;
        self.successes += f64::from(u8::from(success));
        true
    }

    fn log_capital(&self) -> f64 {
        // The tail is near 1 where there is evidence; where rounding could be all of it, there is none.
        let below = self.below - self.below_debt;
        if below <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let log_count = core_math::log(self.draws + 1.0);
        let log = core_math::log(below) - self.log_failure - log_count - self.log_point;
        log - self.log_point_debt - 4.0 * UNIT * (1.0 + core_math::log(below).abs() + self.log_failure.abs() + log_count + self.log_point.abs())
    }
}

/// A test of a proportion with both faces: rejected at any time by the beta-binomial mixture, or at its fixed horizon by the exact tail. The level is split
/// evenly.
#[derive(Clone, Debug)]
pub struct ProportionTest {
    mixture: BetaBinomial,
    wanted: f64,
    horizon: u64,
    /// The counts at the horizon whose p-value is at most half of the level.
    critical: RangeInclusive<u64>,
    successes: u64,
    draws: u64,
    rejected: bool,
}

impl ProportionTest {
    /// The test of p <= bound (or >=) at `level`, with the exact look after `horizon` draws.
    ///
    /// # Errors
    /// [`InferenceError`] unless 0 < bound < 1 and 0 < level < 1, or where certified tails cannot place the critical count for the horizon.
    pub fn new(null: Null, bound: &Rational, level: &Rational, horizon: u64) -> Result<ProportionTest, InferenceError> {
        require_level("proportion", level)?;
        let half = level.clone() / Rational::from(2);
        let (mixture, wanted) = (BetaBinomial::new(null, bound)?, threshold(&half));
        let quantile = |level: &Rational| {
            let wanted = "a number of draws whose critical count certified tails can place";
            binomial_quantile(horizon, bound, level).map_err(|_| InferenceError {
                test: "proportion",
                parameter: "horizon",
                value: horizon.to_string(),
                wanted,
            })
        };
        let critical = match null {
            // P(X >= c) <= half from the c after the first k with P(X <= k) >= 1 - half.
            Null::AtMost => quantile(&(Rational::from(1) - half))? + 1..=horizon,
            // P(X <= c) < half up to the c before the first k with P(X <= k) >= half; no c at all where that k is 0 (an empty range).
            Null::AtLeast => match quantile(&half)? {
                0 => horizon + 1..=horizon,
                first => 0..=first - 1,
            },
        };
        Ok(ProportionTest { mixture, wanted, horizon, critical, successes: 0, draws: 0, rejected: false })
    }

    /// Takes a draw; true once the null is rejected.
    pub fn update(&mut self, success: bool) -> bool {
        self.draws += 1;
        self.successes += u64::from(success);
        let taken = self.mixture.update(f64::from(u8::from(success)));
        self.rejected |= taken && self.mixture.log_capital() >= self.wanted;
        self.rejected |= self.draws == self.horizon && self.critical.contains(&self.successes);
        self.rejected
    }
}
