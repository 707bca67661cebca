//! Integrals with a rigorous error, and roots with a proof that they are there.

use crate::{BigInterval, Dual, Field, Interval, Ordered, PRECISIONS, Rational, Real, Taylor, Truth, with_precision};

/// A formula of one variable, written once.
pub trait Univariate {
    /// The value at `x`.
    fn eval<S: Real>(&self, x: &S) -> S;
}

/// Why an integral or a root was not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CalculusError {
    /// The ends are reversed or undefined.
    #[error("[{low}, {high}] is no range")]
    Range {
        /// Lower end.
        low: String,
        /// Upper end.
        high: String,
    },
    /// The asked accuracy was not reached within the budget of panels.
    #[error("the integral is not known to {bits} bits after {panels} panels; the first open one is [{low}, {high}]")]
    Budget {
        /// Bits asked for.
        bits: u32,
        /// Panels tried.
        panels: usize,
        /// Lower end of the first open panel.
        low: String,
        /// Upper end of it.
        high: String,
    },
    /// A precision that cannot be had.
    #[error(transparent)]
    Precision(#[from] crate::PrecisionError),
}

/// Panels that an integral may use.
const MAX_PANELS: usize = 4_000;

fn ordered(low: &Rational, high: &Rational) -> Result<(), CalculusError> {
    if Ordered::le(low, high).is_true() { Ok(()) } else { Err(CalculusError::Range { low: low.to_string(), high: high.to_string() }) }
}

/// The integral of f from `low` to `high`, with an absolute error of at most about 2^-bits.
///
/// On a panel of half width h around m, f is its Taylor polynomial at m plus c_n(xi) (x - m)^n, with c_n enclosed over the panel; a panel whose
/// enclosure is too wide is halved. Where f has kinks the range of f on ever smaller panels serves instead.
///
/// ```
/// use numeric::{Field, Rational, Real, Univariate, integrate};
/// struct Bell;
/// impl Univariate for Bell {
///     fn eval<S: Real>(&self, x: &S) -> S {
///         (-x.square()).exp()
///     }
/// }
/// // sqrt(pi)/2 erf(1)
/// let value = integrate(&Bell, &Rational::from(0), &Rational::from(1), 100)?;
/// assert!(value.to_decimal(28).starts_with("0.746824132812427025399467436"));
/// # Ok::<(), numeric::CalculusError>(())
/// ```
///
/// # Errors
/// [`CalculusError`] for reversed ends, an absurd precision, or a formula that resists (a pole, an undefined value in the range).
pub fn integrate(f: &impl Univariate, low: &Rational, high: &Rational, bits: u32) -> Result<BigInterval, CalculusError> {
    ordered(low, high)?;
    let working = bits.saturating_add(24);
    let order = 2 * (bits as usize / 10 + 4);
    with_precision(working, || {
        let whole = high.clone() - low.clone();
        if whole.is_zero() {
            return Ok(BigInterval::zero());
        }
        let tolerance = BigInterval::from_rational(&Rational::new(1, 2)).powi(bits);
        let jump = tolerance.clone() / BigInterval::from_i64(64);
        let mut sum = BigInterval::zero();
        let mut stack = vec![(low.clone(), high.clone())];
        let mut panels = 0;
        while let Some((a, b)) = stack.pop() {
            panels += 1;
            let share = tolerance.clone() * BigInterval::from_rational(&((b.clone() - a.clone()) / whole.clone()));
            if let Some(value) = panel(f, &a, &b, order, &share, &jump) {
                sum = sum + value;
                continue;
            }
            if panels >= MAX_PANELS {
                return Err(CalculusError::Budget { bits, panels, low: a.to_string(), high: b.to_string() });
            }
            let mid = (a.clone() + b.clone()) / Rational::from(2);
            stack.push((mid.clone(), b));
            stack.push((a, mid));
        }
        Ok(sum)
    })?
}

fn narrow(value: &BigInterval, share: &BigInterval) -> bool {
    if !value.is_defined() || !value.is_bounded() {
        return false;
    }
    match (value.lo_rational(), value.hi_rational()) {
        (Some(lo), Some(hi)) => BigInterval::from_rational(&(hi - lo)).le(share).is_true(),
        _ => false,
    }
}

fn panel(f: &impl Univariate, a: &Rational, b: &Rational, order: usize, share: &BigInterval, jump: &BigInterval) -> Option<BigInterval> {
    let side = BigInterval::between(a, b);
    let half = BigInterval::from_rational(&((b.clone() - a.clone()) / Rational::from(2)));
    let mid = BigInterval::from_rational(&((b.clone() + a.clone()) / Rational::from(2)));
    let around = f.eval(&Taylor::variable(side, order));
    if around.is_defined() {
        let at = f.eval(&Taylor::variable(mid, order));
        // Odd powers integrate to 0; the last one is taken over the whole panel.
        let mut power = half.clone() + half.clone();
        let mut value = BigInterval::zero();
        for k in (0..=order).step_by(2) {
            let coefficient = if k == order { around.coefficient(k) } else { at.coefficient(k) };
            value = value + coefficient * power.clone() / BigInterval::from_i64(k as i64 + 1);
            power = power * half.square();
        }
        if narrow(&value, share) {
            return Some(value);
        }
    }
    // A kink or a jump: the range times the width, good enough on a tiny panel (a jump's panel never gets within its share, but there are few).
    let range = around.coefficient(0) * (half.clone() + half);
    (narrow(&range, share) || narrow(&range, jump)).then_some(range)
}

