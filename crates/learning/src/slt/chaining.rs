//! Formulas of chaining: entropy integrals of step functions, expected maxima of Gaussian vectors, chi-square means, the printed bounds.

use numeric::{BigInterval, Field, Ordered, PrecisionError, Rational, Real, Surd, TailError, chi_square_tails, with_precision};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// A covering number as a step function of the radius.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Steps {
    /// The radii are given as squares.
    pub squared: bool,
    /// (radius or its square, covering number from there on); ascending, the first at 0.
    pub steps: Vec<(Rational, u64)>,
}

impl Steps {
    fn radius<S: Real>(&self, index: usize) -> S {
        let value = S::from_rational(&self.steps[index].0);
        if self.squared { value.sqrt() } else { value }
    }

    /// int_low^high sqrt(ln N(eps/scale)) d eps, for 0 <= low; nothing where high <= low.
    pub fn integral<S: Real>(&self, low: &S, high: &S, scale: &S) -> S {
        let mut sum = S::zero();
        for (index, (_, number)) in self.steps.iter().enumerate() {
            if *number <= 1 {
                continue;
            }
            let from = (self.radius::<S>(index) * scale.clone()).max(low);
            let to = if index + 1 < self.steps.len() { (self.radius::<S>(index + 1) * scale.clone()).min(high) } else { high.clone() };
            let length = (to - from).max(&S::zero());
            sum = sum + length * S::from_rational(&Rational::from(*number)).ln().sqrt();
        }
        sum
    }

    /// The integral from 0 to the radius where one ball holds all.
    pub fn whole<S: Real>(&self) -> S {
        let last = self.steps.len().saturating_sub(1);
        self.integral(&S::zero(), &self.radius(last), &S::one())
    }

    /// Covering numbers of the regular simplex with n vertices and side 1, centres anywhere in Hilbert space: ceil(n/k) for the largest k with
    /// sqrt((k-1)/(2k)) <= eps, the circumradius of k vertices.
    #[must_use]
    pub fn simplex(vertices: u32) -> Steps {
        let mut steps: Vec<(Rational, u64)> = Vec::new();
        for k in 1..=vertices {
            let number = u64::from(vertices.div_ceil(k));
            if steps.last().is_none_or(|(_, last)| *last != number) {
                steps.push((Rational::new(i64::from(k) - 1, 2 * i64::from(k)), number));
            }
        }
        Steps { squared: true, steps }
    }
}

/// Dudley's bound as formalized: constant 12 sqrt2.
pub fn dudley_constant<S: Real>() -> S {
    S::from_i64(12) * S::from_i64(2).sqrt()
}

/// Bits of the expected maxima that claims use.
pub const BITS: u32 = 60;

/// Whose maximum it is.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    /// Standard normals.
    Normals,
    /// Their absolute values, an even number of them.
    Absolutes,
}

/// The mean of the largest of n: the integral over the line of n x phi(x) F(x)^(n-1), F = Phi for normals and 2 Phi - 1 for absolute values (the integrand is
/// even there, n being even), by the trapezoidal rule.
///
/// For a function analytic in the strip |Im z| < a whose modulus has integrals at most M along all its horizontal lines, the rule with step h on the whole line
/// is off by at most 2M/(exp(2 pi a/h) - 1) (Trefethen and Weideman, The exponentially convergent trapezoidal rule, Theorem 5.1). Here
/// |phi(x + iy)| = phi(x) exp(y^2/2) and |F(x + iy)| <= B = 1 + c a exp(a^2/2)/sqrt(2 pi), c = 1 or 2, so M = n exp(a^2/2) B^(n-1) (sqrt(2/pi) + a).
/// The terms beyond L sum to at most 2 n phi(L), since x phi(x) falls for x >= 1.
fn mean_largest(of: Of, count: u32, bits: u32) -> Result<BigInterval, PrecisionError> {
    if count == 0 {
        return Ok(BigInterval::zero());
    }
    let (width, factor) = match count {
        0..=4 => (Rational::from(2), 2.0),
        5..=30 => (Rational::from(1), 1.0),
        _ => (Rational::new(1, 2), 0.5),
    };
    let doubled = if of == Of::Normals { 1_i32 } else { 2 };
    // Doubles choose the step and the cut; the errors below are enclosed with what was chosen.
    let log = |x: f64| core_math::log(x);
    let size = f64::from(count);
    let digits = (f64::from(bits) + 3.0) * core_math::log(2.0);
    let reach = log(1.0 + f64::from(doubled) * factor * core_math::exp(factor * factor / 2.0) / 2.5) * (size - 1.0) + log(size) + factor + 3.0;
    let parts = (1024.0 * core::f64::consts::TAU * factor / (digits + reach)).floor().max(1.0) as i64;
    let cut = (2.0 * (digits + log(2.0 * size))).sqrt().ceil().max(2.0) as i64;
    with_precision(bits + 40 + count.ilog2(), || trapezoids(of, count, &width, parts, cut))
}

