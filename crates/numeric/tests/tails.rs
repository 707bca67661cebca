//! Distribution functions, quantiles and confidence limits: known digits, exact sums, symmetries, bad parameters. Integrals and roots.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use numeric::{
    BigInterval, CalculusError, Field, Interval, Ordered, Rational, Real, Surd, TailError, Tails, Univariate, binomial_quantile, binomial_tails,
    chi_square_tails, clopper_pearson, integrate, isolate_roots, normal_tails, refine_root, regularized_beta, regularized_gamma, with_precision,
};
use serde::Deserialize;

mod source;

use source::Source;

#[derive(Deserialize)]
struct Table {
    tail: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    law: String,
    parameters: Vec<String>,
    lower: Option<String>,
    upper: Option<String>,
    source: String,
}

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

fn tails(law: &str, parameters: &[Rational]) -> Result<Tails, TailError> {
    match (law, parameters) {
        ("binomial", [n, k, p]) => binomial_tails(n.to_i128().unwrap() as u64, k.to_i128().unwrap() as i64, p),
        ("beta", [a, b, x]) => regularized_beta(a, b, x),
        ("gamma", [a, x]) => regularized_gamma(a, x),
        ("chi-square", [degrees, x]) => chi_square_tails(degrees, x),
        ("normal", [x]) => Ok(normal_tails(x)),
        other => panic!("no law {other:?}"),
    }
}

#[test]
fn known_digits() {
    let table: Table = toml::from_str(include_str!("data/tails.toml")).unwrap();
    assert_eq!(table.tail.len(), 18);
    for row in table.tail {
        let parameters: Vec<Rational> = row.parameters.iter().map(|text| q(text)).collect();
        let found = tails(&row.law, &parameters).unwrap();
        for (name, value, expected) in [("lower", &found.lower, &row.lower), ("upper", &found.upper, &row.upper)] {
            let Some(expected) = expected else { continue };
            // The text is truncated: the value is within one unit of its last digit above it.
            let (low, unit) = (q(expected), last_unit(expected));
            let shown = format!("{} {:?} {name}: {value:?}, expected {expected} ({})", row.law, row.parameters, row.source);
            assert!(value.is_subset(&BigInterval::between(&low, &(low.clone() + unit))) || value.contains_rational(&low), "{shown}");
            assert!(value.accuracy_bits() > 100, "{shown}: {} bits", value.accuracy_bits());
        }
    }
}

/// One unit of the last digit of a decimal text.
fn last_unit(text: &str) -> Rational {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len() as i64);
    q(&format!("1e{}", exponent.parse::<i64>().unwrap() - decimals))
}

/// P(X <= k) by exact rationals.
fn exact(n: u64, k: u64, p: &Rational) -> Rational {
    let rest = Rational::from(1) - p.clone();
    (0..=k).fold(Rational::from(0), |sum, j| {
        let choose = (0..j).fold(Rational::from(1), |c, i| c * Rational::new((n - i) as i64, i as i64 + 1));
        sum + choose * p.powi(j as u32) * rest.powi((n - j) as u32)
    })
}

#[test]
fn binomial_tails_hold_the_exact_sums() {
    let mut source = Source(3);
    for _ in 0..150 {
        let n = 1 + source.word() % 60;
        let k = source.word() % (n + 1);
        let p = Rational::new((source.word() % 1_001) as i64, 1_000);
        let found = binomial_tails(n, k as i64, &p).unwrap();
        let cdf = exact(n, k, &p);
        assert!(found.lower.contains_rational(&cdf) && found.upper.contains_rational(&(Rational::from(1) - cdf)), "{n} {k} {p}: {found:?}");
    }
    for p in ["0", "1", "1e-300", "1/3"] {
        let p = q(p);
        let (one, zero) = (q("1"), q("0"));
        assert!(binomial_tails(5, -1, &p).unwrap().upper.contains_rational(&one));
        assert!(binomial_tails(5, 5, &p).unwrap().upper.contains_rational(&zero));
        // P(X > 4) = p^5, also at 10^-1500.
        assert!(binomial_tails(5, 4, &p).unwrap().upper.contains_rational(&p.powi(5)));
    }
}

