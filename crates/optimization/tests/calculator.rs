//! The calculator's answers on numbers that were computed apart.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use calculator::{Answer, Calculator, CalculatorError, Value};
use numeric::Rational;
use optimization::adagrad::AdaGradCalculator;

fn calc(arguments: &str, input: &str) -> Result<Answer, CalculatorError> {
    let command = AdaGradCalculator.command().no_binary_name(true);
    let matches = command.try_get_matches_from(arguments.split_whitespace()).unwrap();
    AdaGradCalculator.run(&matches, &mut input.as_bytes())
}

fn decimal(answer: &Answer, key: &str) -> Rational {
    match answer.reports[0].get(key) {
        Some(Value::Decimal(text)) => text.parse().unwrap(),
        other => panic!("{key}: {other:?}"),
    }
}

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

const UNIT: &str = "--sigma 1 --smoothness 1 --delta 1 --gamma 1 --lambda 1";

#[test]
fn bounds_are_the_certified_ones_rounded_up() {
    let answer = calc(&format!("bound --p 1.5 {UNIT} --steps 1000000"), "").unwrap();
    let (fixed, bound) = (decimal(&answer, "u_star"), decimal(&answer, "bound_l1"));
    // 3257.616548882330651 to 19 digits; the answer has 25 and is rounded up.
    assert!(fixed > q("3257.6165488823306505") && fixed < q("3257.6165488823306515"), "{fixed}");
    assert_eq!(bound, fixed / Rational::from(1000));
    assert_eq!(answer.reports[0].get("vanishing"), Some(&Value::Flag(true)));
    let norm = calc("bound --p 3/2 --sigma 1 --smoothness 2 --delta 1 --gamma 1 --lambda 1 --steps 10000 --sup-gap 1", "").unwrap();
    let bnorm = decimal(&norm, "bnorm");
    assert!(bnorm >= q("0.40329300155291334736") && bnorm < q("0.40329300155291334738"), "{bnorm}");
    // The two-coordinate setting with c = (1, 2).
    let two = calc("bound --p 1.5 --sigma 1,2 --smoothness 2,5 --delta 3 --gamma 1/2 --lambda 0.1 --steps 1e4 --c 1,2", "").unwrap();
    assert!((decimal(&two, "u_star") - q("5323.1548741830473896")).abs_below("1e-15"));
}

trait AbsBelow {
    fn abs_below(self, bound: &str) -> bool;
}

impl AbsBelow for Rational {
    fn abs_below(self, bound: &str) -> bool {
        let bound = q(bound);
        self <= bound && -self <= bound
    }
}

#[test]
fn searches_find_what_a_scan_finds() {
    let at = |extra: &str| calc(&format!("bound --p 2 {UNIT} {extra}"), "").unwrap();
    // The best step size is not beaten by its neighbours.
    let best = decimal(&at("--steps 10000"), "best_gamma");
    let bound = |gamma: &Rational| {
        decimal(&calc(&format!("bound --p 2 --sigma 1 --smoothness 1 --delta 1 --gamma {gamma} --lambda 1 --steps 10000"), "").unwrap(), "bound_l1")
    };
    let least = bound(&best);
    for factor in ["0.9", "1.1", "0.5", "2"] {
        assert!(bound(&(best.clone() * q(factor))) > least, "{factor}");
    }
    // The smallest T reaches the target and its predecessor does not.
    let found = at("--steps 10000 --target 1");
    let Some(Value::Count(steps)) = found.reports[0].get("smallest_t") else { panic!("{found:?}") };
    assert!(decimal(&at(&format!("--steps {steps}")), "bound_l1") <= q("1"));
    assert!(decimal(&at(&format!("--steps {}", steps - 1)), "bound_l1") > q("1"));
    // The best c is at least as good as the balanced one.
    assert!(decimal(&at("--steps 10000 --c best"), "bound_l1") <= decimal(&at("--steps 10000"), "bound_l1"));
}

#[test]
fn a_bound_that_does_not_vanish_is_a_warning() {
    let answer = calc(&format!("bound --p 5/4 {UNIT} --steps 100 --target 1"), "").unwrap();
    assert_eq!(answer.reports[0].get("vanishing"), Some(&Value::Flag(false)));
    assert_eq!(answer.reports[0].get("smallest_t"), Some(&Value::Null));
    assert!(answer.notes.iter().any(|note| note.starts_with("warning: p = 5/4")));
}

