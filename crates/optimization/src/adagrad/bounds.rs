//! What the paper (by its notes) and our derivations claim, as formulas over any real scalar.

use numeric::{BigInterval, Field, Ordered, Rational, Real, with_precision};

/// The constants of the upper bound for AdaGrad. Exact where the user gives them; the free numbers c_i may be irrational.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The noise's moment order p in (1, 2].
    pub p: Rational,
    /// sigma_i >= 0 with E|xi_i|^p <= sigma_i^p, one a coordinate.
    pub sigma: Vec<Rational>,
    /// Smoothness constants L_i >= 0, one a coordinate.
    pub smoothness: Vec<Rational>,
    /// Delta = f(x_1) - inf f.
    pub delta: Rational,
    /// The step size gamma > 0.
    pub gamma: Rational,
    /// The offset lambda > 0 outside the root.
    pub lambda: Rational,
    /// The number of steps T.
    pub steps: Rational,
}

fn real<S: Real>(value: &Rational) -> S {
    S::from_rational(value)
}

impl Setting {
    /// c_i = sigma_i T^(1/p - 1/2), the choice that gives the exponent (3p - 4)/(4p).
    #[must_use]
    pub fn balanced<S: Real>(&self) -> Vec<S> {
        let exponent: S = real(&(self.p.recip() - Rational::new(1, 2)));
        let factor = real::<S>(&self.steps).pow(&exponent);
        self.sigma.iter().map(|sigma| real::<S>(sigma) * factor.clone()).collect()
    }

    /// A: the sum over sigma_i > 0 of lambda + c_i + sigma_i T^(1/p), plus lambda for each other coordinate.
    fn spread<S: Real>(&self, c: &[S], growth: &S) -> S {
        let lambda: S = real(&self.lambda);
        self.sigma.iter().zip(c).fold(S::zero(), |sum, (sigma, c)| {
            if sigma.is_zero() { sum + lambda.clone() } else { sum + lambda.clone() + c.clone() + real::<S>(sigma) * growth.clone() }
        })
    }

    /// B(U) = 2 Delta/gamma + sum 4 (c_i + sigma_i^p c_i^(1-p) + gamma L_i/2) ln(1 + kappa_i/lambda) + sum (4/(2-p)) (sigma_i^p/c_i) kappa_i^(2-p),
    /// kappa_i = sigma_i T^(1/p) + U; the last sum is dropped for p = 2, and a coordinate without noise has only gamma L_i/2 in the bracket.
    fn budget<S: Real>(&self, c: &[S], growth: &S, u: &S) -> S {
        let (p, gamma, lambda): (S, S, S) = (real(&self.p), real(&self.gamma), real(&self.lambda));
        let two = S::from_i64(2);
        let four = S::from_i64(4);
        let start = two.clone() * real::<S>(&self.delta) / gamma.clone();
        self.sigma.iter().zip(&self.smoothness).zip(c).fold(start, |sum, ((sigma, smoothness), c)| {
            let curvature = gamma.clone() * real::<S>(smoothness) / two.clone();
            let kappa = real::<S>(sigma) * growth.clone() + u.clone();
            let log = (kappa.clone() / lambda.clone()).ln_1p();
            if sigma.is_zero() {
                return sum + four.clone() * curvature * log;
            }
            let moment = real::<S>(sigma).pow(&p);
            let bracket = c.clone() + moment.clone() * c.pow(&(S::one() - p.clone())) + curvature;
            let sum = sum + four.clone() * bracket * log;
            if self.p == Rational::from(2) {
                return sum;
            }
            let rest = two.clone() - p.clone();
            sum + four.clone() / rest.clone() * (moment / c.clone()) * kappa.pow(&rest)
        })
    }

    /// R(U) = 2 B(U) + sqrt(A B(U)): increasing, concave, sublinear. U bounds the sum over i of E sqrt(u_T,i) when U <= R(U).
    #[must_use]
    pub fn step_map<S: Real>(&self, c: &[S], u: &S) -> S {
        let growth = real::<S>(&self.steps).pow(&real(&self.p.recip()));
        let budget = self.budget(c, &growth, u);
        S::from_i64(2) * budget.clone() + (self.spread(c, &growth) * budget).sqrt()
    }

