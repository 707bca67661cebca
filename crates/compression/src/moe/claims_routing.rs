//! Routers that break the assumptions: greedy choice per token, a frozen router.

use super::algorithm::top_k;
use super::instances::{Greedy, GreedyRuns, Quadratic, Quadratics, SubsetLaw, SubsetLaws};
use super::shared::{c, mutant, n, part, polynomial, q, sum};
use claim::{Check, Claim, ExactPart, Judgement, Mutant, Part, Polynomial, Provenance, Relation, Verdict, identity};
use numeric::{Field, Ordered, Rational};

pub(super) fn all() -> Vec<Claim> {
    vec![diverges(), stall()]
}

const TOKENS: [[i64; 3]; 3] = [[-3, 2, 2], [2, -3, 2], [2, 2, -3]];

/// The gradient of f_j = <a_j, x>^2 + ||x||^2/4.
fn token_gradient<S: Field>(token: usize, x: &[S]) -> Vec<S> {
    let a = TOKENS[token].map(|value| c::<S>(value));
    let inner = sum(a.iter().zip(x).map(|(a, x)| a.clone() * x.clone()));
    a.iter().zip(x).map(|(a, x)| c::<S>(2) * inner.clone() * a.clone() + S::ratio(1, 2) * x.clone()).collect()
}

/// One step: each token keeps the largest entry of its gradient, the kept ones are averaged.
fn greedy_step(x: &[Rational], eta: &Rational) -> Option<Vec<Rational>> {
    let mut mean = vec![n(0); 3];
    for token in 0..3 {
        let gradient = token_gradient(token, x);
        for block in top_k(&gradient, 1).ok()? {
            mean[block] = mean[block].clone() + gradient[block].clone() / n(3);
        }
    }
    Some(x.iter().zip(mean).map(|(x, g)| x.clone() - eta.clone() * g).collect())
}

// F = mean of f_j against the curvatures 7/6 along (1, 1, 1) and 103/6 across.
polynomial!(Mean, |x| {
    let quarter = S::ratio(1, 4) * sum(x.iter().map(Field::square));
    let squares = sum((0..3).map(|token| sum((0..3).map(|i| c::<S>(TOKENS[token][i]) * x[i].clone())).square()));
    squares / c::<S>(3) + quarter
});
polynomial!(MeanBy, |x| {
    let along = sum(x.iter().cloned()).square() / c::<S>(3);
    let all = sum(x.iter().map(Field::square));
    S::ratio(7, 12) * along.clone() + S::ratio(103, 12) * (all - along)
});
polynomial!(MeanOff, |x| {
    let along = sum(x.iter().cloned()).square() / c::<S>(3);
    let all = sum(x.iter().map(Field::square));
    S::ratio(103, 12) * along.clone() + S::ratio(103, 12) * (all - along)
});
// Token gradients at t (1, 1, 1), with weights (w_1, w_2, w_3) so that one identity holds all entries of one token.
struct AtDiagonal(usize);
impl Polynomial for AtDiagonal {
    fn eval<S: Field>(&self, x: &[S]) -> S {
        let gradient = token_gradient(self.0, &[x[0].clone(), x[0].clone(), x[0].clone()]);
        sum(gradient.into_iter().zip(&x[1..]).map(|(g, w)| g * w.clone()))
    }
}
struct AtDiagonalBy(usize);
impl Polynomial for AtDiagonalBy {
    fn eval<S: Field>(&self, x: &[S]) -> S {
        let entries = (0..3).map(|i| if i == self.0 { S::ratio(-11, 2) } else { S::ratio(9, 2) });
        x[0].clone() * sum(entries.zip(&x[1..]).map(|(g, w)| g * w.clone()))
    }
}

