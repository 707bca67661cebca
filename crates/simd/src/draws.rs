//! Draws from words, branch-free: the same operations whether one lane or many are computed, so the vector code is the scalar code.
//!
//! Additions, products, quotients, square roots and fused multiply-adds only, each correctly rounded and in a fixed order, so the bits are the same on every
//! machine (where the processor has no fused instruction the library's function takes its place). Accuracy is stated at each function; it is far below what
//! any number of draws could see.

/// The bits of 1.
const ONE: u64 = 0x3ff0_0000_0000_0000;
/// 2^52: added to a small integer's bits it makes a float of it.
const SHIFTER: f64 = 4_503_599_627_370_496.0;
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Uniform on the multiples of 2^-52 in (0, 1], from the upper 52 bits of a word.
#[inline(always)]
#[must_use]
pub fn unit(word: u64) -> f64 {
    2.0 - f64::from_bits(ONE | word >> 12)
}

/// Uniform on the multiples of 2^-52 in [0, 1), from the same bits.
#[inline(always)]
#[must_use]
pub fn unit_below_one(word: u64) -> f64 {
    f64::from_bits(ONE | word >> 12) - 1.0
}

/// -ln u for a normal number u in (0, 1]: relative error below 4e-16 where -ln u > 2^-20, absolute below 1e-16 else; exactly 0 at 1.
#[inline(always)]
#[must_use]
pub fn minus_ln(u: f64) -> f64 {
    // u = m 2^k with m in [0.707, 1.415): adding the distance of 0.707 from 1 in bits moves the boundary between exponents there.
    let shifted = u.to_bits().wrapping_add(0x3ff0_0000_0000_0000 - 0x3fe6_a09e_667f_3bcd);
    let exponent = shifted >> 52;
    let m = f64::from_bits((shifted & 0x000f_ffff_ffff_ffff) + 0x3fe6_a09e_667f_3bcd);
    let k = f64::from_bits(0x4330_0000_0000_0000 | exponent) - (SHIFTER + 1023.0);
    // ln m = 2 artanh s, s = (m - 1)/(m + 1), |s| < 0.1716; the series to s^19.
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let p: f64 = 2.0 / 19.0;
    let p = p.mul_add(z, 2.0 / 17.0);
    let p = p.mul_add(z, 2.0 / 15.0);
    let p = p.mul_add(z, 2.0 / 13.0);
    let p = p.mul_add(z, 2.0 / 11.0);
    let p = p.mul_add(z, 2.0 / 9.0);
    let p = p.mul_add(z, 2.0 / 7.0);
    let p = p.mul_add(z, 2.0 / 5.0);
    let p = p.mul_add(z, 2.0 / 3.0);
    let ln_m = (s * z).mul_add(p, 2.0 * s);
    // Subtracted from 0, so that 1 gives +0.
    0.0 - k.mul_add(LN_2_HIGH, k.mul_add(LN_2_LOW, ln_m))
}

/// e^x for |x| <= 700: relative error below 4e-16.
#[inline(always)]
#[must_use]
pub fn exp(x: f64) -> f64 {
    // Adding and subtracting 1.5 2^52 rounds to an integer, whose value stands in the low bits of the sum.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let turned = x.mul_add(std::f64::consts::LOG2_E, ROUND);
    let k = turned - ROUND;
    let r = k.mul_add(-LN_2_LOW, k.mul_add(-LN_2_HIGH, x));
    // Estrin's scheme: the terms are joined in pairs, so that the chain of dependent operations is short.
    let (r2, r4) = (r * r, (r * r) * (r * r));
    let pair = |low: f64, high: f64| r.mul_add(high, low);
    let low = r2.mul_add(pair(1.0 / 24.0, 1.0 / 120.0), pair(0.5, 1.0 / 6.0));
    let middle = r2.mul_add(pair(1.0 / 40_320.0, 1.0 / 362_880.0), pair(1.0 / 720.0, 1.0 / 5_040.0));
    let high = r2.mul_add(pair(1.0 / 479_001_600.0, 1.0 / 6_227_020_800.0), pair(1.0 / 3_628_800.0, 1.0 / 39_916_800.0));
    let p = r4.mul_add(r4.mul_add(high, middle), low);
    let power = 1.0 + r2.mul_add(p, r);
    let scale = f64::from_bits((turned.to_bits() << 52).wrapping_add(ONE));
    power * scale
}

