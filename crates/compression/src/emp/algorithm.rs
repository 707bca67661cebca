//! What the paper runs, exactly: the effective sample size, the retained count, the preserved mass.

use numeric::{Field, Ordered, Rational};

/// The exact quantities of one score vector. All of them depend on the magnitudes only.
#[derive(Clone, Debug)]
pub struct Pruning {
    /// Number of scores, N.
    pub n: u64,
    /// q = sum of squared weights, in [1/N, 1].
    pub q: Rational,
    /// Retained count nu.
    pub kept: u64,
    /// Preserved mass s_eff, the weight of the nu largest.
    pub mass: Rational,
    /// The largest weight.
    pub first: Rational,
    /// The weight of rank nu + 1 (0 when nothing is pruned).
    pub next: Rational,
    /// Tail energy tau: the sum of squared weights beyond rank nu.
    pub tail: Rational,
}

/// How many components are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// floor(beta N_eff), clamped to [1, N]; beta = p/q > 0.
    Beta(i64, i64),
    /// A given count, clamped to [1, N].
    Count(u64),
}

/// N_eff = (sum s)^2 / sum s^2 from the two exact sums; None when all scores are zero.
#[must_use]
pub fn effective_size(s1: &Rational, s2: &Rational) -> Option<Rational> {
    (s2.signum() == Some(1)).then(|| s1.square() / s2.clone())
}

/// nu = floor(beta N_eff) clamped to [1, N]: one floor, exactly.
#[must_use]
pub fn retained_count(n_eff: &Rational, beta: &Rational, n: u64) -> u64 {
    let floor = (n_eff * beta).floor();
    let clamped = Ordered::min(&Ordered::max(&floor, &Rational::from(1)), &Rational::from(n));
    clamped.to_i128().and_then(|count| u64::try_from(count).ok()).unwrap_or(1).min(n)
}

/// Prunes a vector of magnitudes sorted in descending order. None when it is empty, has a negative entry, is not sorted, or sums to zero
/// (the weights are then undefined).
#[must_use]
pub fn prune(sorted: &[i64], keep: Keep) -> Option<Pruning> {
    let n = sorted.len() as u64;
    if sorted.windows(2).any(|pair| pair[0] < pair[1]) || sorted.last().is_none_or(|&last| last < 0) {
        return None;
    }
    let sum = |values: &[i64]| values.iter().map(|&value| i128::from(value)).sum::<i128>();
    // Squares of 63-bit integers take 126 bits: a few of them fit, and beyond that the sum goes on in big integers.
    let squares = |values: &[i64]| {
        let mut total = Rational::from(0);
        let mut run = 0_i128;
        for &value in values {
            let square = i128::from(value) * i128::from(value);
            run = run.checked_add(square).unwrap_or_else(|| {
                total = &total + &Rational::from_i128(run, 1);
                square
            });
        }
        &total + &Rational::from_i128(run, 1)
    };
    let s1 = Rational::from_i128(sum(sorted), 1);
    let s2 = squares(sorted);
    let n_eff = effective_size(&s1, &s2)?;
    let kept = match keep {
        Keep::Beta(p, q) => retained_count(&n_eff, &Rational::new(p, q), n),
        Keep::Count(count) => count.clamp(1, n),
    };
    let (head, rest) = sorted.split_at(kept as usize);
    let weight = |value: i64| Rational::from(value) / s1.clone();
    Some(Pruning {
        n,
        q: n_eff.recip(),
        kept,
        mass: Rational::from_i128(sum(head), 1) / s1.clone(),
        first: weight(sorted[0]),
        next: weight(rest.first().copied().unwrap_or(0)),
        tail: squares(rest) / s1.square(),
    })
}

/// Largest entry, and longest vector, for which [`mass_floor_by_squares`] cannot overflow 64 bits in its sums: 64 * 2^24 = 2^30, squared 2^60.
const FAST_ENTRY: i64 = 1 << 24;
const FAST_LENGTH: usize = 64;

/// The retained count and whether s_eff is at least A(q, nu, N) (nu >= 2) or A(q, 1, 2) (nu = 1), in machine integers and without a root:
/// (N top - nu S1)^2 (N - 1) >= (N - nu)^2 (N S2 - S1^2), and (2 top - S1)^2 >= 2 S2 - S1^2 with 2 top >= S1, at beta = 1.
///
/// Squaring is allowed since s_eff >= nu/N. None for entries above 2^24, more than 64 of them, negative, unsorted or all zero ones;
/// true for nu = N. Source: `emp/mass-exact`, (a) and (b).
#[must_use]
pub fn mass_floor_by_squares(sorted: &[i64]) -> Option<(u64, bool)> {
    let (&first, &last) = (sorted.first()?, sorted.last()?);
    if sorted.len() > FAST_LENGTH || first > FAST_ENTRY || first == 0 || last < 0 {
        return None;
    }
    let (mut s1, mut s2, mut previous, mut ordered) = (0_i64, 0_i64, first, true);
    for &value in sorted {
        s1 += value;
        s2 += value * value;
        ordered &= value <= previous;
        previous = value;
    }
    if !ordered {
        return None;
    }
    // Both are positive: an unsigned division is faster.
    let nu = ((s1 * s1) as u64 / s2 as u64) as i64;
    let n = sorted.len() as i64;
    if nu >= n {
        return Some((n as u64, true));
    }
    let top: i64 = sorted[..nu as usize].iter().sum();
    let square = |value: i64| i128::from(value) * i128::from(value);
    let holds = if nu == 1 {
        let excess = 2 * top - s1;
        excess >= 0 && square(excess) >= i128::from(2 * s2 - s1 * s1)
    } else {
        // n s2 is below 2^6 2^54 = 2^60.
        square(n * top - nu * s1) * i128::from(n - 1) >= square(n - nu) * i128::from(n * s2 - s1 * s1)
    };
    Some((nu as u64, holds))
}

impl Pruning {
    /// N_eff = 1/q.
    #[must_use]
    pub fn n_eff(&self) -> Rational {
        self.q.recip()
    }

    /// Density rho = nu / N.
    #[must_use]
    pub fn density(&self) -> Rational {
        Rational::from(self.kept) / Rational::from(self.n)
    }

    /// Pruned mass 1 - s_eff.
    #[must_use]
    pub fn lost(&self) -> Rational {
        Rational::from(1) - self.mass.clone()
    }
}
