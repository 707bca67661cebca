//! Reference values of the overfitting instance, each computed apart (fractions by hand and by another program), and the calculator's answers.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use calculator::{Answer, Calculator, CalculatorError, Value};
use claim::Family;
use learning::erm::ErmCalculator;
use learning::erm::bounds;
use learning::erm::code::Code;
use learning::erm::descent::{Descent, DescentError, broken_hypothesis, closed_form, coordinate, enclose};
use learning::erm::instances::{LineLosses, sampled, words_of_seed};
use learning::erm::problem::{Point, Problem, ProblemError, Sampled, default_b};
use numeric::{Ordered, QuadraticSurd, Rational, Rounding};
use std::sync::Arc;

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

fn n(value: i64) -> Rational {
    Rational::from(value)
}

fn half(b: &str, sample: &[usize]) -> Sampled {
    sampled(q(b), (1, 2), sample, 0)
}

/// F_S(w_S), F(w_S), min F, all pieces enumerated.
fn risks(sampled: &Sampled) -> [Rational; 3] {
    let Sampled { problem, .. } = sampled;
    let counts = sampled.counts().unwrap();
    let (corner, all) = (problem.corner(sampled.support()).unwrap(), problem.corner((1 << problem.symbols) - 1).unwrap());
    [problem.risk(&counts, &corner).unwrap(), problem.population(&corner).unwrap(), problem.population(&all).unwrap()]
}

#[test]
fn risks_at_the_minimizer() {
    // b, S, F_S(w_S), excess
    let rows: [(&str, &[usize], &str, &str); 6] = [
        ("1/4", &[0, 0, 1, 1], "23/512", "1/16"),
        ("1/4", &[0, 0, 0, 0], "15/512", "3/32"),
        ("1/4", &[0, 1, 2, 2], "31/512", "1/32"),
        ("1/3", &[0, 0], "11/192", "7/96"),
        ("1/4", &[0, 0, 1], "7/128", "1/24"),
        ("1/5", &[0, 0, 1, 1, 2, 2], "7/192", "9/160"),
    ];
    for (b, sample, value, excess) in rows {
        let [empirical, population, minimum] = risks(&half(b, sample));
        assert_eq!((empirical, population - minimum), (q(value), q(excess)), "{b} {sample:?}");
    }
    for (sample, population) in [([0, 0, 1, 1], "71/512"), ([0, 0, 0, 0], "87/512"), ([0, 1, 2, 2], "55/512")] {
        let found = risks(&half("1/4", &sample));
        assert_eq!((&found[1], &found[2]), (&q(population), &q("39/512")), "{sample:?}");
    }
    for (b, sample, gap) in
        [("1/4", &[0, 0, 1, 1][..], "3/32"), ("1/3", &[0, 0], "11/96"), ("1/4", &[0, 0, 1], "1/16"), ("1/5", &[0, 0, 1, 1, 2, 2], "13/160")]
    {
        let [empirical, population, _] = risks(&half(b, sample));
        assert_eq!(population - empirical, q(gap), "{b} {sample:?}");
    }
}

/// They do not depend on the code.
#[test]
fn another_code_has_the_same_risks() {
    let reference = risks(&half("1/5", &[0, 0, 1, 1, 2, 2]));
    for seed in 0..5 {
        let mut other = half("1/5", &[0, 0, 1, 1, 2, 2]);
        other.problem.code = Some(Arc::new(Code::search(6, words_of_seed(seed)).unwrap()));
        assert_eq!(risks(&other), reference);
    }
}

/// eps and excess of (x_S, 0).
fn without_code(sampled: &Sampled) -> (Rational, Rational) {
    let problem = &sampled.problem;
    let counts = sampled.counts().unwrap();
    let x = (0..problem.symbols).map(|i| if sampled.support() >> i & 1 == 1 { 1 } else { -1 }).collect();
    let point = Point { x, y: Vec::new(), den: 1 };
    let value = |unseen: &Rational| bounds::minimum_value(&problem.size(), &problem.b, &problem.r, &problem.gamma(), unseen);
    (problem.risk(&counts, &point).unwrap() - value(&sampled.unseen()), problem.population(&point).unwrap() - value(&n(0)))
}

