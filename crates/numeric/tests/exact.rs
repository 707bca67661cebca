//! Exact scalars against num-rational, integer square roots, and cases where floats go wrong.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use numeric::{Field, Ordered, QuadraticSurd, Rational, Rounding, Surd, Truth};
use std::cmp::Ordering;

mod source;

use source::Source;

impl Source {
    fn integer(&mut self) -> i128 {
        let (a, b) = (self.word(), self.word());
        let wide = (i128::from(a as i64) << 64) | i128::from(b);
        match self.word() % 8 {
            0 => i128::from(a as i64 % 10),
            1 => i128::from(a as i64 % 1000),
            2 => i128::from(a as i64),
            3 => [i128::MAX, i128::MIN, i128::from(i64::MAX), i128::from(i64::MIN), i128::MAX - 1, 1 << 64, 0, 1][b as usize % 8],
            4 => i128::from(a as i32),
            5 => wide >> (b % 100),
            _ => wide,
        }
    }
}

fn big(value: &Rational) -> BigRational {
    BigRational::new(value.numer(), value.denom())
}

#[test]
fn arithmetic_agrees_with_big_rationals_at_every_size() {
    let mut source = Source(0x1234_5678_9abc_def1);
    for _ in 0..100_000 {
        let (a, b, c, d) = (source.integer(), source.integer(), source.integer(), source.integer());
        let (x, y) = (Rational::from_i128(a, b), Rational::from_i128(c, d));
        if b == 0 || d == 0 {
            assert!(!(&x + &y).is_defined());
            continue;
        }
        let (p, q) = (BigRational::new(a.into(), b.into()), BigRational::new(c.into(), d.into()));
        assert_eq!(big(&(&x + &y)), &p + &q, "{x} + {y}");
        assert_eq!(big(&(&x - &y)), &p - &q, "{x} - {y}");
        assert_eq!(big(&(&x * &y)), &p * &q, "{x} * {y}");
        if q.is_zero() {
            assert!(!(&x / &y).is_defined());
        } else {
            assert_eq!(big(&(&x / &y)), &p / &q, "{x} / {y}");
        }
        assert_eq!(x.cmp_exact(&y), Some(p.cmp(&q)));
        assert_eq!(x == y, p == q);
        assert_eq!(BigRational::from_integer(x.floor_big()), p.floor());
        assert_eq!(big(&(-x.clone())), -p.clone());
        assert_eq!(big(&x.abs()), p.abs());
        assert_eq!(x.to_string().parse::<Rational>(), Ok(x));
    }
}

#[test]
fn equal_numbers_have_equal_representations_and_hashes() {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    let hash = |value: &Rational| BuildHasherDefault::<DefaultHasher>::default().hash_one(value);
    // Through big integers and back.
    let huge = Rational::from_i128(i128::MAX, 1);
    let back = (huge.clone() * huge.clone()) / huge.clone();
    assert_eq!((back.clone(), hash(&back)), (huge.clone(), hash(&huge)));
    assert_eq!(hash(&Rational::new(2, -4)), hash(&Rational::new(-1, 2)));
}

#[test]
fn undefined_spreads_and_decides_nothing() {
    let undefined = Rational::new(1, 0);
    let one = Rational::from(1);
    for value in
        [&undefined + &one, &undefined * &Rational::from(0), one.clone() / Rational::from(0), -undefined.clone(), undefined.abs(), undefined.floor()]
    {
        assert!(!value.is_defined());
        assert_eq!((Ordered::le(&value, &one), Ordered::lt(&one, &value), value.equals(&value)), (Truth::Unknown, Truth::Unknown, Truth::Unknown));
        assert_ne!(value, value.clone());
    }
}

#[test]
fn floats_convert_exactly_and_round_as_asked() {
    let mut source = Source(77);
    for index in 0..100_000 {
        let x = match index {
            0 => f64::MAX,
            1 => f64::from_bits(1),
            2 => -f64::MIN_POSITIVE,
            3 => 0.0,
            _ => f64::from_bits(source.word()),
        };
        let Some(exact) = Rational::from_f64(x) else {
            assert!(!x.is_finite());
            continue;
        };
        assert_eq!((exact.to_f64_down(), exact.to_f64_up(), exact.to_f64_nearest()), (x, x, x));
        // Between two neighbours the directed conversions give them.
        let above = x.next_up();
        if let Some(next) = Rational::from_f64(above) {
            let third = &exact + &((&next - &exact) / Rational::from(3));
            if x != 0.0 || above != 0.0 {
                assert_eq!((third.to_f64_down(), third.to_f64_up()), (x, above), "{x:e}");
            }
        }
    }
    let beyond = Rational::from_f64(f64::MAX).unwrap() * Rational::from(2);
    assert_eq!((beyond.to_f64_down(), beyond.to_f64_up()), (f64::MAX, f64::INFINITY));
    assert_eq!(Rational::from_f64(f64::NAN).is_none(), Rational::from_f64(f64::INFINITY).is_none());
}

/// A surd's value times 10^digits, rounded down, by integer square roots of the whole: independent of the library's own way.
fn scaled_floor(p: i64, q: i64, r: i64, digits: u32) -> (BigInt, BigInt) {
    let scale = BigInt::from(10).pow(digits);
    let inside = BigInt::from(q) * q * r * &scale * &scale;
    let root = inside.sqrt();
    let exact = &root * &root == inside;
    let base = BigInt::from(p) * &scale;
    // q sqrt(r) is in [root, root + 1] or its mirror image.
    if q >= 0 { (&base + &root, &base + &root + u32::from(!exact)) } else { (&base - &root - u32::from(!exact), base - root) }
}

