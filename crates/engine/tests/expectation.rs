//! What makes an e-process one, by enumeration: over every sequence of draws from a law on few points the expected capital is at most 1, at a fixed time and at
//! a stopping time; and the capitals against independent high-precision formulas.
//!
//! No randomness here: the expectation is a finite sum, and a wrong formula, sign or constant shows as a sum above 1.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use claim::Knowledge;
use engine::inference::{
    BetaBinomial, Betting, Catoni, Dependence, EProcess, EmpiricalBernstein, HalfNormalMixture, Null, PairedDifference, ProportionTest,
    difference_knowledge, proportion_p_value,
};
use numeric::{BigInterval, Field, Ordered, Rational, Real, Surd, normal_tails};

/// A law on finitely many points.
type Points = Vec<(f64, f64)>;

fn two(low: f64, high: f64, chance_of_high: f64) -> Points {
    vec![(low, 1.0 - chance_of_high), (high, chance_of_high)]
}

fn mean(law: &[(f64, f64)]) -> f64 {
    law.iter().map(|(x, p)| x * p).sum()
}

fn moment(law: &[(f64, f64)], centre: f64, order: f64) -> f64 {
    law.iter().map(|(x, p)| core_math::pow((x - centre).abs(), order) * p).sum()
}

/// The expected capital after `draws` draws, or when it first reaches `stop`.
fn expected(start: &(impl EProcess + Clone), law: &[(f64, f64)], draws: usize, stop: f64) -> f64 {
    let capital = core_math::exp(start.log_capital());
    if draws == 0 || capital >= stop {
        return capital;
    }
    let next = |(x, p): &(f64, f64)| {
        let mut after = start.clone();
        assert!(after.update(*x), "{x} belongs to the law");
        p * expected(&after, law, draws - 1, stop)
    };
    law.iter().map(next).sum()
}

/// Expectations at fixed times and at the first time that a level is reached. Sums of 2^10 terms near 1 in all are off by less than 1e-12.
fn expectations(start: &(impl EProcess + Clone), law: &[(f64, f64)], longest: usize) -> Vec<f64> {
    [1.2, 3.0, f64::INFINITY].into_iter().flat_map(|stop| [1, longest].map(|draws| expected(start, law, draws, stop))).collect()
}

/// Draws a sequence, and fewer for the test that costs eight powers a draw.
const LONG: usize = 10;
const SHORT: usize = 6;

const SUMMATION: f64 = 1e-12;

fn at_most_one(name: &str, start: &(impl EProcess + Clone), law: &[(f64, f64)], longest: usize) {
    for value in expectations(start, law, longest) {
        assert!(value <= 1.0 + SUMMATION, "{name} on {law:?}: expected capital {value}");
    }
}

/// A martingale: nothing is given away but the debt for rounding, below 1e-10 in a dozen draws.
fn one(name: &str, start: &(impl EProcess + Clone), law: &[(f64, f64)]) {
    for value in expectations(start, law, LONG) {
        assert!(value <= 1.0 + SUMMATION, "{name} on {law:?}: expected capital {value}");
        assert!(value >= 1.0 - 1e-10, "{name} on {law:?}: expected capital {value}");
    }
}

fn nulls() -> [(Null, f64); 2] {
    [(Null::AtMost, 1.0), (Null::AtLeast, -1.0)]
}

#[test]
fn betting_is_a_martingale_at_the_bound_and_falls_inside_the_null() {
    for law in [two(0.0, 1.0, 0.5), two(0.0, 1.0, 0.015_625), two(-2.0, 6.0, 0.25), two(-1.0, 9.0, 0.9), vec![(0.0, 0.25), (0.5, 0.5), (1.0, 0.25)]] {
        // Three points in a dozen draws are half a million sequences; the law sits inside a wider range, too.
        for (low, high) in [(law[0].0, law[law.len() - 1].0), (-5.0, 30.0)] {
            for (null, sign) in nulls() {
                if law.len() == 2 {
                    one("betting", &Betting::new(low, high, null, mean(&law)).unwrap(), &law);
                }
                for inside in [0.01, 0.1, 0.3] {
                    let bound = mean(&law) + sign * inside * (high - low);
                    let start = Betting::new(low, high, null, bound).unwrap();
                    let value = expected(&start, &law, 8, f64::INFINITY);
                    assert!(value <= 1.0 + SUMMATION, "{law:?} {inside} inside {null:?}: {value}");
                }
            }
        }
    }
}