#[test]
fn the_point_without_the_code_is_an_approximate_minimizer() {
    assert_eq!(without_code(&half("1/4", &[0, 0, 1, 1])), (q("1/512"), q("17/512")));
    // m = 64, where nothing can be enumerated: eps = 1/32768 < 1/64, and the excess u/64 + 1/32768 is below u/32.
    let sample: Vec<usize> = (0..64).map(|i| i % 48).collect();
    let large = Sampled { problem: Problem::new(64, q("1/16"), q("1/2"), None).unwrap(), sample };
    assert_eq!(large.unseen(), q("1/4"));
    let (eps, excess) = without_code(&large);
    assert_eq!((eps, &excess), (q("1/32768"), &(q("1/256") + q("1/32768"))));
    assert!(excess < q("1/4") / n(32));
    // r a3 gamma m^1.5 = 1/64 at b = 1/(2 sqrt m).
    for root in [2_i64, 3, 8, 100] {
        let (m, b) = (n(root * root), Rational::new(1, 2 * root));
        assert_eq!(bounds::code_slope(&m, &b, &q("1/2")) * q("1/2") * n(root * root * root), q("1/64"));
    }
}

#[test]
fn the_law_of_the_unseen_fraction() {
    for (m, expected) in [(2, "1/2"), (3, "7/9"), (4, "29/32"), (6, "61/81"), (8, "121937/131072")] {
        assert_eq!(bounds::quarter_unseen(m), q(expected), "m = {m}");
        assert_eq!(bounds::quarter_unseen_bounded(m, m), q(expected), "m = {m}");
    }
    // With a bound on the counts: by counting all samples.
    for (m, most, expected) in [(4, 1, "0"), (4, 2, "45/64"), (4, 3, "57/64"), (5, 2, "36/125"), (6, 3, "2725/3888")] {
        assert_eq!(bounds::quarter_unseen_bounded(m, most), q(expected), "m = {m}, counts up to {most}");
    }
    for (m, root, expected) in [
        (4, 2, "0.03955078125"),
        (16, 4, "0.03338194972985557502387647579172869072295"),
        (64, 8, "0.02851457220655526690806300035005138138357"),
        (256, 16, "0.02581592026581114359998041491491974366595"),
        (1024, 32, "0.0244175608202797281808311274683537524865"),
    ] {
        let mean = bounds::excess(&Rational::new(1, 2 * root), &q("1/2"), &bounds::mean_unseen(m));
        // 40-digit arithmetic: one unit of the 39th place.
        assert!(Ordered::abs(&(mean.clone() - q(expected))) <= q("1e-39"), "m = {m}: {}", mean.to_decimal(40, Rounding::Nearest));
    }
    assert_eq!(bounds::missed_word::<Rational>(2), q("175/256"));
    assert_eq!(bounds::missed_word::<Rational>(3), q("11012415/16777216"));
}

fn run(sampled: &Sampled, eta: &str, steps: u64) -> (Vec<usize>, Rational, Rational) {
    let counts = sampled.counts().unwrap();
    let eta = q(eta);
    assert_eq!(broken_hypothesis(&sampled.problem, &counts, &eta, steps), None);
    let mut descent = Descent::new(&sampled.problem, &counts, &eta).unwrap();
    let mut pieces: Vec<usize> = (0..steps).map(|_| descent.step().unwrap().piece).collect();
    pieces.dedup();
    (pieces, descent.overlap(sampled.support()), descent.gap())
}

#[test]
fn gradient_descent() {
    let (pieces, overlap, gap) = run(&half("1/4", &[0, 0, 1, 1]), "1/4", 512);
    // 3065/6144 = 0.4988606770833333..
    assert_eq!((pieces, overlap, gap), (vec![0, 3], q("3065/6144"), q("2273/24576")));
    let (pieces, overlap, gap) = run(&sampled(q("1/4"), (1, 4), &[0, 0, 1, 1], 0), "1/4", 128);
    assert_eq!((pieces, gap), (vec![0, 3], q("941/12288")));
    assert!(overlap.to_decimal(17, Rounding::Down).starts_with("0.2477213541666666"));
    let (pieces, _, gap) = run(&half("1/5", &[0, 0, 1, 1, 2, 2]), "1/4", 960);
    assert_eq!((pieces, gap), (vec![0, 7], q("713/9216")));
}

