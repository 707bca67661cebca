//! Every stationary risk of quantized weights: sign changes of map(R) - R on a fine grid, each certified and narrowed to 30 digits.

use super::bounds::Setting;
use super::quantizer::Moments;
use numeric::{BigInterval, Field, Interval, Ordered, Rational, Truth, with_precision};

/// Bits of the certified arithmetic: those of 30 digits, and room for the cancellation in map(R) - R.
const BITS: u32 = 192;
/// Points of the grid of R on which signs are taken, equally spaced in ln R from the lower bound to the upper.
const SCAN: usize = 400;
/// Where the lower bound is 0 the grid starts at this share of the upper bound.
const SMALLEST_SHARE: f64 = 1e-9;
/// A root's enclosure is at most 2^-NARROW of its size.
const NARROW: u32 = 106;

/// Why there is no stationary law.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FixedPointError {
    /// The mean that the weights aim at is not strictly between the outermost levels.
    #[error(
        "teacher {teacher} outside the quantizer's range: mu = c1 w*/c2 = {mu} is not strictly between the levels {bottom} and {top}, so the weights drift to infinity; the risk tends to (mu - {top})^2 c2 + .. on those coordinates"
    )]
    Outside {
        /// w*
        teacher: String,
        /// mu, in decimals.
        mu: String,
        /// The lowest level.
        bottom: String,
        /// The highest level.
        top: String,
    },
    /// eta is not positive.
    #[error("eta = {eta}: must be positive")]
    StepSize {
        /// Its value.
        eta: String,
    },
    /// A sign could not be decided at the working precision.
    #[error("a fixed point near {near} cannot be certified")]
    Unresolved {
        /// Where.
        near: String,
    },
}

/// The stationary risks and their bounds.
#[derive(Clone, Debug)]
pub struct FixedPoints {
    /// Every root that the grid separates, ascending, each enclosed.
    pub roots: Vec<BigInterval>,
    /// The lower bound of `ste/two-sided`.
    pub lower: BigInterval,
    /// The upper bound.
    pub upper: BigInterval,
}

/// mu = c1 w*/c2 strictly inside the levels, for every teacher's value.
fn inside(setting: &Setting, moments: &Moments<BigInterval>) -> Result<(), FixedPointError> {
    let levels = setting.quantizer.levels();
    for (teacher, _) in &setting.teacher {
        let mu = moments.c1.clone() * BigInterval::from_rational(teacher) / moments.c2.clone();
        let (bottom, top) = (levels[0].clone(), setting.quantizer.top());
        let strictly = BigInterval::from_rational(&bottom).lt(&mu).and(mu.lt(&BigInterval::from_rational(&top)));
        if !strictly.is_true() {
            return Err(FixedPointError::Outside {
                teacher: teacher.to_string(),
                mu: mu.to_decimal(12),
                bottom: bottom.to_string(),
                top: top.to_string(),
            });
        }
    }
    Ok(())
}

struct Signs<'a> {
    setting: &'a Setting,
    doubles: Moments<Interval>,
    big: Moments<BigInterval>,
}

impl Signs<'_> {
    /// map(R) - R at the working precision.
    fn value(&self, risk: &Rational) -> BigInterval {
        let risk = BigInterval::from_rational(risk);
        self.setting.map(&self.big, &risk) - risk
    }

    /// Whether map(R) > R.
    fn above(&self, risk: &Rational) -> Truth {
        let at = Interval::from_rational(risk);
        let quick = at.lt(&self.setting.map(&self.doubles, &at));
        if quick != Truth::Unknown { quick } else { BigInterval::zero().lt(&self.value(risk)) }
    }
}

/// All stationary risks.
///
/// At the lower bound map(R) >= R and at the upper map(R) <= R: for every R > 0 the stationary law has mean mu, so the argument of the two-sided bounds holds for
/// the map. Between them signs are certified; two roots closer than the grid's ratio (and roots of even order) would be missed.
///
/// # Errors
/// [`FixedPointError`] where a teacher's value is out of range or a root cannot be certified.
pub fn fixed_points(setting: &Setting) -> Result<FixedPoints, FixedPointError> {
    with_precision(BITS, || solve(setting)).unwrap_or_else(|error| Err(FixedPointError::Unresolved { near: error.to_string() }))
}

