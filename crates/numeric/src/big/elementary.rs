//! The functions of [`Real`] on big intervals: kernels at the ends, monotone pieces between.

use super::arithmetic::BigInterval;
use super::float::{BigFloat, End, Way};
use super::precision::{bits, scoped};
use super::{gamma, kernel};
use crate::{Field, Ordered, Real, Surd};
use End::{At, High, Low};
use Way::{Down, Up};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;

/// An increasing function on a bounded or half-bounded interval: kernel at the finite ends, the given limits at the infinite ones.
fn increasing(x: &BigInterval, kernel: impl Fn(&BigFloat) -> BigInterval, limits: (End, End)) -> BigInterval {
    if x.is_empty() {
        return x.clone();
    }
    if let (true, Some(at)) = (x.is_point(), x.lo.finite()) {
        return kernel(at).defined_if(x.defined);
    }
    let lo = match &x.lo {
        At(at) => kernel(at).lo,
        _ => limits.0,
    };
    let hi = match &x.hi {
        At(at) => kernel(at).hi,
        _ => limits.1,
    };
    BigInterval::raw(lo, hi).defined_if(x.defined)
}

/// The same for bounded intervals whose limits do not matter.
pub(super) fn monotone(x: &BigInterval, kernel: impl Fn(&BigFloat) -> BigInterval) -> BigInterval {
    increasing(x, kernel, (Low, High))
}

/// The part above `low`; the bit is cleared if something was cut off.
fn above(x: &BigInterval, low: &BigFloat, open: bool) -> BigInterval {
    let low = At(low.clone());
    if x.is_empty() || x.hi.lt(&low) || (open && x.hi.le(&low)) {
        return BigInterval::empty();
    }
    let inside = if open { low.lt(&x.lo) } else { low.le(&x.lo) };
    BigInterval::raw(x.lo.clone().max(low), x.hi.clone()).defined_if(x.defined && inside)
}

fn unit_end(value: i64) -> End {
    At(BigFloat::from_i64(value))
}

/// e^x - 1 at a point, relatively accurate near 0.
fn exp_m1_at(x: &BigFloat) -> BigInterval {
    let p = bits();
    if x.is_zero() {
        return BigInterval::zero();
    }
    let top = x.top();
    if top < -i64::from(p) - 4 {
        // x <= e^x - 1 <= x + x^2 for |x| < 1.
        let x = BigInterval::at(x.clone());
        return x.hull(&(x.clone() + x.square()));
    }
    let extra = u32::try_from((-top).max(0)).unwrap_or(0);
    scoped(p + extra + 8, || kernel::exp(x) - BigInterval::one()).rounded()
}

/// ln(1 + x) at a point above -1.
fn ln_1p_at(x: &BigFloat) -> BigInterval {
    let p = bits();
    if x.is_zero() {
        return BigInterval::zero();
    }
    if x.top() < -i64::from(p) - 4 {
        // x - x^2 <= ln(1 + x) <= x for |x| < 1/2.
        let x = BigInterval::at(x.clone());
        return (x.clone() - x.square()).hull(&x);
    }
    if x.top() > 4_096 + i64::from(p) {
        // Writing out 1 + x would fill the memory for a huge exponent: ln x <= ln(1 + x) <= ln x + 1/x.
        let rest = BigInterval::zero().hull(&(BigInterval::one() / BigInterval::at(x.clone())));
        return scoped(p + 8, || kernel::ln(x) + rest).rounded();
    }
    // 1 + x exactly: no more bits than the two exponents are apart.
    let room = x.m.bits() + x.e.unsigned_abs() + 8;
    kernel::ln(&x.add(&BigFloat::from_i64(1), room, Down))
}

