//! Elementary functions at one dyadic point, by integer arithmetic with counted errors.
//!
//! A fixed-point number is an integer times 2^-w. Each kernel says how far its integer may be from the true value in units of 2^-w ("units"), adds
//! guard bits for that, and returns an enclosure; a wrong guess of the guard bits would widen the result, never make it wrong.

use super::arithmetic::BigInterval;
use super::float::{BigFloat, End, Way};
use super::precision::{bits, scoped};
use crate::{Field, Ordered};
use End::{At, High};
use Way::{Down, Up};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cell::RefCell;

/// Beyond 2^(2^40) (or below its inverse) an exponential is only bounded.
const LARGEST_EXPONENT: i64 = 1 << 40;
/// Sines of numbers beyond 2^4096 are only known to lie in [-1, 1].
const LARGEST_ANGLE: i64 = 4_096;

/// A constant times 2^bits, rounded down, kept at the highest precision asked for so far on this thread.
struct Cached {
    bits: u64,
    value: BigInt,
}

impl Cached {
    fn get(cell: &RefCell<Option<Cached>>, bits: u64, compute: fn(u64) -> BigInt) -> BigInt {
        let mut slot = cell.borrow_mut();
        if let Some(known) = slot.as_ref()
            && known.bits >= bits
        {
            // The floor of a floor is the floor.
            return &known.value >> (known.bits - bits);
        }
        let value = compute(bits);
        let out = value.clone();
        *slot = Some(Cached { bits, value });
        out
    }
}

thread_local! {
    static PI: RefCell<Option<Cached>> = const { RefCell::new(None) };
    static LN_2: RefCell<Option<Cached>> = const { RefCell::new(None) };
}

/// The sum over k of (sign)^k / ((2k+1) n^(2k+1)) times 2^w: arctan(1/n) for sign -1, artanh(1/n) for sign 1. Off by less than 2 units a term.
fn reciprocal_series(n: u32, w: u64, alternating: bool) -> BigInt {
    let square = BigInt::from(n) * n;
    let mut power = (BigInt::one() << w) / n;
    let mut sum = power.clone();
    let mut k = 1_u32;
    while !power.is_zero() {
        power /= &square;
        let term = &power / (2 * k + 1);
        if alternating && k % 2 == 1 {
            sum -= term
        } else {
            sum += term
        }
        k += 1;
    }
    sum
}

/// floor(c 2^bits) from a value that is off by less than 2^32 units of 2^-(bits + 64): if the floor is in doubt, more guard bits decide.
fn settled_floor(bits: u64, value: impl Fn(u64) -> BigInt) -> BigInt {
    let mut guard = 64;
    loop {
        let sum = value(bits + guard);
        let slack = BigInt::one() << 32_u32;
        let (low, high) = ((&sum - &slack) >> guard, (&sum + &slack) >> guard);
        if low == high {
            return low;
        }
        guard *= 2;
    }
}

/// floor(pi 2^bits), by Machin's formula pi = 16 arctan(1/5) - 4 arctan(1/239).
pub(super) fn pi_fixed(bits: u64) -> BigInt {
    PI.with(|cell| Cached::get(cell, bits, |bits| settled_floor(bits, |w| reciprocal_series(5, w, true) * 16 - reciprocal_series(239, w, true) * 4)))
}

/// floor(ln 2 2^bits), by ln 2 = 18 artanh(1/26) - 2 artanh(1/4801) + 8 artanh(1/8749).
pub(super) fn ln_2_fixed(bits: u64) -> BigInt {
    LN_2.with(|cell| {
        Cached::get(cell, bits, |bits| {
            settled_floor(bits, |w| {
                reciprocal_series(26, w, false) * 18 - reciprocal_series(4801, w, false) * 2 + reciprocal_series(8749, w, false) * 8
            })
        })
    })
}

