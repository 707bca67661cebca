//! The falsifier alone, without special or planted instances: which false statements it breaks from random tapes, and after how many evaluations.

use crate::run::{claims, command};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use theorycheck::claim::{Check, Coverage, ExactCheck, Verdict};
use theorycheck::engine::{DEFAULT_BUDGET, Silent, search};

/// One false statement: a mutant, or a part of a claim that is declared refuted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    statement: String,
    /// Evaluations until the first failure; absent where the tapes do not reach one.
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluations: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct Table {
    row: Vec<Row>,
}

/// Searched by each row: a tenth of the command's default, so that the whole list takes seconds.
const BUDGET: u64 = DEFAULT_BUDGET / 10;

fn found() -> Vec<Row> {
    let mut rows = Vec::new();
    for claim in claims() {
        let mut try_check = |name: String, check: &dyn ExactCheck| {
            if check.tape_len() == 0 || check.coverage() != Coverage::Sampled {
                return;
            }
            let search = search(check, 0, BUDGET, (claim.id, &name), &Silent);
            rows.push(Row { statement: format!("{} {name}", claim.id), evaluations: search.failure.map(|_| search.evaluations) });
        };
        if claim.declared == Verdict::Refuted {
            for part in (claim.parts)() {
                for check in &part.checks {
                    if let Check::Exact(check) = check {
                        try_check(part.name.to_owned(), check.as_ref());
                    }
                }
            }
        }
        for mutant in (claim.mutants)() {
            if let Check::Exact(check) = &mutant.check {
                try_check(format!("~{}", mutant.name), check.as_ref());
            }
        }
    }
    rows
}

/// The list as recorded. THEORYCHECK_BLESS=1 rewrites it.
#[test]
fn the_falsifier_breaks_what_it_broke_before() {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data/falsifier.toml"));
    let rows = found();
    if std::env::var_os("THEORYCHECK_BLESS").is_some() {
        let text = toml::to_string(&Table { row: rows.clone() }).unwrap();
        let head = "# The falsifier alone against every false statement with a family: evaluations until it breaks (none: its tapes hold no counterexample, or none was\n# found among 10,000). Written by the test with THEORYCHECK_BLESS=1.\n\n";
        std::fs::write(&path, format!("{head}{text}")).unwrap();
    }
    let recorded: Table = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(rows, recorded.row);
    let broken = rows.iter().filter(|row| row.evaluations.is_some()).count();
    // Nearly all: the rest need the long special sequences.
    assert!(broken * 10 >= rows.len() * 8, "{broken} of {}", rows.len());
}

/// The same witness on every thread count, of at most three small integers for the paper's floor.
#[test]
fn the_witness_does_not_depend_on_threads() {
    let json = |threads: &str| {
        let outcome = command(&["falsify", "emp/mass-paper", "--threads", threads, "--json"], "");
        assert_eq!(outcome.exit, theorycheck::Exit::Success);
        outcome.output
    };
    let reference = json("1");
    assert_eq!([json("2"), json("3"), json("8")], [reference.clone(), reference.clone(), reference.clone()]);
    let value: serde_json::Value = serde_json::from_str(&reference).unwrap();
    let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
    for key in ["claim", "verdict", "witness", "margin", "tightness", "evaluations", "replay"] {
        assert!(keys.iter().any(|found| *found == key), "{key} in {keys:?}");
    }
    assert_eq!(value["witness"]["instance"], "s = (3, 2, 0)");
    assert_eq!(value["verdict"], "refuted");
}
