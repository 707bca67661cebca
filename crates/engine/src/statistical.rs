//! The statistical route: anytime-valid one-sided tests of each arm, for the assertion and against it.
//!
//! Half of the level guards the word "supported": each arm's negation must be rejected at level/2 (all arms must be, so no division among them). The other
//! half guards "refuted": any arm's own null hypothesis rejected at level/(2 arms). Draws come in chunks from streams keyed by (seed, claim, part,
//! "statistical", arm) and numbered by chunk, and are taken in order, so the record is the same at any thread count; an arm stops when it is decided.

use crate::Progress;
use crate::inference::{Betting, Catoni, EProcess, HalfNormalMixture, InferenceError, Null, require_part_level, threshold};
use crate::stream::Keyed;
use crate::witness::exact_decimal;
use claim::{Arm, Asserted, Knowledge, Sampler, StatisticalPart, Verdict, Witness};
use numeric::Rational;
use rayon::prelude::*;

/// Draws a chunk.
pub const CHUNK: usize = 256;
/// Chunks drawn side by side before they are looked at, in order.
const WAVE: u64 = 32;

/// What the route found.
pub struct Finding {
    /// The verdict by this route alone, before its power is judged by the claim's mutants.
    pub verdict: Verdict,
    /// Draws used.
    pub draws: u64,
    /// The most draws taken of one arm: the sample size at which the verdict was reached.
    pub sample: u64,
    /// The arm that decided (the refuting one, or the first that stayed open), in numbers.
    pub witness: Option<Witness>,
    /// One line an arm: what the draws say.
    pub arms: Vec<(String, String)>,
}

fn process(arm: &Arm, null: Null, draws: u64) -> Result<Box<dyn EProcess>, InferenceError> {
    // The null hypothesis at the end of the bound's enclosure that makes it larger: rejecting it is then a statement about the bound itself.
    let bound = match null {
        Null::AtMost => arm.bound.hi(),
        Null::AtLeast => arm.bound.lo(),
    };
    Ok(match arm.knowledge {
        Knowledge::Bounded { low, high } => Box::new(Betting::new(low, high, null, bound)?),
        Knowledge::SubGaussian { sigma } => Box::new(HalfNormalMixture::new(sigma, null, bound, draws)?),
        Knowledge::Moment { order, bound: moment } => Box::new(Catoni::central(order, moment, null, bound, draws)?),
        Knowledge::RawMoment { order, bound: moment } => Box::new(Catoni::raw(order, moment, null, bound, draws)?),
    })
}

enum Decision {
    Supported,
    Refuted,
    Open,
    /// A draw that the law forbids.
    Broken(f64),
}

struct ArmFinding {
    decision: Decision,
    draws: u64,
    mean: f64,
    capital: (f64, f64),
}

fn run_arm(
    arm: &Arm,
    sampler: &Sampler,
    keyed: &Keyed,
    budget: u64,
    thresholds: (f64, f64),
    progress: &dyn Progress,
) -> Result<ArmFinding, InferenceError> {
    // Rejecting the assertion's negation supports it; rejecting the assertion refutes it.
    let (negation, assertion) = match arm.asserted {
        Asserted::AtMost => (Null::AtLeast, Null::AtMost),
        Asserted::AtLeast => (Null::AtMost, Null::AtLeast),
    };
    let mut support = process(arm, negation, budget)?;
    let mut refute = process(arm, assertion, budget)?;
    let (mut draws, mut sum, mut decision) = (0_u64, 0.0, Decision::Open);
    let chunks = budget.div_ceil(CHUNK as u64);
    let mut next = 0;
    'all: while next < chunks && !progress.cancelled() {
        // The first wave is short: a plain case is decided by it.
        let width = if next == 0 { 4 } else { WAVE }.min(chunks - next);
        let wave: Vec<Vec<f64>> = (next..next + width)
            .into_par_iter()
            .map(|index| {
                let mut out = vec![0.0; CHUNK];
                sampler(&mut keyed.stream(index), &mut out);
                out
            })
            .collect();
        next += width;
        for chunk in wave {
            for x in chunk {
                draws += 1;
                sum += x;
                if !(support.update(x) && refute.update(x)) {
                    decision = Decision::Broken(x);
                    break 'all;
                }
            }
            // Looking once a chunk is one of the stopping rules that the tests allow.
            if support.log_capital() >= thresholds.0 {
                decision = Decision::Supported;
                break 'all;
            }
            if refute.log_capital() >= thresholds.1 {
                decision = Decision::Refuted;
                break 'all;
            }
        }
    }
    Ok(ArmFinding { decision, draws, mean: sum / draws.max(1) as f64, capital: (support.log_capital(), refute.log_capital()) })
}

/// Runs a part. `factor` scales its arms' numbers of draws; `path` is (claim id, part name).
///
/// # Errors
/// [`InferenceError`] where the level or what is said of an arm's law allows no test.
pub fn run(part: &StatisticalPart, seed: u64, factor: u64, path: (&str, &str), progress: &dyn Progress) -> Result<Finding, InferenceError> {
    require_part_level(&part.level)?;
    let half = part.level.clone() / Rational::from(2);
    let share = half.clone() / Rational::from(part.arms.len().max(1) as i64);
    let thresholds = (threshold(&half), threshold(&share));
    let mut finding = Finding { verdict: Verdict::Supported, draws: 0, sample: 0, witness: None, arms: Vec::new() };
    if part.arms.is_empty() {
        finding.verdict = Verdict::Vacuous;
    }
    for (index, (arm, sampler)) in part.arms.iter().enumerate() {
        let keyed = Keyed::new(seed, &[path.0, path.1, "statistical", &index.to_string()]);
        let found = run_arm(arm, sampler, &keyed, arm.draws.saturating_mul(factor), thresholds, progress)?;
        finding.draws += found.draws;
        finding.sample = finding.sample.max(found.draws);
        let word = match found.decision {
            Decision::Supported => "supported",
            Decision::Refuted => "refuted",
            Decision::Open => "open",
            Decision::Broken(_) => "law broken",
        };
        let asserted = format!("E <= {:e}", arm.bound.hi());
        let asserted = if arm.asserted == Asserted::AtMost { asserted } else { format!("E >= {:e}", arm.bound.lo()) };
        let line = format!("{}; {asserted}: {word} after {} draws, mean {:.6e}", arm.name, found.draws, found.mean);
        let verdict = match found.decision {
            Decision::Supported => Verdict::Supported,
            Decision::Refuted => Verdict::Refuted,
            Decision::Open | Decision::Broken(_) => Verdict::Undecided,
        };
        if verdict < finding.verdict || (verdict != Verdict::Supported && finding.witness.is_none()) {
            let mut values = vec![
                ("asserted".to_owned(), asserted),
                ("sample_mean".to_owned(), exact_decimal(found.mean)),
                ("draws".to_owned(), found.draws.to_string()),
                ("log_evidence_for".to_owned(), exact_decimal(found.capital.0)),
                ("log_evidence_against".to_owned(), exact_decimal(found.capital.1)),
                ("needed".to_owned(), exact_decimal(if verdict == Verdict::Refuted { thresholds.1 } else { thresholds.0 })),
            ];
            if let Decision::Broken(x) = found.decision {
                values.push(("outside_the_law".to_owned(), exact_decimal(x)));
            }
            finding.witness = Some(Witness { instance: arm.name.clone(), values, replay: None });
        }
        finding.verdict = finding.verdict.min(verdict);
        finding.arms.push((format!("arm_{}", index + 1), line));
        if matches!(found.decision, Decision::Refuted) {
            break;
        }
    }
    Ok(finding)
}
