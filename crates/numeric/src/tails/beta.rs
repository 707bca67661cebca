//! The incomplete beta function by its hypergeometric series, and the binomial tails through it.

use super::{TailError, Tails, is_probability, require};
use crate::big::{precision_bits, scoped_precision};
use crate::{BigInterval, Field, Rational, Real};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// I_x(a, b), the distribution function of Beta(a, b), and its complement.
///
/// For x below the mean, x^a (1-x)^b / (a B(a,b)) times the sum over j of (a+b)_j / (a+1)_j x^j (DLMF 8.17.8), whose terms all have ratios below 1; above
/// the mean by I_x(a,b) = 1 - I_(1-x)(b,a). For an integer b the finite sum x^a (1-x)^(b-1) / (a B(a,b)) times the sum of (b-1) .. (b-j) / ((a+1) .. (a+j))
/// (x/(1-x))^j (DLMF 8.17.5) instead, whose ratios fall to 0. The number of terms grows like the square root of a + b.
///
/// # Errors
/// [`TailError::Parameter`] unless a, b > 0 and 0 <= x <= 1; [`TailError::TooLong`] where the series would need more than 2^24 terms (a huge parameter beside a
/// small one that is no integer, with x between the mean and the nearer end).
pub fn regularized_beta(a: &Rational, b: &Rational, x: &Rational) -> Result<Tails, TailError> {
    let zero = Rational::from(0);
    require(a > &zero, "a", a, "positive")?;
    require(b > &zero, "b", b, "positive")?;
    require(is_probability(x), "x", x, "between 0 and 1")?;
    let one = Rational::from(1);
    if x.is_zero() {
        return Ok(Tails { lower: BigInterval::zero(), upper: BigInterval::one() });
    }
    if *x == one {
        return Ok(Tails { lower: BigInterval::one(), upper: BigInterval::zero() });
    }
    if *x <= a.clone() / (a.clone() + b.clone()) {
        let lower = below_the_mean(a, b, x)?;
        Ok(Tails { upper: BigInterval::one() - lower.clone(), lower })
    } else {
        let upper = below_the_mean(b, a, &(one - x.clone()))?;
        Ok(Tails { lower: BigInterval::one() - upper.clone(), upper })
    }
}

/// Most terms that the infinite series may need: seconds of work.
const MOST_TERMS: f64 = 16_777_216.0;

/// About how many terms of the infinite series matter at p bits: the ratios fall from at most 1 towards x, like those of a Gaussian of width a/sqrt(b).
fn terms(a: &Rational, b: &Rational, x: &Rational, p: u32) -> f64 {
    let bits = f64::from(p + 8) * std::f64::consts::LN_2;
    let gap = (Rational::from(1) - x.clone()).to_f64_down();
    let (a, b) = (a.to_f64_up(), b.to_f64_down());
    (bits / gap).min(a * (2.0 * bits / b).sqrt())
}

/// Bits of an integer part, for guard bits.
fn size(x: &Rational) -> u32 {
    u32::try_from((x.numer().bits() as i64 - x.denom().bits() as i64).clamp(0, 1 << 20)).unwrap_or(0)
}

fn below_the_mean(a: &Rational, b: &Rational, x: &Rational) -> Result<BigInterval, TailError> {
    let p = precision_bits();
    let finite = b.is_integer();
    let expected = terms(a, b, x, p);
    if !finite && expected > MOST_TERMS {
        return Err(TailError::TooLong { a: a.to_string(), b: b.to_string(), x: x.to_string() });
    }
    // The logarithm of the factor is a sum of numbers as large as (a + b) |ln x|; its error is absolute.
    let depth = u32::try_from(x.denom().bits().saturating_sub(x.numer().bits())).unwrap_or(0);
    let guard = size(a) + size(b) + 32 + (32 - depth.leading_zeros());
    let value = scoped_precision(p + guard, || {
        let of = BigInterval::from_rational;
        let one = Rational::from(1);
        let power = if finite { b.clone() - one.clone() } else { b.clone() };
        let factor = (of(a) * of(x).ln() + of(&power) * of(&(one.clone() - x.clone())).ln() + of(&(a.clone() + b.clone())).ln_gamma()
            - of(&(a.clone() + one)).ln_gamma()
            - of(b).ln_gamma())
        .exp();
        factor * if finite { finite_series(a, b, x, u64::from(p)) } else { series(a, b, x, u64::from(p)) }
    });
    Ok(value.rounded())
}

