//! Ring operations, division, roots, order.

use super::Interval;
use crate::round::{add_down, add_up, div_down, div_up, mul_down, mul_up, pow_down, pow_up, sqrt_down, sqrt_up};
use crate::{Field, Ordered, Rational, Surd, Truth};
use std::ops::{Add, Div, Mul, Neg, Sub};

impl Neg for Interval {
    type Output = Interval;

    #[inline]
    fn neg(self) -> Interval {
        if self.is_empty() { self } else { Interval::raw(-self.hi, -self.lo).defined_if(self.defined) }
    }
}

impl Add for Interval {
    type Output = Interval;

    #[inline]
    fn add(self, other: Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::EMPTY;
        }
        Interval::raw(add_down(self.lo, other.lo), add_up(self.hi, other.hi)).defined_if(self.defined & other.defined)
    }
}

impl Sub for Interval {
    type Output = Interval;

    #[inline]
    fn sub(self, other: Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::EMPTY;
        }
        Interval::raw(add_down(self.lo, -other.hi), add_up(self.hi, -other.lo)).defined_if(self.defined & other.defined)
    }
}

impl Mul for Interval {
    type Output = Interval;

    #[inline]
    fn mul(self, other: Interval) -> Interval {
        let (a, b) = (self, other);
        if a.is_empty() || b.is_empty() {
            return Interval::EMPTY;
        }
        // The signs tell which ends meet; only two factors that both change sign need four products.
        let (lo, hi) = if a.lo < 0.0 && a.hi > 0.0 && b.lo < 0.0 && b.hi > 0.0 {
            (mul_down(a.lo, b.hi).min(mul_down(a.hi, b.lo)), mul_up(a.lo, b.lo).max(mul_up(a.hi, b.hi)))
        } else {
            // At most one factor changes sign: let it be the second, and the first not negative (-a times -b is a times b).
            let swap = a.lo < 0.0 && a.hi > 0.0;
            let (f, g) = if swap { (b, a) } else { (a, b) };
            let mirror = f.hi <= 0.0;
            let (f_lo, f_hi) = if mirror { (-f.hi, -f.lo) } else { (f.lo, f.hi) };
            let (g_lo, g_hi) = if mirror { (-g.hi, -g.lo) } else { (g.lo, g.hi) };
            (mul_down(if g_lo >= 0.0 { f_lo } else { f_hi }, g_lo), mul_up(if g_hi <= 0.0 { f_lo } else { f_hi }, g_hi))
        };
        Interval::raw(lo, hi).defined_if(a.defined & b.defined)
    }
}

/// a / b for b without zero inside (zero may be an end).
fn divide_by_signed(a: Interval, b: Interval) -> Interval {
    // Mirror so that b >= 0.
    let (a, b) = if b.hi <= 0.0 { (-a, -b) } else { (a, b) };
    let down = |x: f64, y: f64| {
        if y == 0.0 {
            // The quotient's bound as the divisor falls to 0: 0 for x = 0, else unbounded.
            if x > 0.0 {
                f64::INFINITY
            } else if x < 0.0 {
                f64::NEG_INFINITY
            } else {
                0.0
            }
        } else if x.is_infinite() && y.is_infinite() {
            0.0
        } else {
            div_down(x, y)
        }
    };
    let up = |x: f64, y: f64| -down(-x, y);
    let lo = if a.lo >= 0.0 { down(a.lo, b.hi) } else { down(a.lo, b.lo) };
    let hi = if a.hi <= 0.0 { up(a.hi, b.hi) } else { up(a.hi, b.lo) };
    // [0, 0] / [0, y]: both bounds 0, no quotient is infinite.
    Interval::raw(lo, hi).defined_if(a.defined & b.defined & (b.lo > 0.0))
}

impl Div for Interval {
    type Output = Interval;

    /// The hull of all quotients. A divisor that contains 0 clears the defined bit; one that is 0, or has it inside, gives the whole line.
    #[inline]
    fn div(self, other: Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::EMPTY;
        }
        if other.lo > 0.0 || other.hi < 0.0 {
            let (a, b) = if other.hi < 0.0 { (-self, -other) } else { (self, other) };
            if a.is_bounded() && b.is_bounded() {
                let lo = div_down(a.lo, if a.lo >= 0.0 { b.hi } else { b.lo });
                let hi = div_up(a.hi, if a.hi <= 0.0 { b.hi } else { b.lo });
                return Interval::raw(lo, hi).defined_if(a.defined & b.defined);
            }
            return divide_by_signed(self, other);
        }
        if (other.lo < 0.0 && other.hi > 0.0) || other.is_point() {
            return Interval::WHOLE.undefined();
        }
        divide_by_signed(self, other).undefined()
    }
}