/// The coordinates after 512 steps, by another program's fractions.
#[test]
fn coordinates_settle_around_their_walls() {
    let sampled = half("1/4", &[0, 0, 1, 1]);
    let expected = [q("33/128"), q("33/128"), q("-1/4"), q("-1/4")];
    assert_eq!(coordinate(&sampled.problem, 2, &q("1/4"), 512).unwrap(), expected[0]);
    assert_eq!(coordinate(&sampled.problem, 0, &q("1/4"), 512).unwrap(), expected[2]);
    let counts = sampled.counts().unwrap();
    let mut descent = Descent::new(&sampled.problem, &counts, &q("1/4")).unwrap();
    for _ in 0..512 {
        descent.step().unwrap();
    }
    assert_eq!([0, 1, 2, 3].map(|symbol| descent.x(symbol)), expected);
}

#[test]
fn a_broken_step_condition_is_a_hypothesis_not_met() {
    let sampled = half("1/4", &[0, 0, 0, 0]);
    let counts = sampled.counts().unwrap();
    let broken = broken_hypothesis(&sampled.problem, &counts, &q("1"), 24).unwrap();
    assert!(broken.contains("c_max = 4"), "{broken}");
    // The run itself goes on, until it leaves the domain: y after some hundred steps, x at once when the step is wild.
    let mut descent = Descent::new(&sampled.problem, &counts, &q("1")).unwrap();
    let stopped = (0..10_000).find_map(|_| descent.step().err()).unwrap();
    assert!(matches!(stopped, DescentError::Projected { step: 25.., .. }), "{stopped}");
    let mut wild = Descent::new(&sampled.problem, &counts, &q("1000")).unwrap();
    assert!(matches!(wild.step(), Err(DescentError::Escaped { step: 1 })));
}

/// Enclosures hold the exact run, and go on where the projection acts: there |y| = r, and the overlap tends to r.
#[test]
fn enclosed_runs() {
    let sampled = half("1/4", &[0, 0, 1, 1]);
    let counts = sampled.counts().unwrap();
    let rho = sampled.problem.code.as_ref().unwrap().overlap(0, 3);
    let found = enclose(&sampled.problem, &counts, &rho, &q("1/4"), 512).unwrap();
    assert!(found.overlap.contains_rational(&q("3065/6144")) && found.overlap.width() < 1e-12);
    assert!(found.gap.contains_rational(&q("2273/24576")) && found.projected.is_none());
    let long = enclose(&sampled.problem, &counts, &rho, &q("1/4"), 4096).unwrap();
    // eta a3 gamma = 1/1024, and the exact run says where |y| passes 1/2.
    let mut descent = Descent::new(&sampled.problem, &counts, &q("1/4")).unwrap();
    let stopped = (0..600).find_map(|_| descent.step().err()).unwrap();
    let DescentError::Projected { step, .. } = stopped else { panic!("{stopped}") };
    assert!(step > 512);
    assert_eq!(long.projected, Some(step));
    assert!(long.overlap.hi() <= 0.5 + 1e-12 && long.overlap.lo() > 0.4999, "{:?}", long.overlap);
    assert!(matches!(closed_form(&sampled.problem, &counts, &rho, &q("0"), 5), Err(DescentError::StepSize { .. })));
}

/// An enclosure says so where its structure is not there: x out of its ball, G active on the sample, a piece that another one may beat.
#[test]
fn enclosures_certify_what_they_use() {
    let problem = |r: &str| Problem::new(4, q("1/4"), q(r), None).unwrap();
    let refused = |r: &str, eta: &str, steps| enclose(&problem(r), &[1, 1, 1, 1], &q("-1/6"), &q(eta), steps).unwrap_err().to_string();
    // The first step moves x_i by 3 eta/64: beyond sqrt(3)/4 for eta = 10.
    assert!(refused("1/2", "10", 1).contains("x stays in its ball"), "{}", refused("1/2", "10", 1));
    assert!(enclose(&problem("1/2"), &[1, 1, 1, 1], &q("-1/6"), &q("9"), 1).is_ok());
    // eta a3 gamma = eta/(512 r): the first step passes theta = 3r/4 for eta > 384 r^2 = 6.19..
    assert!(refused("127/1000", "7", 1).contains("G is inactive"), "{}", refused("127/1000", "7", 1));
    // eta = 6 swings x_i from 9/32 far to the other side of its wall.
    assert!(refused("1/2", "6", 40).contains("cannot be certified"), "{}", refused("1/2", "6", 40));
}

