//! The traits a formula is written over, weakest first: [`Field`], [`Ordered`], [`Surd`], [`Real`].
//!
//! None of them asks for `PartialOrd` or `Copy`: an enclosure cannot always be compared, and a big number should not be
//! copied in silence. Constants enter by [`Field::ratio`] or [`Field::from_rational`], never as a float.

use crate::{Rational, Truth};
use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Ring operations and division, exact or enclosing.
///
/// A division by zero does not panic: it gives the scalar's undefined value (exact scalars) or an enclosure that says so.
pub trait Field:
    Clone + Debug + Send + Sync + 'static + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The value of a rational number, exactly or as an enclosure.
    fn from_rational(value: &Rational) -> Self;

    /// The value of an integer, exactly or as an enclosure.
    fn from_i64(value: i64) -> Self {
        Self::from_rational(&Rational::from(value))
    }

    /// The constant p/q. `q == 0` gives the undefined value.
    fn ratio(p: i64, q: i64) -> Self {
        Self::from_rational(&Rational::new(p, q))
    }

    /// 0.
    fn zero() -> Self {
        Self::from_i64(0)
    }

    /// 1.
    fn one() -> Self {
        Self::from_i64(1)
    }

    /// x^2; an enclosure knows that it is not negative.
    fn square(&self) -> Self {
        self.clone() * self.clone()
    }

    /// x^n for n >= 0, with 0^0 = 1.
    fn powi(&self, n: u32) -> Self {
        if n == 0 {
            return Self::one();
        }
        let half = self.powi(n / 2).square();
        if n % 2 == 1 { half * self.clone() } else { half }
    }
}

/// A field with an order that may be undecided.
pub trait Ordered: Field {
    /// Is self <= other?
    fn le(&self, other: &Self) -> Truth;
    /// Is self < other?
    fn lt(&self, other: &Self) -> Truth;
    /// Are the two equal? (An enclosure can say yes only when both are the same point.)
    fn equals(&self, other: &Self) -> Truth;
    /// The smaller of the two.
    fn min(&self, other: &Self) -> Self;
    /// The larger of the two.
    fn max(&self, other: &Self) -> Self;
    /// |x|.
    fn abs(&self) -> Self;
    /// The largest integer <= x.
    fn floor(&self) -> Self;
    /// The smallest integer >= x.
    fn ceil(&self) -> Self {
        -((-self.clone()).floor())
    }
    /// Whether the value is defined (no division by zero, no root of a negative number on the way).
    fn is_defined(&self) -> bool;
}

/// An ordered field with square roots: exact for formulas with one radical ([`crate::QuadraticSurd`]), enclosing otherwise.
pub trait Surd: Ordered {
    /// The square root; undefined below zero.
    fn sqrt(&self) -> Self;
}

/// Everything a bound may use: elementary functions and constants, as enclosures (or, for `f64`, as approximations that no verdict rests on).
pub trait Real: Surd {
    /// The constant pi.
    fn pi() -> Self;
    /// Euler's number e = exp(1).
    fn e() -> Self {
        Self::one().exp()
    }
    /// e^x.
    fn exp(&self) -> Self;
    /// e^x - 1, accurate near 0.
    fn exp_m1(&self) -> Self;
    /// The natural logarithm; undefined for x <= 0.
    fn ln(&self) -> Self;
    /// ln(1 + x), accurate near 0; undefined for x <= -1.
    fn ln_1p(&self) -> Self;
    /// The logarithm to base 2; undefined for x <= 0.
    fn log2(&self) -> Self;
    /// The real cube root.
    fn cbrt(&self) -> Self;
    /// x^y for real y, x > 0 (and 0^y = 0 for y > 0); an enclosure also takes constant integer y for any x.
    fn pow(&self, exponent: &Self) -> Self;
    /// The sine.
    fn sin(&self) -> Self;
    /// The cosine.
    fn cos(&self) -> Self;
    /// The tangent; undefined at odd multiples of pi/2.
    fn tan(&self) -> Self;
    /// The arc tangent, in [-pi/2, pi/2].
    fn atan(&self) -> Self;
    /// The hyperbolic sine.
    fn sinh(&self) -> Self;
    /// The hyperbolic cosine.
    fn cosh(&self) -> Self;
    /// The hyperbolic tangent.
    fn tanh(&self) -> Self;
    /// The error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x.
    fn erf(&self) -> Self;
    /// 1 - erf(x), accurate in the tail.
    fn erfc(&self) -> Self;
    /// The standard normal distribution function.
    fn normal_cdf(&self) -> Self;
    /// ln |gamma(x)|; undefined at 0, -1, -2, ...
    fn ln_gamma(&self) -> Self;
    /// The gamma function; undefined at 0, -1, -2, ...
    fn gamma(&self) -> Self;
    /// x! = gamma(x + 1).
    fn factorial(&self) -> Self {
        (self.clone() + Self::one()).gamma()
    }
    /// The binomial coefficient x over k for an integer k >= 0: x (x-1) .. (x-k+1) / k!.
    fn binomial(&self, k: u32) -> Self {
        (0..k).fold(Self::one(), |product, i| product * (self.clone() - Self::from_i64(i64::from(i))) / Self::from_i64(i64::from(i) + 1))
    }
}
