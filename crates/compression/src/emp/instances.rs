//! Families of score vectors, special ones first.

use super::algorithm::{Keep, Pruning, prune};
use claim::{Family, Instance, Tape};

/// Magnitudes in descending order, and how many are kept.
#[derive(Clone, Hash)]
pub struct Scores {
    /// Sorted in descending order, not negative.
    pub values: Vec<i64>,
    /// The retention rule.
    pub keep: Keep,
}

impl Scores {
    /// Sorts the magnitudes.
    #[must_use]
    pub fn new(mut values: Vec<i64>, keep: Keep) -> Scores {
        values.sort_unstable_by(|a, b| b.cmp(a));
        Scores { values, keep }
    }

    /// The exact quantities; None when all scores are zero.
    #[must_use]
    pub fn prune(&self) -> Option<Pruning> {
        prune(&self.values, self.keep)
    }
}

impl Instance for Scores {
    fn show(&self) -> String {
        // Long runs of one value are written once.
        let mut runs: Vec<(i64, usize)> = Vec::new();
        for &value in &self.values {
            match runs.last_mut() {
                Some((last, length)) if *last == value => *length += 1,
                _ => runs.push((value, 1)),
            }
        }
        let text: Vec<String> = if self.values.len() <= 12 {
            self.values.iter().map(i64::to_string).collect()
        } else {
            runs.iter().map(|(value, length)| if *length == 1 { value.to_string() } else { format!("{value} x{length}") }).collect()
        };
        let keep = match self.keep {
            Keep::Beta(1, 1) => String::new(),
            Keep::Beta(p, 1) => format!(", beta = {p}"),
            Keep::Beta(p, q) => format!(", beta = {p}/{q}"),
            Keep::Count(count) => format!(", nu = {count}"),
        };
        format!("s = ({}){keep}", text.join(", "))
    }
}

/// Which retention rules a family tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// beta = 1, the paper's default.
    One,
    /// beta in {1/2, 3/4, 1, 5/4, 3/2, 2}.
    Sweep,
    /// beta in {5/4, 3/2, 2}.
    AboveOne,
    /// Any count from 1 to N - 1.
    AnyCount,
}

const SWEEP: [(i64, i64); 6] = [(1, 1), (1, 2), (3, 4), (5, 4), (3, 2), (2, 1)];

impl Rules {
    fn all(self, n: usize) -> Vec<Keep> {
        let beta = |pairs: &[(i64, i64)]| pairs.iter().map(|&(p, q)| Keep::Beta(p, q)).collect();
        match self {
            Rules::One => vec![Keep::Beta(1, 1)],
            Rules::Sweep => beta(&SWEEP),
            Rules::AboveOne => beta(&SWEEP[3..]),
            Rules::AnyCount if n <= 6 => (1..n.max(2) as u64).map(Keep::Count).collect(),
            Rules::AnyCount => [1, n as u64 / 3, n as u64 / 2, n as u64 - 1].map(|count| Keep::Count(count.max(1))).to_vec(),
        }
    }

    fn draw(self, tape: &mut Tape<'_>, n: usize) -> Keep {
        match self {
            Rules::One => Keep::Beta(1, 1),
            Rules::Sweep => {
                let (p, q) = tape.choose(&SWEEP);
                Keep::Beta(p, q)
            }
            Rules::AboveOne => {
                let (p, q) = tape.choose(&SWEEP[3..]);
                Keep::Beta(p, q)
            }
            Rules::AnyCount => Keep::Count(tape.integer(1, (n as i64 - 1).max(1)) as u64),
        }
    }
}

/// All sorted vectors with entries 0..=6 and N <= 6 (smallest first), the extremal families, and random vectors of several shapes.
pub struct ScoreFamily {
    /// The retention rules.
    pub rules: Rules,
}

/// Longest random vector; the special ones go to 2,000.
const RANDOM_LENGTH: usize = 24;

/// All sorted vectors of length n with entries 0..=top, not all zero.
fn lattice(n: usize, top: i64) -> Vec<Vec<i64>> {
    fn extend(prefix: &mut Vec<i64>, n: usize, out: &mut Vec<Vec<i64>>) {
        if prefix.len() == n {
            if prefix[0] > 0 {
                out.push(prefix.clone());
            }
            return;
        }
        let cap = prefix[prefix.len() - 1];
        for value in 0..=cap {
            prefix.push(value);
            extend(prefix, n, out);
            prefix.pop();
        }
    }
    let mut out = Vec::new();
    for first in 1..=top {
        extend(&mut vec![first], n, &mut out);
    }
    out.sort_by_key(|values| values.iter().sum::<i64>());
    out
}

/// (a, b, .., b) with n entries.
fn spike(a: i64, b: i64, n: usize) -> Vec<i64> {
    let mut values = vec![b; n];
    values[0] = a;
    values
}

