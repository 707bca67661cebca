//! Fixed points of quantized weights: every root, certified; long runs; several roots.

use super::bounds::{Setting, stationary};
use super::claims_limit::{Case, around, setting};
use super::fixed_point::fixed_points;
use super::quantizer::{Moments, Quantizer};
use super::shared::{mutant, n, part, q};
use claim::{
    Check, Claim, Coverage, ExactPart, Family, Instance, Judgement, Mutant, Part, Provenance, Relation, Sides, StatisticalPart, Tape, Verdict,
    compare_enclosed,
};
use numeric::{BigInterval, Field, Ordered, Rational, Real, with_precision};

pub(super) fn all() -> Vec<Claim> {
    vec![fixed_point(), several_roots()]
}

/// A setting with one teacher's value.
#[derive(Clone, Hash)]
struct Fixed {
    levels: Vec<(i64, i64)>,
    inputs: bool,
    teacher: (i64, i64),
    eta: (i64, i64),
    sigma2: (i64, i64),
}

fn uniform(bits: u32, range: (i64, i64)) -> Vec<(i64, i64)> {
    let top = (1 << bits) - 1;
    (0..=top).map(|k| ((2 * k - top) * range.0, top * range.1)).collect()
}

impl Fixed {
    fn setting(&self) -> Option<Setting> {
        let quantizer = Quantizer::midpoints(self.levels.iter().map(|&(p, r)| q(p, r)).collect()).ok()?;
        let inputs = if self.inputs { Some(Quantizer::mid_rise(2, &n(2)).ok()?) } else { None };
        let (teacher, sigma2) = (vec![(q(self.teacher.0, self.teacher.1), n(1))], q(self.sigma2.0, self.sigma2.1));
        Some(Setting { quantizer, inputs, teacher, eta: q(self.eta.0, self.eta.1), sigma2 })
    }
}

impl Instance for Fixed {
    fn show(&self) -> String {
        let levels: Vec<String> = self.levels.iter().map(|&(p, r)| q(p, r).to_string()).collect();
        let inputs = if self.inputs { ", inputs mid-rise(2, 2)" } else { "" };
        let [w, eta, sigma2] = [self.teacher, self.eta, self.sigma2].map(|(p, r)| q(p, r));
        format!("levels ({}){inputs}, w* = {w}, eta = {eta}, sigma^2 = {sigma2}", levels.join(", "))
    }
}

struct Settings;

impl Family for Settings {
    type Instance = Fixed;

    fn id(&self) -> String {
        "settings".into()
    }

    fn domain(&self) -> String {
        "weights mid-rise b = 1 to 4, omega = 2 and 3, w* = 1 and 1/3; eta = 1/1000, 1/10, 1/2, 1, 3, 1000; sigma^2 = 1/100; also with inputs mid-rise(2, 2)".into()
    }

    fn special(&self) -> Vec<Fixed> {
        let mut all = Vec::new();
        for bits in 1..=4 {
            for range in [(2, 1), (3, 1)] {
                for (teacher, inputs) in [((1, 1), false), ((1, 3), true)] {
                    for eta in [(1, 1_000), (1, 10), (1, 2), (1, 1), (3, 1), (1_000, 1)] {
                        all.push(Fixed { levels: uniform(bits, range), inputs, teacher, eta, sigma2: (1, 100) });
                    }
                }
            }
        }
        all
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Fixed {
        Fixed { levels: uniform(2, (2, 1)), inputs: false, teacher: (1, 1), eta: (1, 1), sigma2: (1, 100) }
    }
}

/// Bits at which roots are checked again: more than the solver's, so that its own rounding cannot hide an error.
const BITS: u32 = 256;

/// Every root found (at eta times `factor`) satisfies the fixed-point equation: the map crosses the diagonal between the ends of the enclosure, or the
/// enclosure starts at the lower bound, where the map is above by argument; it is narrow and between the bounds.
fn roots(factor: Rational) -> Check {
    ExactPart::new(Settings, move |at: &Fixed| {
        let Some(truth) = at.setting() else { return Judgement::Unmet };
        let mut read = truth.clone();
        read.eta = factor.clone() * read.eta;
        let found = match fixed_points(&read) {
            Ok(found) => found,
            Err(error) => return Judgement::Property { holds: false, detail: error.to_string() },
        };
        let checked = with_precision(BITS, || {
            let moments: Moments<BigInterval> = truth.moments();
            found.roots.iter().all(|root| {
                let (Some(low), Some(high)) = (root.lo_rational(), root.hi_rational()) else { return false };
                let narrow = high.clone() - low.clone() <= high.clone() * q(1, 2).powi(100);
                let bounded = !root.lt(&found.lower).is_true() && !found.upper.lt(root).is_true();
                let gap = |risk: &Rational| {
                    let risk = BigInterval::from_rational(risk);
                    truth.map(&moments, &risk) - risk
                };
                let zero = || BigInterval::from_rational(&n(0));
                let (at_low, at_high) = (gap(&low), gap(&high));
                let starts_at_bound = !found.lower.lt(&BigInterval::from_rational(&low)).is_true();
                let crosses = (zero().lt(&at_low).is_true() || starts_at_bound) && !zero().lt(&at_high).is_true();
                narrow && bounded && crosses
            })
        })
        .unwrap_or(false);
        let shown: Vec<String> = found.roots.iter().map(|root| root.to_decimal(30)).collect();
        Judgement::Property { holds: checked && !found.roots.is_empty(), detail: format!("R* = {}", shown.join(", ")) }
    })
    .covering(Coverage::FiniteFamily)
    .erase()
}

/// A frozen noise.
#[derive(Clone, Hash)]
struct Frozen {
    at: Fixed,
    risk: (i64, i64),
}

impl Instance for Frozen {
    fn show(&self) -> String {
        format!("{}, R = {}", self.at.show(), q(self.risk.0, self.risk.1))
    }
}

struct FrozenNoises;

impl Family for FrozenNoises {
    type Instance = Frozen;

