//! `check`: the run over claims, with its record.

use crate::common::{Exit, Failure, Streams, json_flag, seed_flag, show, threads_flag};
use crate::select;
use calculator::Offer;
use clap::{Arg, ArgMatches, Command};
use engine::{Effort, Progress, Settings};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use report::Outcome;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

/// The flags of a run: also those of the bare command.
pub(crate) fn flags(command: Command) -> Command {
    command
        .arg(
            Arg::new("effort")
                .long("effort")
                .value_name("EFFORT")
                .value_parser(["quick", "standard", "deep"])
                .default_value("quick")
                .help("How hard to try"),
        )
        .arg(seed_flag("Seed of every random stream"))
        .arg(threads_flag("Threads (one a core without it); the record does not depend on it"))
        .arg(json_flag())
}

pub(crate) fn command() -> Command {
    flags(Command::new("check"))
        .about("Check claims: a table, then what was found")
        .arg(Arg::new("NAME").num_args(0..).help("Claims or papers; all without it"))
        .after_help("Examples:\n  theorycheck check emp/mass-step-3 emp/mass-step-4\n  theorycheck check emp/mass-exact --seed 7 --json=record.json")
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

pub(crate) fn run(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    // The bare command has the flags but no names.
    let names = arguments.try_get_many::<String>("NAME").ok().flatten();
    let names: Vec<String> = names.map(|names| names.cloned().collect()).unwrap_or_default();
    let claims = select::claims(offers, &names)?;
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
