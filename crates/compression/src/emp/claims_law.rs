//! The limit law for iid scores, by simulation.

use super::claims::part;
use super::claims_limit::closed_form;
use claim::{Arm, Asserted, Check, Claim, Knowledge, Mutant, Part, Provenance, StatisticalPart, Verdict};
use numeric::{BigInterval, Field};
use sample::{Exponential, Law, Pareto, Uniform, Words, fill_normals};

pub(super) fn all() -> Vec<Claim> {
    vec![limit_law()]
}

/// Scores a vector: large enough for the limits' tolerances, small enough to be sorted a hundred thousand times.
const N: usize = 2_048;
/// Vectors that a test may draw.
const DRAWS: u64 = 8_192;

/// A law of scores, filled a vector at a time.
trait Scores: Send + Sync + 'static {
    /// Fills the `batch`-th vector of a chunk.
    fn vector(&self, words: &mut dyn Words, batch: u64, out: &mut [f64]);
}

impl<L: Law> Scores for L {
    fn vector(&self, words: &mut dyn Words, _batch: u64, out: &mut [f64]) {
        self.fill(words, out);
    }
}

/// Standard normals, or their exponentials.
#[derive(Clone, Copy)]
enum FromNormals {
    Gaussian,
    Lognormal,
}

impl Scores for FromNormals {
    fn vector(&self, words: &mut dyn Words, batch: u64, out: &mut [f64]) {
        fill_normals(words, batch, out);
        if let FromNormals::Lognormal = self {
            for x in out {
                *x = core_math::exp(*x);
            }
        }
    }
}

/// What is measured on one vector of scores.
#[derive(Clone, Copy, PartialEq)]
enum Quantity {
    /// N_eff / N
    Density,
    /// s_eff
    Mass,
}

/// N_eff/N or s_eff of a vector of scores, in doubles: off by less than 10^-12, far below the tolerances tested.
fn measure(quantity: Quantity, scores: &mut [f64]) -> f64 {
    for score in scores.iter_mut() {
        *score = score.abs();
    }
    let (s1, s2) = scores.iter().fold((0.0, 0.0), |(s1, s2), s| (s1 + s, s2 + s * s));
    let n_eff = s1 * s1 / s2;
    match quantity {
        Quantity::Density => (n_eff / scores.len() as f64).min(1.0),
        Quantity::Mass => {
            let nu = (n_eff as usize).clamp(1, scores.len());
            let top = if nu == scores.len() {
                s1
            } else {
                scores.select_nth_unstable_by(nu - 1, |a, b| b.total_cmp(a));
                scores[..nu].iter().sum()
            };
            (top / s1).min(1.0)
        }
    }
}

/// One side of one limit.
fn arm(part: StatisticalPart, law: Box<dyn Scores>, name: &str, quantity: Quantity, asserted: Asserted, bound: &BigInterval) -> StatisticalPart {
    let what = if quantity == Quantity::Density { "N_eff/N" } else { "s_eff" };
    let arm = Arm {
        name: format!("{what}, {name} scores, N = {N}"),
        knowledge: Knowledge::Bounded { low: 0.0, high: 1.0 },
        asserted,
        bound: bound.to_interval(),
        draws: DRAWS,
    };
    part.arm(arm, move |words, out| {
        let mut scores = vec![0.0; N];
        for (batch, slot) in (0..).zip(out) {
            law.vector(words, batch, &mut scores);
            *slot = measure(quantity, &mut scores);
        }
    })
}

/// A law and a quantity with a finite limit; the mutant's name, and by how many percent it moves the limit.
struct Limit {
    law: &'static str,
    quantity: Quantity,
    tolerance: i64,
    mutant: &'static str,
    statement: &'static str,
    moved: i64,
}

const fn limit(law: &'static str, quantity: Quantity, tolerance: i64, mutant: &'static str, statement: &'static str, moved: i64) -> Limit {
    Limit { law, quantity, tolerance, mutant, statement, moved }
}

/// At N = 2,048 the means are within 0.2% of the limits for the light tails; 2% for the lognormal and 3% for the Pareto law, whose fourth moment is infinite. The
/// tolerances leave the test room to decide.
const LIMITS: [Limit; 10] = [
    limit("Gaussian", Quantity::Density, 4, "gaussian-density", "the Gaussian limit of N_eff/N is 10% larger", 10),
    limit("Gaussian", Quantity::Mass, 4, "gaussian-mass", "the Gaussian limit of s_eff is 10% larger", 10),
    limit("Laplace", Quantity::Density, 4, "laplace-density", "the Laplace limit of N_eff/N is 10% larger", 10),
    limit("Laplace", Quantity::Mass, 4, "laplace-mass", "the Laplace limit of s_eff is 10% larger", 10),
    limit("uniform", Quantity::Density, 4, "uniform-density", "the uniform limit of N_eff/N is 10% smaller", -10),
    limit("uniform", Quantity::Mass, 4, "uniform-mass", "the uniform limit of s_eff is 10% smaller", -10),
    limit("lognormal", Quantity::Density, 7, "lognormal-density", "the lognormal limit of N_eff/N is 20% larger", 20),
    limit("lognormal", Quantity::Mass, 7, "lognormal-mass", "the lognormal limit of s_eff is 20% larger", 20),
    limit("Pareto(3)", Quantity::Density, 9, "pareto-density", "the Pareto(3) limit of N_eff/N is 20% larger", 20),
    limit("Pareto(3)", Quantity::Mass, 9, "pareto-mass", "the Pareto(3) limit of s_eff is 20% larger", 20),
];