/// The interval [m, m + 1] 2^-w.
fn one_unit(m: BigInt, w: u64) -> BigInterval {
    let e = -(w as i64);
    BigInterval::raw(At(BigFloat::new(m.clone(), e)), At(BigFloat::new(m + 1, e)))
}

/// [m - slack, m + slack] 2^e, rounded outward to the working precision.
fn within(m: &BigInt, slack: &BigInt, e: i64) -> BigInterval {
    BigInterval::raw(At(BigFloat::new(m - slack, e)), At(BigFloat::new(m + slack, e))).rounded()
}

pub(super) fn pi() -> BigInterval {
    let w = u64::from(bits()) + 8;
    one_unit(pi_fixed(w), w).rounded()
}

pub(super) fn ln_2() -> BigInterval {
    let w = u64::from(bits()) + 8;
    one_unit(ln_2_fixed(w), w).rounded()
}

/// Taylor's series of e^r (step 1, from r^0), for |r| <= 1 at scale 2^-w; the second value is a bound of the error in units, counting 2 for r itself.
fn exp_series(r: &BigInt, w: u64) -> (BigInt, u64) {
    let mut term = BigInt::one() << w;
    let mut sum = term.clone();
    let mut n = 1_u64;
    loop {
        term = ((&term * r) >> w) / n;
        if term.is_zero() || term == -BigInt::one() {
            break;
        }
        sum += &term;
        n += 1;
    }
    // Each term carries its predecessor's error (scaled by |r| / n <= 1) and two roundings: below 4 units a term; the tail is below 2 units,
    // and e^r moves by less than 3 units for each unit of r.
    (sum, 4 * n + 16)
}

/// e^x.
pub(super) fn exp(x: &BigFloat) -> BigInterval {
    let p = bits();
    if x.is_zero() {
        return BigInterval::one();
    }
    let top = x.top();
    if top > 40 {
        return if x.is_positive() {
            BigInterval::raw(At(BigFloat::power_of_two(LARGEST_EXPONENT)), High)
        } else {
            BigInterval::raw(End::zero(), At(BigFloat::power_of_two(-LARGEST_EXPONENT)))
        };
    }
    if top < -i64::from(p) - 4 {
        // 1 + x <= e^x <= 1 + x + x^2 for |x| < 1.
        let x = BigInterval::at(x.clone());
        let low = BigInterval::one() + x.clone();
        return low.hull(&(low.clone() + x.square()));
    }
    // r = x - k ln 2 with |r| < 0.4, then r / 2^s; squaring s times triples the error each time at most (the values are below 1.5).
    let s = u64::from(p.isqrt() / 2);
    let w = u64::from(p) + 2 * s + 40;
    let extra = 48;
    let k = (x.near() * std::f64::consts::LOG2_E).round() as i64;
    let reduced = (x.fixed(w + extra, Down) - ln_2_fixed(w + extra) * k) >> extra;
    let (mut y, error) = exp_series(&(reduced >> s), w);
    let mut slack = BigInt::from(error);
    for _ in 0..s {
        y = (&y * &y) >> w;
        slack = slack * 3 + 2;
    }
    within(&y, &slack, k - w as i64)
}

/// ln x for x > 0.
pub(super) fn ln(x: &BigFloat) -> BigInterval {
    let p = bits();
    // x = m 2^k with m in [0.7, 1.42).
    let mut k = x.top();
    let mut m = x.scale(-k);
    if m.near() < 0.708 {
        k -= 1;
        m = m.scale(1);
    }
    let one = BigFloat::from_i64(1);
    let distance = m.add(&one.neg(), 64 + u64::from(p) + m.m.bits(), Down);
    if distance.is_zero() {
        return scoped(p + 16, || BigInterval::from_i64(k) * ln_2()).rounded();
    }
    let near_one = distance.top() < -30;
    scoped(p + 48, || {
        // ln m = y + 2 artanh((m - e^y) / (m + e^y)) for any y; with y near ln m the second part is tiny.
        let y = if near_one { BigFloat::zero() } else { BigFloat::from_f64(core_math::log(m.near())).unwrap_or_else(BigFloat::zero) };
        let power = exp(&y);
        let m = BigInterval::at(m);
        let difference = if near_one { BigInterval::at(distance) } else { m.clone() - power.clone() };
        let t = difference / (m + power);
        let rest = odd_series(&t, false).scale(1);
        BigInterval::from_i64(k) * ln_2() + BigInterval::at(y) + rest
    })
    .rounded()
}

