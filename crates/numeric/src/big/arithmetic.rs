//! Ends, ring operations, division, roots, order.

use super::float::{BigFloat, End, Way};
use super::precision::bits;
use crate::{Field, Interval, Ordered, Rational, Rounding, Surd, Truth};
use End::{At, High, Low};
use Way::{Down, Up};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A closed interval with dyadic ends of any precision, possibly unbounded, or the empty set.
#[derive(Clone)]
pub struct BigInterval {
    pub(super) lo: End,
    pub(super) hi: End,
    pub(super) defined: bool,
}

fn precision() -> u64 {
    u64::from(bits())
}

impl BigInterval {
    pub(super) fn raw(lo: End, hi: End) -> BigInterval {
        debug_assert!(lo.le(&hi), "ends out of order: {lo:?} {hi:?}");
        BigInterval { lo, hi, defined: true }
    }

    pub(super) fn at(x: BigFloat) -> BigInterval {
        BigInterval { lo: At(x.clone()), hi: At(x), defined: true }
    }

    /// The whole line, defined.
    #[must_use]
    pub fn whole() -> BigInterval {
        BigInterval { lo: Low, hi: High, defined: true }
    }

    /// The empty set.
    #[must_use]
    pub fn empty() -> BigInterval {
        BigInterval { lo: High, hi: Low, defined: false }
    }

    pub(super) fn undefined(mut self) -> BigInterval {
        self.defined = false;
        self
    }

    pub(super) fn defined_if(mut self, condition: bool) -> BigInterval {
        self.defined &= condition;
        self
    }

    /// The same set of numbers as a double interval.
    #[must_use]
    pub fn from_interval(x: &Interval) -> BigInterval {
        if x.is_empty() {
            return BigInterval::empty();
        }
        let end = |value: f64| BigFloat::from_f64(value).map_or(if value < 0.0 { Low } else { High }, At);
        BigInterval::raw(end(x.lo()), end(x.hi())).defined_if(x.is_defined())
    }

    /// The smallest interval with rational ends `lo <= hi`, rounded outward to the working precision; undefined where an end is, empty where they are reversed.
    #[must_use]
    pub fn between(lo: &Rational, hi: &Rational) -> BigInterval {
        match lo.cmp_exact(hi) {
            None => BigInterval::whole().undefined(),
            Some(Ordering::Greater) => BigInterval::empty(),
            Some(_) => BigInterval::raw(At(BigFloat::from_rational(lo, precision(), Down)), At(BigFloat::from_rational(hi, precision(), Up))),
        }
    }

    /// The tightest double interval around it.
    #[must_use]
    pub fn to_interval(&self) -> Interval {
        if self.is_empty() {
            return Interval::EMPTY;
        }
        let lo = match &self.lo {
            At(x) => x.to_f64(Down),
            _ => f64::NEG_INFINITY,
        };
        let hi = match &self.hi {
            At(x) => x.to_f64(Up),
            _ => f64::INFINITY,
        };
        Interval::raw(lo, hi).defined_if(self.defined)
    }

