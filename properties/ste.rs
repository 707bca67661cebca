//! Quantized linear regression with the straight-through estimator.

use proptest::prelude::*;
use theorycheck::learning::ste::bounds::{Setting, adjacent_floor, input_ode, rounding_floor};
use theorycheck::learning::ste::fixed_point::fixed_points;
use theorycheck::learning::ste::quantizer::{Kind, Moments, Quantizer};
use theorycheck::learning::ste::simulate::quantile_start;
use theorycheck::numeric::{BigInterval, Field, Ordered, QuadraticSurd, Rational};

fn quantizer(tread: bool, bits: u32, range: i64) -> Quantizer {
    let kind = if tread { Kind::MidTread } else { Kind::MidRise };
    Quantizer::of_kind(kind, if tread { bits + 1 } else { bits }, &Rational::new(range, 10)).expect("bits and range are in order")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// A uniform quantizer is odd away from its thresholds, monotone, and off by at most half a step inside its range.
    #[test]
    fn uniform_quantizers(tread: bool, bits in 1_u32..5, range in 1_i64..60, w in -100_000_i64..100_000) {
        let quantizer = quantizer(tread, bits, range);
        let w = Rational::new(w, 10_007);
        let image = quantizer.apply(&w);
        if !quantizer.thresholds().contains(&w) {
            prop_assert_eq!(quantizer.apply(&-w.clone()), -image.clone());
        }
        prop_assert!(quantizer.apply(&(w.clone() + Rational::new(1, 10))) >= image);
        let levels = quantizer.levels();
        let half = (levels[1].clone() - levels[0].clone()) / Rational::from(2);
        if Ordered::abs(&w) <= quantizer.top() {
            prop_assert!(Ordered::abs(&(w - image)) <= half);
        }
    }

    /// c1^2 <= c2 (Cauchy and Schwarz), c2^2 <= k04, and scaling levels and inputs' thresholds by a narrow range keeps c2 below omega^2.
    #[test]
    fn moments_are_ordered(tread: bool, bits in 1_u32..5, range in 1_i64..60) {
        let quantizer = quantizer(tread, bits, range);
        let moments: Moments<BigInterval> = quantizer.moments();
        prop_assert!(!moments.c2.lt(&moments.c1.square()).is_true());
        prop_assert!(!moments.k04.lt(&moments.c2.square()).is_true());
        prop_assert!(!BigInterval::from_rational(&quantizer.top().square()).lt(&moments.c2).is_true());
        prop_assert!(!BigInterval::one().lt(&moments.floor()).is_true() && !moments.floor().lt(&BigInterval::zero()).is_true());
    }

    /// Every fixed point lies between the bounds, and there is one.
    #[test]
    fn fixed_points_are_bounded(bits in 1_u32..4, range in 5_i64..40, share in -95_i64..=95, eta in 1_i64..60, sigma2 in 0_i64..20) {
        let quantizer = quantizer(false, bits, range);
        let teacher = quantizer.top() * Rational::new(share, 100);
        let setting = Setting { quantizer, inputs: None, teacher: vec![(teacher, Rational::from(1))], eta: Rational::new(eta, 10), sigma2: Rational::new(sigma2, 10) };
        let found = fixed_points(&setting).expect("the teacher is in range");
        prop_assert!(!found.roots.is_empty());
        for root in &found.roots {
            let absorbing = root.is_point() && root.contains_rational(&Rational::from(0));
            prop_assert!(absorbing || (!root.lt(&found.lower).is_true() && !found.upper.lt(root).is_true()));
        }
    }

    /// Rounding beats dithering, and both vanish on levels.
    #[test]
    fn rounding_is_better(low in -50_i64..50, gap in 1_i64..50, share in 0_i64..=100) {
        let (l, u) = (Rational::from(low), Rational::from(low + gap));
        let mu = l.clone() + Rational::from(gap) * Rational::new(share, 100);
        let dithered: QuadraticSurd = adjacent_floor(&l, &u, &mu).into();
        let rounded = rounding_floor::<QuadraticSurd>(&l.into(), &u.into(), &mu.into());
        prop_assert!(rounded.le(&dithered).is_true());
        prop_assert_eq!(dithered.equals(&QuadraticSurd::from(0)).is_true(), share == 0 || share == 100);
    }

    /// The closed solution is a semigroup: two stretches are one.
    #[test]
    fn solutions_compose(c1 in 1_i64..20, extra in 0_i64..20, kappa in 1_i64..39, start in 0_i64..50, first in 0_i64..30, second in 0_i64..30) {
        let of = |p, q| BigInterval::ratio(p, q);
        let (c1, c2) = (of(c1, 10), of(c1 * c1, 100) + of(extra, 10));
        let eta = of(kappa, 20) / c2.clone();
        let zero = BigInterval::zero;
        let moments = Moments { c1, c2, k22: zero(), k13: zero(), k04: zero() };
        let ode = input_ode(&moments, &BigInterval::one(), &eta, &of(1, 10));
        let start = of(start, 10);
        let twice = ode.excess(&ode.excess(&start, &of(first, 10)), &of(second, 10));
        prop_assert!(!twice.intersect(&ode.excess(&start, &of(first + second, 10))).is_empty());
    }

    /// The start by quantiles is a permutation of a symmetric set around its mean.
    #[test]
    fn quantile_starts_are_symmetric(d in 1_usize..300, mean in -3.0_f64..3.0, spread in 0.01_f64..3.0) {
        let mut start = quantile_start(d, mean, spread);
        start.sort_by(f64::total_cmp);
        prop_assert!(start.windows(2).all(|pair| pair[0] < pair[1]));
        for (low, high) in start.iter().zip(start.iter().rev()) {
            // Rounding of quantiles up to 3 standard deviations of at most 3, and of the sum.
            prop_assert!((low + high - 2.0 * mean).abs() < 1e-12);
        }
    }
}
