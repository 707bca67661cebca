//! Public failing cases, from a data file.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use numeric::{
    BigInterval, Field, Interval, Ordered, Rational, Real, Rounding, Surd, Truth, binomial_quantile, binomial_tails, clopper_pearson, with_precision,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Table {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    check: String,
    source: String,
    input: String,
    expected: String,
}

fn interval(lo: f64, hi: f64) -> Interval {
    Interval::new(lo, hi).unwrap()
}

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

fn passes(check: &str) -> bool {
    match check {
        "square_of_a_tenth" => {
            let x = Interval::point(0.1);
            let exact = Rational::from_f64(0.1).unwrap().square();
            let gap = Rational::from_f64(0.1 * 0.1).unwrap() - exact.clone();
            // The rounding error as published, to its 17 digits.
            let published = (gap - q("8.3266726846886740e-19")).abs() < q("1e-34");
            published && [x * x, x.square()].iter().all(|y| y.width() > 0.0 && y.contains_rational(&exact) && y.lo() < 0.1 * 0.1)
        }
        "cube_of_a_half_line" => {
            let cube = interval(f64::NEG_INFINITY, -1e308).powi(3);
            (cube.lo(), cube.hi()) == (f64::NEG_INFINITY, -f64::MAX)
        }
        "square_of_a_negative_power" => {
            let x = Interval::from_rational(&q("-3.325")).hull(&Interval::from_rational(&q("-1.325")));
            let y = x.pow_integer(-3).square();
            // The published ends are rounded; the exact ones are 3.325^-6 and 1.325^-6.
            let (low, high) = (q("3.325").powi(6).recip(), q("1.325").powi(6).recip());
            let published = (low.clone() - q("7.400313e-4")).abs() < q("1e-10") && (high.clone() - q("0.18480118")).abs() < q("1e-8");
            published && y.contains_rational(&low) && y.contains_rational(&high) && y.contains(0.006_331_864_446_927_654) && y.width() < 0.18407
        }
        "unbounded_product" => {
            let x = interval(-1.0, f64::INFINITY);
            (x * x).hi() == f64::INFINITY && (x * x).contains(10_000.0)
        }
        "negative_zero" => {
            let zero = interval(-0.0, 0.0);
            let negated = -Interval::zero();
            zero.lo().is_sign_positive()
                && negated.lo().is_sign_positive()
                && negated.hi().is_sign_positive()
                && (zero.lo() == 0.0) == (zero.hi() == 0.0)
        }
        "pole_at_an_end" => {
            let (p, z) = (interval(0.0, 1.0), interval(0.0, 25.0));
            let e = p / (Interval::one() - p) + z;
            let again = e;
            let difference = e - again;
            !difference.is_defined() && Interval::zero().lt(&difference) == Truth::Unknown
        }
        "odd_power_of_negatives" => {
            let side = interval(-2.0, 2.0);
            let at = Interval::zero().square() + Interval::from_i64(-1).powi(3);
            (side.square() + side.powi(3)).contains(-1.0) && at.lt(&Interval::zero()).is_true()
        }
        "cancellation" => {
            let x = Interval::point(1e16);
            (x + Interval::one() - x).contains(1.0)
        }
        "one_minus_cosine" => {
            let x = Interval::from_rational(&q("1e-5"));
            ((Interval::one() - x.cos()) / x.square()).contains_rational(&q("0.49999999999583333333"))
        }
        "tiny_exponentials" => {
            let x = Interval::point(1e-20);
            let inside = |y: Interval, lo: f64, hi: f64| y.is_subset(&interval(lo, hi)) && y.is_defined();
            inside(x.exp_m1(), 1e-20_f64.next_down(), 1e-20_f64.next_up().next_up()) && inside(x.ln_1p(), 1e-20_f64.next_down(), 1e-20_f64.next_up())
        }
        "rational_overflow" => (Rational::new(1, 3_000_000_000) / Rational::from(3_080_000_000_i64)).to_string() == "1/9240000000000000000",
        "binomial_half" => {
            let upper = binomial_tails(2_000_000_000, 999_999_999, &Rational::new(1, 2)).unwrap().upper;
            upper.to_decimal(16) == "0.5000089206205796"
        }
        "log_normal_cdf" => {
            let value = |at: BigInterval| at.normal_cdf().ln().to_decimal(17);
            // Near 1 the logarithm keeps its digits only if the distribution function has them.
            value(BigInterval::ratio(11, 2)) == "-1.8989562646189462e-8"
        }
        "hypergeometric_cancellation" => {
            // The series ends after 1,000 terms and is summed exactly.
            let (mut term, mut sum) = (Rational::from(1), Rational::from(1));
            for k in 0..1000 {
                term = term * Rational::new((1000 + k) * (k - 1000), 2 * (2000 + k) * (k + 1));
                sum = sum + term.clone();
            }
            sum.to_decimal(15, Rounding::Nearest) == "2.30704833489523e-114"
        }
        "binomial_median" => binomial_quantile(2, &q("0.05"), &q("0.5")) == Ok(0),
        "clopper_pearson_none" => clopper_pearson(0, 1000, &q("1e-7")).unwrap().upper.to_decimal(12) == "0.0166707224315",
        "renyi_near_one" => {
            let (p, alpha) = (BigInterval::ratio(3, 4), BigInterval::from_rational(&q("1.00000001")));
            let (one, rest) = (BigInterval::one(), BigInterval::ratio(1, 4));
            let power = |a: &BigInterval, b: &BigInterval| a.pow(&alpha) * b.pow(&(one.clone() - alpha.clone()));
            let divergence = (power(&p, &rest) + power(&rest, &p)).ln() / (alpha.clone() - one.clone());
            let gap = divergence.clone() - BigInterval::from_i64(3).ln() / BigInterval::from_i64(2);
            // The order is above 1, so the divergence is, too, by about 1e-8 times half a variance below 1.
            BigInterval::zero().lt(&gap).is_true() && gap.lt(&BigInterval::from_rational(&q("1e-8"))).is_true()
        }
        "truncated_normal_mean" => {
            let (low, high) = (BigInterval::ratio(21, 4), BigInterval::from_i64(1_000_000));
            let density = |x: &BigInterval| (-x.square() / BigInterval::from_i64(2)).exp() / (BigInterval::from_i64(2) * BigInterval::pi()).sqrt();
            let mean = (density(&low) - density(&high)) / ((-low).normal_cdf() - (-high).normal_cdf());
            mean.to_decimal(7) == "5.428655"
        }
        "muller" => {
            fn at<S: Field>(steps: u32) -> S {
                let (mut z, mut y) = (S::from_i64(4), S::ratio(17, 4));
                for _ in 0..steps {
                    let x = S::from_i64(108) - (S::from_i64(815) - S::from_i64(1500) / z) / y.clone();
                    (z, y) = (y, x);
                }
                y
            }
            let exact: Rational = at(30);
            let fine = with_precision(1_000, || at::<BigInterval>(30)).unwrap();
            let coarse: Interval = at(30);
            let near_five = (exact.clone() - Rational::from(5)).abs() < Rational::new(1, 50);
            near_five && fine.contains_rational(&exact) && fine.accuracy_bits() > 500 && (coarse.contains_rational(&exact) || !coarse.is_defined())
        }
        other => panic!("no check '{other}'"),
    }
}

#[test]
fn public_failing_cases_come_out_right() {
    let table: Table = toml::from_str(include_str!("data/cases.toml")).unwrap();
    assert_eq!(table.case.len(), 19);
    for case in table.case {
        assert!(passes(&case.check), "{} ({}): expected {}", case.input, case.source, case.expected);
    }
}

#[test]
fn bad_ends_are_typed_errors() {
    use numeric::IntervalError::{Infinite, NotANumber, Reversed};
    assert!(matches!(Interval::new(f64::NAN, 1.0), Err(NotANumber { .. })));
    assert!(matches!(Interval::new(2.0, 1.0), Err(Reversed { lo, hi }) if (lo, hi) == (2.0, 1.0)));
    assert!(matches!(Interval::new(f64::INFINITY, f64::INFINITY), Err(Infinite { .. })));
    assert!(!Interval::point(f64::NAN).is_defined() && !Interval::point(f64::INFINITY).is_defined());
    assert!(Interval::EMPTY.is_empty() && (Interval::EMPTY + Interval::WHOLE).is_empty());
    assert_eq!(Interval::EMPTY.le(&Interval::WHOLE), Truth::Unknown);
}
