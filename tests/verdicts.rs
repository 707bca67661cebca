//! Every claim gets its declared verdict; every mutant falls; the record does not depend on what it must not depend on.

use crate::run::{claims, command, quick};
use std::collections::BTreeSet;
use theorycheck::claim::{Check, Claim, Verdict};
use theorycheck::engine::{Settings, Silent, replay, run};
use theorycheck::report::run_json;

#[test]
fn every_claim_is_as_declared() {
    let wrong: Vec<String> =
        quick().claims.iter().filter(|claim| !claim.as_declared).map(|claim| format!("{}: {}", claim.id, claim.verdict)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn every_claim_has_mutants_and_all_fall_without_help() {
    for (claim, record) in claims().iter().zip(&quick().claims) {
        assert_eq!(claim.id, record.id);
        assert!(!record.mutants.is_empty() || claim.without_mutants.is_some(), "{} has neither mutants nor a reason", claim.id);
        for mutant in &record.mutants {
            assert_eq!(mutant.verdict, Verdict::Refuted, "{} {}", claim.id, mutant.name);
            assert!(!mutant.planted, "{} {} fell to a planted instance only", claim.id, mutant.name);
        }
    }
}

#[test]
fn what_holds_was_tried_on_ten_thousand_instances_and_finite_families_say_so() {
    for (claim, record) in claims().iter().zip(&quick().claims) {
        for (part, found) in (claim.parts)().iter().flat_map(|part| part.checks.iter().map(move |check| (part.name, check))).zip(&record.parts) {
            let (name, check) = part;
            assert_eq!(name, found.name);
            if let (Check::Exact(check), Verdict::Holds) = (check, found.verdict) {
                let finite = check.coverage() != theorycheck::claim::Coverage::Sampled;
                assert!(finite || found.instances >= 10_000, "{} {name}: {}", claim.id, found.instances);
            }
        }
    }
}

#[test]
fn witnesses_replay_to_what_was_recorded() {
    let claims = claims();
    let mut replayed = 0;
    for record in &quick().claims {
        let parts = record.parts.iter().filter_map(|part| part.witness.as_ref());
        let mutants = record.mutants.iter().filter_map(|mutant| mutant.witness.as_ref());
        for witness in parts.chain(mutants) {
            let Some(token) = &witness.replay else { continue };
            let again = replay(&claims, token).expect("a recorded token is valid");
            assert_eq!((&again.instance, &again.values), (&witness.instance, &witness.values), "{token}");
            assert_eq!(again.outcome, theorycheck::claim::Outcome::Fails, "{token}");
            replayed += 1;
        }
    }
    assert!(replayed >= 30, "{replayed}");
}

#[test]
fn findings_link_to_their_correction_and_gaps_cap_the_verdict() {
    let claims = claims();
    let known: Vec<&str> = claims.iter().map(|claim| claim.id).collect();
    for claim in &claims {
        assert!(claim.see.iter().all(|id| known.contains(id)), "{} names an unknown claim", claim.id);
        if claim.finding.is_some() {
            assert_eq!(claim.declared, Verdict::Refuted, "{}", claim.id);
            assert!(!claim.see.is_empty(), "{} has no correction", claim.id);
        }
        if claim.gap.is_some() {
            assert!(claim.declared <= Verdict::Holds, "{}", claim.id);
        }
    }
}

#[test]
fn the_same_bytes_at_any_thread_count_and_in_any_selection() {
    let reference = run_json(quick()).to_string();
    // Of each paper the first claim by each route: a selection, so that the whole suite stays short.
    let mut taken = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for claim in claims() {
        for check in (claim.parts)().iter().flat_map(|part| &part.checks) {
            if seen.insert((claim.paper(), check.route().as_str())) {
                taken.insert(claim.id);
            }
        }
    }
    let chosen: Vec<Claim> = claims().into_iter().filter(|claim| taken.contains(claim.id)).collect();
    assert!(chosen.len() >= 8);
    // Every other one on a single thread, the rest on three; the shared run has one a core.
    let (single, several): (Vec<_>, Vec<_>) = chosen.into_iter().enumerate().partition(|(index, _)| index % 2 == 0);
    for (threads, part) in [(1, single), (3, several)] {
        let part: Vec<Claim> = part.into_iter().map(|(_, claim)| claim).collect();
        let settings = Settings { threads: Some(threads), ..Settings::default() };
        let again = run_json(&run(&part, &settings, &Silent).expect("the registry has no duplicates"));
        for claim in again["claims"].as_array().unwrap() {
            assert!(reference.contains(&claim.to_string()), "{} differs at {threads} threads", claim["id"]);
        }
    }
    for id in ["emp/mass-exact", "emp/loss-paper"] {
        let alone = command(&["check", id, "--json"], "");
        let value: serde_json::Value = serde_json::from_str(&alone.output).unwrap();
        assert!(reference.contains(&value["claims"][0].to_string()), "{id} alone differs");
    }
    let other = command(&["check", "emp/mass-exact", "--json", "--seed", "1"], "");
    let value: serde_json::Value = serde_json::from_str(&other.output).unwrap();
    assert!(!reference.contains(&value["claims"][0].to_string()), "another seed tries other instances");
}
