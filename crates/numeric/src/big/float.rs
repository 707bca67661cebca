//! Dyadic numbers with big mantissas, rounded in a given direction; and the ends of intervals, which may be infinite.

use crate::Rational;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// Beyond 2^(2^60), or below its inverse, a product or a quotient is only bounded.
const LARGEST_TOP: i64 = 1 << 60;

/// The direction of a rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Down,
    Up,
}
use Way::{Down, Up};

impl Way {
    pub(super) fn flip(self) -> Way {
        match self {
            Down => Up,
            Up => Down,
        }
    }
}

/// m 2^e, exactly. Zero has exponent 0; the mantissa need not be odd.
#[derive(Clone, Debug)]
pub(super) struct BigFloat {
    pub(super) m: BigInt,
    pub(super) e: i64,
}

/// m / 2^shift towards the asked direction.
pub(super) fn shift_right(m: &BigInt, shift: u64, way: Way) -> BigInt {
    match way {
        // A right shift of a BigInt rounds down, for negative numbers, too.
        Down => m >> shift,
        Up => -(-m >> shift),
    }
}

impl BigFloat {
    pub(super) fn new(m: BigInt, e: i64) -> BigFloat {
        if m.is_zero() { BigFloat { m, e: 0 } } else { BigFloat { m, e } }
    }

    pub(super) fn zero() -> BigFloat {
        BigFloat { m: BigInt::zero(), e: 0 }
    }

    pub(super) fn from_i64(value: i64) -> BigFloat {
        BigFloat::new(BigInt::from(value), 0)
    }

    /// 2^e.
    pub(super) fn power_of_two(e: i64) -> BigFloat {
        BigFloat { m: BigInt::one(), e }
    }

    pub(super) fn from_f64(value: f64) -> Option<BigFloat> {
        if !value.is_finite() {
            return None;
        }
        let bits = value.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i64;
        let fraction = (bits & ((1 << 52) - 1)) as i64;
        let (m, e) = if exponent == 0 { (fraction, -1074) } else { (fraction | (1 << 52), exponent - 1075) };
        Some(BigFloat::new(BigInt::from(if value < 0.0 { -m } else { m }), e))
    }

    pub(super) fn is_zero(&self) -> bool {
        self.m.is_zero()
    }

    pub(super) fn is_negative(&self) -> bool {
        self.m.is_negative()
    }

    pub(super) fn is_positive(&self) -> bool {
        self.m.is_positive()
    }

    /// The t with 2^(t-1) <= |x| < 2^t; very small for 0.
    pub(super) fn top(&self) -> i64 {
        if self.is_zero() { i64::MIN / 4 } else { self.m.bits() as i64 + self.e }
    }

    /// At most `bits` bits, towards the asked direction.
    pub(super) fn round(self, bits: u64, way: Way) -> BigFloat {
        let have = self.m.bits();
        if have <= bits {
            return self;
        }
        let drop = have - bits;
        BigFloat::new(shift_right(&self.m, drop, way), self.e + drop as i64)
    }

    pub(super) fn add(&self, other: &BigFloat, bits: u64, way: Way) -> BigFloat {
        if self.is_zero() {
            return other.clone().round(bits, way);
        }
        if other.is_zero() {
            return self.clone().round(bits, way);
        }
        let (large, small) = if self.top() >= other.top() { (self, other) } else { (other, self) };
        // A summand far below the last bit kept acts only as a sign: the large one's mantissa is stretched and moved by one unit.
        let room = bits + 8;
        let stretch = room.saturating_sub(large.m.bits());
        if large.e - stretch as i64 > small.top() + 2 {
            let m = &large.m << stretch;
            let e = large.e - stretch as i64;
            let sign = BigInt::from(if small.is_negative() { -1 } else { 1 });
            // |small| < 2^e: the exact sum lies strictly between m and m + sign.
            let m = match (way, small.is_negative()) {
                (Down, false) | (Up, true) => m,
                _ => m + sign,
            };
            return BigFloat::new(m, e).round(bits, way);
        }
        let e = large.e.min(small.e);
        let sum = (&large.m << (large.e - e) as u64) + (&small.m << (small.e - e) as u64);
        BigFloat::new(sum, e).round(bits, way)
    }

    pub(super) fn mul(&self, other: &BigFloat, bits: u64, way: Way) -> BigFloat {
        BigFloat::new(&self.m * &other.m, self.e.saturating_add(other.e)).round(bits, way)
    }

