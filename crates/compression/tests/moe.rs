//! Reference values of sparse routing, each computed apart (exact fractions, or 30-digit arithmetic), and the calculator's answers.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use calculator::{Answer, Calculator, CalculatorError, Value};
use compression::moe::algorithm::{average_of_recursion, plain_step, scaled_step, subsets};
use compression::moe::bounds::{Budget, batch_moment, integer_rule, plain_bound, plain_moment, scaled_moment, sharp_bound, tuned_bound};
use compression::moe::{MoeCalculator, Simulation};
use numeric::{Field, Interval, Ordered, QuadraticSurd, Rational, Rounding};
use sample::Words;

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

fn n(value: i64) -> Rational {
    Rational::from(value)
}

/// The value agrees with a decimal to one unit of its last digit.
fn close(value: &Rational, expected: &str) {
    let digits = expected.split_once('.').map_or(0, |(_, digits)| digits.len());
    let unit = q(&format!("1e-{digits}"));
    let off = Ordered::abs(&(value.clone() - q(expected)));
    assert!(off <= unit, "{}, expected {expected}", value.to_decimal(30, Rounding::Down));
}

struct Run {
    experts: i64,
    active: i64,
    eta: &'static str,
    noise: i64,
    start: i64,
    steps: u32,
}

impl Run {
    /// Scaled average, its bound, plain average, its bound.
    fn values(&self) -> [Rational; 4] {
        let (eta, ratio, one, zero) = (q(self.eta), Rational::new(self.experts, self.active), n(1), n(0));
        let (noise, start, steps) = (n(self.noise), n(self.start), n(i64::from(self.steps)));
        let share = ratio.recip();
        let scaled = |e: &Rational, s: &Rational| scaled_step(e, &one, &eta, &ratio, s);
        let plain = |e: &Rational, s: &Rational| plain_step(e, &one, &eta, &share, s);
        let delta = start.clone() / n(2);
        [
            average_of_recursion(&start, &scaled(&one, &zero), &scaled(&zero, &noise), self.steps).0,
            sharp_bound(&delta, &eta, &steps, &one, &noise, &ratio),
            average_of_recursion(&start, &plain(&one, &zero), &plain(&zero, &noise), self.steps).0,
            plain_bound(&delta, &eta, &steps, &one, &noise, &ratio),
        ]
    }
}

#[test]
fn averages_and_bounds_on_the_isotropic_quadratic() {
    let run = |experts, active, eta, noise, start, steps| Run { experts, active, eta, noise, start, steps };
    let rows = [
        (run(8, 2, "1/16", 1, 8, 100), ["0.86121779349822929631", "0.87428571428571428571", "2.5425077635290107574", "2.6748387096774193548"]),
        (run(8, 2, "1/16", 1, 8, 1000), ["0.21469387755102040816", "0.216", "0.29545057232048774249", "0.29651612903225806452"]),
        (run(8, 8, "1/16", 1, 8, 100), ["0.69023770297128547914", "0.6929032258064516129", "0.69023770297128547914", "0.6929032258064516129"]),
        (run(8, 1, "1/16", 1, 8, 100), ["1.1510677163539077403", "1.1866666666666666667", "4.1508640000637453977", "5.3174193548387096774"]),
        (run(16, 4, "1/10", 4, 16, 200), ["1.4687499999999996636", "1.5", "1.8724776308503010562", "1.8947368421052631579"]),
    ];
    for (run, expected) in rows {
        for (value, expected) in run.values().iter().zip(expected) {
            close(value, expected);
        }
    }
    for (steps, ratio) in [(100, "0.98505303"), (1000, "0.99395314"), (5000, "0.99834128")] {
        let [average, bound, ..] = run(8, 2, "1/16", 1, 8, steps).values();
        close(&(average / bound), ratio);
    }
}

#[test]
fn second_moments() {
    // grad = (1, -2, 3, 0, 5): 39; sigma^2 = 1 + 1/2 + 0 + 2 + 1 = 9/2.
    let (gradient, noise) = (n(39), q("9/2"));
    let scaled = ["435/2", "435/4", "145/2", "435/8", "87/2"];
    let plain = ["87/10", "87/5", "261/10", "174/5", "87/2"];
    for (k, (scaled, plain)) in (1..).zip(scaled.into_iter().zip(plain)) {
        let ratio = Rational::new(5, k);
        assert_eq!(scaled_moment(&ratio, &gradient, &noise), q(scaled));
        assert_eq!(plain_moment(&ratio, &gradient, &noise), q(plain));
    }
    assert_eq!(batch_moment(&n(2), &n(2), &n(15), &n(0)), q("45/2"));
    // The same from the subsets themselves.
    let values = [1, -2, 3, 0, 5];
    let sets = subsets(5, 2).unwrap();
    let total: i64 = sets.iter().flatten().map(|&block| values[block] * values[block]).sum();
    assert_eq!(Rational::new(total * 25, 4 * sets.len() as i64), scaled_moment(&q("5/2"), &gradient, &n(0)));
}