/// The vectors that come close to or attain a bound, and those whose floor is delicate.
pub fn extremal() -> Vec<Vec<i64>> {
    let mut out = vec![
        vec![3, 1, 1, 1, 1],
        vec![8, 3, 3, 3, 3],
        spike(10, 1, 10),
        vec![51, 49, 0],
        vec![5, 4, 1],
        vec![4, 4, 4, 1, 1, 1, 1],
        (1..=10).map(|i| 2520 / i).collect(),
        (0..20).map(|i| 1_i64 << (19 - i)).collect(),
        (1..=10).rev().collect(),
        // beta = 1/2 on 2 nu equal entries attains the best-k-term bound 1/(4 nu)
        vec![1; 10],
        // Cauchy-Schwarz on the upper side: two levels
        vec![5, 5, 5, 2, 2, 2, 2],
        vec![i64::MAX, i64::MAX, 1],
        vec![1_000_000_000_000, 1, 1, 1],
    ];
    // E1: (1/N + t(N-1)/N, (1-t)/N ..) for t = 27217/100000 at N = 10, scaled to integers.
    out.push(spike(100_000 + 27_217 * 9, 100_000 - 27_217, 10));
    // E2: (1/2 + d, 1/2 - d, 0, ..) with d -> 0.
    for d in [1, 10, 1000, 1_000_000] {
        for zeros in 0..3 {
            let mut values = vec![1_000_000_000 + 1_000_000_000 / d / 1000 + 1, 1_000_000_000 - 1_000_000_000 / d / 1000 - 1];
            values.extend(std::iter::repeat_n(0, zeros));
            out.push(values);
        }
    }
    // E3: N = nu + 2, t = 1/(nu + 1) + delta; E1 in general: t just above t(nu, N), found from floats and used as an exact rational.
    for (n, nu) in [(4_usize, 2_u32), (5, 2), (6, 4), (7, 3), (12, 5), (40, 10), (200, 30), (2000, 700)] {
        let (nf, nuf) = (n as f64, f64::from(nu));
        let root = ((nf - nuf - 1.0) / ((nuf + 1.0) * (nf - 1.0))).sqrt();
        for excess in [1e-3, 1e-6] {
            let scale = 100_000_000.0;
            let t = ((root + excess) * scale).ceil() as i64;
            out.push(spike(100_000_000 + t * (n as i64 - 1), 100_000_000 - t, n));
        }
    }
    // Uniform and one-hot at larger sizes, and long heavy tails.
    for n in [49, 199, 2000] {
        out.push(vec![1; n]);
        out.push(spike(1, 0, n));
        out.push((1..=n as i64).map(|i| 1_000_000_000 / i).collect());
        out.push((1..=n as i64).map(|i| 1_000_000_000 / (i * i)).collect());
    }
    out
}

impl Family for ScoreFamily {
    type Instance = Scores;

    fn id(&self) -> String {
        match self.rules {
            Rules::One => "scores",
            Rules::Sweep => "scores-beta",
            Rules::AboveOne => "scores-beta-above-one",
            Rules::AnyCount => "scores-count",
        }
        .into()
    }

    fn domain(&self) -> String {
        let rule = match self.rules {
            Rules::One => "beta = 1",
            Rules::Sweep => "beta in {1/2, 3/4, 1, 5/4, 3/2, 2}",
            Rules::AboveOne => "beta in {5/4, 3/2, 2}",
            Rules::AnyCount => "any retained count",
        };
        format!(
            "integer scores, {rule}: all with entries 0..6 and N <= 6, extremal families to N = 2000, random (uniform, heavy, geometric, two and three levels) to N = {RANDOM_LENGTH}"
        )
    }

    fn special(&self) -> Vec<Scores> {
        let vectors = (1..=6).flat_map(|n| lattice(n, 6)).chain(extremal());
        vectors
            .flat_map(|values| self.rules.all(values.len()).into_iter().map(move |keep| Scores::new(values.clone(), keep)).collect::<Vec<_>>())
            .collect()
    }

