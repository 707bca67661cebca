//! Distribution functions with certified digits: binomial, beta, gamma, chi-square, normal; their quantiles and the Clopper-Pearson interval.
//!
//! Parameters are exact rationals. Every function returns both tails, each relatively accurate to about the working precision of the thread
//! ([`crate::with_precision`]), however small: one tail is summed from positive terms, the other is its complement only where it is not small.

mod beta;
mod discrete;
mod gamma;

pub use beta::{binomial_tails, regularized_beta};
pub use discrete::{ClopperPearson, binomial_quantile, clopper_pearson};
pub use gamma::{chi_square_tails, normal_tails, regularized_gamma};

use crate::{BigInterval, Rational};

/// A distribution function and its complement.
#[derive(Clone, Debug)]
pub struct Tails {
    /// P(X <= x).
    pub lower: BigInterval,
    /// P(X > x).
    pub upper: BigInterval,
}

/// A parameter outside a distribution's domain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TailError {
    /// Out of range.
    #[error("{name} = {value} is not {wanted}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: String,
        /// Its range, in words.
        wanted: &'static str,
    },
    /// A series that converges too slowly.
    #[error("the incomplete beta series at a = {a}, b = {b}, x = {x} needs more than 2^24 terms")]
    TooLong {
        /// First parameter.
        a: String,
        /// Second parameter.
        b: String,
        /// Argument.
        x: String,
    },
    /// Two numbers that may be equal could not be told apart, at the highest precision tried.
    #[error("cannot decide at {bits} bits whether the probability at {at} reaches {level}")]
    Undecided {
        /// The argument.
        at: String,
        /// The level.
        level: String,
        /// The precision.
        bits: u32,
    },
}

fn require(condition: bool, name: &'static str, value: &Rational, wanted: &'static str) -> Result<(), TailError> {
    if condition { Ok(()) } else { Err(TailError::Parameter { name, value: value.to_string(), wanted }) }
}

fn is_probability(p: &Rational) -> bool {
    Rational::from(0) <= *p && *p <= Rational::from(1)
}
