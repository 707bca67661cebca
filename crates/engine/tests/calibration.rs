//! The tests' error rates and power, measured: each e-process under null hypotheses that are true with equality, stopped as soon as it rejects.
//!
//! At level 1/20 over 20,000 runs a rate of false alarms above 5% is refuted by an exact lower confidence limit at level 1e-6. Where the observed rate is
//! below 0.5% the slack is printed with its reason.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine::Keyed;
use engine::inference::{
    BetaBinomial, Betting, Catoni, EProcess, EmpiricalBernstein, HalfNormalMixture, Null, PairedDifference, ProportionTest, difference_interval,
    proportion_p_value, threshold,
};
use numeric::{Ordered, Rational, clopper_pearson};
use rayon::prelude::*;
use sample::{Law, Lottery, Pareto, TwoPoint, Words, closed_open, normal};

const RUNS: u64 = 20_000;
const DRAWS: usize = 300;
/// Fewer for the test that costs eight logarithms a draw.
const HEAVY_DRAWS: usize = 60;
/// The horizon whose rates, meant for ln(1/level) near 20, fit ln 20 = 3 after so many draws: seven times as long.
const HEAVY_HORIZON: u64 = 7 * HEAVY_DRAWS as u64;

fn level() -> Rational {
    Rational::new(1, 20)
}

/// How many of the runs reject at some time.
fn alarms(name: &str, run: impl Fn(&mut dyn Words) -> bool + Sync) -> u64 {
    let keyed = Keyed::new(11, &["calibration", name]);
    (0..RUNS).into_par_iter().filter(|&index| run(&mut keyed.stream(index))).count() as u64
}

/// Fails when the rate of false alarms is above the level for certain.
fn calibrated(name: &str, reason_for_slack: &str, run: impl Fn(&mut dyn Words) -> bool + Sync) {
    let count = alarms(name, run);
    let limit = clopper_pearson(count, RUNS, &Rational::new(2, 1_000_000)).unwrap().lower;
    assert!(limit.le(&numeric::Field::from_rational(&level())).is_true(), "{name}: {count} false alarms of {RUNS}");
    if count * 200 < RUNS {
        println!("{name}: {count} false alarms of {RUNS}; slack: {reason_for_slack}");
        assert!(!reason_for_slack.is_empty(), "{name}: {count} false alarms of {RUNS} need a reason");
    }
}

/// Feeds draws until the process rejects; false after `DRAWS` draws.
fn rejects(mut process: impl EProcess, draws: usize, words: &mut dyn Words, mut draw: impl FnMut(&mut dyn Words) -> f64) -> bool {
    let wanted = threshold(&level());
    (0..draws).any(|_| {
        let x = draw(words);
        process.update(x) && process.log_capital() >= wanted
    })
}

fn bernoulli(p: f64) -> impl Fn(&mut dyn Words) -> f64 {
    move |words| if closed_open(words) < p { 1.0 } else { 0.0 }
}

#[test]
fn betting_keeps_its_level() {
    for p in [0.5, 0.1, 0.9, 0.01] {
        for null in [Null::AtMost, Null::AtLeast] {
            // A rare 1 in 100 gives three events in a run, and bets against E X <= 1/100 start from a prior mean of 1/2; the other side stakes on 0s that
            // earn a hundredth each. Both hit the level seldom in so few draws.
            let reason = if p < 0.05 { "about three informative draws a run" } else { "" };
            calibrated(&format!("betting, Bernoulli {p}, {null:?}"), reason, |words| {
                rejects(Betting::new(0.0, 1.0, null, p).unwrap(), DRAWS, words, bernoulli(p))
            });
        }
    }
    calibrated("betting, uniform", "", |words| rejects(Betting::new(0.0, 1.0, Null::AtMost, 0.5).unwrap(), DRAWS, words, |words| closed_open(words)));
    // Scaled and shifted: two-point noise in [-1, 9] with mean 0.
    let law = TwoPoint::new(Rational::from(9), Rational::from(1)).unwrap();
    calibrated("betting, two-point", "", |words| {
        rejects(Betting::new(-1.0, 9.0, Null::AtLeast, 0.0).unwrap(), DRAWS, words, |words| law.draw(words))
    });
}

#[test]
fn sub_gaussian_mixture_keeps_its_level() {
    for null in [Null::AtMost, Null::AtLeast] {
        calibrated(&format!("normal mixture, {null:?}"), "", |words| {
            rejects(HalfNormalMixture::new(1.0, null, 2.0, DRAWS as u64).unwrap(), DRAWS, words, |words| 2.0 + normal(words))
        });
    }
    // Rademacher variables are sub-Gaussian with scale 1.
    calibrated("normal mixture, signs", "", |words| {
        rejects(HalfNormalMixture::new(1.0, Null::AtMost, 0.0, DRAWS as u64).unwrap(), DRAWS, words, sample::sign)
    });
}