/// The same run with the projection, in doubles and in all 24 coordinates of y, by plain projected subgradients.
#[test]
fn projected_subgradients_agree() {
    let sampled = half("1/4", &[0, 0, 1, 1]);
    let counts = sampled.counts().unwrap();
    let code = sampled.problem.code.clone().unwrap();
    let rho = code.overlap(0, 3);
    let vectors: Vec<Vec<f64>> = (0..16).map(|set| code.signs(set).iter().map(|&sign| sign as f64 / 24_f64.sqrt()).collect()).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (b, r, gamma, eta) = (0.25_f64, 0.5_f64, 0.0625_f64, 0.25_f64);
    let a3 = 0.25 / (4.0 * 4.0 * b);
    let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
    let (mut x, mut y) = ([0.0_f64; 4], vec![0.0_f64; 24]);
    let (mut total, steps) = (0.0, 1500);
    for _ in 0..steps {
        let side = |set: usize, i: usize| if set >> i & 1 == 1 { b } else { -b };
        let height = |set: usize| (0..4).map(|i| side(set, i) * x[i]).sum::<f64>() - gamma * dot(&vectors[set], &y);
        let piece = (0..16).fold(0, |best, set| if height(set) > height(best) + 1e-13 { set } else { best });
        // G on the symbols seen, as defined.
        for symbol in [0, 1] {
            let top = (0..16).filter(|set| set >> symbol & 1 == 0).map(|set| dot(&vectors[set], &y)).fold(f64::MIN, f64::max);
            assert!(top <= 0.75 * r);
        }
        for (i, x) in x.iter_mut().enumerate() {
            let near = if i < 2 { 0.25 * 0.5 * sign(*x - b) } else { 0.0 };
            *x -= eta * (near + 0.125 / 4.0 * sign(*x + b) + a3 * side(piece, i));
        }
        for (y, v) in y.iter_mut().zip(&vectors[piece]) {
            *y += eta * a3 * gamma * v;
        }
        let norm = dot(&y, &y).sqrt();
        if norm > r {
            y.iter_mut().for_each(|y| *y *= r / norm);
        }
        total += dot(&vectors[3], &y);
    }
    let found = enclose(&sampled.problem, &counts, &rho, &q("1/4"), steps).unwrap();
    assert!(found.projected.is_some());
    // 1,500 steps of rounding, each below 1e-16 of numbers below 1; the sum has 1,500 of them.
    let within = |x: f64, interval: numeric::Interval, slack: f64| x >= interval.lo() - slack && x <= interval.hi() + slack;
    assert!(within(dot(&vectors[3], &y), found.overlap, 1e-12), "{} {:?}", dot(&vectors[3], &y), found.overlap);
    assert!(within(total / steps as f64, found.average_overlap, 1e-12), "{} {:?}", total / steps as f64, found.average_overlap);
    let unseen_top = |symbol: usize| (0..16).filter(|set| set >> symbol & 1 == 0).map(|set| dot(&vectors[set], &y)).fold(f64::MIN, f64::max);
    let gap = (0..4).map(|i| (1.0 - counts[i] as f64) / 4.0 * (0.25 * (x[i] - b).abs() + 0.5 * (unseen_top(i) - 0.75 * r).max(0.0))).sum::<f64>();
    // The exact x is a multiple of 1/256 here, so doubles carry it without error.
    assert!(within(gap, found.gap, 1e-12), "{gap} {:?}", found.gap);
}