    fn tape_len(&self) -> usize {
        RANDOM_LENGTH + 3
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Scores {
        let n = 1 + tape.index(RANDOM_LENGTH);
        let shape = tape.index(6);
        let keep = self.rules.draw(tape, n);
        let values = match shape {
            0 => (0..n).map(|_| tape.integer(0, 12)).collect(),
            1 => (0..n).map(|_| tape.heavy(1_000_000)).collect(),
            2 => {
                // Geometric with ratio (r+1)/(r+2).
                let r = tape.integer(0, 8);
                let mut value = 1_000_000_000_i64;
                (0..n)
                    .map(|_| {
                        let now = value;
                        value = value / (r + 2) * (r + 1);
                        now
                    })
                    .collect()
            }
            3 => {
                let (high, low, cut) = (tape.integer(1, 1000), tape.integer(0, 1000), tape.index(n));
                (0..n).map(|i| if i <= cut { high } else { low }).collect()
            }
            4 => {
                let levels = [tape.heavy(10_000), tape.heavy(1_000), tape.integer(0, 100)];
                (0..n).map(|_| levels[tape.index(3)]).collect()
            }
            _ => {
                // Near an edge of the ordered simplex: k entries, one larger, the rest zero.
                let (a, b, k) = (tape.heavy(1_000_000), tape.heavy(1_000_000), 1 + tape.index(n));
                (0..n)
                    .map(|i| {
                        if i == 0 {
                            a.max(b)
                        } else if i < k {
                            b.min(a)
                        } else {
                            0
                        }
                    })
                    .collect()
            }
        };
        Scores::new(values, keep)
    }
}

/// A quadratic loss around its minimizer theta, with Hessian diag(h), v v^T or v v^T + w w^T, pruned by magnitude.
#[derive(Clone, Hash)]
pub struct Quadratic {
    /// The magnitudes of theta in descending order, and how many are kept.
    pub scores: Scores,
    /// Signs of theta do not matter for a diagonal Hessian; for the others they are absorbed into v and w.
    pub hessian: Hessian,
}

/// A positive semidefinite Hessian whose largest eigenvalue has at most one radical.
#[derive(Clone, Hash)]
pub enum Hessian {
    /// diag(h), h >= 0.
    Diagonal(Vec<i64>),
    /// v v^T.
    RankOne(Vec<i64>),
    /// v v^T + w w^T = B^T B for B with the two rows v and w.
    RankTwo(Vec<i64>, Vec<i64>),
}

impl Instance for Quadratic {
    fn show(&self) -> String {
        let text = |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let hessian = match &self.hessian {
            Hessian::Diagonal(h) => format!("H = diag({})", text(h)),
            Hessian::RankOne(v) => format!("H = v v^T, v = ({})", text(v)),
            Hessian::RankTwo(v, w) => format!("H = v v^T + w w^T, v = ({}), w = ({})", text(v), text(w)),
        };
        format!("theta: {}; {hessian}", self.scores.show())
    }
}

/// Quadratics on score vectors.
pub struct QuadraticFamily {
    /// The retention rules.
    pub rules: Rules,
}

impl Family for QuadraticFamily {
    type Instance = Quadratic;

    fn id(&self) -> String {
        format!("quadratics-{}", ScoreFamily { rules: self.rules }.id())
    }

    fn domain(&self) -> String {
        format!("quadratic losses with Hessian diag(h), v v^T or v v^T + w w^T of integers on {}", ScoreFamily { rules: self.rules }.domain())
    }

    fn special(&self) -> Vec<Quadratic> {
        let vectors = (1..=4).flat_map(|n| lattice(n, 3)).chain(extremal().into_iter().filter(|values| values.len() <= 40));
        let (mut out, mut rank_two) = (Vec::new(), Vec::new());
        for values in vectors {
            for keep in self.rules.all(values.len()) {
                let scores = Scores::new(values.clone(), keep);
                let Some(pruning) = scores.prune() else { continue };
                let n = values.len();
                let axis: Vec<i64> = (0..n).map(|i| i64::from(i as u64 == pruning.kept)).collect();
                // H = I, H on the first pruned axis, H along the pruned part (the adversary), and zero.
                let along: Vec<i64> =
                    scores.values.iter().enumerate().map(|(i, &value)| if i as u64 >= pruning.kept { value.min(1_000_000) } else { 0 }).collect();
                // The adversary with a second direction, not orthogonal to it: all ones, or the first pruned axis.
                let ones = vec![1; n];
                rank_two.push(Quadratic { scores: scores.clone(), hessian: Hessian::RankTwo(along.clone(), ones) });
                rank_two.push(Quadratic { scores: scores.clone(), hessian: Hessian::RankTwo(axis.clone(), along.clone()) });
                for hessian in [
                    Hessian::Diagonal(vec![1; n]),
                    Hessian::Diagonal(axis.clone()),
                    Hessian::RankOne(axis),
                    Hessian::RankOne(along),
                    Hessian::Diagonal(vec![0; n]),
                ] {
                    out.push(Quadratic { scores: scores.clone(), hessian });
                }
            }
        }
        out.append(&mut rank_two);
        out
    }

    fn tape_len(&self) -> usize {
        3 * RANDOM_LENGTH + 4
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Quadratic {
        let kind = tape.index(3);
        let scores = ScoreFamily { rules: self.rules }.draw(tape);
        let n = scores.values.len();
        // Small words give entries near 0 of either sign: 0, 1, -1, 2, -2, ..
        let mut signed = || -> Vec<i64> { (0..n).map(|_| tape.integer(0, 18)).map(|i| if i % 2 == 1 { (i + 1) / 2 } else { -i / 2 }).collect() };
        let hessian = match kind {
            0 => Hessian::Diagonal(signed().into_iter().map(i64::abs).collect()),
            1 => Hessian::RankOne(signed()),
            _ => Hessian::RankTwo(signed(), signed()),
        };
        Quadratic { scores, hessian }
    }
}