#[test]
fn the_tuned_bound_at_a_budget_does_not_know_k() {
    for k in [1, 2, 4, 8, 16] {
        let surd = |value: Rational| QuadraticSurd::from(value);
        let bound = tuned_bound(&surd(n(1)), &surd(n(16_000 / k)), &surd(n(1)), &surd(n(1)), &surd(Rational::new(16, k)));
        assert_eq!(bound.to_decimal(20, Rounding::Down), "0.089442719099991587856", "K = {k}");
    }
}

#[test]
fn budgets() {
    let million = q("1e6");
    let rows = [
        ((1, 1, 8), "8", 8, "0.0056568542494923801952", "24"),
        ((4, 1, 64), "16", 16, "0.032", "48"),
        ((2, 1, 11), "11/2", 6, "0.0093897106806688493764", "33/2"),
        ((10, 1, 64), "32/5", 6, "0.050622788017519014029", "96/5"),
        ((3, 1, 64), "64/3", 21, "0.027713672059971032421", "64"),
        ((7, 2, 19), "38/7", 5, "0.032646592471496929568", "114/7"),
    ];
    for ((c1, c2, experts), stationary, integer, bound, inflection) in rows {
        let budget = Budget::plain(n(c1), n(c2), experts);
        assert_eq!(budget.stationary().as_rational(), Some(&q(stationary)));
        assert_eq!((budget.best_integer(), integer_rule(&n(c1), &n(c2), experts)), (integer, integer));
        let digits = bound.trim_start_matches(['0', '.']).len();
        assert_eq!(budget.bound(&Rational::from(integer), &million).to_decimal(digits, Rounding::Nearest), bound);
        assert_eq!(budget.inflection(60), (q(inflection), q(inflection)));
    }
    let dense = Budget::plain(n(1), n(1), 8);
    let falling = ["9", "7.071067812", "6.350852961", "6", "5.813776741", "5.715476066", "5.669467095", "5.656854249"];
    for (k, expected) in (1..).zip(falling) {
        assert_eq!(dense.bound(&n(k), &n(1)).to_decimal(10, Rounding::Nearest), expected);
    }
}

#[test]
fn affine_costs() {
    let affine = |c1, c2, experts, overhead| Budget { c1: n(c1), c2: n(c2), experts, overhead: n(overhead), per_expert: n(1) };
    assert_eq!(affine(1, 1, 8, 1).stationary().to_decimal(20, Rounding::Down), "9.6568542494923801952");
    assert_eq!(affine(4, 1, 64, 16).stationary().as_rational(), Some(&n(32)));
    // The inflection: second differences of the bound on both sides of it have opposite signs. Steps of 1/64 around a point at least 1 away from it.
    let budget = affine(40, 1, 64, 3);
    let (low, high) = budget.inflection(100);
    assert!(low < high && high.clone() - low.clone() < q("1e-25"));
    let bend = |at: Rational| {
        let h = Rational::new(1, 64);
        let value = |k: Rational| Interval::from_rational(&budget.factor(&k)) * numeric::Surd::sqrt(&Interval::from_rational(&budget.cost(&k)));
        value(at.clone() - h.clone()) + value(at.clone() + h) - Interval::from_i64(2) * value(at)
    };
    assert!(bend(low - n(1)).lo() > 0.0);
    assert!(bend(high + n(1)).hi() < 0.0);
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
fn the_simulation_without_noise_and_routing_is_gradient_descent() {
    // x <- x/2: the average of 2 (1 + 1/4 + 1/16) over three steps.
    let run = Simulation { experts: 2, active: 2, eta: 0.5, noise: 0.0, start: 1.0, steps: 3 };
    assert_eq!(run.run(&mut Source(1)), 2.0 * (1.0 + 0.25 + 0.0625) / 3.0);
    // One of two blocks, eta M/K = 1: a block is 0 from its first turn on.
    let run = Simulation { experts: 2, active: 1, eta: 0.5, noise: 0.0, start: 1.0, steps: 2 };
    assert_eq!(run.run(&mut Source(7)), 1.5);
}

fn calc(arguments: &[&str]) -> Result<Answer, CalculatorError> {
    let command = MoeCalculator.command().no_binary_name(true);
    let matches = command.try_get_matches_from(arguments).unwrap();
    MoeCalculator.run(&matches, &mut std::io::empty())
}

fn best(arguments: &str) -> Result<Answer, CalculatorError> {
    calc(&arguments.split_whitespace().collect::<Vec<&str>>())
}

fn get<'a>(answer: &'a Answer, key: &str) -> &'a Value {
    answer.reports[0].get(key).unwrap()
}

