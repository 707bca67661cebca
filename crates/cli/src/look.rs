//! `list`, `explain` and `replay`: what there is, one claim in full, one instance again.

use crate::common::{Exit, Failure, Streams, json_flag, show, text};
use crate::sample::{Samples, examples};
use crate::select;
use calculator::Offer;
use clap::{Arg, ArgMatches, Command};

pub(crate) fn list_command() -> Command {
    Command::new("list")
        .about("The claims, with their declared verdicts")
        .arg(json_flag())
        .after_help("Examples:\n  theorycheck list\n  theorycheck list --json")
}

pub(crate) fn explain_command(samples: &Samples) -> Command {
    Command::new("explain")
        .about("One claim in full: statement, assumptions, provenance, argument, parts, mutants")
        .arg(Arg::new("ID").required(true).help("The claim"))
        .arg(json_flag())
        .after_help(examples(&[format!("explain {}", samples.holds), format!("explain {} --json", samples.finding)]))
}

pub(crate) fn replay_command(samples: &Samples) -> Command {
    Command::new("replay")
        .about("Evaluate one instance again")
        .arg(Arg::new("TOKEN").required(true).help("As printed with a witness"))
        .arg(json_flag())
        .after_help(examples(&[format!("replay '{}'", samples.token)]))
}

pub(crate) fn list(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    show(arguments, streams, || report::list_text(offers), || report::list_json(offers))
}

pub(crate) fn explain(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let claim = select::claim(offers, text(arguments, "ID"))?;
    show(arguments, streams, || report::explain_text(&claim), || report::explain_json(&claim))
}

pub(crate) fn replay(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let claims = select::claims(offers, &[])?;
    let replayed = engine::replay(&claims, text(arguments, "TOKEN")).map_err(|error| Failure::Bad(error.to_string()))?;
    show(arguments, streams, || report::replay_text(&replayed), || report::replay_json(&replayed))
}
