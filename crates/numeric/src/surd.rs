//! Numbers with one radical, p + q sqrt(r), compared exactly.

use crate::{Field, Ordered, Rational, Rounding, Surd, Truth};
use num_bigint::BigInt;
use num_traits::Pow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// p + q sqrt(r) with rational p, q and r >= 0: exact for every bound with one radical.
///
/// Rational values have q = 0. Two surds whose radicands differ by a rational square combine exactly; for others the sum or product is not of
/// this form and is undefined, but they still compare exactly.
#[derive(Clone, Debug)]
pub struct QuadraticSurd {
    rational: Rational,
    /// q and r with q != 0 and r > 0 not a rational square; None for a rational value.
    radical: Option<Box<(Rational, Rational)>>,
}

impl QuadraticSurd {
    /// p + q sqrt(r); undefined for r < 0.
    #[must_use]
    pub fn new(p: Rational, q: Rational, r: Rational) -> QuadraticSurd {
        match (q.signum(), r.signum()) {
            (None, _) | (_, None | Some(-1)) => Rational::UNDEFINED.into(),
            (Some(0), _) => p.into(),
            _ => match r.exact_sqrt() {
                Some(root) => (&p + &(&q * &root)).into(),
                None => QuadraticSurd { rational: p, radical: Some(Box::new((q, r))) },
            },
        }
    }

    /// The value, where it is rational.
    #[must_use]
    pub fn as_rational(&self) -> Option<&Rational> {
        (self.radical.is_none() && self.rational.is_defined()).then_some(&self.rational)
    }

    /// The parts (p, q, r); q and r are 0 for a rational value.
    #[must_use]
    pub fn parts(&self) -> (Rational, Rational, Rational) {
        match &self.radical {
            None => (self.rational.clone(), Rational::from(0), Rational::from(0)),
            Some(radical) => (self.rational.clone(), radical.0.clone(), radical.1.clone()),
        }
    }

    fn undefined() -> QuadraticSurd {
        Rational::UNDEFINED.into()
    }

    /// The exact sign: -1, 0 or 1; None when undefined.
    #[must_use]
    pub fn signum(&self) -> Option<i32> {
        let p = self.rational.signum()?;
        let Some(radical) = &self.radical else { return Some(p) };
        let (q, r) = &**radical;
        let s = q.signum()?;
        if p == 0 || p == s {
            return Some(s);
        }
        // Opposite signs: compare p^2 with q^2 r. They differ, since r is not a square.
        match self.rational.square().cmp_exact(&(q.square() * r.clone()))? {
            Ordering::Greater => Some(p),
            Ordering::Less => Some(s),
            Ordering::Equal => Some(0),
        }
    }

    /// Exact order; None when either is undefined.
    #[must_use]
    pub fn cmp_exact(&self, other: &QuadraticSurd) -> Option<Ordering> {
        let sign = match (&self.radical, &other.radical) {
            (None, None) => return self.rational.cmp_exact(&other.rational),
            _ => match common_radicand(self, other) {
                Some((a, b)) => combine(a, &b, |x, y| x - y).signum()?,
                None => two_radicals(self, other)?,
            },
        };
        Some(sign.cmp(&0))
    }

    /// The value with `digits` significant digits, rounded as stated (the radical by exact integer square roots).
    #[must_use]
    pub fn to_decimal(&self, digits: usize, rounding: Rounding) -> String {
        let Some(radical) = &self.radical else { return self.rational.to_decimal(digits, rounding) };
        if self.signum().is_none() {
            return "undefined".to_owned();
        }
        // Raise the precision until both ends of the enclosure print the same; an irrational number is never a tie.
        let mut bits = 64 + 4 * digits as u64;
        loop {
            let (low, high) = self.enclose(bits, radical);
            let (first, second) = (low.to_decimal(digits, rounding), high.to_decimal(digits, rounding));
            if first == second && !low.is_zero() {
                return first;
            }
            bits *= 2;
        }
    }

    /// Rationals below and above p + q sqrt(r), with the root taken to 2^-bits relative.
    fn enclose(&self, bits: u64, radical: &(Rational, Rational)) -> (Rational, Rational) {
        let (q, r) = radical;
        let (a, b) = (r.numer(), r.denom());
        // sqrt(a/b) = sqrt(a b 4^k) / (b 2^k)
        let scale: BigInt = Pow::pow(BigInt::from(2), bits);
        let root = (&a * &b * &scale * &scale).sqrt();
        let bottom = &b * &scale;
        let low = Rational::from_big(root.clone(), bottom.clone());
        let high = Rational::from_big(root + 1, bottom);
        let (first, second) = (&self.rational + &(q * &low), &self.rational + &(q * &high));
        if q.signum() == Some(-1) { (second, first) } else { (first, second) }
    }

