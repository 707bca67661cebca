//! What is claimed of the instance, as formulas; a = 1/4, a1 = a, a2 = a/2, a3 = a/(4nb), a4 = 1/2 and n = m throughout.

use numeric::{Field, Rational, Surd};

/// a = 1/4.
#[must_use]
pub fn a<S: Field>() -> S {
    S::ratio(1, 4)
}

/// a4 = 1/2.
#[must_use]
pub fn code_weight<S: Field>() -> S {
    S::ratio(1, 2)
}

/// gamma = b^2/(2r)
pub fn gamma<S: Field>(b: &S, r: &S) -> S {
    b.square() / (S::from_i64(2) * r.clone())
}

/// theta = 3r/4
pub fn threshold<S: Field>(r: &S) -> S {
    S::ratio(3, 4) * r.clone()
}

/// a3 gamma = ab/(8mr): the slope of F_S in y.
pub fn code_slope<S: Field>(m: &S, b: &S, r: &S) -> S {
    a::<S>() * b.clone() / (S::from_i64(8) * m.clone() * r.clone())
}

/// a/(4m): the least slope of F_S in any |x_i - (x_S)_i|.
pub fn box_slope<S: Field>(m: &S) -> S {
    a::<S>() / (S::from_i64(4) * m.clone())
}

/// A bound of the Lipschitz constants of f(.; z): a1 + a2/sqrt n + a3 (b sqrt n + gamma) + a4.
pub fn lipschitz<S: Surd>(n: &S, b: &S, r: &S) -> S {
    let root = n.sqrt();
    let a3 = a::<S>() / (S::from_i64(4) * n.clone() * b.clone());
    a::<S>() + a::<S>() / (S::from_i64(2) * root.clone()) + a3 * (b.clone() * root + gamma(b, r)) + code_weight()
}

/// 31/32: the Lipschitz constant that is claimed.
#[must_use]
pub fn lipschitz_constant<S: Field>() -> S {
    S::ratio(31, 32)
}

/// F_S(w_S) = 2 a2 b (1 - u) + a3 (n b^2 - gamma r), `gamma` given apart for variants of the instance. With u = 0 it is min F.
pub fn minimum_value<S: Field>(n: &S, b: &S, r: &S, gamma: &S, unseen: &S) -> S {
    let a3 = a::<S>() / (S::from_i64(4) * n.clone() * b.clone());
    a::<S>() * b.clone() * (S::one() - unseen.clone()) + a3 * (n.clone() * b.square() - gamma.clone() * r.clone())
}

/// F(w_S) - min F = u (a b + a4 r/4)
pub fn excess<S: Field>(b: &S, r: &S, unseen: &S) -> S {
    unseen.clone() * (a::<S>() * b.clone() + code_weight::<S>() * r.clone() / S::from_i64(4))
}

/// F(w_S) - F_S(w_S) = u (2 a1 b + a4 r/4)
pub fn gap<S: Field>(b: &S, r: &S, unseen: &S) -> S {
    unseen.clone() * (S::from_i64(2) * a::<S>() * b.clone() + code_weight::<S>() * r.clone() / S::from_i64(4))
}

/// ab/(64m) = r a3 gamma/8: minimizers up to this tolerance overfit.
pub fn tolerance<S: Field>(m: &S, b: &S) -> S {
    a::<S>() * b.clone() / (S::from_i64(64) * m.clone())
}

/// a4 u max(0, share r - eps/(a3 gamma)): the excess of minimizers up to eps, share = 1/4. The maximum is left to the caller.
pub fn approximate_excess<S: Field>(m: &S, b: &S, r: &S, unseen: &S, eps: &S, share: &S) -> S {
    code_weight::<S>() * unseen.clone() * (share.clone() * r.clone() - eps.clone() / code_slope(m, b, r))
}

/// ab/(8mr^2): the strong convexity that can be added.
pub fn strength<S: Field>(m: &S, b: &S, r: &S) -> S {
    a::<S>() * b.clone() / (S::from_i64(8) * m.clone() * r.square())
}

/// 2 L eta sqrt T + 4 L eta T/m: how far gradient descent on two neighbouring samples can end apart. `root` weighs the first term: 1 for the truth.
pub fn stability<S: Surd>(lipschitz: &S, eta: &S, steps: &S, m: &S, root: &S) -> S {
    let drift = S::from_i64(4) * steps.clone() / m.clone();
    lipschitz.clone() * eta.clone() * (S::from_i64(2) * root.clone() * steps.sqrt() + drift)
}

/// L^2 (2 eta sqrt T + 4 eta T/m): the expected gap of gradient descent.
pub fn gap_upper<S: Surd>(lipschitz: &S, eta: &S, steps: &S, m: &S) -> S {
    lipschitz.clone() * stability(lipschitz, eta, steps, m, &S::one())
}

/// sqrt(eta T/m^1.5)
pub fn scale<S: Surd>(eta: &S, steps: &S, m: &S) -> S {
    (eta.clone() * steps.clone() / (m.clone() * m.sqrt())).sqrt()
}

