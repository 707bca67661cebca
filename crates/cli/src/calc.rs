//! `calc`: the papers' calculators, as the registry has them.

use crate::common::{Exit, Failure, Streams, write_file};
use crate::sample::{Samples, examples};
use calculator::Offer;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::Path;

pub(crate) fn command(offers: &[Offer], samples: &Samples) -> Command {
    let calculators = offers.iter().filter_map(|offer| offer.calculator).map(|calculator| {
        calculator
            .command()
            .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).global(true).help("JSON instead of text"))
            .arg(Arg::new("plot").long("plot").value_name("FILE.svg").global(true).help("Draws the answer into FILE.svg, where it has a picture"))
    });
    Command::new("calc")
        .about("A paper's calculator on your own data")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(calculators)
        .after_help(examples(&[format!("calc {} --help", samples.paper)]))
}

pub(crate) fn run(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let Some((slug, inner)) = arguments.subcommand() else { return Err(Failure::Bug("a calculator was not named".to_owned())) };
    let calculator = offers.iter().find(|offer| offer.paper.slug == slug).and_then(|offer| offer.calculator);
    let Some(calculator) = calculator else { return Err(Failure::Bug(format!("'{slug}' has no calculator"))) };
    let answer = calculator.run(inner, streams.input).map_err(|error| Failure::Bad(error.to_string()))?;
    // The global flags stand at the innermost command.
    let mut deepest = inner;
    while let Some((_, deeper)) = deepest.subcommand() {
        deepest = deeper;
    }
    // Before anything is printed: where the picture cannot be had, there is no result.
    if let Some(file) = deepest.get_one::<String>("plot") {
        let plot = answer.plot.as_ref().ok_or_else(|| Failure::Bad(format!("--plot: this answer has no picture (given: {file})")))?;
        write_file("--plot", Path::new(file), &report::plot_svg(plot))?;
    }
    for note in &answer.notes {
        let _ = writeln!(streams.messages, "note: {note}");
    }
    let text = if deepest.get_flag("json") { report::to_line(&answer.to_json()) } else { report::answer_text(&answer) };
    streams.output.write_all(text.as_bytes())?;
    streams.output.flush()?;
    Ok(Exit::Success)
}
