//! `lean`: what is cross-checked with Lean, its state, and the generated files.

use crate::common::{Exit, Failure, Streams, json_flag, show, text, write_file};
use calculator::Offer;
use claim::{Check, Claim, Description, ExactCheck, Judgement, Outcome, Point};
use clap::{Arg, ArgAction, ArgMatches, Command};
use formal::{Candidate, Checked, FormalError, Kind, Lake};
use numeric::Rational;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Special instances of a part or a mutant that are looked through for its certificate.
const SPECIAL: usize = 64;

pub(crate) fn command() -> Command {
    Command::new("lean")
        .about("What is cross-checked with Lean, and its state")
        .arg(Arg::new("dir").long("dir").value_name("DIR").default_value("lean").global(true).help("The Lean project"))
        .arg(Arg::new("build").long("build").action(ArgAction::SetTrue).help("Also build it with lake, where there is one"))
        .arg(json_flag())
        .subcommand(
            Command::new("export")
                .about("Write the generated files: certificates, their audit and map, golden vectors")
                .after_help("Example:\n  theorycheck lean export --dir CHECKOUT/lean"),
        )
        .after_help(
            "Run it in the project's root, or name the Lean project by --dir.\nExit code 0 when the static checks pass, also where lake did not run.\n\nExamples:\n  theorycheck lean --dir CHECKOUT/lean\n  theorycheck lean --dir CHECKOUT/lean --json",
        )
}

impl From<FormalError> for Failure {
    fn from(error: FormalError) -> Failure {
        match error {
            FormalError::Certificate(certificate) => Failure::Bad(format!("not written: {certificate}")),
            other => Failure::Bad(other.to_string()),
        }
    }
}

/// The sides at one instance, where they are rational.
fn sides(description: &Description) -> Option<(Rational, Rational)> {
    let Judgement::Compared { lhs, rhs, .. } = &description.judgement else { return None };
    Some((lhs.to_string().parse().ok()?, rhs.to_string().parse().ok()?))
}

/// The special instances of an exact check with this outcome, and their sides.
fn instances(check: &dyn ExactCheck, outcome: Outcome) -> Vec<(String, Rational, Rational)> {
    (0..check.special_len().min(SPECIAL))
        .filter_map(|index| check.describe(&Point::Special(index)))
        .filter(|description| description.judgement.outcome() == outcome)
        .filter_map(|description| sides(&description).map(|(lhs, rhs)| (description.instance, lhs, rhs)))
        .collect()
}

/// What a claim gives to certify: of each exact part the special instance where its sides are nearest to each other relative to their size
/// (an extremal witness) and the first that refutes it, of each mutant the first special instance that refutes it, else the one that was planted.
fn candidates_of(claim: &Claim, found: &mut Vec<Candidate>) {
    let mut add = |what: String, (instance, lhs, rhs): (String, Rational, Rational)| {
        found.push(Candidate { claim: claim.id.to_owned(), what, instance, lhs, rhs });
    };
    for part in (claim.parts)() {
        for check in &part.checks {
            let Check::Exact(exact) = check else { continue };
            let gap = |lhs: &Rational, rhs: &Rational| -> Rational {
                let size = |x: &Rational| if x.signum() == Some(-1) { -x.clone() } else { x.clone() };
                let total = size(lhs) + size(rhs);
                // Two zeros say nothing.
                if total.is_zero() { Rational::from(1) } else { size(&(lhs.clone() - rhs.clone())) / total }
            };
            let mut nearest: Option<(Rational, (String, Rational, Rational))> = None;
            for instance in instances(exact.as_ref(), Outcome::Holds) {
                let here = gap(&instance.1, &instance.2);
                if nearest.as_ref().is_none_or(|(best, _)| here.cmp_exact(best) == Some(std::cmp::Ordering::Less)) {
                    nearest = Some((here, instance));
                }
            }
            if let Some((_, instance)) = nearest {
                add(format!("part {}: {}", part.name, part.statement), instance);
            }
            if let Some(instance) = instances(exact.as_ref(), Outcome::Fails).into_iter().next() {
                add(format!("part {} refuted: {}", part.name, part.statement), instance);
            }
        }
    }
    for mutant in (claim.mutants)() {
        let refuting = [Some(&mutant.check), mutant.planted.as_ref()].into_iter().flatten().find_map(|check| match check {
            Check::Exact(exact) => instances(exact.as_ref(), Outcome::Fails).into_iter().next(),
            _ => None,
        });
        if let Some(instance) = refuting {
            add(format!("mutant {} refuted: {}", mutant.name, mutant.statement), instance);
        }
    }
}