    /// Whether it is the empty set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hi.lt(&self.lo)
    }

    /// Whether it is one number.
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.lo.finite().is_some() && self.lo.compare(&self.hi) == Ordering::Equal
    }

    /// Whether both ends are finite.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.lo.finite().is_some() && self.hi.finite().is_some()
    }

    /// The lower end exactly; None where unbounded or empty, or where its size is beyond 2^(2^22) either way (writing it out would fill the memory).
    #[must_use]
    pub fn lo_rational(&self) -> Option<Rational> {
        if self.is_empty() { None } else { self.lo.finite().filter(|x| x.is_moderate()).map(BigFloat::to_rational) }
    }

    /// The upper end exactly; None as for [`Self::lo_rational`].
    #[must_use]
    pub fn hi_rational(&self) -> Option<Rational> {
        if self.is_empty() { None } else { self.hi.finite().filter(|x| x.is_moderate()).map(BigFloat::to_rational) }
    }

    /// Whether the rational lies in it.
    #[must_use]
    pub fn contains_rational(&self, x: &Rational) -> bool {
        !self.is_empty() && x.is_defined() && self.lo.compare_rational(x) != Ordering::Greater && self.hi.compare_rational(x) != Ordering::Less
    }

    /// Whether every number of `self` is in `other`.
    #[must_use]
    pub fn is_subset(&self, other: &BigInterval) -> bool {
        self.is_empty() || (other.lo.le(&self.lo) && self.hi.le(&other.hi))
    }

    /// The numbers in both.
    #[must_use]
    pub fn intersect(&self, other: &BigInterval) -> BigInterval {
        let (lo, hi) = (self.lo.clone().max(other.lo.clone()), self.hi.clone().min(other.hi.clone()));
        if hi.lt(&lo) { BigInterval::empty() } else { BigInterval::raw(lo, hi).defined_if(self.defined && other.defined) }
    }

    /// The smallest interval around both.
    #[must_use]
    pub fn hull(&self, other: &BigInterval) -> BigInterval {
        if self.is_empty() {
            return other.clone().defined_if(self.defined);
        }
        if other.is_empty() {
            return self.clone().defined_if(other.defined);
        }
        BigInterval::raw(self.lo.clone().min(other.lo.clone()), self.hi.clone().max(other.hi.clone())).defined_if(self.defined && other.defined)
    }

    /// A dyadic number inside, the middle of the ends rounded to the working precision where that stays inside; None where unbounded or empty.
    #[must_use]
    pub fn mid(&self) -> Option<Rational> {
        let (lo, hi) = (self.lo_rational()?, self.hi_rational()?);
        let middle = (lo.clone() + hi.clone()) / Rational::from(2);
        let rounded = BigFloat::from_rational(&middle, precision(), Down).to_rational();
        Some(if lo <= rounded && rounded <= hi { rounded } else { middle })
    }

    /// How many significant bits the two ends share: the exponent of |x| / width, at least 0; `u32::MAX` for a point.
    #[must_use]
    pub fn accuracy_bits(&self) -> u32 {
        if self.is_point() {
            return u32::MAX;
        }
        let (Some(lo), Some(hi)) = (self.lo.finite(), self.hi.finite()) else { return 0 };
        let width = hi.add(&lo.neg(), 32, Up);
        let size = if self.lo.signum() * self.hi.signum() <= 0 { return 0 } else { lo.abs().top().min(hi.abs().top()) };
        u32::try_from((size - 1 - width.top()).max(0)).unwrap_or(u32::MAX - 1)
    }

    /// The value as a decimal of `digits` significant digits, each of which is right (the last may be one unit off in neither direction: the text is the
    /// enclosure's common truncation), or as many digits as the two ends share. An interval that shares none is written `[lo, hi]`.
    #[must_use]
    pub fn to_decimal(&self, digits: usize) -> String {
        let (Some(lo), Some(hi)) = (self.lo_rational(), self.hi_rational()) else { return format!("{self:?}") };
        // Truncation towards zero is the same text for both ends exactly when no multiple of the last digit's unit lies between them.
        let towards_zero =
            |value: &Rational, digits| value.to_decimal(digits, if value.signum() == Some(-1) { Rounding::Up } else { Rounding::Down });
        for digits in (1..=digits).rev() {
            let text = towards_zero(&lo, digits);
            if text == towards_zero(&hi, digits) {
                return text;
            }
        }
        format!("[{}, {}]", lo.to_decimal(6, Rounding::Down), hi.to_decimal(6, Rounding::Up))
    }

    fn compare(&self, other: &BigInterval, certainly: bool, certainly_not: bool) -> Truth {
        if self.is_empty() || other.is_empty() || !self.defined || !other.defined {
            Truth::Unknown
        } else if certainly {
            Truth::True
        } else if certainly_not {
            Truth::False
        } else {
            Truth::Unknown
        }
    }

    /// x 2^k, exactly.
    #[must_use]
    pub(super) fn scale(&self, k: i64) -> BigInterval {
        let end = |end: &End| match end {
            At(x) => At(x.scale(k)),
            other => other.clone(),
        };
        BigInterval { lo: end(&self.lo), hi: end(&self.hi), defined: self.defined }
    }

    /// The ends rounded outward to the working precision.
    pub(crate) fn rounded(self) -> BigInterval {
        let p = precision();
        let end = |end: End, way| match end {
            At(x) => At(x.round(p, way)),
            other => other,
        };
        BigInterval { lo: end(self.lo, Down), hi: end(self.hi, Up), defined: self.defined }
    }

    /// x^n for any integer n; a negative power is 1 / x^-n, with its rule for 0.
    #[must_use]
    pub fn pow_integer(&self, n: i64) -> BigInterval {
        let size = n.unsigned_abs();
        // x^n = (x^(2^31))^(n / 2^31) x^(n mod 2^31): each part fits the power of the trait.
        let (high, low) = ((size >> 31) as u32, (size & 0x7fff_ffff) as u32);
        let power = if high == 0 {
            self.powi(low)
        } else if n % 2 == 0 {
            let size = self.abs();
            size.powi(1 << 31).powi(high) * size.powi(low)
        } else {
            // Odd, so increasing: end by end.
            let end = |at: &End| {
                let at = BigInterval::of_end(at);
                at.powi(1 << 31).powi(high) * at.powi(low)
            };
            if self.is_empty() { self.clone() } else { BigInterval::raw(end(&self.lo).lo, end(&self.hi).hi).defined_if(self.defined) }
        };
        if n >= 0 { power } else { BigInterval::one() / power }
    }
}

