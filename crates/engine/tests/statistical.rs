//! The statistical and rate routes and the ledger on laws whose means are known; the samplers' moments through the routes themselves.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use claim::{Arm, Asserted, Check, Claim, ClaimRecord, Knowledge, Mutant, Part, Provenance, RatePart, Size, StatisticalPart, Verdict};
use engine::{EngineError, Settings, Silent, check_claim, run};
use numeric::{BigInterval, Field, Interval, Rational};
use sample::{Exponential, Law, Lottery, Pareto, SymmetricStable, TwoPoint, Uniform, Words, closed_open, normal};

fn claim(id: &'static str, parts: fn() -> Vec<Part>, mutants: fn() -> Vec<Mutant>) -> Claim {
    Claim {
        id,
        statement: "",
        assumptions: &[],
        provenance: Provenance::Derived,
        source: "",
        declared: Verdict::Supported,
        argument: "",
        gap: None,
        finding: None,
        see: &[],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn checked(parts: fn() -> Vec<Part>, mutants: fn() -> Vec<Mutant>) -> ClaimRecord {
    check_claim(&claim("test/claim", parts, mutants), &Settings::default(), &Silent).unwrap()
}

fn part(check: Check) -> Vec<Part> {
    vec![Part { name: "part", statement: "", checks: vec![check] }]
}

fn mutant(check: Check) -> Vec<Mutant> {
    vec![Mutant { name: "mutant", statement: "", check, planted: None }]
}

fn none() -> Vec<Mutant> {
    Vec::new()
}

fn arm(knowledge: Knowledge, asserted: Asserted, bound: f64, draws: u64) -> Arm {
    Arm { name: "X".into(), knowledge, asserted, bound: Interval::point(bound), draws }
}

/// E U <= bound for U uniform on [0, 1).
fn uniform_mean(asserted: Asserted, bound: f64) -> Check {
    let knowledge = Knowledge::Bounded { low: 0.0, high: 1.0 };
    StatisticalPart::new("uniform").arm(arm(knowledge, asserted, bound, 20_000), |words, out| out.fill_with(|| closed_open(words))).erase()
}

#[test]
fn a_true_bound_is_supported_only_beside_a_mutant_that_falls() {
    let record = checked(|| part(uniform_mean(Asserted::AtMost, 0.55)), || mutant(uniform_mean(Asserted::AtMost, 0.45)));
    assert_eq!((record.verdict, record.as_declared), (Verdict::Supported, true), "{record:?}");
    assert_eq!(record.parts[0].level.as_deref(), Some("1e-9"));
    assert!(record.parts[0].instances < 20_000, "stopped when decided");
    let alone = checked(|| part(uniform_mean(Asserted::AtMost, 0.55)), none);
    assert_eq!(alone.verdict, Verdict::Undecided, "no mutant shows the test's power");
    // At the mean itself neither side is ever rejected.
    let exact = checked(|| part(uniform_mean(Asserted::AtLeast, 0.5)), || mutant(uniform_mean(Asserted::AtLeast, 0.6)));
    assert_eq!(exact.verdict, Verdict::Undecided);
}

#[test]
fn a_false_bound_is_refuted_with_its_numbers() {
    let record = checked(|| part(uniform_mean(Asserted::AtLeast, 0.52)), none);
    assert_eq!(record.verdict, Verdict::Refuted);
    let witness = record.parts[0].witness.clone().unwrap();
    let value = |name: &str| witness.values.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()).unwrap();
    let (mean, against, needed): (f64, f64, f64) =
        (value("sample_mean").parse().unwrap(), value("log_evidence_against").parse().unwrap(), value("needed").parse().unwrap());
    // ln(2 10^9) = 21.4.
    assert!((0.48..0.52).contains(&mean) && against >= needed && (21.4..21.5).contains(&needed), "{witness:?}");
}

#[test]
fn a_draw_outside_the_law_is_reported_not_used() {
    fn check(fill: fn(&mut dyn Words, &mut [f64])) -> Check {
        let knowledge = Knowledge::Bounded { low: 0.0, high: 0.9 };
        StatisticalPart::new("").arm(arm(knowledge, Asserted::AtMost, 0.95, 2_000), fill).erase()
    }
    let uniform = || part(check(|words, out| out.fill_with(|| closed_open(words))));
    let record = checked(uniform, none);
    assert_eq!(record.verdict, Verdict::Undecided);
    assert!(record.parts[0].witness.as_ref().unwrap().values.iter().any(|(key, _)| key == "outside_the_law"), "{record:?}");
    assert_eq!(checked(|| part(check(|_, out| out.fill(f64::NAN))), none).verdict, Verdict::Undecided);
}

#[test]
fn power_is_shown_by_the_same_route_within_the_same_draws_and_unaided() {
    fn uniform(asserted: Asserted, bound: f64, draws: u64) -> Check {
        let knowledge = Knowledge::Bounded { low: 0.0, high: 1.0 };
        StatisticalPart::new("uniform").arm(arm(knowledge, asserted, bound, draws), |words, out| out.fill_with(|| closed_open(words))).erase()
    }
    // E U <= 0.8 takes a hundred draws; E U <= 0.49 takes ten thousands to refute.
    let easy = || part(uniform(Asserted::AtMost, 0.8, 512));
    let record = checked(easy, || mutant(uniform(Asserted::AtMost, 0.49, 200_000)));
    assert_eq!((record.mutants[0].verdict, record.verdict), (Verdict::Refuted, Verdict::Undecided), "{record:?}");
    assert!(record.parts[0].effort.iter().any(|(key, _)| key == "power"));
    // What a mutant may draw does not matter, only what it took.
    assert_eq!(checked(easy, || mutant(uniform(Asserted::AtMost, 0.1, 200_000))).verdict, Verdict::Supported);
    // A rate that falls says nothing of a mean, and a mutant that needs a planted check says nothing at all.
    let roomy = || part(uniform(Asserted::AtMost, 0.8, 200_000));
    let record = checked(roomy, || mutant(falling(Asserted::AtMost, (-7, 10), 0)));
    assert_eq!((record.mutants[0].verdict, record.verdict), (Verdict::Refuted, Verdict::Undecided), "{record:?}");
    let planted = || {
        let check = uniform(Asserted::AtMost, 0.51, 512);
        vec![Mutant { name: "mutant", statement: "", check, planted: Some(uniform(Asserted::AtMost, 0.1, 512)) }]
    };
    let record = checked(easy, planted);
    assert_eq!((record.mutants[0].verdict, record.mutants[0].planted, record.verdict), (Verdict::Refuted, true, Verdict::Undecided), "{record:?}");
}

#[test]
fn a_check_that_is_no_test_is_an_error_that_names_it() {
    let error = |parts: fn() -> Vec<Part>| check_claim(&claim("test/claim", parts, none), &Settings::default(), &Silent).unwrap_err().to_string();
    fn fill(words: &mut dyn Words, out: &mut [f64]) {
        out.fill_with(|| closed_open(words));
    }
    fn with(knowledge: Knowledge, bound: f64) -> Vec<Part> {
        part(StatisticalPart::new("").arm(arm(knowledge, Asserted::AtMost, bound, 512), fill).erase())
    }
    let order = || with(Knowledge::Moment { order: 2.5, bound: 1.0 }, 0.5);
    assert_eq!(error(order), "test/claim part: Catoni: order = 2.5 is not in (1, 2]");
    assert!(error(|| with(Knowledge::RawMoment { order: 1.5, bound: 0.0 }, 0.5)).contains("moment = 0"));
    assert!(error(|| with(Knowledge::SubGaussian { sigma: -1.0 }, 0.5)).contains("sigma = -1"));
    assert!(error(|| with(Knowledge::Bounded { low: 1.0, high: 0.0 }, 0.5)).contains("high = 0"));
    // A bound that no enclosure could pin down: its cautious end is infinite.
    assert!(error(|| with(Knowledge::Bounded { low: 0.0, high: 1.0 }, f64::INFINITY)).contains("bound"));
    let level = || {
        let mut check = StatisticalPart::new("").arm(arm(Knowledge::Bounded { low: 0.0, high: 1.0 }, Asserted::AtMost, 0.6, 512), fill);
        check.level = Rational::new(-1, 1_000_000_000);
        part(check.erase())
    };
    assert!(error(level).contains("level = -1/1000000000"), "{}", error(level));
    let sizes = || {
        let Check::Rate(mut check) = falling(Asserted::AtMost, (-2, 5), 0) else { unreachable!("a rate check") };
        check.sizes.reverse();
        part(check.erase())
    };
    assert!(error(sizes).contains("size = 64 is not above the one before it"), "{}", error(sizes));
    let one = || {
        let Check::Rate(mut check) = falling(Asserted::AtMost, (-2, 5), 0) else { unreachable!("a rate check") };
        check.sizes.truncate(1);
        part(check.erase())
    };
    assert!(error(one).contains("sizes = 1"));
}

/// Cancels after so many questions.
struct Impatient(std::sync::atomic::AtomicUsize);

impl engine::Progress for Impatient {
    fn cancelled(&self) -> bool {
        use std::sync::atomic::Ordering::Relaxed;
        self.0.fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(1))).unwrap_or(0) == 0
    }
}

