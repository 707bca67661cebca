//! Reference values of the paper's claims, each computed apart (30-digit arithmetic, or by hand), at the digits given.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use numeric::{BigInterval, Field, Interval, Ordered, Rational, Real, Surd, binomial_tails};
use optimization::adagrad::algorithm::scalar_step;
use optimization::adagrad::bounds::{Setting, binomial_cdf, exponents, informative_samples, norm_bound, pathwise_bound};
use optimization::adagrad::{Noise, Objective, run_adagrad};
use sample::{Pareto, TwoPoint, Words};

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

/// The value agrees with a decimal to half a unit of its last digit (one more for a value that was truncated).
fn close(value: &BigInterval, expected: &str) {
    let (mantissa, exponent) = expected.split_once('e').unwrap_or((expected, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len() as i64) - exponent.parse::<i64>().unwrap();
    let unit = q(&format!("1e{}", -decimals));
    let expected = q(expected);
    let allowed = BigInterval::between(&(expected.clone() - unit.clone()), &(expected.clone() + unit));
    assert!(value.is_subset(&allowed), "{value:?}, expected {expected}");
}

fn big(text: &str) -> BigInterval {
    BigInterval::from_rational(&q(text))
}

#[test]
fn sums() {
    // 3, 4, 12, 84: S_t = 9, 25, 169, 7225.
    let chain: [i64; 4] = [3, 5, 13, 85];
    let mut before = 0;
    let sum = chain.iter().fold(Rational::from(0), |sum, &root| {
        let term = Rational::new(root * root - before * before, root);
        before = root;
        sum + term
    });
    assert_eq!(sum, Rational::new(110_819, 1_105));
    let ones = |count: i64, f: &dyn Fn(i64) -> BigInterval| (1..=count).fold(BigInterval::zero(), |sum, t| sum + f(t));
    let root = |t: i64| BigInterval::one() / BigInterval::from_i64(t).sqrt();
    close(&ones(100, &root), "18.58960382478415");
    close(&ones(10_000, &root), "198.5446454495237");
    close(&ones(100, &|t| BigInterval::one() / BigInterval::from_i64(1 + t)), "4.1972785077386");
    close(&big("100").ln_1p(), "4.6151205168413");
    close(&ones(10_000, &|t| BigInterval::one() / BigInterval::from_i64(t).pow(&BigInterval::ratio(3, 4))), "36.559214606805");
}

#[test]
fn the_tight_family_of_the_pathwise_inequality() {
    for (k, steps, lhs, ratio) in [(2, 40, Some("898.20390"), "0.897824"), (5, 200, Some("155.4785"), "0.9536925"), (10, 800, None, "0.962862")] {
        let s = Interval::ratio(1, k);
        let one = Interval::one();
        let (mut x, mut root, mut sum) = (s / Interval::from_i64(2), Interval::zero(), Interval::zero());
        let gap = x.square() / Interval::from_i64(2);
        for _ in 0..steps {
            let (a, b) = (one / s.square() - one, one / s);
            let size = (b + (b.square() - a * (one - root.square())).sqrt()) / a;
            let g = if x.mid() > 0.0 { size } else { -size };
            sum = sum + x * g;
            (x, root) = scalar_step(&x, &root, &g, &one, &one);
        }
        let right = pathwise_bound(&gap, &one, &one, &one, &root);
        let shown = |value: Interval| BigInterval::from_interval(&value);
        if let Some(lhs) = lhs {
            close(&shown(sum), lhs);
        }
        if k == 2 {
            close(&shown(right), "1000.42316");
        }
        close(&shown(sum / right), ratio);
        // The iterate has flipped its sign at every step.
        assert!(x.contains(0.5 / k as f64) && x.width() < 1e-6, "{x:?}");
    }
}

#[test]
fn norm_bounds() {
    let n = Rational::from;
    let at = |p: &str, steps: i64| norm_bound(&q(p), &BigInterval::one(), &n(2), &n(1), &n(1), &n(1), &n(steps));
    close(&at("1.2", 10_000), "0.83400895953314171792");
    close(&at("1.5", 10_000), "0.40329300155291334737");
    close(&at("2", 1_000_000), "0.057781383699209351023");
}

fn unit(p: &str, steps: &str) -> Setting {
    let n = Rational::from;
    Setting { p: q(p), sigma: vec![n(1)], smoothness: vec![n(1)], delta: n(1), gamma: n(1), lambda: n(1), steps: q(steps) }
}

#[test]
fn fixed_points() {
    for (p, steps, expected) in
        [("2", "1e4", "195.35105805513416274"), ("1.8", "1e6", "871.11192991494076118"), ("1.5", "1e6", "3257.616548882330651")]
    {
        let setting = unit(p, steps);
        close(&setting.fixed_point(&setting.balanced(), 100).unwrap(), expected);
    }
    let two = Setting {
        p: q("1.5"),
        sigma: vec![q("1"), q("2")],
        smoothness: vec![q("2"), q("5")],
        delta: q("3"),
        gamma: q("1/2"),
        lambda: q("1/10"),
        steps: q("1e4"),
    };
    close(&two.fixed_point(&[big("1"), big("2")], 100).unwrap(), "5323.1548741830473896");
    let quiet = Setting { p: q("2"), sigma: vec![q("0")], smoothness: vec![q("2")], ..two };
    close(&quiet.fixed_point(&[big("1")], 100).unwrap(), "50.467264517638380779");
}

#[test]
fn slopes_far_out() {
    for (p, expected) in [("2", "-0.24292"), ("1.8", "-0.188419"), ("1.5", "-0.0765054")] {
        let at = |steps: &str| {
            let setting = unit(p, steps);
            setting.bound_l1(&setting.fixed_point(&setting.balanced(), 100).unwrap())
        };
        close(&((at("1e31") / at("1e30")).ln() / big("10").ln()), expected);
    }
    assert_eq!(exponents(&q("2")), [q("1/4"), q("1/4"), q("1/4"), q("1/4")]);
    assert_eq!(exponents(&q("5/4"))[2], q("-1/20"));
    assert_eq!(exponents(&q("3/2"))[0], q("1/5"));
}

#[test]
fn lottery_probabilities() {
    // m_p(q) = (1-q) + q (1/q - 1)^p = (sigma/eps)^p at the tabulated roots: the sides agree as far as the root's digits allow.
    let moment = |p: &str, chance: &str| {
        let chance = big(chance);
        BigInterval::one() - chance.clone() + chance.clone() * (BigInterval::one() / chance - BigInterval::one()).pow(&big(p))
    };
    for (p, chance) in [("1.5", "0.001062906688230904"), ("1.2", "1.385224316928948e-6")] {
        let ratio = moment(p, chance) / big("10").pow(&big(p));
        assert!((ratio.to_interval().mid() - 1.0).abs() < 1e-12, "{ratio:?}");
    }
    assert!(moment("2", "1/101").contains_rational(&q("100")));
}

#[test]
fn hitting_probabilities() {
    assert_eq!(informative_samples(&q("3.4"), &q("1")), 4);
    assert_eq!(informative_samples(&q("20"), &q("1")), 110);
    assert_eq!((informative_samples(&q("1"), &q("1")), informative_samples(&q("1.0001"), &q("1"))), (0, 1));
    let exact = binomial_cdf(200, 4, &q("1/100"));
    let expected = q("0.948253736369214111537858507");
    assert!(exact >= expected && exact < expected + q("1e-27"));
    assert!(binomial_tails(200, 4, &q("1/100")).unwrap().lower.contains_rational(&exact));
    // The median hitting time for eps = 1/10, sigma = 1, p = 3/2, x_1 = 20: 111/(2q).
    close(&(big("111") / (big("2") * big("0.001062906688230904"))), "52215.3");
    // And at T = 52215 the lower bound's probability is still nearly 1.
    let tails = binomial_tails(52_215, 110, &q("0.001062906688230904")).unwrap();
    close(&tails.lower, "0.99999999996");
}

/// All 2^10 outcomes of two-point noise, in intervals.
fn enumerate(objective: Objective, (a, b): (&str, &str), expected_mean: &str, expected_root: &str) {
    let slope = |x: &Interval| match objective {
        Objective::LogCosh => x.tanh(),
        _ => Interval::from_i64(2) * *x / (Interval::one() + x.square()).square(),
    };
    let (a, b) = (q(a), q(b));
    let chance = Interval::from_rational(&(b.clone() / (a.clone() + b.clone())));
    let (high, low) = (Interval::from_rational(&a), -Interval::from_rational(&b));
    let (gamma, lambda) = (Interval::ratio(1, 2), Interval::ratio(1, 10));
    let (mut mean, mut roots, mut total) = (Interval::zero(), Interval::zero(), Interval::zero());
    for path in 0..1024_u32 {
        let (mut x, mut root, mut weight, mut slopes) = (Interval::from_i64(2), Interval::zero(), Interval::one(), Interval::zero());
        for step in 0..10 {
            let up = path >> step & 1 == 1;
            weight = weight * if up { chance } else { Interval::one() - chance };
            let here = slope(&x);
            slopes = slopes + here.abs();
            let g = here + if up { high } else { low };
            (x, root) = scalar_step(&x, &root, &g, &gamma, &lambda);
        }
        mean = mean + weight * slopes / Interval::from_i64(10);
        roots = roots + weight * root;
        total = total + weight;
    }
    assert!(total.contains(1.0) && mean.width() < 1e-12);
    // The tables give 17 to 18 digits; intervals of doubles know 12 of them.
    for (value, expected) in [(mean, expected_mean), (roots, expected_root)] {
        let expected = q(expected);
        let slack = q("1e-15");
        let near = Interval::from_rational(&(expected.clone() - slack.clone())).hull(&Interval::from_rational(&(expected + slack)));
        assert!(!value.intersect(&near).is_empty(), "{value:?}, expected {expected_mean} {expected_root}");
    }
}

#[test]
fn exact_enumeration() {
    enumerate(Objective::LogCosh, ("9", "1"), "0.956543387269190654", "7.8619331088427422");
    enumerate(Objective::Bump, ("3", "1/3"), "0.114657695984843694", "2.77750797270236019");
    let sigma = |a: &str, b: &str| TwoPoint::new(q(a), q(b)).unwrap().real_moment(&big("3/2")).pow(&big("2/3"));
    close(&sigma("9", "1"), "2.34892058470131815725");
    close(&sigma("3", "1/3"), "0.782973528233772719");
    let bnorm = norm_bound(&q("3/2"), &sigma("3", "1/3"), &q("2"), &q("1"), &q("1/2"), &q("1/10"), &q("10"));
    close(&bnorm, "2.00237791970295623");
}

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

#[test]
fn the_simulation_repeats_a_published_mean() {
    // ln cosh, x_1 = 5, gamma = lambda = 1, Pareto tail index 1.7, T = 1000: 0.3412 +- 0.0006 over five runs of others.
    let noise = Noise::Pareto(Pareto::new(1.7, 1.0, true).unwrap());
    let mut source = Source(17);
    let runs = 2_000;
    let mean =
        (0..runs).map(|_| run_adagrad(Objective::LogCosh, &noise, 5.0, 1.0, 1.0, 1_000, &mut source).mean_slope).sum::<f64>() / f64::from(runs);
    // One run has a standard deviation below 0.3: five standard errors of 2,000 are 0.034.
    assert!((mean - 0.3412).abs() < 0.034, "{mean}");
}