    /// Floats below and above the value, at most one ulp apart for values that are not tiny against their parts.
    #[must_use]
    pub fn enclose_f64(&self) -> (f64, f64) {
        match &self.radical {
            None => (self.rational.to_f64_down(), self.rational.to_f64_up()),
            Some(radical) => {
                let (low, high) = self.enclose(160, radical);
                (low.to_f64_down(), high.to_f64_up())
            }
        }
    }
}

/// Both with the radicand of the first, if the radicands' ratio is a rational square (or one value is rational).
fn common_radicand(left: &QuadraticSurd, right: &QuadraticSurd) -> Option<(QuadraticSurd, QuadraticSurd)> {
    match (&left.radical, &right.radical) {
        (Some(a), Some(b)) => {
            if a.1 == b.1 {
                return Some((left.clone(), right.clone()));
            }
            let ratio = (&b.1 / &a.1).exact_sqrt()?;
            let rescaled = QuadraticSurd { rational: right.rational.clone(), radical: Some(Box::new((&b.0 * &ratio, a.1.clone()))) };
            Some((left.clone(), rescaled))
        }
        _ => Some((left.clone(), right.clone())),
    }
}

/// Sum or difference of two with the same radicand (or a rational one).
fn combine(left: QuadraticSurd, right: &QuadraticSurd, op: impl Fn(&Rational, &Rational) -> Rational) -> QuadraticSurd {
    let zero = Rational::from(0);
    let r = left.radical.as_ref().or(right.radical.as_ref()).map(|radical| radical.1.clone());
    let q = |value: &QuadraticSurd| value.radical.as_ref().map_or(zero.clone(), |radical| radical.0.clone());
    let rational = op(&left.rational, &right.rational);
    match r {
        None => rational.into(),
        Some(r) => {
            let q = op(&q(&left), &q(right));
            if q.is_zero() {
                return rational.into();
            }
            if !rational.is_defined() || !q.is_defined() {
                return QuadraticSurd::undefined();
            }
            QuadraticSurd { rational, radical: Some(Box::new((q, r))) }
        }
    }
}

/// The sign of (p + a sqrt r) - (s + b sqrt t) for independent radicands: compare the square of one side.
fn two_radicals(left: &QuadraticSurd, right: &QuadraticSurd) -> Option<i32> {
    let (p, a, r) = left.parts();
    let (s, b, t) = right.parts();
    // u = (p - s) + a sqrt(r) against v = b sqrt(t)
    let u = QuadraticSurd::new(p - s, a, r);
    let (u_sign, v_sign) = (u.signum()?, b.signum()?);
    if u_sign != v_sign {
        return Some((u_sign - v_sign).signum());
    }
    let v_square: QuadraticSurd = (b.square() * t).into();
    let order = u.square().cmp_exact(&v_square)?;
    Some(if u_sign > 0 { order as i32 } else { -(order as i32) })
}

impl From<Rational> for QuadraticSurd {
    fn from(value: Rational) -> QuadraticSurd {
        QuadraticSurd { rational: value, radical: None }
    }
}

impl From<i64> for QuadraticSurd {
    fn from(value: i64) -> QuadraticSurd {
        Rational::from(value).into()
    }
}

impl fmt::Display for QuadraticSurd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(radical) = &self.radical else { return self.rational.fmt(f) };
        let (q, r) = &**radical;
        let magnitude = q.abs();
        let term = if magnitude == Rational::from(1) { format!("sqrt({r})") } else { format!("{magnitude}*sqrt({r})") };
        let minus = q.signum() == Some(-1);
        let text = if self.rational.is_zero() {
            format!("{}{term}", if minus { "-" } else { "" })
        } else {
            format!("{} {} {term}", self.rational, if minus { "-" } else { "+" })
        };
        f.pad(&text)
    }
}

impl Neg for QuadraticSurd {
    type Output = QuadraticSurd;

    fn neg(self) -> QuadraticSurd {
        QuadraticSurd { rational: -self.rational, radical: self.radical.map(|radical| Box::new((-radical.0, radical.1))) }
    }
}

impl Add for QuadraticSurd {
    type Output = QuadraticSurd;

    fn add(self, other: QuadraticSurd) -> QuadraticSurd {
        if self.radical.is_none() && other.radical.is_none() {
            return (&self.rational + &other.rational).into();
        }
        common_radicand(&self, &other).map_or_else(QuadraticSurd::undefined, |(a, b)| combine(a, &b, |x, y| x + y))
    }
}

impl Sub for QuadraticSurd {
    type Output = QuadraticSurd;

