//! From findings to verdicts: parts, mutants, disagreement, declared verdicts; and the run over many claims.

use crate::settings::{EngineError, Settings};
use crate::token::Token;
use crate::{certified, exact, falsify, ledger, rate, statistical, witness};
use claim::{Check, Claim, ClaimRecord, Coverage, ExactCheck, Mutant, MutantRecord, Outcome, Part, PartRecord, Point, RunRecord, Verdict, Witness};
use numeric::{Rational, Rounding};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The effort's key under which a contradiction between the double and the high-precision layer is reported.
const LAYERS_DISAGREE: &str = "layers_disagree";

/// Told of a run's course; nothing that it does reaches the record, but for a cancellation, which makes it partial.
pub trait Progress: Sync {
    /// A claim's check starts.
    fn begin(&self, _id: &str, _index: usize, _total: usize) {}
    /// A claim's check is over.
    fn end(&self, _record: &ClaimRecord) {}
    /// Whether to stop early: claims that are not finished are left out of the record.
    fn cancelled(&self) -> bool {
        false
    }
}

/// A listener that does nothing.
pub struct Silent;

impl Progress for Silent {}

/// Checks the claims, in their order, and returns the record.
///
/// # Errors
/// [`EngineError::Duplicate`] for a registry that names a claim, a part or a mutant twice; [`EngineError::Ledger`] when its levels exceed the budget;
/// [`EngineError::Inference`] for a statistical check that is no test; [`EngineError::Threads`] when threads cannot be had.
pub fn run(claims: &[Claim], settings: &Settings, progress: &dyn Progress) -> Result<RunRecord, EngineError> {
    let mut ids = BTreeSet::new();
    for claim in claims {
        if !ids.insert(claim.id) {
            return Err(EngineError::Duplicate { id: claim.id.to_owned() });
        }
    }
    let total = ledger::total(claims);
    if total > ledger::budget() {
        return Err(EngineError::Ledger { total: total.to_string(), budget: ledger::budget().to_string() });
    }
    let work = || -> Result<Vec<Option<ClaimRecord>>, EngineError> {
        claims
            .par_iter()
            .enumerate()
            .map(|(index, claim)| {
                if progress.cancelled() {
                    return Ok(None);
                }
                progress.begin(claim.id, index, claims.len());
                let record = check_claim(claim, settings, progress)?;
                if progress.cancelled() {
                    return Ok(None);
                }
                progress.end(&record);
                Ok(Some(record))
            })
            .collect()
    };
    let records = match settings.threads {
        None => work()?,
        Some(threads) => rayon::ThreadPoolBuilder::new()
            .num_threads(threads.max(1))
            .build()
            .map_err(|error| EngineError::Threads { threads, reason: error.to_string() })?
            .install(work)?,
    };
    let partial = records.iter().any(Option::is_none);
    let finished = claims.iter().zip(&records).filter(|(_, record)| record.is_some()).map(|(claim, _)| ledger::claim_level(claim));
    let spent = finished.fold(Rational::from(0), |sum, level| sum + level);
    let decimal = |value: Rational| value.to_decimal(witness::DIGITS, Rounding::Up);
    Ok(RunRecord {
        seed: settings.seed,
        effort: settings.effort.as_str(),
        claims: records.into_iter().flatten().collect(),
        partial,
        level_total: decimal(total),
        level_spent: decimal(spent),
    })
}

/// Checks one claim: its parts by all their routes, then its mutants.
///
/// # Errors
/// [`EngineError::Duplicate`] when two parts or two mutants share a name; [`EngineError::Inference`] for a statistical check that is no test.
pub fn check_claim(claim: &Claim, settings: &Settings, progress: &dyn Progress) -> Result<ClaimRecord, EngineError> {
    let parts = (claim.parts)();
    let mutants = (claim.mutants)();
    let mut names = BTreeSet::new();
    for name in parts.iter().map(|part| part.name.to_owned()).chain(mutants.iter().map(|mutant| format!("~{}", mutant.name))) {
        if !names.insert(name.clone()) {
            return Err(EngineError::Duplicate { id: format!("{} {name}", claim.id) });
        }
    }
    let mutant_records =
        mutants.iter().map(|mutant| check_mutant(claim, mutant, settings, progress)).collect::<Result<Vec<(MutantRecord, u64)>, EngineError>>()?;
    // "Supported" is worth what the test can refute: without a mutant that the same route fells, unaided, within the same number of draws, it is "undecided".
    let factor = settings.effort.draws_factor();
    let powerful = |check: &Check| {
        let fallen = mutants.iter().zip(&mutant_records).filter(|(_, (record, _))| record.verdict == Verdict::Refuted && !record.planted);
        fallen.map(|(mutant, (_, sample))| (&mutant.check, *sample)).any(|(mutant, sample)| {
            mutant.route() == check.route() && sample <= sample_size(check).saturating_mul(factor).next_multiple_of(statistical::CHUNK as u64)
        })
    };
    let mut records = Vec::new();
    let mut verdicts = Vec::new();
    let mut disagreements = Vec::new();
    for part in &parts {
        let mut found =
            part.checks.iter().map(|check| check_part(claim, part, check, settings, progress)).collect::<Result<Vec<PartRecord>, EngineError>>()?;
        for (record, check) in found.iter_mut().zip(&part.checks) {
            if record.verdict == Verdict::Supported && !powerful(check) {
                record.verdict = Verdict::Undecided;
                record.effort.push(("power".into(), "no mutant was refuted by this route within this number of draws".into()));
            }
        }
        let (verdict, agree) = combine(found.iter().map(|record| record.verdict));
        let layers_agree = found.iter().all(|record| record.effort.iter().all(|(key, _)| key != LAYERS_DISAGREE));
        if !agree || !layers_agree {
            disagreements.push(part.name.to_owned());
        }
        verdicts.push(verdict);
        records.extend(found);
    }
    let mutants: Vec<MutantRecord> = mutant_records.into_iter().map(|(record, _)| record).collect();
    let mut verdict = verdicts.into_iter().min().unwrap_or(Verdict::Vacuous);
    if claim.gap.is_some() {
        verdict = verdict.min(Verdict::Holds);
    }
    let as_declared = verdict == claim.declared && disagreements.is_empty() && mutants.iter().all(|mutant| mutant.verdict == Verdict::Refuted);
    Ok(ClaimRecord {
        id: claim.id.to_owned(),
        paper: claim.paper().to_owned(),
        provenance: claim.provenance,
        declared: claim.declared,
        verdict,
        as_declared,
        parts: records,
        mutants,
        disagreements,
    })
}

