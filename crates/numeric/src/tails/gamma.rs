//! The incomplete gamma function by its two series, and chi-square and normal tails.

use super::{TailError, Tails, require};
use crate::big::{precision_bits, scoped_precision};
use crate::{BigInterval, Field, Ordered, Rational, Real};

/// P(a, x), the distribution function of Gamma(a) with unit scale, and its complement Q(a, x).
///
/// Up to x = a the series x^a e^-x / Gamma(a+1) (1 + x/(a+1) + x^2/((a+1)(a+2)) + ..) (DLMF 8.7.1); above, the sum x^(a-1) e^-x / Gamma(a)
/// (1 + (a-1)/x + (a-1)(a-2)/x^2 + ..) with its bounded remainder (DLMF 8.11.i), or where that is not good enough the first series with more bits.
///
/// # Errors
/// [`TailError::Parameter`] unless a > 0 and x >= 0.
pub fn regularized_gamma(a: &Rational, x: &Rational) -> Result<Tails, TailError> {
    let zero = Rational::from(0);
    require(a > &zero, "a", a, "positive")?;
    require(x >= &zero, "x", x, "at least 0")?;
    if x.is_zero() {
        return Ok(Tails { lower: BigInterval::zero(), upper: BigInterval::one() });
    }
    if x <= a {
        let lower = lower_series(a, x, 0);
        return Ok(Tails { upper: BigInterval::one() - lower.clone(), lower });
    }
    let upper = upper_series(a, x).unwrap_or_else(|| {
        // x is of the order of the precision here, and Q is above a e^-x times a power: that many more bits.
        let small = u32::try_from(a.denom().bits().saturating_sub(a.numer().bits())).unwrap_or(u32::MAX).min(1 << 20);
        let extra = (x.to_f64_up() * 1.45).min(1e7) as u32 + 64 + small;
        let p = precision_bits();
        scoped_precision(p + extra, || BigInterval::one() - lower_series(a, x, extra)).rounded()
    });
    Ok(Tails { lower: BigInterval::one() - upper.clone(), upper })
}

fn guard(a: &Rational, x: &Rational) -> u32 {
    let size = |value: &Rational| u32::try_from((value.numer().bits() as i64 - value.denom().bits() as i64).clamp(0, 1 << 20)).unwrap_or(0);
    2 * size(a).max(size(x)) + 32
}

fn lower_series(a: &Rational, x: &Rational, extra: u32) -> BigInterval {
    let p = precision_bits();
    scoped_precision(p + guard(a, x) + extra / 8, || {
        let of = BigInterval::from_rational;
        let (at, shape) = (of(x), of(a));
        let factor = (shape.clone() * at.clone().ln() - at.clone() - of(&(a.clone() + Rational::from(1))).ln_gamma()).exp();
        let small = BigInterval::ratio(1, 2).powi(p + 8);
        let half = BigInterval::ratio(1, 2);
        let (mut term, mut sum) = (BigInterval::one(), BigInterval::one());
        let mut n = 1_i64;
        loop {
            let next = shape.clone() + BigInterval::from_i64(n);
            term = term * at.clone() / next.clone();
            sum = sum + term.clone();
            n += 1;
            // Later ratios are below r = x / (a + n): the tail is at most term r / (1 - r).
            let ratio = at.clone() / (next + BigInterval::one());
            let rest = BigInterval::one() - ratio.clone();
            if (n % 8 == 0 || ratio.lt(&half).is_true()) && BigInterval::zero().lt(&rest).is_true() {
                let tail = term.clone() * ratio / rest;
                if tail.lt(&(small.clone() * sum.clone())).is_true() {
                    return factor * sum.clone().hull(&(sum + tail));
                }
            }
        }
    })
    .rounded()
}

/// None where the remainder cannot be made small.
fn upper_series(a: &Rational, x: &Rational) -> Option<BigInterval> {
    let p = precision_bits();
    scoped_precision(p + guard(a, x), || {
        let of = BigInterval::from_rational;
        let (at, shape) = (of(x), of(a));
        let factor = ((shape.clone() - BigInterval::one()) * at.clone().ln() - at.clone() - shape.clone().ln_gamma()).exp();
        let small = BigInterval::ratio(1, 2).powi(p + 8);
        let one = Rational::from(1);
        let mut factor_left = a.clone() - one.clone();
        let (mut term, mut sum) = (BigInterval::one(), BigInterval::zero());
        let mut smallest: Option<BigInterval> = None;
        loop {
            // Here `term` = (a-1) .. (a-n) / x^n and `factor_left` = a - 1 - n; the terms before it are summed. The remainder is term x^(1-s) e^x Gamma(s, x)
            // with s = a - n: for s > 1 at most term x / (x - s + 1), for s <= 1 at most the term itself (its integrand is below e^-t x^(s-1)).
            let size = term.abs();
            let bound =
                if factor_left > Rational::from(0) { size.clone() * at.clone() / of(&(x.clone() - factor_left.clone())) } else { size.clone() };
            if bound.lt(&(small.clone() * sum.clone())).is_true() || size.equals(&BigInterval::zero()).is_true() {
                let rest = BigInterval::zero().hull(&if BigInterval::zero().le(&term).is_true() { bound } else { -bound });
                return Some(factor * (sum + rest));
            }
            if factor_left < Rational::from(0) && smallest.as_ref().is_some_and(|least| least.lt(&size).is_true()) {
                return None;
            }
            smallest = Some(size);
            sum = sum + term.clone();
            term = term * of(&factor_left) / at.clone();
            factor_left = factor_left - one.clone();
        }
    })
    .map(BigInterval::rounded)
}

/// P(X <= x) and P(X > x) for X ~ chi-square with `degrees` degrees of freedom: the gamma law of shape degrees/2 and scale 2.
///
/// # Errors
/// [`TailError::Parameter`] unless degrees > 0 and x >= 0.
pub fn chi_square_tails(degrees: &Rational, x: &Rational) -> Result<Tails, TailError> {
    require(degrees > &Rational::from(0), "degrees", degrees, "positive")?;
    require(x >= &Rational::from(0), "x", x, "at least 0")?;
    let two = Rational::from(2);
    regularized_gamma(&(degrees.clone() / two.clone()), &(x.clone() / two))
}

/// P(Z <= x) and P(Z > x) for a standard normal Z.
#[must_use]
pub fn normal_tails(x: &Rational) -> Tails {
    let at = BigInterval::from_rational(x);
    Tails { lower: at.normal_cdf(), upper: (-at).normal_cdf() }
}
