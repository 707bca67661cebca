//! From findings to verdicts: parts, mutants, disagreement, declared verdicts; and the run over many claims.

use crate::settings::{EngineError, Settings};
use crate::{certified, exact};
use claim::{Check, Claim, ClaimRecord, Mutant, MutantRecord, Part, PartRecord, RunRecord, Verdict};
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
/// [`EngineError::Duplicate`] for a registry that names a claim, a part or a mutant twice; [`EngineError::Threads`] when threads cannot be had.
pub fn run(claims: &[Claim], settings: &Settings, progress: &dyn Progress) -> Result<RunRecord, EngineError> {
    let mut ids = BTreeSet::new();
    for claim in claims {
        if !ids.insert(claim.id) {
            return Err(EngineError::Duplicate { id: claim.id.to_owned() });
        }
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
    Ok(RunRecord { seed: settings.seed, effort: settings.effort.as_str(), claims: records.into_iter().flatten().collect(), partial })
}

/// Checks one claim: its parts by all their routes, then its mutants.
///
/// # Errors
/// [`EngineError::Duplicate`] when two parts or two mutants share a name.
pub fn check_claim(claim: &Claim, settings: &Settings, progress: &dyn Progress) -> Result<ClaimRecord, EngineError> {
    let parts = (claim.parts)();
    let mutants = (claim.mutants)();
    let mut names = BTreeSet::new();
    for name in parts.iter().map(|part| part.name.to_owned()).chain(mutants.iter().map(|mutant| format!("~{}", mutant.name))) {
        if !names.insert(name.clone()) {
            return Err(EngineError::Duplicate { id: format!("{} {name}", claim.id) });
        }
    }
    let mut records = Vec::new();
    let mut verdicts = Vec::new();
    let mut disagreements = Vec::new();
    for part in &parts {
        let found: Vec<PartRecord> = part.checks.iter().map(|check| check_part(claim, part, check, settings, progress)).collect();
        let (verdict, agree) = combine(found.iter().map(|record| record.verdict));
        let layers_agree = found.iter().all(|record| record.effort.iter().all(|(key, _)| key != LAYERS_DISAGREE));
        if !agree || !layers_agree {
            disagreements.push(part.name.to_owned());
        }
        verdicts.push(verdict);
        records.extend(found);
    }
    let mutants: Vec<MutantRecord> = mutants.iter().map(|mutant| check_mutant(claim, mutant, settings, progress)).collect();
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

fn check_part(claim: &Claim, part: &Part, check: &Check, settings: &Settings, progress: &dyn Progress) -> PartRecord {
    let base = |route, domain, verdict, instances| PartRecord {
        name: part.name.to_owned(),
        statement: part.statement.to_owned(),
        route,
        domain,
        verdict,
        instances,
        tightness: None,
        witness: None,
        effort: Vec::new(),
    };
    match check {
        Check::Exact(check) => {
            let found = exact::run(check.as_ref(), settings.seed, settings.effort.instances(), (claim.id, part.name), progress);
            let mut record = base(claim::Route::Exact, check.domain(), found.verdict, found.instances);
            record.tightness = found.tightness;
            record.witness = found.witness;
            record.effort = vec![("tried".into(), found.tried.to_string()), ("undecided".into(), found.undecided.to_string())];
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
    }
}

fn check_mutant(claim: &Claim, mutant: &Mutant, settings: &Settings, progress: &dyn Progress) -> MutantRecord {
    let run = |check: &Check, name: &str| match check {
        Check::Exact(check) => {
            let found = exact::run(check.as_ref(), settings.seed, settings.effort.instances(), (claim.id, name), progress);
            (found.verdict, found.witness)
        }
        Check::Certified(check) => {
            let found = certified::run(check.as_ref(), settings.effort.boxes(), progress);
            (found.verdict, found.witness)
        }
    };
    let (mut verdict, mut witness) = run(&mutant.check, &format!("~{}", mutant.name));
    let mut planted = false;
    if verdict != Verdict::Refuted
        && let Some(check) = &mutant.planted
    {
        (verdict, witness) = run(check, &format!("~{}!", mutant.name));
        planted = true;
    }
    MutantRecord { name: mutant.name.to_owned(), statement: mutant.statement.to_owned(), verdict, witness, planted }
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