    fn sub(self, other: QuadraticSurd) -> QuadraticSurd {
        self + (-other)
    }
}

impl Mul for QuadraticSurd {
    type Output = QuadraticSurd;

    fn mul(self, other: QuadraticSurd) -> QuadraticSurd {
        if self.radical.is_none() && other.radical.is_none() {
            return (&self.rational * &other.rational).into();
        }
        let product = |scalar: &Rational, surd: &QuadraticSurd| {
            let (p, q, r) = surd.parts();
            if scalar.is_zero() && p.is_defined() {
                return QuadraticSurd::from(Rational::from(0));
            }
            let (p, q) = (scalar * &p, scalar * &q);
            if !p.is_defined() || !q.is_defined() {
                return QuadraticSurd::undefined();
            }
            QuadraticSurd { rational: p, radical: Some(Box::new((q, r))) }
        };
        match (&self.radical, &other.radical) {
            (None, _) => product(&self.rational, &other),
            (_, None) => product(&other.rational, &self),
            _ => {
                let Some((a, b)) = common_radicand(&self, &other) else {
                    // sqrt(r) sqrt(t) alone is one radical again.
                    let ((p, a, r), (s, b, t)) = (self.parts(), other.parts());
                    return if p.is_zero() && s.is_zero() { QuadraticSurd::new(p, a * b, r * t) } else { QuadraticSurd::undefined() };
                };
                let ((p, q, r), (s, t, _)) = (a.parts(), b.parts());
                QuadraticSurd::new(&(&p * &s) + &(&(&q * &t) * &r), &(&p * &t) + &(&q * &s), r)
            }
        }
    }
}

impl Div for QuadraticSurd {
    type Output = QuadraticSurd;

    fn div(self, other: QuadraticSurd) -> QuadraticSurd {
        if other.radical.is_none() {
            let inverse: QuadraticSurd = other.rational.recip().into();
            return if inverse.is_defined() { self * inverse } else { QuadraticSurd::undefined() };
        }
        // 1/(p + q sqrt r) = (p - q sqrt r)/(p^2 - q^2 r); the norm is not 0, since r is not a square.
        let (p, q, r) = other.parts();
        let norm = p.square() - &q.square() * &r;
        let conjugate = QuadraticSurd::new(&p / &norm, -(&q / &norm), r);
        self * conjugate
    }
}

impl Field for QuadraticSurd {
    fn from_rational(value: &Rational) -> QuadraticSurd {
        value.clone().into()
    }
}

impl Ordered for QuadraticSurd {
    fn le(&self, other: &QuadraticSurd) -> Truth {
        self.cmp_exact(other).map_or(Truth::Unknown, |order| (order != Ordering::Greater).into())
    }

    fn lt(&self, other: &QuadraticSurd) -> Truth {
        self.cmp_exact(other).map_or(Truth::Unknown, |order| (order == Ordering::Less).into())
    }

    fn equals(&self, other: &QuadraticSurd) -> Truth {
        self.cmp_exact(other).map_or(Truth::Unknown, |order| (order == Ordering::Equal).into())
    }

    fn min(&self, other: &QuadraticSurd) -> QuadraticSurd {
        match self.cmp_exact(other) {
            None => QuadraticSurd::undefined(),
            Some(Ordering::Greater) => other.clone(),
            Some(_) => self.clone(),
        }
    }

    fn max(&self, other: &QuadraticSurd) -> QuadraticSurd {
        match self.cmp_exact(other) {
            None => QuadraticSurd::undefined(),
            Some(Ordering::Less) => other.clone(),
            Some(_) => self.clone(),
        }
    }

    fn abs(&self) -> QuadraticSurd {
        if self.signum() == Some(-1) { -self.clone() } else { self.clone() }
    }

    fn floor(&self) -> QuadraticSurd {
        let Some(radical) = &self.radical else { return self.rational.floor().into() };
        if !self.is_defined() {
            return QuadraticSurd::undefined();
        }
        let mut bits = 128;
        loop {
            let (low, high) = self.enclose(bits, radical);
            if low.floor_big() == high.floor_big() {
                return Rational::from(low.floor_big()).into();
            }
            bits *= 2;
        }
    }

    fn is_defined(&self) -> bool {
        self.rational.is_defined() && self.radical.as_ref().is_none_or(|radical| radical.0.is_defined() && radical.1.is_defined())
    }
}

impl Surd for QuadraticSurd {
    fn sqrt(&self) -> QuadraticSurd {
        match self.as_rational() {
            Some(value) => QuadraticSurd::new(Rational::from(0), Rational::from(1), value.clone()),
            None => QuadraticSurd::undefined(),
        }
    }
}
