//! The exact route: special instances first, then random ones; a failure is shrunk to a small witness.

use crate::stream::Keyed;
use crate::token::Token;
use crate::{Progress, witness};
use claim::{Batch, Coverage, Evaluation, ExactCheck, Outcome, Point, Verdict, Witness};
use numeric::Rounding;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Tapes a chunk: small enough that an early failure costs little, large enough to keep threads busy.
const CHUNK: usize = 256;
/// Chunks that are evaluated side by side before their results are looked at, in order.
const WAVE: usize = 32;
/// Tapes tried for each distinct instance that is wanted, before the family counts as exhausted.
const PATIENCE: u64 = 40;
/// Evaluations that shrinking may spend.
const SHRINK_BUDGET: usize = 4_000;

/// What the route found.
pub struct Finding {
    /// The verdict by this route alone.
    pub verdict: Verdict,
    /// Distinct instances that satisfied the assumptions and were decided.
    pub instances: u64,
    /// All evaluations.
    pub tried: u64,
    /// Instances on which the arithmetic could not decide.
    pub undecided: u64,
    /// Largest lhs/rhs, rounded down, and the instance.
    pub tightness: Option<(String, String)>,
    /// The failing instance, shrunk; or the first undecided one.
    pub witness: Option<Witness>,
}

/// Running totals, folded over evaluations in a fixed order.
#[derive(Default)]
struct Tally {
    seen: BTreeSet<u64>,
    tried: u64,
    undecided: u64,
    best: Option<(f64, Point)>,
    first_undecided: Option<Point>,
    failure: Option<Point>,
}

impl Tally {
    /// Takes one evaluation; true when it is a failure.
    fn take(&mut self, evaluation: Evaluation, point: impl Fn() -> Point) -> bool {
        self.tried += 1;
        match evaluation.outcome {
            Outcome::Unmet => {}
            Outcome::Undecided => {
                self.undecided += 1;
                self.first_undecided.get_or_insert_with(&point);
            }
            Outcome::Holds => {
                self.seen.insert(evaluation.fingerprint);
                let better = self.best.as_ref().is_none_or(|(best, _)| evaluation.tightness > *best);
                if !evaluation.tightness.is_nan() && better {
                    self.best = Some((evaluation.tightness, point()));
                }
            }
            Outcome::Fails => {
                self.failure = Some(point());
                return true;
            }
        }
        false
    }
}

/// Runs a check. `path` is (claim id, part name); it keys the random stream and names the witness.
pub fn run(check: &dyn ExactCheck, seed: u64, target: u64, path: (&str, &str), progress: &dyn Progress) -> Finding {
    let mut tally = Tally::default();
    specials(check, &mut tally);
    if tally.failure.is_none() && check.coverage() == Coverage::Sampled && check.tape_len() > 0 {
        random(check, seed, target, path, progress, &mut tally);
    }
    conclude(check, target, path, tally)
}

fn specials(check: &dyn ExactCheck, tally: &mut Tally) {
    let chunks: Vec<std::ops::Range<usize>> =
        (0..check.special_len()).step_by(CHUNK).map(|start| start..(start + CHUNK).min(check.special_len())).collect();
    for wave in chunks.chunks(WAVE) {
        let results: Vec<Vec<Evaluation>> = wave
            .par_iter()
            .map(|range| {
                let mut out = Vec::with_capacity(range.len());
                check.evaluate(Batch::Special(range.clone()), &mut out);
                out
            })
            .collect();
        for (range, results) in wave.iter().zip(results) {
            for (index, evaluation) in range.clone().zip(results) {
                if tally.take(evaluation, || Point::Special(index)) {
                    return;
                }
            }
        }
    }
}

fn random(check: &dyn ExactCheck, seed: u64, target: u64, path: (&str, &str), progress: &dyn Progress, tally: &mut Tally) {
    let keyed = Keyed::new(seed, &[path.0, path.1, "exact", &check.family()]);
    let stride = check.tape_len();
    let mut next_chunk = 0_u64;
    let limit = target.saturating_mul(PATIENCE);
    let mut drawn = 0_u64;
    while (tally.seen.len() as u64) < target && drawn < limit && !progress.cancelled() {
        // The first waves are short, so that an easy refutation is cheap; the schedule depends on counts only.
        // Later ones are no longer than what is still missing if every tape counts.
        let missing = (target - tally.seen.len() as u64).div_ceil(CHUNK as u64);
        let width = if next_chunk == 0 { missing.min(4) } else { missing.min(WAVE as u64) };
        let wave: Vec<(Vec<u64>, Vec<Evaluation>)> = (next_chunk..next_chunk + width)
            .into_par_iter()
            .map(|index| {
                let mut words = vec![0; stride * CHUNK];
                keyed.fill(index, &mut words);
                let mut out = Vec::with_capacity(CHUNK);
                check.evaluate(Batch::Tapes { words: &words, stride, generic: false }, &mut out);
                (words, out)
            })
            .collect();
        next_chunk += width;
        for (words, results) in wave {
            if tally.seen.len() as u64 >= target {
                break;
            }
            for (tape, evaluation) in words.chunks_exact(stride).zip(results) {
                drawn += 1;
                if tally.take(evaluation, || Point::Tape(tape.to_vec())) {
                    return;
                }
            }
        }
    }
}

