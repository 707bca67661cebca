//! Scalars: one formula, many arithmetics.
//!
//! A bound is written once over the weakest trait it needs ([`Field`], [`Ordered`], [`Surd`] or [`Real`]) and evaluated
//! with exact rationals ([`Rational`]), exact numbers with one radical ([`QuadraticSurd`]), outward-rounded intervals ([`Interval`]),
//! dual numbers ([`Dual`]) or, for a picture only, `f64`.

mod rational;
mod scalar;
mod truth;

pub use rational::Rational;
pub use scalar::{Field, Ordered, Real, Surd};
pub use truth::Truth;
