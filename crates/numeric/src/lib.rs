//! Scalars: one formula, many arithmetics.
//!
//! A bound is written once over the weakest trait it needs ([`Field`], [`Ordered`], [`Surd`] or [`Real`]) and evaluated
//! with exact rationals ([`Rational`]), exact numbers with one radical ([`QuadraticSurd`]), outward-rounded intervals ([`Interval`]),
//! dual numbers ([`Dual`]) or, for a picture only, `f64`.

mod accumulate;
mod big;
mod decimal;
mod degree;
mod dual;
mod float;
mod interval;
mod polynomial;
mod rational;
mod round;
mod scalar;
mod surd;
mod truth;

pub use accumulate::ExactSum;
pub use big::{BigInterval, DEFAULT_PRECISION, MAX_PRECISION, MIN_PRECISION, PrecisionError, with_precision};
pub use decimal::{MAX_EXPONENT, ParseRationalError, Rounding};
pub use degree::Degree;
pub use dual::Dual;
pub use interval::{Interval, IntervalError};
pub use polynomial::evaluate_polynomial;
pub use rational::Rational;
pub use scalar::{Field, Ordered, Real, Surd};
pub use surd::QuadraticSurd;
pub use truth::Truth;
