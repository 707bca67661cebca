//! The command line: exit codes, JSON, messages.

use crate::run::{command, command_with, quick};
use serde_json::Value;
use theorycheck::Exit;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().map(|map| map.keys().map(String::as_str).collect()).unwrap_or_default()
}

#[test]
fn json_has_the_documented_keys() {
    let checked = command(&["check", "emp/mass-paper", "emp/mass-step-4", "--json"], "");
    assert_eq!((checked.exit, checked.messages.as_str()), (Exit::Success, ""));
    let run: Value = serde_json::from_str(&checked.output).unwrap();
    assert_eq!(keys(&run), ["schema", "seed", "effort", "claims", "summary"]);
    assert_eq!(
        keys(&run["summary"])[..8],
        ["claims", "as_declared", "by_verdict", "mutants", "mutants_refuted", "level_total", "level_spent", "partial"]
    );
    assert_eq!(keys(&run["claims"][0])[..9], ["id", "paper", "provenance", "declared", "verdict", "as_declared", "parts", "mutants", "lean"]);
    let part = &run["claims"][0]["parts"][0];
    assert_eq!(keys(part)[..8], ["name", "route", "domain", "verdict", "instances", "tightness", "witness", "level"]);
    assert!(part["instances"].is_u64() && part["witness"]["values"]["lhs"].is_string());
    assert_eq!(keys(&run["claims"][1]["mutants"][0])[..4], ["name", "verdict", "witness", "planted"]);
    assert_eq!(run["summary"]["by_verdict"]["proved"], 1);
    // Where something was tight: a decimal string, and the instance beside it.
    let tight: Value = serde_json::from_str(&command(&["check", "emp/mass-beta-above-one", "--json"], "").output).unwrap();
    let part = &tight["claims"][0]["parts"][0];
    assert!(part["tightness"].as_str().is_some_and(|ratio| ratio.starts_with("0.99")) && part["tightest_at"].is_string(), "{part}");
}

#[test]
fn a_json_file_leaves_the_table_on_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.json");
    let checked = command(&["check", "emp/mass-step-3", &format!("--json={}", path.display())], "");
    assert!(checked.output.contains("emp/mass-step-3") && checked.output.contains("proved"));
    let run: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(run["claims"][0]["verdict"], "proved");
}

#[test]
fn list_explain_and_replay() {
    let list = command(&["list"], "");
    assert!(quick().claims.iter().all(|claim| list.output.contains(&claim.id)));
    let explained: Value = serde_json::from_str(&command(&["explain", "emp/mass-exact", "--json"], "").output).unwrap();
    assert_eq!(explained["declared"], "holds");
    let token = "emp/mass-paper:floor:scores:s45";
    let replayed = command(&["replay", token], "");
    assert_eq!(replayed.exit, Exit::Success);
    assert!(replayed.output.contains("fails") && replayed.output.contains("s = (3, 2, 0)"), "{}", replayed.output);
    let replayed: Value = serde_json::from_str(&command(&["replay", token, "--json"], "").output).unwrap();
    assert_eq!((&replayed["outcome"], &replayed["replay"]), (&Value::from("fails"), &Value::from(token)));
}

#[test]
fn an_interrupted_run_is_a_valid_record_marked_partial() {
    let stopped = command_with(&["check", "--json"], "", true);
    assert_eq!((stopped.exit, stopped.exit.code()), (Exit::Interrupted, 130));
    let run: Value = serde_json::from_str(&stopped.output).unwrap();
    assert_eq!((&run["summary"]["partial"], &run["summary"]["claims"]), (&Value::from(true), &Value::from(0)));
}

#[test]
fn help_is_a_result_and_usage_errors_are_not() {
    for arguments in [&["--help"][..], &["check", "--help"], &["calc", "emp", "--help"], &["calc", "emp", "bound", "--help"], &["--version"]] {
        let helped = command(arguments, "");
        assert_eq!(helped.exit, Exit::Success, "{arguments:?}");
        assert!(!helped.output.is_empty() && helped.messages.is_empty(), "{arguments:?}");
    }
    assert_eq!(Exit::NotAsDeclared.code(), 1);
    assert_eq!(Exit::Undecided.code(), 3);
    assert_eq!(Exit::Internal.code(), 70);
}

#[test]
fn what_is_not_as_declared_is_told_and_gives_its_code() {
    use theorycheck::claim::Verdict;
    use theorycheck::report::{Look, Outcome, outcome, run_text};
    let mut run = quick().clone();
    assert_eq!(outcome(&run), Outcome::AsDeclared);
    run.claims[0].verdict = Verdict::Undecided;
    run.claims[0].as_declared = false;
    assert_eq!(outcome(&run), Outcome::OnlyUndecided);
    assert!(run_text(&run, &[], Look::default()).contains("Not as declared:"));
    run.claims[0].disagreements.push("zeros".to_owned());
    assert_eq!(outcome(&run), Outcome::NotAsDeclared);
    let mut run = quick().clone();
    run.claims[4].mutants[0].verdict = Verdict::Holds;
    run.claims[4].as_declared = false;
    assert_eq!(outcome(&run), Outcome::NotAsDeclared);
    assert!(run_text(&run, &[], Look { width: Some(80), ..Look::default() }).contains("is not refuted"));
}

#[test]
fn the_table_fits_the_terminal_and_is_coloured_only_where_asked() {
    use theorycheck::report::{Detail, Look, run_text};
    let offers = theorycheck::papers();
    // The table itself: from its head to the empty line behind it (witnesses above it are as long as they are).
    let table = |look: Look| -> Vec<String> {
        let text = run_text(quick(), &offers, look);
        text.lines().skip_while(|line| !line.contains("claim  ")).take_while(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    for width in [50, 60, 80, 100, 120] {
        let lines = table(Look { width: Some(width), ..Look::default() });
        assert!(lines.len() > quick().claims.len(), "{width}");
        for line in &lines {
            assert!(line.chars().count() <= usize::from(width), "{width}: {line}");
        }
    }
    assert!(!table(Look { width: Some(50), ..Look::default() })[0].contains("effort"), "what can be missed is left out where it is narrow");
    assert!(table(Look::default())[0].contains("effort") && table(Look::default())[0].contains("level"));
    assert!(!run_text(quick(), &offers, Look::default()).contains('\u{1b}'));
    assert!(run_text(quick(), &offers, Look { colour: true, ..Look::default() }).contains("\u{1b}["));
    // Findings come first; quiet is the summary alone, verbose has every part.
    let text = run_text(quick(), &offers, Look::default());
    assert!(text.starts_with("Found: ") && text.ends_with(&format!("{}\n", theorycheck::report::summary(quick()))));
    assert_eq!(run_text(quick(), &offers, Look { detail: Detail::Quiet, ..Look::default() }).lines().count(), 1);
    let verbose = run_text(quick(), &offers, Look { detail: Detail::Verbose, ..Look::default() });
    for claim in &quick().claims {
        assert!(
            claim.parts.iter().all(|part| verbose.contains(&format!("    {}: {} by the {} route", part.name, part.verdict, part.route))),
            "{}",
            claim.id
        );
    }
}