#[test]
fn the_beta_binomial_mixture_is_a_martingale_at_the_bound() {
    for (p, bound) in [(0.5, (1, 2)), (0.25, (1, 4)), (0.031_25, (1, 32)), (0.875, (7, 8))] {
        for (null, _) in nulls() {
            let start = BetaBinomial::new(null, &Rational::new(bound.0, bound.1)).unwrap();
            one("beta-binomial", &start, &two(0.0, 1.0, p));
            let inside = if null == Null::AtMost { p / 2.0 } else { 0.5 + p / 2.0 };
            at_most_one("beta-binomial, inside", &start, &two(0.0, 1.0, inside), LONG);
        }
    }
}

#[test]
fn the_normal_mixture_keeps_below_one_on_sub_gaussian_laws() {
    // A variable in [low, high] is sub-Gaussian with scale (high - low)/2 (Hoeffding's lemma); a fair sign with scale 1 meets it at second order.
    for law in [two(-1.0, 1.0, 0.5), two(-1.0, 3.0, 0.25), two(-9.0, 1.0, 0.9)] {
        let sigma = (law[1].0 - law[0].0) / 2.0;
        for (null, sign) in nulls() {
            for horizon in [1, 12, 1_000] {
                for inside in [0.0, 0.5, 3.0, 50.0, 1e4] {
                    let start = HalfNormalMixture::new(sigma, null, mean(&law) + sign * inside * sigma, horizon).unwrap();
                    at_most_one("normal mixture", &start, &law, LONG);
                }
            }
        }
    }
    // A scale that is too small shows: this check can fail.
    let start = HalfNormalMixture::new(0.5, Null::AtMost, 0.0, 12).unwrap();
    assert!(expectations(&start, &two(-1.0, 1.0, 0.5), LONG).iter().any(|value| *value > 1.5));
}

#[test]
fn catoni_keeps_below_one_with_its_moment_used_up() {
    for law in
        [two(-1.0, 1.0, 0.5), two(-0.062_5, 1.0, 0.058_823_529_411_764_7), two(-1.0, 63.0, 0.015_625), two(-63.0, 1.0, 0.984_375), two(2.0, 5.0, 0.5)]
    {
        let m = mean(&law);
        for order in [1.05, 1.5, 2.0] {
            // The moments are doubles near the exact ones: a relative 1e-13 is far more than their rounding.
            let (central, raw) = (moment(&law, m, order) * (1.0 + 1e-13), moment(&law, 0.0, order) * (1.0 + 1e-13));
            for (null, sign) in nulls() {
                // The longest horizon has rates so small that nothing is given away at order 2 but terms of fourth order.
                for horizon in [1, 12, 1_000, 10_000_000] {
                    for inside in [0.0, 0.1, 1.0, 20.0] {
                        // The mean itself is a double near the exact one, moved to the null's side by as much.
                        let bound = m + sign * (inside + 1e-15 * m.abs());
                        at_most_one("central", &Catoni::central(order, central, null, bound, horizon).unwrap(), &law, SHORT);
                        at_most_one("raw", &Catoni::raw(order, raw, null, bound, horizon).unwrap(), &law, SHORT);
                    }
                }
            }
        }
    }
    // A moment that is a tenth too small shows.
    let start = Catoni::central(2.0, 0.9, Null::AtMost, 0.0, 10_000_000).unwrap();
    assert!(expectations(&start, &two(-1.0, 1.0, 0.5), SHORT).iter().any(|value| *value > 1.0 + 100.0 * SUMMATION));
    let start = Catoni::central(2.0, 0.125, Null::AtMost, 0.0, 12).unwrap();
    assert!(expectations(&start, &two(-1.0, 1.0, 0.5), LONG).iter().any(|value| *value > 1.1));
    // And so does the bound on the wrong side of the mean.
    let start = Catoni::raw(1.5, 7.1, Null::AtMost, 0.0, 1_000).unwrap();
    assert!(expectations(&start, &two(2.0, 5.0, 0.5), SHORT).iter().any(|value| *value > 1.01));
}

