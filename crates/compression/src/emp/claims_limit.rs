//! Closed forms of the limits for iid scores, certified.

use super::claims::{mutant, part, property};
use claim::{Check, Claim, Coverage, ExactPart, Family, Instance, Judgement, Mutant, Part, Provenance, Relation, Tape, Verdict};
use numeric::{BigInterval, Field, Ordered, Rational, Real, Univariate, isolate_roots, refine_root};

pub(super) fn all() -> Vec<Claim> {
    vec![limit_closed_forms()]
}

/// One closed form against its tabulated value.
#[derive(Clone, Hash)]
struct ClosedForm {
    name: &'static str,
    tabulated: &'static str,
}

impl Instance for ClosedForm {
    fn show(&self) -> String {
        format!("{} = {}", self.name, self.tabulated)
    }
}

struct ClosedForms {
    offset: bool,
}

impl Family for ClosedForms {
    type Instance = ClosedForm;

    fn id(&self) -> String {
        "closed-forms".into()
    }

    fn domain(&self) -> String {
        "the nine tabulated limits of five score laws".into()
    }

    fn special(&self) -> Vec<ClosedForm> {
        let table = [
            ("gaussian-rho", "0.636619772367581343"),
            ("gaussian-u", "0.472430172154679477"),
            ("gaussian-mass", "0.894406299102727288"),
            ("laplace-mass", "0.846573590279972655"),
            ("uniform-mass", "0.9375"),
            ("lognormal-rho", "0.367879441171442322"),
            ("lognormal-mass", "0.746182602472166512"),
            ("pareto3-rho", "0.75"),
            ("pareto3-mass", "0.825481812223656671"),
        ];
        let wrong = [("gaussian-mass", "0.894406299102727289")];
        let entries: &[(&'static str, &'static str)] = if self.offset { &wrong } else { &table };
        entries.iter().map(|&(name, tabulated)| ClosedForm { name, tabulated }).collect()
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> ClosedForm {
        ClosedForm { name: "uniform-mass", tabulated: "0.9375" }
    }
}

/// 2/pi - P(|Z| > u) for a standard normal Z, increasing in u.
struct GaussianQuantile;
impl Univariate for GaussianQuantile {
    fn eval<S: Real>(&self, u: &S) -> S {
        S::from_i64(2) / S::pi() - S::from_i64(2) * (-u.clone()).normal_cdf()
    }
}

/// e^-1 - P(Z > v), increasing in v = ln u.
struct LognormalQuantile;
impl Univariate for LognormalQuantile {
    fn eval<S: Real>(&self, v: &S) -> S {
        S::from_i64(-1).exp() - (-v.clone()).normal_cdf()
    }
}

/// Bits to which the quantiles are known: more than twice the digits that are tabulated.
const QUANTILE_BITS: u32 = 120;

/// The only root of a quantile's equation on [0, 1], proved to be there and the only one.
fn quantile(equation: &impl Univariate) -> Option<BigInterval> {
    let roots = isolate_roots(equation, &Rational::from(0), &Rational::from(1)).ok()?;
    let [root] = roots.isolated[..] else { return None };
    if roots.undecided.is_empty() { refine_root(equation, &root, QUANTILE_BITS).ok() } else { None }
}

/// An enclosure of a closed form.
pub(super) fn closed_form(name: &str) -> Option<BigInterval> {
    let r = BigInterval::ratio;
    Some(match name {
        "gaussian-rho" => r(2, 1) / BigInterval::pi(),
        "gaussian-u" => quantile(&GaussianQuantile)?,
        "gaussian-mass" => (-quantile(&GaussianQuantile)?.square() / r(2, 1)).exp(),
        // |X| exponential: E|X| = 1, E X^2 = 2, rho = 1/2, u = ln 2, mass = (1 + u) e^-u
        "laplace-mass" => (BigInterval::one() + r(2, 1).ln()) / r(2, 1),
        // uniform on (0,1): rho = (1/2)^2/(1/3) = 3/4, u = 1/4, mass = 1 - u^2
        "uniform-mass" => BigInterval::one() - r(1, 4).square(),
        // lognormal, sigma = 1: rho = e^(1 - 2); ln u is the upper quantile of e^-1, mass = Phi(1 - ln u)
        "lognormal-rho" => r(-1, 1).exp(),
        "lognormal-mass" => (BigInterval::one() - quantile(&LognormalQuantile)?).normal_cdf(),
        // Pareto with alpha = 3: rho = 3 * 1 / 4, mass = rho^(2/3)
        "pareto3-rho" => r(3, 1) * r(1, 1) / r(4, 1),
        "pareto3-mass" => r(3, 4).pow(&r(2, 3)),
        _ => return None,
    })
}

/// 1 / tolerance: the values are tabulated to 18 decimals, rounded, so the truth is within half a unit of the last one.
const CLOSED_FORM_TOLERANCE: i64 = 2_000_000_000_000_000_000;

fn limit_closed_forms() -> Claim {
    fn check(offset: bool) -> Check {
        ExactPart::new(ClosedForms { offset }, |form: &ClosedForm| {
            let (Some(value), Ok(tabulated)) = (closed_form(form.name), form.tabulated.parse::<Rational>()) else {
                return Judgement::compare(Rational::UNDEFINED, Relation::Eq, Rational::UNDEFINED);
            };
            let tolerance = Rational::new(1, CLOSED_FORM_TOLERANCE);
            let allowed = BigInterval::between(&(tabulated.clone() - tolerance.clone()), &(tabulated + tolerance));
            property(value.is_defined() && value.is_subset(&allowed), || format!("enclosure {value:?}"))
        })
        .covering(Coverage::WholeDomain)
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![part("values", "every closed form agrees with its tabulated value to the last of its 18 decimals", check(false))]
    }
    fn mutants() -> Vec<Mutant> {
        vec![mutant("eighteenth-digit", "the Gaussian limit mass with its 18th decimal off by one", check(true))]
    }
    Claim {
        id: "emp/limit-closed-forms",
        statement: "Closed forms of the limits of N_eff/N and s_eff for iid scores: Gaussian 2/pi and exp(-u^2/2) with P(|Z| > u) = 2/pi; Laplace 1/2 and (1 + ln 2)/2; uniform 3/4 and 15/16; lognormal e^-1 and Phi(1 - ln u); Pareto(3) 3/4 and (3/4)^(2/3)",
        assumptions: &["scores iid with 0 < E s^2 < infinity"],
        provenance: Provenance::Derived,
        source: "law of large numbers; the limits themselves are the claim emp/limit-law",
        declared: Verdict::Proved,
        argument: "N_eff/N tends to (E|s|)^2/E s^2 = rho; the preserved mass to E[|s|; |s| > u]/E|s| with P(|s| > u) = rho. The quantiles are roots that are proved to exist and to be the only ones; the rest is outward rounding at 128 bits.",
        gap: None,
        finding: None,
        see: &["emp/limit-law"],
        parts,
        mutants,
        without_mutants: None,
    }
}