    /// An enclosure of U*, the unique positive fixed point of R: E (1/T) sum ||grad f(x_t)||_1 <= U*/sqrt T (claim `adagrad/upper-main`).
    ///
    /// Steffensen's iteration guesses it; R(low) > low and R(high) < high prove that it lies between, R being concave with R(0) > 0. About `bits` bits; None
    /// when the constants leave the domain (lambda = 0) or the guess cannot be certified.
    #[must_use]
    pub fn fixed_point(&self, c: &[BigInterval], bits: u32) -> Option<BigInterval> {
        with_precision(bits + 32, || {
            let map = |u: &Rational| self.step_map(c, &BigInterval::from_rational(u));
            let middle = |u: &Rational| map(u).mid();
            let mut u = Rational::from(1);
            // Plain steps until the scale is right, then accelerated ones.
            for _ in 0..4 {
                u = middle(&u)?;
            }
            let scale = Rational::new(1, 2).powi(bits);
            for _ in 0..60 {
                let first = middle(&u)?;
                let second = middle(&first)?;
                let (one, two) = (first.clone() - u.clone(), second.clone() - first.clone());
                let curvature = two.clone() - one.clone();
                let next = if curvature.is_zero() { second.clone() } else { second.clone() - two.square() / curvature };
                let next = if next > Rational::from(0) { BigInterval::from_rational(&next).mid()? } else { second };
                let moved = (next.clone() - u.clone()).abs() / next.clone();
                u = next;
                if moved < scale.clone() * Rational::from(16) {
                    break;
                }
            }
            // The map's slope at its fixed point may be near 1: the bracket is widened until both signs are certain.
            let mut width = scale * Rational::from(64);
            for _ in 0..24 {
                let (low, high) = (u.clone() * (Rational::from(1) - width.clone()), u.clone() * (Rational::from(1) + width.clone()));
                let above = BigInterval::from_rational(&low).lt(&map(&low)).is_true();
                let below = map(&high).lt(&BigInterval::from_rational(&high)).is_true();
                if above && below {
                    return Some(BigInterval::between(&low, &high));
                }
                width = width * Rational::from(16);
            }
            None
        })
        .ok()?
    }

    /// U*/sqrt T.
    #[must_use]
    pub fn bound_l1(&self, fixed_point: &BigInterval) -> BigInterval {
        use numeric::Surd;
        fixed_point.clone() / BigInterval::from_rational(&self.steps).sqrt()
    }
}

/// Bnorm(T) = (K + sqrt(K sigma T^(1/p) + M lambda/gamma)) / sqrt T with K = M/gamma + gamma L: for AdaGrad-Norm on an L-smooth f with sup f - inf f <= M,
/// (E (1/T) sum ||grad||^2)^(1/2) is at most this (claim `adagrad/norm-rate`).
pub fn norm_bound<S: Real>(
    p: &Rational,
    sigma: &S,
    smoothness: &Rational,
    sup_gap: &Rational,
    gamma: &Rational,
    lambda: &Rational,
    steps: &Rational,
) -> S {
    let of = S::from_rational;
    let k = of(&(sup_gap.clone() / gamma.clone() + gamma.clone() * smoothness.clone()));
    let growth = of(steps).pow(&of(&p.recip()));
    let root = (k.clone() * sigma.clone() * growth + of(&(sup_gap.clone() * lambda.clone() / gamma.clone()))).sqrt();
    (k + root) / of(steps).sqrt()
}

/// The exponents of T, as positive numbers: minimax lower bound (p-1)/(3p-2), AdaGrad-Norm (p-1)/(2p), AdaGrad (3p-4)/(4p), AdaGrad with c = sigma (2p-3)/(2p).
pub fn exponents<S: Field>(p: &S) -> [S; 4] {
    let n = S::from_i64;
    [
        (p.clone() - n(1)) / (n(3) * p.clone() - n(2)),
        (p.clone() - n(1)) / (n(2) * p.clone()),
        (n(3) * p.clone() - n(4)) / (n(4) * p.clone()),
        (n(2) * p.clone() - n(3)) / (n(2) * p.clone()),
    ]
}

/// K_0 = max {K : gamma (2 sqrt K - 1) < x_1}, 0 if x_1 <= gamma: so many informative samples cannot bring AdaGrad from x_1 > 0 to 0. Exact:
/// 2 sqrt K < x_1/gamma + 1 means 4 K < (x_1/gamma + 1)^2.
#[must_use]
pub fn informative_samples(start: &Rational, gamma: &Rational) -> u64 {
    let ratio = start.clone() / gamma.clone();
    let limit = (ratio + Rational::from(1)).square() / Rational::from(4);
    let ceiling = limit.ceil().to_i128().unwrap_or(i128::MAX);
    u64::try_from(ceiling - 1).unwrap_or(u64::MAX)
}

/// P(Bin(T, q) <= k) exactly, for small T.
#[must_use]
pub fn binomial_cdf(steps: u64, k: u64, q: &Rational) -> Rational {
    let rest = Rational::from(1) - q.clone();
    let mut sum = Rational::from(0);
    let mut choose = Rational::from(1);
    for j in 0..=k.min(steps) {
        sum = sum + choose.clone() * q.powi(j as u32) * rest.powi((steps - j) as u32);
        choose = choose * Rational::from_i128(i128::from(steps - j), i128::from(j) + 1);
    }
    sum
}

/// The right side of the pathwise inequality of AdaGrad-Norm: (M/gamma + gamma L) sqrt(v_T) + M lambda/gamma (claim `adagrad/norm-pathwise`).
pub fn pathwise_bound<S: Field>(sup_gap: &S, gamma: &S, smoothness: &S, lambda: &S, root: &S) -> S {
    (sup_gap.clone() / gamma.clone() + gamma.clone() * smoothness.clone()) * root.clone() + sup_gap.clone() * lambda.clone() / gamma.clone()
}