/// 2 sqrt(r/(V+r)) exp(S^2/(2(V+r))) Phi(S/sqrt(V+r)) in high precision, from the theorem and not from the code.
#[test]
fn the_normal_mixture_is_its_formula() {
    for (x, n, horizon) in
        [(1_i64, 30_i64, 10_u64), (1, 200, 1_000), (2, 40, 41), (0, 5, 41), (-1, 3, 41), (-1, 20, 41), (-1, 24, 41), (-1, 400, 41), (-7, 300, 9)]
    {
        let mut test = HalfNormalMixture::new(1.0, Null::AtMost, 0.0, horizon).unwrap();
        for _ in 0..n {
            assert!(test.update(x as f64));
        }
        let precision = Rational::from_f64(horizon as f64 / 41.0).unwrap();
        let total = Rational::from(n) + precision.clone();
        let sum = Rational::from(x * n);
        let big = |value: &Rational| BigInterval::from_rational(value);
        let z = big(&sum) / big(&total).sqrt();
        // The tail at a rational within 1e-19 of z: its logarithm is off by less than 1e-17 |z|.
        let phi = normal_tails(&z.mid().unwrap()).lower;
        let reference = BigInterval::from_i64(2).ln()
            + (big(&precision) / big(&total)).ln() / BigInterval::from_i64(2)
            + z.clone() * z / BigInterval::from_i64(2)
            + phi.ln();
        let reference = reference.to_interval();
        let log = test.log_capital();
        assert!(log <= reference.lo(), "x = {x}, n = {n}: {log} is above {reference:?}");
        // Left of -5 the formula is bounded by Mills' ratio, which is off by less than a factor 1 + 1/z^2 <= 26/25.
        let z_far = (x * n) as f64 / (n as f64 + horizon as f64 / 41.0).sqrt() <= -5.0;
        assert!(reference.hi() - log < if z_far { 0.04 } else { 1e-11 * (1.0 + reference.hi().abs()) }, "x = {x}, n = {n}: {log}, {reference:?}");
    }
}

/// P(Bin(n+1, b) <= k) / ((1 - b)(n + 1) C(n, k) b^k (1 - b)^(n-k)) as an exact rational, from the sum and not from the recursion.
#[test]
fn the_beta_binomial_mixture_is_its_formula() {
    fn point(n: u32, k: u32, b: &Rational) -> Rational {
        let choose = (0..k).fold(Rational::from(1), |c, i| c * Rational::new(i64::from(n - i), i64::from(i + 1)));
        choose * b.powi(k) * (Rational::from(1) - b.clone()).powi(n - k)
    }
    for (b, pattern) in [((1, 2), "1101111111"), ((1, 16), "0100010011"), ((15, 16), "1111111111"), ((1, 1024), "0000000001"), ((3, 4), "0000000000")]
    {
        let b = Rational::new(b.0, b.1);
        for null in [Null::AtMost, Null::AtLeast] {
            let mut test = BetaBinomial::new(null, &b).unwrap();
            let (mut n, mut k) = (0_u32, 0_u32);
            for letter in pattern.repeat(6).chars() {
                assert!(test.update(if letter == '1' { 1.0 } else { 0.0 }));
                (n, k) = (n + 1, k + u32::from(letter == '1'));
                let (b, k) = if null == Null::AtMost { (b.clone(), k) } else { (Rational::from(1) - b.clone(), n - k) };
                let below = (0..=k).fold(Rational::from(0), |sum, j| sum + point(n + 1, j, &b));
                let capital = below.clone() / ((Rational::from(1) - b.clone()) * Rational::from(i64::from(n) + 1) * point(n, k, &b));
                let reference = BigInterval::from_rational(&capital).ln().to_interval();
                let log = test.log_capital();
                assert!(log <= reference.lo(), "b = {b}, {k} of {n}: {log} is above {reference:?}");
                // Where the tail is not itself lost to rounding the recursion gives eleven digits.
                if below > Rational::new(1, 1000) {
                    assert!(reference.hi() - log < 1e-11 * (1.0 + reference.hi().abs()), "b = {b}, {k} of {n}: {log}, {reference:?}");
                }
            }
        }
    }
}

