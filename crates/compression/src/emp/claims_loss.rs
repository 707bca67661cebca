//! Claims on the loss after pruning by magnitude, for quadratic losses, and the printed step from the pruned mass to the pruned norm.

use super::algorithm::Pruning;
use super::bounds::{printed_loss_factor, printed_root};
use super::claims::{ALREADY_FALSE, SCORES, mutant, no_mutants, on_scores, one, part, rational, surd};
use super::instances::{Hessian, Quadratic, QuadraticFamily, Rules};
use claim::{Check, Claim, ExactPart, Finding, Judgement, Mutant, Part, Provenance, Relation, Verdict};
use numeric::{Field, Ordered, QuadraticSurd, Rational, Surd};

pub(super) fn all() -> Vec<Claim> {
    vec![tail_energy_as_printed(), loss_smooth(), loss_paper(), loss_paper_lemma(), loss_paper_psd()]
}

/// The exact quantities of a pruned quadratic.
struct Loss {
    pruning: Pruning,
    /// L(theta^nu) - L(theta*) = (1/2) d^T H d, d the pruned part.
    increase: Rational,
    /// Largest eigenvalue of H.
    lambda_max: QuadraticSurd,
    trace: Rational,
    /// ||theta*||_1^2
    norm: Rational,
    /// ||d||_2^2
    pruned_square: Rational,
}

fn evaluate(instance: &Quadratic) -> Option<Loss> {
    let pruning = instance.scores.prune()?;
    let values = &instance.scores.values;
    let cut = pruning.kept as usize;
    let pruned = &values[cut..];
    let dot = |a: &[i64], b: &[i64]| a.iter().zip(b).fold(Rational::from(0), |sum, (&x, &y)| sum + Rational::from(x) * Rational::from(y));
    let total = |list: &[i64]| list.iter().fold(Rational::from(0), |sum, &value| sum + Rational::from(value));
    let norm = total(values).square();
    let pruned_square = dot(pruned, pruned);
    let half = Rational::new(1, 2);
    let (quadratic, lambda_max, trace) = match &instance.hessian {
        Hessian::Diagonal(h) => {
            let weighted = pruned.iter().zip(&h[cut..]).fold(Rational::from(0), |sum, (&x, &w)| sum + Rational::from(x).square() * Rational::from(w));
            (weighted, surd(Rational::from(h.iter().copied().max().unwrap_or(0))), total(h))
        }
        Hessian::RankOne(v) => {
            let square = dot(v, v);
            (dot(pruned, &v[cut..]).square(), surd(square.clone()), square)
        }
        Hessian::RankTwo(v, w) => {
            // The nonzero eigenvalues are those of the Gram matrix of v and w: (tr + sqrt((|v|^2 - |w|^2)^2 + 4 (v.w)^2))/2 is the larger.
            let (vv, ww, vw) = (dot(v, v), dot(w, w), dot(v, w));
            let root = surd((vv.clone() - ww.clone()).square() + Rational::from(4) * vw.square()).sqrt();
            let trace = vv + ww;
            let lambda = surd(half.clone()) * (surd(trace.clone()) + root);
            (dot(pruned, &v[cut..]).square() + dot(pruned, &w[cut..]).square(), lambda, trace)
        }
    };
    Some(Loss { pruning, increase: half * quadratic, lambda_max, trace, norm, pruned_square })
}

/// The exact check of a judgement on pruned quadratics.
fn on_quadratics(rules: Rules, judge: impl Fn(&Loss) -> Judgement + Send + Sync + 'static) -> Check {
    ExactPart::new(QuadraticFamily { rules }, move |instance: &Quadratic| match evaluate(instance) {
        Some(loss) if loss.pruning.kept < loss.pruning.n => judge(&loss),
        _ => Judgement::Unmet,
    })
    .erase()
}

fn at_most<S: Into<QuadraticSurd>>(rules: Rules, bound: impl Fn(&Loss) -> S + Send + Sync + 'static) -> Check {
    on_quadratics(rules, move |loss| Judgement::compare(loss.increase.clone(), Relation::Le, bound(loss)))
}

fn half_lambda(loss: &Loss) -> QuadraticSurd {
    loss.lambda_max.clone() * surd(Rational::new(1, 2) * loss.norm.clone())
}

/// ((1 - rho)/(2 N rho)) Tr(H) ||d||^2
fn lemma(loss: &Loss) -> Rational {
    (one() - loss.pruning.density()) / (Rational::from(2) * rational(loss.pruning.kept)) * loss.trace.clone() * loss.pruned_square.clone()
}