#[test]
fn fixed_c_needs_more_than_four_thirds() {
    // With c = sigma the bound's exponent is (2p - 3)/(2p): at p = 7/5 it grows with T, and its value shows it.
    let at = |steps: &str| calc(&format!("bound --p 7/5 {UNIT} --c 1 --steps {steps}"), "").unwrap();
    assert_eq!(at("1000").reports[0].get("vanishing"), Some(&Value::Flag(false)));
    assert!(at("1000").notes.iter().any(|note| note.contains("3/2")));
    assert!(decimal(&at("1e30"), "bound_l1") > decimal(&at("1e6"), "bound_l1"));
    let balanced = calc(&format!("bound --p 7/5 {UNIT} --steps 1000"), "").unwrap();
    assert_eq!(balanced.reports[0].get("vanishing"), Some(&Value::Flag(true)));
}

#[test]
fn the_norm_of_several_coordinates() {
    // p = 2, sigma = (3, 4): the norm's sigma is 5.
    let constants = "--delta 1 --gamma 1 --lambda 1 --steps 10000 --sup-gap 1";
    let two = decimal(&calc(&format!("bound --p 2 --sigma 3,4 --smoothness 2 {constants}"), "").unwrap(), "bnorm");
    let one = decimal(&calc(&format!("bound --p 2 --sigma 5 --smoothness 2 {constants}"), "").unwrap(), "bnorm");
    assert!((two - one).abs_below("1e-20"));
}

#[test]
fn no_best_step_size_without_curvature() {
    let answer = calc("bound --p 2 --sigma 1 --smoothness 0 --delta 1 --gamma 1 --lambda 1 --steps 100", "").unwrap();
    assert_eq!(answer.reports[0].get("best_gamma"), Some(&Value::Null));
}

#[test]
fn audits_of_logs() {
    let folder = std::env::temp_dir().join(format!("adagrad-audit-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("run.csv");
    // x^2/2 from x = 1 with true gradients, lambda = 0, gamma = 1/2: x_2 = 1/2.
    std::fs::write(&path, "t,f,grad,g\n1,1/2,1,1\n2,1/8,1/2,1/2\n").unwrap();
    let arguments = |smoothness: &str| format!("audit {} --gamma 1/2 --lambda 0 --smoothness {smoothness} --f-star 0", path.display());
    let answer = calc(&arguments("1"), "").unwrap();
    let report = &answer.reports[0];
    assert_eq!(report.get("inner_products"), Some(&Value::Exact(Some("5/4".into()))));
    assert_eq!(report.get("sup_gap"), Some(&Value::Exact(Some("1/2".into()))));
    // (M/gamma + gamma L) sqrt(5/4) = 1.5 * 1.1180339887..
    let bound = decimal(&answer, "pathwise_bound");
    assert!(bound > q("1.6770509831248422") && bound < q("1.6770509831248423"), "{bound}");
    assert_eq!(report.get("pathwise_holds"), Some(&Value::Flag(true)));
    // Claimed gradients that the inequality forbids.
    std::fs::write(&path, "t,f,grad,g\n1,1/2,10,1\n2,1/8,10,1/2\n").unwrap();
    let answer = calc(&arguments("1"), "").unwrap();
    assert_eq!(answer.reports[0].get("pathwise_holds"), Some(&Value::Flag(false)));
    assert!(answer.notes.iter().any(|note| note.contains("fails")));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn tail_indices() {
    // The exact quantiles of a Pareto law with index 3/2: (i/1001)^(-2/3).
    let sizes: Vec<String> = (1..=1_000).map(|i| format!("{}", core_math::pow(f64::from(i) / 1_001.0, -2.0 / 3.0))).collect();
    let answer = calc("hill -", &sizes.join(" ")).unwrap();
    let index = decimal(&answer, "tail_index");
    assert!(index > q("1.35") && index < q("1.65"), "{index}");
    // 100 = 1000^(2/3) order statistics: the ends are 1 -+ 1.96/10 times the index.
    let Some(Value::Text(interval)) = answer.reports[0].get("interval") else { panic!("an interval") };
    let ends: Vec<f64> = interval.trim_matches(['[', ']']).split(", ").map(|end| end.parse().unwrap()).collect();
    let index: f64 = index.to_f64_nearest();
    assert!((ends[0] / index - 0.804).abs() < 1e-12 && (ends[1] / index - 1.196).abs() < 1e-12, "{interval}");
    assert!(
        matches!(answer.reports[0].get("which_rate"), Some(Value::Text(text)) if text.contains("does not vanish") || text.contains("(3p-4)/(4p)"))
    );
}
