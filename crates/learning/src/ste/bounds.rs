//! What is claimed, as formulas: the one-step identities, the closed equation of quantized inputs with its 1/d correction, the stationary law, two-sided bounds.

use super::quantizer::{Moments, Quantizer};
use numeric::{Field, Ordered, Rational, Real, Surd};

/// rho = |w*|^2/d, m = w*.w/d, q = |w|^2/d (or the same with phi(w) in the place of w).
#[derive(Clone, Debug, PartialEq)]
pub struct Overlaps<S> {
    /// |w*|^2/d
    pub rho: S,
    /// w*.w/d
    pub m: S,
    /// |w|^2/d
    pub q: S,
}

/// The step size, the noise and the dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate<S> {
    /// eta
    pub eta: S,
    /// sigma^2
    pub sigma2: S,
    /// d
    pub d: S,
}

/// The excess risk A = m2 rho - 2 c1 m + c2 q, m2 = E x^2.
pub fn excess<S: Field>(m2: &S, moments: &Moments<S>, at: &Overlaps<S>) -> S {
    m2.clone() * at.rho.clone() - S::from_i64(2) * moments.c1.clone() * at.m.clone() + moments.c2.clone() * at.q.clone()
}

/// The diagonal term B = k22 rho - 2 k13 m + k04 q.
pub fn diagonal<S: Field>(moments: &Moments<S>, at: &Overlaps<S>) -> S {
    moments.k22.clone() * at.rho.clone() - S::from_i64(2) * moments.k13.clone() * at.m.clone() + moments.k04.clone() * at.q.clone()
}

/// E w_i' = w_i + (eta/d)(c1 w*_i - c2 phi(w_i)).
pub fn mean_step<S: Field>(moments: &Moments<S>, rate: &Rate<S>, w: &S, teacher: &S, phi: &S) -> S {
    w.clone() + rate.eta.clone() / rate.d.clone() * (moments.c1.clone() * teacher.clone() - moments.c2.clone() * phi.clone())
}

/// E q' = q + (2 eta/d)(c1 m - c2 w.phi(w)/d) + (eta^2/d^2)((d - 1) c2 A + B + d sigma^2 c2), A and B at the quantized weights.
///
/// `cross` is w.phi(w)/d; without weight quantization it is q and `quantized` is `at`.
pub fn square_step<S: Field>(m2: &S, moments: &Moments<S>, rate: &Rate<S>, at: &Overlaps<S>, quantized: &Overlaps<S>, cross: &S) -> S {
    let Rate { eta, sigma2, d } = rate;
    let c2 = &moments.c2;
    let drift = moments.c1.clone() * at.m.clone() - c2.clone() * cross.clone();
    let spread =
        (d.clone() - S::one()) * c2.clone() * excess(m2, moments, quantized) + diagonal(moments, quantized) + d.clone() * sigma2.clone() * c2.clone();
    at.q.clone() + S::from_i64(2) * eta.clone() / d.clone() * drift + (eta.clone() / d.clone()).square() * spread
}

/// Quantized inputs and free weights, x standard normal: the constants of dA/dtau = -k A + h, dm/dtau = kappa (m_inf - m).
#[derive(Clone, Debug, PartialEq)]
pub struct InputOde<S> {
    /// k = eta c2 (2 - eta c2)
    pub rate: S,
    /// h = 2 eta rho (c2 - c1^2) + eta^2 c2^2 sigma^2
    pub source: S,
    /// kappa = eta c2
    pub mean_rate: S,
    /// c1 rho/c2
    pub m_limit: S,
    /// h/k
    pub limit: S,
}

/// The constants of the closed equation.
pub fn input_ode<S: Field>(moments: &Moments<S>, rho: &S, eta: &S, sigma2: &S) -> InputOde<S> {
    let two = || S::from_i64(2);
    let kappa = eta.clone() * moments.c2.clone();
    let rate = kappa.clone() * (two() - kappa.clone());
    let source = two() * eta.clone() * rho.clone() * (moments.c2.clone() - moments.c1.square()) + kappa.square() * sigma2.clone();
    InputOde { limit: source.clone() / rate.clone(), m_limit: moments.c1.clone() * rho.clone() / moments.c2.clone(), rate, source, mean_rate: kappa }
}

