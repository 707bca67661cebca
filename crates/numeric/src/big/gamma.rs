//! Gamma and log-gamma by Stirling's series, whose error for real z > 0 is below the first term left out and has its sign (DLMF 5.11.ii).

use super::arithmetic::BigInterval;
use super::float::{BigFloat, End};
use super::kernel;
use super::precision::{bits, scoped};
use crate::{Field, Ordered, Rational, Real};
use End::{At, High, Low};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use std::sync::Mutex;

/// Largest integer whose factorial is multiplied out.
const LARGEST_FACTORIAL: i64 = 2_000;

/// Bernoulli numbers B_2, B_4, ..; exact, extended as needed.
static BERNOULLI: Mutex<Vec<Rational>> = Mutex::new(Vec::new());

/// B_2k for k >= 1, from sum over j < n of C(n+1, j) B_j = -(n+1) B_n.
fn bernoulli(k: usize) -> Rational {
    // A panic elsewhere cannot leave the list half extended: each entry is pushed whole.
    let mut known = BERNOULLI.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    while known.len() < k {
        let n = 2 * (known.len() as i64 + 1);
        // B_0 = 1 and B_1 = -1/2; the other odd ones vanish.
        let mut sum = Rational::from(1) - Rational::new(n + 1, 2);
        let mut choose = BigInt::from(n + 1);
        for j in 2..n {
            // C(n+1, j) from C(n+1, j-1).
            choose = choose * (n + 2 - j) / j;
            if j % 2 == 0 {
                sum = sum + Rational::from(choose.clone()) * known[(j / 2 - 1) as usize].clone();
            }
        }
        known.push(-sum / Rational::from(n + 1));
    }
    known[k - 1].clone()
}

/// ln gamma(z) by Stirling's series, for an enclosure of z that is large for the working precision.
fn stirling(z: &BigInterval) -> BigInterval {
    let half = BigInterval::ratio(1, 2);
    let ln_z = z.ln();
    let two_pi = kernel::pi().scale(1);
    let mut sum = (z.clone() - half) * ln_z - z.clone() + two_pi.ln().scale(-1);
    let inverse = BigInterval::one() / z.clone();
    let square = inverse.square();
    let mut power = inverse;
    let wanted = -i64::from(bits()) - 4;
    let mut smallest = i64::MAX;
    let mut k = 1_usize;
    loop {
        let index = 2 * k as i64;
        let term = BigInterval::from_rational(&(bernoulli(k) / Rational::from(index * (index - 1)))) * power.clone();
        let size = term.abs().hi.finite().map_or(i64::MAX, BigFloat::top);
        // The series is asymptotic: stop when it is good enough or when it starts to grow.
        if size < wanted || size > smallest {
            return sum.clone().hull(&(sum + term));
        }
        smallest = size;
        sum = sum + term;
        power = power * square.clone();
        k += 1;
    }
}

/// How far to shift an argument so that Stirling's series converges to the working precision.
fn shift(z: &BigFloat) -> i64 {
    let wanted = f64::from(bits()) * 0.18 + 4.0;
    (wanted - z.near()).ceil().max(0.0) as i64
}

/// (product z (z+1) .. (z+n-1), ln gamma(z + n)) for z > 0.
fn shifted(z: &BigFloat) -> (BigInterval, BigInterval) {
    let n = shift(z);
    let z = BigInterval::at(z.clone());
    let product = (0..n).fold(BigInterval::one(), |product, i| product * (z.clone() + BigInterval::from_i64(i)));
    (product, stirling(&(z + BigInterval::from_i64(n))))
}

fn integer(x: &BigFloat) -> Option<i64> {
    // The size first: writing out the floor of a number with a huge exponent would fill the memory.
    if x.top() >= 60 {
        return None;
    }
    let floor = x.floor();
    (BigFloat::new(floor.clone(), 0).compare(x) == std::cmp::Ordering::Equal).then(|| floor.to_i64()).flatten()
}

/// ln gamma(x) at a point x > 0.
fn ln_gamma_at(x: &BigFloat) -> BigInterval {
    let p = bits();
    if matches!(integer(x), Some(1 | 2)) {
        return BigInterval::zero();
    }
    // Near 1 and 2 the value is small and the sum cancels: as many more bits as it is short of.
    let guard = 24 + u32::try_from(x.top().clamp(0, 4_096)).unwrap_or(0);
    let mut extra = guard;
    for _ in 0..3 {
        let value = scoped(p + extra, || {
            let (product, log) = shifted(x);
            log - product.ln()
        });
        let have = value.accuracy_bits();
        if have >= p + 2 || extra > 4 * p + 4_096 {
            return value.rounded();
        }
        extra += p + 8 - have.min(p);
    }
    scoped(p + extra, || {
        let (product, log) = shifted(x);
        log - product.ln()
    })
    .rounded()
}

