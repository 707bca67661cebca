//! Claims on N_eff, the retained count and the tail; and what the claims' files share.

use super::algorithm::Pruning;
use super::instances::{Rules, ScoreFamily, Scores};
use claim::{Check, Claim, ExactPart, Finding, Judgement, Mutant, Part, Provenance, Relation, Verdict};
use numeric::{Field, Ordered, QuadraticSurd, Rational};

/// The exact check of a judgement on the score vectors.
pub(super) fn on_scores(rules: Rules, judge: impl Fn(&Scores, &Pruning) -> Judgement + Send + Sync + 'static) -> Check {
    ExactPart::new(ScoreFamily { rules }, move |scores: &Scores| scores.prune().map_or(Judgement::Unmet, |pruning| judge(scores, &pruning))).erase()
}

pub(super) use claim::{mutant, part};

pub(super) fn rational(value: u64) -> Rational {
    Rational::from(value)
}

pub(super) fn one() -> Rational {
    Rational::from(1)
}

pub(super) fn no_mutants() -> Vec<Mutant> {
    Vec::new()
}

/// Why a false reading has no mutants of its own.
pub(super) const ALREADY_FALSE: &str = "the reading is false itself; the corrected claim carries the mutants";

pub(super) fn property(holds: bool, detail: impl FnOnce() -> String) -> Judgement {
    Judgement::Property { holds, detail: if holds { String::new() } else { detail() } }
}

/// The assumptions that every claim on scores shares.
pub(super) const SCORES: &[&str] = &["scores are finite and not all zero", "weights omega_i = |s_i| / sum |s_j|, sorted in descending order"];

pub(super) fn all() -> Vec<Claim> {
    vec![neff_basic(), neff_basic_as_printed(), tail_energy()]
}

fn one_hot(pruning: &Pruning) -> bool {
    pruning.first == one()
}

fn uniform(scores: &Scores) -> bool {
    scores.values.first() == scores.values.last()
}

fn nonzero(scores: &Scores) -> u64 {
    scores.values.iter().filter(|&&value| value > 0).count() as u64
}

/// ||omega - zeta_N||^2 as a sum over the entries, without using q.
fn squared_distance_to_centroid(scores: &Scores) -> Rational {
    let total = Rational::from_i128(scores.values.iter().map(|&value| i128::from(value)).sum(), 1);
    let centre = rational(scores.values.len() as u64).recip();
    scores.values.iter().fold(Rational::from(0), |sum, &value| sum + (Rational::from(value) / total.clone() - centre.clone()).square())
}

fn scaled(scores: &Scores, factor: i64) -> Option<Scores> {
    let values: Option<Vec<i64>> = scores.values.iter().map(|value| value.checked_mul(factor)).collect();
    Some(Scores { values: values?, keep: scores.keep })
}

fn padded(scores: &Scores, zeros: usize) -> Scores {
    let mut values = scores.values.clone();
    values.extend(std::iter::repeat_n(0, zeros));
    Scores { values, keep: scores.keep }
}

/// nu S2 <= S1^2 < (nu + 1) S2, unless nu is clamped at N (beta = 1 never clamps below).
fn is_floor(scores: &Scores, count: u64) -> bool {
    let sum = Rational::from_i128(scores.values.iter().map(|&value| i128::from(value)).sum(), 1);
    let squares = scores.values.iter().fold(Rational::from(0), |total, &value| total + Rational::from(value).square());
    let (below, above) = (squares.clone() * rational(count), squares * rational(count + 1));
    below <= sum.square() && sum.square() < above
}

/// Ranks kept by the printed snippet: everything at or above the entry of 0-based rank nu.
fn printed_mask(scores: &Scores, pruning: &Pruning) -> u64 {
    let threshold = scores.values.get(pruning.kept as usize).copied().unwrap_or(0);
    scores.values.iter().filter(|&&value| value >= threshold).count() as u64
}

/// Entries above the empirical quantile at nu/N (the wrong side: it keeps about N - nu).
fn quantile_mask(scores: &Scores, pruning: &Pruning) -> u64 {
    let n = scores.values.len();
    // Linear interpolation at position (nu/N)(N - 1) of the ascending order, as array libraries do.
    let position = pruning.density() * rational(n as u64 - 1);
    let index = position.floor_big().try_into().unwrap_or(0_usize).min(n - 1);
    let ascending = |i: usize| Rational::from(scores.values[n - 1 - i.min(n - 1)]);
    let fraction = position.clone() - position.floor();
    let threshold = ascending(index) + fraction * (ascending(index + 1) - ascending(index));
    scores.values.iter().filter(|&&value| Rational::from(value) > threshold).count() as u64
}

