//! The bounds, as formulas over the weakest scalar they need. Delta = F(x_0) - inf F, L the smoothness, sigma^2 the noise's total variance, `ratio` = M/K.

use numeric::{Field, Ordered, QuadraticSurd, Rational, Surd};

/// E||g||^2 of the scaled router: (M/K)(||grad||^2 + sigma^2).
pub fn scaled_moment<S: Field>(ratio: &S, gradient: &S, noise: &S) -> S {
    ratio.clone() * (gradient.clone() + noise.clone())
}

/// E||g||^2 of the plain router: (K/M)(||grad||^2 + sigma^2).
pub fn plain_moment<S: Field>(ratio: &S, gradient: &S, noise: &S) -> S {
    (gradient.clone() + noise.clone()) / ratio.clone()
}

/// E||g||^2 of the mean of B scaled tokens: ||grad||^2 (1 + (M/K - 1)/B) + (M/K) sigma^2/B.
pub fn batch_moment<S: Field>(ratio: &S, batch: &S, gradient: &S, noise: &S) -> S {
    gradient.clone() * (S::one() + (ratio.clone() - S::one()) / batch.clone()) + ratio.clone() * noise.clone() / batch.clone()
}

/// E||g||^2 of Horvitz-Thompson weighting: the sum of a_i/p_i (a term with a_i = 0 is 0), a_i = ||grad_i||^2 + sigma_i^2.
#[must_use]
pub fn horvitz_thompson(a: &[Rational], p: &[Rational]) -> Rational {
    a.iter().zip(p).filter(|(a, _)| !a.is_zero()).fold(Rational::from(0), |sum, (a, p)| sum + a.clone() / p.clone())
}

/// Scaled, eta < 2K/(LM): avg E||grad||^2 <= [Delta/(eta T) + L eta sigma^2 M/(2K)]/(1 - L eta M/(2K)).
pub fn sharp_bound<S: Field>(delta: &S, eta: &S, steps: &S, smoothness: &S, noise: &S, ratio: &S) -> S {
    let half = smoothness.clone() * eta.clone() * ratio.clone() / S::from_i64(2);
    (delta.clone() / (eta.clone() * steps.clone()) + half.clone() * noise.clone()) / (S::one() - half)
}

/// Plain, eta < 2/L: avg E||grad||^2 <= [Delta M/(K eta T) + L eta sigma^2/2]/(1 - L eta/2).
pub fn plain_bound<S: Field>(delta: &S, eta: &S, steps: &S, smoothness: &S, noise: &S, ratio: &S) -> S {
    let half = smoothness.clone() * eta.clone() / S::from_i64(2);
    (delta.clone() * ratio.clone() / (eta.clone() * steps.clone()) + half.clone() * noise.clone()) / (S::one() - half)
}

/// Scaled, eta = eta0/sqrt T, T >= (L eta0 M/K)^2: (2 Delta/eta0 + L eta0 sigma^2 M/K)/sqrt T; `root` is sqrt T.
pub fn fixed_bound<S: Field>(delta: &S, eta0: &S, root: &S, smoothness: &S, noise: &S, ratio: &S) -> S {
    (S::from_i64(2) * delta.clone() / eta0.clone() + smoothness.clone() * eta0.clone() * noise.clone() * ratio.clone()) / root.clone()
}

/// Plain, eta = eta0/sqrt T, T >= (L eta0)^2: ((2 Delta/eta0) M/K + L eta0 sigma^2)/sqrt T.
pub fn plain_fixed_bound<S: Field>(delta: &S, eta0: &S, root: &S, smoothness: &S, noise: &S, ratio: &S) -> S {
    (S::from_i64(2) * delta.clone() / eta0.clone() * ratio.clone() + smoothness.clone() * eta0.clone() * noise.clone()) / root.clone()
}

/// Scaled with eta = min{K/(LM), sqrt(2 Delta K/(L M sigma^2 T))}: max{2 sigma sqrt(2 Delta L M/(K T)), 4 Delta L M/(K T)}.
pub fn tuned_bound<S: Surd>(delta: &S, steps: &S, smoothness: &S, noise: &S, ratio: &S) -> S {
    let rate = delta.clone() * smoothness.clone() * ratio.clone() / steps.clone();
    let first = S::from_i64(2) * (S::from_i64(2) * rate.clone() * noise.clone()).sqrt();
    first.max(&(S::from_i64(4) * rate))
}

/// The bound at a budget: (c1 + c2 M/K) sqrt((F0 + F1 K)/R) for T = R/(F0 + F1 K) steps. With F0 = 0, F1 = 1 it is c1 sqrt(K/R) + c2 M/sqrt(K R).
#[derive(Clone, Debug)]
pub struct Budget {
    /// c1 > 0
    pub c1: Rational,
    /// c2 > 0
    pub c2: Rational,
    /// M >= 1
    pub experts: u64,
    /// F0 >= 0: what an iteration costs besides its experts.
    pub overhead: Rational,
    /// F1 > 0: what one active expert costs.
    pub per_expert: Rational,
}

impl Budget {
    /// A budget that pays for experts only, at one unit each.
    #[must_use]
    pub fn plain(c1: Rational, c2: Rational, experts: u64) -> Budget {
        Budget { c1, c2, experts, overhead: Rational::from(0), per_expert: Rational::from(1) }
    }

    /// c2 M
    #[must_use]
    pub fn weight(&self) -> Rational {
        self.c2.clone() * Rational::from(self.experts)
    }

    /// F0 + F1 K
    #[must_use]
    pub fn cost(&self, active: &Rational) -> Rational {
        self.overhead.clone() + self.per_expert.clone() * active.clone()
    }