#[test]
fn beta_and_gamma_symmetries() {
    let mut source = Source(4);
    let meet = |a: &BigInterval, b: &BigInterval| !a.intersect(b).is_empty();
    for _ in 0..60 {
        let mut parameter = |low: i64| Rational::new(low + (source.word() % 4_000) as i64, 1 + (source.word() % 64) as i64);
        let (a, b, y) = (parameter(1), parameter(1), parameter(0));
        let x = y.clone() / (y.clone() + Rational::from(7));
        // I_x(a,b) = I_x(a+1,b) + x^a (1-x)^b / (a B(a,b))
        let (first, second) = (regularized_beta(&a, &b, &x).unwrap(), regularized_beta(&(a.clone() + q("1")), &b, &x).unwrap());
        let of = BigInterval::from_rational;
        let one = Rational::from(1);
        if !x.is_zero() {
            let log = of(&a) * of(&x).ln() + of(&b) * of(&(one.clone() - x.clone())).ln() + of(&(a.clone() + b.clone())).ln_gamma()
                - of(&(a.clone() + one.clone())).ln_gamma()
                - of(&b).ln_gamma();
            assert!(meet(&first.lower, &(second.lower + log.exp())), "beta {a} {b} {x}");
            // P(a, y) = P(a+1, y) + y^a e^-y / Gamma(a+1)
            let (first, second) = (regularized_gamma(&a, &y).unwrap(), regularized_gamma(&(a.clone() + one.clone()), &y).unwrap());
            let log = of(&a) * of(&y).ln() - of(&y) - of(&(a.clone() + one)).ln_gamma();
            assert!(meet(&first.lower, &(second.lower.clone() + log.clone().exp())), "gamma {a} {y}: {first:?} {second:?}");
            assert!(meet(&second.upper, &(first.upper + log.exp())), "gamma {a} {y}");
        }
    }
}

#[test]
fn parameters_out_of_range_are_errors() {
    let bad = |found: Result<Tails, TailError>| matches!(found, Err(TailError::Parameter { .. }));
    assert!(bad(binomial_tails(3, 1, &q("1.5"))) && bad(binomial_tails(3, 1, &q("-1/9"))) && bad(binomial_tails(3, 1, &Rational::UNDEFINED)));
    assert!(bad(regularized_beta(&q("0"), &q("1"), &q("1/2"))) && bad(regularized_beta(&q("1"), &q("1"), &q("2"))));
    assert!(bad(regularized_gamma(&q("-1"), &q("1"))) && bad(regularized_gamma(&q("1"), &q("-1"))) && bad(chi_square_tails(&q("0"), &q("1"))));
    let error = clopper_pearson(4, 3, &q("0.05")).unwrap_err();
    assert_eq!(error.to_string(), "k = 4 is not at most n");
    assert!(
        clopper_pearson(0, 0, &q("0.05")).is_err() && clopper_pearson(0, 3, &q("1")).is_err() && binomial_quantile(3, &q("2"), &q("1/2")).is_err()
    );
}

#[test]
fn quantiles_and_limits() {
    // Every quantile of a small law at its own jumps, where an approximate comparison fails.
    let p = q("1/4");
    for k in 0..=12 {
        assert_eq!(binomial_quantile(12, &p, &exact(12, k, &p)), Ok(k));
        assert_eq!(binomial_quantile(12, &p, &(exact(12, k, &p) - q("1e-40"))), Ok(k));
    }
    // SciPy 1.17 beta.ppf(0.025, 7, 44) and beta.ppf(0.975, 8, 43), and mpmath's roots of the exact sums to 30 digits.
    let limits = clopper_pearson(7, 50, &q("0.05")).unwrap();
    assert!(limits.lower.to_decimal(30).starts_with("0.0581917003403720848634708434"), "{:?}", limits.lower);
    assert!(limits.upper.to_decimal(30).starts_with("0.267396002497008437156372684"), "{:?}", limits.upper);
    let all = clopper_pearson(9, 9, &q("0.1")).unwrap();
    // 0.05^(1/9) and 1.
    assert!(all.upper.contains_rational(&q("1")) && all.upper.is_point());
    assert!(!all.lower.intersect(&BigInterval::from_rational(&q("0.05")).pow(&BigInterval::ratio(1, 9))).is_empty());
}

