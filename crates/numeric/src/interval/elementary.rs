//! Elementary functions on correctly rounded ends: the enclosure of a value is the two neighbours of the nearest float, or the value itself where it
//! is known to be exact.

use super::Interval;
use crate::round::{compare_product, pow_down, pow_up};
use crate::{Field, Ordered, Real, Surd};
use std::cmp::Ordering;

/// The neighbours of a correctly rounded value, cut to the function's range.
#[inline]
fn around(nearest: f64, range: (f64, f64)) -> (f64, f64) {
    (nearest.next_down().max(range.0), nearest.next_up().min(range.1))
}

impl Interval {
    /// An increasing function: `exact` tells the arguments whose image is a float, given with it.
    fn increasing(&self, f: impl Fn(f64) -> f64, range: (f64, f64), exact: impl Fn(f64) -> Option<f64>) -> Interval {
        if self.is_empty() {
            return *self;
        }
        let end = |x: f64| exact(x).map_or_else(|| around(f(x), range), |y| (y, y));
        Interval::raw(end(self.lo).0, end(self.hi).1).defined_if(self.defined)
    }

    /// The part of the interval at or above `low`; the bit is cleared if something was cut off (or, when `open`, if `low` itself is inside).
    fn above(&self, low: f64, open: bool) -> Interval {
        if self.is_empty() || self.hi < low || (open && self.hi <= low) {
            return Interval::EMPTY;
        }
        let inside = if open { self.lo > low } else { self.lo >= low };
        Interval::raw(self.lo.max(low), self.hi).defined_if(self.defined && inside)
    }

    /// Whether the interval is certainly shorter than pi (so that a sine has at most one turning point in it).
    fn shorter_than_pi(&self) -> bool {
        self.width() < std::f64::consts::PI.next_down()
    }
}

const LINE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// Odd functions and the like: 0 goes to 0, infinities to themselves.
fn fixes_zero_and_infinity(x: f64) -> Option<f64> {
    (x == 0.0 || x.is_infinite()).then_some(x)
}

/// x^y at one corner, x >= 0, with the neighbours of the correctly rounded power or the exact power.
pub(super) fn corner_power(x: f64, y: f64) -> (f64, f64) {
    if y == 0.0 || x == 1.0 {
        return (1.0, 1.0);
    }
    if x == 0.0 || x.is_infinite() || y.is_infinite() {
        // Limits: 0, 1 or inf.
        let limit = core_math::pow(x, y);
        return (limit, limit);
    }
    if y.abs() <= 64.0 && (2.0 * y).floor() == 2.0 * y {
        // Integers and half-integers may have exact powers; the square root decides for halves.
        let root = x.sqrt();
        let halves = (2.0 * y.abs()) as u32;
        let base = if halves.is_multiple_of(2) {
            Some((x, halves / 2))
        } else {
            (compare_product(root, root, x) == Ordering::Equal).then_some((root, halves))
        };
        if let Some((base, n)) = base {
            let (down, up) = (pow_down(base, n), pow_up(base, n));
            if down == up && down.is_finite() && down > 0.0 {
                if y > 0.0 {
                    return (down, down);
                }
                let inverse = Interval::one() / Interval::raw(down, down);
                if inverse.is_point() {
                    return (inverse.lo, inverse.hi);
                }
            }
        }
    }
    around(core_math::pow(x, y), (0.0, f64::INFINITY))
}

impl Real for Interval {
    fn pi() -> Interval {
        // The float nearest to pi is below it.
        Interval::raw(std::f64::consts::PI, std::f64::consts::PI.next_up())
    }

    fn exp(&self) -> Interval {
        self.increasing(core_math::exp, (0.0, f64::INFINITY), |x| match x {
            0.0 => Some(1.0),
            f64::NEG_INFINITY => Some(0.0),
            f64::INFINITY => Some(f64::INFINITY),
            _ => None,
        })
    }

    fn exp_m1(&self) -> Interval {
        self.increasing(core_math::expm1, (-1.0, f64::INFINITY), |x| match x {
            f64::NEG_INFINITY => Some(-1.0),
            _ => fixes_zero_and_infinity(x),
        })
    }

