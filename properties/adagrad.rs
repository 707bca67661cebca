//! AdaGrad under heavy-tailed noise.

use proptest::prelude::*;
use theorycheck::numeric::{BigInterval, Field, Ordered, Rational};
use theorycheck::optimization::adagrad::algorithm::{AdaGrad, AdaGradNorm};
use theorycheck::optimization::adagrad::bounds::{Setting, binomial_cdf, exponents, informative_samples};

fn setting(p: i64, sigma: i64, gamma: i64, steps: i64) -> Setting {
    let n = Rational::from;
    Setting {
        p: Rational::new(p, 100),
        sigma: vec![Rational::new(sigma, 10)],
        smoothness: vec![n(2)],
        delta: n(3),
        gamma: Rational::new(gamma, 10),
        lambda: Rational::new(1, 10),
        steps: n(steps),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// The step is never longer than gamma, whatever the gradients.
    #[test]
    fn steps_are_bounded(gradients in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::ZERO, 1..40), gamma in 0.01_f64..10.0, lambda in 0.0_f64..2.0) {
        let mut method = AdaGrad::new(1, gamma, lambda);
        let mut x = [0.0];
        for g in gradients {
            let before = x[0];
            method.step(&mut x, &[g]).unwrap();
            // A rounding error of the subtraction: half a unit of the larger of the two positions.
            prop_assert!((x[0] - before).abs() <= gamma * (1.0 + 1e-15) + 1e-15 * before.abs());
        }
    }

    /// In one dimension the two methods are one.
    #[test]
    fn one_dimension_is_one_method(gradients in prop::collection::vec(-1e3_f64..1e3, 1..40)) {
        let (mut a, mut b) = (AdaGrad::new(1, 0.5, 0.1), AdaGradNorm::new(0.5, 0.1));
        let (mut x, mut y) = ([1.0], [1.0]);
        for g in gradients {
            a.step(&mut x, &[g]).unwrap();
            b.step(&mut y, &[g]).unwrap();
        }
        prop_assert_eq!(x, y);
        prop_assert_eq!(a.roots()[0], b.root());
    }

    /// The certified fixed point is one: R(U*) meets U*, below it R is larger, above it smaller.
    #[test]
    fn the_fixed_point_is_the_only_one(p in 110_i64..=200, sigma in 0_i64..50, gamma in 1_i64..40, steps in 1_i64..1_000_000) {
        let setting = setting(p, sigma, gamma, steps);
        let c: Vec<BigInterval> = if sigma == 0 { vec![BigInterval::one()] } else { setting.balanced() };
        let fixed = setting.fixed_point(&c, 60).expect("a bracket");
        prop_assert!(!setting.step_map(&c, &fixed).intersect(&fixed).is_empty());
        let half = fixed.clone() / BigInterval::from_i64(2);
        let twice = fixed * BigInterval::from_i64(2);
        prop_assert!(half.lt(&setting.step_map(&c, &half)).is_true());
        prop_assert!(setting.step_map(&c, &twice).lt(&twice).is_true());
    }

    /// K_0 is the largest K with gamma (2 sqrt K - 1) < x_1.
    #[test]
    fn informative_samples_by_definition(p in 1_i64..4000, r in 1_i64..100) {
        let ratio = Rational::new(p, r);
        let samples = informative_samples(&ratio, &Rational::from(1));
        let reached = |k: u64| Rational::from(4 * k) < (ratio.clone() + Rational::from(1)).square();
        prop_assert!(samples == 0 || reached(samples));
        prop_assert!(!reached(samples + 1) || ratio <= Rational::from(1));
    }

    /// The binomial distribution function rises to 1.
    #[test]
    fn binomial_sums(steps in 1_u64..30, p in 0_i64..=20) {
        let q = Rational::new(p, 20);
        let values: Vec<Rational> = (0..=steps).map(|k| binomial_cdf(steps, k, &q)).collect();
        prop_assert!(values.windows(2).all(|pair| pair[0] <= pair[1]));
        prop_assert_eq!(values.last(), Some(&Rational::from(1)));
    }

    /// The exponents are ordered.
    #[test]
    fn exponents_are_ordered(p in 101_i64..=200) {
        let [a, b, c, d] = exponents(&Rational::new(p, 100));
        prop_assert!(a >= b && b >= c && c >= d);
    }
}