fn conclude(check: &dyn ExactCheck, target: u64, path: (&str, &str), tally: Tally) -> Finding {
    let token = |point: &Point| Token { claim: path.0.into(), part: path.1.into(), family: check.family(), point: point.clone() }.to_string();
    let instances = tally.seen.len() as u64;
    let base = |verdict, witness, tightness| Finding { verdict, instances, tried: tally.tried, undecided: tally.undecided, tightness, witness };
    if let Some(point) = &tally.failure {
        let point = shrink(check, point);
        let witness = check.describe(&point).map(|description| witness::of(&description, token(&point)));
        // A fast path may claim a failure that the generic formula does not confirm: then the witness is none, and the verdict honest.
        let confirmed = check.describe(&point).is_some_and(|description| description.judgement.outcome() == Outcome::Fails);
        return base(if confirmed { Verdict::Refuted } else { Verdict::Undecided }, witness, None);
    }
    let tightness = tally.best.as_ref().and_then(|(_, point)| {
        let description = check.describe(point)?;
        let ratio = description.judgement.tightness()?;
        Some((ratio.to_decimal(witness::DIGITS, Rounding::Down), description.instance))
    });
    if let Some(point) = &tally.first_undecided {
        let witness = check.describe(point).map(|description| witness::of(&description, token(point)));
        return base(Verdict::Undecided, witness, tightness);
    }
    let verdict = match check.coverage() {
        _ if instances == 0 => Verdict::Vacuous,
        Coverage::WholeDomain => Verdict::Proved,
        Coverage::FiniteFamily => Verdict::Holds,
        Coverage::Sampled if instances >= target => Verdict::Holds,
        Coverage::Sampled => Verdict::Undecided,
    };
    base(verdict, None, tightness)
}

/// Makes a failing tape small: shorter first, then smaller words, as long as it still fails by the generic formula.
pub fn shrink(check: &dyn ExactCheck, point: &Point) -> Point {
    let Point::Tape(words) = point else { return point.clone() };
    let mut budget = SHRINK_BUDGET;
    let mut fails = |words: &[u64]| {
        budget = budget.saturating_sub(1);
        budget > 0 && check.describe(&Point::Tape(words.to_vec())).is_some_and(|description| description.judgement.outcome() == Outcome::Fails)
    };
    let mut best = words.clone();
    loop {
        let before = best.clone();
        // Trailing words: a shorter tape reads as zeros.
        let mut cut = best.len();
        while cut > 0 {
            let keep = best.len().saturating_sub(cut);
            let shorter = best[..keep].to_vec();
            if shorter.len() < best.len() && fails(&shorter) {
                best = shorter;
            }
            cut /= 2;
        }
        for index in 0..best.len() {
            for candidate in smaller(best[index]) {
                let mut trial = best.clone();
                trial[index] = candidate;
                if fails(&trial) {
                    best = trial;
                    break;
                }
            }
        }
        // A word may be small only if another grows less: let equal neighbours fall together.
        for index in 1..best.len() {
            if best[index] != 0 && best[index] == best[index - 1] {
                let mut trial = best.clone();
                trial[index] -= 1;
                trial[index - 1] -= 1;
                if fails(&trial) {
                    best = trial;
                }
            }
        }
        if best == before {
            return Point::Tape(best);
        }
    }
}

/// Smaller words to try, smallest first: small integers, then low bits, then half and predecessor.
fn smaller(word: u64) -> Vec<u64> {
    let mut out: Vec<u64> = (0..word.min(24)).collect();
    out.extend([8, 12, 16, 24, 32, 48].into_iter().map(|bits| word & ((1_u64 << bits) - 1)).filter(|&low| low < word && low >= 24));
    out.extend([word / 2, word.saturating_sub(1)].into_iter().filter(|&value| value < word && value >= 24));
    out
}
