//! Laws: public failing cases, extremes of the words, exact moments, reference values, bad parameters. Their moments are tested statistically where the
//! engine's routes are.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use numeric::{BigInterval, Field, Rational, Real};
use sample::{
    Bernoulli, Binomial, ChiSquared, Exponential, Law, LawError, Lottery, Pareto, SymmetricStable, TruncatedNormal, TwoPoint, Uniform, Words,
    closed_open, deep, normal_pair, open_closed, open_open,
};
use serde::Deserialize;

/// xorshift64*.
struct Source(u64);

impl Words for Source {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

/// The same words over and over.
struct Constant(Vec<u64>, usize);

impl Words for Constant {
    fn word(&mut self) -> u64 {
        self.1 += 1;
        self.0[self.1 % self.0.len()]
    }
}

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

fn extremes() -> Vec<Constant> {
    let ends = [0, 1, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1, 1 << 11, 1 << 12];
    let alone = ends.iter().map(|&word| vec![word]);
    let pairs = ends.iter().flat_map(|&a| ends.iter().map(move |&b| vec![a, b]));
    alone.chain(pairs).map(|words| Constant(words, 0)).collect()
}

fn passes(check: &str) -> bool {
    match check {
        "binomial_ends" => {
            let law = Binomial::new(16_000_000, 3.144_475_314_855_856_6e-10).unwrap();
            let mut source = Source(2569);
            let total: u64 = (0..100_000).map(|_| law.draw(&mut source)).sum();
            // The mean is 503; ten standard deviations are 225.
            // The unluckiest words of all make every gap 0, which costs n steps: once for this n, for all words at a smaller one.
            let small = Binomial::new(100_000, 3.144_475_314_855_856_6e-10).unwrap();
            (278..=728).contains(&total)
                && law.draw(&mut Constant(vec![1 << 11], 0)) == 16_000_000
                && extremes().iter_mut().all(|words| small.draw(words) <= 100_000)
        }
        "uniform_upper_end" => {
            let law = Uniform::new(1.0, 1.0_f64.next_up()).unwrap();
            let mut source = Source(5);
            (0..100_000).all(|_| law.draw(&mut source) == 1.0) && extremes().iter_mut().all(|words| law.draw(words) == 1.0)
        }
        "truncated_tail" => {
            let law = TruncatedNormal::new(5.25, 1e6).unwrap();
            let mut source = Source(7);
            let draws: Vec<f64> = (0..200_000).map(|_| law.draw(&mut source)).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            // The standard deviation is below 0.19: six standard errors are 0.0026.
            (mean - 5.428_655).abs() < 0.0026 && draws.iter().all(|x| (5.25..12.0).contains(x))
        }
        "absurd_degrees" => {
            let absurd = ChiSquared::new(f64::MAX);
            let large = ChiSquared::new(1e15).unwrap();
            matches!(absurd, Err(LawError::Parameter { .. })) && extremes().iter_mut().all(|words| large.draw(words).is_finite())
        }
        other => panic!("no check '{other}'"),
    }
}

#[test]
fn public_failing_cases_come_out_right() {
    let table: Table = toml::from_str(include_str!("data/cases.toml")).unwrap();
    assert_eq!(table.case.len(), 4);
    for case in table.case {
        assert!(passes(&case.check), "{} ({}): expected {}", case.input, case.source, case.expected);
    }
}

#[test]
fn the_unluckiest_words_give_finite_draws() {
    let laws: Vec<(&str, Box<dyn Law>)> = vec![
        ("exponential", Box::new(Exponential)),
        ("Pareto 1.1", Box::new(Pareto::new(1.1, 1.0, true).unwrap())),
        ("Pareto 30", Box::new(Pareto::new(30.0, 2.0, false).unwrap())),
        ("stable 0.5", Box::new(SymmetricStable::new(0.5, 1.0).unwrap())),
        ("stable 1", Box::new(SymmetricStable::new(1.0, 1.0).unwrap())),
        ("stable 1.5", Box::new(SymmetricStable::new(1.5, 1.0).unwrap())),
        ("stable 2", Box::new(SymmetricStable::new(2.0, 1.0).unwrap())),
        ("lottery", Box::new(Lottery::new(Rational::from(1), Rational::new(1, 100)).unwrap())),
        ("two-point", Box::new(TwoPoint::new(Rational::from(9), Rational::from(1)).unwrap())),
        ("truncated", Box::new(TruncatedNormal::new(3.0, 4.0).unwrap())),
        ("chi-square", Box::new(ChiSquared::new(1.0).unwrap())),
    ];
    for (name, law) in &laws {
        for mut words in extremes() {
            let x = law.draw(&mut words);
            assert!(x.is_finite(), "{name}: {x} from {:?}", words.0);
        }
    }
    for mut words in extremes() {
        let (x, y) = normal_pair(&mut words);
        assert!(x.abs() < 8.6 && y.abs() < 8.6, "{x} {y}");
        assert!((0.0..1.0).contains(&closed_open(&mut words)));
        let (a, b) = (open_closed(&mut words), open_open(&mut words));
        assert!(a > 0.0 && a <= 1.0 && b > 0.0 && b < 1.0);
        let c = deep(&mut words);
        assert!((core_math::exp2(-512.0)..=1.0).contains(&c), "{c}");
    }
    // The laws at the rims of their parameters.
    let rims =
        [(0.1, 1.0), (0.5, 1e30), (0.999_999_9, 1e150), (1.0, 1e150), (1.000_000_1, 1e150), (1.999_999_999, 1e150), (2.0, 1e150), (1.3, 1e-300)];
    for (alpha, scale) in rims {
        let law = SymmetricStable::new(alpha, scale).unwrap();
        for mut words in extremes() {
            let x = law.draw(&mut words);
            assert!(x.is_finite(), "stable {alpha} {scale}: {x} from {:?}", words.0);
        }
    }
    for (alpha, scale) in [(0.06, 1.0), (0.5, 1e200), (1.1, 1e290), (1e300, 1e300)] {
        let law = Pareto::new(alpha, scale, true).unwrap();
        for mut words in extremes() {
            let x = law.draw(&mut words);
            assert!(x.is_finite() && x.abs() >= scale * (1.0 - 1e-15), "Pareto {alpha} {scale}: {x} from {:?}", words.0);
        }
    }
}

/// Words in their order, then an end.
struct Listed(Vec<u64>);

impl Words for Listed {
    fn word(&mut self) -> u64 {
        self.0.remove(0)
    }
}

#[test]
fn uniforms_are_fine_near_zero() {
    let of = |words: &[u64]| {
        let mut listed = Listed(words.to_vec());
        let value = deep(&mut listed);
        assert!(listed.0.is_empty(), "all words were used");
        value
    };
    assert_eq!(of(&[1 << 63]), 0.5);
    assert_eq!(of(&[u64::MAX]), 1.0);
    assert_eq!(of(&[1 << 53]), core_math::exp2(-11.0));
    // Below 2^-11 a second word fills the bits up.
    assert_eq!(of(&[1 << 52, 0]), core_math::exp2(-12.0));
    assert_eq!(of(&[3, 1 << 63]), 3.5 * core_math::exp2(-64.0));
    assert_eq!(of(&[0, 1, 0]), core_math::exp2(-128.0));
    assert_eq!(of(&[0; 8]), core_math::exp2(-512.0));
}

/// The quantile function far out, at words that a uniform of 53 bits would take for its least number.
#[test]
fn tails_reach_as_far_as_the_laws() {
    let close = |x: f64, expected: f64| assert!((x / expected - 1.0).abs() < 1e-12, "{x}, expected {expected}");
    // U = 2^-128, then the sign's word (0 is plus).
    let tail = [0, 1, 0];
    let x = Pareto::new(1.1, 3.0, true).unwrap().draw(&mut Listed(vec![0, 1, 0, 0]));
    close(x, 3.0 * core_math::exp2(128.0 / 1.1));
    // cot(pi t / 2) = 2/(pi t) at t = 2^-128; then minus.
    let x = SymmetricStable::new(1.0, 2.0).unwrap().draw(&mut Listed([&tail[..], &[1 << 63]].concat()));
    close(x, -2.0 * 2.0 / std::f64::consts::PI * core_math::exp2(128.0));
    // alpha = 3/2, W = ln 2: sin(3 pi/4) (cos(pi/4)/ln 2)^(-1/3) (pi t/2)^(-2/3).
    let x = SymmetricStable::new(1.5, 1.0).unwrap().draw(&mut Listed([&tail[..], &[0, 1 << 63]].concat()));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let front = half * core_math::pow(half / std::f64::consts::LN_2, -1.0 / 3.0);
    close(x, front * core_math::pow(std::f64::consts::FRAC_PI_2 * core_math::exp2(-128.0), -2.0 / 3.0));
    // alpha = 1/2, t = 1/2 and s = 2^-128: sin(pi/8) / cos(pi/4)^2 cos(pi/8) / W = 1/(sqrt(2) W), W = 2^-128.
    let x = SymmetricStable::new(0.5, 1.0).unwrap().draw(&mut Listed(vec![1 << 63, 0, 0, 1, 0]));
    close(x, half * core_math::exp2(128.0));
    // alpha next to 2 passes over into alpha = 2: 2 sin V sqrt(W).
    for t in [1 << 63, 1 << 60, u64::MAX, 1 << 54] {
        let of = |alpha: f64| SymmetricStable::new(alpha, 1.0).unwrap().draw(&mut Listed(vec![t, 0, 1 << 63]));
        let (near, at) = (of(2.0_f64.next_down()), of(2.0));
        assert!((near - at).abs() <= 1e-9 * at.abs(), "{near}, {at}");
    }
}

#[test]
fn chances_are_exact_to_128_bits() {
    let q = Rational::new;
    let third = Bernoulli::new(&q(1, 3)).unwrap();
    let pattern = u64::MAX / 3;
    assert!(third.happens(&mut Listed(vec![pattern - 1])) && !third.happens(&mut Listed(vec![pattern + 1])));
    assert!(third.happens(&mut Listed(vec![pattern, pattern - 1])) && !third.happens(&mut Listed(vec![pattern, pattern])));
    let tiny = Bernoulli::new(&q(2, 1).powi(100).recip()).unwrap();
    assert!(tiny.happens(&mut Listed(vec![0, (1 << 28) - 1])) && !tiny.happens(&mut Listed(vec![0, 1 << 28])) && !tiny.happens(&mut Listed(vec![1])));
    let (never, always) = (Bernoulli::new(&q(0, 1)).unwrap(), Bernoulli::new(&q(1, 1)).unwrap());
    for mut words in extremes() {
        assert!(!never.happens(&mut words) && always.happens(&mut words));
    }
    for bad in [q(-1, 2), q(3, 2), Rational::UNDEFINED] {
        assert!(Bernoulli::new(&bad).is_err(), "{bad:?}");
    }
    // A trial that succeeds with probability 2^-60, below the lattice of a 53-bit uniform.
    let rare = Binomial::new(1, core_math::exp2(-60.0)).unwrap();
    assert_eq!((rare.draw(&mut Listed(vec![8, 0])), rare.draw(&mut Listed(vec![32, 0]))), (1, 0));
}

#[test]
fn bad_parameters_are_errors() {
    let q = Rational::new;
    let shown = |error: LawError| error.to_string();
    assert_eq!(shown(Lottery::new(q(0, 1), q(1, 2)).unwrap_err()), "lottery: eps = 0 is not positive");
    assert_eq!(shown(Lottery::new(q(1, 1), q(3, 2)).unwrap_err()), "lottery: q = 3/2 is not in (0, 1]");
    assert!(TwoPoint::new(q(-1, 1), q(1, 1)).is_err() && Lottery::new(Rational::UNDEFINED, q(1, 2)).is_err());
    assert!(Pareto::new(0.01, 1.0, true).is_err() && Pareto::new(f64::NAN, 1.0, true).is_err() && Pareto::new(2.0, 0.0, true).is_err());
    assert!(SymmetricStable::new(2.1, 1.0).is_err() && SymmetricStable::new(0.0, 1.0).is_err() && SymmetricStable::new(1.0, f64::INFINITY).is_err());
    assert!(Uniform::new(1.0, 1.0).is_err() && Uniform::new(f64::NEG_INFINITY, 0.0).is_err() && Binomial::new(3, -0.1).is_err());
    assert!(TruncatedNormal::new(2.0, 1.0).is_err() && ChiSquared::new(0.5).is_err());
    let one = BigInterval::one();
    for (alpha, r) in [((3, 2), (3, 2)), ((3, 2), (2, 1))] {
        let (alpha, r) = (BigInterval::ratio(alpha.0, alpha.1), BigInterval::ratio(r.0, r.1));
        assert!(matches!(Pareto::moment(&alpha, &one, &r), Err(LawError::InfiniteMoment { .. })));
        assert!(matches!(SymmetricStable::moment(&alpha, &one, &r), Err(LawError::InfiniteMoment { .. })));
    }
}

/// Reference values of the moments, to the digits given (computed with 30-digit arithmetic).
#[test]
fn reference_moments() {
    let q = Rational::new;
    let big = BigInterval::ratio;
    let starts = |value: BigInterval, expected: &str| {
        let (low, high) = (value.lo_rational().unwrap(), value.hi_rational().unwrap());
        let expected: Rational = expected.parse().unwrap();
        // The tables round to 19 or 20 digits: half a unit of the 18th decimal is enough.
        let slack: Rational = "5e-18".parse().unwrap();
        assert!(low >= expected.clone() - slack.clone() && high <= expected.clone() + slack, "{value:?}, expected {expected}");
    };
    let lottery = Lottery::new(q(1, 1), q(1, 100)).unwrap();
    assert_eq!(lottery.moment(2), q(99, 1));
    starts(lottery.real_moment(&big(3, 2)), "10.840375627355537552");
    let points = TwoPoint::new(q(9, 1), q(1, 1)).unwrap();
    assert_eq!(points.moment(2), q(9, 1));
    starts(points.real_moment(&big(3, 2)), "3.6");
    starts(Pareto::moment(&big(9, 5), &big(1, 1), &big(3, 2)).unwrap(), "6");
    starts(Pareto::moment(&big(3, 2), &big(2, 1), &big(6, 5)).unwrap(), "11.486983549970350068");
    let stable = |r: (i64, i64), alpha: (i64, i64)| SymmetricStable::moment(&big(alpha.0, alpha.1), &big(1, 1), &big(r.0, r.1)).unwrap();
    starts(stable((1, 1), (3, 2)), "1.7054652401523882098");
    starts(stable((6, 5), (3, 2)), "2.5521221715890495406");
    starts(stable((7, 5), (3, 2)), "6.6192359969679816145");
    starts(stable((3, 2), (9, 5)), "2.2206387991851922302");
    starts(stable((1, 1), (2, 1)), "1.1283791670955125739");
    // The Cauchy law at r = 1/2: sqrt(2 c).
    let cauchy = SymmetricStable::moment(&big(1, 1), &big(3, 1), &big(1, 2)).unwrap();
    assert!(!cauchy.intersect(&numeric::Surd::sqrt(&big(6, 1))).is_empty() && cauchy.exp().is_bounded());
}