/// sinh (with `sign` -1) or cosh (1) at a point, from t = e^x - 1: sinh = (t + t/(t+1))/2, cosh = 1 + t^2/(2 (t+1)).
fn hyperbolic(x: &BigFloat, sine: bool) -> BigInterval {
    let p = bits();
    scoped(p + 8, || {
        // Even and odd: by |x|, where nothing cancels.
        let t = exp_m1_at(&x.abs());
        if t.hi.finite().is_none() {
            // Beyond all exponents: half the lower bound is still a lower bound.
            let whole = BigInterval::raw(t.lo.clone(), High).scale(-1);
            return if x.is_negative() && sine { -whole } else { whole };
        }
        let up = BigInterval::one() + t.clone();
        if sine {
            let value = (t.clone() + t / up).scale(-1);
            if x.is_negative() { -value } else { value }
        } else {
            BigInterval::one() + (t.square() / up).scale(-1)
        }
    })
    .rounded()
}

/// tanh x = t / (t + 2) with t = e^(2x) - 1.
fn tanh_at(x: &BigFloat) -> BigInterval {
    let p = bits();
    if x.is_zero() {
        return BigInterval::zero();
    }
    let value = scoped(p + 8, || {
        let t = exp_m1_at(&x.abs().scale(1));
        // 1 - 2/(t + 2): also for an unbounded t.
        if x.top() < -8 {
            t.clone() / (t + BigInterval::from_i64(2))
        } else {
            BigInterval::one() - BigInterval::from_i64(2) / (t + BigInterval::from_i64(2))
        }
    })
    .rounded();
    let value = BigInterval::raw(value.lo, value.hi.min(unit_end(1)));
    if x.is_negative() { -value } else { value }
}

/// erf x at a point.
fn erf_at(x: &BigFloat) -> BigInterval {
    let p = bits();
    if x.is_zero() {
        return BigInterval::zero();
    }
    let size = x.abs();
    let value = if size.near() * size.near() > f64::from(p) {
        // erfc(x) < e^(-x^2) for x >= 1: below the last bit.
        scoped(p + 8, || BigInterval::one() - erfc_positive(&size)).rounded()
    } else {
        erf_positive(&size)
    };
    let value = BigInterval::raw(value.lo, value.hi.min(unit_end(1)));
    if x.is_negative() { -value } else { value }
}

/// erf x = (2 x / sqrt pi) e^(-x^2) sum, x > 0.
fn erf_positive(x: &BigFloat) -> BigInterval {
    let p = bits();
    scoped(p + 24, || {
        let w = u64::from(p) + 48;
        let (low, high) = kernel::erf_series(x, w);
        let at = BigInterval::at(x.clone());
        let square = BigInterval::at(BigFloat::new(&x.m * &x.m, 2 * x.e));
        (at.scale(1) / kernel::pi().sqrt()) * (-square).exp() * kernel::from_fixed(low, high, w)
    })
    .rounded()
}

/// erfc x for x > 0: relatively accurate.
fn erfc_positive(x: &BigFloat) -> BigInterval {
    let p = bits();
    let near = x.near();
    let square = near * near;
    if square > 2f64.powi(39) {
        return BigInterval::raw(End::zero(), kernel::exp(&BigFloat::power_of_two(39).neg()).hi);
    }
    if square > f64::from(p) * 0.7 + 12.0 {
        // Asymptotic series: alternating, the error is below the first term left out (DLMF 7.12.1).
        return scoped(p + 24, || {
            let exact = BigInterval::at(BigFloat::new(&x.m * &x.m, 2 * x.e));
            let twice = exact.scale(1);
            let mut term = BigInterval::one();
            let mut sum = BigInterval::one();
            let mut n = 1_i64;
            let wanted = -i64::from(p) - 10;
            loop {
                term = -(term * BigInterval::from_i64(2 * n - 1)) / twice.clone();
                let size = term.abs().hi.finite().map_or(0, BigFloat::top);
                if size < wanted {
                    break;
                }
                sum = sum + term.clone();
                n += 1;
            }
            let sum = sum.clone().hull(&(sum + term));
            (-exact).exp() / (BigInterval::at(x.clone()) * kernel::pi().sqrt()) * sum
        })
        .rounded();
    }
    // 1 - erf with as many more bits as erfc is below 1.
    let extra = (square * 1.45) as u32 + (near.max(1.0)) as u32 + 16;
    scoped(p + extra, || BigInterval::one() - erf_positive(x)).rounded()
}