#[test]
fn the_calculator_gives_the_tables() {
    let at = |extra: &str| best(&format!("--budget 1e6 --cost-per-expert 1 {extra}")).unwrap();
    let answer = at("--experts 11 --c1 2 --c2 1");
    assert_eq!(get(&answer, "k_star"), &Value::Decimal("5.5".into()));
    assert_eq!((get(&answer, "k_star_integer"), get(&answer, "steps")), (&Value::Count(6), &Value::Count(166_666)));
    // 0.00938971068066884937642.. rounded up, at 25 digits.
    let Value::Decimal(bound) = get(&answer, "bound") else { panic!("a decimal") };
    assert!(q(bound) > q("0.0093897106806688493764") && q(bound) < q("0.0093897106806688493765"), "{bound}");
    assert_eq!((get(&answer, "convex_on"), get(&answer, "at_boundary")), (&Value::Text("[1, 11]".into()), &Value::Flag(false)));
    let answer = at("--experts 64 --c1 4 --c2 1");
    assert_eq!((get(&answer, "convex_on"), get(&answer, "bound")), (&Value::Text("[1, 48]".into()), &Value::Decimal("0.032".into())));
    // The abstract's constants: dense.
    let answer = at("--experts 8 --c1 1 --c2 1");
    assert_eq!((get(&answer, "k_star_integer"), get(&answer, "at_boundary")), (&Value::Count(8), &Value::Flag(true)));
    assert!(answer.notes.iter().any(|note| note.contains("dense is best")));
    let answer = at("--experts 64 --overhead 16 --c1 4 --c2 1");
    assert_eq!((get(&answer, "k_star"), get(&answer, "steps")), (&Value::Decimal("32".into()), &Value::Count(20_833)));
    // K* = 1, and nowhere convex on [1, M].
    let answer = at("--experts 2 --c1 10 --c2 1");
    assert_eq!((get(&answer, "k_star_integer"), get(&answer, "convex_on")), (&Value::Count(1), &Value::Null));
}

#[test]
fn the_problem_gives_the_constants() {
    // c1 = 2 * 2/(1/2) = 8, c2 = 1 * (1/2) * 4 = 2.
    let given = "--budget 1e6 --cost-per-expert 1 --experts 64";
    let answer = best(&format!("{given} --delta 2 --smoothness 1 --sigma2 4 --eta0 0.5")).unwrap();
    let same = best(&format!("{given} --c1 8 --c2 2")).unwrap();
    for key in ["k_star", "k_star_integer", "steps", "bound", "convex_on"] {
        assert_eq!(get(&answer, key), get(&same, key));
    }
    // K* = 16: T >= (L eta0 M/K)^2 = 4 is warned about when the budget pays three steps.
    let short = best("--budget 48 --cost-per-expert 1 --experts 64 --delta 2 --smoothness 1 --sigma2 4 --eta0 0.5").unwrap();
    assert!(short.notes.iter().any(|note| note.contains("T >= (L eta0 M/K)^2 = 4")), "{:?}", short.notes);
    assert!(!answer.notes.iter().any(|note| note.starts_with("warning")));
}

fn fit(rows: &str) -> Result<Answer, CalculatorError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("losses.csv");
    std::fs::write(&path, rows).unwrap();
    calc(&["fit", path.to_str().unwrap()])
}

#[test]
fn a_fit_finds_what_made_the_losses() {
    // 3 sqrt K + 5/sqrt K at squares, exactly.
    let answer = fit("K,loss\n1,8\n4,8.5\n25,16\n").unwrap();
    for (key, expected) in [("c1", "3"), ("c2", "5"), ("k_star", "5/3")] {
        let Value::Decimal(text) = get(&answer, key) else { panic!("{key}") };
        assert!(Ordered::abs(&(q(text) - q(expected))) < q("1e-20"), "{key} = {text}");
    }
    // Two rows: no intervals.
    assert_eq!(get(&fit("K,loss\n1,8\n4,8.5\n").unwrap(), "c1_interval"), &Value::Null);
    // By hand below; the tabulated 97.5% quantile of Student at one degree of freedom is 12.70620473617471.
    let answer = fit("K,loss\n1,2\n4,3\n4,2\n").unwrap();
    let Value::Text(interval) = get(&answer, "c2_interval") else { panic!("an interval") };
    let ends: Vec<Rational> = interval.trim_matches(['[', ']']).split(", ").map(q).collect();
    // (sum K, n; n, sum 1/K) = (9, 3; 3, 3/2), determinant 9/2; right sides 12, 9/2: c1 = 1, c2 = 1; residuals 0, 1/2, -1/2: s^2 = 1/2, var c2 = (9/2)^-1 9/2 = 1.
    let t = q("12.70620473617471");
    close(&ends[0], &(n(1) - t.clone()).to_decimal(15, Rounding::Nearest));
    close(&ends[1], &(n(1) + t).to_decimal(15, Rounding::Nearest));
    assert!(ends[1].clone() - ends[0].clone() >= q("25.4124094723494"), "never too short");
}

#[test]
fn a_fit_without_its_shape_is_refused() {
    let message = |rows: &str| fit(rows).unwrap_err().to_string();
    assert!(message("K,loss\n1,1\n4,5\n9,9\n").contains("c2 = -"));
    assert!(message("K,loss\n1,9\n4,1\n").contains("c1 = -"));
    assert!(message("K,loss\n4,1\n4,2\n").contains("two distinct K; all are 4"));
    assert!(message("K,loss\n1,1\n2.5,2\n").contains("line 3: K = 5/2"));
    assert!(message("K,loss\n0,1\n2,2\n").contains("line 2: K = 0"));
}
