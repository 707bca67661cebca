//! Gamma and log-gamma.

use super::Interval;
use crate::{Field, Ordered, Real};

/// Floats around the minimum of gamma on the positive axis, x = 1.46163214496836234126...: there the functions turn.
const TURN: f64 = 1.461_632_144_968_362_3;
/// Below gamma's minimum 0.88560319441088870027..., and below ln of it, -0.12148629053584960809...
const GAMMA_MIN: f64 = 0.885_603_194_410_888_6;
const LN_GAMMA_MIN: f64 = -0.121_486_290_535_849_63;

/// Neighbours of the correctly rounded value, or the exact one at small integers.
fn end(x: f64, f: fn(f64) -> f64, exact: impl Fn(f64) -> bool) -> (f64, f64) {
    let y = f(x);
    if exact(x) { (y, y) } else { (y.next_down(), y.next_up()) }
}

/// gamma(n) = (n - 1)! is a float for n up to 23.
fn exact_gamma(x: f64) -> bool {
    (1.0..=23.0).contains(&x) && x.floor() == x
}

/// ln gamma is 0 at 1 and 2 and at no other float a float.
fn exact_ln_gamma(x: f64) -> bool {
    x == 1.0 || x == 2.0
}

/// A function on x > 0 that falls to a minimum at `TURN` and rises after it.
fn valley(x: Interval, f: fn(f64) -> f64, exact: fn(f64) -> bool, minimum: f64) -> Interval {
    let value = |at: f64| {
        if at == 0.0 || at == f64::INFINITY { (f64::INFINITY, f64::INFINITY) } else { end(at, f, exact) }
    };
    let (left, right) = (value(x.lo()), value(x.hi()));
    let hi = left.1.max(right.1);
    let lo = if x.hi() <= TURN {
        right.0
    } else if x.lo() >= TURN.next_up() {
        left.0
    } else {
        minimum
    };
    // An infinite value is a limit: the end below it is the largest float.
    Interval::raw(lo.min(f64::MAX), hi).defined_if(x.is_defined() && x.lo() > 0.0)
}

/// ln |gamma(x)|; the poles are 0, -1, -2, ...
pub(super) fn ln_gamma(x: Interval) -> Interval {
    if x.is_empty() {
        return x;
    }
    if x.lo() >= 0.0 && x.hi() > 0.0 {
        return valley(x, core_math::lgamma, exact_ln_gamma, LN_GAMMA_MIN);
    }
    if x.is_point() && x.lo().floor() != x.lo() {
        let (lo, hi) = end(x.lo(), core_math::lgamma, |_| false);
        return Interval::raw(lo, hi).defined_if(x.is_defined());
    }
    match sine_without_pole(x) {
        // ln |gamma(x)| = ln(pi / |sin(pi x)|) - ln gamma(1 - x)
        Some(sine) => (Interval::pi() / sine.abs()).ln() - ln_gamma(Interval::one() - x),
        None => Interval::WHOLE.undefined(),
    }
}

/// gamma(x); the poles are 0, -1, -2, ...
pub(super) fn gamma(x: Interval) -> Interval {
    if x.is_empty() {
        return x;
    }
    if x.lo() >= 0.0 && x.hi() > 0.0 {
        return valley(x, core_math::tgamma, exact_gamma, GAMMA_MIN);
    }
    if x.is_point() && x.lo().floor() != x.lo() {
        let (lo, hi) = end(x.lo(), core_math::tgamma, |_| false);
        return Interval::raw(lo, hi).defined_if(x.is_defined());
    }
    match sine_without_pole(x) {
        Some(sine) => Interval::pi() / (sine * gamma(Interval::one() - x)),
        None => Interval::WHOLE.undefined(),
    }
}

/// sin(pi x) over an interval strictly between two neighbouring integers below 0; None where a pole may be inside.
fn sine_without_pole(x: Interval) -> Option<Interval> {
    let below = x.lo().floor();
    if x.hi() >= 0.0 || !x.is_bounded() || below == x.lo() || x.hi() >= below + 1.0 {
        return None;
    }
    // The size grows towards the middle of the unit interval; the middle is a float for every |x| below 2^52, and beyond there is no such interval.
    let middle = below + 0.5;
    let end = |at: f64| (core_math::sinpi(at).abs().next_down(), core_math::sinpi(at).abs().next_up().min(1.0));
    let (left, right) = (end(x.lo()), end(x.hi()));
    let high = if x.lo() <= middle && middle <= x.hi() { 1.0 } else { left.1.max(right.1) };
    let size = Interval::raw(left.0.min(right.0), high).defined_if(x.is_defined());
    // Between -1 and 0 the sine is negative, between -2 and -1 positive, and so on: even floors are positive.
    let even = (below / 2.0).floor() == below / 2.0;
    Some(if even { size } else { -size })
}