/// erfc x at a point.
pub(super) fn erfc_at(x: &BigFloat) -> BigInterval {
    if x.is_zero() {
        BigInterval::one()
    } else if x.is_positive() {
        erfc_positive(x)
    } else {
        let value = BigInterval::one() + erf_at(&x.abs());
        BigInterval::raw(value.lo, value.hi.min(unit_end(2)))
    }
}

/// Which quarter turns an interval touches: a lower bound for the first, an upper bound for the last, None where they are not known or too many.
fn quarters(x: &BigInterval) -> Option<(BigInt, BigInt)> {
    if !x.is_bounded() {
        return None;
    }
    let size = x.abs().hi.finite().map_or(0, BigFloat::top);
    if size > 4_096 {
        return None;
    }
    let extra = u32::try_from(size.max(0)).unwrap_or(0);
    scoped(bits() + extra + 16, || {
        let turns = x.clone() / kernel::pi().scale(-1);
        let (lo, hi) = (turns.lo.finite()?.floor(), turns.hi.finite()?.floor());
        (&hi - &lo < BigInt::from(4)).then_some((lo, hi))
    })
}

/// Sine (turning at odd quarter turns) or cosine (at even ones).
fn wave(x: &BigInterval, sine: bool) -> BigInterval {
    if x.is_empty() {
        return x.clone();
    }
    let at = |end: &End| {
        end.finite().map(|at| {
            let (s, c) = kernel::sin_cos(at);
            if sine { s } else { c }
        })
    };
    if x.is_point() {
        return at(&x.lo).unwrap_or_else(BigInterval::whole).defined_if(x.defined);
    }
    let full = BigInterval::raw(unit_end(-1), unit_end(1)).defined_if(x.defined);
    let (Some((first, last)), Some(left), Some(right)) = (quarters(x), at(&x.lo), at(&x.hi)) else { return full };
    let mut range = left.hull(&right);
    let mut quarter: BigInt = first + 1;
    while quarter <= last {
        match (quarter.mod_floor(&BigInt::from(4)).to_u8(), sine) {
            (Some(1), true) | (Some(0), false) => range = range.hull(&BigInterval::one()),
            (Some(3), true) | (Some(2), false) => range = range.hull(&-BigInterval::one()),
            _ => {}
        }
        quarter += 1;
    }
    range.defined_if(x.defined)
}

impl Real for BigInterval {
    fn pi() -> BigInterval {
        kernel::pi()
    }

    fn exp(&self) -> BigInterval {
        increasing(self, kernel::exp, (End::zero(), High))
    }

    fn exp_m1(&self) -> BigInterval {
        increasing(self, exp_m1_at, (unit_end(-1), High))
    }

    fn ln(&self) -> BigInterval {
        let x = above(self, &BigFloat::zero(), true);
        increasing(&x, |at| if at.is_zero() { BigInterval { lo: Low, hi: Low, defined: true } } else { kernel::ln(at) }, (Low, High))
    }

    fn ln_1p(&self) -> BigInterval {
        let minus_one = BigFloat::from_i64(-1);
        let x = above(self, &minus_one, true);
        let pole = |at: &BigFloat| at.compare(&minus_one) == std::cmp::Ordering::Equal;
        increasing(&x, |at| if pole(at) { BigInterval { lo: Low, hi: Low, defined: true } } else { ln_1p_at(at) }, (Low, High))
    }

    fn log2(&self) -> BigInterval {
        let p = bits();
        // A power of two has an exact logarithm.
        if let (true, Some(at)) = (self.is_point(), self.lo.finite())
            && at.is_positive()
            && at.m.magnitude().count_ones() == 1
        {
            return BigInterval::from_i64(at.top() - 1).defined_if(self.defined);
        }
        scoped(p + 8, || self.ln() / kernel::ln_2()).rounded()
    }

    fn cbrt(&self) -> BigInterval {
        let p = u64::from(bits());
        increasing(self, |at| BigInterval::raw(At(at.root(3, p, Down)), At(at.root(3, p, Up))), (Low, High))
    }

