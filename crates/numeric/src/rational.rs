//! Exact rationals: machine integers first, big integers when they overflow.

use crate::{Field, Ordered, Truth};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A rational number p/q in lowest terms with q > 0, or the undefined value that a division by zero leaves behind.
///
/// Fractions whose parts fit in 128 bits live on the stack; an operation that would overflow continues in big integers and comes back when
/// its result fits, so equal numbers always have equal representations. Nothing wraps and nothing panics.
#[derive(Clone, Debug)]
pub struct Rational(Repr);

#[derive(Clone, Debug)]
enum Repr {
    /// Lowest terms, positive denominator.
    Small(i128, i128),
    /// Lowest terms, positive denominator, and at least one part does not fit in 128 bits.
    Big(Box<BigRational>),
    Undefined,
}
use Repr::{Big, Small, Undefined};

/// Greatest common divisor; runs on 64 bits as soon as both values fit there (128-bit division is several times slower).
fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(x.gcd(&y));
        }
        (a, b) = (b, a % b);
    }
    a
}

impl Rational {
    /// The value that a division by zero leaves behind: it propagates, and no comparison with it is decided.
    pub const UNDEFINED: Rational = Rational(Undefined);

    /// p/q; undefined for q = 0.
    #[must_use]
    pub fn new(p: i64, q: i64) -> Rational {
        Rational::from_i128(i128::from(p), i128::from(q))
    }

    /// p/q; undefined for q = 0.
    #[must_use]
    pub fn from_i128(p: i128, q: i128) -> Rational {
        if q == 0 {
            return Rational::UNDEFINED;
        }
        if q == 1 {
            return Rational(Small(p, 1));
        }
        let common = gcd(p.unsigned_abs(), q.unsigned_abs());
        let (p_abs, q_abs) = (p.unsigned_abs() / common, q.unsigned_abs() / common);
        let negative = (p < 0) != (q < 0) && p_abs != 0;
        match (i128::try_from(p_abs), i128::try_from(q_abs)) {
            (Ok(p), Ok(q)) => Rational(Small(if negative { -p } else { p }, q)),
            _ => Rational::from_big(BigInt::from(p), BigInt::from(q)),
        }
    }

    /// p/q for big integers; undefined for q = 0.
    #[must_use]
    pub fn from_big(p: BigInt, q: BigInt) -> Rational {
        if q.is_zero() { Rational::UNDEFINED } else { Rational::demote(BigRational::new(p, q)) }
    }

    /// Back to machine integers where they suffice; `value` is in lowest terms with a positive denominator.
    fn demote(value: BigRational) -> Rational {
        match (value.numer().to_i128(), value.denom().to_i128()) {
            (Some(p), Some(q)) => Rational(Small(p, q)),
            _ => Rational(Big(Box::new(value))),
        }
    }

    fn to_big(&self) -> Option<BigRational> {
        match &self.0 {
            Small(p, q) => Some(BigRational::new_raw(BigInt::from(*p), BigInt::from(*q))),
            Big(value) => Some((**value).clone()),
            Undefined => None,
        }
    }