    /// The end that stands for it: itself, or where its size has left 2^(+-2^60) a bound in the asked direction, so that no exponent can overflow.
    pub(super) fn bounded(self, way: Way) -> End {
        if self.is_zero() || self.top().abs() <= LARGEST_TOP {
            return At(self);
        }
        let negative = self.is_negative();
        let signed = |e: i64| {
            let size = BigFloat::power_of_two(e);
            At(if negative { size.neg() } else { size })
        };
        let away = (way == Up) != negative;
        match (self.top() > 0, away) {
            (true, true) => {
                if negative {
                    Low
                } else {
                    High
                }
            }
            (true, false) => signed(LARGEST_TOP - 1),
            (false, true) => signed(-LARGEST_TOP),
            (false, false) => End::zero(),
        }
    }

    /// x / y for y != 0.
    pub(super) fn div(&self, other: &BigFloat, bits: u64, way: Way) -> BigFloat {
        if self.is_zero() {
            return BigFloat::zero();
        }
        let stretch = (bits + 2 + other.m.bits()).saturating_sub(self.m.bits());
        let (p, q) = (&self.m << stretch, &other.m);
        let quotient = match way {
            Down => p.div_floor(q),
            Up => -((-p).div_floor(q)),
        };
        BigFloat::new(quotient, self.e - stretch as i64 - other.e).round(bits, way)
    }

    /// The square root of a number that is not negative.
    pub(super) fn sqrt(&self, bits: u64, way: Way) -> BigFloat {
        self.root(2, bits, way)
    }

    /// The n-th root (n = 2 or 3); for an even n the number is not negative.
    pub(super) fn root(&self, n: u32, bits: u64, way: Way) -> BigFloat {
        if self.is_zero() {
            return BigFloat::zero();
        }
        if self.is_negative() {
            let positive = BigFloat::new(-&self.m, self.e).root(n, bits, way.flip());
            return BigFloat::new(-positive.m, positive.e);
        }
        let mut stretch = (u64::from(n) * (bits + 2)).saturating_sub(self.m.bits());
        // The exponent left must be a multiple of n.
        while (self.e - stretch as i64).rem_euclid(i64::from(n)) != 0 {
            stretch += 1;
        }
        let m = &self.m << stretch;
        let root = m.nth_root(n);
        let exact = root.pow(n) == m;
        let root = if way == Up && !exact { root + 1 } else { root };
        BigFloat::new(root, (self.e - stretch as i64) / i64::from(n)).round(bits, way)
    }

    pub(super) fn neg(&self) -> BigFloat {
        BigFloat { m: -&self.m, e: self.e }
    }

    /// x 2^k.
    pub(super) fn scale(&self, k: i64) -> BigFloat {
        BigFloat::new(self.m.clone(), self.e.saturating_add(k))
    }

    pub(super) fn abs(&self) -> BigFloat {
        BigFloat { m: self.m.abs(), e: self.e }
    }

    pub(super) fn compare(&self, other: &BigFloat) -> Ordering {
        let signs = self.m.signum().cmp(&other.m.signum());
        if signs != Ordering::Equal || self.is_zero() {
            return signs;
        }
        let tops = self.top().cmp(&other.top());
        if tops != Ordering::Equal {
            return if self.is_negative() { tops.reverse() } else { tops };
        }
        let e = self.e.min(other.e);
        (&self.m << (self.e - e) as u64).cmp(&(&other.m << (other.e - e) as u64))
    }

    /// The largest integer not above x; only for |x| < 2^(2^20), beyond which nothing asks for it.
    pub(super) fn floor(&self) -> BigInt {
        if self.e >= 0 { &self.m << self.e as u64 } else { &self.m >> self.e.unsigned_abs() }
    }

    /// floor(x 2^bits) (or the ceiling).
    pub(super) fn fixed(&self, bits: u64, way: Way) -> BigInt {
        let shift = self.e + bits as i64;
        if shift >= 0 { &self.m << shift as u64 } else { shift_right(&self.m, shift.unsigned_abs(), way) }
    }

    /// Whether it can be written out: zero, or between 2^-(2^22) and 2^(2^22).
    pub(super) fn is_moderate(&self) -> bool {
        self.is_zero() || self.top().abs() <= 1 << 22
    }

    pub(super) fn to_rational(&self) -> Rational {
        if self.e >= 0 {
            Rational::from_big(&self.m << self.e as u64, BigInt::one())
        } else {
            Rational::from_big(self.m.clone(), BigInt::one() << self.e.unsigned_abs())
        }
    }

    pub(super) fn from_rational(value: &Rational, bits: u64, way: Way) -> BigFloat {
        BigFloat::new(value.numer(), 0).div_or_round(&value.denom(), bits, way)
    }

    fn div_or_round(&self, denominator: &BigInt, bits: u64, way: Way) -> BigFloat {
        // A dyadic value is exact while it fits.
        if denominator.magnitude().count_ones() == 1 {
            let e = -(denominator.bits() as i64 - 1);
            return BigFloat::new(self.m.clone(), e).round(bits, way);
        }
        self.div(&BigFloat::new(denominator.clone(), 0), bits, way)
    }

