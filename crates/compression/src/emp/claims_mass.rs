//! Claims on the preserved mass at beta = 1: the printed floor and the corrected theorem.

use super::algorithm::Pruning;
use super::bounds::{edge_mass, mass_ceiling, printed_floor};
use super::claims::{ALREADY_FALSE, SCORES, mutant, no_mutants, on_scores, one, part, property, pruned, rational, surd};
use super::instances::{Rules, Scores};
use claim::{Check, Claim, Coverage, ExactPart, Family, Finding, Instance, Judgement, Mutant, Outcome, Part, Provenance, Relation, Tape, Verdict};
use numeric::{Field, Ordered, QuadraticSurd, Rational, Surd};

pub(super) fn all() -> Vec<Claim> {
    vec![mass_paper(), mass_exact()]
}

fn mass_paper() -> Claim {
    fn parts() -> Vec<Part> {
        vec![part("floor", "s_eff >= nu/N + ((N - nu)/N) t(nu, N) for every nu <= N - 1", at_least_printed(1, one()))]
    }
    Claim {
        id: "emp/mass-paper",
        statement: "With nu = floor(N_eff) <= N - 1 the preserved mass is at least P(nu, N) = nu/N + ((N-nu)/N) sqrt((N-nu-1)/((nu+1)(N-1)))",
        assumptions: SCORES,
        provenance: Provenance::Paper,
        source: "authors' public README, Theorem 4.2; also public notes (if the paper's theorem assumes nu >= 2, only these are wrong)",
        declared: Verdict::Refuted,
        argument: "False for nu = 1 and every N >= 3: two weights near 1/2 keep only half of the mass, while P(1, 3) = 2/3. (51,49,0) has N_eff = 5000/2501 < 2 and s_eff = 51/100. True for nu >= 2 and for (nu, N) = (1, 2).",
        gap: None,
        finding: Some(Finding {
            printed: "s_eff >= P(nu, N) for nu = floor(N_eff) (README, Theorem 4.2: a universal tight lower bound)",
            truth: "for nu = 1 the infimum is 1/2; for nu >= 2 the bound is strict, and tight as an infimum",
        }),
        see: &["emp/mass-exact"],
        parts,
        mutants: no_mutants,
        without_mutants: Some(ALREADY_FALSE),
    }
}

/// s_eff >= factor P(nu, N), for nu from `from` to N - 1, at beta = 1.
fn at_least_printed(from: u64, factor: Rational) -> Check {
    on_scores(Rules::One, move |_, pruning| {
        if !pruned(pruning) || pruning.kept < from {
            return Judgement::Unmet;
        }
        let floor: QuadraticSurd = printed_floor(pruning.kept, pruning.n);
        Judgement::compare(pruning.mass.clone(), Relation::Ge, surd(factor.clone()) * floor)
    })
}

/// s_eff >= factor A(q, nu, N), for nu >= 2.
fn at_least_edge(factor: Rational) -> Check {
    on_scores(Rules::One, move |_, pruning| {
        if !pruned(pruning) || pruning.kept < 2 {
            return Judgement::Unmet;
        }
        Judgement::compare(pruning.mass.clone(), Relation::Ge, surd(factor.clone()) * edge_mass(&surd(pruning.q.clone()), pruning.kept, pruning.n))
    })
}

/// nu = 1: omega_(1) >= (1 + sqrt(2q - 1))/2 = A(q, 1, 2), with `two` in place of the 2 under the root.
fn single(two: Rational, relation: Relation) -> Check {
    on_scores(Rules::One, move |_, pruning| {
        if !pruned(pruning) || pruning.kept != 1 {
            return Judgement::Unmet;
        }
        let root = surd(two.clone() * pruning.q.clone() - one()).sqrt();
        Judgement::compare(pruning.mass.clone(), relation, (surd(one()) + root) / surd(Rational::from(2)))
    })
}

/// Short integer vectors, for the check in machine integers.
struct ShortScores;

impl Family for ShortScores {
    type Instance = Scores;

    fn id(&self) -> String {
        "short-scores".into()
    }

    fn domain(&self) -> String {
        "eight integer scores, beta = 1: heavy-tailed to 2^20, checked in machine integers by squares".into()
    }