    fn id(&self) -> String {
        "frozen-noises".into()
    }

    fn domain(&self) -> String {
        "weights mid-rise b = 1 to 3, omega in [1, 4], any mu inside, no input quantizer, eta R in [1/10, 100]".into()
    }

    fn special(&self) -> Vec<Frozen> {
        let at = |teacher, eta| Fixed { levels: uniform(2, (2, 1)), inputs: false, teacher, eta, sigma2: (1, 100) };
        vec![
            Frozen { at: at((1, 1), (1, 1)), risk: (1, 1) },
            Frozen { at: at((0, 1), (1, 1)), risk: (1, 10) },
            Frozen { at: at((2, 3), (3, 1)), risk: (1, 1) },
        ]
    }

    fn tape_len(&self) -> usize {
        6
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Frozen {
        let bits = tape.integer(1, 3) as u32;
        let range = (tape.integer(4, 16), 4);
        let share = tape.integer(-95, 95);
        let teacher = (share * range.0, 100 * range.1);
        let eta = (tape.integer(1, 40), 4);
        let product = tape.heavy(1_000);
        // R = product/(10 eta).
        Frozen { at: Fixed { levels: uniform(bits, range), inputs: false, teacher, eta, sigma2: (1, 100) }, risk: (product * eta.1, 10 * eta.0) }
    }
}

/// The printed form sigma^2 + E[w*^2 - 2 c1 w* phi + c2 phi^2] of the map against the completed square, times `factor`.
struct Forms<'a> {
    at: &'a Frozen,
    factor: &'a Rational,
}

impl Sides for Forms<'_> {
    fn sides<S: Real>(&self) -> (S, S) {
        let Some(setting) = self.at.at.setting() else { return (S::ratio(0, 0), S::zero()) };
        let risk = S::ratio(self.at.risk.0, self.at.risk.1);
        let moments: Moments<S> = setting.moments();
        let completed = setting.map(&moments, &risk);
        let Some((teacher, _)) = setting.teacher.first() else { return (S::ratio(0, 0), S::zero()) };
        let w = S::from_rational(teacher);
        let scale = S::from_i64(2) / (S::from_rational(&setting.eta) * risk);
        let masses = stationary(&setting.quantizer, &setting.offsets(&moments, teacher), &scale);
        let printed = setting.quantizer.levels().iter().zip(&masses).fold(S::from_rational(&setting.sigma2) + w.square(), |sum, (level, mass)| {
            let level = S::from_rational(level);
            sum + mass.clone() * (level.square() - S::from_i64(2) * w.clone() * level)
        });
        ((S::from_rational(self.factor) * printed - completed).abs(), S::from_rational(&q(1, 1_000_000_000)))
    }
}

fn forms(factor: Rational) -> Check {
    ExactPart::new(FrozenNoises, move |at: &Frozen| compare_enclosed(Relation::Le, &Forms { at, factor: &factor })).erase()
}

/// Long runs at eta = 1 against the fixed point computed at `factor` times eta.
fn runs(factor: &Rational) -> Option<Check> {
    let mut read = setting(Quantizer::mid_rise(2, &n(2)), n(1))?;
    let case = Case { setting: read.clone(), start: (0.0, 1.0), d: 100 };
    read.eta = factor.clone() * read.eta;
    let root = fixed_points(&read).ok()?.roots.first()?.to_interval().mid();
    let domain = "weights mid-rise(2, 2), w* = 1, eta = 1, sigma^2 = 1/100, d = 100, tau = 20";
    Some(around(StatisticalPart::new(domain), &case, 20, root, 0.06, 512).erase())
}