    /// The exact value of a float (every finite one is a dyadic rational); None for NaN and infinities.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Rational> {
        if !value.is_finite() {
            return None;
        }
        let bits = value.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) = if exponent == 0 { (fraction, -1074) } else { (fraction | (1 << 52), exponent - 1075) };
        let signed = if value < 0.0 { -i128::from(mantissa) } else { i128::from(mantissa) };
        if mantissa == 0 {
            return Some(Rational::from(0));
        }
        Some(if (0..=70).contains(&exponent) {
            Rational(Small(signed << exponent, 1))
        } else if exponent > 70 {
            Rational::from_big(BigInt::from(signed) << exponent, BigInt::one())
        } else if exponent >= -126 {
            Rational::from_i128(signed, 1_i128 << -exponent)
        } else {
            Rational::from_big(BigInt::from(signed), BigInt::one() << -exponent)
        })
    }

    /// The exact value of a single-precision float; None for NaN and infinities.
    #[must_use]
    pub fn from_f32(value: f32) -> Option<Rational> {
        Rational::from_f64(f64::from(value))
    }

    /// Numerator in lowest terms (0 for the undefined value, whose denominator is 0).
    #[must_use]
    pub fn numer(&self) -> BigInt {
        match &self.0 {
            Small(p, _) => BigInt::from(*p),
            Big(value) => value.numer().clone(),
            Undefined => BigInt::zero(),
        }
    }

    /// Denominator in lowest terms, positive (0 for the undefined value).
    #[must_use]
    pub fn denom(&self) -> BigInt {
        match &self.0 {
            Small(_, q) => BigInt::from(*q),
            Big(value) => value.denom().clone(),
            Undefined => BigInt::zero(),
        }
    }

    /// Whether the value is an integer.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, q) => *q == 1,
            Big(value) => value.is_integer(),
            Undefined => false,
        }
    }

    /// Whether the value is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    /// -1, 0 or 1; None when undefined.
    #[must_use]
    pub fn signum(&self) -> Option<i32> {
        match &self.0 {
            Small(p, _) => Some(p.signum() as i32),
            Big(value) => Some(if value.is_negative() { -1 } else { 1 }),
            Undefined => None,
        }
    }

    /// The value as a machine integer, where it is one.
    #[must_use]
    pub fn to_i128(&self) -> Option<i128> {
        match self.0 {
            Small(p, 1) => Some(p),
            _ => None,
        }
    }

    /// Numerator and denominator as machine integers, where they fit.
    #[must_use]
    pub fn to_i128_parts(&self) -> Option<(i128, i128)> {
        match self.0 {
            Small(p, q) => Some((p, q)),
            _ => None,
        }
    }

    /// The largest integer not above the value; 0 when undefined.
    #[must_use]
    pub fn floor_big(&self) -> BigInt {
        match &self.0 {
            Small(p, q) => BigInt::from(p.div_euclid(*q)),
            Big(value) => value.numer().div_floor(value.denom()),
            Undefined => BigInt::zero(),
        }
    }

    /// Whether the value is defined.
    #[must_use]
    pub fn is_defined(&self) -> bool {
        !matches!(self.0, Undefined)
    }

    /// Exact order, without forming a difference; None when either is undefined.
    #[must_use]
    pub fn cmp_exact(&self, other: &Rational) -> Option<Ordering> {
        match (&self.0, &other.0) {
            (Undefined, _) | (_, Undefined) => None,
            (Small(a, b), Small(c, d)) => {
                if b == d {
                    return Some(a.cmp(c));
                }
                match (a.checked_mul(*d), c.checked_mul(*b)) {
                    (Some(left), Some(right)) => Some(left.cmp(&right)),
                    _ => Some((BigInt::from(*a) * BigInt::from(*d)).cmp(&(BigInt::from(*c) * BigInt::from(*b)))),
                }
            }
            _ => Some((self.numer() * other.denom()).cmp(&(other.numer() * self.denom()))),
        }
    }

    /// 1/x; undefined at 0.
    #[must_use]
    pub fn recip(&self) -> Rational {
        match &self.0 {
            Small(p, q) => Rational::from_i128(*q, *p),
            Big(value) => Rational::demote(value.recip()),
            Undefined => Rational::UNDEFINED,
        }
    }

    /// The exact square root, where the value is the square of a rational.
    #[must_use]
    pub fn exact_sqrt(&self) -> Option<Rational> {
        if self.signum()? < 0 {
            return None;
        }
        if let Small(p, q) = self.0 {
            let (root_p, root_q) = (p.unsigned_abs().isqrt(), q.unsigned_abs().isqrt());
            return (root_p * root_p == p.unsigned_abs() && root_q * root_q == q.unsigned_abs())
                .then_some(Rational(Small(root_p as i128, root_q as i128)));
        }
        let (p, q) = (self.numer(), self.denom());
        let (root_p, root_q) = (p.sqrt(), q.sqrt());
        (&root_p * &root_p == p && &root_q * &root_q == q).then(|| Rational::from_big(root_p, root_q))
    }

    /// Decimal digits of the numerator and the denominator together.
    #[must_use]
    pub fn digit_count(&self) -> usize {
        let digits = |value: BigInt| value.magnitude().to_string().len();
        digits(self.numer()) + if self.is_integer() { 0 } else { digits(self.denom()) }
    }

    /// The largest float not above the value (-inf below the smallest); NaN never: undefined gives -inf.
    #[must_use]
    pub fn to_f64_down(&self) -> f64 {
        if !self.is_defined() {
            return f64::NEG_INFINITY;
        }
        // `nearest` is within one ulp, so at most one step is needed; the comparison is exact.
        let mut near = self.to_f64_nearest();
        loop {
            match Rational::from_f64(near) {
                None if near > 0.0 => near = f64::MAX,
                None => return f64::NEG_INFINITY,
                Some(exact) if exact.cmp_exact(self) != Some(Ordering::Greater) => return near,
                Some(_) => near = near.next_down(),
            }
        }
    }

    /// The smallest float not below the value (+inf above the largest; undefined gives +inf).
    #[must_use]
    pub fn to_f64_up(&self) -> f64 {
        if !self.is_defined() {
            return f64::INFINITY;
        }
        -(-self.clone()).to_f64_down()
    }

    /// A float within one ulp of the value, for pictures and as a start for directed rounding. Undefined gives NaN.
    #[must_use]
    pub fn to_f64_nearest(&self) -> f64 {
        const EXACT: i128 = 1 << 53;
        match &self.0 {
            Small(p, q) if p.abs() <= EXACT && *q <= EXACT => *p as f64 / *q as f64,
            Undefined => f64::NAN,
            _ => {
                // Scale so that the quotient has 64 to 65 bits, then place it.
                let (p, q) = (self.numer(), self.denom());
                if p.is_zero() {
                    return 0.0;
                }
                let shift = 64 - (p.bits() as i64 - q.bits() as i64);
                let (p_abs, q_abs) = (p.magnitude().clone(), q.magnitude().clone());
                let quotient: BigUint = if shift >= 0 { (p_abs << shift as u64) / q_abs } else { p_abs / (q_abs << (-shift) as u64) };
                let mantissa = quotient.to_f64().unwrap_or(f64::INFINITY);
                let scaled = scale(mantissa, -shift);
                if p.sign() == Sign::Minus { -scaled } else { scaled }
            }
        }
    }
}

