//! The overfitting instance and gradient descent on it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use quickcheck::quickcheck;
use std::sync::Arc;
use theorycheck::learning::erm::bounds;
use theorycheck::learning::erm::code::Code;
use theorycheck::learning::erm::descent::{Descent, broken_hypothesis, closed_form, enclose};
use theorycheck::learning::erm::instances::words_of_seed;
use theorycheck::learning::erm::problem::{Point, Problem, Sampled, default_b};
use theorycheck::numeric::{Field, Ordered, Rational};

fn n(value: i64) -> Rational {
    Rational::from(value)
}

/// An instance with a searched code; the sample's draws are taken modulo m.
fn instance(symbols: usize, seed: u64, draws: &[usize]) -> Sampled {
    let code = Code::search(symbols, words_of_seed(seed)).unwrap();
    let problem = Problem::new(symbols, default_b(symbols), Rational::new(1, 2), Some(Arc::new(code))).unwrap();
    Sampled { problem, sample: (0..symbols).map(|i| draws[i % draws.len()] % symbols).collect() }
}

/// A point of K in twelfths, from numbers of any size.
fn point(symbols: usize, numbers: &[i64]) -> Point {
    let at = |i: usize, most: i64| numbers[i % numbers.len()].wrapping_add(i as i64 * 7).rem_euclid(2 * most + 1) - most;
    Point { x: (0..symbols).map(|i| at(i, 20)).collect(), y: (0..6 * symbols).map(|i| at(i + 13, 12)).collect(), den: 12 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Any two words of a searched code differ in at least a quarter of their bits.
    #[test]
    fn searched_codes_are_far_apart(symbols in 2_usize..8, seed in any::<u64>()) {
        let code = Code::search(symbols, words_of_seed(seed)).unwrap();
        for first in 0..1 << symbols {
            for second in 0..first {
                prop_assert!(4 * code.distance(first, second) >= code.length());
            }
        }
    }

    /// F_S is the mean of the losses of the draws, and F that of all symbols.
    #[test]
    fn risks_are_means(symbols in 2_usize..6, seed in 0_u64..50, draws in prop::collection::vec(0_usize..60, 1..6), numbers in prop::collection::vec(any::<i64>(), 1..40)) {
        let sampled = instance(symbols, seed, &draws);
        let Sampled { problem, sample } = &sampled;
        let w = point(symbols, &numbers);
        let mean = |symbols: &[usize]| {
            symbols.iter().fold(n(0), |sum, &symbol| sum + problem.loss(symbol, &w).unwrap()) / n(symbols.len() as i64)
        };
        prop_assert_eq!(problem.risk(&sampled.counts().unwrap(), &w).unwrap(), mean(sample));
        prop_assert_eq!(problem.population(&w).unwrap(), mean(&(0..symbols).collect::<Vec<_>>()));
    }

    /// Halfway between two points a loss is at most the mean of its ends.
    #[test]
    fn losses_are_convex(symbols in 2_usize..6, seed in 0_u64..50, a in prop::collection::vec(any::<i64>(), 1..40), b in prop::collection::vec(any::<i64>(), 1..40)) {
        let problem = instance(symbols, seed, &[0]).problem;
        let (first, second) = (point(symbols, &a), point(symbols, &b));
        let add = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(a, b)| a + b).collect();
        let middle = Point { x: add(&first.x, &second.x), y: add(&first.y, &second.y), den: 24 };
        for symbol in 0..symbols {
            let loss = |w: &Point| problem.loss(symbol, w).unwrap();
            prop_assert!(n(2) * loss(&middle) <= loss(&first) + loss(&second));
        }
    }

    /// The minimizer's excess depends on the number of symbols seen only, and no point of K is lower.
    #[test]
    fn the_excess_counts_the_unseen(symbols in 2_usize..8, seed in 0_u64..50, draws in prop::collection::vec(0_usize..840, 8), numbers in prop::collection::vec(any::<i64>(), 1..40)) {
        let sampled = instance(symbols, seed, &draws);
        let Sampled { problem, .. } = &sampled;
        let corner = problem.corner(sampled.support()).unwrap();
        let all = problem.corner((1 << symbols) - 1).unwrap();
        let excess = problem.population(&corner).unwrap() - problem.population(&all).unwrap();
        prop_assert_eq!(excess, bounds::excess(&problem.b, &problem.r, &sampled.unseen()));
        let counts = sampled.counts().unwrap();
        prop_assert!(problem.risk(&counts, &corner).unwrap() <= problem.risk(&counts, &point(symbols, &numbers)).unwrap());
    }

    /// The enumerated run ends where the closed form says, at any step size that the hypotheses allow.
    #[test]
    fn the_closed_form_is_the_run(symbols in 2_usize..6, seed in 0_u64..50, draws in prop::collection::vec(0_usize..60, 1..6), share in 1_i64..100, steps in 1_u64..60) {
        let sampled = instance(symbols, seed, &draws);
        let counts = sampled.counts().unwrap();
        let problem = &sampled.problem;
        let most = counts.iter().copied().max().unwrap() as i64;
        let eta = problem.b.clone() * problem.size() / (n(most) + Rational::new(3, 4)) * Rational::new(share, 100);
        prop_assert_eq!(broken_hypothesis(problem, &counts, &eta, steps), None);
        let mut descent = Descent::new(problem, &counts, &eta).unwrap();
        for _ in 0..steps {
            descent.step().unwrap();
        }
        let rho = problem.code.as_ref().unwrap().overlap(0, sampled.support());
        let closed = closed_form(problem, &counts, &rho, &eta, steps).unwrap();
        prop_assert_eq!((descent.overlap(sampled.support()), descent.gap()), (closed.overlap.clone(), closed.gap()));
        let found = enclose(problem, &counts, &rho, &eta, steps).unwrap();
        prop_assert!(found.overlap.contains_rational(&closed.overlap) && found.gap.contains_rational(&closed.gap()));
    }

    /// Enclosures of runs that nobody enumerates: the overlap never exceeds r, and grows with the steps.
    #[test]
    fn enclosures_of_large_runs(root in 4_i64..12, seen in 1_usize..100, share in 1_i64..20, steps in 2_u64..400) {
        let m = (root * root) as usize;
        let seen = seen.min(m);
        let counts: Vec<usize> = (0..m).map(|symbol| if symbol < seen { m / seen + usize::from(symbol < m % seen) } else { 0 }).collect();
        let problem = Problem::new(m, Rational::new(1, 2 * root), Rational::new(1, 2), None).unwrap();
        let eta = problem.b.clone() * problem.size() / (n(counts[0] as i64) + Rational::new(3, 4)) * Rational::new(share, 20);
        let rho = Rational::new(1, 4);
        let end = |steps: u64| enclose(&problem, &counts, &rho, &eta, steps).unwrap();
        let (before, after) = (end(steps - 1), end(steps));
        prop_assert!(before.overlap.lo() <= after.overlap.hi());
        prop_assert!(after.overlap.lo() <= 0.5 && after.average_overlap.lo() <= after.overlap.hi());
    }
}