/// R_inf = (2 rho (1 - c1^2/c2) + 2 sigma^2)/(2 - eta c2).
pub fn input_risk_limit<S: Field>(moments: &Moments<S>, rho: &S, eta: &S, sigma2: &S) -> S {
    let two = || S::from_i64(2);
    (two() * rho.clone() * moments.floor() + two() * sigma2.clone()) / (two() - eta.clone() * moments.c2.clone())
}

impl<S: Real> InputOde<S> {
    /// A(tau) = A_inf + (A_0 - A_inf) exp(-k tau).
    pub fn excess(&self, start: &S, tau: &S) -> S {
        self.limit.clone() + (start.clone() - self.limit.clone()) * (-(self.rate.clone() * tau.clone())).exp()
    }

    /// The limit of d (E A_d(tau) - A(tau)) as d grows.
    ///
    /// One step of the exact recursion is A + F/d + G/d^2 with F = -k A + h and G = eta^2 c2 (B - c2 A) = g0 + g1 m + g2 A; by the method of modified equations
    /// the correction e solves e' = -k e + G - A''/2, e(0) = 0, along m(tau), A(tau). `kappa = 1` (k = kappa) is the confluent case.
    pub fn correction(&self, moments: &Moments<S>, rho: &S, eta: &S, m: &S, start: &S, tau: &S) -> S {
        let two = || S::from_i64(2);
        let Moments { c1, c2, k22, k13, k04 } = moments;
        let gamma = (k04.clone() - c2.square()) / c2.clone();
        let beta = two() * c1.clone() * gamma.clone() - two() * (k13.clone() - c1.clone() * c2.clone());
        let alpha = (k22.clone() - c2.clone()) * rho.clone() - gamma.clone() * rho.clone();
        let scale = eta.square() * c2.clone();
        let [g0, g1, g2] = [alpha, beta, gamma].map(|x| scale.clone() * x);
        let decay = |rate: &S| (-(rate.clone() * tau.clone())).exp();
        let (fast, slow) = (decay(&self.rate), decay(&self.mean_rate));
        let steady = (g0 + g1.clone() * self.m_limit.clone() + g2.clone() * self.limit.clone()) / self.rate.clone();
        let gap = self.rate.clone() - self.mean_rate.clone();
        let mixed = if gap.equals(&S::zero()).is_true() { tau.clone() * fast.clone() } else { (slow - fast.clone()) / gap };
        let excess = start.clone() - self.limit.clone();
        steady * (S::one() - fast.clone())
            + g1 * (m.clone() - self.m_limit.clone()) * mixed
            + (g2 - self.rate.square() / two()) * excess * tau.clone() * fast
    }
}

/// The mean of (m, q) after `steps` steps, exactly: the recursion is affine, so its power is taken by squaring.
///
/// Returns A and m.
pub fn mean_after<S: Field>(moments: &Moments<S>, rate: &Rate<S>, rho: &S, start: (&S, &S), steps: u64) -> (S, S) {
    let step = |m: S, q: S| {
        let at = Overlaps { rho: rho.clone(), m, q };
        let next = square_step(&S::one(), moments, rate, &at, &at, &at.q);
        let mean = at.m.clone() + rate.eta.clone() / rate.d.clone() * (moments.c1.clone() * rho.clone() - moments.c2.clone() * at.m.clone());
        [mean, next]
    };
    // The affine map y -> M y + b from its values at 0 and the unit vectors.
    let b = step(S::zero(), S::zero());
    let column = |image: [S; 2]| [image[0].clone() - b[0].clone(), image[1].clone() - b[1].clone()];
    let (first, second) = (column(step(S::one(), S::zero())), column(step(S::zero(), S::one())));
    type Affine<S> = ([[S; 2]; 2], [S; 2]);
    let dot = |row: &[S; 2], v: &[S; 2]| row[0].clone() * v[0].clone() + row[1].clone() * v[1].clone();
    let apply = |map: &Affine<S>, v: &[S; 2]| [dot(&map.0[0], v) + map.1[0].clone(), dot(&map.0[1], v) + map.1[1].clone()];
    let compose = |outer: &Affine<S>, inner: &Affine<S>| -> Affine<S> {
        let column = |j: usize| [inner.0[0][j].clone(), inner.0[1][j].clone()];
        let entry = |i: usize, j: usize| dot(&outer.0[i], &column(j));
        ([[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]], apply(outer, &inner.1))
    };
    let [m0, q0] = first;
    let [m1, q1] = second;
    let mut power: Affine<S> = ([[m0, m1], [q0, q1]], b.clone());
    let mut state = [start.0.clone(), start.1.clone()];
    let mut left = steps;
    while left > 0 {
        if left % 2 == 1 {
            state = apply(&power, &state);
        }
        left /= 2;
        if left > 0 {
            power = compose(&power, &power);
        }
    }
    let [m, q] = state;
    let at = Overlaps { rho: rho.clone(), m, q };
    (excess(&S::one(), moments, &at), at.m)
}