/// The false neighbours of the notes, at their instances.
#[test]
fn false_neighbours() {
    // Two words equal.
    let mut collided = half("1/3", &[0, 0]);
    collided.problem.code = Some(Arc::new(Code::given(2).unwrap().with_equal_words(1, 0)));
    let counts = collided.counts().unwrap();
    let corner = collided.problem.corner(1).unwrap();
    let without = Point { y: Vec::new(), ..corner.clone() };
    assert_eq!(collided.problem.risk(&counts, &corner).unwrap(), q("23/192"));
    assert_eq!(collided.problem.risk(&counts, &without).unwrap(), q("1/16"));
    // gamma eight times larger.
    let mut pulled = half("1/4", &[0, 0, 1, 1]);
    pulled.problem.pull = n(8);
    let counts = pulled.counts().unwrap();
    let corner = pulled.problem.corner(3).unwrap();
    assert_eq!(pulled.problem.risk(&counts, &corner).unwrap(), q("31/768"));
    let formula = bounds::minimum_value(&n(4), &q("1/4"), &q("1/2"), &pulled.problem.gamma(), &q("1/2"));
    assert_eq!(formula, q("1/32"));
    // gamma = 0.
    pulled.problem.pull = n(0);
    let without = Point { y: Vec::new(), ..corner.clone() };
    assert_eq!(pulled.problem.risk(&counts, &corner).unwrap(), q("3/64"));
    assert_eq!(pulled.problem.risk(&counts, &without).unwrap(), q("3/64"));
    // Stability without the root.
    let lines = &LineLosses { small: false }.special()[0];
    let distance = Ordered::abs(&(lines.end(&lines.counts) - lines.end(&lines.neighbour().unwrap())));
    assert_eq!((lines.m(), lines.lipschitz(), distance), (1000, q("3/2"), q("999/5000")));
    let surd = |value: Rational| QuadraticSurd::from(value);
    let bound = |root: i64| bounds::stability(&surd(q("3/2")), &surd(q("1/10")), &surd(n(2)), &surd(n(1000)), &surd(n(root)));
    assert_eq!(bound(0).as_rational(), Some(&q("3/2500")));
    assert_eq!(bound(1).to_decimal(5, Rounding::Nearest), "0.42546");
}

#[test]
fn faults_are_named() {
    let new = |symbols, b: &str, r: &str| Problem::new(symbols, q(b), q(r), None).unwrap_err();
    assert!(matches!(new(1, "1/4", "1/2"), ProblemError::FewSymbols { symbols: 1 }));
    assert!(matches!(new(4, "1/3", "1/2"), ProblemError::WideBox { .. }));
    assert!(matches!(new(4, "0", "1/2"), ProblemError::NotPositive { .. }));
    assert!(matches!(new(4, "1/4", "1/8"), ProblemError::ShortRadius { .. }));
    assert!(matches!(new(4, "1/4", "51/100"), ProblemError::LongRadius { .. }));
    let problem = Problem::new(4, default_b(4), q("1/2"), None).unwrap();
    assert!(matches!(problem.counts(&[0, 4, 0, 0]), Err(ProblemError::Symbol { symbol: 4, place: 2, .. })));
    assert!(matches!(problem.counts(&[]), Err(ProblemError::Length { length: 0, .. })));
    let bad = Arc::new(Code::unchecked(vec![0x226, 0x227]).unwrap());
    assert!(matches!(Problem::new(2, q("1/3"), q("1/2"), Some(bad)), Err(ProblemError::Coherent { .. })));
}

fn answer(arguments: &[&str]) -> Result<Answer, CalculatorError> {
    let matches = ErmCalculator.command().try_get_matches_from([&["erm"], arguments].concat()).unwrap();
    ErmCalculator.run(&matches, &mut std::io::empty())
}

fn value(arguments: &[&str], key: &str) -> Value {
    answer(arguments).unwrap().reports[0].get(key).cloned().unwrap()
}

fn shown(arguments: &[&str], key: &str) -> String {
    value(arguments, key).to_text()
}