/// What a search for roots found on a range.
#[derive(Clone, Debug)]
pub struct Roots {
    /// Disjoint intervals in order, each with exactly one root; a root that is a double is a point.
    pub isolated: Vec<Interval>,
    /// Intervals in which the arithmetic could neither find nor exclude a root (a double root, a place where the formula is undefined).
    pub undecided: Vec<Interval>,
}

/// Intervals narrower than this share of the range are not split again.
const SMALLEST: f64 = 1e-12;
/// Intervals looked at; what is open beyond is reported as undecided (a formula that vanishes on a whole stretch would be split without end).
const MAX_INTERVALS: usize = 20_000;

/// The sign of f at a double, decided at up to 1,024 bits; None where even that cannot tell.
fn sign_at(f: &impl Univariate, x: f64) -> Option<i32> {
    let narrow = f.eval(&Interval::point(x));
    if let Some(sign) = certain_sign(&narrow) {
        return Some(sign);
    }
    let at = BigInterval::from_interval(&Interval::point(x));
    PRECISIONS.into_iter().find_map(|bits| with_precision(bits, || certain_sign(&f.eval(&at))).ok().flatten())
}

fn certain_sign<S: Ordered>(value: &S) -> Option<i32> {
    let zero = S::zero();
    if zero.lt(value).is_true() {
        Some(1)
    } else if value.lt(&zero).is_true() {
        Some(-1)
    } else if value.equals(&zero).is_true() {
        Some(0)
    } else {
        None
    }
}

/// Finds the roots of f on `[low, high]` by bisection: an interval is dropped when the range of f excludes 0 there, and kept as a root when f is certainly
/// monotone on it and has opposite signs at its ends.
///
/// # Errors
/// [`CalculusError::Range`] for reversed or undefined ends.
pub fn isolate_roots(f: &impl Univariate, low: &Rational, high: &Rational) -> Result<Roots, CalculusError> {
    ordered(low, high)?;
    let whole = Interval::from_rational(low).hull(&Interval::from_rational(high));
    let smallest = whole.width() * SMALLEST;
    let mut found = Roots { isolated: Vec::new(), undecided: Vec::new() };
    let mut stack = vec![whole];
    let mut looked_at = 0;
    while let Some(side) = stack.pop() {
        looked_at += 1;
        let range = f.eval(&side);
        if range.is_defined() && matches!(Interval::zero().equals(&range), Truth::False) {
            continue;
        }
        let slope = f.eval(&Dual::variable(side, 0, 1)).gradient().first().copied().unwrap_or_else(Interval::zero);
        let monotone = range.is_defined() && slope.is_defined() && (slope.lo() > 0.0 || slope.hi() < 0.0);
        let ends = if monotone { sign_at(f, side.lo()).zip(sign_at(f, side.hi())) } else { None };
        match ends {
            // A root at an end belongs to both neighbours: it is kept once.
            Some((0, _)) => push_root(&mut found.isolated, Interval::point(side.lo())),
            Some((_, 0)) => push_root(&mut found.isolated, Interval::point(side.hi())),
            Some((left, right)) if left != right => push_root(&mut found.isolated, side),
            Some(_) => {}
            None => {
                let mid = side.mid();
                if side.width() <= smallest || mid <= side.lo() || mid >= side.hi() || looked_at > MAX_INTERVALS {
                    found.undecided.push(side);
                } else {
                    let (first, second) = side.split();
                    stack.push(second);
                    stack.push(first);
                }
            }
        }
    }
    Ok(found)
}

fn push_root(roots: &mut Vec<Interval>, root: Interval) {
    let known = |last: &Interval| last.is_point() && root.is_point() && last.lo() == root.lo();
    if !roots.last().is_some_and(known) {
        roots.push(root);
    }
}

/// Narrows an interval with exactly one root (of [`isolate_roots`]) until it is known to about `bits` significant bits: interval Newton steps, and a
/// bisection by certain signs where a step gains too little.
///
/// # Errors
/// [`CalculusError::Precision`] for an absurd number of bits.
pub fn refine_root(f: &impl Univariate, root: &Interval, bits: u32) -> Result<BigInterval, CalculusError> {
    let mut x = BigInterval::from_interval(root);
    let two = Rational::from(2);
    with_precision(bits.saturating_mul(2).saturating_add(64), || {
        for _ in 0..4 * u64::from(bits) + 64 {
            if x.accuracy_bits() >= bits {
                break;
            }
            let before = x.accuracy_bits();
            let Some(mid) = x.mid() else { break };
            let m = BigInterval::from_rational(&mid);
            let value = f.eval(&m);
            let slope = f.eval(&Taylor::variable(x.clone(), 1)).coefficient(1);
            let newton = m.clone() - value.clone() / slope.clone();
            if slope.is_defined() && newton.is_defined() {
                let next = x.intersect(&newton);
                // An empty meeting would contradict the root's existence; keep what is certain.
                if !next.is_empty() {
                    x = next;
                }
            }
            if x.accuracy_bits() <= before {
                // Halve by the sign at the middle: the root is where the sign at the lower end changes.
                let (Some(lo), Some(hi)) = (x.lo_rational(), x.hi_rational()) else { break };
                let middle = (lo.clone() + hi.clone()) / two.clone();
                let sign = |at: &Rational| certain_sign(&f.eval(&BigInterval::from_rational(at)));
                match (sign(&lo), sign(&middle)) {
                    (_, Some(0)) => x = BigInterval::from_rational(&middle),
                    (Some(a), Some(b)) if a != b => x = BigInterval::between(&lo, &middle),
                    (Some(_), Some(_)) => x = BigInterval::between(&middle, &hi),
                    _ => break,
                }
            }
        }
        x
    })
    .map_err(CalculusError::from)
}