    fn ln(&self) -> Interval {
        self.above(0.0, true).increasing(core_math::log, LINE, |x| match x {
            0.0 => Some(f64::NEG_INFINITY),
            1.0 => Some(0.0),
            f64::INFINITY => Some(x),
            _ => None,
        })
    }

    fn ln_1p(&self) -> Interval {
        self.above(-1.0, true).increasing(core_math::log1p, LINE, |x| match x {
            -1.0 => Some(f64::NEG_INFINITY),
            _ => fixes_zero_and_infinity(x),
        })
    }

    fn log2(&self) -> Interval {
        self.above(0.0, true).increasing(core_math::log2, LINE, |x| {
            if x == 0.0 {
                return Some(f64::NEG_INFINITY);
            }
            // A power of two has an exact logarithm: its significand is 1 (or one bit of a subnormal).
            let power = x.is_finite() && (x.to_bits() & ((1 << 52) - 1) == 0 || (x < f64::MIN_POSITIVE && x.to_bits().is_power_of_two()));
            if power || x.is_infinite() { Some(core_math::log2(x)) } else { None }
        })
    }

    fn cbrt(&self) -> Interval {
        self.increasing(core_math::cbrt, LINE, |x| {
            let root = core_math::cbrt(x);
            let size = root.abs();
            let exact = size > 1e-90 && size < 1e90 && pow_down(size, 3) == x.abs() && pow_up(size, 3) == x.abs();
            if exact { Some(root) } else { fixes_zero_and_infinity(x) }
        })
    }

    fn pow(&self, exponent: &Interval) -> Interval {
        if self.is_empty() || exponent.is_empty() {
            return Interval::EMPTY;
        }
        // A constant integer exponent is defined for every base.
        if exponent.is_point() && exponent.lo.floor() == exponent.lo && exponent.lo.abs() <= f64::from(i32::MAX) {
            return self.pow_integer(exponent.lo as i32).defined_if(exponent.defined);
        }
        let base = self.above(0.0, false);
        if base.is_empty() {
            return base;
        }
        if base.hi == 0.0 && exponent.hi < 0.0 {
            // Zero to a negative power is a division by zero, with its rule.
            return Interval::WHOLE.undefined();
        }
        let corners =
            [(base.lo, exponent.lo), (base.lo, exponent.hi), (base.hi, exponent.lo), (base.hi, exponent.hi)].map(|(x, y)| corner_power(x, y));
        let lo = corners.iter().map(|corner| corner.0).fold(f64::INFINITY, f64::min);
        let hi = corners.iter().map(|corner| corner.1).fold(f64::NEG_INFINITY, f64::max);
        // Where base or exponent run through 1 or 0 the value 1 may be interior; it lies between the corners' values. An unbounded pair may hide it.
        let (lo, hi) = if base.hi == f64::INFINITY || !exponent.is_bounded() { (lo.min(1.0), hi.max(1.0)) } else { (lo, hi) };
        Interval::raw(lo.min(hi), hi).defined_if(base.defined && exponent.defined && (base.lo > 0.0 || exponent.lo > 0.0))
    }

    fn sin(&self) -> Interval {
        wave(self, core_math::sin, core_math::cos, 1.0)
    }

    fn cos(&self) -> Interval {
        wave(self, core_math::cos, core_math::sin, -1.0)
    }

    fn tan(&self) -> Interval {
        if self.is_empty() {
            return *self;
        }
        // Two points closer than pi whose cosines have the same sign have no pole between them; a float's cosine is never 0.
        if self.is_bounded() && self.shorter_than_pi() && (core_math::cos(self.lo) > 0.0) == (core_math::cos(self.hi) > 0.0) {
            return self.increasing(core_math::tan, LINE, |x| (x == 0.0).then_some(0.0));
        }
        Interval::WHOLE.undefined()
    }

    fn atan(&self) -> Interval {
        // Its range is inside [-pi/2, pi/2], whose float neighbours are these.
        let bound = std::f64::consts::FRAC_PI_2.next_up();
        self.increasing(core_math::atan, (-bound, bound), |x| (x == 0.0).then_some(0.0))
    }

