//! Builds the Lean project where `lake` is installed, and says so where it is not. `THEORYCHECK_LEAN=require` makes a missing lake a
//! failure, `THEORYCHECK_LEAN=off` skips it.
//!
//! A first use of a toolchain may download it, so with `CI=true` it runs only where it is required.

use std::path::Path;
use std::process::ExitCode;
use theorycheck::formal::{Lake, run_lake, version};

fn main() -> ExitCode {
    let wish = std::env::var("THEORYCHECK_LEAN").unwrap_or_default();
    let required = wish == "require";
    let ci = std::env::var("CI").is_ok_and(|value| value == "true");
    let skipped = |why: &str| {
        println!("lake: not run ({why})");
        println!("test result: 0 passed, 0 failed, 1 skipped");
        ExitCode::SUCCESS
    };
    if wish == "off" {
        return skipped("THEORYCHECK_LEAN=off");
    }
    if ci && !required {
        return skipped("CI=true, and THEORYCHECK_LEAN=require is not set");
    }
    if version().is_none() && !required {
        return skipped("no lake on PATH");
    }
    println!("lake: building (a first use may download the toolchain that lean/lean-toolchain names)");
    match run_lake(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../lean"))) {
        Lake::Passed { version } => {
            println!("lake: passed ({version})\ntest result: 1 passed, 0 failed, 0 skipped");
            ExitCode::SUCCESS
        }
        Lake::Missing => {
            println!("lake: missing, and THEORYCHECK_LEAN=require\ntest result: 0 passed, 1 failed, 0 skipped");
            ExitCode::FAILURE
        }
        Lake::Failed { what } => {
            println!("lake: failed\n{what}\ntest result: 0 passed, 1 failed, 0 skipped");
            ExitCode::FAILURE
        }
    }
}
