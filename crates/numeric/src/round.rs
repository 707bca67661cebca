//! Directed rounding from round-to-nearest hardware: the sign of an operation's rounding error tells which neighbour to take.
//!
//! Portable: no rounding-mode switch, no fused multiply-add. `*_down` is the largest float not above the exact result (or, where noted, at most one
//! ulp below it); `*_up` its mirror image. An exact result is returned as it is. NaN never leaves this file for operands that are ends of
//! intervals: 0 times infinity is 0, which is the right value of an end.

use crate::Rational;
use std::cmp::Ordering;

/// 2^27 + 1: Veltkamp's constant for 53-bit significands.
const SPLITTER: f64 = 134_217_729.0;
/// Products whose size is in this range, of factors below `FACTOR_HIGH`, have an error term that is computed exactly.
const PRODUCT_LOW: f64 = 1e-280;
const PRODUCT_HIGH: f64 = 1e290;
const FACTOR_HIGH: f64 = 1e290;

/// The largest float below the nearest result `y`, kept finite on the side where an overflow happened.
#[inline]
fn below(y: f64) -> f64 {
    y.next_down()
}

/// The float below `y` where `step` says so, without a branch (which way the error goes cannot be predicted). `y` is finite and, if there is a step, not 0.
#[inline]
fn step_below(y: f64, step: bool) -> f64 {
    let bits = y.to_bits() as i64;
    // Towards minus infinity the magnitude falls for a positive number and grows for a negative one.
    let towards = -(1 + 2 * (bits >> 63));
    f64::from_bits((bits + i64::from(step) * towards) as u64)
}

/// a + b rounded down.
#[inline]
pub(crate) fn add_down(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // Knuth's two-sum: a + b = sum + error exactly, unless it overflows inside (then the error is NaN, as it is for an infinite sum).
    let virtual_b = sum - a;
    let error = (a - (sum - virtual_b)) + (b - virtual_b);
    if error.is_nan() {
        return add_down_slow(a, b, sum);
    }
    // A sum of 0 is exact.
    step_below(sum, error < 0.0)
}

/// Near the largest floats the two-sum's own differences overflow: there the exact sum decides.
#[cold]
fn add_down_slow(a: f64, b: f64, sum: f64) -> f64 {
    if sum.is_infinite() {
        // An infinite operand is exact; an overflow of finite ones is not.
        return if sum > 0.0 && a.is_finite() && b.is_finite() { f64::MAX } else { sum };
    }
    match (Rational::from_f64(a), Rational::from_f64(b), Rational::from_f64(sum)) {
        (Some(a), Some(b), Some(rounded)) if rounded <= &a + &b => sum,
        _ => below(sum),
    }
}

/// a + b rounded up.
#[inline]
pub(crate) fn add_up(a: f64, b: f64) -> f64 {
    -add_down(-a, -b)
}

/// The error of the nearest product, exactly, for operands in the guarded range (Dekker's product after Veltkamp's split).
#[inline]
fn product_error(a: f64, b: f64, product: f64) -> f64 {
    let split = |x: f64| {
        let c = SPLITTER * x;
        let high = c - (c - x);
        (high, x - high)
    };
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
}

#[inline]
fn guarded(a: f64, b: f64, product: f64) -> bool {
    // Bitwise, so that four seldom false conditions cost one branch.
    let size = product.abs();
    (size > PRODUCT_LOW) & (size < PRODUCT_HIGH) & (a.abs() < FACTOR_HIGH) & (b.abs() < FACTOR_HIGH)
}

/// a * b rounded down, with 0 * inf = 0.
#[inline]
pub(crate) fn mul_down(a: f64, b: f64) -> f64 {
    let product = a * b;
    if guarded(a, b, product) {
        return step_below(product, product_error(a, b, product) < 0.0);
    }
    mul_down_slow(a, b, product)
}

#[cold]
fn mul_down_slow(a: f64, b: f64, product: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    if a.is_infinite() || b.is_infinite() {
        return product;
    }
    if product == f64::INFINITY {
        return f64::MAX;
    }
    if product == f64::NEG_INFINITY {
        return product;
    }
    match compare_product(a, b, product) {
        Ordering::Less => below(product),
        _ => product,
    }
}

/// a * b rounded up, with 0 * inf = 0.
#[inline]
pub(crate) fn mul_up(a: f64, b: f64) -> f64 {
    -mul_down(-a, b)
}