    fn pow(&self, exponent: &BigInterval) -> BigInterval {
        if self.is_empty() || exponent.is_empty() {
            return BigInterval::empty();
        }
        if let (true, Some(n)) = (exponent.is_point(), exponent.lo.finite())
            && n.top() <= 31
            && n.floor() == n.fixed(0, Up)
        {
            return self.pow_integer(n.floor().to_i64().unwrap_or(0)).defined_if(exponent.defined);
        }
        let base = above(self, &BigFloat::zero(), false);
        if base.is_empty() {
            return base;
        }
        if base.hi.signum() == 0 {
            // 0^y: 0 for y > 0, a division by zero below; at y = 0 the convention 0^0 = 1.
            if exponent.lo.signum() > 0 {
                return BigInterval::zero().defined_if(base.defined && exponent.defined);
            }
            return BigInterval::whole().undefined();
        }
        // e^(y ln x) with guard bits for the size of y ln x; from 0 the power has the limit 0 or is unbounded.
        let p = bits();
        let positive = if base.lo.signum() == 0 { BigInterval::raw(base.hi.clone(), base.hi.clone()) } else { base.clone() };
        let size = scoped(32, || (positive.ln() * exponent.clone()).abs()).hi.finite().map_or(64, BigFloat::top).clamp(0, 64);
        let power = scoped(p + size as u32 + 8, || (positive.ln() * exponent.clone()).exp()).rounded();
        let power = if base.lo.signum() == 0 {
            if exponent.lo.signum() > 0 { power.hull(&BigInterval::zero()) } else { BigInterval::raw(End::zero(), High) }
        } else {
            power
        };
        power.defined_if(base.defined && exponent.defined && (base.lo.signum() > 0 || exponent.lo.signum() > 0))
    }

    fn sin(&self) -> BigInterval {
        wave(self, true)
    }

    fn cos(&self) -> BigInterval {
        wave(self, false)
    }

    fn tan(&self) -> BigInterval {
        if self.is_empty() {
            return self.clone();
        }
        let p = bits();
        let at = |at: &BigFloat| {
            scoped(p + 8, || {
                let (s, c) = kernel::sin_cos(at);
                s / c
            })
            .rounded()
        };
        if self.is_point() {
            return monotone(self, at);
        }
        // No pole inside when no odd quarter turn is.
        match quarters(self) {
            Some((first, last)) if last == first || (&last - &first == BigInt::from(1) && last.is_even()) => monotone(self, at),
            _ => BigInterval::whole().undefined(),
        }
    }

    fn atan(&self) -> BigInterval {
        let half = kernel::pi().scale(-1);
        increasing(self, kernel::atan, (half.hi.neg(), half.hi.clone()))
    }

    fn sinh(&self) -> BigInterval {
        increasing(self, |at| hyperbolic(at, true), (Low, High))
    }

    fn cosh(&self) -> BigInterval {
        increasing(&self.abs(), |at| hyperbolic(at, false), (unit_end(1), High))
    }

    fn tanh(&self) -> BigInterval {
        increasing(self, tanh_at, (unit_end(-1), unit_end(1)))
    }

    fn erf(&self) -> BigInterval {
        increasing(self, erf_at, (unit_end(-1), unit_end(1)))
    }

    fn erfc(&self) -> BigInterval {
        // Decreasing: mirrored.
        increasing(&-self.clone(), |at| erfc_at(&at.neg()), (End::zero(), unit_end(2)))
    }

    fn normal_cdf(&self) -> BigInterval {
        let p = bits();
        // Phi(x) = erfc(-x / sqrt 2) / 2; far in the tail the argument's rounding counts x^2 times.
        let at = |x: &BigFloat| {
            let guard = u32::try_from((2 * x.top()).clamp(0, 128)).unwrap_or(0);
            scoped(p + guard + 8, || (-BigInterval::at(x.clone()) / BigInterval::from_i64(2).sqrt()).erfc().scale(-1)).rounded()
        };
        increasing(self, at, (End::zero(), unit_end(1)))
    }

    fn ln_gamma(&self) -> BigInterval {
        gamma::ln_gamma(self)
    }

    fn gamma(&self) -> BigInterval {
        gamma::gamma(self)
    }
}
