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
mod quadrature;
mod rational;
mod round;
mod scalar;
mod surd;
mod tails;
mod taylor;
mod truth;

pub use accumulate::ExactSum;
pub use big::{BigInterval, DEFAULT_PRECISION, MAX_PRECISION, MIN_PRECISION, PRECISIONS, PrecisionError, with_precision};
pub use decimal::{MAX_EXPONENT, ParseRationalError, Rounding};
pub use degree::Degree;
pub use dual::Dual;
pub use interval::{Interval, IntervalError};
pub use polynomial::evaluate_polynomial;
pub use quadrature::{CalculusError, Roots, Univariate, integrate, isolate_roots, refine_root};
pub use rational::Rational;
pub use scalar::{Field, Ordered, Real, Surd};
pub use surd::QuadraticSurd;
pub use tails::{
    ClopperPearson, TailError, Tails, binomial_quantile, binomial_tails, chi_square_tails, clopper_pearson, normal_tails, regularized_beta,
    regularized_gamma,
};
pub use taylor::Taylor;
pub use truth::Truth;
