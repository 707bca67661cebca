//! The documents: generated tables are up to date, commands in them run, links between files hold.

use crate::examples::{folder, run_line};
use crate::run::quick;
use std::path::PathBuf;
use theorycheck::Exit;

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The tables between the README's markers equal what the shared run gives. THEORYCHECK_BLESS=1 rewrites them.
#[test]
fn generated_tables_are_up_to_date() {
    let mut readme = read("README.md");
    let offers = theorycheck::papers();
    let summary = theorycheck::report::summary(quick());
    let tables = [
        ("findings", theorycheck::report::findings_table(&offers, quick())),
        ("claims", theorycheck::report::claims_table(quick())),
        ("summary", format!("```text\n{summary}\n```\n")),
    ];
    let bless = std::env::var_os("THEORYCHECK_BLESS").is_some();
    for (name, table) in tables {
        let (start, end) = (format!("<!-- {name}: generated -->\n"), format!("<!-- {name}: end -->"));
        let from = readme.find(&start).unwrap_or_else(|| panic!("no marker {start}")) + start.len();
        let to = readme.find(&end).unwrap_or_else(|| panic!("no marker {end}"));
        if bless {
            readme.replace_range(from..to, &table);
        } else {
            assert_eq!(&readme[from..to], table, "the table '{name}' is stale: run the tests with THEORYCHECK_BLESS=1");
        }
    }
    if bless {
        std::fs::write(root().join("README.md"), readme).unwrap();
    }
}

/// The documents, those of the guide included.
fn documents() -> Vec<String> {
    let mut all: Vec<String> = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(str::to_owned).to_vec();
    for folder in ["docs", "docs/guide"] {
        let names = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        all.extend(names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")));
    }
    all.sort();
    all
}

/// Every line of a `console` block that starts with `$` runs, and prints what follows it; `...` stands for anything.
#[test]
fn commands_in_the_documents_print_what_they_show() {
    let mut tried = 0;
    for file in documents() {
        let folder = folder();
        let text = read(&file);
        for block in text.split("```console\n").skip(1) {
            let block = block.split("```").next().unwrap_or_default();
            let mut lines = block.lines().peekable();
            while let Some(line) = lines.next() {
                let Some(line) = line.strip_prefix("$ ") else { panic!("{file}: output without a command: {line}") };
                let mut expected = String::new();
                while let Some(next) = lines.next_if(|next| !next.starts_with("$ ")) {
                    expected.push_str(next);
                    expected.push('\n');
                }
                let outcome = run_line(line, folder.path());
                assert_eq!(outcome.exit, Exit::Success, "{file}: {line}: {}", outcome.messages);
                if expected.trim() != "..." {
                    assert_eq!(outcome.output.trim_end(), expected.trim_end(), "{file}: {line}");
                }
                tried += 1;
            }
        }
    }
    assert!(tried >= 30, "{tried}");
}

#[test]
fn named_files_exist() {
    for name in documents() {
        let text = read(&name);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).filter(|link| !link.contains(':') && !link.starts_with('#')) {
            let folder = root().join(&name).parent().map(PathBuf::from).unwrap_or_default();
            assert!(folder.join(link.split('#').next().unwrap_or(link)).exists(), "{name} links to {link}");
        }
    }
    // Every chapter is in the table of contents.
    let contents = read("docs/guide/SUMMARY.md");
    for chapter in documents().iter().filter_map(|name| name.strip_prefix("docs/guide/")).filter(|name| *name != "SUMMARY.md") {
        assert!(contents.contains(&format!("({chapter})")), "{chapter} is not in SUMMARY.md");
    }
}

/// What a reader sees first is what was found.
#[test]
fn the_findings_stand_first() {
    let readme = read("README.md");
    let first = readme.find("\n## ").unwrap();
    assert!(readme[first..].starts_with("\n## What was found\n"), "{}", &readme[first..first + 60]);
}

/// Rooms depend one way: each crate's `[dependencies]` are only those that stand left of it here.
#[test]
fn rooms_depend_one_way() {
    let order =
        ["simd", "numeric", "sample", "claim", "data", "calculator", "engine", "compression", "optimization", "learning", "formal", "report", "cli"];
    for (index, room) in order.iter().enumerate() {
        let manifest: toml::Table = read(&format!("crates/{room}/Cargo.toml")).parse().unwrap();
        let dependencies = manifest["dependencies"].as_table().unwrap();
        for later in &order[index..] {
            assert!(!dependencies.contains_key(*later), "{room} depends on {later}");
        }
        if !["cli", "report"].contains(room) {
            assert!(!dependencies.contains_key("engine") || *room == "engine", "{room} knows a route");
        }
    }
}

/// The command line and the report name no paper: what they show of one comes from the registry.
#[test]
fn the_command_line_and_the_report_name_no_paper() {
    let slugs: Vec<&str> = theorycheck::papers().iter().map(|offer| offer.paper.slug).collect();
    for room in ["cli", "report"] {
        for entry in std::fs::read_dir(root().join(format!("crates/{room}/src"))).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
            for word in words {
                assert!(!slugs.contains(&word), "{} names '{word}'", path.display());
            }
        }
    }
}

/// Every promised figure has its row, and every row a figure.
#[test]
fn the_benchmark_table_is_complete() {
    let figures: toml::Table = read("benchmarks/figures.toml").parse().unwrap();
    let names: Vec<&str> = figures["figure"].as_array().unwrap().iter().map(|figure| figure["name"].as_str().unwrap()).collect();
    let text = read("BENCHMARKS.md");
    let rows: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()).filter(|name| !["job", "---"].contains(name)).collect();
    assert_eq!(rows, names, "run cargo run --release -p theorycheck-benchmarks --example table");
    // The peers' scripts are part of the project, and every bench is a file of its package.
    for figure in figures["figure"].as_array().unwrap() {
        assert!(root().join(figure["script"][0].as_str().unwrap()).exists());
        let package = figure["package"].as_str().unwrap().trim_start_matches("theorycheck-");
        assert!(root().join(format!("crates/{package}/benches/{}.rs", figure["bench"].as_str().unwrap())).exists(), "{package}");
    }
    assert!(text.contains("Machine: ") && text.contains("cargo run --release -p theorycheck-benchmarks --example table"));
}