#[test]
fn the_instance_by_the_calculator() {
    let base = ["instance", "--m", "4", "--b", "1/4", "--sample", "0,0,1,1"];
    for (key, expected) in [
        ("empirical_risk", "23/512"),
        ("population_risk", "71/512"),
        ("minimum_risk", "39/512"),
        ("excess", "1/16"),
        ("gap", "3/32"),
        ("sharpness", "1/64"),
        ("sharpness_code", "1/256"),
        ("tolerance", "1/4096"),
        ("unseen", "1/2"),
    ] {
        assert_eq!(shown(&base, key), expected, "{key}");
    }
    let descent = [&base[..], &["--code", "2265b1,91b758,d8f16a,cd613e", "--gd", "--eta", "1/4", "--steps", "512"]].concat();
    assert_eq!(shown(&descent, "gd_active_pieces"), "{}, {0, 1}");
    assert_eq!((shown(&descent, "gd_overlap"), shown(&descent, "gd_gap")), ("3065/6144".into(), "2273/24576".into()));
    // The given code is the default.
    let default = [&base[..], &["--gd", "--eta", "1/4", "--steps", "512"]].concat();
    assert_eq!(shown(&default, "gd_gap"), "2273/24576");
    // Where the projection acts: intervals, with a note.
    let long = [&base[..], &["--gd", "--eta", "1/4", "--steps", "2000"]].concat();
    assert!(shown(&long, "gd_overlap").starts_with("[0.499"), "{}", shown(&long, "gd_overlap"));
    // In steps of 1/1024, with <v_empty, v_supp> = -1/6: 1 + 512^2 - 512/3 < 512^2 < 1 + 513^2 - 513/3.
    assert!(answer(&long).unwrap().notes.iter().any(|note| note.contains("projection of y acts from step 514")));
    // The box's part is exact there: only the last digits of the code's part are open.
    let ends = shown(&long, "gd_gap").trim_matches(['[', ']']).split(", ").map(q).collect::<Vec<_>>();
    assert!(ends[0] < ends[1] && ends[1].clone() - ends[0].clone() < q("1e-12"), "{ends:?}");
    // A broken step condition: the run is followed.
    let wild = ["instance", "--m", "4", "--sample", "0,0,0,0", "--gd", "--eta", "1", "--steps", "24"];
    let notes = answer(&wild).unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("hypothesis not met")), "{notes:?}");
    // A seed gives the same instance again; another one another.
    let seeded = |seed: &str| answer(&["instance", "--m", "7", "--seed", seed]).unwrap().to_json().to_string();
    assert_eq!(seeded("3"), seeded("3"));
    assert_ne!(seeded("3"), seeded("4"));
    assert!(matches!(value(&["instance", "--m", "7"], "gap"), Value::Exact(Some(_))));
}

#[test]
fn bounds_by_the_calculator() {
    let run = |m: &str, eta: &str, steps: &str, lipschitz: &str, key: &str| {
        value(&["bound", "--m", m, "--eta", eta, "--steps", steps, "--lipschitz", lipschitz], key)
    };
    // 40-digit values, rounded up and down at 25 digits.
    assert_eq!(run("64", "1/8", "8192", "1", "gap_upper").to_text(), "86.62741699796952078082702");
    assert_eq!(run("64", "1/8", "8192", "1", "lower_scale").to_text(), "0.02209708691207961013752638");
    assert_eq!(run("10", "1/10", "1000", "2", "gap_upper").to_text(), "185.2982212813470346559912");
    assert_eq!(run("10", "1/10", "1000", "2", "lower_scale").to_text(), "0.02778561578185816876914720");
    assert_eq!(run("10", "1/10", "1000", "2", "window").to_text(), "(12.64911064067351732799558, 505.9644256269406931198229]");
    assert_eq!(run("4", "1/4", "512", "1", "window").to_text(), "(8, 128]");
    assert_eq!(run("4", "1/4", "512", "1", "lower_scale").to_text(), "0.0625");
    // eta = 1/4: counts up to floor(4 - 3/4) = 3 are allowed; 57/64 of the samples have u >= 1/4 and such counts.
    assert_eq!(run("4", "1/4", "512", "1", "probability").to_text(), "0.890625");
    assert_eq!(run("4", "1/4", "512", "1", "risky"), Value::Flag(true));
    // One step more leaves the window; a large step size breaks the step condition.
    assert_eq!(run("4", "1/4", "513", "1", "risky"), Value::Flag(false));
    assert_eq!(run("4", "2", "40", "1", "risky"), Value::Flag(false));
    assert_eq!(run("4", "1/4", "32", "1", "risky"), Value::Flag(false));
    assert_eq!(run("4", "1/4", "33", "1", "risky"), Value::Flag(true));
    // Beyond the exact law.
    assert_eq!(run("1000000", "1/8", "1000000000", "1", "risky"), Value::Flag(true));
}