/// A part's verdict from its routes': a refutation counts whatever the others say, otherwise the strongest does. False when routes contradict each other.
fn combine(verdicts: impl Iterator<Item = Verdict>) -> (Verdict, bool) {
    let all: BTreeSet<Verdict> = verdicts.collect();
    let positive = all.iter().any(|verdict| *verdict >= Verdict::Supported);
    let negative = all.contains(&Verdict::Refuted);
    let vacuous = all.contains(&Verdict::Vacuous);
    let verdict = if negative { Verdict::Refuted } else { all.last().copied().unwrap_or(Verdict::Vacuous) };
    (verdict, !((positive && (negative || vacuous)) || (negative && vacuous)))
}

/// The largest number of draws that a check may take of one expectation; 0 for the rigorous routes.
fn sample_size(check: &Check) -> u64 {
    match check {
        Check::Statistical(part) => part.arms.iter().map(|(arm, _)| arm.draws).max().unwrap_or(0),
        Check::Rate(part) => part.sizes.iter().map(|size| size.draws).max().unwrap_or(0),
        Check::Exact(_) | Check::Certified(_) => 0,
    }
}

fn check_part(claim: &Claim, part: &Part, check: &Check, settings: &Settings, progress: &dyn Progress) -> Result<PartRecord, EngineError> {
    let no_test = |source| EngineError::Inference { claim: claim.id.to_owned(), part: part.name.to_owned(), source };
    let base = |route, domain, verdict, instances| PartRecord {
        name: part.name.to_owned(),
        statement: part.statement.to_owned(),
        route,
        domain,
        verdict,
        instances,
        tightness: None,
        witness: None,
        level: None,
        effort: Vec::new(),
    };
    let level = || Some(ledger::level(check).to_decimal(witness::DIGITS, Rounding::Up));
    Ok(match check {
        Check::Exact(check) => {
            let found = exact::run(check.as_ref(), settings.seed, settings.effort.instances(), (claim.id, part.name), progress);
            let mut record = base(claim::Route::Exact, check.domain(), found.verdict, found.instances);
            record.tightness = found.tightness;
            record.witness = found.witness;
            record.effort = vec![("tried".into(), found.tried.to_string()), ("undecided".into(), found.undecided.to_string())];
            if record.verdict == Verdict::Holds && check.coverage() == Coverage::Sampled {
                oppose(claim, part, check.as_ref(), settings, progress, &mut record);
            }
            record
        }
        Check::Certified(check) => {
            let found = certified::run(check.as_ref(), settings.effort.boxes(), progress);
            let mut record = base(claim::Route::Certified, check.domain(), found.verdict, found.boxes);
            record.witness = found.witness;
            record.effort = vec![("boxes".into(), found.boxes.to_string()), ("depth".into(), found.depth.to_string())];
            if found.precision > 53 {
                record.effort.push(("precision_bits".into(), found.precision.to_string()));
            }
            if let Some(text) = found.disagreement {
                record.effort.push((LAYERS_DISAGREE.into(), text));
            }
            if let Some((low, leaf)) = found.worst_leaf {
                record.effort.push(("worst_leaf_margin".into(), low));
                record.effort.push(("worst_leaf".into(), leaf));
            }
            record
        }
        Check::Statistical(part_) => {
            let found = statistical::run(part_, settings.seed, settings.effort.draws_factor(), (claim.id, part.name), progress).map_err(no_test)?;
            let mut record = base(claim::Route::Statistical, part_.domain.clone(), found.verdict, found.draws);
            record.witness = found.witness;
            record.level = level();
            record.effort = found.arms;
            record
        }
        Check::Rate(part_) => {
            let found = rate::run(part_, settings.seed, settings.effort.draws_factor(), (claim.id, part.name), progress).map_err(no_test)?;
            let mut record = base(claim::Route::Rate, part_.domain.clone(), found.verdict, found.draws);
            record.witness = found.witness;
            record.level = level();
            record.effort = found.lines;
            record
        }
    })
}