    /// A double in the asked direction.
    pub(super) fn to_f64(&self, way: Way) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        let negative = self.is_negative();
        // Rounding towards zero or away from it, for the size.
        let away = (way == Up) != negative;
        let size = self.abs();
        let top = size.top();
        let value = if top > 1024 {
            if away { f64::INFINITY } else { f64::MAX }
        } else {
            // The last bit of a double of this size is 2^unit.
            let unit = (top - 53).max(-1074);
            let m = size.fixed_shift(-unit, if away { Up } else { Down });
            // At most 2^53: exact; the product is exact or overflows to the infinity that is meant.
            let m = m.to_u64_digits().1.first().copied().unwrap_or(0) as f64;
            let half = unit / 2;
            let value = m * two_to(half) * two_to(unit - half);
            if value.is_infinite() && !away { f64::MAX } else { value }
        };
        if negative { -value } else { value }
    }

    fn fixed_shift(&self, bits: i64, way: Way) -> BigInt {
        let shift = self.e + bits;
        if shift >= 0 { &self.m << shift as u64 } else { shift_right(&self.m, shift.unsigned_abs(), way) }
    }

    /// A double near the value, as a start for a Newton step: nothing rests on it.
    pub(super) fn near(&self) -> f64 {
        self.to_f64(Down)
    }
}

/// 2^k for |k| <= 1022.
fn two_to(k: i64) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// An end of an interval.
#[derive(Clone, Debug)]
pub(super) enum End {
    Low,
    At(BigFloat),
    High,
}
use End::{At, High, Low};

impl End {
    pub(super) fn zero() -> End {
        At(BigFloat::zero())
    }

    pub(super) fn finite(&self) -> Option<&BigFloat> {
        if let At(x) = self { Some(x) } else { None }
    }

    pub(super) fn signum(&self) -> i32 {
        match self {
            Low => -1,
            High => 1,
            At(x) => match x.m.sign() {
                Sign::Minus => -1,
                Sign::NoSign => 0,
                Sign::Plus => 1,
            },
        }
    }

    pub(super) fn neg(&self) -> End {
        match self {
            Low => High,
            High => Low,
            At(x) => At(x.neg()),
        }
    }

    pub(super) fn compare(&self, other: &End) -> Ordering {
        match (self, other) {
            (Low, Low) | (High, High) => Ordering::Equal,
            (Low, _) | (_, High) => Ordering::Less,
            (High, _) | (_, Low) => Ordering::Greater,
            (At(x), At(y)) => x.compare(y),
        }
    }

    /// The order against a defined rational; beyond all moderate sizes the exponent decides.
    pub(super) fn compare_rational(&self, other: &Rational) -> Ordering {
        match self {
            Low => Ordering::Less,
            High => Ordering::Greater,
            At(x) => {
                let sign = x.m.sign().cmp(&other.numer().sign());
                if sign != Ordering::Equal || x.is_zero() {
                    return sign;
                }
                // |other| lies between 2^(size - 1) and 2^(size + 1).
                let size = other.numer().bits() as i64 - other.denom().bits() as i64;
                if (x.top() - size).abs() > 3 {
                    let larger = x.top().cmp(&size);
                    return if x.is_negative() { larger.reverse() } else { larger };
                }
                x.to_rational().cmp_exact(other).unwrap_or(Ordering::Equal)
            }
        }
    }

    pub(super) fn le(&self, other: &End) -> bool {
        self.compare(other) != Ordering::Greater
    }

    pub(super) fn lt(&self, other: &End) -> bool {
        self.compare(other) == Ordering::Less
    }

    pub(super) fn min(self, other: End) -> End {
        if self.le(&other) { self } else { other }
    }

    pub(super) fn max(self, other: End) -> End {
        if self.le(&other) { other } else { self }
    }

    /// x + y; opposite infinities do not meet (both are ends on the same side).
    pub(super) fn add(&self, other: &End, bits: u64, way: Way) -> End {
        match (self, other) {
            (At(x), At(y)) => At(x.add(y, bits, way)),
            (Low, _) | (_, Low) => Low,
            _ => High,
        }
    }

    /// x y with 0 times infinity = 0: the product of a zero end with any number is 0.
    pub(super) fn mul(&self, other: &End, bits: u64, way: Way) -> End {
        match (self, other) {
            (At(x), At(y)) => x.mul(y, bits, way).bounded(way),
            _ => match self.signum() * other.signum() {
                0 => End::zero(),
                1 => High,
                _ => Low,
            },
        }
    }
}
