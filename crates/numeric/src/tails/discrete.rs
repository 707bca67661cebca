//! Quantiles of the binomial law and the Clopper-Pearson interval.

use super::{TailError, binomial_tails, is_probability, require};
use crate::big::{precision_bits, scoped_precision};
use crate::{BigInterval, Field, Ordered, Rational, Real, Truth, with_precision};

/// Precisions at which two probabilities are compared before they count as possibly equal.
const LADDER: [u32; 4] = [64, 128, 512, 2_048];
/// Largest n whose distribution function is summed exactly when enclosures of 128 bits cannot tell it from the level.
const EXACT_LIMIT: u64 = 4_000;

/// The exact value of P(X <= k).
fn exact_cdf(n: u64, k: u64, p: &Rational) -> Rational {
    let q = Rational::from(1) - p.clone();
    if q.is_zero() {
        return Rational::from(i64::from(k >= n));
    }
    let odds = p.clone() / q.clone();
    let mut term = q.powi(n as u32);
    let mut sum = term.clone();
    for j in 1..=k.min(n) {
        term = term * odds.clone() * Rational::from_i128(i128::from(n - j + 1), i128::from(j));
        sum = sum + term.clone();
    }
    sum
}

/// Whether P(X <= k) >= level, for certain.
fn reaches(n: u64, k: u64, p: &Rational, level: &Rational) -> Result<bool, TailError> {
    for bits in LADDER {
        // A small law's sum is cheaper exactly than at a high precision.
        if n <= EXACT_LIMIT && bits > 128 {
            return Ok(*level <= exact_cdf(n, k, p));
        }
        let tails = with_precision(bits, || binomial_tails(n, k as i64, p)).map_err(|_| undecided(k, level, bits))??;
        match BigInterval::from_rational(level).le(&tails.lower) {
            Truth::True => return Ok(true),
            Truth::False => return Ok(false),
            Truth::Unknown => {}
        }
    }
    Err(undecided(k, level, LADDER[3]))
}

fn undecided(k: u64, level: &Rational, bits: u32) -> TailError {
    TailError::Undecided { at: k.to_string(), level: level.to_string(), bits }
}

/// The smallest k with P(X <= k) >= level, X ~ Binomial(n, p).
///
/// ```
/// use numeric::{Rational, binomial_quantile};
/// assert_eq!(binomial_quantile(2, &Rational::new(1, 20), &Rational::new(1, 2)), Ok(0));
/// assert_eq!(binomial_quantile(1, &Rational::new(1, 2), &Rational::new(1, 2)), Ok(0));
/// ```
///
/// # Errors
/// [`TailError`] unless p and level are probabilities, and where an equality between enclosures cannot be decided (n above 4,000 only).
pub fn binomial_quantile(n: u64, p: &Rational, level: &Rational) -> Result<u64, TailError> {
    require(is_probability(p), "p", p, "between 0 and 1")?;
    require(is_probability(level), "level", level, "between 0 and 1")?;
    let (mut low, mut high) = (0, n);
    while low < high {
        let mid = low + (high - low) / 2;
        if reaches(n, mid, p, level)? { high = mid } else { low = mid + 1 }
    }
    Ok(low)
}

/// A confidence interval for a proportion.
#[derive(Clone, Debug)]
pub struct ClopperPearson {
    /// Lower limit: the p at which P(X >= k) is half of alpha; 0 for k = 0.
    pub lower: BigInterval,
    /// Upper limit: the p at which P(X <= k) is half of alpha; 1 for k = n.
    pub upper: BigInterval,
}

/// The exact two-sided interval of Clopper and Pearson (1934) at error level `alpha` for `k` successes of `n`, each side at alpha/2.
///
/// ```
/// use numeric::{Rational, clopper_pearson};
/// let alpha: Rational = "1e-7".parse().expect("a decimal");
/// let limits = clopper_pearson(0, 1000, &alpha)?;
/// assert!(limits.upper.to_decimal(12).starts_with("0.0166707224315"));
/// # Ok::<(), numeric::TailError>(())
/// ```
///
/// # Errors
/// [`TailError::Parameter`] unless k <= n, n > 0 and 0 < alpha < 1.
pub fn clopper_pearson(k: u64, n: u64, alpha: &Rational) -> Result<ClopperPearson, TailError> {
    let integer = |value: u64| Rational::from_i128(i128::from(value), 1);
    require(n > 0, "n", &integer(n), "positive")?;
    require(k <= n, "k", &integer(k), "at most n")?;
    require(Rational::from(0) < *alpha && *alpha < Rational::from(1), "alpha", alpha, "strictly between 0 and 1")?;
    let half = alpha.clone() / Rational::from(2);
    Ok(ClopperPearson {
        lower: if k == 0 { BigInterval::zero() } else { limit(k, n, &half, true)? },
        upper: if k == n { BigInterval::one() } else { limit(k, n, &half, false)? },
    })
}