fn fixed_point() -> Claim {
    fn parts() -> Vec<Part> {
        let mut parts = vec![
            part("forms", "sigma^2 + E[w*^2 - 2 c1 w* phi + c2 phi^2] = sigma^2 + rho (1 - c1^2/c2) + c2 E (phi - mu)^2, to 1e-9", forms(n(1))),
            part("roots", "every root, enclosed to 30 digits, solves the equation and lies between the bounds of ste/two-sided", roots(n(1))),
        ];
        parts.extend(runs(&n(1)).map(|check| part("runs", "long runs at eta = 1 have the mean R* within 6/d", check)));
        parts
    }
    fn mutants() -> Vec<Mutant> {
        let mut mutants = vec![
            mutant("forms-1.01", "the map 1% larger", forms(q(101, 100))),
            mutant("half-diffusion", "the stationary law prop. to exp(-U/2)", roots(n(2))),
        ];
        mutants.extend(runs(&n(2)).map(|check| mutant("runs-half-diffusion", "the same against runs", check)));
        mutants
    }
    Claim {
        id: "ste/fixed-point",
        statement: "Stationary risks of quantized weights solve R = sigma^2 + E[w*^2 - 2 c1 w* sum L_k P_k + c2 sum L_k^2 P_k], P_k the masses of the piecewise exponential density prop. to exp(-(2/(eta c2 R))(c2 Phi(w) - c1 w* w)); the map sends [lower, upper] of ste/two-sided into itself, so a root exists there and bisection encloses it",
        assumptions: &["every mu = c1 w*/c2 strictly between the outermost levels", "eta > 0"],
        provenance: Provenance::Derived,
        source: "zero flux in the stationary equation of ste/mv-limit",
        declared: Verdict::Supported,
        argument: "One dimension: the stationary flux vanishes and the density is exp of the integrated drift over the diffusion. For every frozen R the mean drift is 0 (ste/dither-identity), which completes the square and gives the bounds for the map, which is continuous.",
        gap: Some("roots closer together than a step of the grid of 400 values of R would be missed"),
        finding: None,
        see: &["ste/two-sided", "ste/several-roots", "ste/dither-identity"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// --- several roots ----------------------------------------------------------------------------------------------------------------------------------

/// A setting and how many roots it has.
#[derive(Clone, Hash)]
struct Counted {
    at: Fixed,
    roots: usize,
}

impl Instance for Counted {
    fn show(&self) -> String {
        format!("{}: {} roots", self.at.show(), self.roots)
    }
}

struct SeveralRoots;

impl Family for SeveralRoots {
    type Instance = Counted;

    fn id(&self) -> String {
        "several-roots".into()
    }

    fn domain(&self) -> String {
        "sigma = 0, no input quantizer: mid-rise(2, 3) with w* = 1 on a level at eta = 1/2, 101/100, 3/2; levels -10, -1/10, 1/10, 10 with w* = 0, eta = 5".into()
    }

    fn special(&self) -> Vec<Counted> {
        let on_level = |eta, roots| Counted { at: Fixed { levels: uniform(2, (3, 1)), inputs: false, teacher: (1, 1), eta, sigma2: (0, 1) }, roots };
        let uneven = Fixed { levels: vec![(-10, 1), (-1, 10), (1, 10), (10, 1)], inputs: false, teacher: (0, 1), eta: (5, 1), sigma2: (0, 1) };
        vec![on_level((1, 2), 1), on_level((101, 100), 2), on_level((3, 2), 2), Counted { at: uneven, roots: 3 }]
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Counted {
        let at = Fixed { levels: uniform(2, (3, 1)), inputs: false, teacher: (1, 1), eta: (1, 2), sigma2: (0, 1) };
        Counted { at, roots: 1 }
    }
}

fn several_roots() -> Claim {
    fn count(unique: bool) -> Check {
        ExactPart::new(SeveralRoots, move |at: &Counted| {
            let Some(found) = at.at.setting().and_then(|setting| fixed_points(&setting).ok()) else { return Judgement::Unmet };
            let shown: Vec<String> = found.roots.iter().map(|root| root.to_decimal(20)).collect();
            let wanted = if unique { 1 } else { at.roots };
            Judgement::Property { holds: found.roots.len() == wanted, detail: format!("R* = {}", shown.join(", ")) }
        })
        .covering(Coverage::FiniteFamily)
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![part("count", "the certified roots, by sign changes on a grid", count(false))]
    }
    fn mutants() -> Vec<Mutant> {
        vec![mutant("unique", "the stationary risk is unique", count(true))]
    }
    Claim {
        id: "ste/several-roots",
        statement: "The stationary risk need not be unique: with sigma = 0, no input quantizer and every mu on a level R = 0 is a root, and a positive one joins it for eta > 1; non-uniform levels can give three",
        assumptions: &["eta > 0"],
        provenance: Provenance::Derived,
        source: "ste/fixed-point",
        declared: Verdict::Holds,
        argument: "At R = 0 the error vanishes and nothing moves. Near 0 the map is eta R to leading order for uniform levels, so for eta > 1 it starts above the diagonal and ends below. That a positive root needs eta > 1 is observed, not proved, as is uniqueness for uniform levels with a positive lower bound.",
        gap: Some("finitely many settings"),
        finding: None,
        see: &["ste/fixed-point"],
        parts,
        mutants,
        without_mutants: None,
    }
}
