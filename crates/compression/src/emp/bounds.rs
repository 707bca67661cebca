//! What the paper claims, as formulas over any scalar with square roots.
//!
//! N is the number of scores, nu the retained count, q the sum of squared weights, k a number of nonzero weights.

use numeric::{Field, Ordered, QuadraticSurd, Rational, Surd};

fn count<S: Field>(value: u64) -> S {
    S::from_rational(&Rational::from(value))
}

/// t(nu, N) = sqrt((N - nu - 1) / ((nu + 1)(N - 1))), for 1 <= nu < N, N >= 2.
///
/// Source: the paper's public README, in the formula of Theorem 4.2.
pub fn printed_root<S: Surd>(nu: u64, n: u64) -> S {
    let (nu, n): (S, S) = (count(nu), count(n));
    ((n.clone() - nu.clone() - S::one()) / ((nu + S::one()) * (n - S::one()))).sqrt()
}

/// The printed floor of the preserved mass, P(nu, N) = nu/N + ((N - nu)/N) t(nu, N), for 1 <= nu < N.
///
/// Source: the paper's public README, Theorem 4.2 (`emp/mass-paper`). A bound for nu >= 2 at beta = 1; false for nu = 1, N >= 3.
pub fn printed_floor<S: Surd>(nu: u64, n: u64) -> S {
    let root = printed_root(nu, n);
    let (nu, n): (S, S) = (count(nu), count(n));
    nu.clone() / n.clone() + (n.clone() - nu) / n * root
}

/// A(q, nu, k) = nu/k + ((k - nu)/k) sqrt((q k - 1)/(k - 1)): the mass of nu entries on the edge from one-hot to uniform on k entries, where the
/// squared weights sum to q. For k >= 2, k >= nu, q k >= 1.
///
/// Source: derived (`emp/mass-exact`).
pub fn edge_mass<S: Surd>(q: &S, nu: u64, k: u64) -> S {
    let (nu, k): (S, S) = (count(nu), count(k));
    let root = ((q.clone() * k.clone() - S::one()) / (k.clone() - S::one())).sqrt();
    nu.clone() / k.clone() + (k.clone() - nu) / k * root
}

/// (nu/k)(1 + sqrt((q k - 1)(k - m)/m)): the mass of nu entries on the edge from uniform on m to uniform on k entries, for nu <= m < k, q k >= 1.
///
/// Source: derived (`emp/mass-beta`).
pub fn far_edge_mass<S: Surd>(q: &S, nu: u64, m: u64, k: u64) -> S {
    let (nu, m, k): (S, S, S) = (count(nu), count(m), count(k));
    let root = ((q.clone() * k.clone() - S::one()) * (k.clone() - m.clone()) / m).sqrt();
    nu / k * (S::one() + root)
}

/// The least upper bound on nu entries for given q, nu/N + sqrt((nu (N - nu)/N)(q - 1/N)) (Cauchy-Schwarz).
///
/// Source: derived (`emp/mass-exact`, part d).
pub fn mass_ceiling<S: Surd>(q: &S, nu: u64, n: u64) -> S {
    let (nu, n): (S, S) = (count(nu), count(n));
    let spread = nu.clone() * (n.clone() - nu.clone()) / n.clone() * (q.clone() - S::one() / n.clone());
    nu / n + spread.sqrt()
}

/// Which edge gives [`retained_floor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloorCase {
    /// Nothing is pruned: 1.
    All,
    /// q is at its least, all weights are equal: nu/N.
    Uniform,
    /// A uniform vertex on m = floor(1/q) entries: nu/m.
    Vertex,
    /// A(q, nu, k) at this k.
    Edge(u64),
    /// The edge from uniform on m entries to uniform on k.
    FarEdge(u64),
}

/// LB(N, nu, q): the least mass that nu entries can have among N weights whose squares sum to at least q. Attained.
///
/// LB = 1 if nu >= N; nu/N if q <= 1/N; else, with m = floor(1/q), the least of min(1, nu/m) and, over k = m+1..N, of A(q, nu, k) where k > nu and of
/// (nu/k)(1 + sqrt((q k - 1)(k - m)/m)) where m > nu. Only the ends of the range of k matter: A rises then falls in k (`emp/mass-step-3`), and
/// the other is concave in 1/k (a root of a product of two linear factors, both decreasing), so the cost does not grow with N.
///
/// Source: derived (`emp/mass-beta`). None for n = 0, nu = 0 or q outside (0, 1].
#[must_use]
pub fn retained_floor(n: u64, nu: u64, q: &Rational) -> Option<(QuadraticSurd, FloorCase)> {
    let one = Rational::from(1);
    if n == 0 || nu == 0 || q.signum() != Some(1) || *q > one {
        return None;
    }
    if nu >= n {
        return Some((one.into(), FloorCase::All));
    }
    if q.clone() * Rational::from(n) <= one {
        return Some((QuadraticSurd::from(Rational::from(nu) / Rational::from(n)), FloorCase::Uniform));
    }
    let m = u64::try_from(q.recip().floor().to_i128()?).ok()?;
    let exact = QuadraticSurd::from(q.clone());
    let vertex = Ordered::min(&one, &(Rational::from(nu) / Rational::from(m)));
    let mut best = (QuadraticSurd::from(vertex), FloorCase::Vertex);
    let mut offer = |value: QuadraticSurd, case| {
        if Ordered::lt(&value, &best.0).is_true() {
            best = (value, case);
        }
    };
    for k in [(m + 1).max(nu + 1), n] {
        if k > nu && k > m && k <= n {
            offer(edge_mass(&exact, nu, k), FloorCase::Edge(k));
        }
    }
    if m > nu {
        for k in [m + 1, n] {
            offer(far_edge_mass(&exact, nu, m, k), FloorCase::FarEdge(k));
        }
    }
    Some(best)
}

/// The least q that is certain when nu = floor(beta N_eff) entries are kept of n: max(beta/(nu + 1), 1/n).
///
/// Source: derived (`emp/mass-beta`): beta/q < nu + 1.
#[must_use]
pub fn certain_concentration(n: u64, nu: u64, beta: &Rational) -> Rational {
    let q = beta / &(Rational::from(nu) + Rational::from(1));
    // A beta above nu + 1 cannot happen with q <= 1: then nu would be larger.
    Ordered::min(&Ordered::max(&q, &Rational::from(n).recip()), &Rational::from(1))
}

/// ((1 - rho)^4 / (2 rho)) (1 - sqrt((1 - rho)/(N rho)))^2: the printed loss factor (times the squared 1-norm and the trace).
///
/// Source: the paper's public README, eq. (5), and public notes (`emp/loss-paper`).
pub fn printed_loss_factor<S: Surd>(nu: u64, n: u64) -> S {
    let rho: S = count::<S>(nu) / count(n);
    let lost = S::one() - rho.clone();
    // (1 - r)^2 = 1 - 2 r + r^2 with r^2 rational: one radical.
    let inside = lost.clone() / (count::<S>(n) * rho.clone());
    let root = inside.sqrt();
    let square = S::one() - (root.clone() + root) + inside;
    lost.powi(4) / (S::from_i64(2) * rho) * square
}