/// tanh x for every finite x: absolute error below 4e-16.
#[inline(always)]
#[must_use]
pub fn tanh(x: f64) -> f64 {
    // Beyond 20 it rounds to +-1.
    let clipped = x.clamp(-20.0, 20.0);
    1.0 - 2.0 / (exp(2.0 * clipped) + 1.0)
}

/// (cos, sin) of 2 pi v for v in [0, 1): absolute error below 4e-16.
#[inline(always)]
#[must_use]
pub fn cos_sin_turn(v: f64) -> (f64, f64) {
    // q = round(4 v) quarter turns and r in [-1/8, 1/8] turns left; the quarter's number stands in the low bits of the rounded sum.
    let turned = v.mul_add(4.0, SHIFTER);
    let quarter = turned.to_bits();
    let x = (turned - SHIFTER).mul_add(-0.25, v) * std::f64::consts::TAU;
    let z = x * x;
    let s: f64 = -1.0 / 1_307_674_368_000.0;
    let s = s.mul_add(z, 1.0 / 6_227_020_800.0);
    let s = s.mul_add(z, -1.0 / 39_916_800.0);
    let s = s.mul_add(z, 1.0 / 362_880.0);
    let s = s.mul_add(z, -1.0 / 5_040.0);
    let s = s.mul_add(z, 1.0 / 120.0);
    let s = s.mul_add(z, -1.0 / 6.0);
    let sin = (x * z).mul_add(s, x);
    let c: f64 = 1.0 / 20_922_789_888_000.0;
    let c = c.mul_add(z, -1.0 / 87_178_291_200.0);
    let c = c.mul_add(z, 1.0 / 479_001_600.0);
    let c = c.mul_add(z, -1.0 / 3_628_800.0);
    let c = c.mul_add(z, 1.0 / 40_320.0);
    let c = c.mul_add(z, -1.0 / 720.0);
    let c = c.mul_add(z, 1.0 / 24.0);
    let cos = (z * z).mul_add(c, z.mul_add(-0.5, 1.0));
    // An odd quarter swaps them; signs by quarter: cos + - - +, sin + + - -.
    let odd = 0_u64.wrapping_sub(quarter & 1);
    let (cos, sin) = (cos.to_bits(), sin.to_bits());
    let swap = (cos ^ sin) & odd;
    let (cos, sin) = (cos ^ swap, sin ^ swap);
    let cos_sign = ((quarter >> 1) ^ quarter) << 63;
    let sin_sign = (quarter >> 1) << 63;
    (f64::from_bits(cos ^ cos_sign), f64::from_bits(sin ^ sin_sign))
}

/// Two independent standard normals from two words (Box and Muller). |x| is at most sqrt(104 ln 2) = 8.5.
#[inline(always)]
#[must_use]
pub fn normal_pair(first: u64, second: u64) -> (f64, f64) {
    let radius = (2.0 * minus_ln(unit(first))).sqrt();
    let (cos, sin) = cos_sin_turn(unit_below_one(second));
    (radius * cos, radius * sin)
}

/// An exponential of mean 1; at most 52 ln 2 = 36.1.
#[inline(always)]
#[must_use]
pub fn exponential(word: u64) -> f64 {
    minus_ln(unit(word))
}

/// U^(-1/alpha) with a random sign from the word's lowest bit; `inverse` is 1/alpha, below 19.
#[inline(always)]
#[must_use]
pub fn signed_pareto(word: u64, inverse: f64) -> f64 {
    let size = exp(inverse * exponential(word));
    f64::from_bits(size.to_bits() | word << 63)
}