    fn special(&self) -> Vec<Scores> {
        let rule = super::algorithm::Keep::Beta(1, 1);
        [vec![1; 8], vec![8, 3, 3, 3, 3, 3, 3, 3], vec![1, 0, 0, 0, 0, 0, 0, 0], vec![51, 49, 0, 0, 0, 0, 0, 0]]
            .map(|values| Scores::new(values, rule))
            .to_vec()
    }

    fn tape_len(&self) -> usize {
        8
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Scores {
        Scores::new((0..8).map(|_| tape.heavy(1 << 20) - 1).collect(), super::algorithm::Keep::Beta(1, 1))
    }
}

/// (a) for `from` = 2, (b) for 1, on many short vectors in machine integers; a failure is described by the generic formula.
fn by_squares(from: u64) -> Check {
    fn judge(from: u64, scores: &Scores) -> Judgement {
        let Some(pruning) = scores.prune() else { return Judgement::Unmet };
        if !pruned(&pruning) || pruning.kept.min(2) != from {
            return Judgement::Unmet;
        }
        let k = if from == 1 { 2 } else { pruning.n };
        Judgement::compare(pruning.mass.clone(), Relation::Ge, edge_mass(&surd(pruning.q.clone()), pruning.kept, k))
    }
    fn fast(from: u64, scores: &Scores) -> Option<Outcome> {
        let (nu, holds) = super::algorithm::mass_floor_by_squares(&scores.values)?;
        let met = nu < scores.values.len() as u64 && nu.min(2) == from;
        Some(if met { Outcome::from(numeric::Truth::from(holds)) } else { Outcome::Unmet })
    }
    let fast: fn(&Scores) -> Option<Outcome> = if from == 1 { |scores| fast(1, scores) } else { |scores| fast(2, scores) };
    ExactPart::new(ShortScores, move |scores: &Scores| judge(from, scores)).with_fast(fast).erase()
}

/// An extremal vector E1 for given (nu, N) with t within 2^-bits above t(nu, N), or the pair (1/2 + d, 1/2 - d) for nu = 1.
#[derive(Clone, Hash)]
struct Approach {
    nu: u64,
    n: u64,
    bits: u32,
}

impl Approach {
    /// The first weight, and the weight of each of the others that are not zero.
    fn weights(&self) -> (Rational, Rational) {
        if self.nu == 1 {
            let d = Rational::new(1, 1_i64 << self.bits);
            return (Rational::new(1, 2) + d.clone(), Rational::new(1, 2) - d);
        }
        // t(nu, N) rounded up to a multiple of 2^-bits, plus one more, so that N_eff stays below nu + 1.
        let root: QuadraticSurd = super::bounds::printed_root(self.nu, self.n);
        let scale = Rational::new(1_i64 << self.bits, 1);
        let steps = (root * surd(scale.clone())).floor();
        let t = (steps.as_rational().cloned().unwrap_or(Rational::UNDEFINED) + one()) / scale;
        let n = rational(self.n);
        ((one() + t.clone() * (n.clone() - one())) / n.clone(), (one() - t) / n)
    }
}

impl Instance for Approach {
    fn show(&self) -> String {
        let (first, other) = self.weights();
        format!("nu = {}, N = {}, weights ({first}, {other}, ..)", self.nu, self.n)
    }
}

struct Approaches;

impl Family for Approaches {
    type Instance = Approach;

    fn id(&self) -> String {
        "approach".into()
    }

    fn domain(&self) -> String {
        "the extremal weights for 1 <= nu < N <= 40, within 2^-10 and 2^-30 of their limit".into()
    }

