//! Records read back from JSON, and the shards of one run joined.

use crate::json::{assembled, claim_json};
use claim::{ClaimRecord, MutantRecord, PartRecord, Provenance, Route, RunRecord, Verdict, Witness};
use engine::Effort;
use numeric::{Rational, Rounding};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Which share of a selection a record covers: every `count`-th claim, from the `index`-th on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// From 1 to `count`.
    pub index: u64,
    /// How many shards there are.
    pub count: u64,
    /// How many claims the whole selection has.
    pub claims: u64,
}

/// Why records cannot be read or joined. Each names the record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Not a record of this schema.
    #[error("{name}: {reason}")]
    Malformed {
        /// The record.
        name: String,
        /// What is wrong, and where.
        reason: String,
    },
    /// Written by another version.
    #[error("{name}: schema {found}, and this version reads schema 1")]
    Schema {
        /// The record.
        name: String,
        /// Its schema.
        found: u64,
    },
    /// The record of a whole run, or of an interrupted one.
    #[error("{name}: {reason}")]
    NoShard {
        /// The record.
        name: String,
        /// Which.
        reason: &'static str,
    },
    /// Two records are not of one run.
    #[error("{name}: {key} is {found}, but {first} has {expected}")]
    Differs {
        /// The record.
        name: String,
        /// What differs.
        key: &'static str,
        /// Its value.
        found: String,
        /// The record it is compared with.
        first: String,
        /// That one's value.
        expected: String,
    },
    /// One shard is given twice.
    #[error("{name}: shard {index} of {count} is also in {first}")]
    Twice {
        /// The record.
        name: String,
        /// The shard.
        index: u64,
        /// Of so many.
        count: u64,
        /// The other record.
        first: String,
    },
    /// Some shards are not given.
    #[error("missing: shard {missing} of {count}")]
    Missing {
        /// Which.
        missing: String,
        /// Of so many.
        count: u64,
    },
}

/// A record as its file has it: the claims' own JSON is kept, so that nothing is lost on the way.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Where it was read.
    pub name: String,
    /// The record.
    pub run: RunRecord,
    /// The share, if it is one.
    pub shard: Option<Shard>,
    claims: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunIn {
    schema: u64,
    seed: u64,
    effort: String,
    shard: Option<Shard>,
    claims: Vec<Value>,
    summary: SummaryIn,
}

#[derive(Deserialize)]
struct SummaryIn {
    level_total: String,
    level_spent: String,
    partial: bool,
}

#[derive(Deserialize)]
struct ClaimIn {
    id: String,
    paper: String,
    provenance: String,
    declared: String,
    verdict: String,
    as_declared: bool,
    parts: Vec<PartIn>,
    mutants: Vec<MutantIn>,
    disagreements: Vec<String>,
}

#[derive(Deserialize)]
struct PartIn {
    name: String,
    route: String,
    domain: String,
    verdict: String,
    instances: u64,
    tightness: Option<String>,
    witness: Option<WitnessIn>,
    level: Option<String>,
    tightest_at: Option<String>,
    statement: String,
    effort: Map<String, Value>,
}

#[derive(Deserialize)]
struct MutantIn {
    name: String,
    verdict: String,
    witness: Option<WitnessIn>,
    planted: bool,
    falsifier: bool,
    statement: String,
}

#[derive(Deserialize)]
struct WitnessIn {
    instance: String,
    values: Map<String, Value>,
    replay: Option<String>,
}

/// The word's meaning, among those that there are.
fn word<T: Copy>(all: &[T], text: &str, of: fn(T) -> &'static str, kind: &str) -> Result<T, String> {
    all.iter().copied().find(|value| of(*value) == text).ok_or_else(|| format!("'{text}' is no {kind}"))
}

fn verdict(text: &str) -> Result<Verdict, String> {
    word(&Verdict::ALL, text, Verdict::as_str, "verdict")
}