/// The rule of [`mean_largest`] with strip half-width a, step parts/1024 and the first multiple of it at or beyond the cut as last point: the sum with its
/// error, whatever these are.
fn trapezoids(of: Of, count: u32, width: &Rational, parts: i64, cut: i64) -> BigInterval {
    let doubled = if of == Of::Normals { 1_i32 } else { 2 };
    let n = BigInterval::from_i64(i64::from(count));
    let one = BigInterval::one();
    let two = BigInterval::from_i64(2);
    let root = (two.clone() * BigInterval::pi()).sqrt();
    let density = |x: &BigInterval| (-(x.square() / two.clone())).exp() / root.clone();
    let step = BigInterval::ratio(parts, 1024);
    let mut sum = BigInterval::zero();
    let last = cut * 1024 / parts + 1;
    for k in 1..=last {
        let x = BigInterval::ratio(k * parts, 1024);
        let above = (-x.clone()).normal_cdf();
        let below = one.clone() - above.clone();
        let powers = match of {
            Of::Normals => below.powi(count - 1) - above.powi(count - 1),
            Of::Absolutes => two.clone() * (below - above).powi(count - 1),
        };
        sum = sum + x.clone() * density(&x) * powers;
    }
    let a = BigInterval::from_rational(width);
    let growth = (a.square() / two.clone()).exp();
    let modulus = one.clone() + BigInterval::from_i64(doubled.into()) * a.clone() * growth.clone() / root.clone();
    let lines = n.clone() * growth * modulus.powi(count - 1) * (two.clone() / root.clone() + a.clone());
    let rule = two.clone() * lines / ((two.clone() * BigInterval::pi() * a / step.clone()).exp() - one);
    let beyond = two.clone() * n.clone() * density(&BigInterval::ratio(last * parts, 1024));
    let error = rule + beyond;
    let value = n * step * sum;
    (value.clone() - error.clone()).hull(&(value + error))
}

/// The mean of the largest of n independent standard normals, with an absolute error of about 2^-bits.
///
/// # Errors
/// [`PrecisionError`] for an absurd number of bits.
pub fn expected_max(count: u32, bits: u32) -> Result<BigInterval, PrecisionError> {
    mean_largest(Of::Normals, count, bits)
}

/// The mean of the largest absolute value of 2n independent standard normals, with an absolute error of about 2^-bits.
///
/// # Errors
/// [`PrecisionError`] for an absurd number of bits.
pub fn expected_max_absolute(pairs: u32, bits: u32) -> Result<BigInterval, PrecisionError> {
    mean_largest(Of::Absolutes, 2 * pairs, bits)
}

/// [`expected_max`] at the claims' accuracy, as rational ends; computed once a count.
pub fn expected_max_ends(count: u32) -> Option<(Rational, Rational)> {
    static KNOWN: Mutex<BTreeMap<u32, (Rational, Rational)>> = Mutex::new(BTreeMap::new());
    remembered(&KNOWN, count, || expected_max(count, BITS))
}

/// [`expected_max_absolute`] at the claims' accuracy, as rational ends; computed once a count.
pub fn expected_max_absolute_ends(pairs: u32) -> Option<(Rational, Rational)> {
    static KNOWN: Mutex<BTreeMap<u32, (Rational, Rational)>> = Mutex::new(BTreeMap::new());
    remembered(&KNOWN, pairs, || expected_max_absolute(pairs, BITS))
}

type Known = Mutex<BTreeMap<u32, (Rational, Rational)>>;

fn remembered(known: &Known, count: u32, compute: impl FnOnce() -> Result<BigInterval, PrecisionError>) -> Option<(Rational, Rational)> {
    if let Some(ends) = known.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get(&count) {
        return Some(ends.clone());
    }
    let value = compute().ok()?;
    let ends = (value.lo_rational()?, value.hi_rational()?);
    known.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(count, ends.clone());
    Some(ends)
}

/// E|g_r| = sqrt2 Gamma((r+1)/2)/Gamma(r/2), the mean length of a standard normal vector in r dimensions (r >= 1).
pub fn mean_length<S: Real>(rank: u64) -> S {
    let half = |value: u64| S::from_rational(&Rational::from(value)) / S::from_i64(2);
    S::from_i64(2).sqrt() * (half(rank + 1).ln_gamma() - half(rank).ln_gamma()).exp()
}

