//! Effective Model Pruning.

use proptest::prelude::*;
use quickcheck::TestResult;
use theorycheck::compression::emp::algorithm::{Keep, Pruning, mass_floor_by_squares};
use theorycheck::compression::emp::bounds::{edge_mass, printed_floor, retained_floor};
use theorycheck::compression::emp::instances::Scores;
use theorycheck::numeric::{Field, Ordered, QuadraticSurd, Rational};

fn prune(values: &[i64], keep: Keep) -> Option<Pruning> {
    Scores::new(values.to_vec(), keep).prune()
}

const ONE: Keep = Keep::Beta(1, 1);

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    /// nu S2 <= S1^2 < (nu + 1) S2, unless all are kept.
    #[test]
    fn the_count_is_one_exact_floor(values in prop::collection::vec(0_i64..1_000_000, 1..40)) {
        if let Some(pruning) = prune(&values, ONE) {
            let nu = Rational::from(pruning.kept);
            prop_assert!(nu <= pruning.n_eff());
            prop_assert!(pruning.n_eff() < nu + Rational::from(1) || pruning.kept == pruning.n);
        }
    }

    /// The order of the scores, a common factor and appended zeros change nothing.
    #[test]
    fn invariances(values in prop::collection::vec(0_i64..10_000, 1..20), factor in 1_i64..1000, zeros in 0_usize..5, turn in 0_usize..20) {
        let Some(pruning) = prune(&values, ONE) else { return Ok(()) };
        let mut changed: Vec<i64> = values.iter().map(|value| value * factor).collect();
        let places = changed.len();
        changed.rotate_left(turn % places);
        changed.extend(std::iter::repeat_n(0, zeros));
        let other = prune(&changed, ONE).expect("still not all zero");
        prop_assert_eq!((other.q, other.kept, other.mass), (pruning.q, pruning.kept, pruning.mass));
    }

    /// The floor for the instance's own q is never above the mass, for any retained count.
    #[test]
    fn the_floor_is_a_floor(values in prop::collection::vec(0_i64..1000, 1..30), count in 1_u64..30) {
        if let Some(pruning) = prune(&values, Keep::Count(count)) {
            let (floor, _) = retained_floor(pruning.n, pruning.kept, &pruning.q).expect("q is in (0, 1]");
            prop_assert!(floor.le(&QuadraticSurd::from(pruning.mass)).is_true());
        }
    }

    /// The machine-integer check says what the exact one does.
    #[test]
    fn fast_and_generic_agree(values in prop::collection::vec(0_i64..100_000, 1..12)) {
        let scores = Scores::new(values, ONE);
        if let (Some((nu, holds)), Some(pruning)) = (mass_floor_by_squares(&scores.values), scores.prune()) {
            prop_assert_eq!(nu, pruning.kept);
            if nu < pruning.n {
                let k = if nu == 1 { 2 } else { pruning.n };
                prop_assert_eq!(holds, edge_mass(&QuadraticSurd::from(pruning.q.clone()), nu, k).le(&pruning.mass.into()).is_true());
            }
        }
    }
}

/// (a, b, .., b) attains the floor for nu >= 2.
#[test]
fn spikes_attain_the_floor() {
    fn law(a: u16, b: u16, n: u8) -> TestResult {
        let mut values = vec![i64::from(a.min(b)); usize::from(n)];
        let Some(first) = values.first_mut() else { return TestResult::discard() };
        *first = i64::from(a.max(b));
        match prune(&values, ONE) {
            Some(pruning) if pruning.kept >= 2 && pruning.kept < pruning.n => {
                let edge = edge_mass(&QuadraticSurd::from(pruning.q.clone()), pruning.kept, pruning.n);
                TestResult::from_bool(edge.equals(&pruning.mass.into()).is_true())
            }
            _ => TestResult::discard(),
        }
    }
    quickcheck::QuickCheck::new().quickcheck(law as fn(u16, u16, u8) -> TestResult);
}

/// For nu >= 2 the printed floor does not rise with N; for nu = 1, where it is no bound, it rises. It lies between nu/N and 1.
fn printed_floor_law(nu: u64, n: u64) -> bool {
    let floor: QuadraticSurd = printed_floor(nu, n);
    let wider: QuadraticSurd = printed_floor(nu, n + 1);
    let share = QuadraticSurd::from(Rational::from(nu) / Rational::from(n));
    let order = if nu == 1 { floor.lt(&wider) } else { wider.le(&floor) };
    share.le(&floor).is_true() && floor.lt(&QuadraticSurd::one()).is_true() && order.is_true()
}

#[test]
fn the_printed_floor_is_monotone_in_n() {
    // All small pairs, where the exceptions are, and then random ones.
    for n in 2..=30 {
        for nu in 1..n {
            assert!(printed_floor_law(nu, n), "P({nu}, {n})");
        }
    }
    fn law(nu: u8, more: u8) -> TestResult {
        let (nu, more) = (u64::from(nu), u64::from(more));
        if nu < 2 || more == 0 { TestResult::discard() } else { TestResult::from_bool(printed_floor_law(nu, nu + more)) }
    }
    quickcheck::QuickCheck::new().quickcheck(law as fn(u8, u8) -> TestResult);
}
