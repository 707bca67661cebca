//! Records: the published schemas, shards and their merge, JUnit, reading back.

use crate::run::{command, quick};
use serde_json::Value;
use theorycheck::Exit;
use theorycheck::claim::Verdict;
use theorycheck::report::{junit_xml, merge, read_record, run_json, stored};

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn schema(name: &str) -> jsonschema::Validator {
    let path = format!("{}/../docs/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let schema = parsed(&std::fs::read_to_string(&path).unwrap());
    assert!(jsonschema::meta::is_valid(&schema), "{name} is no JSON Schema");
    jsonschema::validator_for(&schema).unwrap()
}

fn check(name: &str, value: &Value) {
    let errors: Vec<String> = schema(name).iter_errors(value).map(|error| format!("{} at {}", error, error.instance_path())).take(5).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
}

#[test]
fn every_json_output_follows_its_published_schema() {
    check("run", &run_json(quick()));
    for (name, arguments) in [
        ("run", &["check", "emp/mass-step-3", "emp/mass-paper", "--shard", "1/2", "--json"][..]),
        ("list", &["list", "--json"]),
        ("explain", &["explain", "emp/mass-paper", "--json"]),
        ("falsify", &["falsify", "emp/mass-paper", "--budget", "1000", "--json"]),
        ("falsify", &["falsify", "emp/mass-exact", "--budget", "1000", "--json"]),
        ("replay", &["replay", "emp/mass-paper:floor:scores:s45", "--json"]),
        ("plot", &["plot", "emp", "--json"]),
        ("doctor", &["doctor", "--json"]),
    ] {
        let outcome = command(arguments, "");
        assert_eq!(outcome.exit, Exit::Success, "{arguments:?}: {}", outcome.messages);
        check(name, &parsed(&outcome.output));
    }
}

#[test]
fn the_schema_refuses_what_is_no_record() {
    let run = run_json(quick());
    let validator = schema("run");
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut value = run.clone();
        change(&mut value);
        assert!(!validator.is_valid(&value));
    };
    broken(&|value| value["schema"] = 2.into());
    broken(&|value| value["claims"][0]["verdict"] = "true".into());
    broken(&|value| value["claims"][0]["parts"][0]["instances"] = "12".into());
    broken(&|value| value["claims"][0]["parts"][0]["tightness"] = 0.5.into());
    broken(&|value| value["summary"]["level_total"] = "high".into());
    broken(&|value| value["claims"][0]["extra"] = 1.into());
    broken(&|value| {
        value["claims"][0].as_object_mut().unwrap().remove("mutants");
    });
}

#[test]
fn three_shards_joined_are_the_unsharded_record_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    for index in 1..=3 {
        let checked = command(&["check", "--shard", &format!("{index}/3"), "--quiet", &format!("--json={}", file(&format!("{index}.json")))], "");
        assert_eq!(checked.exit, Exit::Success, "{}{}", checked.output, checked.messages);
    }
    // In another order.
    let files = [file("3.json"), file("1.json"), file("2.json")];
    let [third, first, second] = files.each_ref().map(String::as_str);
    let merged = command(&["merge", third, first, second, "--json"], "");
    assert_eq!((merged.exit, merged.messages.as_str()), (Exit::Success, ""));
    assert_eq!(merged.output, format!("{}\n", run_json(quick())), "merged");
    let to_file = file("all.json");
    let (page, junit) = (file("all.html"), file("all.xml"));
    let told = command(&["merge", first, second, third, &format!("--json={to_file}"), "--html", &page, "--junit", &junit], "");
    assert_eq!(std::fs::read_to_string(to_file).unwrap(), merged.output);
    let offers = theorycheck::papers();
    assert_eq!(told.output, theorycheck::report::run_text(quick(), &offers, theorycheck::report::Look::default()));
    assert_eq!(std::fs::read_to_string(page).unwrap(), theorycheck::report::html_page(quick(), &offers));
    assert_eq!(std::fs::read_to_string(junit).unwrap(), junit_xml(quick()));
    // What is not the shards of one run is refused, with its reason.
    let refused = |arguments: &[&str], says: &[&str]| {
        let outcome = command(&[&["merge"], arguments].concat(), "");
        assert_eq!((outcome.exit, outcome.output.as_str()), (Exit::BadInput, ""), "{arguments:?}");
        for part in says {
            assert!(outcome.messages.contains(part), "{arguments:?}: '{part}' is not in: {}", outcome.messages);
        }
    };
    refused(&[first, third], &["missing: shard 2 of 3"]);
    refused(&[first, second, first], &["shard 1 of 3 is also in", "1.json"]);
    refused(&[&file("all.json")], &["all.json", "whole run"]);
    refused(&[&file("none.json")], &["none.json"]);
    let rewritten = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut value = parsed(&std::fs::read_to_string(second).unwrap());
        change(&mut value);
        std::fs::write(file(name), value.to_string()).unwrap();
        file(name)
    };
    refused(&[first, &rewritten("seed.json", &|value| value["seed"] = 9.into()), third], &["seed.json", "the seed is 9", "1.json has 0"]);
    refused(&[first, &rewritten("effort.json", &|value| value["effort"] = "deep".into()), third], &["the effort is deep"]);
    refused(&[first, &rewritten("partial.json", &|value| value["summary"]["partial"] = true.into()), third], &["partial.json", "interrupted"]);
    refused(&[first, &rewritten("schema.json", &|value| value["schema"] = 7.into()), third], &["schema.json: schema 7"]);
    refused(
        &[first, &rewritten("verdict.json", &|value| value["claims"][1]["verdict"] = "true".into()), third],
        &["claim 2", "'true' is no verdict"],
    );
    let fewer = |value: &mut Value| {
        value["claims"].as_array_mut().unwrap().pop();
    };
    refused(&[first, &rewritten("fewer.json", &fewer), third], &["fewer.json", "shard 2 of 3"]);
    std::fs::write(file("text.json"), "{\"schema\": 1,\n oops}").unwrap();
    refused(&[&file("text.json")], &["text.json", "line 2"]);
}

