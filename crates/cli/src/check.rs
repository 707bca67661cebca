//! `check`: the run over claims, with its record; `merge`: the shards of one run.

use crate::common::{Exit, Failure, Interrupt, Streams, json_flag, require_folder, seed_flag, threads_flag, write_file};
use crate::sample::{Samples, examples};
use crate::select;
use calculator::Offer;
use clap::{Arg, ArgAction, ArgMatches, Command};
use engine::{Effort, Progress, Settings};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use report::{Detail, Look, Outcome, Shard, Stored};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The flags of what shows a run.
fn report_flags(command: Command) -> Command {
    let file = |name: &'static str, help: &'static str| Arg::new(name).long(name).value_name("FILE").help(help);
    command
        .arg(json_flag())
        .arg(file("html", "A page for people, in one file without network"))
        .arg(file("junit", "JUnit XML, for continuous integration"))
        .arg(
            Arg::new("quiet")
                .short('q')
                .long("quiet")
                .action(ArgAction::SetTrue)
                .conflicts_with("verbose")
                .help("Only what is not as declared, and the summary"),
        )
        .arg(Arg::new("verbose").short('v').long("verbose").action(ArgAction::SetTrue).help("Every part and mutant; times on standard error"))
}

/// The flags of a run: also those of the bare command.
pub(crate) fn flags(command: Command) -> Command {
    let command = command
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
        .arg(
            Arg::new("shard")
                .long("shard")
                .value_name("K/N")
                .value_parser(shard_argument)
                .help("Every N-th claim from the K-th on, K from 1 to N; `merge` joins the records"),
        );
    report_flags(command)
}

pub(crate) fn command(samples: &Samples) -> Command {
    let ([one, two, three], holds) = (samples.proved, samples.holds);
    flags(Command::new("check"))
        .about("Check claims: what was found, a table, what is not as declared")
        .arg(Arg::new("NAME").num_args(0..).help("Claims or papers; all without it"))
        .after_help(examples(&[
            format!("check {one} {two}"),
            format!("check {holds} --seed 7 --json=record.json"),
            format!("check {one} --html report.html --junit junit.xml"),
            format!("check {one} {two} {three} --shard 2/3 --json"),
        ]))
}

pub(crate) fn merge_command(samples: &Samples) -> Command {
    let [one, two, _] = samples.proved;
    report_flags(Command::new("merge"))
        .about("Join the shards of one run: the record of the unsharded run, byte for byte")
        .arg(Arg::new("FILE").num_args(1..).required(true).help("The records of check --shard K/N --json=FILE, in any order"))
        .after_help(examples(&[
            format!("check {one} {two} --shard 1/2 --json=a.json"),
            format!("check {one} {two} --shard 2/2 --json=b.json"),
            "merge a.json b.json --json=all.json".to_owned(),
        ]))
}

/// K and N of `--shard K/N`.
fn shard_argument(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(index, count)| Some((index.parse::<u64>().ok()?, count.parse::<u64>().ok()?)));
    match parts {
        Some((index, count)) if (1..=count).contains(&index) => Ok((index, count)),
        _ => Err("not K/N with K from 1 to N, as in 2/3".to_owned()),
    }
}

/// Shows a bar on a terminal, tells times if asked, and passes a cancellation on.
struct Bar<'a> {
    bar: ProgressBar,
    interrupt: Interrupt<'a>,
    started: Mutex<BTreeMap<String, Instant>>,
    times: Mutex<Vec<(String, claim::Verdict, Duration)>>,
}

impl Progress for Bar<'_> {
    fn begin(&self, id: &str, _index: usize, _total: usize) {
        self.bar.set_message(id.to_owned());
        if let Ok(mut started) = self.started.lock() {
            started.insert(id.to_owned(), Instant::now());
        }
    }

    fn end(&self, record: &claim::ClaimRecord) {
        self.bar.inc(1);
        let running = self.started.lock().ok().and_then(|mut started| {
            let since = started.remove(&record.id);
            if let (Some(since), Ok(mut times)) = (since, self.times.lock()) {
                times.push((record.id.clone(), record.verdict, since.elapsed()));
            }
            started.keys().next().cloned()
        });
        // The bar names what is still going on.
        if let Some(id) = running {
            self.bar.set_message(id);
        }
    }

    fn cancelled(&self) -> bool {
        self.interrupt.cancelled()
    }
}