#[test]
fn surds_compare_exactly() {
    let mut source = Source(4242);
    let mut small = |bound: u64| (source.word() >> 20) as i64 % bound as i64;
    let mut equal = 0;
    for case in 0..100_000 {
        let (p, mut q, r) = (small(40) - 20, small(20) - 10, small(50));
        let (mut s, t, mut u) = (small(40) - 20, small(20) - 10, small(50));
        // Every fourth pair has radicands with a square ratio, so that equalities occur.
        if case % 4 == 0 {
            u = r * 4;
        }
        if case % 16 == 0 {
            (s, q) = (p, 2 * t);
        }
        let surd = |a: i64, b: i64, c: i64| QuadraticSurd::new(a.into(), b.into(), c.into());
        let (x, y) = (surd(p, q, r), surd(s, t, u));
        let ((low_x, high_x), (low_y, high_y)) = (scaled_floor(p, q, r, 60), scaled_floor(s, t, u, 60));
        // Numbers of this size that differ, differ by more than 1e-40 (their difference is an algebraic number of degree at most 4 and height below 1e8).
        let expected = if high_x < low_y {
            Ordering::Less
        } else if high_y < low_x {
            Ordering::Greater
        } else {
            equal += 1;
            Ordering::Equal
        };
        assert_eq!(x.cmp_exact(&y), Some(expected), "{x} against {y}");
        let sign = if low_x > BigInt::zero() {
            1
        } else if high_x < BigInt::zero() {
            -1
        } else {
            0
        };
        assert_eq!(x.signum(), Some(sign), "{x}");
    }
    assert!(equal > 5_000, "{equal}");
}

#[test]
fn surd_arithmetic_stays_exact() {
    let surd = |p: i64, q: i64, r: i64| QuadraticSurd::new(p.into(), q.into(), r.into());
    let x = surd(1, 2, 3);
    // (1 + 2 sqrt 3)^2 = 13 + 4 sqrt 3; 1/(1 + 2 sqrt 3) = (2 sqrt 3 - 1)/11
    assert!(x.square().equals(&surd(13, 4, 3)).is_true());
    assert!((QuadraticSurd::one() / x.clone()).equals(&QuadraticSurd::new(Rational::new(-1, 11), Rational::new(2, 11), 3.into())).is_true());
    assert!((x.clone() * surd(1, -2, 3)).as_rational() == Some(&Rational::from(-11)));
    assert!((surd(0, 1, 2) + surd(0, 1, 8)).equals(&surd(0, 3, 2)).is_true());
    assert!((surd(0, 1, 2) * surd(0, 1, 3)).equals(&surd(0, 1, 6)).is_true());
    assert!(!(surd(0, 1, 2) + surd(0, 1, 3)).is_defined(), "two independent radicals are not of this form");
    assert!(surd(0, 1, 2).lt(&surd(0, 1, 3)).is_true(), "but they compare");
    assert!(!QuadraticSurd::from(-1).sqrt().is_defined() && !x.sqrt().is_defined());
    assert_eq!(QuadraticSurd::from(Rational::new(9, 4)).sqrt().as_rational(), Some(&Rational::new(3, 2)));
    // sqrt 2 = 1.41421356237309504880168872420969807856967187537694..
    let root = QuadraticSurd::from(2).sqrt();
    assert_eq!(root.to_decimal(40, Rounding::Down), "1.414213562373095048801688724209698078569");
    assert_eq!(root.to_decimal(40, Rounding::Up), "1.414213562373095048801688724209698078570");
    assert_eq!((root.floor().as_rational().cloned(), (-root.clone()).floor().as_rational().cloned()), (Some(1.into()), Some((-2).into())));
    let (low, high) = root.enclose_f64();
    assert_eq!(high, low.next_up());
    assert_eq!((x.to_string(), surd(0, -1, 2).to_string()), ("1 + 2*sqrt(3)".to_owned(), "-sqrt(2)".to_owned()));
}

#[test]
fn known_hard_cases() {
    let r = |p, q| Rational::new(p, q);
    // Rump's polynomial at (77617, 33096): doubles give about 1e21, the value is -54767/66192.
    fn rump<S: Field>(x: S, y: S) -> S {
        let (x2, c) = (x.square(), |p, q| S::ratio(p, q));
        c(1335, 4) * y.powi(6)
            + x2.clone() * (c(11, 1) * x2 * y.square() - y.powi(6) - c(121, 1) * y.powi(4) - c(2, 1))
            + c(11, 2) * y.powi(8)
            + x / (c(2, 1) * y)
    }
    assert_eq!(rump(r(77617, 1), r(33096, 1)), r(-54767, 66192));
    // Muller's recurrence tends to 100 in floats, to 6 exactly: x_n = (6^(n+1) + 5^(n+1))/(6^n + 5^n).
    let (mut a, mut b) = (r(11, 2), r(61, 11));
    for n in 2..60_u32 {
        let next = r(111, 1) - (r(1130, 1) - r(3000, 1) / a.clone()) / b.clone();
        (a, b) = (b, next);
        let power = |base: i64, n| Rational::from(base).powi(n);
        assert_eq!(b, (power(6, n + 1) + power(5, n + 1)) / (power(6, n) + power(5, n)));
    }
    let huge = Rational::from(10).powi(60);
    assert_eq!(huge.clone() + Rational::from(1) - huge, Rational::from(1));
    // Harmonic sums in both orders are the same number.
    let (up, down) = (1..=200).fold((r(0, 1), r(0, 1)), |(up, down), k| (up + r(1, k), down + r(1, 201 - k)));
    assert_eq!(up, down);
}