/// The unnormalized cell masses of the piecewise exponential density with slopes s_0 < .. < s_(K-1) (density prop. to exp(-U), U' = s_k in cell k), from
/// E_k = exp(-U(t_k)) at the thresholds: E_1/(-s_0), (E_k - E_(k+1))/s_k, E_(K-1)/s_(K-1). A cell of slope 0 has E_k times its width.
pub fn cell_masses<S: Ordered>(slopes: &[S], exponentials: &[S], thresholds: &[S]) -> Vec<S> {
    let last = slopes.len() - 1;
    slopes
        .iter()
        .enumerate()
        .map(|(k, s)| {
            if k == 0 {
                exponentials[0].clone() / -s.clone()
            } else if k == last {
                exponentials[last - 1].clone() / s.clone()
            } else if s.equals(&S::zero()).is_true() {
                exponentials[k - 1].clone() * (thresholds[k].clone() - thresholds[k - 1].clone())
            } else {
                (exponentials[k - 1].clone() - exponentials[k].clone()) / s.clone()
            }
        })
        .collect()
}

/// The stationary probabilities of the levels for slopes s_k = scale (L_k - mu), scale = 2 c2/(eta c2 R) = 2/(eta R): the same cell masses, written so that no
/// difference of neighbouring exponentials is taken and the largest exponential is 1. `offsets` are the L_k - mu; one of them is 0 only as a point.
pub fn stationary<S: Real>(quantizer: &Quantizer, offsets: &[S], scale: &S) -> Vec<S> {
    let slopes: Vec<S> = offsets.iter().map(|offset| scale.clone() * offset.clone()).collect();
    let thresholds: Vec<S> = quantizer.thresholds().iter().map(S::from_rational).collect();
    let last = slopes.len() - 1;
    if last == 0 {
        return vec![S::one()];
    }
    let mut u = vec![S::zero()];
    for k in 1..last {
        let rise = slopes[k].clone() * (thresholds[k].clone() - thresholds[k - 1].clone());
        u.push(u[k - 1].clone() + rise);
    }
    let low = u.iter().skip(1).fold(u[0].clone(), |a, b| a.min(b));
    let exponentials: Vec<S> = u.iter().map(|u| (low.clone() - u.clone()).exp()).collect();
    let masses: Vec<S> = slopes
        .iter()
        .enumerate()
        .map(|(k, s)| {
            if k == 0 {
                return exponentials[0].clone() / -s.clone();
            }
            if k == last {
                return exponentials[last - 1].clone() / s.clone();
            }
            let width = thresholds[k].clone() - thresholds[k - 1].clone();
            if s.equals(&S::zero()).is_true() {
                return exponentials[k - 1].clone() * width;
            }
            // From the end where the density is larger.
            if S::zero().le(s).is_true() {
                exponentials[k - 1].clone() * -(-(s.clone() * width)).exp_m1() / s.clone()
            } else {
                exponentials[k].clone() * (s.clone() * width).exp_m1() / s.clone()
            }
        })
        .collect();
    let total = masses.iter().skip(1).fold(masses[0].clone(), |a, b| a + b.clone());
    masses.into_iter().map(|mass| mass / total.clone()).collect()
}