#[test]
fn an_interruption_while_drawing_leaves_the_claim_out() {
    // Never decided: half a billion draws, unless it is stopped.
    fn endless() -> Vec<Part> {
        let knowledge = Knowledge::Bounded { low: 0.0, high: 1.0 };
        let arm = arm(knowledge, Asserted::AtMost, 0.5, 500_000_000);
        part(StatisticalPart::new("").arm(arm, |words, out| out.fill_with(|| closed_open(words))).erase())
    }
    fn endless_rate() -> Vec<Part> {
        let Check::Rate(mut check) = falling(Asserted::AtMost, (-1, 2), 0) else { unreachable!("a rate check") };
        check.sizes.iter_mut().for_each(|size| size.draws = 500_000_000);
        part(check.erase())
    }
    for parts in [endless, endless_rate] {
        let quick = claim("test/quick", || part(uniform_mean(Asserted::AtLeast, 0.9)), none);
        let settings = Settings { threads: Some(1), ..Settings::default() };
        // Enough questions for the first claim, which is refuted in its first wave.
        let record = run(&[quick, claim("test/endless", parts, none)], &settings, &Impatient(12.into())).unwrap();
        let ids: Vec<&str> = record.claims.iter().map(|claim| claim.id.as_str()).collect();
        assert_eq!((record.partial, ids), (true, vec!["test/quick"]));
        assert_eq!((record.level_total.as_str(), record.level_spent.as_str()), ("2e-9", "1e-9"));
    }
}

