//! The Lean project against the registry.

use crate::run::{claims, command};
use std::collections::BTreeSet;
use std::path::Path;
use theorycheck::Exit;
use theorycheck::formal::{Finding, Kind, check, lean_names, own_map};

const LEAN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../lean");

#[test]
fn no_orphan_on_either_side_and_nothing_stale() {
    let ids: Vec<&str> = claims().iter().map(|claim| claim.id).collect();
    let candidates = theorycheck::lean_candidates(&theorycheck::papers());
    let checked = check(Path::new(LEAN), &ids, Some(&candidates)).unwrap();
    let findings: Vec<String> = checked.findings.iter().map(Finding::to_string).collect();
    assert_eq!(findings, Vec::<String>::new());
    let statistical: BTreeSet<&str> =
        checked.entries.iter().filter(|entry| entry.kind != Kind::Certificate).filter_map(|entry| entry.claim.as_deref()).collect();
    assert!(statistical.iter().filter(|claim| claim.starts_with("slt/")).count() >= 20);
}

#[test]
fn the_command_shows_the_state() {
    let outcome = command(&["lean", "--dir", LEAN, "--json"], "");
    assert_eq!(outcome.exit, Exit::Success, "{}{}", outcome.output, outcome.messages);
    let state: serde_json::Value = serde_json::from_str(&outcome.output).unwrap();
    assert_eq!(state["findings"], serde_json::json!([]));
    assert_eq!(state["entries"].as_array().unwrap().len(), own_map().as_ref().unwrap().len());
    let text = command(&["lean", "--dir", LEAN], "").output;
    assert!(text.contains("static      passed") && text.contains("\nlake "), "{text}");
}

#[test]
fn export_is_reproducible_and_a_damaged_project_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for below in ["Certificates", "golden"] {
        std::fs::create_dir(folder.path().join(below)).unwrap();
    }
    let dir = folder.path().display().to_string();
    let missing = command(&["lean", "export", "--dir", &dir], "");
    assert_eq!(missing.exit, Exit::BadInput);
    assert!(missing.messages.contains("map.toml"), "{}", missing.messages);
    std::fs::copy(format!("{LEAN}/map.toml"), folder.path().join("map.toml")).unwrap();
    assert_eq!(command(&["lean", "export", "--dir", &dir], "").exit, Exit::Success);
    for file in ["certificates.toml", "Audit.lean", "Certificates.lean", "golden/golden.json", "Certificates/Emp.lean"] {
        let (ours, theirs) = (std::fs::read_to_string(folder.path().join(file)), std::fs::read_to_string(format!("{LEAN}/{file}")));
        assert!(ours.unwrap() == theirs.unwrap(), "{file} is not what export writes");
    }
    let golden = std::fs::read_to_string(folder.path().join("golden/golden.json")).unwrap();
    std::fs::write(folder.path().join("golden/golden.json"), golden.replace("81/64", "82/64")).unwrap();
    let outcome = command(&["lean", "--dir", &dir], "");
    assert_eq!((outcome.exit, outcome.output.as_str()), (Exit::BadInput, ""));
    assert!(outcome.messages.contains("golden.json, line 4") && outcome.messages.contains("82/64"), "{}", outcome.messages);
    let map = std::fs::read_to_string(folder.path().join("map.toml")).unwrap();
    std::fs::write(folder.path().join("map.toml"), map.replacen("kind = \"auxiliary\"", "kind = 7", 1)).unwrap();
    let outcome = command(&["lean", "--dir", &dir], "");
    assert_eq!(outcome.exit, Exit::BadInput);
    assert!(outcome.messages.contains("map.toml, line 10"), "{}", outcome.messages);
}

#[test]
fn explain_and_the_record_show_the_lean_name_and_file() {
    let text = command(&["explain", "moe/budget"], "").output;
    assert!(text.contains("TheoryCheck.moe_budget_lower (proved; lean/TheoryCheck/Algebra.lean)"), "{text}");
    let json = command(&["explain", "moe/budget", "--json"], "").output;
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let first = serde_json::json!({ "name": "TheoryCheck.moe_budget_lower", "file": "TheoryCheck/Algebra.lean", "kind": "proved" });
    assert_eq!(value["lean"]["declarations"][0], first);
    assert_eq!(lean_names("moe/no-such-claim").count(), 0);
}

#[test]
fn the_readme_maps_all_core_names_of_the_library() {
    let readme = std::fs::read_to_string(format!("{LEAN}/README.md")).unwrap();
    let rows: Vec<(&str, &str)> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | `"))
        .filter_map(|(name, rest)| Some((name, rest.split_once('`')?.0)))
        .collect();
    let claims: BTreeSet<&str> = rows.iter().map(|(_, claim)| *claim).collect();
    assert_eq!(claims.len(), 24);
    for (name, claim) in rows {
        assert!(lean_names(claim).any(|entry| entry.declaration == name && entry.kind == Kind::Bridge), "{name} is not mapped to {claim}");
    }
}

#[test]
fn the_page_names_the_declarations() {
    let page = theorycheck::report::html_page(crate::run::quick(), &theorycheck::papers());
    for name in ["SmallBallProbability.small_ball_prob", "lean/bridge/Bridge/Names.lean", "lean/Certificates/Slt.lean"] {
        assert!(page.contains(name), "{name}");
    }
}
