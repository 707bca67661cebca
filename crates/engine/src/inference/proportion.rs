//! Proportions: exact binomial tails at a fixed number of draws, and a betting test at any time.

use super::{Betting, EProcess, Null};
use numeric::{BigInterval, Ordered, Rational, TailError, binomial_tails};

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

/// A test of a proportion with both faces: rejected at any time by betting, or at its fixed horizon by the exact tail. The level is split evenly.
#[derive(Clone, Debug)]
pub struct ProportionTest {
    betting: Betting,
    null: Null,
    bound: Rational,
    level: Rational,
    horizon: u64,
    successes: u64,
    draws: u64,
    rejected: bool,
}

impl ProportionTest {
    /// The test of p <= bound (or >=) at `level`, with the exact look after `horizon` draws.
    #[must_use]
    pub fn new(null: Null, bound: Rational, level: Rational, horizon: u64) -> ProportionTest {
        let near = match null {
            Null::AtMost => bound.to_f64_up(),
            Null::AtLeast => bound.to_f64_down(),
        };
        ProportionTest { betting: Betting::new(0.0, 1.0, null, near), null, bound, level, horizon, successes: 0, draws: 0, rejected: false }
    }

    /// Takes a draw; true once the null is rejected.
    pub fn update(&mut self, success: bool) -> bool {
        self.draws += 1;
        self.successes += u64::from(success);
        let half = self.level.clone() / Rational::from(2);
        let in_range = self.betting.update(f64::from(u8::from(success)));
        if in_range && self.betting.log_capital() >= super::threshold(&half) {
            self.rejected = true;
        }
        if self.draws == self.horizon
            && let Ok(p) = proportion_p_value(self.successes, self.draws, self.null, &self.bound)
        {
            self.rejected |= p.le(&numeric::Field::from_rational(&half)).is_true();
        }
        self.rejected
    }
}
