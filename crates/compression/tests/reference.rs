//! The reference table of the paper's quantities (computed elsewhere in 30-digit arithmetic), and the hazards of floating point.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use compression::emp::algorithm::{Keep, effective_size, mass_floor_by_squares, prune, retained_count};
use compression::emp::bounds::{certain_concentration, edge_mass, mass_ceiling, printed_floor, printed_loss_factor, retained_floor};
use compression::emp::instances::Scores;
use numeric::{ExactSum, Field, Interval, Ordered, QuadraticSurd, Rational, Rounding};

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

fn printed(nu: u64, n: u64) -> QuadraticSurd {
    printed_floor(nu, n)
}

/// `text` is `value` rounded to its last digit.
fn agrees(value: &QuadraticSurd, text: &str) {
    let digits = text.split('.').nth(1).unwrap().len() as u32;
    let unit = Rational::from(10).powi(digits).recip();
    let distance = (value.clone() - QuadraticSurd::from(q(text))).abs();
    assert!(distance.le(&QuadraticSurd::from(unit)).is_true(), "{text} against {}", value.to_decimal(30, Rounding::Nearest));
}

#[test]
fn printed_floors() {
    for (nu, n, exact) in [(2, 4, "2/3"), (3, 4, "3/4"), (3, 5, "7/10"), (4, 6, "11/15"), (4, 5, "4/5"), (1, 3, "2/3"), (1, 2, "1/2")] {
        assert_eq!(printed(nu, n).as_rational(), Some(&q(exact)), "P({nu}, {n})");
    }
    for n in 2..40 {
        assert_eq!(printed(n - 1, n).as_rational(), Some(&(Rational::from(n - 1) / Rational::from(n))));
    }
    for (nu, n, value) in [
        (2, 5, "0.64494897427831780982"),
        (5, 10, "0.63608276348795433879"),
        (10, 100, "0.3572903945106346494"),
        (200, 1000, "0.25046410831688466503"),
        (500, 1000, "0.51578769290476728494"),
        (700_000, 1_000_000, "0.70019639573180063014"),
        (3, 10, "0.585773803324704111"),
    ] {
        agrees(&printed(nu, n), value);
    }
}

/// Scores, beta, q (or None), nu, s_eff, and A or LB.
#[test]
fn instances_of_the_table() {
    let row = |values: Vec<i64>, beta: (i64, i64), nu: u64, mass: &str| {
        let pruning = Scores::new(values, Keep::Beta(beta.0, beta.1)).prune().unwrap();
        assert_eq!((pruning.kept, &pruning.mass), (nu, &q(mass)));
        pruning
    };
    let edge = |pruning: &compression::emp::algorithm::Pruning| edge_mass(&QuadraticSurd::from(pruning.q.clone()), pruning.kept, pruning.n);
    // Equality cases: (a, b, .., b).
    for (values, q_text, nu, mass) in
        [(vec![3, 1, 1, 1, 1], "13/49", 3, "5/7"), (vec![8, 3, 3, 3, 3], "1/4", 4, "17/20"), ([vec![10], vec![1; 9]].concat(), "109/361", 3, "12/19")]
    {
        let pruning = row(values, (1, 1), nu, mass);
        assert_eq!(pruning.q, q(q_text));
        assert_eq!(edge(&pruning).as_rational(), Some(&q(mass)), "attained");
    }
    let pruning = row(vec![5, 4, 1], (1, 1), 2, "9/10");
    assert_eq!(pruning.q, q("21/50"));
    agrees(&edge(&pruning), "0.786851709182132976");
    let pruning = row((1..=10).map(|i| 2520 / i).collect(), (1, 1), 5, "5754/7381");
    assert_eq!(pruning.n_eff(), q("4952651/894695"));
    agrees(&edge(&pruning), "0.649675312191908832");
    let pruning = row((0..20).map(|i| 1 << (19 - i)).collect(), (1, 1), 2, "262144/349525");
    assert_eq!(pruning.n_eff(), q("3145725/1048577"));
    agrees(&edge(&pruning), "0.591507364601484714");
    // E1, N = 10, t = 27217/100000
    let pruning = row([vec![100_000 + 9 * 27_217], vec![100_000 - 27_217; 9]].concat(), (1, 1), 5, "127217/200000");
    agrees(&pruning.n_eff().into(), "5.99992111267721525");
    agrees(&(QuadraticSurd::from(pruning.mass) - printed(5, 10)), "0.0000022365");
    // E3, nu = 4, N = 6, t = 1/5 + 1/1000
    row([vec![1000 + 5 * 201], vec![1000 - 201; 5]].concat(), (1, 1), 4, "2201/3000");
    // beta
    let pruning = row(vec![1; 10], (1, 2), 5, "1/2");
    assert_eq!(retained_floor(10, 5, &pruning.q).unwrap().0.as_rational(), Some(&q("1/2")));
    let pruning = row(vec![4, 4, 4, 1, 1, 1, 1], (3, 4), 3, "3/4");
    assert_eq!(pruning.q, q("13/64"));
    agrees(&retained_floor(7, 3, &pruning.q).unwrap().0, "0.5800943102542601838");
    // The printed counterexample.
    let pruning = row(vec![51, 49, 0], (1, 1), 1, "51/100");
    assert_eq!(pruning.n_eff(), q("5000/2501"));
}