impl Interval {
    /// All quotients as up to two pieces (the second is empty unless the divisor has 0 inside and the dividend does not).
    #[must_use]
    pub fn div_extended(self, other: Interval) -> (Interval, Interval) {
        if self.is_empty() || other.is_empty() || other.lo > 0.0 || other.hi < 0.0 {
            return (self / other, Interval::EMPTY);
        }
        if other.is_point() {
            // Nothing is divided by anything: no quotient exists.
            return (Interval::EMPTY, Interval::EMPTY);
        }
        if other.lo < 0.0 && other.hi > 0.0 {
            if self.contains(0.0) {
                return (Interval::WHOLE.undefined(), Interval::EMPTY);
            }
            let left = divide_by_signed(self, Interval::raw(other.lo, 0.0)).undefined();
            let right = divide_by_signed(self, Interval::raw(0.0, other.hi)).undefined();
            return if left.lo <= right.lo { (left, right) } else { (right, left) };
        }
        (self / other, Interval::EMPTY)
    }

    /// x^n for any integer n; a negative power is 1 / x^-n, with its rule for 0.
    #[must_use]
    pub fn pow_integer(self, n: i32) -> Interval {
        if n >= 0 {
            return self.powi(n.unsigned_abs());
        }
        let quotient = Interval::one() / self.powi(n.unsigned_abs());
        if self.lo <= 0.0 && self.hi >= 0.0 || self.is_empty() {
            return quotient;
        }
        // Away from 0 the power is monotone, and its ends are tighter than the quotient's two roundings.
        let (near, far) = (self.mig(), self.mag());
        let exponent = f64::from(n);
        let size = Interval::raw(super::elementary::corner_power(far, exponent).0, super::elementary::corner_power(near, exponent).1);
        let power = if self.hi < 0.0 && n % 2 != 0 { -size } else { size };
        quotient.intersect(&power.defined_if(self.defined))
    }
}

/// x^n for an end x >= 0, both directions: products for exactness, the correctly rounded power for tightness.
fn end_power(x: f64, n: u32) -> (f64, f64) {
    let (down, up) = (pow_down(x, n), pow_up(x, n));
    // Up to the second power the products are already the neighbours.
    if n <= 2 || down == up || !x.is_finite() {
        return (down, up);
    }
    let nearest = core_math::pow(x, f64::from(n));
    (down.max(nearest.next_down()).max(0.0), up.min(nearest.next_up()))
}

impl Field for Interval {
    fn from_rational(value: &Rational) -> Interval {
        Interval::from_rational(value)
    }

    fn from_i64(value: i64) -> Interval {
        let near = value as f64;
        // Converting is exact up to 2^53; beyond, ask the exact conversion.
        if value.unsigned_abs() <= 1 << 53 { Interval::raw(near, near) } else { Interval::from_rational(&Rational::from(value)) }
    }

    fn square(&self) -> Interval {
        self.powi(2)
    }

    fn powi(&self, n: u32) -> Interval {
        if self.is_empty() {
            return *self;
        }
        let out = if n == 0 {
            Interval::raw(1.0, 1.0)
        } else if self.lo >= 0.0 {
            Interval::raw(end_power(self.lo, n).0, end_power(self.hi, n).1)
        } else if self.hi <= 0.0 {
            let (low, high) = (end_power(-self.hi, n).0, end_power(-self.lo, n).1);
            if n.is_multiple_of(2) { Interval::raw(low, high) } else { Interval::raw(-high, -low) }
        } else if n.is_multiple_of(2) {
            Interval::raw(0.0, end_power(self.mag(), n).1)
        } else {
            Interval::raw(-end_power(-self.lo, n).1, end_power(self.hi, n).1)
        };
        out.defined_if(self.defined)
    }
}

impl Ordered for Interval {
    fn le(&self, other: &Interval) -> Truth {
        self.compare(other, self.hi <= other.lo, self.lo > other.hi)
    }

    fn lt(&self, other: &Interval) -> Truth {
        self.compare(other, self.hi < other.lo, self.lo >= other.hi)
    }

    fn equals(&self, other: &Interval) -> Truth {
        self.compare(other, self.is_point() && other.is_point() && self.lo == other.lo, self.lo > other.hi || self.hi < other.lo)
    }

    fn min(&self, other: &Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::EMPTY;
        }
        Interval::raw(self.lo.min(other.lo), self.hi.min(other.hi)).defined_if(self.defined && other.defined)
    }

    fn max(&self, other: &Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::EMPTY;
        }
        Interval::raw(self.lo.max(other.lo), self.hi.max(other.hi)).defined_if(self.defined && other.defined)
    }

    fn abs(&self) -> Interval {
        if self.is_empty() { *self } else { Interval::raw(self.mig(), self.mag()).defined_if(self.defined) }
    }

    fn floor(&self) -> Interval {
        if self.is_empty() { *self } else { Interval::raw(self.lo.floor(), self.hi.floor()).defined_if(self.defined) }
    }

    fn is_defined(&self) -> bool {
        self.defined
    }
}

impl Surd for Interval {
    fn sqrt(&self) -> Interval {
        if self.is_empty() || self.hi < 0.0 {
            return Interval::EMPTY;
        }
        Interval::raw(sqrt_down(self.lo.max(0.0)), sqrt_up(self.hi)).defined_if(self.defined && self.lo >= 0.0)
    }
}