#[test]
fn heavy_tailed_test_keeps_its_level() {
    // A rate that fits holds an eighth of the capital, so that alone it rejects with probability 1/160 at most; what the other rates add is little.
    let reason = "the capital is spread over eight rates";
    // Against E X >= 0 a loss of 1 earns l - l^1.5 10.84/1.5 <= 0.003 at any rate: sixty of them 0.18, where ln 20 = 3 is needed.
    let impossible = "sixty of the lottery's losses in a row are not enough";
    let lottery = Lottery::new(Rational::from(1), Rational::new(1, 100)).unwrap();
    let moment = 10.840_375_627_355_54;
    for null in [Null::AtMost, Null::AtLeast] {
        let reason = if null == Null::AtLeast { impossible } else { reason };
        calibrated(&format!("Catoni, lottery, {null:?}"), reason, |words| {
            rejects(Catoni::central(1.5, moment, null, 0.0, HEAVY_HORIZON).unwrap(), HEAVY_DRAWS, words, |words| lottery.draw(words))
        });
    }
    let pareto = Pareto::new(1.8, 1.0, true).unwrap();
    // E|X|^1.5 = 1.8 / 0.3 = 6.
    calibrated("Catoni, Pareto", reason, |words| {
        rejects(Catoni::central(1.5, 6.0, Null::AtMost, 0.0, HEAVY_HORIZON).unwrap(), HEAVY_DRAWS, words, |words| pareto.draw(words))
    });
    // The raw moment of 2 + lottery about 0, bounded by Minkowski's inequality.
    let raw = core_math::pow(2.0 + core_math::pow(moment, 1.0 / 1.5), 1.5);
    for null in [Null::AtMost, Null::AtLeast] {
        let reason = if null == Null::AtLeast { impossible } else { reason };
        calibrated(&format!("Catoni, raw, {null:?}"), reason, |words| {
            rejects(Catoni::raw(1.5, raw, null, 2.0, HEAVY_HORIZON).unwrap(), HEAVY_DRAWS, words, |words| 2.0 + lottery.draw(words))
        });
    }
    calibrated("Catoni, raw, signs", reason, |words| {
        rejects(Catoni::raw(2.0, 1.0, Null::AtLeast, 0.0, HEAVY_HORIZON).unwrap(), HEAVY_DRAWS, words, sample::sign)
    });
    calibrated("Catoni, signs", reason, |words| {
        rejects(Catoni::central(2.0, 1.0, Null::AtMost, 0.0, HEAVY_HORIZON).unwrap(), HEAVY_DRAWS, words, sample::sign)
    });
}

#[test]
fn proportions_and_differences_keep_their_level() {
    for null in [Null::AtMost, Null::AtLeast] {
        let start = ProportionTest::new(null, &Rational::new(3, 10), &level(), DRAWS as u64).unwrap();
        calibrated(&format!("proportion, {null:?}"), "", |words| {
            let mut test = start.clone();
            (0..DRAWS).any(|_| test.update(closed_open(words) < 0.3))
        });
        for p in [0.5, 0.03125] {
            let start = BetaBinomial::new(null, &Rational::from_f64(p).unwrap()).unwrap();
            // Against p >= 1/32 even 300 failures in a row, the best there can be, come once in 14,000 runs.
            let reason = if p < 0.1 && null == Null::AtLeast { "only long rows of failures count" } else { "" };
            calibrated(&format!("beta-binomial {p}, {null:?}"), reason, |words| rejects(start.clone(), DRAWS, words, bernoulli(p)));
        }
    }
    let wanted = threshold(&level());
    calibrated("paired difference", "", |words| {
        let mut test = PairedDifference::new(0.0, 1.0, Null::AtMost, 0.0).unwrap();
        (0..DRAWS).any(|_| {
            let (x, y) = (bernoulli(0.4)(words), bernoulli(0.4)(words));
            test.update(x, y) && test.log_capital() >= wanted
        })
    });
    // A confidence sequence misses the mean at some time with probability at most its level, on both sides together.
    calibrated("empirical Bernstein", "variance bounds of a skew law and two sides", |words| {
        let mut sequence = EmpiricalBernstein::new(0.0, 1.0, &level(), DRAWS as u64).unwrap();
        (0..DRAWS).any(|_| {
            let _ = sequence.update(bernoulli(0.3)(words));
            let (low, high) = sequence.interval();
            !(low..=high).contains(&0.3)
        })
    });
    calibrated("difference of two sequences", "two intervals at half the level each, and neither uses it up", |words| {
        let half = Rational::new(1, 40);
        let (mut x, mut y) =
            (EmpiricalBernstein::new(0.0, 1.0, &half, DRAWS as u64).unwrap(), EmpiricalBernstein::new(0.0, 1.0, &half, DRAWS as u64).unwrap());
        (0..DRAWS).any(|_| {
            let _ = (x.update(bernoulli(0.3)(words)), y.update(bernoulli(0.6)(words)));
            let (low, high) = difference_interval(&x, &y);
            !(low..=high).contains(&-0.3)
        })
    });
}