#[test]
fn a_record_read_back_is_the_record() {
    let text = run_json(quick()).to_string();
    let read = read_record("it", &text).unwrap();
    assert_eq!(read.to_json().to_string(), text);
    assert_eq!(run_json(&read.run).to_string(), text, "also without the JSON that it came from");
    // One shard of one is a whole run.
    let only = stored("it", quick().clone(), Some(theorycheck::report::Shard { index: 1, count: 1, claims: quick().claims.len() as u64 }));
    assert_eq!(merge(vec![only]).unwrap().to_json().to_string(), text);
}

/// Any number of shards, also more than there are claims: split here by hand, from the shared run.
#[test]
fn any_number_of_shards_joins_to_the_same_record() {
    use theorycheck::engine::{DIGITS, ledger};
    use theorycheck::numeric::{Rational, Rounding};
    let (run, claims) = (quick(), crate::run::claims());
    let total = run.claims.len();
    for count in [1, 2, 5, 7, total, total + 3] {
        let shards = (1..=count).map(|index| {
            let mine = |position: &usize| position % count == index - 1;
            let level = claims
                .iter()
                .enumerate()
                .filter(|(position, _)| mine(position))
                .fold(Rational::from(0), |sum, (_, claim)| sum + ledger::claim_level(claim))
                .to_decimal(DIGITS, Rounding::Up);
            let part = theorycheck::claim::RunRecord {
                claims: run.claims.iter().enumerate().filter(|(position, _)| mine(position)).map(|(_, record)| record.clone()).collect(),
                level_total: level.clone(),
                level_spent: level,
                ..run.clone()
            };
            let shard = theorycheck::report::Shard { index: index as u64, count: count as u64, claims: total as u64 };
            let text = stored("it", part, Some(shard)).to_json().to_string();
            read_record(&format!("shard {index}"), &text).unwrap()
        });
        // Last first.
        let shards: Vec<_> = shards.collect::<Vec<_>>().into_iter().rev().collect();
        assert_eq!(merge(shards).unwrap().to_json().to_string(), run_json(run).to_string(), "{count} shards");
    }
}

#[test]
fn shards_share_out_the_selection() {
    let ids = |shard: &str| -> Vec<String> {
        let checked = command(&["check", "emp/mass-step-3", "emp/mass-step-4", "emp/mass-step-5", "--shard", shard, "--json"], "");
        let value = parsed(&checked.output);
        assert_eq!(value["shard"]["claims"], 3);
        value["claims"].as_array().unwrap().iter().map(|claim| claim["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("1/2"), ["emp/mass-step-3", "emp/mass-step-5"]);
    assert_eq!(ids("2/2"), ["emp/mass-step-4"]);
    assert!(ids("4/5").is_empty(), "more shards than claims leave some without work");
}

#[test]
fn junit_tells_what_is_not_as_declared() {
    let text = junit_xml(quick());
    assert_eq!(text.matches("<testcase ").count(), quick().claims.len());
    assert!(text.contains("failures=\"0\"") && !text.contains("<failure") && !text.contains("time="), "{text}");
    let mut run = quick().clone();
    run.claims[0].verdict = Verdict::Undecided;
    run.claims[0].as_declared = false;
    run.claims[4].mutants[0].verdict = Verdict::Holds;
    run.claims[4].mutants[0].statement = "a < b & c".into();
    run.claims[4].as_declared = false;
    // A quotation mark may be escaped or not.
    let text = junit_xml(&run).replace("&apos;", "'");
    assert_eq!(text.matches("<failure ").count(), 2);
    assert!(text.contains("type=\"undecided\"") && text.contains("type=\"not-as-declared\""), "{text}");
    assert!(text.contains(&format!("mutant '{}' is not refuted: a &lt; b &amp; c (holds)", run.claims[4].mutants[0].name)), "{text}");
    assert!(text.contains("failures=\"2\""));
}