impl fmt::Debug for BigInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("empty");
        }
        let text = |end: &End, rounding| match end {
            Low => "-inf".to_owned(),
            High => "inf".to_owned(),
            // A number with a huge exponent would be written out in full by the decimal: say its size instead.
            At(x) if x.top().abs() > 100_000 && !x.is_zero() => format!("{}2^{}", if x.is_negative() { "-" } else { "" }, x.top()),
            At(x) => x.to_rational().to_decimal(20, rounding),
        };
        let bit = if self.defined { "" } else { " (not defined everywhere)" };
        write!(f, "[{}, {}]{bit}", text(&self.lo, Rounding::Down), text(&self.hi, Rounding::Up))
    }
}

impl Neg for BigInterval {
    type Output = BigInterval;

    fn neg(self) -> BigInterval {
        if self.is_empty() { self } else { BigInterval { lo: self.hi.neg(), hi: self.lo.neg(), defined: self.defined } }
    }
}

impl Add for BigInterval {
    type Output = BigInterval;

    fn add(self, other: BigInterval) -> BigInterval {
        if self.is_empty() || other.is_empty() {
            return BigInterval::empty();
        }
        let p = precision();
        BigInterval::raw(self.lo.add(&other.lo, p, Down), self.hi.add(&other.hi, p, Up)).defined_if(self.defined && other.defined)
    }
}

impl Sub for BigInterval {
    type Output = BigInterval;

    fn sub(self, other: BigInterval) -> BigInterval {
        self + -other
    }
}

impl Mul for BigInterval {
    type Output = BigInterval;

    fn mul(self, other: BigInterval) -> BigInterval {
        if self.is_empty() || other.is_empty() {
            return BigInterval::empty();
        }
        let p = precision();
        let defined = self.defined && other.defined;
        let (a, b) = (&self, &other);
        let (lo, hi) = if a.lo.signum() >= 0 && b.lo.signum() >= 0 {
            (a.lo.mul(&b.lo, p, Down), a.hi.mul(&b.hi, p, Up))
        } else {
            let pairs = [(&a.lo, &b.lo), (&a.lo, &b.hi), (&a.hi, &b.lo), (&a.hi, &b.hi)];
            let of = |way| pairs.map(|(x, y)| x.mul(y, p, way));
            (of(Down).into_iter().reduce(End::min), of(Up).into_iter().reduce(End::max)).into_ends()
        };
        BigInterval::raw(lo, hi).defined_if(defined)
    }
}

/// Four products always have a least and a largest.
trait IntoEnds {
    fn into_ends(self) -> (End, End);
}

impl IntoEnds for (Option<End>, Option<End>) {
    fn into_ends(self) -> (End, End) {
        (self.0.unwrap_or(Low), self.1.unwrap_or(High))
    }
}

/// a / b for b >= 0, b not the point 0.
fn divide_by_positive(a: &BigInterval, b: &BigInterval) -> BigInterval {
    let p = precision();
    // The bound of the quotient as the divisor falls to 0 is infinite with the dividend's sign, or 0.
    let quotient = |x: &End, y: &End, way: Way| match (x, y) {
        (At(x), At(y)) if !y.is_zero() => x.div(y, p, way).bounded(way),
        (At(_), High) => End::zero(),
        (At(x), _) => match x.m.sign() {
            num_bigint::Sign::Minus => Low,
            num_bigint::Sign::NoSign => End::zero(),
            num_bigint::Sign::Plus => High,
        },
        (_, High) => End::zero(),
        (infinite, _) => infinite.clone(),
    };
    let lo = quotient(&a.lo, if a.lo.signum() >= 0 { &b.hi } else { &b.lo }, Down);
    let hi = quotient(&a.hi, if a.hi.signum() <= 0 { &b.hi } else { &b.lo }, Up);
    BigInterval::raw(lo, hi).defined_if(a.defined && b.defined && b.lo.signum() > 0)
}

impl Div for BigInterval {
    type Output = BigInterval;

