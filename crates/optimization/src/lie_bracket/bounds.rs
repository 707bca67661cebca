//! What is claimed, as formulas over scalars with square roots.

use super::algorithm::{apply, dot, minus, plus};
use numeric::{Field, Rational, Real, Surd};

/// |v|
pub fn norm<S: Surd>(v: &[S]) -> S {
    v.iter().fold(S::zero(), |sum, x| sum + x.square()).sqrt()
}

/// A bound of the spectral norm of a symmetric matrix: the norm itself up to 2 x 2, the largest absolute row sum beyond.
pub fn smoothness<S: Surd>(hessian: &[Vec<S>]) -> S {
    match hessian {
        [] => S::zero(),
        [row] => row[0].abs(),
        [first, second] => {
            let (mean, half) = (S::ratio(1, 2) * (first[0].clone() + second[1].clone()), S::ratio(1, 2) * (first[0].clone() - second[1].clone()));
            mean.abs() + (half.square() + first[1].square()).sqrt()
        }
        rows => rows.iter().map(|row| row.iter().fold(S::zero(), |sum, x| sum + x.abs())).fold(S::zero(), |a, b| a.max(&b)),
    }
}

/// C1: (eta^3/2) (M_B G_A^2 + M_A G_B^2) bounds |theta_AB - theta_BA - eta^2 b_AB|. `squares` = (G_A^2, G_B^2).
pub fn commutator_remainder<S: Field>(eta: &S, lipschitz: (&S, &S), squares: (&S, &S)) -> S {
    S::ratio(1, 2) * eta.powi(3) * (lipschitz.1.clone() * squares.0.clone() + lipschitz.0.clone() * squares.1.clone())
}

/// What the bounds of a pair of quadratics need.
#[derive(Clone, Debug)]
pub struct PairAt<S> {
    /// g_A
    pub g_a: Vec<S>,
    /// g_B
    pub g_b: Vec<S>,
    /// H_B g_A
    pub h_b_g_a: Vec<S>,
    /// H_A g_B
    pub h_a_g_b: Vec<S>,
}

impl<S: Field> PairAt<S> {
    /// From gradients and Hessians.
    pub fn new(g_a: &[S], g_b: &[S], h_a: &[Vec<S>], h_b: &[Vec<S>]) -> PairAt<S> {
        PairAt { g_a: g_a.to_vec(), g_b: g_b.to_vec(), h_b_g_a: apply(h_b, g_a), h_a_g_b: apply(h_a, g_b) }
    }

    /// b_AB
    pub fn bracket(&self) -> Vec<S> {
        minus(&self.h_b_g_a, &self.h_a_g_b)
    }

    /// H_B g_A + H_A g_B
    pub fn curvature(&self) -> Vec<S> {
        plus(&self.h_b_g_a, &self.h_a_g_b)
    }

    /// g_A + g_B
    pub fn drift(&self) -> Vec<S> {
        plus(&self.g_a, &self.g_b)
    }
}

/// C3 for quadratics: L_E (eta |g_A + g_B| + (eta^2/2) |H_B g_A + H_A g_B|) eta^2 |b| bounds |D - eta^2 sigma|.
pub fn order_effect_remainder<S: Surd>(l_e: &S, eta: &S, pair: &PairAt<S>) -> S {
    let away = eta.clone() * norm(&pair.drift()) + S::ratio(1, 2) * eta.square() * norm(&pair.curvature());
    l_e.clone() * away * eta.square() * norm(&pair.bracket())
}

/// C4: (L_E/2) eta^4 |H_B g_A + H_A g_B| |b| bounds |D - eta^2 <grad f_E(theta_ref), b>|.
pub fn drift_remainder<S: Surd>(l_e: &S, eta: &S, pair: &PairAt<S>) -> S {
    S::ratio(1, 2) * l_e.clone() * eta.powi(4) * norm(&pair.curvature()) * norm(&pair.bracket())
}