/// Corners at which a series could run for hours or lose a small tail.
#[test]
fn extremes_are_quick_and_relatively_accurate() {
    // n - k = 1: P(X > n - 1) = p^n = exp(n ln p).
    let upper = binomial_tails(2_000_000_000, 1_999_999_999, &q("0.999999999")).unwrap().upper;
    let power = (BigInterval::from_i64(2_000_000_000) * BigInterval::from_rational(&q("-1e-9")).ln_1p()).exp();
    assert!(!upper.intersect(&power).is_empty() && upper.accuracy_bits() > 110, "{upper:?}");
    // P(X > 0) for p = 1e-300: n p to 290 digits.
    let upper = binomial_tails(2_000_000_000, 0, &q("1e-300")).unwrap().upper;
    assert!(
        upper.is_subset(&BigInterval::between(&q("1.9999999999999999999999999999e-291"), &q("2.0000000000000000000000000001e-291"))),
        "{upper:?}"
    );
    // Q(a, x) for a tiny shape is about a E_1(x); E_1(1) = 0.21938393439552027368 (Abramowitz and Stegun, table 5.1).
    let upper = regularized_gamma(&q("1e-300"), &q("1")).unwrap().upper;
    assert!(upper.to_decimal(20).starts_with("2.193839343955202736") && upper.accuracy_bits() > 100, "{upper:?}");
    // A small parameter that is no integer beside a huge one: too many terms between the mean and the end, and said so.
    assert!(matches!(regularized_beta(&q("1e9"), &q("1/2"), &q("0.9999999")), Err(TailError::TooLong { .. })));
    // Clopper-Pearson at a level of 1e-300: P(X >= 3) = C(1000, 3) p^3 (1 + ..) puts the lower limit near (1e-300/2/166167000)^(1/3).
    let limits = clopper_pearson(3, 1000, &q("1e-300")).unwrap();
    let near = (BigInterval::from_rational(&q("1e-300")) / BigInterval::from_i64(332_334_000)).cbrt();
    let ratio = (limits.lower.clone() / near).to_interval();
    assert!(limits.lower.accuracy_bits() > 100 && (ratio.mid() - 1.0).abs() < 1e-12, "{limits:?}");
    // Both limits reproduce their levels.
    let half = q("5e-301");
    let (lower, upper) = (limits.lower.mid().unwrap(), limits.upper.mid().unwrap());
    let close = |value: BigInterval| ((value / BigInterval::from_rational(&half)).to_interval().mid() - 1.0).abs() < 1e-14;
    assert!(close(binomial_tails(1000, 2, &lower).unwrap().upper) && close(binomial_tails(1000, 3, &upper).unwrap().lower));
}

struct Bell;
impl Univariate for Bell {
    fn eval<S: Real>(&self, x: &S) -> S {
        (-x.square()).exp() * (S::from_i64(3) * x.clone()).cos() / (S::one() + x.square())
    }
}

struct Kink;
impl Univariate for Kink {
    fn eval<S: Real>(&self, x: &S) -> S {
        (x.clone() - S::ratio(1, 3)).abs() * x.exp()
    }
}

struct Pole;
impl Univariate for Pole {
    fn eval<S: Real>(&self, x: &S) -> S {
        S::one() / x.clone()
    }
}

struct Steps;
impl Univariate for Steps {
    fn eval<S: Real>(&self, x: &S) -> S {
        x.floor()
    }
}

#[test]
fn integrals_with_their_errors() {
    // mpmath quad at 60 digits.
    let value = integrate(&Bell, &q("0"), &q("4"), 100).unwrap();
    assert!(
        value.contains_rational(&q("0.17906772451234712597816111628529")) || value.to_decimal(28).starts_with("0.179067724512347125978161116"),
        "{value:?}"
    );
    assert!(value.accuracy_bits() >= 96, "{value:?}");
    let value = integrate(&Kink, &q("0"), &q("1"), 60).unwrap();
    assert!(value.to_decimal(17).starts_with("0.551797574019163"), "{value:?}");
    let value = integrate(&Steps, &q("1/2"), &q("7/2"), 40).unwrap();
    // 0 + 1 + 2 + 3/2
    assert!(value.contains_rational(&q("9/2")) && value.accuracy_bits() > 36, "{value:?}");
    assert!(matches!(integrate(&Pole, &q("0"), &q("1"), 30), Err(CalculusError::Budget { .. })));
    assert!(matches!(integrate(&Bell, &q("1"), &q("0"), 30), Err(CalculusError::Range { .. })));
    assert!(matches!(integrate(&Bell, &q("0"), &q("1"), 100_000), Err(CalculusError::Precision(_))));
    assert!(matches!(integrate(&Bell, &q("0"), &q("1"), u32::MAX), Err(CalculusError::Precision(_))));
    assert!(matches!(refine_root(&CosineFixedPoint, &Interval::one(), u32::MAX), Err(CalculusError::Precision(_))));
    assert!(integrate(&Bell, &q("1"), &q("1"), 30).unwrap().contains_rational(&q("0")));
}