/// x * 2^exponent by steps that stay exact until the last.
fn scale(x: f64, exponent: i64) -> f64 {
    let power = |e: i64| f64::from_bits(((e + 1023) as u64) << 52);
    let mut left = exponent.clamp(-3000, 3000);
    let mut value = x;
    while left > 1000 {
        value *= power(1000);
        left -= 1000;
    }
    while left < -1000 {
        value *= power(-1000);
        left += 1000;
    }
    value * power(left)
}

impl From<i64> for Rational {
    fn from(value: i64) -> Rational {
        Rational(Small(i128::from(value), 1))
    }
}

impl From<i32> for Rational {
    fn from(value: i32) -> Rational {
        Rational::from(i64::from(value))
    }
}

impl From<u64> for Rational {
    fn from(value: u64) -> Rational {
        Rational(Small(i128::from(value), 1))
    }
}

impl From<BigInt> for Rational {
    fn from(value: BigInt) -> Rational {
        Rational::demote(BigRational::from_integer(value))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(p, 1) => f.pad(&p.to_string()),
            Small(p, q) => f.pad(&format!("{p}/{q}")),
            Big(value) => f.pad(&value.to_string()),
            Undefined => f.pad("undefined"),
        }
    }
}

/// Equal numbers are equal; the undefined value equals nothing.
impl PartialEq for Rational {
    fn eq(&self, other: &Rational) -> bool {
        match (&self.0, &other.0) {
            (Small(a, b), Small(c, d)) => a == c && b == d,
            (Big(a), Big(b)) => a == b,
            _ => false,
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        self.cmp_exact(other)
    }
}

impl Hash for Rational {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Small(p, q) => (p, q).hash(state),
            Big(value) => value.hash(state),
            Undefined => 0_u8.hash(state),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        match self.0 {
            Small(p, q) if p != i128::MIN => Rational(Small(-p, q)),
            Undefined => Rational::UNDEFINED,
            _ => self.to_big().map_or(Rational::UNDEFINED, |value| Rational::demote(-value)),
        }
    }
}

