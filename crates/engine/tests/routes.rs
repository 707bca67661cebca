//! The routes on statements whose truth is known by hand.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use claim::{
    CertifiedPart, Check, Claim, Coverage, ExactPart, Family, Formula, Judgement, Mutant, Outcome, Parameter, Part, Provenance, Relation, Sign, Tape,
    Verdict,
};
use engine::{Settings, Silent, check_claim, replay, run};
use numeric::{Field, QuadraticSurd, Rational, Real};

/// Pairs of integers in -1000..=1000 (from the tape: 0..=1000).
struct Pairs;

impl Family for Pairs {
    type Instance = Vec<i64>;

    fn id(&self) -> String {
        "pairs".into()
    }

    fn domain(&self) -> String {
        "pairs of integers".into()
    }

    fn special(&self) -> Vec<Vec<i64>> {
        vec![vec![0, 0], vec![1, 1], vec![-1000, 1000]]
    }

    fn tape_len(&self) -> usize {
        2
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Vec<i64> {
        vec![tape.integer(0, 1000), tape.integer(0, 1000)]
    }
}

fn surd(value: i64) -> QuadraticSurd {
    QuadraticSurd::from(Rational::from(value))
}

/// 2ab <= a^2 + b^2 + slack
fn square_of_difference(slack: i64) -> impl Fn(&Vec<i64>) -> Judgement {
    move |v| Judgement::compare(surd(2 * v[0] * v[1]), Relation::Le, surd(v[0] * v[0] + v[1] * v[1] + slack))
}

fn claim(declared: Verdict, parts: fn() -> Vec<Part>, mutants: fn() -> Vec<Mutant>) -> Claim {
    Claim {
        id: "test/claim",
        statement: "",
        assumptions: &[],
        provenance: Provenance::Derived,
        source: "",
        declared,
        argument: "",
        gap: None,
        finding: None,
        see: &[],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn part(check: Check) -> Vec<Part> {
    vec![Part { name: "part", statement: "", checks: vec![check] }]
}

fn no_mutants() -> Vec<Mutant> {
    Vec::new()
}

fn verdict(parts: fn() -> Vec<Part>) -> claim::ClaimRecord {
    check_claim(&claim(Verdict::Holds, parts, no_mutants), &Settings::default(), &Silent).expect("the parts are distinct")
}

#[test]
fn a_true_inequality_holds_on_ten_thousand_distinct_instances_and_is_tight() {
    let record = verdict(|| part(ExactPart::new(Pairs, square_of_difference(0)).erase()));
    assert_eq!(record.verdict, Verdict::Holds);
    assert!(record.parts[0].instances >= 10_000);
    // Equality at a = b, so the best ratio is 1 exactly.
    assert_eq!(record.parts[0].tightness.as_ref().map(|(ratio, _)| ratio.as_str()), Some("1"));
}

#[test]
fn a_false_inequality_is_refuted_by_the_smallest_witness_and_replays() {
    // 2ab <= a^2 + b^2 - 5 fails exactly where |a - b| <= 2.
    struct Apart;
    impl Family for Apart {
        type Instance = Vec<i64>;
        fn id(&self) -> String {
            "apart".into()
        }
        fn domain(&self) -> String {
            Pairs.domain()
        }
        fn special(&self) -> Vec<Vec<i64>> {
            vec![vec![0, 9]]
        }
        fn tape_len(&self) -> usize {
            2
        }
        fn draw(&self, tape: &mut Tape<'_>) -> Vec<i64> {
            Pairs.draw(tape)
        }
    }
    let parts = || part(ExactPart::new(Apart, square_of_difference(-5)).erase());
    let record = verdict(parts);
    assert_eq!(record.verdict, Verdict::Refuted);
    let witness = record.parts[0].witness.clone().expect("a refutation has a witness");
    assert_eq!(witness.instance, "(0, 0)", "shrinking ends at the smallest pair");
    let token = witness.replay.expect("an instance can be replayed");
    assert_eq!(token, "test/claim:part:apart:t");
    let again = replay(&[claim(Verdict::Refuted, parts, no_mutants)], &token).expect("the token names an instance");
    assert_eq!((again.instance.as_str(), again.outcome), ("(0, 0)", Outcome::Fails));
    assert_eq!(again.values, witness.values);
    for bad in ["test/claim:part:apart:s7", "test/claim:part:apart:t1.2.3", "test/claim:other:apart:s0", "no/claim:part:apart:s0"] {
        assert!(replay(&[claim(Verdict::Refuted, parts, no_mutants)], bad).is_err(), "{bad}");
    }
}

#[test]
fn nothing_satisfying_the_assumptions_is_vacuous_and_too_little_is_undecided() {
    assert_eq!(verdict(|| part(ExactPart::new(Pairs, |_: &Vec<i64>| Judgement::Unmet).erase())).verdict, Verdict::Vacuous);
    let record = check_claim(&claim(Verdict::Holds, Vec::new, no_mutants), &Settings::default(), &Silent).expect("no duplicates");
    assert_eq!(record.verdict, Verdict::Vacuous, "a claim without parts asserts nothing");
    static FEW: fn(&Vec<i64>) -> Judgement = |v| if v[1] == 0 { square_of_difference(0)(v) } else { Judgement::Unmet };
    let record = verdict(|| part(ExactPart::new(Pairs, FEW).erase()));
    assert_eq!(record.verdict, Verdict::Undecided, "about 1,001 instances are not 10,000");
    assert!(record.parts[0].instances <= 1_003);
}

#[test]
fn a_whole_domain_is_proved_and_an_undefined_value_decides_nothing() {
    let whole = || part(ExactPart::new(Pairs, square_of_difference(0)).covering(Coverage::WholeDomain).erase());
    assert_eq!(verdict(whole).verdict, Verdict::Proved);
    assert_eq!(verdict(whole).parts[0].instances, 3);
    let undefined = |v: &Vec<i64>| Judgement::compare(surd(1) / surd(v[0] - v[1]), Relation::Le, surd(1));
    assert_eq!(undefined(&vec![2, 2]).outcome(), Outcome::Undecided);
    let record =
        verdict(|| part(ExactPart::new(Pairs, |v: &Vec<i64>| Judgement::compare(surd(1) / surd(v[0] - v[1]), Relation::Le, surd(1))).erase()));
    assert_eq!(record.verdict, Verdict::Undecided);
}

#[test]
fn a_surviving_mutant_and_a_gap_show() {
    fn parts() -> Vec<Part> {
        part(ExactPart::new(Pairs, square_of_difference(0)).covering(Coverage::WholeDomain).erase())
    }
    fn false_and_true() -> Vec<Mutant> {
        vec![
            Mutant { name: "falls", statement: "", check: ExactPart::new(Pairs, square_of_difference(-1)).erase(), planted: None },
            Mutant { name: "survives", statement: "", check: ExactPart::new(Pairs, square_of_difference(1)).erase(), planted: None },
        ]
    }
    let record = check_claim(&claim(Verdict::Proved, parts, false_and_true), &Settings::default(), &Silent).expect("distinct names");
    let verdicts: Vec<Verdict> = record.mutants.iter().map(|mutant| mutant.verdict).collect();
    assert_eq!(verdicts, [Verdict::Refuted, Verdict::Holds]);
    assert_eq!(record.verdict, Verdict::Proved);
    assert!(!record.as_declared);
    let gap = Claim { gap: Some("an infinite step"), ..claim(Verdict::Proved, parts, no_mutants) };
    assert_eq!(check_claim(&gap, &Settings::default(), &Silent).expect("distinct names").verdict, Verdict::Holds);
}

#[test]
fn a_planted_instance_is_used_last_and_marked() {
    struct One(Vec<i64>);
    impl Family for One {
        type Instance = Vec<i64>;
        fn id(&self) -> String {
            "planted".into()
        }
        fn domain(&self) -> String {
            "one instance".into()
        }
        fn special(&self) -> Vec<Vec<i64>> {
            vec![self.0.clone()]
        }
        fn tape_len(&self) -> usize {
            0
        }
        fn draw(&self, _tape: &mut Tape<'_>) -> Vec<i64> {
            self.0.clone()
        }
    }
    // a != 5000 holds on the family, and falls to the planted instance only.
    fn mutants() -> Vec<Mutant> {
        let judge = |v: &Vec<i64>| Judgement::Property { holds: v[0] != 5000, detail: v[0].to_string() };
        vec![Mutant {
            name: "rare",
            statement: "",
            check: ExactPart::new(Pairs, judge).erase(),
            planted: Some(ExactPart::new(One(vec![5000, 0]), judge).covering(Coverage::FiniteFamily).erase()),
        }]
    }
    let parts = || part(ExactPart::new(Pairs, square_of_difference(0)).erase());
    let record = check_claim(&claim(Verdict::Holds, parts, mutants), &Settings::default(), &Silent).expect("distinct names");
    assert!(record.mutants[0].planted && record.mutants[0].verdict == Verdict::Refuted && record.as_declared);
    let token = record.mutants[0].witness.as_ref().and_then(|witness| witness.replay.clone()).expect("a witness");
    assert_eq!(replay(&[claim(Verdict::Holds, parts, mutants)], &token).map(|again| again.outcome).ok(), Some(Outcome::Fails));
}

#[test]
fn the_record_does_not_depend_on_threads_or_selection() {
    let make = || {
        let parts = || part(ExactPart::new(Pairs, square_of_difference(0)).erase());
        vec![claim(Verdict::Holds, parts, no_mutants), Claim { id: "test/other", ..claim(Verdict::Holds, parts, no_mutants) }]
    };
    let of = |threads, claims: Vec<Claim>| {
        let settings = Settings { threads: Some(threads), seed: 7, ..Settings::default() };
        format!("{:?}", run(&claims, &settings, &Silent).expect("a run").claims)
    };
    let reference = of(1, make());
    for threads in [2, 3, 8] {
        assert_eq!(of(threads, make()), reference);
    }
    let alone = of(2, make().into_iter().skip(1).collect());
    assert!(reference.contains(alone.trim_start_matches('[').trim_end_matches(']')), "a claim alone gives the same record");
}

/// Shorthand for a formula that is a function of a field or of the reals.
macro_rules! formula {
    ($name:ident, |$x:ident| $body:expr) => {
        struct $name;
        impl Formula for $name {
            fn eval<S: Real>(&self, $x: &[S]) -> S {
                $body
            }
            fn eval_exact(&self, $x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
                type S = QuadraticSurd;
                let _ = S::one;
                Some($body)
            }
        }
    };
}

fn real(name: &'static str, low: i64, high: i64) -> Parameter {
    Parameter::real(name, Rational::from(low), Rational::from(high))
}

formula!(SumOfSquares, |x| x[0].square() + x[1].square() - (x[0].clone() + x[0].clone()) * x[1].clone() + S::one());
formula!(Corner, |x| x[0].clone() * (S::one() - x[1].clone()) + x[1].clone() * x[1].clone());
formula!(Cubic, |x| x[0].square() + x[1].square() * x[1].clone());
formula!(Product, |x| S::from_i64(1000) - x[0].clone() * x[1].clone());
formula!(FirstIsPositive, |x| x[0].clone());
formula!(Impossible, |x| -S::one() - x[0].square());
formula!(Reciprocal, |x| S::one() / x[0].clone() + S::from_i64(10));
formula!(NearMiss, |x| (x[0].clone() - S::ratio(1, 3)).square() - S::ratio(1, 1_000_000_000_000));

fn certified(margin: impl Formula, sign: Sign, parameters: Vec<Parameter>) -> CertifiedPart {
    CertifiedPart::new(parameters, "box", margin, sign)
}

#[test]
fn dependency_is_overcome_by_splitting_and_derivatives() {
    // (x - y)^2 + 1 > 0 on [-10, 10]^2, written so that naive intervals see 2xy.
    let record = verdict(|| part(certified(SumOfSquares, Sign::Positive, vec![real("x", -10, 10), real("y", -10, 10)]).erase()));
    assert_eq!(record.verdict, Verdict::Proved);
    // Naive evaluation alone needs boxes of width about 1/40 along the diagonal: more than 800 of them. The mean-value form is second order.
    assert!(record.parts[0].instances < 800, "{} boxes", record.parts[0].instances);
}

#[test]
fn an_equality_corner_is_proved() {
    // x(1 - y) + y^2 >= 0 on [0, 1]^2, zero at the corner (0, 0).
    let record = verdict(|| part(certified(Corner, Sign::NonNegative, vec![real("x", 0, 1), real("y", 0, 1)]).erase()));
    assert_eq!(record.verdict, Verdict::Proved);
    let strict = verdict(|| part(certified(Corner, Sign::Positive, vec![real("x", 0, 1), real("y", 0, 1)]).erase()));
    assert_eq!(strict.verdict, Verdict::Refuted, "not positive at the corner");
    assert_eq!(strict.parts[0].witness.as_ref().map(|w| w.instance.as_str()), Some("x = 0, y = 0"));
}

#[test]
fn odd_powers_of_negatives_and_unbounded_products_are_refuted_exactly() {
    // dreal2#54: x^2 + y^3 < 0 is satisfiable in (-2, 2)^2, so x^2 + y^3 >= 0 is false there.
    let record = verdict(|| part(certified(Cubic, Sign::NonNegative, vec![real("x", -2, 2), real("y", -2, 2)]).erase()));
    assert_eq!(record.verdict, Verdict::Refuted);
    // boogie#1144: x, y >= -1 puts no bound on xy (a box that reaches 100 refutes xy <= 1000).
    let record = verdict(|| part(certified(Product, Sign::NonNegative, vec![real("x", -1, 100), real("y", -1, 100)]).erase()));
    assert_eq!(record.verdict, Verdict::Refuted);
    let witness = record.parts[0].witness.clone().expect("a witness");
    assert!(witness.values.iter().any(|(key, value)| key == "lhs" && value.starts_with('-')), "{witness:?}");
}

#[test]
fn assumptions_cut_the_box_and_impossible_ones_are_vacuous() {
    // x >= 0 is false on [-1, 1], true under the assumption x > 0; -1 - x^2 >= 0 is met nowhere.
    assert_eq!(verdict(|| part(certified(FirstIsPositive, Sign::NonNegative, vec![real("x", -1, 1)]).erase())).verdict, Verdict::Refuted);
    let assumed = || part(certified(FirstIsPositive, Sign::NonNegative, vec![real("x", -1, 1)]).assuming(FirstIsPositive, Sign::Positive).erase());
    assert_eq!(verdict(assumed).verdict, Verdict::Proved);
    let impossible = || part(certified(FirstIsPositive, Sign::NonNegative, vec![real("x", -1, 1)]).assuming(Impossible, Sign::NonNegative).erase());
    assert_eq!(verdict(impossible).verdict, Verdict::Vacuous);
}

#[test]
fn a_pole_inside_the_box_is_never_proved() {
    let record = verdict(|| part(certified(Reciprocal, Sign::Positive, vec![real("x", 0, 1)]).erase()));
    assert!(record.verdict < Verdict::Holds, "1/x is undefined at 0: {:?}", record.verdict);
    let record = verdict(|| part(certified(Reciprocal, Sign::Positive, vec![real("x", -1, 1)]).erase()));
    assert_eq!(record.verdict, Verdict::Refuted, "1/x + 10 is negative just left of 0");
}

#[test]
fn a_violation_of_one_part_in_a_million_million_is_found_with_a_small_denominator() {
    let record = verdict(|| part(certified(NearMiss, Sign::NonNegative, vec![real("x", 0, 1)]).erase()));
    assert_eq!(record.verdict, Verdict::Refuted);
    assert_eq!(record.parts[0].witness.as_ref().map(|w| w.instance.as_str()), Some("x = 1/3"));
}

#[test]
fn integers_are_enumerated() {
    formula!(Parabola, |x| (x[0].clone() - S::ratio(1, 2)).square() - S::ratio(1, 4));
    // n^2 >= n for integers, not for reals.
    static INTEGER: fn() -> Vec<Part> = || part(certified(Parabola, Sign::NonNegative, vec![Parameter::integer("n", -50, 50)]).erase());
    static REAL: fn() -> Vec<Part> = || part(certified(Parabola, Sign::NonNegative, vec![real("n", -50, 50)]).erase());
    assert_eq!(verdict(INTEGER).verdict, Verdict::Proved);
    assert_eq!(verdict(INTEGER).parts[0].instances, 101);
    assert_eq!(verdict(REAL).verdict, Verdict::Refuted);
    let witness = verdict(REAL).parts[0].witness.clone().expect("a witness");
    let value: Rational = witness.instance.trim_start_matches("n = ").parse().expect("a rational point");
    assert!(Rational::from(0) < value && value < Rational::from(1), "n^2 < n there only: {value}");
    assert!(value.denom() <= 3.into(), "the witness is simplified: {value}");
}

#[test]
fn high_precision_decides_where_doubles_do_not() {
    // Written for the reals only: the exponential has no exact form.
    struct Remainder;
    impl Formula for Remainder {
        fn eval<S: Real>(&self, x: &[S]) -> S {
            let t = x[0].clone() / S::from_i64(1_000_000_000);
            t.exp() - S::one() - t.clone() - t.square() / S::from_i64(2)
        }
        fn eval_exact(&self, _x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
            None
        }
    }
    let effort = |record: &claim::ClaimRecord| record.parts[0].effort.iter().find(|(key, _)| key == "precision_bits").map(|(_, bits)| bits.clone());
    let positive = verdict(|| part(certified(Remainder, Sign::Positive, vec![Parameter::integer("n", 1, 20)]).erase()));
    assert_eq!((positive.verdict, effort(&positive).as_deref()), (Verdict::Proved, Some("128")), "{:?}", positive.parts[0].witness);
    // At n <= 0 the remainder is 0 or negative: refuted, at a point where doubles see nothing.
    let refuted = verdict(|| part(certified(Remainder, Sign::Positive, vec![Parameter::integer("n", -3, -1)]).erase()));
    assert_eq!(refuted.verdict, Verdict::Refuted);
    let witness = refuted.parts[0].witness.clone().expect("a witness");
    // t^3/6 at t = -3e-9 is -4.5e-27.
    assert!(witness.instance == "n = -3" && witness.values[0].1.starts_with("-4.49999"), "{witness:?}");
}

#[test]
fn layers_that_contradict_each_other_fail_the_claim() {
    struct TwoFaced;
    impl Formula for TwoFaced {
        fn eval<S: Real>(&self, _x: &[S]) -> S {
            // A fault of one layer, simulated.
            let high = std::any::TypeId::of::<S>() == std::any::TypeId::of::<numeric::BigInterval>();
            S::from_i64(if high { 1 } else { 2 })
        }
        fn eval_exact(&self, _x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
            None
        }
    }
    let record = verdict(|| part(certified(TwoFaced, Sign::Positive, vec![real("x", 0, 1)]).erase()));
    assert!(!record.as_declared && record.disagreements == ["part"], "{record:?}");
}

/// A side between two doubles holds none to start a search from.
#[test]
fn a_box_without_a_double_is_not_searched() {
    let parts = || {
        let side = Parameter::real("x", Rational::new(1, 3), Rational::new(1, 3));
        part(certified(FirstIsPositive, Sign::Positive, vec![side]).erase())
    };
    assert!(engine::falsify(&claim(Verdict::Proved, parts, no_mutants), 0, 100, &Silent).is_err());
    assert_eq!(verdict(parts).verdict, Verdict::Proved);
}