struct CosineFixedPoint;
impl Univariate for CosineFixedPoint {
    fn eval<S: Real>(&self, x: &S) -> S {
        x.cos() - x.clone()
    }
}

/// (x^2 - 2)(x - 1/2) x
struct Quartic;
impl Univariate for Quartic {
    fn eval<S: Real>(&self, x: &S) -> S {
        (x.square() - S::from_i64(2)) * (x.clone() - S::ratio(1, 2)) * x.clone()
    }
}

struct Double;
impl Univariate for Double {
    fn eval<S: Real>(&self, x: &S) -> S {
        (x.clone() - S::ratio(1, 3)).square()
    }
}

struct Nothing;
impl Univariate for Nothing {
    fn eval<S: Real>(&self, x: &S) -> S {
        x.clone() - x.clone()
    }
}

#[test]
fn roots_are_isolated_and_refined() {
    let roots = isolate_roots(&CosineFixedPoint, &q("-10"), &q("10")).unwrap();
    assert!(roots.undecided.is_empty() && roots.isolated.len() == 1, "{roots:?}");
    let root = refine_root(&CosineFixedPoint, &roots.isolated[0], 130).unwrap();
    assert!(root.to_decimal(38).starts_with("0.73908513321516064165531208767387340401"), "{root:?}");
    let roots = isolate_roots(&Quartic, &q("-2"), &q("2")).unwrap();
    assert!(roots.undecided.is_empty() && roots.isolated.len() == 4, "{roots:?}");
    let refined: Vec<BigInterval> = roots.isolated.iter().map(|root| refine_root(&Quartic, root, 100).unwrap()).collect();
    let two = BigInterval::from_i64(2).sqrt();
    for (found, expected) in refined.iter().zip([-two.clone(), BigInterval::zero(), BigInterval::ratio(1, 2), two]) {
        assert!(!found.intersect(&expected).is_empty(), "{found:?} {expected:?}");
        assert!(found.to_interval().width() < 1e-15, "{found:?}");
    }
    // A double root is neither found nor denied.
    let roots = isolate_roots(&Double, &q("0"), &q("1")).unwrap();
    assert!(roots.isolated.is_empty() && roots.undecided.iter().any(|side| side.contains(1.0 / 3.0)), "{roots:?}");
    // A formula that is 0 everywhere: undecided, and soon.
    let roots = isolate_roots(&Nothing, &q("0"), &q("1")).unwrap();
    assert!(roots.isolated.is_empty() && !roots.undecided.is_empty());
    // A root at an end, and ends that are one point.
    let at_end = isolate_roots(&Quartic, &q("0"), &q("1/4")).unwrap();
    assert_eq!(at_end.isolated.len(), 1, "{at_end:?}");
    assert!(isolate_roots(&Quartic, &q("3"), &q("3")).unwrap().isolated.is_empty());
    assert!(isolate_roots(&Quartic, &q("3"), &q("2")).is_err());
}

#[test]
fn more_precision_gives_more_digits() {
    let at = |bits| with_precision(bits, || binomial_tails(300, 40, &q("1/3")).unwrap().lower).unwrap();
    let (coarse, fine) = (at(64), at(400));
    assert!(!coarse.intersect(&fine).is_empty() && coarse.accuracy_bits() >= 56 && fine.accuracy_bits() >= 390);
    assert!(fine.contains_rational(&exact(300, 40, &q("1/3"))));
    // The double layer agrees where it can speak.
    let half = Interval::ratio(1, 2);
    assert!(half.le(&regularized_beta(&q("3"), &q("2"), &q("7/10")).unwrap().lower.to_interval()).is_true());
}
