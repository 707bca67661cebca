//! The JSON of runs, lists and replays: keys in a fixed order, counts as integers, all other numbers as strings.

use crate::Shard;
use calculator::Offer;
use claim::{Claim, ClaimRecord, MutantRecord, PartRecord, RunRecord, Verdict, Witness};
use engine::{Falsified, Replayed};
use serde_json::{Map, Value, json};

/// A JSON value on one line, as every command prints it.
#[must_use]
pub fn to_line(value: &Value) -> String {
    format!("{value}\n")
}

fn witness_json(witness: Option<&Witness>) -> Value {
    let Some(witness) = witness else { return Value::Null };
    let values: Map<String, Value> = witness.values.iter().map(|(key, value)| (key.clone(), Value::String(value.clone()))).collect();
    json!({ "instance": witness.instance, "values": values, "replay": witness.replay })
}

fn part_json(part: &PartRecord) -> Value {
    let (tightness, tightest_at) = part.tightness.clone().unzip();
    // How hard the route tried: counts are integers, the rest words.
    let effort: Map<String, Value> = part
        .effort
        .iter()
        .map(|(key, value)| (key.clone(), value.parse::<u64>().map_or_else(|_| Value::String(value.clone()), Value::from)))
        .collect();
    json!({
        "name": part.name,
        "route": part.route.as_str(),
        "domain": part.domain,
        "verdict": part.verdict.as_str(),
        "instances": part.instances,
        "tightness": tightness,
        "witness": witness_json(part.witness.as_ref()),
        "level": part.level,
        "tightest_at": tightest_at,
        "statement": part.statement,
        "effort": effort,
    })
}

fn mutant_json(mutant: &MutantRecord) -> Value {
    json!({
        "name": mutant.name,
        "verdict": mutant.verdict.as_str(),
        "witness": witness_json(mutant.witness.as_ref()),
        "planted": mutant.planted,
        "falsifier": mutant.falsifier,
        "statement": mutant.statement,
    })
}

/// The Lean declarations that stand beside a claim; null where there are none.
fn lean_json(claim: &str) -> Value {
    let declarations: Vec<Value> =
        formal::lean_names(claim).map(|entry| json!({ "name": entry.declaration, "file": entry.file, "kind": entry.kind.as_str() })).collect();
    if declarations.is_empty() { Value::Null } else { json!({ "declarations": declarations }) }
}

/// One claim's record. It does not depend on what else was run.
#[must_use]
pub fn claim_json(record: &ClaimRecord) -> Value {
    json!({
        "id": record.id,
        "paper": record.paper,
        "provenance": record.provenance.as_str(),
        "declared": record.declared.as_str(),
        "verdict": record.verdict.as_str(),
        "as_declared": record.as_declared,
        "parts": record.parts.iter().map(part_json).collect::<Vec<_>>(),
        "mutants": record.mutants.iter().map(mutant_json).collect::<Vec<_>>(),
        "lean": lean_json(&record.id),
        "disagreements": record.disagreements,
    })
}

/// A whole run.
#[must_use]
pub fn run_json(run: &RunRecord) -> Value {
    assembled(run, None, run.claims.iter().map(claim_json).collect())
}

/// A run, or a shard of one, around its claims' JSON.
pub(crate) fn assembled(run: &RunRecord, shard: Option<Shard>, claims: Vec<Value>) -> Value {
    let by_verdict: Map<String, Value> = Verdict::ALL
        .iter()
        .map(|verdict| (verdict.as_str().to_owned(), Value::from(run.claims.iter().filter(|claim| claim.verdict == *verdict).count())))
        .collect();
    let mutants = run.claims.iter().flat_map(|claim| &claim.mutants);
    let mut all = Map::new();
    all.insert("schema".to_owned(), Value::from(1));
    all.insert("seed".to_owned(), Value::from(run.seed));
    all.insert("effort".to_owned(), Value::from(run.effort));
    if let Some(Shard { index, count, claims }) = shard {
        all.insert("shard".to_owned(), json!({ "index": index, "count": count, "claims": claims }));
    }
    all.insert("claims".to_owned(), Value::Array(claims));
    all.insert(
        "summary".to_owned(),
        json!({
            "claims": run.claims.len(),
            "as_declared": run.claims.iter().filter(|claim| claim.as_declared).count(),
            "by_verdict": by_verdict,
            "mutants": mutants.clone().count(),
            "mutants_refuted": mutants.clone().filter(|mutant| mutant.verdict == Verdict::Refuted).count(),
            "level_total": run.level_total,
            "level_spent": run.level_spent,
            "partial": run.partial,
            "mutants_by_falsifier": mutants.filter(|mutant| mutant.falsifier).count(),
        }),
    );
    Value::Object(all)
}

/// The registry, for `list --json`.
#[must_use]
pub fn list_json(offers: &[Offer]) -> Value {
    let papers: Vec<Value> = offers
        .iter()
        .map(|offer| {
            let paper = &offer.paper;
            json!({
                "slug": paper.slug, "title": paper.title, "authors": paper.authors, "venue": paper.venue, "arxiv": paper.arxiv, "read": paper.read,
                "not_verified": paper.not_verified.iter().map(|(id, reason)| json!({ "id": id, "reason": reason })).collect::<Vec<_>>(),
                "claims": (offer.claims)().iter().map(explain_json).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({ "papers": papers })
}

/// One claim's declaration, for `explain --json`.
#[must_use]
pub fn explain_json(claim: &Claim) -> Value {
    let parts: Vec<Value> = (claim.parts)()
        .iter()
        .map(|part| json!({ "name": part.name, "statement": part.statement, "routes": part.checks.iter().map(|check| check.route().as_str()).collect::<Vec<_>>() }))
        .collect();
    let mutants: Vec<Value> = (claim.mutants)().iter().map(|mutant| json!({ "name": mutant.name, "statement": mutant.statement })).collect();
    let finding = claim.finding.as_ref().map_or(Value::Null, |finding| json!({ "printed": finding.printed, "truth": finding.truth }));
    json!({
        "id": claim.id, "statement": claim.statement, "assumptions": claim.assumptions, "provenance": claim.provenance.as_str(), "source": claim.source,
        "declared": claim.declared.as_str(), "argument": claim.argument, "gap": claim.gap, "finding": finding, "see": claim.see,
        "parts": parts, "mutants": mutants, "without_mutants": claim.without_mutants, "lean": lean_json(claim.id),
    })
}

/// One replayed instance.
#[must_use]
pub fn replay_json(replayed: &Replayed) -> Value {
    let values: Map<String, Value> = replayed.values.iter().map(|(key, value)| (key.clone(), Value::String(value.clone()))).collect();
    json!({
        "replay": replayed.token.to_string(),
        "claim": replayed.token.claim,
        "part": replayed.token.part,
        "statement": replayed.statement,
        "instance": replayed.instance,
        "values": values,
        "outcome": crate::terminal::outcome_word(replayed.outcome),
    })
}

/// What the falsifier found: one object.
#[must_use]
pub fn falsify_json(found: &Falsified) -> Value {
    let replay = found.witness.as_ref().and_then(|witness| witness.replay.clone());
    json!({
        "claim": found.claim,
        "part": found.part,
        "verdict": found.verdict.as_str(),
        "witness": witness_json(found.witness.as_ref()),
        "margin": found.margin,
        "tightness": found.tightness,
        "evaluations": found.evaluations,
        "replay": replay,
    })
}