fn plain(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn pairs(map: Map<String, Value>) -> Vec<(String, String)> {
    map.into_iter().map(|(key, value)| (key, plain(value))).collect()
}

fn witness(found: Option<WitnessIn>) -> Option<Witness> {
    found.map(|found| Witness { instance: found.instance, values: pairs(found.values), replay: found.replay })
}

fn claim(value: &Value) -> Result<ClaimRecord, String> {
    let read = ClaimIn::deserialize(value).map_err(|error| error.to_string())?;
    let within = |error: String| format!("{}: {error}", read.id);
    let part = |part: PartIn| -> Result<PartRecord, String> {
        let routes = [Route::Exact, Route::Certified, Route::Statistical, Route::Rate];
        Ok(PartRecord {
            route: word(&routes, &part.route, Route::as_str, "route")?,
            verdict: verdict(&part.verdict)?,
            name: part.name,
            statement: part.statement,
            domain: part.domain,
            instances: part.instances,
            tightness: part.tightness.zip(part.tightest_at),
            witness: witness(part.witness),
            level: part.level,
            effort: pairs(part.effort),
        })
    };
    let mutant = |mutant: MutantIn| -> Result<MutantRecord, String> {
        Ok(MutantRecord {
            verdict: verdict(&mutant.verdict)?,
            name: mutant.name,
            statement: mutant.statement,
            witness: witness(mutant.witness),
            planted: mutant.planted,
            falsifier: mutant.falsifier,
        })
    };
    let provenances = [Provenance::Paper, Provenance::Abstract, Provenance::Derived];
    Ok(ClaimRecord {
        provenance: word(&provenances, &read.provenance, Provenance::as_str, "provenance").map_err(within)?,
        declared: verdict(&read.declared).map_err(within)?,
        verdict: verdict(&read.verdict).map_err(within)?,
        as_declared: read.as_declared,
        parts: read.parts.into_iter().map(part).collect::<Result<_, _>>().map_err(|error| format!("{}: {error}", read.id))?,
        mutants: read.mutants.into_iter().map(mutant).collect::<Result<_, _>>().map_err(|error| format!("{}: {error}", read.id))?,
        disagreements: read.disagreements,
        paper: read.paper,
        id: read.id,
    })
}

/// Reads a record from its JSON; `name` is for the messages.
///
/// # Errors
/// [`RecordError::Malformed`] where it is no record, with the place; [`RecordError::Schema`] for another version's.
pub fn read_record(name: &str, text: &str) -> Result<Stored, RecordError> {
    let malformed = |reason: String| RecordError::Malformed { name: name.to_owned(), reason };
    // The version first: another one may have other keys.
    let value: Value = serde_json::from_str(text).map_err(|error| malformed(error.to_string()))?;
    if let Some(found) = value.get("schema").and_then(Value::as_u64).filter(|found| *found != 1) {
        return Err(RecordError::Schema { name: name.to_owned(), found });
    }
    let read = RunIn::deserialize(value).map_err(|error| malformed(format!("not the record of a run: {error}")))?;
    debug_assert_eq!(read.schema, 1, "checked above");
    let effort: Effort = read.effort.parse().map_err(|error: engine::EngineError| malformed(error.to_string()))?;
    for level in [&read.summary.level_total, &read.summary.level_spent] {
        level.parse::<Rational>().map_err(|error| malformed(format!("summary: the level '{level}' is no number: {error}")))?;
    }
    let mut claims = Vec::new();
    let mut ids = BTreeSet::new();
    for (index, value) in read.claims.iter().enumerate() {
        let record = claim(value).map_err(|error| malformed(format!("claim {}: {error}", index + 1)))?;
        if !ids.insert(record.id.clone()) {
            return Err(malformed(format!("claim {}: '{}' is there twice", index + 1, record.id)));
        }
        claims.push(record);
    }
    if let Some(shard) = read.shard
        && !(1..=shard.count).contains(&shard.index)
    {
        return Err(malformed(format!("shard {} of {}", shard.index, shard.count)));
    }
    Ok(Stored {
        name: name.to_owned(),
        run: RunRecord {
            seed: read.seed,
            effort: effort.as_str(),
            claims,
            partial: read.summary.partial,
            level_total: read.summary.level_total,
            level_spent: read.summary.level_spent,
        },
        shard: read.shard,
        claims: read.claims,
    })
}

impl Stored {
    /// The record's JSON, its claims as they were read.
    #[must_use]
    pub fn to_json(&self) -> Value {
        assembled(&self.run, self.shard, self.claims.clone())
    }
}

/// A run's record as if it had been stored and read.
#[must_use]
pub fn stored(name: &str, run: RunRecord, shard: Option<Shard>) -> Stored {
    let claims = run.claims.iter().map(claim_json).collect();
    Stored { name: name.to_owned(), run, shard, claims }
}

/// Joins the shards of one run, in any order, into the record of the unsharded run.
///
/// # Errors
/// [`RecordError`] where a record is no shard or was interrupted, where two are not of one run, and where one is missing or there twice.
pub fn merge(records: Vec<Stored>) -> Result<Stored, RecordError> {
    let mut shards: Vec<(Shard, Stored)> = Vec::new();
    for record in records {
        let refuse = |reason| RecordError::NoShard { name: record.name.clone(), reason };
        let shard = record.shard.ok_or_else(|| refuse("this is the record of a whole run, not of a shard (check --shard K/N)"))?;
        if record.run.partial {
            return Err(refuse("this shard was interrupted: run it again"));
        }
        // The k-th, (k+N)-th, .. of so many claims.
        let expected = (shard.claims + shard.count - shard.index) / shard.count;
        if record.claims.len() as u64 != expected {
            let reason =
                format!("shard {} of {} of {} claims has {expected} of them, not {}", shard.index, shard.count, shard.claims, record.claims.len());
            return Err(RecordError::Malformed { name: record.name, reason });
        }
        if let Some((first_shard, first)) = shards.first() {
            let compare = |key, found: String, expected: String| {
                if found == expected {
                    return Ok(());
                }
                Err(RecordError::Differs { name: record.name.clone(), key, found, first: first.name.clone(), expected })
            };
            compare("the seed", record.run.seed.to_string(), first.run.seed.to_string())?;
            compare("the effort", record.run.effort.to_owned(), first.run.effort.to_owned())?;
            compare("the number of shards", shard.count.to_string(), first_shard.count.to_string())?;
            compare("the number of claims asked for", shard.claims.to_string(), first_shard.claims.to_string())?;
        }
        if let Some((_, other)) = shards.iter().find(|(other, _)| other.index == shard.index) {
            return Err(RecordError::Twice { name: record.name, index: shard.index, count: shard.count, first: other.name.clone() });
        }
        shards.push((shard, record));
    }
    shards.sort_by_key(|(shard, _)| shard.index);
    let Some((first, _)) = shards.first() else { return Err(RecordError::Missing { missing: "1".to_owned(), count: 1 }) };
    let (count, total) = (first.count, first.claims);
    let missing: Vec<String> =
        (1..=count).filter(|index| !shards.iter().any(|(shard, _)| shard.index == *index)).map(|index| index.to_string()).collect();
    if !missing.is_empty() {
        return Err(RecordError::Missing { missing: missing.join(", "), count });
    }
    let sum = |level: fn(&RunRecord) -> &String| {
        // Each was read as a number already.
        let levels = shards.iter().filter_map(|(_, record)| level(&record.run).parse::<Rational>().ok());
        levels.fold(Rational::from(0), |sum, level| sum + level).to_decimal(engine::DIGITS, Rounding::Up)
    };
    let (level_total, level_spent) = (sum(|run| &run.level_total), sum(|run| &run.level_spent));
    let (seed, effort) = (shards[0].1.run.seed, shards[0].1.run.effort);
    let mut sources: Vec<_> =
        shards.into_iter().map(|(_, record)| record.run.claims.into_iter().zip(record.claims).zip(std::iter::repeat(record.name))).collect();
    let (mut records, mut values, mut ids) = (Vec::new(), Vec::new(), BTreeSet::new());
    for index in 0..total {
        // The lengths were checked above.
        let Some(((record, value), name)) = sources[(index % count) as usize].next() else { break };
        if !ids.insert(record.id.clone()) {
            return Err(RecordError::Malformed { name, reason: format!("'{}' is in another shard too", record.id) });
        }
        records.push(record);
        values.push(value);
    }
    let run = RunRecord { seed, effort, claims: records, partial: false, level_total, level_spent };
    Ok(Stored { name: "merged".to_owned(), run, shard: None, claims: values })
}