impl Limit {
    fn scores(&self) -> Option<Box<dyn Scores>> {
        Some(match self.law {
            "Gaussian" => Box::new(FromNormals::Gaussian),
            "Laplace" => Box::new(Exponential),
            "uniform" => Box::new(Uniform::new(0.0, 1.0).ok()?),
            "lognormal" => Box::new(FromNormals::Lognormal),
            "Pareto(3)" => Box::new(Pareto::new(3.0, 1.0, false).ok()?),
            _ => return None,
        })
    }

    fn value(&self) -> Option<BigInterval> {
        match (self.law, self.quantity) {
            ("Gaussian", Quantity::Density) => closed_form("gaussian-rho"),
            ("Gaussian", Quantity::Mass) => closed_form("gaussian-mass"),
            ("Laplace", Quantity::Density) => Some(BigInterval::ratio(1, 2)),
            ("Laplace", Quantity::Mass) => closed_form("laplace-mass"),
            ("uniform", Quantity::Density) => Some(BigInterval::ratio(3, 4)),
            ("uniform", Quantity::Mass) => closed_form("uniform-mass"),
            ("lognormal", Quantity::Density) => closed_form("lognormal-rho"),
            ("lognormal", Quantity::Mass) => closed_form("lognormal-mass"),
            ("Pareto(3)", Quantity::Density) => closed_form("pareto3-rho"),
            ("Pareto(3)", Quantity::Mass) => closed_form("pareto3-mass"),
            _ => None,
        }
    }

    /// Both sides of the limit, moved by so many percent, with its tolerance.
    fn within(&self, part: StatisticalPart, moved: i64) -> Option<StatisticalPart> {
        let value = self.value()? * BigInterval::ratio(100 + moved, 100);
        let factor = |sign: i64| BigInterval::ratio(100 + sign * self.tolerance, 100);
        let part = arm(part, self.scores()?, self.law, self.quantity, Asserted::AtMost, &(value.clone() * factor(1)));
        Some(arm(part, self.scores()?, self.law, self.quantity, Asserted::AtLeast, &(value * factor(-1))))
    }
}

fn limit_law() -> Claim {
    /// All laws, and the one without a second moment, for which N_eff/N tends to 0.
    fn check() -> Option<Check> {
        let part =
            StatisticalPart::new(format!("iid scores, N = {N}: Gaussian, Laplace, uniform within 4%, lognormal 7%, Pareto(3) 9%; Pareto(3/2)"));
        let part = LIMITS.iter().try_fold(part, |part, limit| limit.within(part, 0))?;
        let infinite = Pareto::new(1.5, 1.0, false).ok()?;
        Some(arm(part, Box::new(infinite), "Pareto(3/2)", Quantity::Density, Asserted::AtMost, &BigInterval::ratio(1, 5)).erase())
    }
    fn parts() -> Vec<Part> {
        check().map(|check| part("limits", "E N_eff/N and E s_eff are within the tolerances of their limits", check)).into_iter().collect()
    }
    fn mutants() -> Vec<Mutant> {
        let wrong = |limit: &Limit| {
            let part = limit.within(StatisticalPart::new(format!("iid {} scores, N = {N}", limit.law)), limit.moved)?;
            Some(Mutant { name: limit.mutant, statement: limit.statement, check: part.erase(), planted: None })
        };
        let mut mutants: Vec<Mutant> = LIMITS.iter().filter_map(wrong).collect();
        // The law without a second moment: its density stays away from a hundredth at this N.
        mutants.extend(Pareto::new(1.5, 1.0, false).ok().map(|infinite| {
            let part = StatisticalPart::new(format!("iid Pareto(3/2) scores, N = {N}"));
            let check = arm(part, Box::new(infinite), "Pareto(3/2)", Quantity::Density, Asserted::AtMost, &BigInterval::ratio(1, 100)).erase();
            Mutant { name: "infinite-hundredth", statement: "the Pareto(3/2) density is at most 1/100 at N = 2048", check, planted: None }
        }));
        mutants
    }
    Claim {
        id: "emp/limit-law",
        statement: "Scores iid with 0 < E s^2 < infinity: N_eff/N -> rho = (E|s|)^2 / E s^2 and s_eff -> E[|s|; |s| > u] / E|s| with P(|s| > u) = rho; with E s^2 infinite (Pareto, alpha <= 2) N_eff/N -> 0",
        assumptions: &["scores iid with a continuous law", "0 < E s^2 < infinity, but for the last statement"],
        provenance: Provenance::Derived,
        source: "law of large numbers; the closed forms are the claim emp/limit-closed-forms",
        declared: Verdict::Supported,
        argument: "The two means S1/N and S2/N converge almost surely, and with them their quotient S1^2/(N S2) and the empirical quantile at rho. The simulation compares the means at one N with the limits, with tolerances for the distance that is left.",
        gap: Some("the convergence itself, for N to infinity: the test is at one N, on six laws"),
        finding: None,
        see: &["emp/limit-closed-forms"],
        parts,
        mutants,
        without_mutants: None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Quantity, measure};

    #[test]
    fn the_float_measures_are_those_of_the_definition() {
        // (51, 49, 0): N_eff = 100^2/5002 = 1.9992.., so one entry is kept.
        let scores = [51.0, -49.0, 0.0];
        assert!((measure(Quantity::Density, &mut scores.clone()) - 10_000.0 / 5_002.0 / 3.0).abs() < 1e-12);
        assert!((measure(Quantity::Mass, &mut scores.clone()) - 0.51).abs() < 1e-12);
        assert_eq!(measure(Quantity::Mass, &mut [1.0; 7]), 1.0);
    }
}