fn look(arguments: &ArgMatches, streams: &Streams<'_>) -> Look {
    let detail = match (arguments.get_flag("quiet"), arguments.get_flag("verbose")) {
        (true, _) => Detail::Quiet,
        (_, true) => Detail::Verbose,
        _ => Detail::Normal,
    };
    Look { width: streams.width, colour: streams.colour, detail }
}

/// The files that are asked for can be had, as far as their folders tell.
fn require_folders(arguments: &ArgMatches) -> Result<(), Failure> {
    for (name, flag) in [("json", "--json"), ("html", "--html"), ("junit", "--junit")] {
        if let Some(file) = arguments.get_one::<String>(name).filter(|file| *file != "-") {
            require_folder(flag, Path::new(file))?;
        }
    }
    Ok(())
}

/// Writes the files that are asked for, prints, and turns the record into an exit code.
fn show(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>, stored: &Stored) -> Result<Exit, Failure> {
    let run = &stored.run;
    if let Some(file) = arguments.get_one::<String>("html") {
        write_file("--html", Path::new(file), &report::html_page(run, offers))?;
    }
    if let Some(file) = arguments.get_one::<String>("junit") {
        write_file("--junit", Path::new(file), &report::junit_xml(run))?;
    }
    let look = look(arguments, streams);
    crate::common::show(arguments, streams, || report::run_text(run, offers, look), || stored.to_json())?;
    if run.partial {
        return Ok(Exit::Interrupted);
    }
    Ok(match report::outcome(run) {
        Outcome::AsDeclared => Exit::Success,
        Outcome::OnlyUndecided => Exit::Undecided,
        Outcome::NotAsDeclared => Exit::NotAsDeclared,
    })
}

pub(crate) fn run(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    // The bare command has the flags but no names.
    let names = arguments.try_get_many::<String>("NAME").ok().flatten();
    let names: Vec<String> = names.map(|names| names.cloned().collect()).unwrap_or_default();
    let mut claims = select::claims(offers, &names)?;
    require_folders(arguments)?;
    let shard = arguments.get_one::<(u64, u64)>("shard").map(|&(index, count)| Shard { index, count, claims: claims.len() as u64 });
    if let Some(Shard { index, count, .. }) = shard {
        let mut position = 0;
        claims.retain(|_| {
            position += 1;
            position % count == index % count
        });
    }
    let effort: Effort =
        arguments.get_one::<String>("effort").map_or("quick", String::as_str).parse().map_err(|error| Failure::Bad(format!("--effort: {error}")))?;
    let settings = Settings {
        seed: arguments.get_one::<u64>("seed").copied().unwrap_or(0),
        effort,
        threads: arguments.get_one::<u16>("threads").map(|&threads| usize::from(threads)),
    };
    let bar = ProgressBar::with_draw_target(Some(claims.len() as u64), ProgressDrawTarget::hidden());
    if std::io::stderr().is_terminal() && !arguments.get_flag("quiet") {
        bar.set_draw_target(ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {wide_bar} {msg}  {elapsed}, about {eta} left") {
            bar.set_style(style);
        }
    }
    let progress = Bar { bar, interrupt: streams.heed(), started: Mutex::default(), times: Mutex::default() };
    let started = Instant::now();
    let run = engine::run(&claims, &settings, &progress).map_err(|error| match error {
        engine::EngineError::Duplicate { .. } | engine::EngineError::Inference { .. } => Failure::Bug(error.to_string()),
        other => Failure::Bad(other.to_string()),
    })?;
    progress.bar.finish_and_clear();
    if arguments.get_flag("verbose") {
        let times = progress.times.lock().map(|times| times.clone()).unwrap_or_default();
        for (id, verdict, time) in times {
            let _ = writeln!(streams.messages, "{id}: {verdict}, {:.2} s", time.as_secs_f64());
        }
        let _ = writeln!(streams.messages, "all: {:.2} s", started.elapsed().as_secs_f64());
    } else if !progress.bar.is_hidden() {
        let _ = writeln!(streams.messages, "{} claims in {:.1} s", run.claims.len(), started.elapsed().as_secs_f64());
    }
    show(offers, arguments, streams, &report::stored("run", run, shard))
}

pub(crate) fn merge(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let files = arguments.get_many::<String>("FILE").into_iter().flatten();
    let mut records = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|error| Failure::Bad(format!("{file}: {error}")))?;
        records.push(report::read_record(file, &text).map_err(|error| Failure::Bad(error.to_string()))?);
    }
    let merged = report::merge(records).map_err(|error| Failure::Bad(error.to_string()))?;
    show(offers, arguments, streams, &merged)
}