/// sum_k P_k (L_k - mu)^2, from the L_k - mu.
pub fn spread<S: Field>(masses: &[S], offsets: &[S]) -> S {
    masses.iter().zip(offsets).fold(S::zero(), |sum, (mass, offset)| sum + mass.clone() * offset.square())
}

/// A teacher as a finite law: values and their weights, which sum to 1.
pub type Teacher = Vec<(Rational, Rational)>;

/// E w*^2 under the teacher's law.
pub fn power<S: Field>(teacher: &Teacher) -> S {
    teacher.iter().fold(S::zero(), |sum, (w, p)| sum + S::from_rational(p) * S::from_rational(w).square())
}

/// Quantized weights: everything that the fixed point depends on.
#[derive(Clone, Debug)]
pub struct Setting {
    /// phi
    pub quantizer: Quantizer,
    /// psi; None for inputs that are not quantized.
    pub inputs: Option<Quantizer>,
    /// The teacher's law.
    pub teacher: Teacher,
    /// eta
    pub eta: Rational,
    /// sigma^2
    pub sigma2: Rational,
}

impl Setting {
    /// The input moments.
    #[must_use]
    pub fn moments<S: Real>(&self) -> Moments<S> {
        self.inputs.as_ref().map_or_else(Moments::unquantized, Quantizer::moments)
    }

    /// sigma^2 + rho (1 - c1^2/c2): what no weight can explain.
    pub fn base<S: Field>(&self, moments: &Moments<S>) -> S {
        S::from_rational(&self.sigma2) + power::<S>(&self.teacher) * moments.floor()
    }

    /// The L_k - mu, mu = c1 w*/c2; from exact numbers where inputs are not quantized, so that a mu on a level is seen as such.
    pub fn offsets<S: Field>(&self, moments: &Moments<S>, w: &Rational) -> Vec<S> {
        let levels = self.quantizer.levels();
        if self.inputs.is_none() {
            return levels.iter().map(|level| S::from_rational(&(level.clone() - w.clone()))).collect();
        }
        let mu = moments.c1.clone() * S::from_rational(w) / moments.c2.clone();
        levels.iter().map(|level| S::from_rational(level) - mu.clone()).collect()
    }

    /// The map whose fixed points are the stationary risks: R -> sigma^2 + rho (1 - c1^2/c2) + c2 E sum_k P_k (L_k - mu)^2, with the stationary law at noise R,
    /// which is E(w*^2 - 2 c1 w* phi + c2 phi^2) + sigma^2 by completing the square, mu = c1 w*/c2.
    pub fn map<S: Real>(&self, moments: &Moments<S>, risk: &S) -> S {
        let scale = S::from_i64(2) / (S::from_rational(&self.eta) * risk.clone());
        let sum = self.teacher.iter().fold(S::zero(), |sum, (w, p)| {
            let offsets = self.offsets(moments, w);
            sum + S::from_rational(p) * spread(&stationary(&self.quantizer, &offsets, &scale), &offsets)
        });
        self.base(moments) + moments.c2.clone() * sum
    }

    /// sigma^2 + rho (1 - c1^2/c2) + c2 E (u - mu)(mu - l) and the same with E (top - mu)(mu - bottom); None where a mu is outside the levels, or too close to one
    /// to tell on which side of it.
    #[must_use]
    pub fn two_sided<S: Ordered>(&self, moments: &Moments<S>) -> Option<(S, S)> {
        let (mut low, mut high) = (S::zero(), S::zero());
        for (w, p) in &self.teacher {
            let offsets = self.offsets(moments, w);
            let (first, last) = (offsets.first()?, offsets.last()?);
            let (below, above) = adjacent(&offsets)?;
            let p = S::from_rational(p);
            low = low - p.clone() * offsets[below].clone() * offsets[above].clone();
            high = high - p * first.clone() * last.clone();
        }
        let base = self.base(moments);
        Some((base.clone() + moments.c2.clone() * low, base + moments.c2.clone() * high))
    }
}