fn solve(setting: &Setting) -> Result<FixedPoints, FixedPointError> {
    if setting.eta <= Rational::from(0) {
        return Err(FixedPointError::StepSize { eta: setting.eta.to_string() });
    }
    let big: Moments<BigInterval> = setting.moments();
    inside(setting, &big)?;
    let unresolved = |near: f64| FixedPointError::Unresolved { near: format!("{near:e}") };
    let (lower, upper) = setting.two_sided(&big).ok_or_else(|| unresolved(f64::NAN))?;
    // Two levels around every mu that are also the outermost: both bounds are one formula.
    let levels = setting.quantizer.levels();
    let single = levels.len() == 2;
    if single {
        return Ok(FixedPoints { roots: vec![lower.clone()], lower, upper });
    }
    let signs = Signs { setting, doubles: setting.moments(), big };
    let (Some(bottom), Some(top)) = (lower.lo_rational(), upper.hi_rational()) else { return Err(unresolved(f64::NAN)) };
    let absorbing = bottom.is_zero() && lower.is_point();
    let mut roots = Vec::new();
    if absorbing {
        roots.push(BigInterval::zero());
    }
    let (low, high) = (if absorbing { top.to_f64_nearest() * SMALLEST_SHARE } else { bottom.to_f64_nearest() }, top.to_f64_nearest());
    // (point, whether the map is above it); the two ends are known.
    let mut known: Vec<(Rational, bool)> = Vec::new();
    if !absorbing {
        known.push((bottom.clone(), true));
    }
    let ratio = core_math::log(high / low);
    for i in usize::from(!absorbing)..SCAN {
        let point = low * core_math::exp(ratio * i as f64 / SCAN as f64);
        let Some(point) = Rational::from_f64(point) else { continue };
        match signs.above(&point) {
            Truth::True => known.push((point, true)),
            Truth::False => known.push((point, false)),
            Truth::Unknown => {}
        }
    }
    known.push((top, false));
    for pair in known.windows(2) {
        if pair[0].1 != pair[1].1 {
            let from_bound = !absorbing && pair[0].0 == bottom;
            roots.push(narrow(&signs, pair[0].0.clone(), pair[1].0.clone(), pair[0].1, from_bound.then_some(&lower))?);
        }
    }
    Ok(FixedPoints { roots, lower, upper })
}

/// Narrows a bracket whose lower end has the sign `above`. `bound` is the lower bound where the bracket starts there: its sign is known by argument only.
fn narrow(
    signs: &Signs<'_>,
    mut low: Rational,
    mut high: Rational,
    above: bool,
    bound: Option<&BigInterval>,
) -> Result<BigInterval, FixedPointError> {
    let two = Rational::from(2);
    let tiny = Rational::new(1, 2).powi(NARROW);
    let mut bound = bound;
    let unresolved = |at: &Rational| FixedPointError::Unresolved { near: at.to_decimal(20, numeric::Rounding::Nearest) };
    if let Some(end) = bound {
        // A root that exceeds the bound by less than the digits asked for.
        let Some(end) = end.hi_rational() else { return Err(unresolved(&low)) };
        let next = end.clone() * (Rational::from(1) + tiny.clone());
        match signs.above(&next) {
            Truth::False => return Ok(BigInterval::between(&low, &next)),
            Truth::True => {
                low = next;
                bound = None;
            }
            Truth::Unknown => {}
        }
    }
    let is_low = |truth: Truth| match truth {
        Truth::Unknown => None,
        truth => Some(truth.is_true() == above),
    };
    // Bisection while doubles can tell.
    for _ in 0..200 {
        let width = high.clone() - low.clone();
        if width < high.clone() * Rational::new(1, 1 << 44) {
            break;
        }
        let Some(middle) = Rational::from_f64(((low.clone() + high.clone()) / two.clone()).to_f64_nearest()) else { break };
        match is_low(signs.above(&middle)) {
            Some(true) => {
                low = middle;
                bound = None;
            }
            Some(false) => high = middle,
            None => break,
        }
    }
    for _ in 0..200 {
        let width = high.clone() - low.clone();
        if width <= high.clone() * tiny.clone() {
            return Ok(BigInterval::between(&low, &high));
        }
        // A secant step between certified ends, a bisection where an end is known by argument only.
        let middle = (low.clone() + high.clone()) / two.clone();
        let mut guesses = vec![middle];
        if bound.is_none()
            && let (Some(f), Some(g)) = (signs.value(&low).mid(), signs.value(&high).mid())
        {
            let root = low.clone() + width.clone() * f.clone() / (f - g);
            let root = BigInterval::from_rational(&root).mid().unwrap_or(root);
            let half = Ordered::max(&(width.clone() * Rational::new(1, 1 << 24)), &(high.clone() * tiny.clone() / Rational::from(4)));
            if root > low && root < high {
                guesses = vec![root.clone() - half.clone(), root + half];
            }
        }
        let mut moved = false;
        for guess in guesses {
            if guess <= low || guess >= high {
                continue;
            }
            match is_low(signs.above(&guess)) {
                Some(true) => {
                    low = guess;
                    bound = None;
                    moved = true;
                }
                Some(false) => {
                    high = guess;
                    moved = true;
                }
                None => {}
            }
        }
        if !moved {
            return Err(unresolved(&high));
        }
    }
    Err(unresolved(&high))
}