/// gamma(x) at a point x > 0.
fn gamma_at(x: &BigFloat) -> BigInterval {
    let p = bits();
    if let Some(n) = integer(x)
        && (1..=LARGEST_FACTORIAL).contains(&n)
    {
        let factorial = (2..n).fold(BigInt::one(), |product, i| product * i);
        return BigInterval::at(BigFloat::new(factorial, 0)).rounded();
    }
    if x.top() > 50 {
        // Beyond all exponents that are kept: only a lower bound, gamma(2^50) > 2^(2^40).
        return BigInterval::raw(At(BigFloat::power_of_two(1 << 40)), High);
    }
    if x.top() < -i64::from(p) - 8 {
        // gamma(x) = gamma(1 + x) / x with 1 - x <= gamma(1 + x) <= 1 for 0 < x < 1/2 (gamma is convex with slope -0.577 at 1).
        let one = BigInterval::one();
        let x = BigInterval::at(x.clone());
        return (one.clone() - x.clone()).hull(&one) / x;
    }
    let guard = 32 + 2 * u32::try_from(x.top().clamp(0, 64)).unwrap_or(0);
    scoped(p + guard, || {
        let (product, log) = shifted(x);
        log.exp() / product
    })
    .rounded()
}

/// Around the minimum of gamma on the positive axis, 1.4616321449683623412626595423257213284681962..: rational ends of an interval that holds it.
fn turn() -> (Rational, Rational) {
    let scale = 10_i128.pow(34);
    let digits = 14_616_321_449_683_623_412_626_595_423_257_213;
    (Rational::from_i128(digits, scale), Rational::from_i128(digits + 1, scale))
}

/// A function on x > 0 that falls to its minimum at `turn` and rises after it.
fn valley(x: &BigInterval, f: fn(&BigFloat) -> BigInterval, minimum: impl FnOnce() -> BigInterval) -> BigInterval {
    let value = |end: &End| match end {
        At(at) if at.is_positive() => f(at),
        _ => BigInterval { lo: High, hi: High, defined: true },
    };
    if x.is_point() {
        return value(&x.lo).defined_if(x.defined);
    }
    let (left, right) = (value(&x.lo), value(&x.hi));
    let (low, high) = turn();
    let (before, after) = (BigInterval::from_rational(&low), BigInterval::from_rational(&high));
    let hi = left.hi.clone().max(right.hi.clone());
    let lo = if x.hi.le(&before.lo) {
        right.lo
    } else if after.hi.le(&x.lo) {
        left.lo
    } else {
        minimum().lo
    };
    let lo = if matches!(lo, High) { End::zero() } else { lo };
    BigInterval::raw(lo, hi).defined_if(x.defined && x.lo.signum() > 0)
}

/// A lower bound of the minimum: the function close to its turning point, less what the slope can take away on the way there. Closer than 10^-33 to the
/// turning point the slopes of gamma and ln gamma are below 10^-32, so that is less than 10^-64.
fn minimum(f: fn(&BigFloat) -> BigInterval) -> BigInterval {
    let near = BigFloat::from_rational(&turn().0, 128, super::float::Way::Down);
    f(&near) - BigInterval::from_rational(&Rational::from_i128(1, 10_i128.pow(30)))
}

/// sin(pi x) on an interval strictly between two neighbouring integers below 0; None where a pole may be inside.
fn sine_without_pole(x: &BigInterval) -> Option<BigInterval> {
    let (lo, hi) = (x.lo.finite()?, x.hi.finite()?);
    if lo.top() > 4_096 {
        return None;
    }
    let floor = BigFloat::new(lo.floor(), 0);
    let next = BigFloat::new(lo.floor() + 1, 0);
    if floor.compare(lo) == std::cmp::Ordering::Equal || hi.compare(&next) != std::cmp::Ordering::Less || hi.is_positive() || hi.is_zero() {
        return None;
    }
    // The distance to the nearer integer is exact, so the sine keeps its relative accuracy: sin(pi x) = (-1)^n sin(pi (x - n)) = (-1)^n sin(pi (n + 1 - x)).
    let n = BigInterval::at(floor.clone());
    let room = bits() + u32::try_from(lo.m.bits().max(hi.m.bits()) + lo.top().unsigned_abs().min(4_096)).unwrap_or(4_096);
    let fraction = scoped(room, || {
        let below = x.clone() - n;
        if BigInterval::ratio(1, 2).lt(&below).is_true() { BigInterval::one() - below } else { below }
    });
    let sine = (kernel::pi() * fraction).sin();
    let even = floor.floor() % 2 == BigInt::from(0);
    Some(if even { sine } else { -sine })
}

/// ln |gamma(x)|; the poles are 0, -1, -2, ...
pub(super) fn ln_gamma(x: &BigInterval) -> BigInterval {
    if x.is_empty() {
        return x.clone();
    }
    if x.lo.signum() >= 0 && x.hi.signum() > 0 {
        return valley(x, ln_gamma_at, || minimum(ln_gamma_at));
    }
    let p = bits();
    scoped(p + 16, || match sine_without_pole(x) {
        Some(sine) => (kernel::pi() / sine.abs()).ln() - ln_gamma(&(BigInterval::one() - x.clone())),
        None => BigInterval { lo: Low, hi: High, defined: false },
    })
    .rounded()
}

/// gamma(x); the poles are 0, -1, -2, ...
pub(super) fn gamma(x: &BigInterval) -> BigInterval {
    if x.is_empty() {
        return x.clone();
    }
    if x.lo.signum() >= 0 && x.hi.signum() > 0 {
        return valley(x, gamma_at, || minimum(gamma_at));
    }
    let p = bits();
    scoped(p + 16, || match sine_without_pole(x) {
        Some(sine) => kernel::pi() / (sine * gamma(&(BigInterval::one() - x.clone()))),
        None => BigInterval { lo: Low, hi: High, defined: false },
    })
    .rounded()
}