#[test]
fn a_raw_moment_supports_and_refutes() {
    fn check(bound: f64) -> Check {
        // E|X|^1.5 for Pareto(1.8) on one side: 1.8/0.3 = 6; E X = 1.8/0.8 = 2.25.
        let law = Pareto::new(1.8, 1.0, false).unwrap();
        let arm = arm(Knowledge::RawMoment { order: 1.5, bound: 6.0 }, Asserted::AtMost, bound, 200_000);
        StatisticalPart::new("").arm(arm, move |words, out| law.fill(words, out)).erase()
    }
    let record = checked(|| part(check(3.0)), || mutant(check(1.75)));
    assert_eq!((record.verdict, record.mutants[0].verdict), (Verdict::Supported, Verdict::Refuted), "{record:?}");
}

/// X = 1 with probability T^(-1/2) (times ln T, if asked), else 0.
fn falling(asserted: Asserted, exponent: (i64, i64), log_power: i64) -> Check {
    let sizes = [16_u64, 64, 256]
        .map(|size| {
            let scale = if log_power == 0 { 1.0 } else { core_math::log(size as f64) / 8.0 };
            let p = scale / (size as f64).sqrt();
            Size {
                size,
                draws: 40_000,
                high: 1.0,
                sampler: Box::new(move |words, out| out.fill_with(|| f64::from(u8::from(closed_open(words) < p)))),
            }
        })
        .into();
    let level = Rational::new(1, 1_000_000_000);
    RatePart { domain: String::new(), level, asserted, exponent: Rational::new(exponent.0, exponent.1), log_power: Rational::from(log_power), sizes }
        .erase()
}

