//! Coverings and chaining.

use proptest::prelude::*;
use quickcheck::quickcheck;
use theorycheck::learning::slt::chaining::{Steps, interval_entropy, mean_length};
use theorycheck::learning::slt::covering::{CoverError, cover, greedy_packing, packing};
use theorycheck::learning::slt::instances_chaining::{Cube, Walk};
use theorycheck::learning::slt::irwin_hall;
use theorycheck::numeric::{Field, Interval, Ordered, Rational, Real, Surd};

type Points = Vec<(i64, i64)>;

fn square(a: (i64, i64), b: (i64, i64)) -> i64 {
    (a.0 - b.0).pow(2) + (a.1 - b.1).pow(2)
}

fn covering(points: &Points, centres: &Points, radius: i64) -> Result<usize, CoverError> {
    let within = |p: usize, c: usize| square(points[p], centres[c]) <= radius * radius;
    let found = cover(points.len(), centres.len(), within)?;
    found.verify(points.len(), centres.len(), within).expect("the proof is one");
    Ok(found.size())
}

fn packed(points: &Points, radius: i64) -> usize {
    let close = |p: usize, q: usize| square(points[p], points[q]) <= radius * radius;
    let found = packing(points.len(), close).expect("it is settled");
    found.verify(points.len(), close).expect("the proof is one");
    found.size()
}

fn points(most: usize) -> impl Strategy<Value = Points> {
    prop::collection::vec((0_i64..40, 0_i64..40), 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// P(2 eps) <= N(eps) <= N_int(eps) <= P(eps), on sets far larger than those that are enumerated.
    #[test]
    fn packings_and_coverings_interleave(points in points(70), more in points(30), radius in 1_i64..30) {
        let all: Points = points.iter().chain(&more).copied().collect();
        let (free, inside) = (covering(&points, &all, radius).unwrap(), covering(&points, &points, radius).unwrap());
        prop_assert!(packed(&points, 2 * radius) <= free);
        prop_assert!(free <= inside);
        prop_assert!(inside <= packed(&points, radius));
        let greedy = greedy_packing(points.len(), |p, q| square(points[p], points[q]) <= radius * radius);
        prop_assert!(inside <= greedy.len());
    }

    /// The numbers do not depend on the order of the points, and do not rise with the radius.
    #[test]
    fn numbers_know_no_order(points in points(40), radius in 1_i64..20, turn in 0_usize..40) {
        let mut turned = points.clone();
        turned.rotate_left(turn % points.len());
        turned.reverse();
        let number = covering(&points, &points, radius).unwrap();
        prop_assert_eq!(number, covering(&turned, &turned, radius).unwrap());
        prop_assert_eq!(packed(&points, radius), packed(&turned, radius));
        prop_assert!(covering(&points, &points, radius + 1).unwrap() <= number);
    }

    /// A proof holds for its own table only: with one ball more that holds everything, it is refused unless the number was 1.
    #[test]
    fn a_proof_knows_its_balls(points in points(30), radius in 1_i64..20) {
        let within = |p: usize, c: usize| square(points[p], points[c]) <= radius * radius;
        let found = cover(points.len(), points.len(), within).unwrap();
        let larger = |p: usize, c: usize| c == points.len() || within(p, c);
        prop_assert_eq!(found.verify(points.len(), points.len() + 1, larger).is_ok(), found.size() == 1);
    }

    /// Sign processes keep Dudley's bound, with room: a factor of ten below the constant.
    #[test]
    fn dudley_has_room(points in prop::collection::vec(prop::collection::vec(-6_i64..=6, 3), 2..5)) {
        let walk = Walk { points, offset: 0, reach: 0, step: 0 };
        prop_assume!(walk.diameter_square() > 0);
        let integral: Interval = walk.steps().unwrap().whole();
        let mean = Interval::from_rational(&walk.expected_max());
        prop_assert!(mean.le(&(Interval::from_i64(2).sqrt() * Interval::ratio(6, 5) * integral)).is_true());
    }

    /// The integral over two neighbouring stretches is the sum of the two.
    #[test]
    fn integrals_add_up(vertices in 1_u32..60, cut in 0_i64..20, scale in 1_i64..4) {
        let steps = Steps::simplex(vertices);
        let (cut, scale, end) = (Interval::ratio(cut, 10), Interval::from_i64(scale), Interval::from_i64(2));
        let whole = steps.integral(&Interval::zero(), &end, &scale);
        let parts = steps.integral(&Interval::zero(), &cut, &scale) + steps.integral(&cut, &end, &scale);
        prop_assert!((whole - parts).abs().le(&Interval::ratio(1, 1_000_000_000)).is_true());
    }

    /// The distribution function of a sum of uniforms rises from 0 to 1.
    #[test]
    fn sums_of_uniforms_rise(count in 1_u32..12, x in 0_i64..200, step in 1_i64..20) {
        let (low, high) = (irwin_hall(count, &Rational::new(x, 16)), irwin_hall(count, &Rational::new(x + step, 16)));
        prop_assert!(Rational::from(0) <= low && low <= high && high <= Rational::from(1));
    }
}

quickcheck! {
    /// Both bounds of a cube's covering numbers fall with the radius, from 2^m to 1, the lower below the upper.
    fn cubes_between_bounds(dimension: u8) -> bool {
        let dimension = u32::from(dimension % 60) + 1;
        let (low, high) = Cube { dimension }.steps();
        let falls = |steps: &Steps| steps.steps.windows(2).all(|pair| pair[0].1 >= pair[1].1);
        let ends = |steps: &Steps| (steps.steps[0].1, steps.steps[dimension as usize].1) == (1 << dimension, 1);
        let below = low.steps.iter().zip(&high.steps).all(|(a, b)| a.1 <= b.1);
        falls(&low) && falls(&high) && ends(&low) && ends(&high) && below
    }

    /// r - 1 < (E|g_r|)^2 < r: the variance of the length is below 1.
    fn lengths_are_nearly_roots(rank: u16) -> bool {
        let rank = u64::from(rank) + 1;
        let square = mean_length::<Interval>(rank).square();
        let size = Interval::from_rational(&Rational::from(rank));
        square.lt(&size).is_true() && (size - Interval::one()).lt(&square).is_true()
    }

    /// The ends of the interval's entropy close in.
    fn ends_close_in(terms: u8) -> bool {
        let (low, high) = interval_entropy::<Interval>(u32::from(terms));
        let (closer_low, closer_high) = interval_entropy::<Interval>(u32::from(terms) + 200);
        low.le(&closer_high).is_true() && closer_low.le(&high).is_true() && low.le(&high).is_true()
            && Interval::e().lt(&(closer_low * Interval::from_i64(3))).is_true()
    }
}