/// The number of draws that a test needs at the level 1e-9 for an effect of so many standard deviations stays within a small factor of 2 ln(1/level) / effect^2,
/// what a test with known law needs.
#[test]
fn power_on_effects_from_a_hundredth_to_one_standard_deviation() {
    let wanted = threshold(&Rational::new(1, 1_000_000_000));
    let needed = |name: &str, effect: f64, mut process: Box<dyn EProcess>, draw: &dyn Fn(&mut dyn Words) -> f64| {
        let best = 2.0 * wanted / (effect * effect);
        let limit = (6.0 * best) as usize + 400;
        let mut words = Keyed::new(3, &["power", name, &effect.to_string()]).stream(0);
        let used = (1..=limit).find(|_| {
            let x = draw(&mut words);
            assert!(process.update(x));
            process.log_capital() >= wanted
        });
        let used = used.unwrap_or_else(|| panic!("{name} at effect {effect}: not decided after {limit} draws"));
        println!("{name}, effect {effect}: {used} draws, {:.2} times the least", used as f64 / best);
    };
    for effect in [0.01, 0.03, 0.1, 0.3, 1.0] {
        let horizon = (42.0 / (effect * effect)) as u64;
        // A fair coin has standard deviation 1/2.
        let bound = 0.5 - 0.5 * effect;
        needed("betting", effect, Box::new(Betting::new(0.0, 1.0, Null::AtMost, bound).unwrap()), &bernoulli(0.5));
        needed("betting, mirrored", effect, Box::new(Betting::new(0.0, 1.0, Null::AtLeast, 1.0 - bound).unwrap()), &bernoulli(0.5));
        needed("normal mixture", effect, Box::new(HalfNormalMixture::new(1.0, Null::AtMost, -effect, horizon).unwrap()), &|words| normal(words));
        needed("Catoni", effect, Box::new(Catoni::central(2.0, 1.0, Null::AtLeast, effect, horizon).unwrap()), &|words| normal(words));
    }
}

/// With a moment of order p < 2 no test can do better than the order (v^(1/p) / effect)^(p/(p-1)) ln(1/level). The constant here is at most 8, beside the draws
/// that a logarithmic influence needs to make ln(1/level) at all. The bound v = 1 is used up by fair signs, shifted.
#[test]
fn power_with_heavy_tails_has_the_right_rate() {
    let wanted = threshold(&Rational::new(1, 1_000_000_000));
    for order in [1.3, 1.5, 1.8] {
        for effect in [0.2, 0.5, 1.0] {
            for raw in [false, true] {
                // E|effect + sign|^p <= (effect + 1)^p.
                let scale = if raw { 1.0 + effect } else { 1.0 };
                let best = wanted * core_math::pow(scale / effect, order / (order - 1.0));
                let (moment, horizon, limit) = (core_math::pow(scale, order), (2.0 * best) as u64, (8.0 * best) as usize + 400);
                let make = if raw { Catoni::raw } else { Catoni::central };
                let mut process = make(order, moment, Null::AtMost, 0.0, horizon).unwrap();
                let mut words = Keyed::new(4, &["heavy power", &order.to_string(), &effect.to_string()]).stream(0);
                let used = (1..=limit).find(|_| process.update(effect + sample::sign(&mut words)) && process.log_capital() >= wanted);
                let used = used.unwrap_or_else(|| panic!("order {order}, effect {effect}, raw {raw}: not decided after {limit} draws"));
                println!("Catoni of order {order}, effect {effect}, raw {raw}: {used} draws, {:.2} times the rate", used as f64 / best);
            }
        }
    }
}