/// t + t^3/3 + t^5/5 + .. (artanh) or t - t^3/3 + .. (arctan), for an enclosure with |t| < 2^-25.
fn odd_series(t: &BigInterval, alternating: bool) -> BigInterval {
    let size = t.abs().hi.finite().map_or(0, BigFloat::top);
    if size < i64::MIN / 8 {
        return BigInterval::zero();
    }
    let square = t.square();
    let mut power = t.clone();
    let mut sum = t.clone();
    let mut k = 1_i64;
    let wanted = -i64::from(bits()) - 8;
    loop {
        // The next power is below 2^(size (2k+1)); the tail after it is smaller than the first term left out, doubled for the constant sign.
        if size * 2 * k < wanted {
            let tail = BigFloat::power_of_two(size.saturating_mul(2 * k + 1).saturating_add(1));
            return sum + BigInterval::raw(At(tail.neg()), At(tail));
        }
        power = power * square.clone();
        let term = power.clone() / BigInterval::from_i64(2 * k + 1);
        sum = if alternating && k % 2 == 1 { sum - term } else { sum + term };
        k += 1;
    }
}

/// Sine and cosine of r at scale 2^-w, |r| <= 1, and a bound of their errors in units, counting 2 for r itself.
fn sin_cos_series(r: &BigInt, w: u64) -> (BigInt, BigInt, u64) {
    let mut term = BigInt::one() << w;
    let (mut sin, mut cos) = (BigInt::zero(), term.clone());
    let mut n = 1_u64;
    loop {
        term = ((&term * r) >> w) / n;
        if term.is_zero() || term == -BigInt::one() {
            break;
        }
        match n % 4 {
            1 => sin += &term,
            2 => cos -= &term,
            3 => sin -= &term,
            _ => cos += &term,
        }
        n += 1;
    }
    (sin, cos, 4 * n + 16)
}

/// (sin x, cos x).
pub(super) fn sin_cos(x: &BigFloat) -> (BigInterval, BigInterval) {
    let p = bits();
    if x.is_zero() {
        return (BigInterval::zero(), BigInterval::one());
    }
    let top = x.top();
    let unit = || BigInterval::raw(At(BigFloat::from_i64(-1)), At(BigFloat::from_i64(1)));
    if top > LARGEST_ANGLE {
        return (unit(), unit());
    }
    if top < -i64::from(p) - 4 {
        // x - x^3/6 <= sin x <= x for x >= 0 (mirrored below), 1 - x^2/2 <= cos x <= 1.
        let x = BigInterval::at(x.clone());
        let low = x.clone() - x.powi(3) / BigInterval::from_i64(6);
        let cos = BigInterval::one() - x.square().scale(-1);
        return (low.hull(&x), cos.hull(&BigInterval::one()));
    }
    let mut w = u64::from(p) + 40;
    let mut tries = 0;
    loop {
        // r = x - k pi/2: the error of pi/2 is multiplied by k, which has at most `top` bits.
        let extra = u64::try_from(top.max(0)).unwrap_or(0) + 8;
        let half_pi = pi_fixed(w + extra) >> 1_u32;
        let scaled = x.fixed(w + extra, Down);
        let k = (&scaled + (&half_pi >> 1_u32)).div_floor(&half_pi);
        let r = (scaled - &k * half_pi) >> extra;
        let (s, c, error) = sin_cos_series(&r, w);
        // Near a zero the relative accuracy is too small: more bits, at most twice (a double's sine is never below 2^-1100).
        let short = |y: &BigInt| w as i64 - y.bits() as i64;
        let missing = short(&s).max(short(&c));
        if missing > 8 && w < u64::from(p) + 40 + missing as u64 && tries < 3 {
            w = u64::from(p) + 40 + missing as u64 + 8;
            tries += 1;
            continue;
        }
        let slack = BigInt::from(error);
        let (s, c) = (within(&s, &slack, -(w as i64)), within(&c, &slack, -(w as i64)));
        let quarter = k.mod_floor(&BigInt::from(4)).to_u8().unwrap_or(0);
        let (s, c) = match quarter {
            0 => (s, c),
            1 => (c, -s),
            2 => (-s, -c),
            _ => (-c, s),
        };
        return (s.intersect(&unit()), c.intersect(&unit()));
    }
}