/// The interval of the theorem, from enclosures: (sum l_i Y_i +- (ln(2/level) + sum (Y_i - m_(i-1))^2 (-ln(1 - l_i) - l_i))) / sum l_i, intersected over time.
#[test]
fn the_confidence_sequence_is_its_formula() {
    let level = Rational::new(1, 20);
    let log_level = BigInterval::from_i64(40).ln();
    for (horizon, values) in [(12_u64, &[1.0, 0.0, 0.25, 1.0, 0.5][..]), (4_000, &[0.0, 0.0, 1.0, 0.125][..]), (1_000_000, &[1.0, 0.5][..])] {
        let mut sequence = EmpiricalBernstein::new(-2.0, 6.0, &level, horizon).unwrap();
        let (mut weights, mut weighted, mut penalty) = (BigInterval::zero(), BigInterval::zero(), log_level.clone());
        let (mut reference, mut seen) = ((0.0_f64, 1.0_f64), Vec::<f64>::new());
        for &y in values.iter().cycle().take(300) {
            assert!(sequence.update(-2.0 + 8.0 * y));
            // Mean and variance with half a draw at 1/2 in front; any rate that earlier draws fix gives a valid interval.
            let count = seen.len() as f64 + 1.0;
            let before = (0..seen.len()).map(|i| (0.5 + seen[..i].iter().sum::<f64>()) / (i as f64 + 1.0));
            let variance = (0.25 + seen.iter().zip(before).map(|(y, m)| (y - m) * (y - m)).sum::<f64>()) / count;
            let mean = (0.5 + seen.iter().sum::<f64>()) / count;
            let rate = (2.0 * log_level.to_interval().hi() / (variance * horizon as f64)).sqrt().min(0.5);
            let big = |x: f64| BigInterval::from_rational(&Rational::from_f64(x).unwrap());
            penalty = penalty + big((y - mean) * (y - mean)) * (-(BigInterval::one() - big(rate)).ln() - big(rate));
            weights = weights + big(rate);
            weighted = weighted + big(rate) * big(y);
            let (centre, radius) = (weighted.clone() / weights.clone(), penalty.clone() / weights.clone());
            reference =
                (reference.0.max((centre.clone() - radius.clone()).to_interval().lo()), reference.1.min((centre + radius).to_interval().hi()));
            let (low, high) = sequence.interval();
            let (expected_low, expected_high) = (-2.0 + 8.0 * reference.0, -2.0 + 8.0 * reference.1);
            // The code rounds outward; the means above differ from its running ones by some roundings, which move the result by 1e-12 at most.
            assert!(
                (low - expected_low).abs() < 1e-11 && (high - expected_high).abs() < 1e-11,
                "[{low}, {high}], expected [{expected_low}, {expected_high}]"
            );
            seen.push(y);
        }
        assert!(horizon > 12 || reference.1 - reference.0 < 0.9, "the formula says something: {reference:?}");
    }
}

/// The counts that a proportion test rejects at its horizon are those whose certified p-value is at most half of the level.
#[test]
fn the_look_at_the_horizon_is_the_exact_tail() {
    let (level, half, horizon) = (Rational::new(1, 20), Rational::new(1, 40), 12);
    for bound in [Rational::new(1, 2), Rational::new(1, 10), Rational::new(9, 10)] {
        for null in [Null::AtMost, Null::AtLeast] {
            for k in 0..=horizon {
                // The mixture must not speak first: successes and failures are dealt evenly, and its own rejection is noted before the last draw.
                let mut test = ProportionTest::new(null, &bound, &level, horizon).unwrap();
                let mut before = false;
                let mut last = false;
                for i in 0..horizon {
                    before = last;
                    last = test.update((i + 1) * k / horizon > i * k / horizon);
                }
                let p = proportion_p_value(k, horizon, null, &bound).unwrap();
                let exact = p.le(&BigInterval::from_rational(&half)).is_true();
                assert!(before || !exact || last, "{k} of {horizon} against {bound}, {null:?}: not rejected");
                let mut mixture = BetaBinomial::new(null, &bound).unwrap();
                let by_mixture = (0..horizon).any(|i| {
                    mixture.update(f64::from(u8::from((i + 1) * k / horizon > i * k / horizon)))
                        && mixture.log_capital() >= engine::inference::threshold(&half)
                });
                assert_eq!(last, exact || by_mixture, "{k} of {horizon} against {bound}, {null:?}");
            }
        }
    }
}

