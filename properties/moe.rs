//! Sparse expert routing.

use proptest::prelude::*;
use theorycheck::compression::moe::algorithm::{average_of_recursion, plain_step, scaled_step, subsets, top_k};
use theorycheck::compression::moe::bounds::{Budget, integer_rule, plain_bound, sharp_bound};
use theorycheck::numeric::{Field, Ordered, QuadraticSurd, Rational};

fn n(value: i64) -> Rational {
    Rational::from(value)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// There are M over K subsets, all different, each block in the same number of them.
    #[test]
    fn subsets_are_balanced(experts in 1_usize..9, active in 1_usize..9) {
        prop_assume!(active <= experts);
        let sets = subsets(experts, active).unwrap();
        prop_assert!(sets.windows(2).all(|pair| pair[0] < pair[1]));
        for block in 0..experts {
            let count = sets.iter().filter(|set| set.contains(&block)).count();
            prop_assert_eq!(count * experts, sets.len() * active);
        }
    }

    /// The kept blocks are the largest ones: none left out is larger.
    #[test]
    fn top_k_keeps_the_largest(gradient in prop::collection::vec(-9_i64..=9, 1..8), active in 1_usize..8) {
        prop_assume!(active <= gradient.len());
        let kept = top_k(&gradient.iter().copied().map(Rational::from).collect::<Vec<_>>(), active).unwrap();
        prop_assert_eq!(kept.len(), active);
        let least = kept.iter().map(|&block| gradient[block].abs()).min().unwrap();
        prop_assert!((0..gradient.len()).filter(|block| !kept.contains(block)).all(|block| gradient[block].abs() <= least));
    }

    /// Both bounds hold for the recursion's closed form, at any length of the run.
    #[test]
    fn bounds_hold_on_long_runs(experts in 1_i64..12, active in 1_i64..12, share in 1_i64..16, noise in 0_i64..9, start in 0_i64..9, steps in 1_u32..300) {
        prop_assume!(active <= experts);
        let (ratio, one, zero) = (Rational::new(experts, active), n(1), n(0));
        // eta below 2K/M, and not so that the recursion stands still.
        let eta = Rational::new(share * active, 8 * experts);
        let (noise, start, time) = (n(noise), n(start), n(i64::from(steps)));
        let delta = start.clone() / n(2);
        let rate = scaled_step(&one, &one, &eta, &ratio, &zero);
        let average = average_of_recursion(&start, &rate, &scaled_step(&zero, &one, &eta, &ratio, &noise), steps).0;
        prop_assert!(average <= sharp_bound(&delta, &eta, &time, &one, &noise, &ratio));
        let part = ratio.recip();
        let rate = plain_step(&one, &one, &eta, &part, &zero);
        let average = average_of_recursion(&start, &rate, &plain_step(&zero, &one, &eta, &part, &noise), steps).0;
        prop_assert!(average <= plain_bound(&delta, &eta, &time, &one, &noise, &ratio));
    }

    /// Without overhead both rules give the same integer, and its neighbours are no better.
    #[test]
    fn the_integer_optimum_is_one(c1 in 1_i64..2000, c2 in 1_i64..2000, experts in 1_u64..5000) {
        let budget = Budget::plain(n(c1), n(c2), experts);
        let best = budget.best_integer();
        prop_assert_eq!(best, integer_rule(&n(c1), &n(c2), experts));
        let square = |k: u64| budget.square(&Rational::from(k));
        prop_assert!(best == 1 || square(best) < square(best - 1));
        prop_assert!(best == experts || square(best) < square(best + 1));
    }

    /// More overhead asks for more experts, and the stationary point solves its quadratic.
    #[test]
    fn overhead_asks_for_more(c1 in 1_i64..50, c2 in 1_i64..50, experts in 1_u64..100, overhead in 0_i64..100, per_expert in 1_i64..20) {
        let at = |overhead: i64| Budget { c1: n(c1), c2: n(c2), experts, overhead: n(overhead), per_expert: n(per_expert) };
        let (less, more) = (at(overhead).stationary(), at(overhead + 1).stationary());
        prop_assert!(less.lt(&more).is_true());
        let surd = |value: Rational| QuadraticSurd::from(value);
        let a = surd(at(0).weight());
        let f1 = surd(n(per_expert));
        let value = surd(n(c1)) * f1.clone() * less.square() - a.clone() * f1 * less - surd(n(2 * overhead)) * a;
        prop_assert_eq!(value.signum(), Some(0));
    }
}