#[test]
fn universal_floors_for_other_beta() {
    let lb = |n, nu, beta: &str| retained_floor(n, nu, &certain_concentration(n, nu, &q(beta))).unwrap().0;
    assert_eq!(lb(10, 5, "3/4").as_rational(), Some(&q("7/12")));
    agrees(&lb(10, 5, "9/10"), "0.61785113019775792073");
    agrees(&lb(10, 5, "3/2"), "0.70412414523193150818");
    agrees(&lb(100, 30, "3/4"), "0.38381580761249495367");
    assert_eq!(lb(3, 1, "1").as_rational(), Some(&q("1/2")), "nu = 1: one half, whatever N");
    assert_eq!(lb(7, 7, "1").as_rational(), Some(&q("1")));
    for (n, nu) in [(10, 5), (100, 30), (6, 2)] {
        assert!(lb(n, nu, "1").equals(&printed(nu, n)).is_true(), "at beta = 1, nu >= 2 the floor is the printed one");
    }
}

#[test]
fn loss_factors_and_ratios() {
    // theta = (3,3,3,1): ||theta||_1^2 = 100, Tr H = 1
    let factor: QuadraticSurd = printed_loss_factor(3, 4);
    agrees(&factor, "0.00131766422954");
    // The factor ((1-rho)^4/(2 rho))(1 - ..)^2 at N = 1000, rho = 1/5 and 1/2.
    agrees(&printed_loss_factor(200, 1000), "0.898569");
    agrees(&printed_loss_factor(500, 1000), "0.0586097");
    // The asymptotic lost mass is below the true supremum by these factors.
    for (nu, n, ratio) in [(2_u64, 4_u64, "1.3333"), (5, 10, "1.0644"), (500, 1000, "1.0000489")] {
        let lost = (Rational::from(n) - Rational::from(nu)) / Rational::from(n);
        let root = numeric::Surd::sqrt(&QuadraticSurd::from(lost.clone() / Rational::from(nu)));
        let asymptotic = QuadraticSurd::from(lost) * (QuadraticSurd::one() - root);
        // Two radicals: the ratio is checked by enclosures of both.
        let enclose = |value: &QuadraticSurd| {
            let (low, high) = value.enclose_f64();
            Interval::new(low, high).unwrap()
        };
        let quotient = enclose(&(QuadraticSurd::one() - printed(nu, n))) / enclose(&asymptotic);
        let digits = ratio.split('.').nth(1).unwrap().len() as i32;
        let unit = 10.0_f64.powi(-digits);
        let expected: f64 = ratio.parse().unwrap();
        assert!(quotient.lo() > expected - unit && quotient.hi() < expected + unit, "{ratio}: {quotient:?}");
    }
}

#[test]
fn enclosures_of_the_printed_floor_up_to_a_thousand_million() {
    for n in [1_000_000_u64, 1_000_000_000] {
        for nu in [2, 3, n / 2, n - 2, n - 1] {
            let enclosure: Interval = printed_floor(nu, n);
            let (low, high) = printed(nu, n).enclose_f64();
            assert!(enclosure.lo() <= low && high <= enclosure.hi(), "P({nu}, {n}): {enclosure:?}");
            // A dozen roundings of numbers at most 1.
            assert!(enclosure.width() < 1e-14, "P({nu}, {n}): {enclosure:?}");
        }
    }
}

#[test]
fn upper_side_is_attained_by_two_levels() {
    let pruning = Scores::new(vec![5, 5, 5, 2, 2, 2, 2], Keep::Count(3)).prune().unwrap();
    assert!(mass_ceiling(&QuadraticSurd::from(pruning.q.clone()), 3, 7).equals(&pruning.mass.into()).is_true());
}

