//! What the tests share: the command line as a function, and one quick run.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use theorycheck::claim::{Claim, RunRecord};
use theorycheck::engine::{Settings, Silent};
use theorycheck::{Exit, Streams};

/// What a command gave.
pub struct Outcome {
    pub exit: Exit,
    pub output: String,
    pub messages: String,
}

/// Runs a command line on some standard input.
pub fn command(arguments: &[&str], input: &str) -> Outcome {
    command_with(arguments, input, false)
}

/// The same, cancelled from the start if asked.
pub fn command_with(arguments: &[&str], input: &str, cancelled: bool) -> Outcome {
    let arguments: Vec<String> = std::iter::once("theorycheck").chain(arguments.iter().copied()).map(str::to_owned).collect();
    let (mut output, mut messages) = (Vec::new(), Vec::new());
    let (cancel, heeding) = (AtomicBool::new(cancelled), AtomicBool::new(false));
    let mut streams = Streams {
        input: &mut input.as_bytes(),
        output: &mut output,
        messages: &mut messages,
        width: None,
        colour: false,
        cancel: &cancel,
        heeding: &heeding,
    };
    let exit = theorycheck::main_with(&arguments, &mut streams);
    Outcome { exit, output: String::from_utf8(output).unwrap(), messages: String::from_utf8(messages).unwrap() }
}

/// All claims of all papers.
pub fn claims() -> Vec<Claim> {
    theorycheck::papers().iter().flat_map(|offer| (offer.claims)()).collect()
}

/// The quick run that the tests share.
pub fn quick() -> &'static RunRecord {
    static RUN: OnceLock<RunRecord> = OnceLock::new();
    RUN.get_or_init(|| theorycheck::engine::run(&claims(), &Settings::default(), &Silent).expect("the registry has no duplicates"))
}