/// The p at which P(X >= k) = level (`lower`, k > 0) or P(X <= k) = level (k < n). The first rises in p, the second falls.
fn limit(k: u64, n: u64, level: &Rational, lower: bool) -> Result<BigInterval, TailError> {
    let root = || BigInterval::from_rational(level).ln() / BigInterval::from_rational(&Rational::from_i128(i128::from(n), 1));
    if lower && k == n {
        // p^n = level.
        return Ok(root().exp());
    }
    if !lower && k == 0 {
        // (1 - p)^n = level.
        return Ok(-root().exp_m1());
    }
    // Bisection and Newton's steps guess the root; two certain comparisons around the guess prove it.
    let bits = precision_bits();
    let tail = |p: &Rational| -> Result<BigInterval, TailError> {
        Ok(if lower { binomial_tails(n, k as i64 - 1, p)?.upper } else { binomial_tails(n, k as i64, p)?.lower })
    };
    // Whether the root is above p, for certain.
    let root_above = |p: &Rational| -> Result<Truth, TailError> {
        let (target, value) = (BigInterval::from_rational(level), tail(p)?);
        Ok(if lower { value.lt(&target) } else { target.lt(&value) })
    };
    let (mut low, mut high) = (Rational::from(0), Rational::from(1));
    for _ in 0..COARSE_STEPS {
        if high.clone() <= low.clone() * Rational::new(9, 8) {
            break;
        }
        let mid = middle(&low, &high);
        match scoped_precision(bits.min(64), || root_above(&mid))? {
            Truth::True => low = mid,
            Truth::False => high = mid,
            Truth::Unknown => break,
        }
    }
    let mut guess = middle(&low, &high);
    for _ in 0..NEWTON_STEPS {
        let next = newton(if lower { k - 1 } else { k }, n, &guess, tail(&guess)? - BigInterval::from_rational(level), lower);
        guess = next.filter(|next| low < *next && *next < high).unwrap_or(guess);
    }
    let gap = guess.clone() * Rational::from_big(1.into(), num_bigint::BigInt::from(1) << bits.saturating_sub(12));
    let (below, above) = (guess.clone() - gap.clone(), guess + gap);
    if root_above(&below)?.is_true() && root_above(&above)?.is_false() {
        return Ok(BigInterval::between(&below, &above));
    }
    // The guess was poor: bisection alone, as far as the comparisons carry.
    for _ in 0..2 * bits.min(1_024) + 64 {
        let mid = middle(&low, &high);
        match root_above(&mid)? {
            Truth::True => low = mid,
            Truth::False => high = mid,
            Truth::Unknown => break,
        }
    }
    Ok(BigInterval::between(&low, &high))
}

/// A number between two ends for a bisection that also finds tiny roots: far below `high` while `low` is 0, the geometric middle while the ends are far
/// apart, then the arithmetic one.
fn middle(low: &Rational, high: &Rational) -> Rational {
    let two = Rational::from(2);
    let bits = |x: &Rational| x.numer().bits() as i64 - x.denom().bits() as i64;
    if low.is_zero() {
        return high.clone() / two.powi(64);
    }
    let apart = bits(high) - bits(low);
    if apart > 2 { low.clone() * two.powi((apart / 2) as u32) } else { (low.clone() + high.clone()) / two }
}

/// Bisections before Newton's method takes over, and its steps: each doubles the number of right bits.
const COARSE_STEPS: usize = 400;
const NEWTON_STEPS: usize = 8;

/// One Newton step at p for a tail whose excess over the level is given: the derivative is +-n C(n-1, k) p^k (1-p)^(n-1-k). A guess only: the middle of an
/// enclosure.
fn newton(k: u64, n: u64, p: &Rational, excess: BigInterval, rising: bool) -> Option<Rational> {
    let of = BigInterval::from_rational;
    let integer = |value: u64| BigInterval::from_rational(&Rational::from_i128(i128::from(value), 1));
    let log = integer(n).ln() + integer(n).ln_gamma() - integer(k + 1).ln_gamma() - integer(n - k).ln_gamma()
        + integer(k) * of(p).ln()
        + integer(n - 1 - k) * of(&(Rational::from(1) - p.clone())).ln();
    let step = excess / log.exp();
    (if rising { of(p) - step } else { of(p) + step }).mid()
}
