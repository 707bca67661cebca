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
    // The handler is set before the first line of the command runs; half a second is for slow machines, and a run that ended would not be partial.
    std::thread::sleep(Duration::from_millis(500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let run: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(run["summary"]["partial"], true);
    assert!(run["summary"]["claims"].as_u64().unwrap() < 18, "{}", run["summary"]);
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