    fn sinh(&self) -> Interval {
        self.increasing(core_math::sinh, LINE, fixes_zero_and_infinity)
    }

    fn cosh(&self) -> Interval {
        if self.is_empty() {
            return *self;
        }
        // Even, increasing in |x|, at least 1.
        self.abs().increasing(core_math::cosh, (1.0, f64::INFINITY), |x| if x == 0.0 { Some(1.0) } else { x.is_infinite().then_some(x) })
    }

    fn tanh(&self) -> Interval {
        self.increasing(core_math::tanh, (-1.0, 1.0), |x| if x == 0.0 { Some(0.0) } else { x.is_infinite().then_some(x.signum()) })
    }

    fn erf(&self) -> Interval {
        self.increasing(core_math::erf, (-1.0, 1.0), |x| if x == 0.0 { Some(0.0) } else { x.is_infinite().then_some(x.signum()) })
    }

    fn erfc(&self) -> Interval {
        // Decreasing: mirror the argument.
        (-*self).increasing(
            |x| core_math::erfc(-x),
            (0.0, 2.0),
            |x| match x {
                0.0 => Some(1.0),
                f64::INFINITY => Some(2.0),
                f64::NEG_INFINITY => Some(0.0),
                _ => None,
            },
        )
    }

    fn normal_cdf(&self) -> Interval {
        if self.is_empty() {
            return *self;
        }
        // erfc(-x / sqrt 2) / 2 at either end; the argument's rounding is enclosed, so far in the tail the ends are x^2 ulps apart.
        let at = |x: f64| {
            if x.is_infinite() {
                return Interval::point(if x > 0.0 { 1.0 } else { 0.0 });
            }
            (-Interval::point(x) / Interval::raw(2.0, 2.0).sqrt()).erfc() / Interval::raw(2.0, 2.0)
        };
        Interval::raw(at(self.lo).lo, at(self.hi).hi).defined_if(self.defined)
    }

    fn ln_gamma(&self) -> Interval {
        super::special::ln_gamma(*self)
    }

    fn gamma(&self) -> Interval {
        super::special::gamma(*self)
    }
}

/// A sine or cosine. `slope` times the sign is its derivative; a float's sine (but at 0) and cosine are never 0, so the sign is certain.
fn wave(x: &Interval, f: fn(f64) -> f64, slope: fn(f64) -> f64, sign: f64) -> Interval {
    if x.is_empty() {
        return *x;
    }
    let full = Interval::raw(-1.0, 1.0).defined_if(x.defined);
    if !x.is_bounded() {
        return full;
    }
    let end = |at: f64| {
        let y = f(at);
        // sin(0) = 0 and cos(0) = 1.
        if at == 0.0 { (y, y) } else { around(y, (-1.0, 1.0)) }
    };
    let (low, high) = (end(x.lo), end(x.hi));
    if x.is_point() {
        return Interval::raw(low.0, low.1).defined_if(x.defined);
    }
    if !x.shorter_than_pi() {
        // Up to two half turns: one for each half. Longer intervals, and those whose halves are floats' neighbours, give the whole range.
        let (first, second) = x.split();
        if first.shorter_than_pi() && second.shorter_than_pi() && !first.is_point() && !second.is_point() {
            return wave(&first, f, slope, sign).hull(&wave(&second, f, slope, sign));
        }
        return full;
    }
    let (left, right) = (sign * slope(x.lo), sign * slope(x.hi));
    // Shorter than pi, so the slope changes sign at most once: equal signs mean monotone, unequal ones a single turning point.
    let (mut lo, mut hi) = (low.0.min(high.0), low.1.max(high.1));
    if left > 0.0 && right < 0.0 {
        hi = 1.0;
    } else if left < 0.0 && right > 0.0 {
        lo = -1.0;
    }
    // A slope of exactly 0 at an end (cosine at 0): that end is the turning point, and its value is already taken.
    Interval::raw(lo, hi).defined_if(x.defined)
}
