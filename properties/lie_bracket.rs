//! Brackets of updates and tournaments of sources.

use proptest::prelude::*;
use theorycheck::numeric::{Field, Rational};
use theorycheck::optimization::lie_bracket::algorithm::{
    best_order, bracket, cycles, dot, minus, pass, repeated, repeated_step, schedule_value, scores_matrix, times,
};
use theorycheck::optimization::lie_bracket::scale::{InMemory, scored_rows};
use theorycheck::optimization::lie_bracket::{Entrant, Loss, PolynomialLoss, order_by_score, row_sums};

fn n(value: i64) -> Rational {
    Rational::from(value)
}

/// A quadratic from the upper triangle of its Hessian.
fn quadratic(upper: &[i64], linear: &[i64]) -> PolynomialLoss<Rational> {
    let d = linear.len();
    let at = |i: usize, j: usize| n(upper[i.min(j) * d + i.max(j)]);
    PolynomialLoss::quadratic((0..d).map(|i| (0..d).map(|j| at(i, j)).collect()).collect(), linear.iter().copied().map(n).collect())
}

prop_compose! {
    fn losses(count: usize)(d in 1_usize..5)(
        parts in prop::collection::vec((prop::collection::vec(-9_i64..=9, d * d), prop::collection::vec(-9_i64..=9, d)), count),
        theta in prop::collection::vec(-5_i64..=5, d),
    ) -> (Vec<PolynomialLoss<Rational>>, Vec<Rational>) {
        (parts.iter().map(|(upper, linear)| quadratic(upper, linear)).collect(), theta.into_iter().map(n).collect())
    }
}

fn entrants(losses: &[PolynomialLoss<Rational>], theta: &[Rational]) -> Vec<Entrant<Rational>> {
    let (target, sources) = losses.split_last().expect("a target");
    let g_e = target.gradient(theta);
    sources.iter().map(|loss| Entrant { gradient: loss.gradient(theta), curved: loss.hessian_vector(theta, &g_e) }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// The commutator of quadratic updates is eta^2 times the bracket, for any step size.
    #[test]
    fn quadratics_commute_up_to_the_bracket((losses, theta) in losses(2), p in 1_i64..50, q in 1_i64..50) {
        let eta = Rational::new(p, q);
        let (a, b) = (&losses[0], &losses[1]);
        let difference = minus(&pass(&[a, b], &eta, &theta), &pass(&[b, a], &eta, &theta));
        prop_assert_eq!(difference, times(&eta.square(), &bracket(a, b, &theta)));
    }

    /// k steps on one quadratic move by -P grad f.
    #[test]
    fn repeated_steps_have_a_closed_form((losses, theta) in losses(1), count in 0_u32..5, q in 1_i64..20) {
        let (loss, eta) = (&losses[0], Rational::new(1, q));
        let nothing = quadratic(&vec![0; theta.len() * theta.len()], &vec![0; theta.len()]);
        let moved = repeated(loss, &nothing, count, &eta, &theta);
        prop_assert_eq!(minus(&theta, &moved), repeated_step(&loss.hessian, &eta, count, &loss.gradient(&theta)));
    }

    /// Row sums need no matrix, and their order does not depend on the order of the input where no two are equal.
    #[test]
    fn row_sums_are_those_of_the_matrix((losses, theta) in losses(6)) {
        let all = entrants(&losses, &theta);
        let scores = row_sums(&all);
        for (row, score) in scores_matrix(&all).iter().zip(&scores) {
            prop_assert_eq!(row.iter().fold(n(0), |sum, x| sum + x.clone()), score.clone());
        }
        let order = order_by_score(&scores);
        let reversed: Vec<Entrant<Rational>> = all.iter().rev().cloned().collect();
        if order.windows(2).all(|pair| scores[pair[0]] < scores[pair[1]]) {
            let back: Vec<usize> = order_by_score(&row_sums(&reversed)).into_iter().map(|index| all.len() - 1 - index).collect();
            prop_assert_eq!(order, back);
        }
    }

    /// No order is better than the one from dynamic programming, and exchanging neighbours changes F by their score.
    #[test]
    fn the_best_order_beats_the_sort((losses, theta) in losses(6)) {
        let all = entrants(&losses, &theta);
        let matrix = scores_matrix(&all);
        let (best, _) = best_order(&matrix).expect("few sources");
        let sorted = order_by_score(&row_sums(&all));
        prop_assert!(schedule_value(&all, &best) <= schedule_value(&all, &sorted));
        let mut swapped = best.clone();
        swapped.swap(1, 2);
        prop_assert_eq!(schedule_value(&all, &best) - schedule_value(&all, &swapped), matrix[best[1]][best[2]].clone());
    }

    /// On a line with weights of one sign there is no cycle.
    #[test]
    fn lines_are_transitive(sources in prop::collection::vec((1_i64..30, -30_i64..30), 2..8), slope in -5_i64..5) {
        let all: Vec<Entrant<Rational>> = sources.iter().map(|&(h, g)| Entrant { gradient: vec![n(g)], curved: vec![n(h * slope)] }).collect();
        prop_assert!(cycles(&scores_matrix(&all)).is_empty());
    }

    /// Scores in doubles are within their errors of the exact ones.
    #[test]
    fn scores_in_doubles_have_true_errors(d in 1_usize..40, values in prop::collection::vec(-1e6_f64..1e6, 2 * 40 * 9)) {
        let (g, q) = (&values[..d * 9], &values[d * 9..2 * d * 9]);
        let scored = scored_rows(&InMemory { gradients: g, curved: q, dimension: d }).expect("finite");
        let exact = |row: &[f64]| row.iter().map(|&x| Rational::from_f64(x).expect("finite")).collect::<Vec<_>>();
        let all: Vec<Entrant<Rational>> = g.chunks(d).zip(q.chunks(d)).map(|(g, q)| Entrant { gradient: exact(g), curved: exact(q) }).collect();
        for ((sum, score), error) in row_sums(&all).iter().zip(&scored.scores).zip(&scored.errors) {
            let off = dot(&[n(1), n(-1)], &[Rational::from_f64(*score).expect("finite"), sum.clone()]);
            prop_assert!(off.square() <= Rational::from_f64(*error).expect("finite").square());
        }
    }
}
