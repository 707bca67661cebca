//! Big intervals: known digits, containment of the double layer, identities, refinement with precision.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use numeric::{BigInterval, Dual, Field, Interval, Ordered, Rational, Real, Surd, Taylor, Truth, with_precision};

mod source;

use source::Source;

type Function = (&'static str, fn(&BigInterval) -> BigInterval, fn(&Interval) -> Interval);

const FUNCTIONS: [Function; 18] = [
    ("exp", BigInterval::exp, Interval::exp),
    ("exp_m1", BigInterval::exp_m1, Interval::exp_m1),
    ("ln", BigInterval::ln, Interval::ln),
    ("ln_1p", BigInterval::ln_1p, Interval::ln_1p),
    ("log2", BigInterval::log2, Interval::log2),
    ("sqrt", BigInterval::sqrt, Interval::sqrt),
    ("cbrt", BigInterval::cbrt, Interval::cbrt),
    ("sin", BigInterval::sin, Interval::sin),
    ("cos", BigInterval::cos, Interval::cos),
    ("tan", BigInterval::tan, Interval::tan),
    ("atan", BigInterval::atan, Interval::atan),
    ("sinh", BigInterval::sinh, Interval::sinh),
    ("cosh", BigInterval::cosh, Interval::cosh),
    ("tanh", BigInterval::tanh, Interval::tanh),
    ("erf", BigInterval::erf, Interval::erf),
    ("erfc", BigInterval::erfc, Interval::erfc),
    ("normal_cdf", BigInterval::normal_cdf, Interval::normal_cdf),
    ("ln_gamma", BigInterval::ln_gamma, Interval::ln_gamma),
];

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

fn big(text: &str) -> BigInterval {
    BigInterval::from_rational(&q(text))
}

/// Moderate doubles and a share of extreme ones.
fn float(source: &mut Source) -> f64 {
    loop {
        let word = source.word();
        let x = match word % 8 {
            0 => f64::from_bits(source.word()),
            1 => (word >> 32) as f64 / 64.0 - 1e6,
            2 => f64::from((word >> 8) as i32 % 64) / 4.0,
            _ => ((word >> 11) as f64 / (1_u64 << 53) as f64 - 0.5) * 2_f64.powi((word >> 3) as i32 % 24 - 16),
        };
        if x.is_finite() {
            return x;
        }
    }
}

/// At 200 bits every function's enclosure lies in the double one (whose ends are its two neighbours or it) and has at least 190 good bits; at 300 bits
/// it lies in that of 200.
#[test]
fn the_two_layers_agree_and_more_bits_refine() {
    for (index, (name, high, low)) in FUNCTIONS.into_iter().enumerate() {
        let mut source = Source(0x5eed + index as u64);
        for _ in 0..400 {
            let x = float(&mut source);
            let wide = low(&Interval::point(x));
            let at = BigInterval::from_interval(&Interval::point(x));
            let first = with_precision(200, || high(&at)).unwrap();
            if wide.is_empty() {
                assert!(first.is_empty(), "{name}({x:e}): {first:?}");
                continue;
            }
            assert_eq!(wide.is_defined(), first.is_defined(), "{name}({x:e}): {wide:?} {first:?}");
            if !wide.is_defined() {
                continue;
            }
            assert!(first.is_subset(&BigInterval::from_interval(&wide)), "{name}({x:e}): {first:?} not in {wide:?}");
            let second = with_precision(300, || high(&at)).unwrap();
            // The finer one lies in the coarser, but for its own last bits (a kernel's error bound may pass an end that was exact).
            let slack = first.abs() * BigInterval::ratio(1, 2).powi(280);
            assert!(
                second.is_subset(&with_precision(600, || (first.clone() + slack.clone()).hull(&(first.clone() - slack))).unwrap()),
                "{name}({x:e}): {second:?} not in {first:?}"
            );
            let small_enough = x.abs() < 1e9 || matches!(name, "ln" | "ln_1p" | "log2" | "sqrt" | "cbrt" | "atan" | "ln_gamma");
            if small_enough && first.is_bounded() && !first.contains_rational(&Rational::from(0)) {
                assert!(first.accuracy_bits() >= 190, "{name}({x:e}): only {} bits: {first:?}", first.accuracy_bits());
            }
        }
    }
}

/// Digits from mpmath 1.3 at 80 digits (`mp.dps = 80`), truncated: an implementation of its own.
#[test]
fn known_digits() {
    let at = |x: &str, f: fn(&BigInterval) -> BigInterval| with_precision(256, || f(&big(x)).to_decimal(60)).unwrap();
    for (x, name, expected) in include!("data/digits.rs") {
        let f = FUNCTIONS.iter().find(|f| f.0 == name).map_or(BigInterval::gamma as fn(&BigInterval) -> BigInterval, |f| f.1);
        assert_eq!(at(x, f), expected, "{name}({x})");
    }
    let text = |value: BigInterval| value.to_decimal(60);
    assert_eq!(with_precision(256, || text(BigInterval::pi())).unwrap(), "3.14159265358979323846264338327950288419716939937510582097494");
    // Hundreds of digits: the last ten of the first 300 decimals.
    let pi = with_precision(1_200, || BigInterval::pi().to_decimal(301)).unwrap();
    assert!(pi.ends_with("0249141273"), "{pi}");
}

#[test]
fn sets_and_poles() {
    let interval = |lo: &str, hi: &str| BigInterval::between(&q(lo), &q(hi));
    // A product, a power and a quotient of sets that change sign.
    let x = interval("-3", "2");
    assert!((x.clone() * x.clone()).is_subset(&interval("-6", "9")) && x.square().lo_rational() == Some(q("0")));
    assert_eq!((x.powi(3).lo_rational(), x.powi(3).hi_rational()), (Some(q("-27")), Some(q("8"))));
    assert!(!(BigInterval::one() / x.clone()).is_defined() && !(BigInterval::one() / x.clone()).is_bounded());
    assert!(!BigInterval::zero().ln().is_defined() && BigInterval::zero().ln().is_empty());
    assert!(!interval("-1", "1").ln().is_defined() && !interval("-1", "1").sqrt().is_defined());
    assert!(interval("-2", "-1").sqrt().is_empty());
    // Turning points.
    let wave = interval("1", "2").sin();
    assert!(wave.hi_rational() == Some(q("1")) && wave.contains_rational(&q("0.8415")));
    assert_eq!(interval("0", "10").cos().lo_rational(), Some(q("-1")));
    assert!(!interval("1", "2").tan().is_defined() && interval("-1", "1").tan().is_bounded());
    assert!(!BigInterval::zero().gamma().is_defined() && !interval("-3", "-2").gamma().is_defined());
    let valley = interval("1", "2").gamma();
    assert!(valley.hi_rational() == Some(q("1")) && valley.contains_rational(&q("0.88560319441088870027881590058258873320795153366990344")));
    assert!(valley.lo_rational().unwrap() > q("0.8856031944108887002788159005"));
    // Far tails and huge arguments stay honest.
    let (huge, tiny) = (big("1e300").exp(), big("-1e300").exp());
    assert!(!huge.is_bounded(), "{huge:?}");
    assert!(!huge.contains_rational(&q("1e9999")) && huge.lo_rational().is_none());
    assert!(tiny.contains_rational(&q("0")) && tiny.lt(&big("1e-9999")).is_true() && !tiny.contains_rational(&q("1e-9999")));
    assert_eq!(BigInterval::empty().le(&BigInterval::one()), Truth::Unknown);
    // An absurd precision is refused, and a scope gives back what it found.
    assert!(with_precision(0, || ()).is_err() && with_precision(1, || ()).is_err() && with_precision(100_000, || ()).is_err());
    let outer = with_precision(64, || {
        let inner = with_precision(512, BigInterval::pi).unwrap();
        (inner.accuracy_bits(), BigInterval::pi().accuracy_bits())
    });
    assert!(matches!(outer, Ok((500..=520, 56..=70))), "{outer:?}");
}

#[test]
fn identities() {
    let mut source = Source(9);
    let meet = |name: &str, x: f64, a: BigInterval, b: BigInterval| assert!(!a.intersect(&b).is_empty(), "{name} at {x:e}: {a:?} {b:?}");
    for _ in 0..300 {
        let value = float(&mut source);
        if value.abs() > 1e6 {
            continue;
        }
        with_precision(400, || {
            let x = BigInterval::from_interval(&Interval::point(value));
            let one = BigInterval::one();
            meet("exp(x) exp(-x) = 1", value, x.exp() * (-x.clone()).exp(), one.clone());
            meet("sin^2 + cos^2 = 1", value, x.sin().square() + x.cos().square(), one.clone());
            meet("sin 2x", value, (x.clone() + x.clone()).sin(), BigInterval::from_i64(2) * x.sin() * x.cos());
            meet("tan atan", value, x.atan().tan(), x.clone());
            meet("erf + erfc = 1", value, x.erf() + x.erfc(), one.clone());
            meet("cosh^2 - sinh^2 = 1", value, x.cosh().square() - x.sinh().square(), one.clone());
            meet("normal cdf", value, x.normal_cdf() + (-x.clone()).normal_cdf(), one.clone());
            meet("cbrt^3", value, x.cbrt().powi(3), x.clone());
            if value > 0.0 {
                meet("exp ln", value, x.ln().exp(), x.clone());
                meet("ln gamma(x+1) = ln gamma(x) + ln x", value, (x.clone() + one.clone()).ln_gamma(), x.ln_gamma() + x.ln());
                meet("x^(3/2)", value, x.pow(&BigInterval::ratio(3, 2)), x.sqrt() * x.clone());
                // The reflection and the duplication formula.
                let half = BigInterval::ratio(1, 2);
                let two = BigInterval::from_i64(2);
                let left = x.ln_gamma() + (x.clone() + half.clone()).ln_gamma();
                let right = (one.clone() - two.clone() * x.clone()) * two.ln() + half * BigInterval::pi().ln() + (two * x.clone()).ln_gamma();
                meet("duplication", value, left, right);
            }
            if value.fract() != 0.0 && value.abs() < 100.0 {
                meet("reflection", value, x.gamma() * (one - x.clone()).gamma(), BigInterval::pi() / (BigInterval::pi() * x).sin());
            }
        })
        .unwrap();
    }
}

/// First and second derivatives of every function three ways: dual numbers over dual numbers (of doubles and of 128 bits), and Taylor coefficients.
#[test]
fn second_derivatives_agree() {
    // A derivative that is constant has no gradient of its own.
    fn second<S: Field>(x: &Dual<Dual<S>>) -> S {
        x.gradient()[0].gradient().first().cloned().unwrap_or_else(S::zero)
    }
    macro_rules! compare {
        ($name:expr, $at:expr, $f:expr) => {{
            let at = q($at);
            let double = Interval::from_rational(&at);
            let nested = $f(Dual::variable(Dual::variable(double, 0, 1), 0, 1));
            let fine = $f(Dual::variable(Dual::variable(BigInterval::from_rational(&at), 0, 1), 0, 1));
            let series = $f(Taylor::variable(BigInterval::from_rational(&at), 2));
            let pairs = [
                (nested.value().value(), fine.value().value(), series.coefficient(0)),
                (nested.gradient()[0].value(), fine.gradient()[0].value(), series.coefficient(1)),
                (&second(&nested), &second(&fine), series.coefficient(2) + series.coefficient(2)),
            ];
            for (order, (coarse, dual, taylor)) in pairs.into_iter().enumerate() {
                assert!(coarse.is_defined() && dual.is_defined() && taylor.is_defined(), "{} order {order}", $name);
                assert!(!dual.intersect(&taylor).is_empty(), "{} order {order}: {dual:?} and {taylor:?}", $name);
                assert!(!BigInterval::from_interval(coarse).intersect(&taylor).is_empty(), "{} order {order}: {coarse:?} and {taylor:?}", $name);
                assert!(coarse.width() <= 1e-11 * (1.0 + coarse.mag()), "{} order {order}: {coarse:?}", $name);
            }
        }};
    }
    compare!("exp", "0.7", |x| Real::exp(&x));
    compare!("exp_m1", "0.7", |x| Real::exp_m1(&x));
    compare!("ln", "1.7", |x| Real::ln(&x));
    compare!("ln_1p", "0.7", |x| Real::ln_1p(&x));
    compare!("log2", "1.7", |x| Real::log2(&x));
    compare!("sqrt", "1.7", |x| Surd::sqrt(&x));
    compare!("cbrt", "1.7", |x| Real::cbrt(&x));
    compare!("sin", "0.7", |x| Real::sin(&x));
    compare!("cos", "0.7", |x| Real::cos(&x));
    compare!("tan", "0.7", |x| Real::tan(&x));
    compare!("atan", "0.7", |x| Real::atan(&x));
    compare!("sinh", "0.7", |x| Real::sinh(&x));
    compare!("cosh", "0.7", |x| Real::cosh(&x));
    compare!("tanh", "0.7", |x| Real::tanh(&x));
    compare!("erf", "0.7", |x| Real::erf(&x));
    compare!("erfc", "0.7", |x| Real::erfc(&x));
    compare!("normal_cdf", "0.7", |x| Real::normal_cdf(&x));
    compare!("x^x", "1.7", |x| Real::pow(&x, &x));
    compare!("abs", "-1.7", |x| Ordered::abs(&x));
}

/// From the least precision to a large one, at extreme and moderate points: every enclosure meets the reference of 300 bits and none takes long.
#[test]
fn every_precision_encloses() {
    let mut points = vec![
        5e-324,
        -5e-324,
        f64::MIN_POSITIVE,
        f64::MAX,
        -f64::MAX,
        1.0,
        -1.0,
        2.0,
        1.0_f64.next_up(),
        1.0_f64.next_down(),
        1e-30,
        710.0,
        -745.0,
        37.5,
    ];
    let mut source = Source(31);
    points.extend((0..40).map(|_| float(&mut source)));
    for (name, high, _) in FUNCTIONS {
        for &x in &points {
            let at = BigInterval::from_interval(&Interval::point(x));
            let reference = with_precision(300, || high(&at)).unwrap();
            for bits in [2, 3, 24, 64, 900] {
                let found = with_precision(bits, || high(&at)).unwrap();
                assert_eq!((found.is_empty(), found.is_defined()), (reference.is_empty(), reference.is_defined()), "{name}({x:e}) at {bits} bits");
                if !reference.is_empty() {
                    assert!(!found.intersect(&reference).is_empty(), "{name}({x:e}) at {bits} bits: {found:?} misses {reference:?}");
                }
            }
        }
    }
    // Sets, too: the image of an interval holds the images of its points at any precision.
    for (name, high, _) in FUNCTIONS {
        for pair in points.windows(2) {
            let (a, b) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            let whole = Interval::new(a, b).unwrap();
            for bits in [2, 53, 200] {
                let image = with_precision(bits, || high(&BigInterval::from_interval(&whole))).unwrap();
                for x in [a, whole.mid(), b] {
                    let at = with_precision(300, || high(&BigInterval::from_interval(&Interval::point(x)))).unwrap();
                    if at.is_defined() && !at.is_empty() {
                        assert!(!at.intersect(&image).is_empty(), "{name} on {whole:?} at {bits} bits: {image:?} misses {at:?}");
                    }
                }
            }
        }
    }
}