fn neff_basic() -> Claim {
    fn parts() -> Vec<Part> {
        let size = |relation, other: fn(&Scores, &Pruning) -> Rational| {
            on_scores(Rules::One, move |scores, pruning| Judgement::compare(pruning.n_eff(), relation, other(scores, pruning)))
        };
        vec![
            part("at-least-one", "N_eff >= 1", size(Relation::Ge, |_, _| one())),
            part("at-most-n", "N_eff <= N", size(Relation::Le, |_, pruning| rational(pruning.n))),
            part("at-most-support", "N_eff <= number of nonzero scores", size(Relation::Le, |scores, _| rational(nonzero(scores)))),
            part("above-first", "N_eff >= 1/omega_(1)", size(Relation::Ge, |_, pruning| pruning.first.recip())),
            part("below-first-squared", "N_eff <= 1/omega_(1)^2", size(Relation::Le, |_, pruning| pruning.first.square().recip())),
            part(
                "one-iff-one-hot",
                "N_eff = 1 if and only if one score is nonzero",
                on_scores(Rules::One, |_, pruning| {
                    property((pruning.n_eff() == one()) == one_hot(pruning), || format!("N_eff = {}", pruning.n_eff()))
                }),
            ),
            part(
                "n-iff-uniform",
                "N_eff = N if and only if all scores are equal",
                on_scores(Rules::One, |scores, pruning| {
                    property((pruning.n_eff() == rational(pruning.n)) == uniform(scores), || format!("N_eff = {}", pruning.n_eff()))
                }),
            ),
            part(
                "floor",
                "nu S2 <= S1^2 < (nu + 1) S2",
                on_scores(Rules::One, |scores, pruning| property(is_floor(scores, pruning.kept), || format!("nu = {}", pruning.kept))),
            ),
            part(
                "zeros",
                "appending zero scores leaves N_eff, nu and s_eff unchanged",
                on_scores(Rules::One, |scores, pruning| {
                    let longer = padded(scores, 3).prune();
                    property(longer.is_some_and(|more| more.q == pruning.q && more.kept == pruning.kept && more.mass == pruning.mass), || {
                        "changed".into()
                    })
                }),
            ),
            part(
                "scale",
                "N_eff, nu and s_eff do not change when all scores are multiplied by the same number",
                on_scores(Rules::One, |scores, pruning| match scaled(scores, 7) {
                    None => Judgement::Unmet,
                    Some(seven) => property(
                        seven.prune().is_some_and(|more| more.q == pruning.q && more.kept == pruning.kept && more.mass == pruning.mass),
                        || "changed".into(),
                    ),
                }),
            ),
            part(
                "next-weight",
                "omega_(nu+1) <= 1/(nu + 1)",
                on_scores(Rules::One, |_, pruning| Judgement::compare(pruning.next.clone(), Relation::Le, rational(pruning.kept + 1).recip())),
            ),
            part(
                "centroid",
                "||omega - zeta_N||^2 = 1/N_eff - 1/N, zeta_N the uniform weights",
                on_scores(Rules::One, |scores, pruning| {
                    Judgement::compare(squared_distance_to_centroid(scores), Relation::Eq, pruning.q.clone() - rational(pruning.n).recip())
                }),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        let counted = |count: fn(&Pruning) -> Rational| {
            on_scores(Rules::One, move |scores, pruning| {
                let nu = count(pruning);
                let nu = nu.to_i128().and_then(|value| u64::try_from(value).ok()).unwrap_or(0);
                property(is_floor(scores, nu), || format!("nu = {nu}"))
            })
        };
        let sized = |relation, other: fn(&Scores, &Pruning) -> Rational| {
            on_scores(Rules::One, move |scores, pruning| Judgement::compare(pruning.n_eff(), relation, other(scores, pruning)))
        };
        vec![
            mutant("support-strict", "N_eff < number of nonzero scores", sized(Relation::Lt, |scores, _| rational(nonzero(scores)))),
            mutant("first-strict", "N_eff > 1/omega_(1)", sized(Relation::Gt, |_, pruning| pruning.first.recip())),
            mutant("first-unsquared", "N_eff <= 1/omega_(1)", sized(Relation::Le, |_, pruning| pruning.first.recip())),
            mutant(
                "centroid-reciprocal",
                "||omega - zeta_N||^2 = 1/N_eff",
                on_scores(Rules::One, |scores, pruning| {
                    Judgement::compare(squared_distance_to_centroid(scores), Relation::Eq, pruning.n_eff().recip())
                }),
            ),
            mutant(
                "rounded",
                "nu = round(N_eff) satisfies nu S2 <= S1^2 < (nu + 1) S2",
                counted(|pruning| (pruning.n_eff() + Rational::new(1, 2)).floor()),
            ),
            mutant("ceiling", "nu = ceil(N_eff) satisfies nu S2 <= S1^2 < (nu + 1) S2", counted(|pruning| pruning.n_eff().ceil())),
            mutant(
                "mask-off-by-one",
                "keeping all scores at or above the one of 0-based rank nu keeps nu of them",
                on_scores(Rules::One, |scores, pruning| {
                    let kept = printed_mask(scores, pruning);
                    property(kept == pruning.kept, || format!("{kept} kept, nu = {}", pruning.kept))
                }),
            ),
            mutant(
                "quantile-side",
                "keeping the scores above their quantile at nu/N keeps nu of them",
                on_scores(Rules::One, |scores, pruning| {
                    let kept = quantile_mask(scores, pruning);
                    property(kept == pruning.kept, || format!("{kept} kept, nu = {}", pruning.kept))
                }),
            ),
            mutant(
                "next-weight-tight",
                "omega_(nu+1) <= 1/(nu + 2)",
                on_scores(Rules::One, |_, pruning| Judgement::compare(pruning.next.clone(), Relation::Le, rational(pruning.kept + 2).recip())),
            ),
            mutant(
                "shift-invariant",
                "N_eff does not change when 1 is added to all scores",
                on_scores(Rules::One, |scores, pruning| {
                    let moved = Scores { values: scores.values.iter().map(|value| value.saturating_add(1)).collect(), keep: scores.keep };
                    moved.prune().map_or(Judgement::Unmet, |moved| Judgement::compare(moved.n_eff(), Relation::Eq, pruning.n_eff()))
                }),
            ),
        ]
    }
    Claim {
        id: "emp/neff-basic",
        statement: "N_eff = (sum |s|)^2 / sum s^2 lies in [1, N], is 1 only for one-hot and N only for uniform scores, is invariant under scaling and zero padding, and nu = floor(N_eff) satisfies omega_(nu+1) <= 1/(nu+1); ||omega - zeta_N||^2 = 1/N_eff - 1/N",
        assumptions: SCORES,
        provenance: Provenance::Derived,
        source: "Cauchy-Schwarz and the definition of the floor",
        declared: Verdict::Holds,
        argument: "q = sum omega^2 is at least 1/N by Cauchy-Schwarz and at most (max omega)(sum omega) = omega_(1) <= 1; omega_(1)^2 <= q. Expanding the square gives the centroid identity. If omega_(nu+1) > 1/(nu+1), the first nu + 1 weights would sum to more than 1.",
        gap: Some("the inequalities are for all real scores; the exact route checks integer vectors"),
        finding: None,
        see: &["emp/neff-basic-as-printed"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn neff_basic_as_printed() -> Claim {
    fn parts() -> Vec<Part> {
        vec![part(
            "reciprocal-distance",
            "N_eff ||omega - zeta_N||^2 = 1",
            on_scores(Rules::One, |scores, pruning| {
                // Equal weights are at the centroid: there the reciprocal does not exist.
                if uniform(scores) {
                    Judgement::Unmet
                } else {
                    Judgement::compare(pruning.n_eff() * squared_distance_to_centroid(scores), Relation::Eq, one())
                }
            }),
        )]
    }
    Claim {
        id: "emp/neff-basic-as-printed",
        statement: "N_eff is the reciprocal of the squared distance of the weights to the centroid of the simplex",
        assumptions: SCORES,
        provenance: Provenance::Paper,
        source: "public secondary notes on the paper (the paper's own text was not read)",
        declared: Verdict::Refuted,
        argument: "The squared distance to the centroid is 1/N_eff - 1/N, so the reciprocal is N_eff N/(N - N_eff); for (5,4,1) N_eff = 50/21 and the reciprocal is 150/13. The reciprocal of the squared distance to the origin would be right.",
        gap: None,
        finding: Some(Finding {
            printed: "N_eff is the reciprocal of the squared distance to the centroid (public notes)",
            truth: "||omega - zeta_N||^2 = 1/N_eff - 1/N",
        }),
        see: &["emp/neff-basic"],
        parts,
        mutants: no_mutants,
        without_mutants: Some(ALREADY_FALSE),
    }
}

fn tail_energy() -> Claim {
    /// tau against an upper bound, for nu < N.
    fn at_most(bound: impl Fn(&Pruning) -> Rational + Send + Sync + 'static) -> Check {
        on_scores(Rules::AnyCount, move |_, pruning| {
            if pruning.kept >= pruning.n { Judgement::Unmet } else { Judgement::compare(pruning.tail.clone(), Relation::Le, bound(pruning)) }
        })
    }
    fn parts() -> Vec<Part> {
        vec![
            part(
                "lower",
                "tau >= (1 - s_eff)^2 / (N - nu)",
                on_scores(Rules::AnyCount, |_, pruning| {
                    if pruning.kept >= pruning.n {
                        return Judgement::Unmet;
                    }
                    Judgement::compare(pruning.tail.clone(), Relation::Ge, pruning.lost().square() / rational(pruning.n - pruning.kept))
                }),
            ),
            part("next", "tau <= (1 - s_eff) omega_(nu+1)", at_most(|pruning| pruning.lost() * pruning.next.clone())),
            part("kept", "tau <= (1 - s_eff) s_eff / nu", at_most(|pruning| pruning.lost() * pruning.mass.clone() / rational(pruning.kept))),
            part("best-term", "tau <= 1/(4 nu)", at_most(|pruning| rational(4 * pruning.kept).recip())),
            part("rank", "tau <= (1 - s_eff)/(nu + 1)", at_most(|pruning| pruning.lost() / rational(pruning.kept + 1))),
            part("square", "tau <= (1 - s_eff)^2, a factor N - nu below the chain in the public notes", at_most(|pruning| pruning.lost().square())),
            part("total", "tau <= q - s_eff^2 / nu", at_most(|pruning| pruning.q.clone() - pruning.mass.square() / rational(pruning.kept))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("best-term-one-percent", "tau <= 0.99/(4 nu)", at_most(|pruning| Rational::new(99, 100) * rational(4 * pruning.kept).recip())),
            mutant("rank-plus-two", "tau <= (1 - s_eff)/(nu + 2)", at_most(|pruning| pruning.lost() / rational(pruning.kept + 2))),
            mutant(
                "lower-off-by-one",
                "tau >= (1 - s_eff)^2 / (N - nu - 1) for N - nu >= 2",
                on_scores(Rules::AnyCount, |_, pruning| {
                    if pruning.kept + 1 >= pruning.n {
                        return Judgement::Unmet;
                    }
                    Judgement::compare(pruning.tail.clone(), Relation::Ge, pruning.lost().square() / rational(pruning.n - pruning.kept - 1))
                }),
            ),
            mutant("square-halved", "tau <= (1 - s_eff)^2 / 2", at_most(|pruning| pruning.lost().square() / Rational::from(2))),
        ]
    }
    Claim {
        id: "emp/tail-energy",
        statement: "For every retained count nu < N the tail energy tau = sum_{i > nu} omega_(i)^2 satisfies (1-s)^2/(N-nu) <= tau <= (1-s) omega_(nu+1) <= (1-s) s/nu <= 1/(4 nu), and tau <= (1-s)/(nu+1), (1-s)^2, q - s^2/nu, s = s_eff",
        assumptions: SCORES,
        provenance: Provenance::Derived,
        source: "elementary; 1/(4 nu) is the best-k-term bound of Foucart and Rauhut, Theorem 2.5",
        declared: Verdict::Holds,
        argument: "Below: Cauchy-Schwarz on the N - nu pruned weights. Above: each pruned weight is at most omega_(nu+1), which is at most the mean s/nu of the kept ones and at most 1/(nu+1); s(1-s) <= 1/4. The kept squares sum to at least s^2/nu. The chain in the public notes, (1-s)^2 (N - nu), is true and N - nu times larger than (1-s)^2.",
        gap: Some("the inequalities are for all real scores; the exact route checks integer vectors"),
        finding: None,
        see: &["emp/tail-energy-as-printed", "emp/loss-smooth"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// Floors that assume beta = 1 apply only where something is pruned.
pub(super) fn pruned(pruning: &Pruning) -> bool {
    pruning.n >= 2 && pruning.kept < pruning.n
}

pub(super) fn surd(value: Rational) -> QuadraticSurd {
    value.into()
}
