//! The difference of two arms' means.

use super::{Betting, EProcess, EmpiricalBernstein, Null};

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
    #[must_use]
    pub fn new(low: f64, high: f64, null: Null, bound: f64) -> PairedDifference {
        PairedDifference { betting: Betting::new(low - high, high - low, null, bound), low, high }
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

/// An interval for E X - E Y from two independent confidence sequences: its error level is the sum of theirs.
#[must_use]
pub fn difference_interval(x: &EmpiricalBernstein, y: &EmpiricalBernstein) -> (f64, f64) {
    let ((x_low, x_high), (y_low, y_high)) = (x.interval(), y.interval());
    ((x_low - y_high).next_down(), (x_high - y_low).next_up())
}
