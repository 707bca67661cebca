//! The calculator's answers on numbers that were computed apart.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use calculator::{Answer, Calculator, CalculatorError, Marks, Value};
use learning::ste::SteCalculator;

fn calc(arguments: &str) -> Result<Answer, CalculatorError> {
    let command = SteCalculator.command().no_binary_name(true);
    let matches = command.try_get_matches_from(arguments.split_whitespace()).unwrap();
    SteCalculator.run(&matches, &mut std::io::empty())
}

fn decimal<'a>(answer: &'a Answer, key: &str) -> &'a str {
    match answer.reports[0].get(key) {
        Some(Value::Decimal(text)) => text,
        other => panic!("{key}: {other:?}"),
    }
}

fn list(answer: &Answer, key: &str) -> Vec<f64> {
    match answer.reports[0].get(key) {
        Some(Value::List(values)) => values.iter().map(|value| value.to_text().parse().unwrap()).collect(),
        other => panic!("{key}: {other:?}"),
    }
}

/// The text starts with the reference's digits but for the last one, which may be rounded.
fn starts(answer: &Answer, key: &str, reference: &str) {
    let text = decimal(answer, key);
    assert!(text.starts_with(&reference[..reference.len() - 1]), "{key}: {text}, expected {reference}");
}

#[test]
fn a_plan_has_its_keys_in_order() {
    let answer = calc("plan --bits 2 --range 2 --eta 1/10 --sigma2 1/100 --teacher 1").unwrap();
    let keys: Vec<&str> = answer.reports[0].entries.iter().map(|(key, _)| *key).collect();
    let expected =
        "c1 c2 k22 k13 k04 floor eta_critical risk_fixed_points risk_fixed_point risk_lower risk_upper plateau_time plateau_width best_range";
    assert_eq!(keys.join(" "), expected);
    for (key, value) in
        [("c1", "1"), ("c2", "1"), ("k22", "3"), ("k13", "3"), ("k04", "3"), ("floor", "0"), ("eta_critical", "2"), ("risk_upper", "3.01")]
    {
        assert_eq!(decimal(&answer, key), value, "{key}");
    }
    starts(&answer, "risk_fixed_point", "0.34333333333637511926");
    // 0.01 + 1/3, rounded down at 25 digits.
    assert_eq!(decimal(&answer, "risk_lower"), "0.3433333333333333333333333");
    starts(&answer, "best_range", "1.49353002891526");
    // 0 is a threshold: no plateau.
    assert_eq!(answer.reports[0].get("plateau_time"), Some(&Value::Null));
    assert!(answer.plot.is_some());
}

#[test]
fn plans_of_inputs_and_both() {
    let inputs = calc("plan --bits 2 --range 2 --quant inputs --eta 1/2 --sigma2 1/100 --teacher 1").unwrap();
    starts(&inputs, "c1", "0.969283239671226557");
    starts(&inputs, "c2", "1.09305756249506041");
    starts(&inputs, "k22", "2.6481160483118888");
    starts(&inputs, "k13", "2.76338027969023217");
    starts(&inputs, "k04", "3.08025583331137959");
    starts(&inputs, "floor", "0.140475276925963243");
    starts(&inputs, "eta_critical", "1.82972980437984767");
    starts(&inputs, "risk_fixed_point", "0.207056424626168813");
    let both = calc("plan --bits 2 --range 2 --quant both --eta 1/10 --sigma2 1/100 --teacher 1").unwrap();
    starts(&both, "risk_fixed_point", "0.41829614682712043349");
    starts(&both, "risk_lower", "0.418295776315116759");
    starts(&both, "risk_upper", "3.66318080383216812");
}

