//! Anytime-valid inference: tests that may be looked at after every draw and stopped when they are decided.
//!
//! Each test is an e-process: a nonnegative process whose expectation is at most 1 under its null hypothesis, at every stopping time. By Ville's inequality
//! its probability of ever reaching 1/level is at most the level. The theorems and their sources stand at the types; `docs/statistics.md` has the overview.
//!
//! Arithmetic. A capital is kept as its logarithm in doubles; every update adds a stated multiple of the unit roundoff to a debt, and only the capital less
//! the debt is compared with 1/level, so a verdict is never due to rounding.

mod bounded;
mod difference;
mod heavy;
mod proportion;
mod sequence;
mod sub_gaussian;

pub use bounded::Betting;
pub use difference::{Dependence, PairedDifference, difference_interval, difference_knowledge};
pub use heavy::Catoni;
pub use proportion::{BetaBinomial, ProportionTest, proportion_p_value};
pub use sequence::EmpiricalBernstein;
pub use sub_gaussian::HalfNormalMixture;

/// Which null hypothesis an e-process gathers evidence against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Null {
    /// E X <= b: evidence that the mean is larger.
    AtMost,
    /// E X >= b: evidence that the mean is smaller.
    AtLeast,
}

/// A test that is updated draw by draw.
pub trait EProcess {
    /// Takes the next draw; false if it contradicts what was assumed of the law (then the test says nothing any more).
    #[must_use]
    fn update(&mut self, x: f64) -> bool;

    /// A lower bound of the logarithm of the capital.
    fn log_capital(&self) -> f64;
}

/// A test that does not exist: its theorem does not hold for such a parameter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{test}: {parameter} = {value} is not {wanted}")]
pub struct InferenceError {
    /// The test.
    pub test: &'static str,
    /// The parameter.
    pub parameter: &'static str,
    /// Its value.
    pub value: String,
    /// Its range, in words.
    pub wanted: &'static str,
}

pub(crate) fn require(
    condition: bool,
    test: &'static str,
    parameter: &'static str,
    value: impl ToString,
    wanted: &'static str,
) -> Result<(), InferenceError> {
    if condition { Ok(()) } else { Err(InferenceError { test, parameter, value: value.to_string(), wanted }) }
}

/// The range of a bounded variable.
pub(crate) fn require_range(test: &'static str, low: f64, high: f64) -> Result<(), InferenceError> {
    require(low.is_finite(), test, "low", low, "finite")?;
    require(high > low && (high - low).is_finite(), test, "high", high, "above low, at a finite distance")
}

/// An error level.
pub(crate) fn require_level(test: &'static str, level: &numeric::Rational) -> Result<(), InferenceError> {
    let (zero, one) = (numeric::Rational::from(0), numeric::Rational::from(1));
    require(*level > zero && *level < one, test, "level", level, "between 0 and 1, both excluded")
}

/// The level of a part: beyond the whole budget no sum of levels would be within it, and a level that is not positive would make room for others.
pub(crate) fn require_part_level(level: &numeric::Rational) -> Result<(), InferenceError> {
    let inside = *level > numeric::Rational::from(0) && *level <= crate::ledger::budget();
    require(inside, "part", "level", level, "positive and at most the budget of the ledger")
}

/// ln(1/level), rounded up: what a log capital must reach.
#[must_use]
pub fn threshold(level: &numeric::Rational) -> f64 {
    use numeric::Real;
    (-numeric::Interval::from_rational(level).ln()).hi()
}

/// The unit roundoff 2^-53.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;