#[test]
fn slopes_are_judged_from_the_side_that_is_asserted() {
    let verdict = |parts: fn() -> Vec<Part>| checked(parts, || mutant(falling(Asserted::AtMost, (-7, 10), 0)));
    let record = verdict(|| part(falling(Asserted::AtMost, (-2, 5), 0)));
    assert_eq!(record.verdict, Verdict::Supported, "{record:?}");
    assert!(record.parts[0].effort.iter().any(|(key, _)| key == "slope"));
    assert_eq!(verdict(|| part(falling(Asserted::AtMost, (-7, 10), 0))).verdict, Verdict::Refuted);
    assert_eq!(verdict(|| part(falling(Asserted::AtLeast, (-3, 5), 0))).verdict, Verdict::Supported);
    assert_eq!(verdict(|| part(falling(Asserted::AtMost, (-1, 2), 0))).verdict, Verdict::Undecided, "the true exponent itself");
    // With a logarithm in the mean the slope is -1/2 only after it is taken away.
    assert_eq!(verdict(|| part(falling(Asserted::AtMost, (-2, 5), 1))).verdict, Verdict::Supported);
}

#[test]
fn the_ledger_refuses_a_registry_that_promises_too_much() {
    let parts = || {
        let Check::Statistical(mut part_) = uniform_mean(Asserted::AtMost, 0.55) else { unreachable!("a statistical check") };
        part_.level = Rational::new(1, 2_000_000);
        part(part_.erase())
    };
    let one = run(&[claim("test/one", parts, none)], &Settings::default(), &Silent).unwrap();
    assert_eq!((one.level_total.as_str(), one.level_spent.as_str()), ("0.0000005", "0.0000005"));
    let three: Vec<Claim> = ["test/a", "test/b", "test/c"].map(|id| claim(id, parts, none)).into();
    let error = run(&three, &Settings::default(), &Silent).unwrap_err();
    assert!(matches!(error, EngineError::Ledger { .. }) && error.to_string().contains("3/2000000"), "{error}");
}

#[test]
fn the_record_is_the_same_at_any_thread_count() {
    let make = || vec![claim("test/one", || part(uniform_mean(Asserted::AtMost, 0.52)), || mutant(uniform_mean(Asserted::AtMost, 0.48)))];
    let of = |threads| format!("{:?}", run(&make(), &Settings { threads: Some(threads), ..Settings::default() }, &Silent).unwrap());
    let reference = of(1);
    for threads in [2, 3, 8] {
        assert_eq!(of(threads), reference);
    }
}

/// |X|^r of a law against its closed form, from both sides with a tolerance of 5%, where the variance of |X|^r is finite and bounds its moment of order 2.
fn moment_arms(check: StatisticalPart, name: &str, law: impl Law + Clone + 'static, r: f64, mean: f64, variance: f64) -> StatisticalPart {
    let knowledge = Knowledge::Moment { order: 2.0, bound: variance };
    // Effects of 5% of the mean need about 60 variances over their square at the level used.
    let draws = (90.0 * variance / (0.05 * mean * 0.05 * mean)) as u64 + 2_000;
    let sides = [(Asserted::AtMost, 1.05), (Asserted::AtLeast, 0.95)];
    sides.into_iter().fold(check, |check, (asserted, factor)| {
        let law = law.clone();
        let arm = Arm { name: format!("{name}, order {r}"), knowledge: knowledge.clone(), asserted, bound: Interval::point(mean * factor), draws };
        check.arm(arm, move |words: &mut dyn Words, out: &mut [f64]| {
            law.fill(words, out);
            for x in out {
                *x = core_math::pow(x.abs(), r);
            }
        })
    })
}

