//! The command line: which commands there are, and what their end means.

use crate::common::{Exit, Failure, Streams};
use crate::sample::{Samples, examples};
use crate::{calc, check, falsify, lean, look, new, plot, registry, setup};
use calculator::Offer;
use clap::{ArgMatches, Command};

/// The whole command line; the papers' calculators come from the registry.
pub(crate) fn command(offers: &[Offer]) -> Command {
    let samples = Samples::of(offers);
    check::flags(Command::new("theorycheck"))
        .about("Does this bound hold, how tight is it, and where does it break?")
        .version(env!("CARGO_PKG_VERSION"))
        .args_conflicts_with_subcommands(true)
        .after_help(format!(
            "Without a command: check every claim at the quick effort.\n\n{}",
            examples(&[
                String::new(),
                "list".to_owned(),
                format!("check {} --json", samples.finding),
                format!("explain {}", samples.holds),
                format!("calc {} --help", samples.paper),
            ])
        ))
        .subcommand(check::command(&samples))
        .subcommand(look::list_command())
        .subcommand(look::explain_command(&samples))
        .subcommand(falsify::command(&samples))
        .subcommand(look::replay_command(&samples))
        .subcommand(calc::command(offers, &samples))
        .subcommand(plot::command(&samples))
        .subcommand(lean::command())
        .subcommand(check::merge_command(&samples))
        .subcommand(setup::doctor_command())
        .subcommand(new::command())
        .subcommand(setup::completions_command())
        .subcommand(setup::man_command())
}

fn dispatch(offers: &[Offer], matches: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    match matches.subcommand() {
        None => check::run(offers, matches, streams),
        Some(("check", arguments)) => check::run(offers, arguments, streams),
        Some(("list", arguments)) => look::list(offers, arguments, streams),
        Some(("explain", arguments)) => look::explain(offers, arguments, streams),
        Some(("falsify", arguments)) => falsify::run(offers, arguments, streams),
        Some(("replay", arguments)) => look::replay(offers, arguments, streams),
        Some(("calc", arguments)) => calc::run(offers, arguments, streams),
        Some(("merge", arguments)) => check::merge(offers, arguments, streams),
        Some(("doctor", arguments)) => setup::doctor(arguments, streams),
        Some(("new", arguments)) => new::run(offers, arguments, streams),
        Some(("completions", arguments)) => setup::completions(command(offers), arguments, streams),
        Some(("man", arguments)) => setup::man(command(offers), arguments, streams),
        Some(("lean", arguments)) => lean::run(offers, arguments, streams),
        Some(("plot", arguments)) => plot::run(offers, arguments, streams),
        Some((other, _)) => Err(Failure::Bug(format!("the command '{other}' is declared but not wired"))),
    }
}

/// The parser of the command line, with the registry's calculators.
#[must_use]
pub fn parser() -> Command {
    command(&registry::papers())
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