/// a/b + c/d with both fractions in lowest terms; None on overflow.
fn add_small(a: i128, b: i128, c: i128, d: i128) -> Option<Rational> {
    if b == d {
        let sum = a.checked_add(c)?;
        return Some(if b == 1 { Rational(Small(sum, 1)) } else { Rational::from_i128(sum, b) });
    }
    Some(Rational::from_i128(a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?, b.checked_mul(d)?))
}

/// (a/b)(c/d), cancelling crosswise first so that fewer products overflow; None on overflow.
fn mul_small(a: i128, b: i128, c: i128, d: i128) -> Option<Rational> {
    if b == 1 && d == 1 {
        return Some(Rational(Small(a.checked_mul(c)?, 1)));
    }
    let cross = |p: i128, q: i128| {
        let common = gcd(p.unsigned_abs(), q.unsigned_abs());
        // q > 0, so the divisor is between 1 and q and fits.
        (p / common as i128, q / common as i128)
    };
    let ((a, d), (c, b)) = (cross(a, d), cross(c, b));
    Some(Rational(Small(a.checked_mul(c)?, b.checked_mul(d)?)))
}

fn big(left: &Rational, right: &Rational, op: impl Fn(BigRational, BigRational) -> BigRational) -> Rational {
    match (left.to_big(), right.to_big()) {
        (Some(left), Some(right)) => Rational::demote(op(left, right)),
        _ => Rational::UNDEFINED,
    }
}

fn add(left: &Rational, right: &Rational) -> Rational {
    if let (Small(a, b), Small(c, d)) = (&left.0, &right.0)
        && let Some(sum) = add_small(*a, *b, *c, *d)
    {
        return sum;
    }
    big(left, right, |x, y| x + y)
}

fn mul(left: &Rational, right: &Rational) -> Rational {
    if let (Small(a, b), Small(c, d)) = (&left.0, &right.0)
        && let Some(product) = mul_small(*a, *b, *c, *d)
    {
        return product;
    }
    big(left, right, |x, y| x * y)
}

fn sub(left: &Rational, right: &Rational) -> Rational {
    add(left, &-right.clone())
}

fn div(left: &Rational, right: &Rational) -> Rational {
    mul(left, &right.recip())
}

macro_rules! operator {
    ($trait:ident, $method:ident, $function:ident) => {
        impl $trait for Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational {
                $function(&self, &other)
            }
        }
        impl $trait<&Rational> for &Rational {
            type Output = Rational;
            fn $method(self, other: &Rational) -> Rational {
                $function(self, other)
            }
        }
    };
}
operator!(Add, add, add);
operator!(Sub, sub, sub);
operator!(Mul, mul, mul);
operator!(Div, div, div);

impl Field for Rational {
    fn from_rational(value: &Rational) -> Rational {
        value.clone()
    }
}

impl Ordered for Rational {
    fn le(&self, other: &Rational) -> Truth {
        self.cmp_exact(other).map_or(Truth::Unknown, |order| (order != Ordering::Greater).into())
    }

    fn lt(&self, other: &Rational) -> Truth {
        self.cmp_exact(other).map_or(Truth::Unknown, |order| (order == Ordering::Less).into())
    }

    fn equals(&self, other: &Rational) -> Truth {
        self.cmp_exact(other).map_or(Truth::Unknown, |order| (order == Ordering::Equal).into())
    }

    fn min(&self, other: &Rational) -> Rational {
        match self.cmp_exact(other) {
            None => Rational::UNDEFINED,
            Some(Ordering::Greater) => other.clone(),
            Some(_) => self.clone(),
        }
    }

    fn max(&self, other: &Rational) -> Rational {
        match self.cmp_exact(other) {
            None => Rational::UNDEFINED,
            Some(Ordering::Less) => other.clone(),
            Some(_) => self.clone(),
        }
    }

    fn abs(&self) -> Rational {
        if self.signum() == Some(-1) { -self.clone() } else { self.clone() }
    }

    fn floor(&self) -> Rational {
        if self.is_defined() { Rational::from(self.floor_big()) } else { Rational::UNDEFINED }
    }

    fn is_defined(&self) -> bool {
        Rational::is_defined(self)
    }
}
