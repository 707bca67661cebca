//! Command lines from documents and help texts, run as they stand: files that they name are those of `data/examples`, or are written into a folder of the test.

use crate::run::{Outcome, command, quick};
use std::path::{Path, PathBuf};
use theorycheck::Exit;
use theorycheck::report::{Look, run_text};

/// The names that are files, by their ends.
const ENDS: [&str; 8] = [".npy", ".npz", ".safetensors", ".csv", ".json", ".html", ".xml", ".svg"];

/// A folder with the example files and the skeleton of a checkout.
pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/data/examples"));
    for entry in std::fs::read_dir(examples).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    let checkout = folder.path().join("CHECKOUT");
    std::fs::create_dir_all(checkout.join("properties")).unwrap();
    for field in ["optimization", "compression", "learning"] {
        let source = format!("{}/../crates/{field}/src/lib.rs", env!("CARGO_MANIFEST_DIR"));
        let target = checkout.join("crates").join(field).join("src");
        std::fs::create_dir_all(&target).unwrap();
        std::fs::copy(source, target.join("lib.rs")).unwrap();
    }
    copy(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../lean")), &checkout.join("lean"));
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() { copy(&entry.path(), &target) } else { std::fs::copy(entry.path(), target).map(|_| ()).unwrap() }
    }
}

/// The words of a line, quotation marks taken off.
fn words(line: &str) -> Vec<String> {
    let (mut out, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(mark), _) if c == mark => quote = None,
            (None, ' ') => out.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    out
}

/// Runs `theorycheck ..` or `echo '..' | theorycheck ..`. A run over all claims is answered from the one that the suite shares, its command line parsed and its
/// files written from it.
pub fn run_line(line: &str, folder: &Path) -> Outcome {
    let (input, line) = match line.strip_prefix("echo ").and_then(|rest| rest.split_once(" | ")) {
        Some((text, rest)) => (words(text).join(" "), rest),
        None => (String::new(), line),
    };
    let mut words = words(line);
    assert_eq!(words.first().map(String::as_str), Some("theorycheck"), "{line}");
    for word in words.iter_mut().skip(1) {
        let (flag, name) = word.split_once('=').map_or(("", word.as_str()), |(flag, name)| (flag, name));
        if name == "." || name == "CHECKOUT" || name == "CHECKOUT/lean" || (ENDS.iter().any(|end| name.ends_with(end)) && !name.contains(' ')) {
            let path: PathBuf = folder.join(name);
            *word = if flag.is_empty() { path.display().to_string() } else { format!("{flag}={}", path.display()) };
        }
    }
    let matches = theorycheck::parser().try_get_matches_from(&words);
    if let Ok(matches) = matches {
        let check = matches.subcommand().map_or(Some(&matches), |(name, inner)| (name == "check").then_some(inner));
        let all = check.filter(|check| check.try_get_many::<String>("NAME").ok().flatten().is_none() && !check.contains_id("shard"));
        if let Some(check) = all {
            let offers = theorycheck::papers();
            if let Some(file) = check.get_one::<String>("html") {
                std::fs::write(file, theorycheck::report::html_page(quick(), &offers)).unwrap();
            }
            if let Some(file) = check.get_one::<String>("junit") {
                std::fs::write(file, theorycheck::report::junit_xml(quick())).unwrap();
            }
            let json = theorycheck::report::to_line(&theorycheck::report::run_json(quick()));
            match check.get_one::<String>("json").map(String::as_str) {
                Some("-") => return Outcome { exit: Exit::Success, output: json, messages: String::new() },
                Some(file) => std::fs::write(file, json).unwrap(),
                None => {}
            }
            return Outcome { exit: Exit::Success, output: run_text(quick(), &offers, Look::default()), messages: String::new() };
        }
    }
    let arguments: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    command(&arguments, &input)
}

/// The example lines of a help text.
fn lines(help: &str) -> Vec<String> {
    help.lines().map(str::trim).filter(|line| line.starts_with("theorycheck") || line.starts_with("echo ")).map(str::to_owned).collect()
}

fn walk(command: &theorycheck::Command, path: &str, folder: &Path, tried: &mut usize) {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = lines(&help);
    // A command that only holds others needs none.
    assert!(!lines.is_empty() || command.has_subcommands(), "{path} has no example");
    for line in lines {
        let outcome = run_line(&line, folder);
        assert_eq!(outcome.exit, Exit::Success, "{path}: {line}: {}{}", outcome.output, outcome.messages);
        *tried += 1;
    }
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        walk(below, &format!("{path} {}", below.get_name()), folder, tried);
    }
}

#[test]
fn every_example_of_every_help_text_runs() {
    let folder = folder();
    let mut tried = 0;
    walk(&theorycheck::parser(), "theorycheck", folder.path(), &mut tried);
    assert!(tried >= 30, "{tried}");
}

#[test]
fn words_are_split_as_a_shell_does() {
    assert_eq!(words("theorycheck prove 'x >= 0 for x'  \"a b\" ''"), ["theorycheck", "prove", "x >= 0 for x", "a b", ""]);
}