    fn special(&self) -> Vec<Approach> {
        (2..=40).flat_map(|n| (1..n).flat_map(move |nu| [10, 30].map(|bits| Approach { nu, n, bits }))).collect()
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Approach {
        Approach { nu: 1, n: 2, bits: 10 }
    }
}

/// The infimum is approached: at the extremal weights nu is the retained count and s_eff exceeds the infimum by at most 4 * 2^-bits.
fn approach(limit: fn(u64, u64) -> QuadraticSurd) -> Check {
    ExactPart::new(Approaches, move |case: &Approach| {
        let (first, other) = case.weights();
        let others = if case.nu == 1 { one() } else { rational(case.n - 1) };
        let q = first.square() + others * other.square();
        // Uniform weights (t = 0 at nu = N - 1) have N_eff = N; t > 0 keeps below.
        if q.recip().floor() != rational(case.nu) || other.signum() == Some(-1) {
            return Judgement::Unmet;
        }
        let mass = first + rational(case.nu - 1) * other;
        let slack = Rational::new(4, 1_i64 << case.bits);
        Judgement::compare(mass, Relation::Le, limit(case.nu, case.n) + surd(slack))
    })
    .covering(Coverage::FiniteFamily)
    .erase()
}

/// The infimum of the preserved mass for given nu: 1/2 for nu = 1, else P(nu, N).
fn infimum(nu: u64, n: u64) -> QuadraticSurd {
    if nu == 1 { surd(Rational::new(1, 2)) } else { printed_floor(nu, n) }
}

/// Whether the weights are (a, b, .., b) with a >= b.
fn one_level_below(scores: &Scores) -> bool {
    scores.values.len() < 2 || scores.values[1] == scores.values[scores.values.len() - 1]
}

/// Whether the first nu weights are equal and so are the rest.
fn two_levels(scores: &Scores, pruning: &Pruning) -> bool {
    let (head, rest) = scores.values.split_at(pruning.kept as usize);
    head.first() == head.last() && rest.first() == rest.last()
}

fn mass_exact() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            Part { name: "a", statement: "nu >= 2: s_eff >= A(q, nu, N)", checks: vec![at_least_edge(one()), by_squares(2)] },
            part(
                "a-equality",
                "nu >= 2: equality in (a) if and only if omega = (a, b, .., b)",
                on_scores(Rules::One, |scores, pruning| {
                    if !pruned(pruning) || pruning.kept < 2 {
                        return Judgement::Unmet;
                    }
                    let edge = edge_mass(&surd(pruning.q.clone()), pruning.kept, pruning.n);
                    let equal = edge.equals(&surd(pruning.mass.clone())).is_true();
                    property(equal == one_level_below(scores), || format!("s_eff = {}, A = {edge}", pruning.mass))
                }),
            ),
            Part {
                name: "b",
                statement: "nu = 1: omega_(1) >= (1 + sqrt(2q - 1))/2",
                checks: vec![single(Rational::from(2), Relation::Ge), by_squares(1)],
            },
            part(
                "b-equality",
                "nu = 1: equality in (b) if and only if at most two scores are nonzero",
                on_scores(Rules::One, |scores, pruning| {
                    if !pruned(pruning) || pruning.kept != 1 {
                        return Judgement::Unmet;
                    }
                    let edge = edge_mass(&surd(pruning.q.clone()), 1, 2);
                    let few = scores.values.get(2).is_none_or(|&third| third == 0);
                    property(edge.equals(&surd(pruning.mass.clone())).is_true() == few, || format!("s_eff = {}, bound {edge}", pruning.mass))
                }),
            ),
            part(
                "c",
                "s_eff > P(nu, N) if nu >= 2, s_eff > 1/2 if nu = 1",
                on_scores(Rules::One, |_, pruning| {
                    if !pruned(pruning) {
                        Judgement::Unmet
                    } else {
                        Judgement::compare(pruning.mass.clone(), Relation::Gt, infimum(pruning.kept, pruning.n))
                    }
                }),
            ),
            part("c-infimum", "the bounds in (c) are approached to any accuracy", approach(infimum)),
            part("d", "s_eff <= nu/N + sqrt((nu (N - nu)/N)(q - 1/N))", ceiling(one())),
            part(
                "d-equality",
                "equality in (d) if and only if the nu largest weights are equal and the others are",
                on_scores(Rules::One, |scores, pruning| {
                    if !pruned(pruning) {
                        return Judgement::Unmet;
                    }
                    let bound = mass_ceiling(&surd(pruning.q.clone()), pruning.kept, pruning.n);
                    property(bound.equals(&surd(pruning.mass.clone())).is_true() == two_levels(scores, pruning), || {
                        format!("s_eff = {}, bound {bound}", pruning.mass)
                    })
                }),
            ),
        ]
    }
    fn ceiling(factor: Rational) -> Check {
        on_scores(Rules::One, move |_, pruning| {
            if !pruned(pruning) {
                return Judgement::Unmet;
            }
            Judgement::compare(
                pruning.mass.clone(),
                Relation::Le,
                surd(factor.clone()) * mass_ceiling(&surd(pruning.q.clone()), pruning.kept, pruning.n),
            )
        })
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("nu-one-included", "s_eff >= P(nu, N) for all nu", at_least_printed(1, one())),
            mutant("one-percent", "s_eff >= 1.01 P(nu, N) for nu >= 2", at_least_printed(2, Rational::new(101, 100))),
            mutant("one-percent-edge", "s_eff >= 1.01 A(q, nu, N) for nu >= 2", at_least_edge(Rational::new(101, 100))),
            mutant(
                "asymptotic",
                "1 - s_eff <= (1 - rho)(1 - sqrt((1 - rho)/(N rho))), the limit form as a bound, for nu >= 2",
                on_scores(Rules::One, |_, pruning| {
                    if !pruned(pruning) || pruning.kept < 2 {
                        return Judgement::Unmet;
                    }
                    let lost = one() - pruning.density();
                    let root = surd(lost.clone() / rational(pruning.kept)).sqrt();
                    Judgement::compare(pruning.lost(), Relation::Le, surd(lost) * (surd(one()) - root))
                }),
            ),
            mutant("single-tight", "nu = 1: omega_(1) >= (1 + sqrt(2.02 q - 1))/2", single(Rational::new(202, 100), Relation::Ge)),
            mutant("single-strict", "nu = 1: omega_(1) > (1 + sqrt(2q - 1))/2", single(Rational::from(2), Relation::Gt)),
            mutant("ceiling-one-percent", "s_eff <= 0.99 times the bound (d)", ceiling(Rational::new(99, 100))),
            mutant(
                "infimum-lower",
                "s_eff comes within 4 * 2^-bits of 0.99 P(nu, N)",
                approach(|nu, n| surd(Rational::new(99, 100)) * infimum(nu, n)),
            ),
        ]
    }
    Claim {
        id: "emp/mass-exact",
        statement: "beta = 1, N >= 2, nu = floor(1/q) <= N - 1: (a) nu >= 2: s_eff >= A(q,nu,N), equality iff omega = (a,b,..,b); (b) nu = 1: s_eff >= (1+sqrt(2q-1))/2, equality iff at most two nonzero; (c) universally s_eff > P(nu,N) (nu >= 2) or > 1/2 (nu = 1), both strict infima; (d) s_eff <= nu/N + sqrt((nu(N-nu)/N)(q-1/N))",
        assumptions: SCORES,
        provenance: Provenance::Derived,
        source: "corrects the README's Theorem 4.2",
        declared: Verdict::Holds,
        argument: "(1) The mass of the nu largest is linear and {sum omega^2 >= q} is reverse convex, so a minimizer over the ordered simplex lies on one of its edges [zeta_j, zeta_k]: inside a larger face there is a line along which the mass is constant and, one way, the squares do not fall. (2) On an edge the squared norm is 1/k + u^2 (k-j)/(jk), and the mass nu/k + u(k-nu)/k with u = sqrt(j(qk-1)/(k-j)) rises with j, so j = 1: A(q,nu,k). (3) In k, A rises then falls (emp/mass-step-3), so k = nu+1 or N. (4) For nu >= 2, A at nu+2 is not above A at nu+1 (emp/mass-step-4), so k = N; for nu = 1, A increases in k and k = 2. (5) A increases in q (emp/mass-step-5) and q > 1/(nu+1) strictly.",
        gap: Some("steps (1) and (2), the reduction to edges of the simplex, hold for all real weights and are argued, not computed"),
        finding: None,
        see: &["emp/mass-paper", "emp/mass-step-3", "emp/mass-step-4", "emp/mass-step-5", "emp/mass-beta"],
        parts,
        mutants,
        without_mutants: None,
    }
}