/// The tests of proportions and of differences against 2 ln(1/level) / effect^2, and the width of a confidence sequence against the normal interval's.
#[test]
fn power_of_proportions_differences_and_sequences() {
    let small = Rational::new(1, 1_000_000_000);
    let wanted = threshold(&small);
    for effect in [0.03, 0.1, 0.3] {
        let best = 2.0 * wanted / (effect * effect);
        let limit = (6.0 * best) as usize + 400;
        let bound = Rational::from_f64(0.5 - 0.5 * effect).unwrap();
        let mut words = Keyed::new(5, &["power", "proportion", &effect.to_string()]).stream(0);
        let mut mixture = BetaBinomial::new(Null::AtMost, &bound).unwrap();
        let mixed = (1..=limit).find(|_| mixture.update(bernoulli(0.5)(&mut words)) && mixture.log_capital() >= wanted);
        // The exact look at a horizon of 2 best rejects then at the latest; quick where it is short.
        let mut test = ProportionTest::new(Null::AtMost, &bound, &small, (2.0 * best) as u64).unwrap();
        let looked = (1..=limit).find(|_| test.update(closed_open(&mut words) < 0.5));
        // E(X - Y) = effect/2 for two coins, at a standard deviation of sqrt(1/2): twice the draws of one coin.
        let mut difference = PairedDifference::new(0.0, 1.0, Null::AtMost, 0.0).unwrap();
        let paired = (1..=2 * limit).find(|_| {
            let (x, y) = (bernoulli(0.5 + effect / 4.0)(&mut words), bernoulli(0.5 - effect / 4.0)(&mut words));
            difference.update(x, y) && difference.log_capital() >= wanted
        });
        println!("effect {effect}: mixture {mixed:?}, with a look {looked:?}, paired {paired:?}; the least {best:.0}");
        assert!(mixed.is_some() && looked.is_some_and(|used| used as f64 <= 2.0 * best) && paired.is_some(), "{mixed:?} {looked:?} {paired:?}");
    }
    for n in [1_000_u64, 30_000] {
        let mut sequence = EmpiricalBernstein::new(0.0, 1.0, &small, n).unwrap();
        let mut words = Keyed::new(6, &["width", &n.to_string()]).stream(0);
        for _ in 0..n {
            assert!(sequence.update(bernoulli(0.2)(&mut words)));
        }
        let (low, high) = sequence.interval();
        // Half the width of Bernstein's fixed-time interval, sqrt(2 variance ln(2/level) / n) + ln(2/level) / (3 n), with the true variance 0.16.
        let log = wanted + core_math::log(2.0);
        let normal = (2.0 * 0.16 * log / n as f64).sqrt() + log / (3.0 * n as f64);
        println!("sequence after {n} draws: half width {:.5}, {:.2} times Bernstein's", (high - low) / 2.0, (high - low) / 2.0 / normal);
        assert!((high - low) / 2.0 < 1.25 * normal && low <= 0.2 && 0.2 <= high, "[{low}, {high}], {normal}");
    }
}

/// A test that forgets its level must be caught by the calibration.
#[test]
fn a_broken_test_is_noticed() {
    // Rejecting at 1/level = 10 instead of 20, and a bet on the draw that it is about to see.
    let peeking = alarms("peeking", |words| {
        let mut log = 0.0;
        (0..DRAWS).any(|_| {
            let x = bernoulli(0.5)(words);
            log += core_math::log1p(if x > 0.5 { 0.5 } else { 0.0 });
            log >= threshold(&level())
        })
    });
    let limit = clopper_pearson(peeking, RUNS, &Rational::new(2, 1_000_000)).unwrap().lower;
    assert!(limit.le(&numeric::Field::from_rational(&level())).is_false());
    // A normal mixture told half of the true scale.
    let overconfident = alarms("overconfident", |words| {
        rejects(HalfNormalMixture::new(0.5, Null::AtMost, 0.0, DRAWS as u64).unwrap(), DRAWS, words, |words| normal(words))
    });
    assert!(overconfident * 20 > 2 * RUNS, "{overconfident}");
}

#[test]
fn exact_p_values() {
    // P(Bin(10, 1/2) >= 9) = 11/1024, P(Bin(10, 1/2) <= 1) the same.
    let expected = Rational::new(11, 1024);
    assert!(proportion_p_value(9, 10, Null::AtMost, &Rational::new(1, 2)).unwrap().contains_rational(&expected));
    assert!(proportion_p_value(1, 10, Null::AtLeast, &Rational::new(1, 2)).unwrap().contains_rational(&expected));
    assert!(proportion_p_value(0, 10, Null::AtMost, &Rational::new(1, 2)).unwrap().contains_rational(&Rational::from(1)));
    assert!(proportion_p_value(1, 2, Null::AtMost, &Rational::from(2)).is_err());
}

#[test]
fn draws_outside_the_law_are_told() {
    assert!(!Betting::new(0.0, 1.0, Null::AtMost, 0.5).unwrap().update(1.5));
    assert!(!Betting::new(0.0, 1.0, Null::AtMost, 0.5).unwrap().update(f64::NAN));
    assert!(!Catoni::central(1.5, 1.0, Null::AtMost, 0.0, 10).unwrap().update(f64::INFINITY));
    assert!(!HalfNormalMixture::new(1.0, Null::AtMost, 0.0, 10).unwrap().update(f64::NAN));
    assert!(!EmpiricalBernstein::new(0.0, 1.0, &level(), DRAWS as u64).unwrap().update(-0.1));
    assert!(!PairedDifference::new(0.0, 1.0, Null::AtMost, 0.0).unwrap().update(0.5, 2.0));
}