/// r = sqrt(eta T/m^1.5)/8: the radius of the instance made for (eta, T).
pub fn tuned_radius<S: Surd>(eta: &S, steps: &S, m: &S) -> S {
    scale(eta, steps, m) / S::from_i64(8)
}

/// b = 1/(2 sqrt m): the box of the instance made for (eta, T).
pub fn tuned_box<S: Surd>(m: &S) -> S {
    S::one() / (S::from_i64(2) * m.sqrt())
}

/// (u/64) (1 - 8/T) sqrt(eta T/m^1.5): below the gap of gradient descent on the instance made for (eta, T).
pub fn gap_lower<S: Surd>(eta: &S, steps: &S, m: &S, unseen: &S) -> S {
    unseen.clone() * (S::one() - S::from_i64(8) / steps.clone()) * scale(eta, steps, m) / S::from_i64(64)
}

/// The law of the number of distinct symbols among m uniform draws from m: entry k is P(|supp| = k) = C(m, k) k! S2(m, k)/m^m.
#[must_use]
pub fn occupancy(m: u32) -> Vec<Rational> {
    // S2(j, .) for j = 0, 1, .., m.
    let mut stirling = vec![Rational::from(1)];
    for _ in 0..m {
        let mut next = vec![Rational::from(0); stirling.len() + 1];
        for (k, value) in stirling.iter().enumerate() {
            next[k] = next[k].clone() + Rational::from(k as i64) * value.clone();
            next[k + 1] = next[k + 1].clone() + value.clone();
        }
        stirling = next;
    }
    let total = Rational::from(i64::from(m)).powi(m);
    // C(m, k) k! = m (m-1) .. (m-k+1)
    let mut falling = Rational::from(1);
    stirling
        .into_iter()
        .enumerate()
        .map(|(k, value)| {
            let share = falling.clone() * value / total.clone();
            falling = falling.clone() * Rational::from(i64::from(m) - k as i64);
            share
        })
        .collect()
}

/// P(u >= 1/4) for m uniform draws from m symbols.
#[must_use]
pub fn quarter_unseen(m: u32) -> Rational {
    let most = 3 * m / 4;
    occupancy(m).into_iter().take(most as usize + 1).fold(Rational::from(0), |sum, share| sum + share)
}

/// P(u >= 1/4 and no symbol more than `most` times) for m uniform draws from m symbols.
#[must_use]
pub fn quarter_unseen_bounded(m: u32, most: u32) -> Rational {
    // ways[j]: in how many ways j draws fall on k given symbols, each once to `most` times.
    let size = m as usize;
    let mut binomials = vec![vec![Rational::from(1)]];
    for j in 1..=size {
        let before = &binomials[j - 1];
        let at = |k: usize| before.get(k).cloned().unwrap_or_else(|| Rational::from(0));
        binomials.push((0..=j).map(|k| if k == 0 { Rational::from(1) } else { at(k - 1) + at(k) }).collect());
    }
    let mut ways: Vec<Rational> = (0..=size).map(|j| Rational::from(i64::from(j == 0))).collect();
    let total = Rational::from(i64::from(m)).powi(m);
    let mut sum = Rational::from(0);
    for k in 1..=3 * size / 4 {
        ways = (0..=size)
            .map(|j| {
                let counts = 1..=j.min(most as usize);
                counts.fold(Rational::from(0), |sum, i| sum + binomials[j][i].clone() * ways[j - i].clone())
            })
            .collect();
        sum = sum + binomials[size][k].clone() * ways[size].clone();
    }
    sum / total
}

/// E u = (1 - 1/m)^m
#[must_use]
pub fn mean_unseen(m: u32) -> Rational {
    (Rational::from(1) - Rational::new(1, i64::from(m))).powi(m)
}

/// P(some codeword is in none of m random halves of the 2^m codewords) = 1 - (1 - 2^-m)^(2^m).
pub fn missed_word<S: Field>(m: u32) -> S {
    let count = 1_u32 << m.min(31);
    S::one() - (S::one() - S::ratio(1, i64::from(count))).powi(count)
}

#[cfg(test)]
mod tests {
    use super::{lipschitz, occupancy};
    use numeric::{Interval, Ordered, QuadraticSurd, Rational};

    /// The same lines with radicals and with enclosures.
    #[test]
    fn exact_and_enclosed_agree() {
        for (n, q, r) in [(2, 3, (1, 2)), (3, 4, (1, 4)), (16, 8, (1, 3)), (64, 16, (1, 2))] {
            let surd = |value: Rational| QuadraticSurd::from(value);
            let (n, b, r) = (Rational::from(n), Rational::new(1, q), Rational::new(r.0, r.1));
            let exact = lipschitz(&surd(n.clone()), &surd(b.clone()), &surd(r.clone()));
            let of = Interval::from_rational;
            let enclosed = lipschitz(&of(&n), &of(&b), &of(&r));
            let (low, high) = exact.enclose_f64();
            assert!(exact.is_defined() && low <= enclosed.hi() && enclosed.lo() <= high && enclosed.width() < 1e-15);
        }
    }

    #[test]
    fn the_law_of_two_draws() {
        assert_eq!(occupancy(2), [Rational::from(0), Rational::new(1, 2), Rational::new(1, 2)]);
    }
}