/// arctan x.
pub(super) fn atan(x: &BigFloat) -> BigInterval {
    let p = bits();
    if x.is_zero() {
        return BigInterval::zero();
    }
    if x.top() > 60 {
        // arctan x = sign pi/2 - arctan(1/x).
        return scoped(p + 8, || {
            let half_pi = pi().scale(-1);
            let inverse = BigInterval::one() / BigInterval::at(x.clone());
            let small = super::elementary::monotone(&inverse, atan);
            if x.is_negative() { -half_pi - small } else { half_pi - small }
        })
        .rounded();
    }
    scoped(p + 32, || {
        // arctan x = y + arctan((x cos y - sin y) / (cos y + x sin y)) for y near arctan x.
        let y = if x.top() < -30 { BigFloat::zero() } else { BigFloat::from_f64(core_math::atan(x.near())).unwrap_or_else(BigFloat::zero) };
        let (s, c) = sin_cos(&y);
        let x = BigInterval::at(x.clone());
        let t = (x.clone() * c.clone() - s.clone()) / (c + x * s);
        BigInterval::at(y) + odd_series(&t, true)
    })
    .rounded()
}

/// The series 1 + z/3 + z^2/(3 5) + z^3/(3 5 7) + .. for z = 2 x^2 as (lower, upper) at scale 2^-w.
pub(super) fn erf_series(x: &BigFloat, w: u64) -> (BigInt, BigInt) {
    let z = BigFloat::new(&x.m * &x.m, 2 * x.e + 1);
    let bits = w + 16;
    let (low, high) = (z.clone().round(bits, Down), z.round(bits, Up));
    let one = BigInt::one() << w;
    // Multiplies a fixed-point number by z / n, rounding in one direction.
    let step = |term: &BigInt, z: &BigFloat, n: u64, way: Way| {
        let product = BigFloat::new(term * &z.m, z.e).fixed(0, way);
        match way {
            Down => product / n,
            Up => -((-product).div_floor(&BigInt::from(n))),
        }
    };
    let (mut below, mut above) = (one.clone(), one);
    let (mut sum_below, mut sum_above) = (below.clone(), above.clone());
    let z_near = high.to_f64(Up);
    let mut n = 1_u64;
    loop {
        n += 2;
        below = step(&below, &low, n, Down);
        above = step(&above, &high, n, Up);
        sum_below += &below;
        sum_above += &above;
        // From here on each term is at most half of the one before: the tail is below the last term.
        if z_near * 2.0 < n as f64 && above <= BigInt::one() {
            return (sum_below, sum_above + above);
        }
    }
}

/// |m| as a float's interval for the callers that assemble from fixed point.
pub(crate) fn from_fixed(low: BigInt, high: BigInt, w: u64) -> BigInterval {
    debug_assert!(!low.is_negative());
    let e = -(w as i64);
    BigInterval::raw(At(BigFloat::new(low, e)), At(BigFloat::new(high, e)))
}