fn diverges() -> Claim {
    fn run(at: &Greedy) -> Option<(Vec<Rational>, Rational, Rational)> {
        let (t, eta) = (q(at.scale.0, at.scale.1), q(at.eta.0, at.eta.1));
        let mut x = vec![t.clone(); 3];
        for _ in 0..at.steps {
            x = greedy_step(&x, &eta)?;
        }
        Some((x, t, eta))
    }
    /// x_T = (1 + factor eta)^T x_0.
    fn grows(factor: Rational) -> Check {
        ExactPart::new(GreedyRuns, move |at: &Greedy| {
            let Some((x, t, eta)) = run(at) else { return Judgement::Unmet };
            let expected = (n(1) + factor.clone() * eta).powi(at.steps) * t;
            if x.iter().any(|value| *value != x[0]) {
                return Judgement::Property { holds: false, detail: format!("x_T = ({}, {}, {})", x[0], x[1], x[2]) };
            }
            Judgement::compare(x[0].clone(), Relation::Eq, expected)
        })
        .erase()
    }
    /// The smallest gradient norm so far is at most the first one's: what a guarantee for top-K without unbiasedness needs, for T >= 1 it must fall.
    fn falls() -> Check {
        ExactPart::new(GreedyRuns, |at: &Greedy| {
            let Some((x, t, _)) = run(at) else { return Judgement::Unmet };
            Judgement::compare(Polynomial::eval(&Mean, &x), Relation::Lt, Polynomial::eval(&Mean, &[t.clone(), t.clone(), t]))
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        const NAMES: &[&str] = &["t", "w1", "w2", "w3"];
        vec![
            part(
                "curvatures",
                "F = mean of f_j has curvature 7/6 along (1, 1, 1) and 103/6 across: strongly convex, minimizer 0",
                identity(&["x1", "x2", "x3"], Mean, MeanBy),
            ),
            part(
                "token-1",
                "grad f_1(t (1,1,1)) = (t/2)(-11, 9, 9), tested against every weight vector",
                identity(NAMES, AtDiagonal(0), AtDiagonalBy(0)),
            ),
            part("token-2", "grad f_2(t (1,1,1)) = (t/2)(9, -11, 9)", identity(NAMES, AtDiagonal(1), AtDiagonalBy(1))),
            part("token-3", "grad f_3(t (1,1,1)) = (t/2)(9, 9, -11)", identity(NAMES, AtDiagonal(2), AtDiagonalBy(2))),
            part("grows", "x_t = (1 + 11 eta/6)^t x_0", grows(q(11, 6))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        const NAMES: &[&str] = &["t", "w1", "w2", "w3"];
        vec![
            mutant("no-unbiasedness", "top-K needs no unbiasedness: F(x_T) < F(x_0) for T >= 1", falls()),
            mutant("true-gradient", "the kept gradients' mean is the true one: x_t = (1 - 7 eta/6)^t x_0", grows(q(-7, 6))),
            mutant("isotropic", "curvature 103/6 in all directions", identity(&["x1", "x2", "x3"], Mean, MeanOff)),
            mutant("other-entry", "token 1 has its -11 in the second place", identity(NAMES, AtDiagonal(0), AtDiagonalBy(1))),
        ]
    }
    Claim {
        id: "moe/topk-biased-diverges",
        statement: "Top-1 routing per token, M = 3, tokens f_j = <a_j, x>^2 + ||x||^2/4 with a = (-3,2,2), (2,-3,2), (2,2,-3): from x_0 = t (1,1,1), gradient descent with the kept entries' mean gives x_t = (1 + 11 eta/6)^t x_0 for every eta > 0, although F is strongly convex",
        assumptions: &["eta > 0, t != 0", "each token keeps its largest gradient entry, unscaled"],
        provenance: Provenance::Derived,
        source: "after Beznosikov et al., On biased compression for distributed learning, Example 1",
        declared: Verdict::Holds,
        argument: "Each token keeps its -11: the mean kept gradient is -(11/6) t (1,1,1), the true one (7/6) t (1,1,1). The choice does not depend on t. So a guarantee needs unbiased routing or error feedback.",
        gap: None,
        finding: None,
        see: &["moe/topk-gd", "moe/abstract-rate"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn stall() -> Claim {
    /// F = ||x||^2/2 on four blocks; the router serves the first `served` only. The instance's start is repeated to four blocks.
    fn frozen(served: usize) -> Check {
        ExactPart::new(Quadratics, move |at: &Quadratic| {
            let start: Vec<Rational> = at.start.iter().cycle().take(4).copied().map(Rational::from).collect();
            let eta = at.step_size();
            let floor = start[2].square() + start[3].square();
            let mut x = start;
            let mut least = sum(x.iter().map(Field::square));
            for _ in 0..at.steps {
                for value in &mut x[..served] {
                    *value = value.clone() * (n(1) - eta.clone());
                }
                least = Ordered::min(&least, &sum(x.iter().map(Field::square)));
            }
            Judgement::compare(least, Relation::Ge, floor)
        })
        .erase()
    }
    /// sum a_i/p_i <= factor sum a_i/p_min.
    fn least_share(factor: Rational) -> Check {
        ExactPart::new(SubsetLaws, move |at: &SubsetLaw| {
            let total: i64 = at.weights.iter().sum();
            let Ok(sets) = super::algorithm::subsets(at.roots.len(), at.active) else { return Judgement::Unmet };
            let p: Vec<Rational> = (0..at.roots.len())
                .map(|block| {
                    Rational::new(sets.iter().zip(&at.weights).filter(|(set, _)| set.contains(&block)).map(|(_, weight)| weight).sum(), total)
                })
                .collect();
            let least = p.iter().cloned().reduce(|a, b| Ordered::min(&a, &b)).unwrap_or_else(|| n(0));
            if least.is_zero() {
                return Judgement::Unmet;
            }
            let a: Vec<Rational> = at.roots.iter().map(|&root| n(root).square()).collect();
            Judgement::compare(super::bounds::horvitz_thompson(&a, &p), Relation::Le, factor.clone() * sum(a) / least)
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part("floor", "||grad F(x_t)||^2 >= x_2^2 + x_3^2 forever when only blocks 0 and 1 are served", frozen(2)),
            part("least-share", "Horvitz-Thompson: E||g||^2 <= (1/p_min) sum a_i, so 1/p_min takes the place of M/K", least_share(n(1))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("served", "the same floor where block 2 is served too", frozen(3)),
            mutant("least-share-0.99", "1% less than 1/p_min", least_share(q(99, 100))),
        ]
    }
    Claim {
        id: "moe/router-stall",
        statement: "F = ||x||^2/2, M = 4, K = 2, router frozen on experts {0, 1}: ||grad F||^2 >= x_2^2 + x_3^2 at every step, so no rate holds; with inclusion probabilities at least p_min > 0 the factor M/K becomes 1/p_min",
        assumptions: &["any eta; for the second part p_min > 0"],
        provenance: Provenance::Derived,
        source: "load balancing as an assumption of the abstract's rate",
        declared: Verdict::Holds,
        argument: "Blocks that are never served never move. a_i/p_i <= a_i/p_min.",
        gap: None,
        finding: None,
        see: &["moe/second-moment", "moe/abstract-rate"],
        parts,
        mutants,
        without_mutants: None,
    }
}
