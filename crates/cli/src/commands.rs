//! The commands: arguments in, text on two streams and an exit code out.

use crate::{registry, select};
use calculator::Offer;
use claim::Verdict;
use clap::{Arg, ArgMatches, Command, value_parser};
use engine::{Effort, Progress, Settings};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use report::Outcome;
use serde_json::Value;
use std::io::{ErrorKind, IsTerminal, Read, Write};
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
    /// Set from outside to stop a run.
    pub cancel: &'a AtomicBool,
}

/// Why a command did not do what was asked.
enum Failure {
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

fn json_flag() -> Arg {
    Arg::new("json")
        .long("json")
        .value_name("FILE")
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value("-")
        .help("JSON, to standard output or to FILE")
}

fn run_flags(command: Command) -> Command {
    command
        .arg(
            Arg::new("effort")
                .long("effort")
                .value_name("EFFORT")
                .value_parser(["quick", "standard", "deep"])
                .default_value("quick")
                .help("How hard to try"),
        )
        .arg(Arg::new("seed").long("seed").value_name("N").value_parser(value_parser!(u64)).default_value("0").help("Seed of every random stream"))
        .arg(
            Arg::new("threads")
                .long("threads")
                .value_name("N")
                .value_parser(value_parser!(u16).range(1..))
                .help("Threads (one a core without it); the record does not depend on it"),
        )
        .arg(json_flag())
}

/// The whole command line; the papers' calculators come from the registry.
fn command(offers: &[Offer]) -> Command {
    let calculators = offers.iter().filter_map(|offer| offer.calculator).map(|calculator| {
        calculator.command().arg(Arg::new("json").long("json").action(clap::ArgAction::SetTrue).global(true).help("JSON instead of text"))
    });
    run_flags(Command::new("theorycheck"))
        .about("Does this bound hold, how tight is it, and where does it break?")
        .version(env!("CARGO_PKG_VERSION"))
        .args_conflicts_with_subcommands(true)
        .after_help("Without a command: check every claim at the quick effort.\n\nExamples:\n  theorycheck\n  theorycheck check emp/mass-paper --json\n  theorycheck explain emp/mass-exact\n  theorycheck calc emp model.safetensors")
        .subcommand(
            run_flags(Command::new("check"))
                .about("Check claims: a table, then what was found")
                .arg(Arg::new("NAME").num_args(0..).help("Claims or papers; all without it"))
                .after_help("Examples:\n  theorycheck check emp --effort standard\n  theorycheck check emp/mass-exact --seed 7 --json=record.json"),
        )
        .subcommand(Command::new("list").about("The claims, with their declared verdicts").arg(json_flag()))
        .subcommand(
            Command::new("explain")
                .about("One claim in full: statement, assumptions, provenance, argument, parts, mutants")
                .arg(Arg::new("ID").required(true))
                .arg(json_flag())
                .after_help("Example:\n  theorycheck explain emp/mass-exact"),
        )
        .subcommand(
            Command::new("falsify")
                .about("Search for the instance that breaks a claim, or comes closest")
                .arg(Arg::new("ID").required(true))
                .arg(
                    Arg::new("budget")
                        .long("budget")
                        .value_name("N")
                        .value_parser(value_parser!(u64))
                        .default_value(engine::DEFAULT_BUDGET.to_string())
                        .help("Evaluations a part, at most 10^12"),
                )
                .arg(Arg::new("seed").long("seed").value_name("N").value_parser(value_parser!(u64)).default_value("0").help("Seed of the search"))
                .arg(
                    Arg::new("threads")
                        .long("threads")
                        .value_name("N")
                        .value_parser(value_parser!(u16).range(1..))
                        .help("Threads (one a core without it); the answer does not depend on it"),
                )
                .arg(json_flag())
                .after_help("Examples:\n  theorycheck falsify emp/mass-paper\n  theorycheck falsify emp/mass-exact --budget 1000000 --json"),
        )
        .subcommand(
            Command::new("replay")
                .about("Evaluate one instance again")
                .arg(Arg::new("TOKEN").required(true).help("As printed with a witness"))
                .arg(json_flag())
                .after_help("Example:\n  theorycheck replay emp/mass-paper:floor:scores:s45"),
        )
        .subcommand(
            Command::new("calc")
                .about("A paper's calculator on your own data")
                .subcommand_required(true)
                .arg_required_else_help(true)
                .subcommands(calculators)
                .after_help("Example:\n  theorycheck calc emp scores.npy --json"),
        )
}

/// Runs a command line (the first argument is the program's name) and returns its exit code.
pub fn main_with(arguments: &[String], streams: &mut Streams<'_>) -> Exit {
    let offers = registry::papers();
    let result = match command(&offers).try_get_matches_from(arguments) {
        Ok(matches) => dispatch(&offers, &matches, streams),
        Err(error) => Err(Failure::Usage(error)),
    };
    let message = |streams: &mut Streams<'_>, text: &str| {
        // Nothing is left to tell if even the messages cannot be written.
        let _ = writeln!(streams.messages, "{text}");
    };
    match result {
        Ok(exit) => exit,
        Err(Failure::Gone) => Exit::Success,
        Err(Failure::Bad(text)) => {
            message(streams, &format!("error: {text}"));
            Exit::BadInput
        }
        Err(Failure::Write(error)) => {
            message(streams, &format!("error: cannot write the result: {error}"));
            Exit::BadInput
        }
        Err(Failure::Bug(text)) => {
            message(streams, &format!("internal error: {text}"));
            Exit::Internal
        }
        Err(Failure::Usage(error)) => {
            let text = error.render().to_string();
            if error.use_stderr() {
                let _ = write!(streams.messages, "{text}");
                Exit::BadInput
            } else {
                let _ = write!(streams.output, "{text}");
                Exit::Success
            }
        }
    }
}