    /// c1 + c2 M/K
    #[must_use]
    pub fn factor(&self, active: &Rational) -> Rational {
        self.c1.clone() + self.weight() / active.clone()
    }

    /// The bound at K for the budget R, exactly.
    #[must_use]
    pub fn bound(&self, active: &Rational, budget: &Rational) -> QuadraticSurd {
        QuadraticSurd::new(Rational::from(0), self.factor(active), self.cost(active) / budget.clone())
    }

    /// R times the squared bound, a rational number: it orders the K as the bound does.
    #[must_use]
    pub fn square(&self, active: &Rational) -> Rational {
        self.factor(active).square() * self.cost(active)
    }

    /// How fast the stationary K moves with the ratio rho = c2/c1: M (K + 2 F0/F1)/(2 K - rho M), which is M without overhead. From
    /// K^2 - rho M K - 2 rho M F0/F1 = 0.
    #[must_use]
    pub fn sensitivity(&self) -> QuadraticSurd {
        let (k, m) = (self.stationary(), QuadraticSurd::from(Rational::from(self.experts)));
        let fixed = QuadraticSurd::from(Rational::from(2) * self.overhead.clone() / self.per_expert.clone());
        let shift = QuadraticSurd::from(self.weight() / self.c1.clone());
        m * (k.clone() + fixed) / (QuadraticSurd::from(2) * k - shift)
    }

    /// Where the bound is least over all real K > 0: [c2 M F1 + sqrt((c2 M F1)^2 + 8 c1 c2 F1 F0 M)]/(2 c1 F1); c2 M/c1 without overhead.
    #[must_use]
    pub fn stationary(&self) -> QuadraticSurd {
        let bottom = Rational::from(2) * self.c1.clone() * self.per_expert.clone();
        let linear = self.weight() * self.per_expert.clone();
        let radicand = linear.square() + Rational::from(8) * self.c1.clone() * self.weight() * self.per_expert.clone() * self.overhead.clone();
        QuadraticSurd::new(linear / bottom.clone(), bottom.recip(), radicand)
    }

    /// The best real K in [1, M]: the stationary point, clamped.
    #[must_use]
    pub fn best(&self) -> QuadraticSurd {
        let most = QuadraticSurd::from(Rational::from(self.experts));
        Ordered::max(&Ordered::min(&self.stationary(), &most), &QuadraticSurd::from(1))
    }

    /// The best integer K in 1..=M, the smaller of two equal ones: beside the real one, since the bound falls before it and rises after it.
    #[must_use]
    pub fn best_integer(&self) -> u64 {
        let below = self.best().floor().as_rational().and_then(Rational::to_i128).and_then(|floor| u64::try_from(floor).ok()).unwrap_or(1);
        let below = below.clamp(1, self.experts.max(1));
        if below < self.experts && self.square(&Rational::from(below + 1)) < self.square(&Rational::from(below)) { below + 1 } else { below }
    }

    /// 8 c2 M F0^2 + 12 c2 M F0 F1 K + 3 c2 M F1^2 K^2 - c1 F1^2 K^3: the sign of the bound's second derivative.
    #[must_use]
    pub fn curvature(&self, active: &Rational) -> Rational {
        curvature(&self.c1, &self.weight(), &self.overhead, &self.per_expert, active)
    }

    /// The bound is convex on (0, X] and concave beyond: an interval [low, high] around X, of relative width at most 2^-`bits`; low = high where X is 3 c2 M/c1,
    /// that is without overhead.
    #[must_use]
    pub fn inflection(&self, bits: u32) -> (Rational, Rational) {
        let start = Rational::from(3) * self.weight() / self.c1.clone();
        if self.overhead.is_zero() {
            return (start.clone(), start);
        }
        let two = Rational::from(2);
        // The curvature is positive at 3 c2 M/c1 and has one sign change.
        let (mut low, mut high) = (start.clone(), start * two.clone());
        while self.curvature(&high) > Rational::from(0) {
            low = high.clone();
            high = high * two.clone();
        }
        for _ in 0..bits {
            let middle = (low.clone() + high.clone()) / two.clone();
            if self.curvature(&middle) < Rational::from(0) { high = middle } else { low = middle }
        }
        (low, high)
    }
}

/// 4 G^(3/2) K^3 times the second derivative in K of (c1 + a/K) sqrt G, G = F0 + F1 K, as a polynomial.
pub fn curvature<S: Field>(c1: &S, a: &S, f0: &S, f1: &S, k: &S) -> S {
    let n = S::from_i64;
    let linear = n(8) * f0.square() + n(12) * f0.clone() * f1.clone() * k.clone() + n(3) * f1.square() * k.square();
    a.clone() * linear - c1.clone() * f1.square() * k.square() * k.clone()
}

/// The integer optimum without overhead, by its own rule: the smallest K in 1..=M with K(K+1) >= (c2 M/c1)^2, else M.
#[must_use]
pub fn integer_rule(c1: &Rational, c2: &Rational, experts: u64) -> u64 {
    let target = (c2.clone() * Rational::from(experts) / c1.clone()).square();
    // K(K+1) >= q^2 means K >= (sqrt(1 + 4 q^2) - 1)/2.
    let half = Rational::new(1, 2);
    let least = QuadraticSurd::new(-half.clone(), half, Rational::from(1) + Rational::from(4) * target).ceil();
    let least = least.as_rational().and_then(Rational::to_i128).map_or(experts, |value| u64::try_from(value).unwrap_or(experts));
    least.clamp(1, experts.max(1))
}
