//! Gaussian moments of step functions: closed forms against certified integrals.

use super::quantizer::{Moments, Quantizer};
use super::shared::{mutant, n, part, q};
use claim::{Check, Claim, Coverage, ExactPart, Family, Instance, Judgement, Mutant, Part, Provenance, Tape, Verdict};
use numeric::{BigInterval, Field, Ordered, Rational, Real, Univariate, integrate};

pub(super) fn all() -> Vec<Claim> {
    vec![moments()]
}

/// A step function with midpoint thresholds and the powers (i, j) of E x^i psi^j.
#[derive(Clone, Hash)]
struct Moment {
    levels: Vec<(i64, i64)>,
    powers: (u32, u32),
}

impl Moment {
    fn quantizer(&self) -> Option<Quantizer> {
        Quantizer::midpoints(self.levels.iter().map(|&(p, r)| q(p, r)).collect()).ok()
    }
}

impl Instance for Moment {
    fn show(&self) -> String {
        let levels: Vec<String> = self.levels.iter().map(|&(p, r)| q(p, r).to_string()).collect();
        format!("levels ({}), E x^{} psi^{}", levels.join(", "), self.powers.0, self.powers.1)
    }
}

struct AllMoments;

impl Family for AllMoments {
    type Instance = Moment;

    fn id(&self) -> String {
        "moments".into()
    }

    fn domain(&self) -> String {
        "c1, c2, k22, k13, k04 of mid-rise(2, 2), of mid-tread(2, 3/2) and of the uneven levels -3, -1/2, 1/4, 2".into()
    }

    fn special(&self) -> Vec<Moment> {
        let quantizers: [&[(i64, i64)]; 3] = [&[(-2, 1), (-2, 3), (2, 3), (2, 1)], &[(-3, 2), (0, 1), (3, 2)], &[(-3, 1), (-1, 2), (1, 4), (2, 1)]];
        let powers = [(1, 1), (0, 2), (2, 2), (1, 3), (0, 4)];
        quantizers.iter().flat_map(|levels| powers.iter().map(|&powers| Moment { levels: levels.to_vec(), powers })).collect()
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Moment {
        Moment { levels: vec![(-1, 1), (1, 1)], powers: (1, 1) }
    }
}

/// x^i e^(-x^2/2)/sqrt(2 pi).
struct Density(u32);

impl Univariate for Density {
    fn eval<S: Real>(&self, x: &S) -> S {
        x.powi(self.0) * super::quantizer::density(x)
    }
}

/// Where integrals stop: beyond, x^2 times the density has a mass below 2e-17.
const END: i64 = 9;
/// Bits of the integrals.
const BITS: u32 = 45;

/// The closed form, `read` from the moments, against the integral, to 1e-12.
fn closed(read: fn(&Moments<BigInterval>, (u32, u32)) -> BigInterval) -> Check {
    ExactPart::new(AllMoments, move |at: &Moment| {
        let Some(quantizer) = at.quantizer() else { return Judgement::Unmet };
        let mut edges: Vec<Rational> = vec![n(-END)];
        edges.extend(quantizer.thresholds().iter().cloned());
        edges.push(n(END));
        let mut sum = BigInterval::zero();
        for (pair, level) in edges.windows(2).zip(quantizer.levels()) {
            match integrate(&Density(at.powers.0), &pair[0], &pair[1], BITS) {
                Ok(value) => sum = sum + BigInterval::from_rational(&level.powi(at.powers.1)) * value,
                Err(error) => return Judgement::Property { holds: false, detail: error.to_string() },
            }
        }
        let found = read(&quantizer.moments(), at.powers);
        let holds = (sum.clone() - found.clone()).abs().lt(&BigInterval::from_rational(&q(1, 1_000_000_000_000))).is_true();
        Judgement::Property { holds, detail: format!("closed {}, integral {}", found.to_decimal(20), sum.to_decimal(20)) }
    })
    .covering(Coverage::FiniteFamily)
    .erase()
}

fn truth(moments: &Moments<BigInterval>, powers: (u32, u32)) -> BigInterval {
    let Moments { c1, c2, k22, k13, k04 } = moments;
    match powers {
        (1, 1) => c1.clone(),
        (0, 2) => c2.clone(),
        (2, 2) => k22.clone(),
        (1, 3) => k13.clone(),
        _ => k04.clone(),
    }
}

fn moments() -> Claim {
    fn parts() -> Vec<Part> {
        vec![part("closed", "the closed forms are the integrals, to 1e-12", closed(truth))]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant(
                "k22-without-density",
                "k22 = sum L_k^2 P_k: x^2 and psi^2 uncorrelated",
                closed(|moments, powers| if powers == (2, 2) { moments.c2.clone() } else { truth(moments, powers) }),
            ),
            mutant(
                "c1-1.0001",
                "c1 larger by 1/10000",
                closed(|moments, powers| {
                    let factor = if powers == (1, 1) { BigInterval::ratio(10_001, 10_000) } else { BigInterval::one() };
                    factor * truth(moments, powers)
                }),
            ),
        ]
    }
    Claim {
        id: "ste/moments",
        statement: "x standard normal, psi a step function with levels L_k and thresholds t_k, n and N density and distribution function, P_k = N(t_(k+1)) - N(t_k): E x psi = sum (L_k - L_(k-1)) n(t_k), E psi^2 = sum L_k^2 P_k, E psi^4 = sum L_k^4 P_k, E x psi^3 = sum (L_k^3 - L_(k-1)^3) n(t_k), E x^2 psi^2 = sum L_k^2 [N(x) - x n(x)] over the cell",
        assumptions: &["levels and thresholds increase"],
        provenance: Provenance::Derived,
        source: "integration by parts",
        declared: Verdict::Holds,
        argument: "x n(x) = -n'(x) and x^2 n(x) = (N(x) - x n(x))'; sum over cells.",
        gap: Some("finitely many quantizers"),
        finding: None,
        see: &["ste/input-ode-closed"],
        parts,
        mutants,
        without_mutants: None,
    }
}