quickcheck! {
    fn the_occupancy_law_is_a_law(m: u8) -> bool {
        let m = u32::from(m % 40) + 1;
        let law = bounds::occupancy(m);
        let total = law.iter().fold(n(0), |sum, share| sum + share.clone());
        let mean = law.iter().enumerate().fold(n(0), |sum, (k, share)| sum + share.clone() * Rational::new(i64::from(m) - k as i64, i64::from(m)));
        total == n(1) && mean == bounds::mean_unseen(m) && law[0] == n(0)
    }

    fn a_larger_cap_on_the_counts_allows_more(m: u8, most: u8) -> bool {
        let m = u32::from(m % 12) + 2;
        let most = u32::from(most) % m;
        let at = |most| bounds::quarter_unseen_bounded(m, most);
        at(most) <= at(most + 1) && at(m) == bounds::quarter_unseen(m)
    }

    fn the_stability_bound_grows(eta: u8, steps: u8, m: u8) -> bool {
        let real = |value: i64| theorycheck::numeric::Interval::from_i64(value);
        let (eta, steps, m) = (real(i64::from(eta) + 1), i64::from(steps) + 1, i64::from(m) + 1);
        let at = |steps: i64, m: i64| bounds::gap_upper(&real(1), &eta, &real(steps), &real(m));
        at(steps, m).lt(&at(steps + 1, m)).is_true() && at(steps, m + 1).lt(&at(steps, m)).is_true()
    }
}
