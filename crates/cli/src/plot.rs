//! `plot`: a paper's headline figure, as the registry has it.

use crate::common::{Exit, Failure, Streams, show, text, write_file};
use crate::sample::{Samples, examples};
use crate::select;
use calculator::Offer;
use clap::{Arg, ArgMatches, Command};
use std::path::Path;

pub(crate) fn command(samples: &Samples) -> Command {
    Command::new("plot")
        .about("A paper's headline figure: its main statement against what happens, as SVG")
        .arg(Arg::new("PAPER").required(true).help("The paper"))
        .arg(Arg::new("out").long("out").value_name("DIR").help("Writes DIR/PAPER.svg instead of printing it"))
        .arg(crate::common::json_flag().help("The figure's numbers as JSON, to standard output or to FILE"))
        .after_help(examples(&[format!("plot {} --json", samples.pictured), format!("plot {} --out .", samples.pictured)]))
}

pub(crate) fn run(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let offer = select::paper(offers, text(arguments, "PAPER"))?;
    let slug = offer.paper.slug;
    let figure = offer.figure.ok_or_else(|| {
        let with: Vec<&str> = offers.iter().filter(|offer| offer.figure.is_some()).map(|offer| offer.paper.slug).collect();
        Failure::Bad(format!("'{slug}' has no figure; these have one: {}", with.join(", ")))
    })?;
    let plot = figure();
    let written = match arguments.get_one::<String>("out") {
        None => None,
        Some(folder) => {
            let path = Path::new(folder).join(format!("{slug}.svg"));
            write_file("--out", &path, &report::plot_svg(&plot))?;
            let _ = writeln!(streams.messages, "written: {}", path.display());
            Some(path)
        }
    };
    show(arguments, streams, || if written.is_some() { String::new() } else { report::plot_svg(&plot) }, || report::plot_json(&plot))
}
