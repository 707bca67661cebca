//! Confidence sequences for the mean of a bounded variable.

use super::{InferenceError, UNIT, require_level, require_range};
use numeric::{Interval, Rational, Real};

/// An interval that holds E X at all times at once, with probability at least 1 - level, for X in [low, high].
///
/// Predictable plug-in empirical Bernstein (Waudby-Smith and Ramdas, JRSS B 86, 2024, theorem 2): with Y = (X - low)/(high - low), any predictable rates
/// l_i < 1, v_i = (Y_i - m_(i-1))^2 and psi(l) = -ln(1 - l) - l, the interval is (sum l_i Y_i +- (ln(2/level) + sum v_i psi(l_i))) / sum l_i, intersected
/// over time. The rates here, min(sqrt(2 ln(2/level) / (s_(i-1)^2 n)), 1/2), make it tightest after n draws, the horizon; it holds at every time.
#[derive(Clone, Debug)]
pub struct EmpiricalBernstein {
    low: f64,
    high: f64,
    log_level: f64,
    horizon: f64,
    count: f64,
    sum: f64,
    squares: f64,
    weights: f64,
    weighted: f64,
    penalty: f64,
    interval: (f64, f64),
}

impl EmpiricalBernstein {
    /// The sequence at an error level, both sides together, tightest after about `horizon` draws.
    ///
    /// # Errors
    /// [`InferenceError`] unless low < high are finite and 0 < level < 1.
    pub fn new(low: f64, high: f64, level: &Rational, horizon: u64) -> Result<EmpiricalBernstein, InferenceError> {
        require_range("empirical Bernstein", low, high)?;
        require_level("empirical Bernstein", level)?;
        let log_level = (Interval::from_rational(&(Rational::from(2) / level.clone()))).ln().hi();
        Ok(EmpiricalBernstein {
            low,
            high,
            log_level,
            horizon: horizon.max(1) as f64,
            count: 0.0,
            sum: 0.5,
            squares: 0.25,
            weights: 0.0,
            weighted: 0.0,
            penalty: 0.0,
            interval: (0.0, 1.0),
        })
    }

    /// Takes a draw; false if it lies outside [low, high].
    #[must_use]
    pub fn update(&mut self, x: f64) -> bool {
        if !(self.low <= x && x <= self.high) {
            return false;
        }
        let y = ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        let before = self.count + 1.0;
        let (mean, variance) = (self.sum / before, self.squares / before);
        let rate = (2.0 * self.log_level / (variance * self.horizon)).sqrt().min(0.5);
        let deviation = (y - mean) * (y - mean);
        self.penalty += deviation * (-core_math::log1p(-rate) - rate);
        self.weights += rate;
        self.weighted += rate * y;
        self.count += 1.0;
        self.sum += y;
        self.squares += deviation;
        let centre = self.weighted / self.weights;
        // Sums of n positive terms are off by less than n + 4 units relative; twice that pays for the quotients.
        let radius =
            (self.log_level + self.penalty) / self.weights + 2.0 * (self.count + 8.0) * UNIT * (1.0 + (self.log_level + self.penalty) / self.weights);
        self.interval = (self.interval.0.max(centre - radius), self.interval.1.min(centre + radius));
        true
    }

    /// The interval so far, on the scale of X, rounded outward. Empty only if the law's range was broken or an event of probability below the level occurred.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let width = self.high - self.low;
        let slack = 8.0 * UNIT * (self.low.abs() + self.high.abs() + width);
        (self.low + self.interval.0.max(0.0) * width - slack, self.low + self.interval.1.min(1.0) * width + slack)
    }
}