/// Lower and upper enclosures of S = sum over k >= 2 of sqrt(ln k)/(k (k-1)) = 1.0743002873.., the entropy integral of [-1, 1] in the line.
///
/// The first `terms` (at least 3) are added; the rest lies between two integrals, since f(x) = sqrt(ln x)/(x (x-1)) is convex for x >= e (its logarithm is):
/// int_{K+1}^inf f + f(K+1)/2 <= sum over k > K of f(k) <= int_{K+1/2}^inf f (trapezoids lie above, midpoints below).
pub fn interval_entropy<S: Real>(terms: u32) -> (S, S) {
    let f = |x: S| x.ln().sqrt() / (x.clone() * (x - S::one()));
    let terms = i64::from(terms.max(3));
    let head = (2..=terms).fold(S::zero(), |sum, k| sum + f(S::from_i64(k)));
    let next = S::from_i64(terms + 1);
    let low = entropy_rest(&next).0 + f(next.clone()) / S::from_i64(2);
    let high = entropy_rest(&(next - S::ratio(1, 2))).1;
    (head.clone() + low, head + high)
}

/// Lower and upper enclosures of int_m^inf sqrt(ln x)/(x (x-1)) dx: the sum over j >= 1 of int_m^inf sqrt(ln x) x^(-1-j) dx, which with L = ln m are
/// [sqrt(j L) m^-j + (sqrt(pi)/2) erfc(sqrt(j L))]/j^(3/2) and fall at least by a factor m each.
fn entropy_rest<S: Real>(m: &S) -> (S, S) {
    let log = m.ln();
    let term = |j: u32| {
        let order = S::from_i64(i64::from(j));
        let root = (order.clone() * log.clone()).sqrt();
        (root.clone() / m.powi(j) + S::pi().sqrt() / S::from_i64(2) * root.erfc()) / (order.clone() * order.sqrt())
    };
    let sum = (1..=7).fold(S::zero(), |sum, j| sum + term(j));
    (sum.clone(), sum + term(8) * m.clone() / (m.clone() - S::one()))
}

/// P(X <= x) for X ~ chi-square with r degrees of freedom, x only known to lie in an enclosure of non-negative numbers.
///
/// # Errors
/// [`TailError`] for an enclosure that is not one of non-negative numbers.
pub fn chi_square_within(rank: u64, x: &BigInterval) -> Result<(BigInterval, BigInterval), TailError> {
    let degrees = Rational::from(rank);
    let zero = Rational::from(0);
    let end = |value: Option<Rational>| Ordered::max(&value.unwrap_or(Rational::UNDEFINED), &zero);
    let (low, high) = (chi_square_tails(&degrees, &end(x.lo_rational()))?, chi_square_tails(&degrees, &end(x.hi_rational()))?);
    Ok((low.lower.hull(&high.lower), low.upper.hull(&high.upper)))
}

#[cfg(test)]
mod tests {
    use super::{Of, trapezoids};
    use numeric::{BigInterval, Field, Rational, Real, Surd};

    /// With steps far too coarse the sum is off by more than 1e-5, and the enclosure owns up to it: E max of two normals is 1/sqrt(pi), of two absolute ones
    /// 2/sqrt(pi); a cut that comes too early is owned up to as well.
    #[test]
    fn coarse_sums_say_how_coarse_they_are() {
        let root = BigInterval::pi().sqrt();
        for (of, truth) in [(Of::Normals, BigInterval::one() / root.clone()), (Of::Absolutes, BigInterval::from_i64(2) / root)] {
            for (parts, cut) in [(2500, 12), (1800, 12), (256, 2), (256, 3)] {
                for width in [Rational::new(1, 2), Rational::from(1), Rational::from(2)] {
                    let found = trapezoids(of, 2, &width, parts, cut);
                    assert!(truth.is_subset(&found), "{parts} {cut} {width}: {}", found.to_decimal(20));
                }
            }
            let fine = trapezoids(of, 2, &Rational::from(2), 100, 12);
            assert!(truth.is_subset(&fine) && fine.accuracy_bits() > 90, "{}", fine.to_decimal(30));
            let middle = |parts, cut| trapezoids(of, 2, &Rational::from(2), parts, cut).mid();
            let off =
                |parts, cut| (BigInterval::from_rational(&middle(parts, cut).unwrap_or(Rational::UNDEFINED)) - truth.clone()).to_interval().mig();
            assert!(off(2500, 12) > 1e-5 && off(256, 2) > 1e-5, "{} {}", off(2500, 12), off(256, 2));
        }
    }
}