fn dispatch(offers: &[Offer], matches: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    match matches.subcommand() {
        None => check(offers, matches, &[], streams),
        Some(("check", arguments)) => {
            let names: Vec<String> = arguments.get_many::<String>("NAME").map(|names| names.cloned().collect()).unwrap_or_default();
            check(offers, arguments, &names, streams)
        }
        Some(("list", arguments)) => show(arguments, streams, || report::list_text(offers), || report::list_json(offers)),
        Some(("explain", arguments)) => {
            let id = arguments.get_one::<String>("ID").map_or("", String::as_str);
            let claim = select::claim(offers, id).map_err(|unknown| Failure::Bad(unknown.to_string()))?;
            show(arguments, streams, || report::explain_text(&claim), || report::explain_json(&claim))
        }
        Some(("replay", arguments)) => {
            let token = arguments.get_one::<String>("TOKEN").map_or("", String::as_str);
            let claims = select::claims(offers, &[]).map_err(|unknown| Failure::Bad(unknown.to_string()))?;
            let replayed = engine::replay(&claims, token).map_err(|error| Failure::Bad(error.to_string()))?;
            show(arguments, streams, || report::replay_text(&replayed), || report::replay_json(&replayed))
        }
        Some(("falsify", arguments)) => falsify(offers, arguments, streams),
        Some(("calc", arguments)) => calculate(offers, arguments, streams),
        Some((other, _)) => Err(Failure::Bug(format!("the command '{other}' is declared but not wired"))),
    }
}

fn falsify(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let id = arguments.get_one::<String>("ID").map_or("", String::as_str);
    let claim = select::claim(offers, id).map_err(|unknown| Failure::Bad(unknown.to_string()))?;
    let number = |name: &str| arguments.get_one::<u64>(name).copied().unwrap_or_default();
    let work = || engine::falsify(&claim, number("seed"), number("budget"), &engine::Silent);
    let found = match arguments.get_one::<u16>("threads") {
        None => work(),
        Some(&threads) => rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build()
            .map_err(|error| Failure::Bad(format!("--threads {threads}: {error}")))?
            .install(work),
    };
    let found = found.map_err(|error| Failure::Bad(error.to_string()))?;
    show(arguments, streams, || report::falsify_text(&found), || report::falsify_json(&found))?;
    let (broken, declared) = (found.verdict == Verdict::Refuted, claim.declared == Verdict::Refuted);
    Ok(match (broken, declared) {
        (true, false) => Exit::NotAsDeclared,
        (false, true) => Exit::Undecided,
        _ => Exit::Success,
    })
}