    fn div(self, other: BigInterval) -> BigInterval {
        if self.is_empty() || other.is_empty() {
            return BigInterval::empty();
        }
        if other.lo.signum() < 0 && other.hi.signum() > 0 || (other.lo.signum() == 0 && other.hi.signum() == 0) {
            return BigInterval::whole().undefined();
        }
        if other.lo.signum() >= 0 { divide_by_positive(&self, &other) } else { divide_by_positive(&-self, &-other) }
    }
}

impl Field for BigInterval {
    fn from_rational(value: &Rational) -> BigInterval {
        BigInterval::between(value, value)
    }

    fn from_i64(value: i64) -> BigInterval {
        BigInterval::at(BigFloat::from_i64(value)).rounded()
    }

    fn square(&self) -> BigInterval {
        if self.is_empty() {
            return self.clone();
        }
        let size = self.abs();
        size.clone() * size
    }

    fn powi(&self, n: u32) -> BigInterval {
        if self.is_empty() {
            return self.clone();
        }
        // By size, so that an even power knows that it is not negative; each product is rounded outward.
        let mut power = BigInterval::one().defined_if(self.defined);
        let size = if n.is_multiple_of(2) { self.abs() } else { self.clone() };
        if size.lo.signum() < 0 && size.hi.signum() > 0 {
            // An odd power of an interval through 0: end by end.
            let end = |at: &End| BigInterval::of_end(at).powi(n);
            return BigInterval::raw(end(&size.lo).lo, end(&size.hi).hi).defined_if(self.defined);
        }
        for bit in (0..32 - n.leading_zeros()).rev() {
            power = power.square();
            if n >> bit & 1 == 1 {
                power = power * size.clone();
            }
        }
        power
    }
}

impl BigInterval {
    /// The point of a finite end; from an infinite one everything beyond the largest doubles.
    pub(super) fn of_end(end: &End) -> BigInterval {
        match end {
            At(x) => BigInterval::at(x.clone()),
            Low => BigInterval::raw(Low, At(BigFloat::power_of_two(1024).neg())),
            High => BigInterval::raw(At(BigFloat::power_of_two(1024)), High),
        }
    }
}

impl Ordered for BigInterval {
    fn le(&self, other: &BigInterval) -> Truth {
        self.compare(other, self.hi.le(&other.lo), other.hi.lt(&self.lo))
    }

    fn lt(&self, other: &BigInterval) -> Truth {
        self.compare(other, self.hi.lt(&other.lo), other.hi.le(&self.lo))
    }

    fn equals(&self, other: &BigInterval) -> Truth {
        let same = self.is_point() && other.is_point() && self.lo.compare(&other.lo) == Ordering::Equal;
        self.compare(other, same, other.hi.lt(&self.lo) || self.hi.lt(&other.lo))
    }

    fn min(&self, other: &BigInterval) -> BigInterval {
        if self.is_empty() || other.is_empty() {
            return BigInterval::empty();
        }
        BigInterval::raw(self.lo.clone().min(other.lo.clone()), self.hi.clone().min(other.hi.clone())).defined_if(self.defined && other.defined)
    }

    fn max(&self, other: &BigInterval) -> BigInterval {
        if self.is_empty() || other.is_empty() {
            return BigInterval::empty();
        }
        BigInterval::raw(self.lo.clone().max(other.lo.clone()), self.hi.clone().max(other.hi.clone())).defined_if(self.defined && other.defined)
    }

    fn abs(&self) -> BigInterval {
        if self.is_empty() || self.lo.signum() >= 0 {
            return self.clone();
        }
        if self.hi.signum() <= 0 {
            return -self.clone();
        }
        BigInterval::raw(End::zero(), self.hi.clone().max(self.lo.neg())).defined_if(self.defined)
    }

    fn floor(&self) -> BigInterval {
        if self.is_empty() {
            return self.clone();
        }
        let p = precision();
        let end = |end: &End, way| match end {
            At(x) if x.e < 0 => At(BigFloat::new(x.floor(), 0).round(p, way)),
            other => other.clone(),
        };
        BigInterval::raw(end(&self.lo, Down), end(&self.hi, Up)).defined_if(self.defined)
    }

    fn is_defined(&self) -> bool {
        self.defined
    }
}

impl Surd for BigInterval {
    fn sqrt(&self) -> BigInterval {
        if self.is_empty() || self.hi.signum() < 0 {
            return BigInterval::empty();
        }
        let p = precision();
        let end = |end: &End, way| match end {
            At(x) if x.is_positive() => At(x.sqrt(p, way)),
            High => High,
            _ => End::zero(),
        };
        BigInterval::raw(end(&self.lo, Down), end(&self.hi, Up)).defined_if(self.defined && self.lo.signum() >= 0)
    }
}
