//! `falsify`: the search for the worst instance of one claim.

use crate::common::{Exit, Failure, Streams, json_flag, seed_flag, show, text, threads_flag};
use crate::sample::{Samples, examples};
use crate::select;
use calculator::Offer;
use claim::Verdict;
use clap::{Arg, ArgMatches, Command, value_parser};
use engine::Progress;

pub(crate) fn command(samples: &Samples) -> Command {
    Command::new("falsify")
        .about("Search for the instance that breaks a claim, or comes closest")
        .arg(Arg::new("ID").required(true).help("The claim"))
        .arg(
            Arg::new("budget")
                .long("budget")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .default_value(engine::DEFAULT_BUDGET.to_string())
                .help("Evaluations a part, at most 10^12"),
        )
        .arg(seed_flag("Seed of the search"))
        .arg(threads_flag("Threads (one a core without it); the answer does not depend on it"))
        .arg(json_flag())
        .after_help(examples(&[format!("falsify {}", samples.finding), format!("falsify {} --budget 20000 --json", samples.holds)]))
}

pub(crate) fn run(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let claim = select::claim(offers, text(arguments, "ID"))?;
    let number = |name: &str| arguments.get_one::<u64>(name).copied().unwrap_or_default();
    let interrupt = streams.heed();
    let work = || engine::falsify(&claim, number("seed"), number("budget"), &interrupt);
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
    if interrupt.cancelled() {
        let _ = writeln!(streams.messages, "interrupted: this is what was found up to then");
        return Ok(Exit::Interrupted);
    }
    let (broken, declared) = (found.verdict == Verdict::Refuted, claim.declared == Verdict::Refuted);
    Ok(match (broken, declared) {
        (true, false) => Exit::NotAsDeclared,
        (false, true) => Exit::Undecided,
        _ => Exit::Success,
    })
}