/// The falsifier's turn at a part that holds: it may break it, or find a tighter instance.
fn oppose(claim: &Claim, part: &Part, check: &dyn ExactCheck, settings: &Settings, progress: &dyn Progress, record: &mut PartRecord) {
    let found = falsify::search(check, settings.seed, settings.effort.falsifier(), (claim.id, part.name), progress);
    record.effort.push(("falsifier".into(), found.evaluations.to_string()));
    let token = |point: &Point| Token { claim: claim.id.into(), part: part.name.into(), family: check.family(), point: point.clone() }.to_string();
    if let Some(point) = &found.failure
        && let Some(description) = check.describe(point)
        && description.judgement.outcome() == Outcome::Fails
    {
        record.verdict = Verdict::Refuted;
        record.witness = Some(witness::of(&description, token(point)));
        return;
    }
    let tighter = found.best.and_then(|(_, point)| {
        let description = check.describe(&point)?;
        Some((description.judgement.tightness()?, description.instance))
    });
    if let Some((ratio, instance)) = tighter {
        let text = ratio.to_decimal(witness::DIGITS, Rounding::Down);
        let before = record.tightness.as_ref().and_then(|(text, _)| text.parse::<Rational>().ok());
        if text.parse::<Rational>().is_ok_and(|now| before.is_none_or(|before| now > before)) {
            record.tightness = Some((text, instance));
        }
    }
}

/// A mutant's record, and the most draws of one expectation that its verdict took (0 by the rigorous routes).
fn check_mutant(claim: &Claim, mutant: &Mutant, settings: &Settings, progress: &dyn Progress) -> Result<(MutantRecord, u64), EngineError> {
    let no_test = |name: &str, source| EngineError::Inference { claim: claim.id.to_owned(), part: name.to_owned(), source };
    let run = |check: &Check, name: &str| -> Result<(Verdict, Option<Witness>, u64), EngineError> {
        Ok(match check {
            Check::Exact(check) => {
                let found = exact::run(check.as_ref(), settings.seed, settings.effort.instances(), (claim.id, name), progress);
                (found.verdict, found.witness, 0)
            }
            Check::Certified(check) => {
                let found = certified::run(check.as_ref(), settings.effort.boxes(), progress);
                (found.verdict, found.witness, 0)
            }
            Check::Statistical(part) => {
                let found = statistical::run(part, settings.seed, settings.effort.draws_factor(), (claim.id, name), progress)
                    .map_err(|error| no_test(name, error))?;
                (found.verdict, found.witness, found.sample)
            }
            Check::Rate(part) => {
                let found = rate::run(part, settings.seed, settings.effort.draws_factor(), (claim.id, name), progress)
                    .map_err(|error| no_test(name, error))?;
                (found.verdict, found.witness, found.sample)
            }
        })
    };
    let (mut verdict, mut witness, mut sample) = run(&mutant.check, &format!("~{}", mutant.name))?;
    let mut planted = false;
    let mut falsifier = false;
    if verdict != Verdict::Refuted
        && let Check::Exact(check) = &mutant.check
        && check.coverage() == Coverage::Sampled
    {
        let name = format!("~{}", mutant.name);
        // An opponent that has to break something gets more room than one that only looks again.
        let found = falsify::search(check.as_ref(), settings.seed, 10 * settings.effort.falsifier(), (claim.id, &name), progress);
        if let Some(point) = found.failure
            && let Some(description) = check.describe(&point)
        {
            let token = Token { claim: claim.id.into(), part: name, family: check.family(), point }.to_string();
            (verdict, witness, falsifier) = (Verdict::Refuted, Some(witness::of(&description, token)), true);
        }
    }
    if verdict != Verdict::Refuted
        && let Some(check) = &mutant.planted
    {
        (verdict, witness, sample) = run(check, &format!("~{}!", mutant.name))?;
        planted = true;
    }
    let record = MutantRecord { name: mutant.name.to_owned(), statement: mutant.statement.to_owned(), verdict, witness, planted, falsifier };
    Ok((record, sample))
}

#[cfg(test)]
mod tests {
    use super::combine;
    use claim::Verdict::{Holds, Proved, Refuted, Undecided, Vacuous};

    #[test]
    fn the_strongest_route_speaks_and_contradictions_are_noticed() {
        let of = |verdicts: &[claim::Verdict]| combine(verdicts.iter().copied());
        assert_eq!(of(&[Holds, Proved]), (Proved, true));
        assert_eq!(of(&[Undecided, Holds]), (Holds, true));
        assert_eq!(of(&[Undecided, Refuted]), (Refuted, true));
        assert_eq!(of(&[Proved, Refuted]), (Refuted, false));
        assert!(!of(&[Holds, Vacuous]).1);
        assert_eq!(of(&[]), (Vacuous, true));
    }
}
