//! The proof steps that the claims decide as polynomials, on the formula that the bounds use: a step that was cleared of its denominators wrongly shows here.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use compression::emp::algorithm::Keep;
use compression::emp::bounds::{edge_mass, printed_floor};
use compression::emp::instances::Scores;
use numeric::{Field, Ordered, QuadraticSurd, Rational};

fn edge(q: &Rational, nu: u64, k: u64) -> QuadraticSurd {
    edge_mass(&QuadraticSurd::from(q.clone()), nu, k)
}

/// Rationals in [low, high], both ends among them.
fn grid(low: &Rational, high: &Rational, steps: i64) -> Vec<Rational> {
    (0..=steps).map(|i| low.clone() + (high.clone() - low.clone()) * Rational::new(i, steps)).collect()
}

#[test]
fn step_3_the_edge_mass_rises_then_falls_in_k() {
    let (mut rises, mut falls) = (0, 0);
    for nu in 1..=8_u64 {
        // From q = 1/(nu + 1), where k = nu + 1 begins, to q = 1; beyond 1/nu the count is no longer nu, but the step does not need that.
        for q in grid(&Rational::new(1, nu as i64 + 1), &Rational::from(1), 12) {
            let mut fallen = false;
            for k in nu + 1..nu + 30 {
                let (now, next) = (edge(&q, nu, k), edge(&q, nu, k + 1));
                if now.lt(&next).is_true() {
                    assert!(!fallen, "A rises again at nu = {nu}, q = {q}, k = {k}");
                    rises += 1;
                } else if next.lt(&now).is_true() {
                    assert!(nu > 1, "nu = 1 only rises: q = {q}, k = {k}");
                    fallen = true;
                    falls += 1;
                } else {
                    assert!(q == Rational::from(1) || ((nu, k) == (2, 3) && q == Rational::new(1, 3)), "equal at nu = {nu}, q = {q}, k = {k}");
                }
            }
        }
    }
    assert!(rises > 100 && falls > 1000, "both shapes occur: {rises} rises, {falls} falls");
}

#[test]
fn step_4_the_second_edge_is_not_above_the_first() {
    for nu in 1..=12_u64 {
        let count = Rational::from(nu);
        for y in grid(&Rational::from(0), &count.recip(), 20) {
            let q = (Rational::from(1) + count.clone() * y.square()) / Rational::from(nu + 1);
            let (first, second) = (edge(&q, nu, nu + 1), edge(&q, nu, nu + 2));
            // y is the root at k = nu + 1, so the first is nu/(nu+1) + y/(nu+1).
            assert_eq!(first.as_rational(), Some(&((count.clone() + y.clone()) / Rational::from(nu + 1))));
            let equal = if nu == 1 { y == Rational::from(1) } else { nu == 2 && y.is_zero() };
            assert_eq!(first.equals(&second).is_true(), equal, "nu = {nu}, y = {y}");
            if !equal {
                assert_eq!(second.lt(&first).is_true(), nu >= 2, "nu = {nu}, y = {y}");
            }
        }
    }
}

#[test]
fn step_5_the_edge_mass_rises_in_q_from_the_printed_floor() {
    for n in 2..=20_u64 {
        for nu in 1..n {
            let start = Rational::new(1, nu as i64 + 1);
            assert!(edge(&start, nu, n).equals(&printed_floor(nu, n)).is_true(), "P({nu}, {n}) is A at q = 1/(nu + 1)");
            for pair in grid(&start, &Rational::from(1), 8).windows(2) {
                assert!(edge(&pair[0], nu, n).lt(&edge(&pair[1], nu, n)).is_true(), "nu = {nu}, N = {n}, q = {}", pair[0]);
            }
        }
    }
}

#[test]
fn two_limits_share_the_infimum_at_two_of_four() {
    // (1/2, 1/6, 1/6, 1/6) and (1/3, 1/3, 1/3, 0): N_eff is 3 at both, so neither retains two; the two largest weigh 2/3.
    for values in [vec![3, 1, 1, 1], vec![1, 1, 1, 0]] {
        assert_eq!(Scores::new(values.clone(), Keep::Beta(1, 1)).prune().unwrap().kept, 3);
        let two = Scores::new(values, Keep::Count(2)).prune().unwrap();
        assert_eq!((two.n_eff(), two.mass), (Rational::from(3), Rational::new(2, 3)));
    }
    assert_eq!(printed_floor::<QuadraticSurd>(2, 4).as_rational(), Some(&Rational::new(2, 3)));
    // Elsewhere the edge to k = nu + 1 stays above the one to N at q = 1/(nu + 1).
    for n in 4..=20_u64 {
        for nu in 2..n - 1 {
            let q = Rational::new(1, nu as i64 + 1);
            assert_eq!(edge(&q, nu, n).equals(&edge(&q, nu, nu + 1)).is_true(), (nu, n) == (2, 4), "({nu}, {n})");
        }
    }
}