/// The indices of the levels next to mu from the L_k - mu, equal where mu is a level; None where mu is outside or a sign is not decided.
pub fn adjacent<S: Ordered>(offsets: &[S]) -> Option<(usize, usize)> {
    let zero = S::zero();
    let mut below = None;
    for (k, offset) in offsets.iter().enumerate() {
        if offset.lt(&zero).is_true() {
            below = Some(k);
        } else if offset.equals(&zero).is_true() {
            return Some((k, k));
        } else if zero.lt(offset).is_true() {
            return below.map(|below| (below, k));
        } else {
            return None;
        }
    }
    None
}

/// (u - mu)(mu - l): the least variance of a law on the levels with mean mu, when l and u are the levels next to mu; the largest when they are the outermost.
pub fn adjacent_floor<S: Field>(l: &S, u: &S, mu: &S) -> S {
    (u.clone() - mu.clone()) * (mu.clone() - l.clone())
}

/// min(u - mu, mu - l)^2: the error of rounding mu to the nearest level.
pub fn rounding_floor<S: Surd>(l: &S, u: &S, mu: &S) -> S {
    (u.clone() - mu.clone()).min(&(mu.clone() - l.clone())).square()
}

/// The plateau: all weights start at `start` inside a cell with two thresholds or one, and drift towards the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Plateau<S> {
    /// a/v with a the distance to the threshold and v the drift's size.
    pub time: S,
    /// sqrt(a eta^2 c2 R_0/v^3)
    pub width: S,
    /// R_0: the risk on the plateau.
    pub level: S,
}

/// The plateau of weights that start at `start` with one teacher's value; None where the start is on a threshold, the drift is 0 or leads to no threshold.
pub fn plateau<S: Real>(setting: &Setting, moments: &Moments<S>, start: &Rational) -> Option<Plateau<S>> {
    let [(w, _)] = &setting.teacher[..] else { return None };
    let thresholds = setting.quantizer.thresholds();
    if thresholds.contains(start) {
        return None;
    }
    let cell = setting.quantizer.cell(start);
    let level = S::from_rational(&setting.quantizer.levels()[cell]);
    let (w, eta, start) = (S::from_rational(w), S::from_rational(&setting.eta), S::from_rational(start));
    let drift = eta.clone() * (moments.c1.clone() * w.clone() - moments.c2.clone() * level.clone());
    let rising = S::zero().lt(&drift);
    let (target, speed) = if rising.is_true() {
        (thresholds.get(cell)?, drift)
    } else if drift.lt(&S::zero()).is_true() {
        (thresholds.get(cell.checked_sub(1)?)?, -drift)
    } else {
        return None;
    };
    let distance = (S::from_rational(target) - start).abs();
    let two = S::from_i64(2);
    let risk = S::from_rational(&setting.sigma2) + w.square() - two * moments.c1.clone() * w * level.clone() + moments.c2.clone() * level.square();
    let width = (distance.clone() * eta.square() * moments.c2.clone() * risk.clone() / speed.powi(3)).sqrt();
    Some(Plateau { time: distance / speed, width, level: risk })
}

/// The upper bound 4 Q((omega/2 - eta |w*| tau)/(eta sqrt(Rmax tau))) on the share of weights that ever left (-omega/2, omega/2) by tau, Rmax = sigma^2 +
/// (|w*| + omega)^2, Q = 1 - N: mid-tread with b = 2, all weights from 0, eta |w*| tau < omega/2.
pub fn left_by<S: Real>(omega: &S, eta: &S, teacher: &S, sigma2: &S, tau: &S) -> S {
    let most = sigma2.clone() + (teacher.abs() + omega.clone()).square();
    let room = omega.clone() / S::from_i64(2) - eta.clone() * teacher.abs() * tau.clone();
    let z = room / (eta.clone() * (most * tau.clone()).sqrt());
    S::from_i64(4) * (-z).normal_cdf()
}