/// The sum over j of the product over i < j of r_i with r_i = (b-1-i) y / (a+1+i), y = x/(1-x), for an integer b: at most b terms, all ratios below 1 as x is
/// at most the mean (y <= a/b), and falling.
fn finite_series(a: &Rational, b: &Rational, x: &Rational, p: u64) -> BigInterval {
    // As in `series`, a term loses at most 3 units more than its predecessor did; y carries as many more bits as b has, so that (b-1) y is as good.
    let w = p + 64;
    let fine = w + b.numer().bits();
    let y = x.clone() / (Rational::from(1) - x.clone());
    let fixed_y = (y.numer() << fine) / y.denom();
    let common = a.denom();
    let mut top = (b.numer() - BigInt::one()) * &common;
    let mut bottom = a.numer() + &common;
    let one = BigInt::one() << w;
    let (mut term, mut sum) = (one.clone(), one.clone());
    let mut j = 0_u64;
    let machine = y.numer().to_u64().zip(y.denom().to_u64());
    loop {
        match (machine, top.to_u64(), bottom.to_u64()) {
            (Some((numerator, denominator)), Some(top), Some(bottom)) => {
                term *= top;
                term *= numerator;
                term /= bottom;
                term /= denominator;
            }
            _ => term = ((&term * &top * &fixed_y) >> fine) / &bottom,
        }
        sum += &term;
        top -= &common;
        bottom += &common;
        j += 1;
        let lost = || BigInt::from(2) * j * j + 2;
        if top <= BigInt::zero() {
            return crate::big::from_fixed(sum.clone(), sum + lost(), w);
        }
        if j.is_multiple_of(32) || term.is_zero() {
            // The later ratios are below the next one: the tail is at most term rho / (1 - rho).
            let ratio = Integer::div_ceil(&((&fixed_y + BigInt::one()) * &top), &(&bottom << (fine - w)));
            let rest = &one - &ratio;
            if rest > BigInt::zero() {
                let tail = Integer::div_ceil(&((&term + lost()) * &ratio), &rest);
                if tail.bits() <= w - p - 4 {
                    return crate::big::from_fixed(sum.clone(), sum + lost() + tail, w);
                }
            }
        }
    }
}

/// The sum over j >= 0 of the product over i < j of r_i with r_i = (a+b+i) x / (a+1+i), all below 1 as x is at most the mean.
fn series(a: &Rational, b: &Rational, x: &Rational, p: u64) -> BigInterval {
    // Fixed point at scale 2^-w. A step rounds x, the product and the quotient down: a term loses at most 3 units more than its predecessor did (all
    // ratios are below 1, and x carries as many more bits as the factor (a+b+i)/(a+1+i) may have), so after J terms the sum is below the true partial sum
    // by at most 2 J^2 units; 64 guard bits pay for J up to 2^28.
    let w = p + 64;
    let common = a.denom().lcm(&b.denom());
    let scaled = |value: &Rational| value.numer() * (&common / value.denom());
    let mut top = scaled(a) + scaled(b);
    let mut bottom = scaled(a) + &common;
    let fine = w + top.bits();
    let fixed_x = (x.numer() << fine) / x.denom();
    let one = BigInt::one() << w;
    let mut term = one.clone();
    let mut sum = one.clone();
    let mut j = 0_u64;
    let machine = x.numer().to_u64().zip(x.denom().to_u64());
    loop {
        // With machine integers the same step needs no new memory (and rounds once only).
        match (machine, top.to_u64(), bottom.to_u64()) {
            (Some((numerator, denominator)), Some(top), Some(bottom)) => {
                term *= top;
                term *= numerator;
                term /= bottom;
                term /= denominator;
            }
            _ => term = ((&term * &top * &fixed_x) >> fine) / &bottom,
        }
        sum += &term;
        top += &common;
        bottom += &common;
        j += 1;
        // The ratios move monotonely from r_j towards x: all later ones are at most rho = max(r_j, x), and the tail is at most term rho / (1 - rho).
        if j.is_multiple_of(32) || term.is_zero() {
            let upper_x = (&fixed_x >> (fine - w)) + BigInt::one();
            let ratio = Integer::div_ceil(&((&fixed_x + BigInt::one()) * &top), &(&bottom << (fine - w))).max(upper_x);
            let rest = &one - &ratio;
            if rest > BigInt::zero() {
                let lost = BigInt::from(2) * j * j + 2;
                let tail = Integer::div_ceil(&((&term + &lost) * &ratio), &rest);
                if tail.bits() <= w - p - 4 {
                    return crate::big::from_fixed(sum.clone(), sum + lost + tail, w);
                }
            }
        }
    }
}

/// P(X <= k) and P(X > k) for X ~ Binomial(n, p).
///
/// P(X > k) = I_p(k + 1, n - k). Works for n up to 2 10^9 and beyond, and for probabilities of any size.
///
/// ```
/// use numeric::{Rational, binomial_tails};
/// // P(X >= 10^9) for n = 2 10^9 fair coins: 1/2 + P(X = 10^9)/2.
/// let tails = binomial_tails(2_000_000, 999_999, &Rational::new(1, 2))?;
/// assert!(tails.upper.to_decimal(13).starts_with("0.500282094756"));
/// # Ok::<(), numeric::TailError>(())
/// ```
///
/// # Errors
/// [`TailError::Parameter`] unless 0 <= p <= 1. A k below 0 has the tails 0 and 1, one from n on 1 and 0.
pub fn binomial_tails(n: u64, k: i64, p: &Rational) -> Result<Tails, TailError> {
    require(is_probability(p), "p", p, "between 0 and 1")?;
    let (zero, one) = (BigInterval::zero, BigInterval::one);
    let Ok(k) = u64::try_from(k) else { return Ok(Tails { lower: zero(), upper: one() }) };
    if k >= n {
        return Ok(Tails { lower: one(), upper: zero() });
    }
    let integer = |value: u64| Rational::from_i128(i128::from(value), 1);
    let swapped = regularized_beta(&integer(k + 1), &integer(n - k), p)?;
    Ok(Tails { lower: swapped.upper, upper: swapped.lower })
}
