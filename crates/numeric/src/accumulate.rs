//! Exact sums of floats and of their squares.

use crate::Rational;
use num_bigint::BigInt;
use num_traits::Zero;

/// Bits an exponent bin spans.
const SPAN: i32 = 32;
/// Lowest exponent: below that of the square of the smallest subnormal, 2^-2148.
const BASE: i32 = -68 * SPAN;
/// Bins up to the square of the largest float (exponent 1942 for its 106-bit significand's low half, 1995 for the high half).
const BINS: usize = 132;

/// A sum of floats, of their squares, or of both kinds of exact terms, kept without any rounding.
///
/// Each term goes as an integer into the bin of its exponent. A term takes at most 85 bits of a bin's 127, so 2^42 terms fit.
#[derive(Clone)]
pub struct ExactSum {
    bins: Vec<i128>,
}

impl Default for ExactSum {
    fn default() -> Self {
        ExactSum { bins: vec![0; BINS] }
    }
}

/// Sign, significand and exponent: value = +-significand * 2^exponent.
fn decode(value: f64) -> (bool, u64, i32) {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 0 { (value < 0.0, fraction, -1074) } else { (value < 0.0, fraction | (1 << 52), exponent - 1075) }
}

impl ExactSum {
    /// Adds a finite float. (An infinity or NaN is not a number; the caller has refused it.)
    #[inline]
    pub fn add(&mut self, value: f64) {
        debug_assert!(value.is_finite(), "a term must be finite");
        let (negative, significand, exponent) = decode(value);
        self.add_scaled(negative, significand, exponent);
    }

    /// Adds the square of a finite float.
    #[inline]
    pub fn add_square(&mut self, value: f64) {
        debug_assert!(value.is_finite(), "a term must be finite");
        let (_, significand, exponent) = decode(value);
        let square = u128::from(significand) * u128::from(significand);
        self.add_scaled(false, (square & ((1 << 53) - 1)) as u64, 2 * exponent);
        self.add_scaled(false, (square >> 53) as u64, 2 * exponent + 53);
    }

    #[inline]
    fn add_scaled(&mut self, negative: bool, significand: u64, exponent: i32) {
        let place = (exponent - BASE) as usize;
        let term = i128::from(significand) << (place % SPAN as usize);
        self.bins[place / SPAN as usize] += if negative { -term } else { term };
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &ExactSum) {
        self.bins.iter_mut().zip(&other.bins).for_each(|(bin, more)| *bin += more);
    }

    /// The exact value.
    #[must_use]
    pub fn value(&self) -> Rational {
        // Horner from the top bin down, then the common power of two.
        let total = self.bins.iter().rev().fold(BigInt::zero(), |sum, &bin| (sum << SPAN) + bin);
        // The common power of two by shifting: a gcd of thousands of bits would cost far more.
        let spare = total.trailing_zeros().unwrap_or(0).min(u64::from(BASE.unsigned_abs()));
        Rational::from_big(total >> spare, BigInt::from(1) << (u64::from(BASE.unsigned_abs()) - spare))
    }
}

#[cfg(test)]
mod tests {
    use super::ExactSum;
    use crate::{Field, Rational};

    #[test]
    fn extremes_and_cancellation_are_exact() {
        let tiny = f64::from_bits(1);
        let values = [f64::MAX, -f64::MAX, tiny, 1e200, -1e-200, 0.1, -0.0, 1.0, f64::MIN_POSITIVE];
        let (mut sum, mut squares) = (ExactSum::default(), ExactSum::default());
        let (mut exact, mut exact_squares) = (Rational::from(0), Rational::from(0));
        for value in values {
            sum.add(value);
            squares.add_square(value);
            let number = Rational::from_f64(value).unwrap();
            exact = exact + number.clone();
            exact_squares = exact_squares + number.square();
        }
        assert_eq!(sum.value(), exact);
        assert_eq!(squares.value(), exact_squares);
        let mut twice = sum.clone();
        twice.merge(&sum);
        assert_eq!(twice.value(), exact * Rational::from(2));
    }
}
