//! The difference of two arms' means.

use super::{Betting, EProcess, EmpiricalBernstein, InferenceError, Null, require_range};
use claim::Knowledge;

/// Evidence against E X - E Y <= b (or >= b) from pairs (X_i, Y_i) of two variables in [low, high], which may depend on each other: betting on X - Y, which
/// lies in [low - high, high - low].
#[derive(Clone, Debug)]
pub struct PairedDifference {
    betting: Betting,
    low: f64,
    high: f64,
}

impl PairedDifference {
    /// The test of the difference.
    ///
    /// # Errors
    /// [`InferenceError`] unless low < high and the bound are finite.
    pub fn new(low: f64, high: f64, null: Null, bound: f64) -> Result<PairedDifference, InferenceError> {
        require_range("paired difference", low, high)?;
        Ok(PairedDifference { betting: Betting::new(low - high, high - low, null, bound)?, low, high })
    }

    /// Takes the next pair; false if a draw lies outside the range.
    #[must_use]
    pub fn update(&mut self, x: f64, y: f64) -> bool {
        let inside = |value: f64| self.low <= value && value <= self.high;
        // The difference of two numbers in the range rounds into the range of differences.
        inside(x) && inside(y) && self.betting.update((x - y).clamp(self.low - self.high, self.high - self.low))
    }

    /// A lower bound of the logarithm of the capital.
    #[must_use]
    pub fn log_capital(&self) -> f64 {
        self.betting.log_capital()
    }
}

/// An interval for E X - E Y from two confidence sequences, dependent or not: its error level is the sum of theirs.
#[must_use]
pub fn difference_interval(x: &EmpiricalBernstein, y: &EmpiricalBernstein) -> (f64, f64) {
    let ((x_low, x_high), (y_low, y_high)) = (x.interval(), y.interval());
    ((x_low - y_high).next_down(), (x_high - y_low).next_up())
}

/// How two variables hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// Independent.
    Independent,
    /// In any way, as when both come from the same random words.
    Any,
}

/// What is known of X - Y from what is known of X and of Y, rounded up; None where the two are known in different ways. A test of E (X - Y) at the full level
/// then replaces two intervals at half of it.
///
/// Ranges add. Scales of sub-Gaussian variables add, or their squares if independent. Moments add by Minkowski's inequality,
/// (v^(1/p) + w^(1/p))^p; central moments of order 2 simply if independent.
#[must_use]
pub fn difference_knowledge(x: &Knowledge, y: &Knowledge, dependence: Dependence) -> Option<Knowledge> {
    // A handful of correctly rounded operations each: 1e-14 relative pays for them.
    let up = |value: f64| value * (1.0 + 1e-14);
    let independent = dependence == Dependence::Independent;
    let minkowski = |p: f64, v: f64, w: f64| up(core_math::pow(core_math::pow(v, 1.0 / p) + core_math::pow(w, 1.0 / p), p));
    match (x, y) {
        (Knowledge::Bounded { low, high }, Knowledge::Bounded { low: y_low, high: y_high }) => {
            Some(Knowledge::Bounded { low: (low - y_high).next_down(), high: (high - y_low).next_up() })
        }
        (Knowledge::SubGaussian { sigma }, Knowledge::SubGaussian { sigma: other }) => {
            let sigma = if independent { (sigma * sigma + other * other).sqrt() } else { sigma + other };
            Some(Knowledge::SubGaussian { sigma: up(sigma) })
        }
        (Knowledge::Moment { order, bound }, Knowledge::Moment { order: p, bound: w }) if order == p => {
            let bound = if independent && *p == 2.0 { up(bound + w) } else { minkowski(*p, *bound, *w) };
            Some(Knowledge::Moment { order: *p, bound })
        }
        (Knowledge::RawMoment { order, bound }, Knowledge::RawMoment { order: p, bound: w }) if order == p => {
            Some(Knowledge::RawMoment { order: *p, bound: minkowski(*p, *bound, *w) })
        }
        _ => None,
    }
}