/// Prints text, or JSON where the flag asks for it.
fn show(arguments: &ArgMatches, streams: &mut Streams<'_>, text: impl FnOnce() -> String, json: impl FnOnce() -> Value) -> Result<Exit, Failure> {
    match arguments.get_one::<String>("json").map(String::as_str) {
        None => streams.output.write_all(text().as_bytes())?,
        Some("-") => streams.output.write_all(report::to_line(&json()).as_bytes())?,
        Some(file) => {
            write_file(Path::new(file), &report::to_line(&json()))?;
            streams.output.write_all(text().as_bytes())?;
        }
    }
    streams.output.flush()?;
    Ok(Exit::Success)
}

fn write_file(path: &Path, content: &str) -> Result<(), Failure> {
    std::fs::write(path, content).map_err(|error| Failure::Bad(format!("--json: cannot write {}: {error}", path.display())))
}

/// Shows a bar on a terminal, and passes a cancellation on.
struct Bar<'a> {
    bar: ProgressBar,
    cancel: &'a AtomicBool,
}

impl Progress for Bar<'_> {
    fn begin(&self, id: &str, _index: usize, _total: usize) {
        self.bar.set_message(id.to_owned());
    }

    fn end(&self, _record: &claim::ClaimRecord) {
        self.bar.inc(1);
    }

    fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

fn check(offers: &[Offer], arguments: &ArgMatches, names: &[String], streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let claims = select::claims(offers, names).map_err(|unknown| Failure::Bad(unknown.to_string()))?;
    let effort: Effort =
        arguments.get_one::<String>("effort").map_or("quick", String::as_str).parse().map_err(|error| Failure::Bad(format!("--effort: {error}")))?;
    let settings = Settings {
        seed: arguments.get_one::<u64>("seed").copied().unwrap_or(0),
        effort,
        threads: arguments.get_one::<u16>("threads").map(|&threads| usize::from(threads)),
    };
    let bar = ProgressBar::with_draw_target(Some(claims.len() as u64), ProgressDrawTarget::hidden());
    if std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {wide_bar} {msg}  {elapsed}, about {eta} left") {
            bar.set_style(style);
        }
    }
    let progress = Bar { bar, cancel: streams.cancel };
    let run = engine::run(&claims, &settings, &progress).map_err(|error| match error {
        engine::EngineError::Duplicate { .. } | engine::EngineError::Inference { .. } => Failure::Bug(error.to_string()),
        other => Failure::Bad(other.to_string()),
    })?;
    progress.bar.finish_and_clear();
    let width = streams.width;
    show(arguments, streams, || report::run_text(&run, width), || report::run_json(&run))?;
    if run.partial {
        return Ok(Exit::Interrupted);
    }
    Ok(match report::outcome(&run) {
        Outcome::AsDeclared => Exit::Success,
        Outcome::OnlyUndecided => Exit::Undecided,
        Outcome::NotAsDeclared => Exit::NotAsDeclared,
    })
}

fn calculate(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let Some((slug, inner)) = arguments.subcommand() else { return Err(Failure::Bug("a calculator was not named".to_owned())) };
    let calculator = offers.iter().find(|offer| offer.paper.slug == slug).and_then(|offer| offer.calculator);
    let Some(calculator) = calculator else { return Err(Failure::Bug(format!("'{slug}' has no calculator"))) };
    let answer = calculator.run(inner, streams.input).map_err(|error| Failure::Bad(error.to_string()))?;
    for note in &answer.notes {
        let _ = writeln!(streams.messages, "note: {note}");
    }
    let json =
        inner.get_flag("json") || inner.subcommand().is_some_and(|(_, deeper)| deeper.try_get_one::<bool>("json").ok().flatten() == Some(&true));
    let text = if json { report::to_line(&answer.to_json()) } else { report::answer_text(&answer) };
    streams.output.write_all(text.as_bytes())?;
    streams.output.flush()?;
    Ok(Exit::Success)
}
