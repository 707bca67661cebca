//! The binary as a process: a reader that goes away, an interrupt, streams.
#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::Duration;

fn theorycheck(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_theorycheck"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    // The list is longer than a pipe holds, so that a write meets the closed end.
    let mut child = theorycheck(&["list", "--json"]).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut first = [0; 16];
    output.read_exact(&mut first).unwrap();
    drop(output);
    let mut messages = String::new();
    child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
    assert_eq!((child.wait().unwrap().code(), messages.as_str()), (Some(0), ""));
    let whole = theorycheck(&["list", "--json"]).output().unwrap();
    assert!(whole.stdout.len() > 1 << 16, "the list does not fill a pipe: {}", whole.stdout.len());
}

#[test]
fn an_interrupt_leaves_a_record_marked_partial() {
    // Deep: it would take minutes.
    let mut child = theorycheck(&["check", "emp", "--effort", "deep", "--threads", "1", "--json", "--verbose"]).spawn().unwrap();
    // A run takes some milliseconds to begin; the rest is for busy machines, and a run that ended would not be partial.
    std::thread::sleep(Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let run: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(run["summary"]["partial"], true);
    assert!(run["summary"]["claims"].as_u64().unwrap() < 18, "{}", run["summary"]);
}

#[test]
fn an_interrupted_search_says_what_it_found() {
    let mut child = theorycheck(&["falsify", "emp/mass-exact", "--budget", "1000000000000", "--threads", "1", "--json"]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let (mut output, mut messages) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let found: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert!(found["evaluations"].as_u64().unwrap() < 1_000_000_000_000 && messages.contains("interrupted"), "{found} {messages}");
}

/// A calculator does not look for interrupts: it ends at once.
#[test]
fn an_interrupt_that_nobody_heeds_ends_the_process() {
    // It waits for its standard input, which is held open here.
    let mut child = theorycheck(&["calc", "emp", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    let _held = child.stdin.take();
    std::thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn results_and_messages_go_to_their_streams() {
    let checked = theorycheck(&["check", "emp/mass-step-3", "--verbose"]).output().unwrap();
    let (output, messages) = (String::from_utf8(checked.stdout).unwrap(), String::from_utf8(checked.stderr).unwrap());
    assert!(output.contains("emp/mass-step-3") && output.contains("mutant "), "{output}");
    // No colour and no bar where no terminal is; times on standard error only.
    assert!(!output.contains('\u{1b}') && !messages.contains('\u{1b}'));
    assert!(messages.contains("emp/mass-step-3: proved, ") && messages.contains(" s\n") && !output.contains(" s\n"), "{messages}");
    let quiet = theorycheck(&["check", "emp/mass-step-3", "--quiet"]).output().unwrap();
    assert_eq!((BufReader::new(&quiet.stdout[..]).lines().count(), quiet.stderr.len()), (1, 0));
    let bad = theorycheck(&["explain", "emp/mass-exat"]).output().unwrap();
    assert_eq!((bad.status.code(), bad.stdout.len()), (Some(2), 0));
}

/// A folder with the binary first in PATH (and a stand-in for GNU parallel where that is not installed).
fn workplace() -> (tempfile::TempDir, std::ffi::OsString) {
    let folder = tempfile::tempdir().unwrap();
    let programs = folder.path().join("bin");
    std::fs::create_dir(&programs).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_theorycheck"), programs.join("theorycheck")).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    if !std::env::split_paths(&path).any(|folder| folder.join("parallel").is_file()) {
        eprintln!("GNU parallel is not installed: xargs stands in for it");
        let stand_in = programs.join("parallel");
        std::fs::write(&stand_in, "#!/bin/sh\nexec xargs -P 2 -I '{}' \"$@\"\n").unwrap();
        std::fs::set_permissions(&stand_in, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let all = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&path))).unwrap();
    (folder, all)
}

/// Some claims that take no time.
const CLAIMS: &str = "emp/mass-step-3 emp/mass-step-4 emp/mass-step-5 emp/mass-paper emp/limit-closed-forms";

fn shell(folder: &std::path::Path, path: &std::ffi::OsStr, script: &str, variables: &[(&str, &str)]) {
    let mut command = Command::new("bash");
    command.args(["-euo", "pipefail", "-c", script]).current_dir(folder).env("PATH", path).env("CLAIMS", CLAIMS).env("EFFORT", "quick");
    let output = command.envs(variables.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{script}: {}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}

fn job(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../../docs/jobs/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The record of the same claims in one go, at an effort.
fn unsharded(effort: &str) -> String {
    let arguments: Vec<&str> = ["check"].into_iter().chain(CLAIMS.split(' ')).chain(["--effort", effort, "--json"]).collect();
    String::from_utf8(theorycheck(&arguments).output().unwrap().stdout).unwrap()
}

#[test]
fn a_slurm_array_as_documented_gives_the_unsharded_record() {
    let (folder, path) = workplace();
    for task in ["1", "2", "3"] {
        shell(folder.path(), &path, &job("slurm.sh"), &[("SLURM_ARRAY_TASK_ID", task), ("SLURM_ARRAY_TASK_COUNT", "3")]);
    }
    shell(folder.path(), &path, &job("merge.sh"), &[]);
    assert_eq!(std::fs::read_to_string(folder.path().join("run.json")).unwrap(), unsharded("quick"));
    assert!(std::fs::read_to_string(folder.path().join("run.xml")).unwrap().contains("<testsuites"));
}

#[test]
fn gnu_parallel_as_documented_gives_the_unsharded_record() {
    let (folder, path) = workplace();
    shell(folder.path(), &path, &job("parallel.sh"), &[("SHARDS", "4")]);
    assert_eq!(std::fs::read_to_string(folder.path().join("run.json")).unwrap(), unsharded("quick"));
}

#[test]
fn the_github_matrix_as_documented_gives_the_unsharded_record() {
    let (folder, path) = workplace();
    let workflow = job("github-actions.yml");
    let steps: Vec<&str> =
        workflow.lines().filter_map(|line| line.trim().strip_prefix("- run: ")).filter(|line| line.starts_with("theorycheck")).collect();
    let [check, merge] = steps[..] else { panic!("{steps:?}") };
    assert!(workflow.contains("shard: [1, 2, 3, 4]"));
    for shard in ["1", "2", "3", "4"] {
        shell(folder.path(), &path, &check.replace("${{ matrix.shard }}", shard), &[]);
    }
    shell(folder.path(), &path, merge, &[]);
    assert_eq!(std::fs::read_to_string(folder.path().join("run.json")).unwrap(), unsharded("standard"));
}