/// What the registry gives to certify, in its order. It depends on nothing but the claims.
pub fn candidates(offers: &[Offer]) -> Vec<Candidate> {
    let mut found = Vec::new();
    for claim in offers.iter().flat_map(|offer| (offer.claims)()) {
        candidates_of(&claim, &mut found);
    }
    found
}

/// The mapped claims, without repetition.
fn claims(checked: &Checked) -> BTreeSet<&str> {
    checked.entries.iter().filter_map(|entry| entry.claim.as_deref()).collect()
}

fn count(checked: &Checked, kind: Kind) -> usize {
    checked.entries.iter().filter(|entry| entry.kind == kind).count()
}

fn lake_words(lake: Option<&Lake>) -> String {
    match lake {
        None => formal::version().map_or_else(|| "not run (no lake on PATH)".to_owned(), |version| format!("not run (--build runs it); {version}")),
        Some(Lake::Missing) => "not run (no lake on PATH)".to_owned(),
        Some(Lake::Passed { version }) => format!("built, printed and audited by {version}"),
        Some(Lake::Failed { what }) => format!("failed\n{what}"),
    }
}

fn state_text(checked: &Checked, lake: &str) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "mapped      {} declarations for {} claims", checked.entries.len(), claims(checked).len());
    for kind in Kind::ALL {
        let _ = writeln!(out, "  {:<11} {}", kind.as_str(), count(checked, kind));
    }
    let _ = writeln!(out, "read        {} files, {} theorems and pins", checked.files, checked.stated);
    if checked.findings.is_empty() {
        let _ = writeln!(out, "static      passed (sources, hashes, imports, golden vectors, certificates)");
    } else {
        let _ = writeln!(out, "static      {} not as it should be", checked.findings.len());
        for finding in &checked.findings {
            let _ = writeln!(out, "  {finding}");
        }
    }
    let _ = writeln!(out, "lake        {lake}");
    out
}

fn state_json(checked: &Checked, lake: &str) -> Value {
    let kinds: Map<String, Value> = Kind::ALL.iter().map(|kind| (kind.as_str().to_owned(), Value::from(count(checked, *kind)))).collect();
    let entries: Vec<Value> = checked
        .entries
        .iter()
        .map(|entry| {
            json!({
                "declaration": entry.declaration, "file": entry.file, "claim": entry.claim, "kind": entry.kind.as_str(), "sha256": entry.sha256,
            })
        })
        .collect();
    let findings: Vec<Value> =
        checked.findings.iter().map(|finding| json!({ "file": finding.file, "line": finding.line, "what": finding.what })).collect();
    json!({
        "schema": 1, "kinds": kinds, "claims": claims(checked).len(), "files": checked.files, "stated": checked.stated,
        "findings": findings, "lake": lake, "entries": entries,
    })
}

pub(crate) fn run(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let candidates = candidates(offers);
    if let Some(("export", arguments)) = arguments.subcommand() {
        return export(&candidates, Path::new(text(arguments, "dir")), streams);
    }
    let folder = Path::new(text(arguments, "dir"));
    let ids: Vec<&str> = offers.iter().flat_map(|offer| (offer.claims)()).map(|claim| claim.id).collect();
    let checked = formal::check(folder, &ids, Some(&candidates))?;
    let ran = arguments.get_flag("build").then(|| formal::run_lake(folder));
    let lake = lake_words(ran.as_ref());
    show(arguments, streams, || state_text(&checked, &lake), || state_json(&checked, &lake))?;
    let failed = !checked.findings.is_empty() || matches!(ran, Some(Lake::Failed { .. }));
    Ok(if failed { Exit::NotAsDeclared } else { Exit::Success })
}

fn export(candidates: &[Candidate], folder: &Path, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let written = formal::refresh(folder, candidates)?;
    for (file, content) in &written.files {
        write_file("lean export", &folder.join(file), content)?;
    }
    writeln!(streams.output, "{} certificates in {} files", written.theorems, written.files.len())?;
    Ok(Exit::Success)
}