/// ||theta||_1^2 Tr(H) times the printed factor.
fn printed(loss: &Loss) -> QuadraticSurd {
    surd(loss.norm.clone() * loss.trace.clone()) * printed_loss_factor::<QuadraticSurd>(loss.pruning.kept, loss.pruning.n)
}

const QUADRATIC: &[&str] = &[
    "L is twice differentiable with grad L(theta*) = 0",
    "0 <= H <= lambda_max I on the segment from theta* to the pruned theta",
    "magnitude scores",
];

fn tail_energy_as_printed() -> Claim {
    fn parts() -> Vec<Part> {
        vec![part(
            "attained",
            "tau = (1 - s_eff)^2 (N - nu) where one pruned weight holds all of the pruned mass",
            on_scores(Rules::AnyCount, |scores, pruning| {
                let mut rest = scores.values.iter().skip(pruning.kept as usize).filter(|&&value| value > 0);
                if rest.next().is_none() || rest.next().is_some() {
                    return Judgement::Unmet;
                }
                Judgement::compare(pruning.tail.clone(), Relation::Eq, pruning.lost().square() * rational(pruning.n - pruning.kept))
            }),
        )]
    }
    Claim {
        id: "emp/tail-energy-as-printed",
        statement: "The step ||theta - theta^nu||_2^2 <= ||theta||_1^2 (1-s)^2 (N-nu) is tight, s = s_eff",
        assumptions: SCORES,
        provenance: Provenance::Paper,
        source: "public notes on the paper, which call the chain tight (the paper's own text was not read)",
        declared: Verdict::Refuted,
        argument: "The inequality is true, but for a given pruned mass 1 - s > 0 the tail energy is largest where one pruned weight holds all of it, and there it is (1-s)^2: the printed side is N - nu times larger at the least. Equality needs N - nu = 1 (or nothing pruned). (1,1,0) with nu = 1 has tau = 1/4 against 1/2.",
        gap: None,
        finding: Some(Finding {
            printed: "||theta - theta^nu||^2 <= ||theta||_1^2 (1-s)^2 (N-nu), called tight (public notes)",
            truth: "||theta - theta^nu||^2 <= ||theta||_1^2 (1-s)^2, smaller by a factor N - nu, and that is attained",
        }),
        see: &["emp/tail-energy"],
        parts,
        mutants: no_mutants,
        without_mutants: Some(ALREADY_FALSE),
    }
}