/// C11: (k^2 (k - 1)/2) eta^3 (L_A + L_B) (L_B G_A + L_A G_B), for 0 <= eta H <= I.
pub fn repeated_remainder<S: Surd>(count: u32, eta: &S, smoothness: (&S, &S), norms: (&S, &S)) -> S {
    let k = S::from_i64(i64::from(count));
    let sizes = smoothness.1.clone() * norms.0.clone() + smoothness.0.clone() * norms.1.clone();
    S::ratio(1, 2) * k.square() * (k - S::one()) * eta.powi(3) * (smoothness.0.clone() + smoothness.1.clone()) * sizes
}

/// C12: the step sizes eta in (0, this) for which the sign of sigma at theta is certainly that of D, for quadratics: the positive root of
/// L_E |b| (eta |g_A + g_B| + (eta^2/2) |H_B g_A + H_A g_B|) = |sigma|. Infinite (undefined) where the left side is 0 for every eta.
pub fn certified_radius<S: Surd>(l_e: &S, sigma: &S, pair: &PairAt<S>) -> S {
    let scale = l_e.clone() * norm(&pair.bracket());
    let (slope, curvature) = (scale.clone() * norm(&pair.drift()), scale * norm(&pair.curvature()));
    // (curvature/2) eta^2 + slope eta = |sigma|; this form of the root has no cancellation and allows curvature = 0.
    let root = (slope.square() + S::from_i64(2) * curvature * sigma.abs()).sqrt();
    S::from_i64(2) * sigma.abs() / (slope + root)
}

/// The certified radius of a pair of quadratics with rational data.
#[derive(Clone, Debug)]
pub enum Radius<S> {
    /// The score is 0: no sign to certify.
    Tie,
    /// Every eta > 0.
    Every,
    /// eta below this number (below the lower end of an enclosure).
    Below(S),
}

/// C12 with its special cases told apart exactly; the root itself in the scalar asked for.
///
/// ```
/// use numeric::{Interval, Rational};
/// use optimization::lie_bracket::{Radius, bounds::PairAt, certified_eta};
/// // In one dimension, at 0: f_A = 2x - x^2/2, f_B = x - 3x^2/2, f_E = x + x^2/2.
/// let n = |value: i64| Rational::from(value);
/// let pair = PairAt::new(&[n(2)], &[n(1)], &[vec![n(-1)]], &[vec![n(-3)]]);
/// let Radius::Below(radius) = certified_eta::<Interval>(&[vec![n(1)]], &[n(1)], &pair) else { panic!() };
/// // 3 eta + (7/2) eta^2 = 1 there.
/// assert!((radius.mid() - (23.0_f64.sqrt() - 3.0) / 7.0).abs() < 1e-14);
/// ```
#[must_use]
pub fn certified_eta<S: Surd>(target: &[Vec<Rational>], g_e: &[Rational], pair: &PairAt<Rational>) -> Radius<S> {
    let sigma = dot(g_e, &pair.bracket());
    if sigma.is_zero() {
        return Radius::Tie;
    }
    let flat = target.iter().flatten().all(Rational::is_zero);
    let still = pair.drift().iter().chain(&pair.curvature()).all(Rational::is_zero);
    if flat || still {
        return Radius::Every;
    }
    let vector = |v: &[Rational]| v.iter().map(S::from_rational).collect::<Vec<_>>();
    let hessian: Vec<Vec<S>> = target.iter().map(|row| vector(row)).collect();
    let pair = PairAt { g_a: vector(&pair.g_a), g_b: vector(&pair.g_b), h_b_g_a: vector(&pair.h_b_g_a), h_a_g_b: vector(&pair.h_a_g_b) };
    Radius::Below(certified_radius(&smoothness(&hessian), &S::from_rational(&sigma), &pair))
}

/// log2(a/b) of two positive enclosures.
pub fn slope_between<S: Real>(a: &S, b: &S) -> S {
    (a.clone() / b.clone()).log2()
}