#[test]
fn plateaus_and_several_roots() {
    let wait = calc("plan --bits 2 --range 3/2 --quantizer mid-tread --eta 1/50 --sigma2 1/100 --teacher 1").unwrap();
    assert_eq!(decimal(&wait, "plateau_time"), "37.5");
    // sqrt(a eta^2 R_0/v^3) = sqrt(0.75 * 1.01/0.02).
    starts(&wait, "plateau_width", "6.1542668125455854");
    // omega = 2: plateau and fixed point are both 1.01.
    let flat = calc("plan --bits 2 --range 2 --quantizer mid-tread --eta 1/50 --sigma2 1/100 --teacher 1").unwrap();
    assert!(flat.notes.iter().any(|note| note.contains("no drop")), "{:?}", flat.notes);
    // On a level without noise: 0 and a positive root for eta > 1.
    let two = calc("plan --bits 2 --range 3 --eta 3/2 --sigma2 0 --teacher 1").unwrap();
    assert_eq!(list(&two, "risk_fixed_points").len(), 2);
    starts(&two, "risk_fixed_point", "1.382923239011835741");
    assert_eq!(decimal(&two, "risk_lower"), "0");
    // One bit: one value whatever the step size, and no best range.
    let one = calc("plan --bits 1 --range 2 --eta 7 --sigma2 0 --teacher 1").unwrap();
    assert_eq!(decimal(&one, "risk_lower"), "3");
    assert_eq!(decimal(&one, "risk_upper"), "3");
    assert_eq!(list(&one, "risk_fixed_points"), [3.0]);
    assert_eq!(one.reports[0].get("best_range"), Some(&Value::Null));
}

#[test]
fn teachers_by_shares_and_by_file() {
    let shares = calc("plan --bits 3 --range 2 --eta 1/4 --sigma2 1/100 --teacher 1:3/4,-1/2:1/4").unwrap();
    let path = std::env::temp_dir().join(format!("theorycheck-ste-teacher-{}.csv", std::process::id()));
    std::fs::write(&path, "1\n1\n-0.5\n1\n").unwrap();
    let file = calc(&format!("plan --bits 3 --range 2 --eta 1/4 --sigma2 1/100 --teacher {}", path.display()));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(shares.reports, file.unwrap().reports);
    // No shares: equal ones.
    let equal = calc("plan --bits 3 --range 2 --eta 1/4 --sigma2 1/100 --teacher 1,-1/2").unwrap();
    let halves = calc("plan --bits 3 --range 2 --eta 1/4 --sigma2 1/100 --teacher 1:0.5,-0.5:0.5").unwrap();
    assert_eq!(equal.reports, halves.reports);
}

#[test]
fn runs_follow_the_limit() {
    let arguments = "simulate --bits 2 --range 2 --eta 1/10 --sigma2 1/100 --teacher 1 --dimension 100 --horizon 20 --runs 32";
    let answer = calc(arguments).unwrap();
    // Same flags, same bytes.
    assert_eq!(answer, calc(arguments).unwrap());
    let (times, mean, error, limit) =
        (list(&answer, "times"), list(&answer, "risk_mean"), list(&answer, "risk_standard_error"), list(&answer, "risk_limit"));
    assert_eq!((times.len(), times[0], times[20]), (21, 0.0, 20.0));
    for i in 0..21 {
        // Five standard errors, the O(1/d) bias, and at the start the quantiles' own.
        assert!((mean[i] - limit[i]).abs() < 5.0 * error[i] + 0.02, "tau = {}: {} and {}", times[i], mean[i], limit[i]);
    }
    // The reference's limit at tau = 5, to what the quick grid gives.
    assert!((limit[5] - 0.832_72).abs() < 2e-3, "{}", limit[5]);
    let plot = answer.plot.unwrap();
    assert!(plot.series.iter().any(|series| matches!(&series.marks, Marks::Line(points) if points.len() == 21)));
    // Quantized inputs: the closed equation.
    let inputs =
        calc("simulate --bits 2 --range 2 --quant inputs --eta 1/2 --sigma2 1/100 --teacher 1 --dimension 100 --horizon 5 --runs 64").unwrap();
    let (mean, error, limit) = (list(&inputs, "risk_mean"), list(&inputs, "risk_standard_error"), list(&inputs, "risk_limit"));
    for i in 0..21 {
        assert!((mean[i] - limit[i]).abs() < 5.0 * error[i] + 0.02, "{i}: {} and {}", mean[i], limit[i]);
    }
    // One run has no standard error.
    let single = calc("simulate --bits 2 --range 2 --eta 1/10 --sigma2 1/100 --teacher 1 --dimension 10 --horizon 1 --runs 1").unwrap();
    assert_eq!(single.reports[0].get("risk_standard_error"), Some(&Value::Null));
}