#[test]
fn what_is_known_of_a_difference() {
    use Dependence::{Any, Independent};
    let bounded = |low, high| Knowledge::Bounded { low, high };
    assert_eq!(difference_knowledge(&bounded(0.0, 1.0), &bounded(-2.0, 5.0), Any), Some(bounded((-5.0_f64).next_down(), 3.0_f64.next_up())));
    let near = |found: Option<Knowledge>, expected: f64| match found.unwrap() {
        Knowledge::SubGaussian { sigma: value } | Knowledge::Moment { bound: value, .. } | Knowledge::RawMoment { bound: value, .. } => {
            assert!(value >= expected && value <= expected * (1.0 + 1e-13), "{value}, expected {expected}");
        }
        Knowledge::Bounded { .. } => panic!("a range"),
    };
    let normal = |sigma| Knowledge::SubGaussian { sigma };
    near(difference_knowledge(&normal(3.0), &normal(4.0), Independent), 5.0);
    near(difference_knowledge(&normal(3.0), &normal(4.0), Any), 7.0);
    let heavy = |order, bound| Knowledge::Moment { order, bound };
    near(difference_knowledge(&heavy(2.0, 9.0), &heavy(2.0, 16.0), Independent), 25.0);
    near(difference_knowledge(&heavy(2.0, 9.0), &heavy(2.0, 16.0), Any), 49.0);
    // (8^(2/3) + 1)^(3/2) = 5^(3/2), and no less for independent variables.
    near(difference_knowledge(&heavy(1.5, 8.0), &heavy(1.5, 1.0), Independent), 11.180_339_887_498_949);
    let raw = |order, bound| Knowledge::RawMoment { order, bound };
    near(difference_knowledge(&raw(2.0, 9.0), &raw(2.0, 16.0), Independent), 49.0);
    assert_eq!(difference_knowledge(&heavy(1.5, 8.0), &heavy(1.6, 1.0), Any), None);
    assert_eq!(difference_knowledge(&normal(1.0), &heavy(2.0, 1.0), Any), None);
}

#[test]
fn a_parameter_without_a_theorem_is_an_error() {
    let shown = |error: engine::inference::InferenceError| error.to_string();
    assert_eq!(shown(Catoni::central(3.0, 1.0, Null::AtMost, 0.0, 10).unwrap_err()), "Catoni: order = 3 is not in (1, 2]");
    for order in [1.0, 2.000_1, f64::NAN] {
        assert!(Catoni::central(order, 1.0, Null::AtMost, 0.0, 10).is_err() && Catoni::raw(order, 1.0, Null::AtMost, 0.0, 10).is_err());
    }
    for value in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        assert!(Catoni::central(1.5, value, Null::AtMost, 0.0, 10).is_err());
        assert!(HalfNormalMixture::new(value, Null::AtMost, 0.0, 10).is_err());
        assert!(Betting::new(0.0, value, Null::AtMost, 0.5).is_err());
    }
    for bound in [f64::NAN, f64::INFINITY] {
        assert!(Betting::new(0.0, 1.0, Null::AtMost, bound).is_err() && HalfNormalMixture::new(1.0, Null::AtMost, bound, 10).is_err());
        assert!(Catoni::central(1.5, 1.0, Null::AtMost, bound, 10).is_err());
    }
    // Squares and powers that leave the doubles would make a test out of zeros and infinities.
    assert!(HalfNormalMixture::new(1e-200, Null::AtMost, 0.0, 10).is_err() && HalfNormalMixture::new(1e200, Null::AtMost, 0.0, 10).is_err());
    assert!(PairedDifference::new(-1e308, 1e308, Null::AtMost, 0.0).is_err() && Betting::new(1.0, 1.0, Null::AtMost, 1.0).is_err());
    let half = Rational::new(1, 2);
    for bad in [Rational::from(0), Rational::from(1), Rational::new(3, 2), Rational::new(-1, 2)] {
        assert!(BetaBinomial::new(Null::AtMost, &bad).is_err(), "{bad}");
        assert!(ProportionTest::new(Null::AtMost, &half, &bad, 10).is_err(), "{bad}");
    }
}
