//! MPFR as an independent oracle (feature `mpfr`): its directed roundings must lie in our enclosures, at every end and point tried.
#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![cfg(feature = "mpfr")]

use numeric::{BigInterval, Field, Interval, Ordered, Real, Surd, with_precision};
use rug::Float;
use rug::float::Round;

const POINTS: usize = 20_000;
/// Points at which the pure-Rust high-precision layer is compared, at the precision named.
const HIGH_POINTS: usize = 300;
const HIGH_BITS: u32 = 200;

mod source;

use source::Source;

impl Source {
    fn below(&mut self, high: f64) -> f64 {
        let word = self.word();
        let unit = (word >> 11) as f64 / (1_u64 << 53) as f64;
        match word % 4 {
            0 => f64::from_bits(self.word()),
            1 => unit * high,
            2 => -unit * high,
            _ => (unit - 0.5) * 2.0_f64.powi((word >> 3) as i32 % 60 - 30),
        }
    }
}

/// The exact value lies between MPFR's two roundings to 200 bits, so an enclosure must meet that range, and contain the value rounded either way
/// to doubles only if it is the value itself: we ask for lower end <= upper rounding and upper end >= lower rounding, and at most two ulps of width.
fn compare(name: &str, seed: u64, high: f64, ours: fn(Interval) -> Interval, theirs: fn(Float) -> Float) {
    let mut source = Source(seed);
    let mut tried = 0;
    while tried < POINTS {
        let x = source.below(high);
        if !x.is_finite() {
            continue;
        }
        tried += 1;
        let y = ours(Interval::point(x));
        if y.is_empty() || !y.is_defined() {
            let value = theirs(Float::with_val(200, x));
            assert!(value.is_nan() || value.is_infinite(), "{name}({x:e}): MPFR has {value}");
            continue;
        }
        // 200 bits: the nearest value is within 2^-199 relative of the true one; the ends are doubles, so the comparison is decided far above that.
        let value = theirs(Float::with_val(200, x));
        let (down, up) = (value.to_f64_round(Round::Down), value.to_f64_round(Round::Up));
        assert!(y.lo() <= down && up <= y.hi(), "{name}({x:e}): {y:?} misses [{down:e}, {up:e}]");
    }
}

/// Big intervals at 200 bits hold MPFR's value at 400 bits, moved by its own possible error.
fn compare_high(name: &str, seed: u64, high: f64, ours: fn(BigInterval) -> BigInterval, theirs: fn(Float) -> Float) {
    let mut source = Source(seed + 1_000);
    for _ in 0..HIGH_POINTS {
        let x = source.below(high);
        if !x.is_finite() {
            continue;
        }
        let y = with_precision(HIGH_BITS, || ours(BigInterval::from_interval(&Interval::point(x)))).unwrap();
        // Exponents beyond MPFR's own range come back as 0 or infinity there; beyond 100,000 bits a number is too long to be written out.
        let value = theirs(Float::with_val(400, x));
        if y.is_empty() || !y.is_defined() || value.get_exp().is_none_or(|exponent| exponent.abs() > 100_000) {
            continue;
        }
        let exact = |value: &Float| value.to_rational().map(|q| numeric::Rational::from_big(big(q.numer()), big(q.denom())));
        let slack = Float::with_val(400, value.clone().abs() >> 390);
        let (low, high) = (exact(&Float::with_val(420, &value - &slack)).unwrap(), exact(&Float::with_val(420, &value + &slack)).unwrap());
        assert!(!y.intersect(&BigInterval::between(&low, &high)).is_empty(), "{name}({x:e}): {y:?} misses {value}");
    }
}

fn big(value: &rug::Integer) -> num_bigint::BigInt {
    value.to_string().parse().unwrap()
}

/// The same closure for both of our layers.
macro_rules! compare {
    ($name:expr, $seed:expr, $high:expr, $ours:expr, $theirs:expr) => {
        compare($name, $seed, $high, $ours, $theirs);
        compare_high($name, $seed, $high, $ours, $theirs);
    };
}

#[test]
fn elementary_functions() {
    compare!("exp", 1, 700.0, |x| x.exp(), Float::exp);
    compare!("expm1", 2, 40.0, |x| x.exp_m1(), Float::exp_m1);
    compare!("ln", 3, 1e6, |x| x.ln(), Float::ln);
    compare!("ln1p", 4, 1e6, |x| x.ln_1p(), Float::ln_1p);
    compare!("log2", 5, 1e6, |x| x.log2(), Float::log2);
    compare!("sqrt", 6, 1e6, |x| x.sqrt(), Float::sqrt);
    compare!("cbrt", 7, 1e6, |x| x.cbrt(), Float::cbrt);
    compare!("sin", 8, 100.0, |x| x.sin(), Float::sin);
    compare!("cos", 9, 100.0, |x| x.cos(), Float::cos);
    compare!("tan", 10, 100.0, |x| x.tan(), Float::tan);
    compare!("atan", 11, 100.0, |x| x.atan(), Float::atan);
    compare!("sinh", 12, 700.0, |x| x.sinh(), Float::sinh);
    compare!("cosh", 13, 700.0, |x| x.cosh(), Float::cosh);
    compare!("tanh", 14, 20.0, |x| x.tanh(), Float::tanh);
    compare!("cube", 15, 1e6, |x| x.powi(3), |x| Float::with_val(400, &x * &x) * x);
}

#[test]
fn special_functions() {
    compare!("erf", 20, 6.0, |x| x.erf(), Float::erf);
    compare!("erfc", 21, 27.0, |x| x.erfc(), Float::erfc);
    compare!("normal cdf", 22, 37.0, |x| x.normal_cdf(), |x| (-x / Float::with_val(200, 2).sqrt()).erfc() / 2);
    compare!("gamma", 23, 170.0, |x| x.gamma(), Float::gamma);
    compare!("ln gamma", 24, 1e6, |x| x.ln_gamma(), |x| x.ln_abs_gamma().0);
}