fn loss_smooth() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part(
                "nonnegative",
                "L(theta^nu) >= L(theta*)",
                on_quadratics(Rules::AnyCount, |loss| Judgement::compare(loss.increase.clone(), Relation::Ge, Rational::from(0))),
            ),
            part(
                "tail",
                "increase <= (lambda_max/2) ||theta||_1^2 tau",
                at_most(Rules::AnyCount, |loss| half_lambda(loss) * surd(loss.pruning.tail.clone())),
            ),
            part(
                "next",
                "increase <= (lambda_max/2) ||theta||_1^2 (1 - s_eff) omega_(nu+1)",
                at_most(Rules::AnyCount, |loss| half_lambda(loss) * surd(loss.pruning.lost() * loss.pruning.next.clone())),
            ),
            part(
                "best-term",
                "increase <= lambda_max ||theta||_1^2 / (8 nu)",
                at_most(Rules::AnyCount, |loss| loss.lambda_max.clone() * surd(loss.norm.clone() / rational(8 * loss.pruning.kept))),
            ),
            part(
                "trace",
                "increase <= (1/2) Tr(H) ||theta||_1^2 (1 - s_eff)/(nu + 1)",
                at_most(Rules::AnyCount, |loss| {
                    Rational::new(1, 2) * loss.trace.clone() * loss.norm.clone() * loss.pruning.lost() / rational(loss.pruning.kept + 1)
                }),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("lemma-pointwise", "increase <= ((1 - rho)/(2 N rho)) Tr(H) ||theta - theta^nu||^2", at_most(Rules::One, lemma)),
            mutant(
                "tail-one-percent",
                "increase <= 0.99 (lambda_max/2) ||theta||_1^2 tau",
                at_most(Rules::AnyCount, |loss| half_lambda(loss) * surd(Rational::new(99, 100) * loss.pruning.tail.clone())),
            ),
            mutant(
                "mean-eigenvalue",
                "increase <= (Tr(H)/(2N)) ||theta||_1^2 tau",
                at_most(Rules::AnyCount, |loss| loss.trace.clone() / rational(2 * loss.pruning.n) * loss.norm.clone() * loss.pruning.tail.clone()),
            ),
        ]
    }
    Claim {
        id: "emp/loss-smooth",
        statement: "0 <= L(theta^nu) - L(theta*) <= (lambda_max/2) ||theta*||_1^2 tau <= (lambda_max/2) ||theta*||_1^2 (1-s_eff) omega_(nu+1) <= lambda_max ||theta*||_1^2/(8 nu); for quadratics also <= (1/2) Tr(H) ||theta*||_1^2 (1-s_eff)/(nu+1)",
        assumptions: QUADRATIC,
        provenance: Provenance::Derived,
        source: "Taylor's formula and emp/tail-energy",
        declared: Verdict::Holds,
        argument: "The increase is the integral of (1-t) d^T H(theta* + t d) d with d the pruned part, and ||d||_2^2 = ||theta*||_1^2 tau. The first inequality is an equality for H = lambda I.",
        gap: Some("losses that are not quadratic, and Hessians that are neither diagonal nor of rank two or less, are argued by Taylor's formula"),
        finding: None,
        see: &["emp/tail-energy", "emp/loss-paper"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn loss_paper() -> Claim {
    fn parts() -> Vec<Part> {
        vec![part(
            "pointwise",
            "increase <= ||theta||_1^2 Tr(H) ((1-rho)^4/(2 rho)) (1 - sqrt((1-rho)/(N rho)))^2",
            on_quadratics(Rules::One, |loss| Judgement::compare(loss.increase.clone(), Relation::Le, printed(loss))),
        )]
    }
    Claim {
        id: "emp/loss-paper",
        statement: "The loss increase is at most ||theta*||_1^2 Tr(H) ((1-rho)^4/(2 rho)) (1 - sqrt((1-rho)/(N rho)))^2, read as a bound at every N",
        assumptions: &["quadratic loss with positive semidefinite Hessian", "magnitude scores, nu = floor(N_eff) < N"],
        provenance: Provenance::Paper,
        source: "authors' public README, eq. (5), and public notes, where it is an asymptotic statement (N to infinity, rho fixed)",
        declared: Verdict::Refuted,
        argument: "theta = (3,3,3,1) with H = e4 e4^T has nu = 3 and increase 1/2, while the expression is 0.1317... The factor is not near zero for N = 1000 and rho > 0.2 either: it is 0.8985... at rho = 0.2 and 0.0586... at rho = 0.5.",
        gap: None,
        finding: Some(Finding {
            printed: "loss increase <~ ||theta||_1^2 Tr(H) ((1-rho)^4/(2 rho))(1 - sqrt((1-rho)/(N rho)))^2 (README, eq. (5))",
            truth: "false at small N; true for quadratics under the condition of emp/loss-paper-psd, roughly N >= 1/(1-rho)^3",
        }),
        see: &["emp/loss-paper-lemma", "emp/loss-paper-psd", "emp/loss-smooth"],
        parts,
        mutants: no_mutants,
        without_mutants: Some(ALREADY_FALSE),
    }
}

fn loss_paper_lemma() -> Claim {
    fn parts() -> Vec<Part> {
        vec![part("pointwise", "increase <= ((1 - rho)/(2 N rho)) Tr(H) ||theta - theta^nu||_2^2", at_most(Rules::One, lemma))]
    }
    Claim {
        id: "emp/loss-paper-lemma",
        statement: "The loss increase is at most ((1-rho)/(2 N rho)) Tr(H) ||theta* - theta^nu||_2^2, read pointwise in H",
        assumptions: &["quadratic loss with positive semidefinite Hessian", "magnitude scores, nu = floor(N_eff) < N"],
        provenance: Provenance::Paper,
        source: "the lemma (Zhang et al. 2023, Lemma 3.1) that the README's eq. (5) rests on, as quoted in public notes",
        declared: Verdict::Refuted,
        argument: "For H = v v^T with v the pruned part, increase / bound = N rho/(1 - rho), which grows without limit: not even true asymptotically for an adversarial Hessian. An average over the directions of H would be another statement.",
        gap: None,
        finding: Some(Finding {
            printed: "loss increase <= ((1-rho)/(2 N rho)) Tr(H) ||theta - theta^nu||^2 (public notes)",
            truth: "loss increase <= (lambda_max/2) ||theta - theta^nu||^2, attained",
        }),
        see: &["emp/loss-paper", "emp/loss-smooth"],
        parts,
        mutants: no_mutants,
        without_mutants: Some(ALREADY_FALSE),
    }
}

/// (1-rho)(1-t)/(nu+1) <= ((1-rho)^4/rho)(1 - sqrt((1-rho)/(N rho)))^2, exactly.
fn condition(loss: &Loss) -> bool {
    let (nu, n) = (loss.pruning.kept, loss.pruning.n);
    let root: QuadraticSurd = printed_root(nu, n);
    let left = surd((one() - loss.pruning.density()) / rational(nu + 1)) * (surd(one()) - root);
    let right = surd(Rational::from(2)) * printed_loss_factor::<QuadraticSurd>(nu, n);
    left.le(&right).is_true()
}

fn loss_paper_psd() -> Claim {
    fn check(need: bool, factor: Rational) -> Check {
        on_quadratics(Rules::One, move |loss| {
            if loss.pruning.kept < 2 || (need && !condition(loss)) {
                return Judgement::Unmet;
            }
            Judgement::compare(loss.increase.clone(), Relation::Le, surd(factor.clone()) * printed(loss))
        })
    }
    fn parts() -> Vec<Part> {
        vec![part("bound", "the printed expression bounds the increase", check(true, one()))]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("without-condition", "the printed expression bounds the increase for every nu >= 2", check(false, one())),
            mutant("hundredth", "1/100 of the printed expression bounds the increase under the condition", check(true, Rational::new(1, 100))),
        ]
    }
    Claim {
        id: "emp/loss-paper-psd",
        statement: "For quadratics with H >= 0 and nu >= 2 the README's expression bounds the loss increase whenever (1-rho)(1-t)/(nu+1) <= ((1-rho)^4/rho)(1 - sqrt((1-rho)/(N rho)))^2",
        assumptions: &[
            "quadratic loss with positive semidefinite Hessian",
            "magnitude scores, 2 <= nu = floor(N_eff) < N",
            "(1-rho)(1-t)/(nu+1) <= ((1-rho)^4/rho)(1 - sqrt((1-rho)/(N rho)))^2, t = t(nu, N)",
        ],
        provenance: Provenance::Derived,
        source: "emp/loss-smooth with 1 - s_eff < (1-rho)(1-t) from emp/mass-exact",
        declared: Verdict::Holds,
        argument: "The increase is at most (1/2) Tr(H) ||theta||_1^2 (1-s_eff)/(nu+1), and 1 - s_eff < (1-rho)(1-t); the condition says that this is below the expression.",
        gap: Some("Hessians that are neither diagonal nor of rank two or less are argued through emp/loss-smooth"),
        finding: None,
        see: &["emp/loss-paper", "emp/loss-smooth"],
        parts,
        mutants,
        without_mutants: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emp::algorithm::Keep;
    use crate::emp::instances::Scores;

    /// The largest eigenvalue of v v^T + w w^T has the eigenvector x = (v.w) v + (lambda - |v|^2) w: H x = lambda x, entry by entry; the trace bounds it.
    #[test]
    fn rank_two_eigenvalues_have_eigenvectors() {
        let mut irrational = 0;
        for (v, w) in [([1, 2, 0], [0, 1, 3]), ([1, -1, 2], [3, 1, 1]), ([2, 0, 0], [1, 1, 1]), ([5, 1, -2], [-1, 4, 0])] {
            let scores = Scores::new(vec![3, 2, 1], Keep::Count(1));
            let loss = evaluate(&Quadratic { scores, hessian: Hessian::RankTwo(v.to_vec(), w.to_vec()) }).expect("the scores are not all zero");
            irrational += i32::from(loss.lambda_max.as_rational().is_none());
            let dot = |a: &[i64; 3], b: &[i64; 3]| surd(Rational::from((0..3).map(|i| a[i] * b[i]).sum::<i64>()));
            let (a, b) = (dot(&v, &w), loss.lambda_max.clone() - dot(&v, &v));
            let entry = |u: &[i64; 3], i: usize| surd(Rational::from(u[i]));
            let x: Vec<QuadraticSurd> = (0..3).map(|i| a.clone() * entry(&v, i) + b.clone() * entry(&w, i)).collect();
            let along = |u: &[i64; 3]| (0..3).fold(surd(Rational::from(0)), |sum, i| sum + entry(u, i) * x[i].clone());
            for (i, component) in x.iter().enumerate() {
                let image = along(&v) * entry(&v, i) + along(&w) * entry(&w, i);
                assert!(image.equals(&(loss.lambda_max.clone() * component.clone())).is_true(), "{v:?} {w:?}");
            }
            let (trace, twice) = (surd(loss.trace.clone()), loss.lambda_max.clone() + loss.lambda_max.clone());
            assert!(loss.lambda_max.le(&trace).is_true() && trace.le(&twice).is_true(), "the larger of two eigenvalues that sum to the trace");
        }
        assert!(irrational > 0, "a radical occurs");
    }
}