/// a / b rounded down; b is not 0, and a and b are not both infinite (the caller decides those).
#[inline]
pub(crate) fn div_down(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if guarded(quotient, b, a) && quotient.abs() < FACTOR_HIGH && quotient.abs() > PRODUCT_LOW {
        let product = quotient * b;
        // a - quotient * b, exactly: the nearest product is within an ulp of a, so the first difference is exact.
        let rest = (a - product) - product_error(quotient, b, product);
        let too_large = if b > 0.0 { rest < 0.0 } else { rest > 0.0 };
        return step_below(quotient, too_large);
    }
    div_down_slow(a, b, quotient)
}

#[cold]
fn div_down_slow(a: f64, b: f64, quotient: f64) -> f64 {
    if a == 0.0 {
        return 0.0;
    }
    if a.is_infinite() {
        return quotient;
    }
    if b.is_infinite() {
        // Exactly 0 in the limit, and that is the right end.
        return 0.0;
    }
    if quotient == f64::INFINITY {
        return f64::MAX;
    }
    if quotient == f64::NEG_INFINITY {
        return quotient;
    }
    // quotient * b against a, in the direction of b's sign.
    let order = compare_product(quotient, b, a);
    let too_large = if b > 0.0 { order == Ordering::Greater } else { order == Ordering::Less };
    if too_large { below(quotient) } else { quotient }
}

/// a / b rounded up; domain as for [`div_down`].
#[inline]
pub(crate) fn div_up(a: f64, b: f64) -> f64 {
    -div_down(-a, b)
}

/// sqrt(x) rounded down, x >= 0. (The square root of IEEE 754 is correctly rounded.)
#[inline]
pub(crate) fn sqrt_down(x: f64) -> f64 {
    let root = x.sqrt();
    if x == 0.0 || x.is_infinite() {
        return root;
    }
    if compare_product(root, root, x) == Ordering::Greater { below(root) } else { root }
}

/// sqrt(x) rounded up, x >= 0.
#[inline]
pub(crate) fn sqrt_up(x: f64) -> f64 {
    let root = x.sqrt();
    if x == 0.0 || x.is_infinite() {
        return root;
    }
    if compare_product(root, root, x) == Ordering::Less { root.next_up() } else { root }
}

/// The exact product x * y against z, all finite.
pub(crate) fn compare_product(x: f64, y: f64, z: f64) -> Ordering {
    let sign = |v: f64| {
        if v > 0.0 {
            1
        } else if v < 0.0 {
            -1
        } else {
            0
        }
    };
    let (left, right) = (sign(x) * sign(y), sign(z));
    if left != right {
        return left.cmp(&right);
    }
    if left == 0 {
        return Ordering::Equal;
    }
    let ((mx, ex), (my, ey), (mz, ez)) = (decode(x), decode(y), decode(z));
    let magnitude = compare_scaled(u128::from(mx) * u128::from(my), ex + ey, u128::from(mz), ez);
    if left > 0 { magnitude } else { magnitude.reverse() }
}

/// |v| = mantissa * 2^exponent.
fn decode(v: f64) -> (u64, i32) {
    let bits = v.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 0 { (fraction, -1074) } else { (fraction | (1 << 52), exponent - 1075) }
}

/// a * 2^i against b * 2^j for positive a, b.
fn compare_scaled(a: u128, i: i32, b: u128, j: i32) -> Ordering {
    let top = |m: u128, e: i32| 128 - m.leading_zeros() as i32 + e;
    let (high_a, high_b) = (top(a, i), top(b, j));
    if high_a != high_b {
        return high_a.cmp(&high_b);
    }
    // The leading bits are at the same place, so aligning the lowest bits shifts by less than 128 and loses nothing.
    if i >= j { (a << (i - j)).cmp(&b) } else { a.cmp(&(b << (j - i))) }
}

/// x^n rounded down for x >= 0, by repeated directed products: not above the exact power.
pub(crate) fn pow_down(x: f64, n: u32) -> f64 {
    pow_by(x, n, mul_down)
}

/// x^n rounded up for x >= 0: not below the exact power.
pub(crate) fn pow_up(x: f64, n: u32) -> f64 {
    pow_by(x, n, mul_up)
}

fn pow_by(x: f64, n: u32, mul: impl Fn(f64, f64) -> f64) -> f64 {
    let (mut base, mut left, mut result) = (x, n, 1.0);
    while left > 0 {
        if left & 1 == 1 {
            result = mul(result, base);
        }
        left >>= 1;
        if left > 0 {
            base = mul(base, base);
        }
    }
    result
}