#[derive(Clone)]
struct StandardNormal;

impl Law for StandardNormal {
    fn draw(&self, words: &mut dyn Words) -> f64 {
        normal(words)
    }
}

fn moments(scale: f64) -> Check {
    let q = Rational::new;
    let near = |value: BigInterval| value.to_interval().mid();
    let big = BigInterval::ratio;
    let part = StatisticalPart::new("laws");
    // E|Z| = sqrt(2/pi), E Z^2 = 1 and 3.
    let part = moment_arms(part, "normal", StandardNormal, 1.0, scale * 0.797_884_560_802_865_4, 1.0);
    let part = moment_arms(part, "normal", StandardNormal, 2.0, scale, 2.0);
    let part = moment_arms(part, "exponential", Exponential, 1.0, scale, 1.0);
    let part = moment_arms(part, "uniform", Uniform::new(0.0, 1.0).unwrap(), 1.0, scale * 0.5, 1.0 / 12.0);
    // Pareto(1.8) at order 1/2: 1.8/1.3, second moment 1.8/0.8.
    let order = |alpha: (i64, i64), r: (i64, i64)| near(Pareto::moment(&big(alpha.0, alpha.1), &big(1, 1), &big(r.0, r.1)).unwrap());
    let part = moment_arms(part, "Pareto", Pareto::new(1.8, 1.0, true).unwrap(), 0.5, scale * order((9, 5), (1, 2)), order((9, 5), (1, 1)));
    // Stable laws at order alpha/4: the square is of order alpha/2 and has a finite mean.
    let part = [(1.5, (3, 2)), (1.0, (1, 1)), (2.0, (2, 1)), (1.8, (9, 5))].into_iter().fold(part, |part, (alpha, (p, q))| {
        let order = |r: (i64, i64)| near(SymmetricStable::moment(&big(p, q), &big(1, 1), &big(r.0, r.1)).unwrap());
        moment_arms(part, "stable", SymmetricStable::new(alpha, 1.0).unwrap(), alpha / 4.0, scale * order((p, 4 * q)), order((p, 2 * q)))
    });
    let lottery = Lottery::new(q(1, 1), q(1, 10)).unwrap();
    let part = moment_arms(part, "lottery", lottery, 1.0, scale * 1.8, 9.0);
    let points = TwoPoint::new(q(9, 1), q(1, 1)).unwrap();
    moment_arms(part, "two-point", points, 1.0, scale * 1.8, 9.0).erase()
}

#[test]
fn samplers_have_their_moments() {
    let record = checked(|| part(moments(1.0)), || mutant(moments(1.12)));
    assert_eq!((record.verdict, record.as_declared), (Verdict::Supported, true), "{:#?}", record.parts[0].effort);
}

/// E Z >= 5 for a standard normal Z is as false as can be, and E Z <= 5 as true.
#[test]
fn a_bound_far_from_the_mean_is_decided_the_right_way() {
    fn far(asserted: Asserted) -> Check {
        let arm = arm(Knowledge::SubGaussian { sigma: 1.0 }, asserted, 5.0, 20_000);
        StatisticalPart::new("").arm(arm, |words, out| out.fill_with(|| normal(words))).erase()
    }
    assert_eq!(checked(|| part(far(Asserted::AtLeast)), none).verdict, Verdict::Refuted);
    assert_eq!(checked(|| part(far(Asserted::AtMost)), || mutant(far(Asserted::AtLeast))).verdict, Verdict::Supported);
}