#[test]
fn the_fast_form_agrees_with_the_generic_one() {
    // 100,000 vectors, equality cases (a, b, .., b) and few-nonzero ones among them.
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut next = |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % bound
    };
    let (mut decided, mut equal) = (0, 0);
    for case in 0..100_000 {
        let n = 1 + next(9) as usize;
        let mut values: Vec<i64> = match case % 4 {
            0 => (0..n).map(|_| next(20) as i64).collect(),
            1 => {
                let (a, b) = (next(1000) as i64, next(1000) as i64);
                (0..n).map(|i| if i == 0 { a.max(b) } else { a.min(b) }).collect()
            }
            2 => (0..n).map(|i| if i < 2 { 1 + next(1 << 24) as i64 } else { 0 }).collect(),
            _ => (0..n).map(|_| (1_i64 << next(25)).min(1 << 24)).collect(),
        };
        values.sort_unstable_by(|a, b| b.cmp(a));
        let Some(pruning) = prune(&values, Keep::Beta(1, 1)) else {
            assert_eq!(mass_floor_by_squares(&values), None);
            continue;
        };
        let (nu, holds) = mass_floor_by_squares(&values).unwrap();
        assert_eq!(nu, pruning.kept, "{values:?}");
        if pruning.kept < pruning.n {
            let k = if nu == 1 { 2 } else { pruning.n };
            let edge = edge_mass(&QuadraticSurd::from(pruning.q.clone()), nu, k);
            let mass = QuadraticSurd::from(pruning.mass.clone());
            assert_eq!(holds, edge.le(&mass).is_true(), "{values:?}");
            decided += 1;
            equal += u32::from(edge.equals(&mass).is_true());
        }
    }
    assert!(decided > 60_000 && equal > 10_000, "{decided} decided, {equal} equalities");
    for refused in [vec![], vec![0, 0], vec![1, 2], vec![1, -1], vec![(1 << 24) + 1], vec![1; 65]] {
        assert_eq!(mass_floor_by_squares(&refused), None, "{refused:?}");
    }
}

/// What a pipeline in floats makes of uniform scores; ours is exact.
#[test]
fn uniform_scores_keep_all_where_floats_lose_one() {
    let exact_count = |value: f64, n: u64| {
        let (mut s1, mut s2) = (ExactSum::default(), ExactSum::default());
        for _ in 0..n {
            s1.add(value);
            s2.add_square(value);
        }
        retained_count(&effective_size(&s1.value(), &s2.value()).unwrap(), &Rational::from(1), n)
    };
    // The same rule as the exact one, in floats: one floor, clamped to [1, N].
    let clamped = |value: f64, n: u64| (value.floor() as u64).clamp(1, n);
    let (mut wrong_f64, mut wrong_f32, mut wrong_epsilon) = (Vec::new(), Vec::new(), Vec::new());
    for n in 1..200_u64 {
        assert_eq!(exact_count(1.0 / n as f64, n), n);
        assert_eq!(exact_count(f64::from(1.0_f32 / n as f32), n), n);
        let w = 1.0 / n as f64;
        let sum: f64 = (0..n).map(|_| w * w).sum();
        if clamped(1.0 / sum, n) != n {
            wrong_f64.push(n);
        }
        // 1/(1/N + 1e-12) is below N for every N; only the clamp saves N = 1.
        if clamped(1.0 / (sum + 1e-12), n) != n {
            wrong_epsilon.push(n);
        }
        let w = 1.0 / n as f32;
        let sum: f32 = (0..n).map(|_| w * w).sum();
        if clamped(f64::from(1.0 / sum), n) != n {
            wrong_f32.push(n);
        }
    }
    assert_eq!((wrong_f64.len(), wrong_f64[0]), (84, 5));
    // Counted with NumPy scalars, too: 79 when summed one by one as here, 69 by its pairwise sum.
    assert_eq!((wrong_f32.len(), wrong_f32[0]), (79, 3));
    assert_eq!((wrong_epsilon.len(), wrong_epsilon[0]), (198, 2));
}

#[test]
fn squares_that_overflow_or_vanish_in_floats() {
    let count = |values: &[f64]| {
        let (mut s1, mut s2) = (ExactSum::default(), ExactSum::default());
        values.iter().for_each(|&value| {
            s1.add(value);
            s2.add_square(value);
        });
        retained_count(&effective_size(&s1.value(), &s2.value()).unwrap(), &Rational::from(1), values.len() as u64)
    };
    assert_eq!(count(&[1e200, 1e200, 1e-200]), 2);
    assert_eq!(count(&[1e-200; 3]), 3);
    assert!((1e200_f64 * 1e200).is_infinite() && 1e-200_f64 * 1e-200 == 0.0);
}
