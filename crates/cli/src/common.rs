//! What the commands share: streams, exit codes, failures, flags, and how a result is written.

use crate::select::Unknown;
use clap::{Arg, ArgMatches, value_parser};
use serde_json::Value;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All as declared; the command did what was asked.
    Success,
    /// Something is not as declared.
    NotAsDeclared,
    /// Usage or bad input.
    BadInput,
    /// The only thing wrong is `undecided`.
    Undecided,
    /// A bug of ours.
    Internal,
    /// Interrupted.
    Interrupted,
}

impl Exit {
    /// The process's exit code.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::NotAsDeclared => 1,
            Exit::BadInput => 2,
            Exit::Undecided => 3,
            Exit::Internal => 70,
            Exit::Interrupted => 130,
        }
    }
}

/// Where a command reads and writes.
pub struct Streams<'a> {
    /// Standard input.
    pub input: &'a mut dyn Read,
    /// Results.
    pub output: &'a mut dyn Write,
    /// Messages and progress.
    pub messages: &'a mut dyn Write,
    /// Width of the terminal that results go to; None when it is none.
    pub width: Option<u16>,
    /// Whether results may be coloured.
    pub colour: bool,
    /// Set from outside to stop a run.
    pub cancel: &'a AtomicBool,
    /// Set by a command that heeds `cancel`; while it is not set, an interrupt may end the process at once.
    pub heeding: &'a AtomicBool,
}

/// Why a command did not do what was asked.
pub(crate) enum Failure {
    /// A line for the user; exit code 2.
    Bad(String),
    /// clap's own message; its exit code (0 for help).
    Usage(clap::Error),
    /// The reader of our output has gone: nothing to say.
    Gone,
    /// Results could not be written.
    Write(std::io::Error),
    /// A registry that contradicts itself, and the like.
    Bug(String),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        if error.kind() == ErrorKind::BrokenPipe { Failure::Gone } else { Failure::Write(error) }
    }
}

impl From<Unknown> for Failure {
    fn from(unknown: Unknown) -> Failure {
        Failure::Bad(unknown.to_string())
    }
}

/// `--json[=FILE]`
pub(crate) fn json_flag() -> Arg {
    Arg::new("json")
        .long("json")
        .value_name("FILE")
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value("-")
        .help("JSON, to standard output or to FILE")
}

/// `--seed N`
pub(crate) fn seed_flag(help: &'static str) -> Arg {
    Arg::new("seed").long("seed").value_name("N").value_parser(value_parser!(u64)).default_value("0").help(help)
}

/// `--threads N`
pub(crate) fn threads_flag(help: &'static str) -> Arg {
    Arg::new("threads").long("threads").value_name("N").value_parser(value_parser!(u16).range(1..)).help(help)
}

/// The text of an argument; empty where it is not given.
pub(crate) fn text<'a>(arguments: &'a ArgMatches, name: &str) -> &'a str {
    arguments.get_one::<String>(name).map_or("", String::as_str)
}

/// Passes an interrupt on to a search.
pub(crate) struct Interrupt<'a>(&'a AtomicBool);

impl engine::Progress for Interrupt<'_> {
    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl<'a> Streams<'a> {
    /// From here on the command looks at [`Streams::cancel`].
    pub(crate) fn heed(&self) -> Interrupt<'a> {
        self.heeding.store(true, Ordering::Relaxed);
        Interrupt(self.cancel)
    }
}

/// Prints text, or JSON where the flag asks for it.
pub(crate) fn show(
    arguments: &ArgMatches,
    streams: &mut Streams<'_>,
    text: impl FnOnce() -> String,
    json: impl FnOnce() -> Value,
) -> Result<Exit, Failure> {
    match arguments.get_one::<String>("json").map(String::as_str) {
        None => streams.output.write_all(text().as_bytes())?,
        Some("-") => streams.output.write_all(report::to_line(&json()).as_bytes())?,
        Some(file) => {
            write_file("--json", Path::new(file), &report::to_line(&json()))?;
            streams.output.write_all(text().as_bytes())?;
        }
    }
    streams.output.flush()?;
    Ok(Exit::Success)
}

/// Refuses a file whose folder is not there: before the work, not after it.
pub(crate) fn require_folder(flag: &str, path: &Path) -> Result<(), Failure> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => Err(Failure::Bad(format!("{flag}: cannot write {}: {} is not a folder", path.display(), folder.display()))),
        None => Ok(()),
    }
}

/// Writes a file that a flag names.
pub(crate) fn write_file(flag: &str, path: &Path, content: &str) -> Result<(), Failure> {
    std::fs::write(path, content).map_err(|error| Failure::Bad(format!("{flag}: cannot write {}: {error}", path.display())))
}
