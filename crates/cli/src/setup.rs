//! `doctor`, `completions` and `man`: what is installed around the tool.

use crate::common::{Exit, Failure, Streams, json_flag, show, text, write_file};
use clap::{Arg, ArgMatches, Command};
use clap_complete::Shell;
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

pub(crate) fn doctor_command() -> Command {
    Command::new("doctor")
        .about("What is installed, and what would be skipped without it")
        .arg(json_flag())
        .after_help("Examples:\n  theorycheck doctor\n  theorycheck doctor --json")
}

pub(crate) fn completions_command() -> Command {
    Command::new("completions")
        .about("Shell completions, to standard output")
        .arg(Arg::new("SHELL").required(true).value_parser(clap::value_parser!(Shell)).help("The shell"))
        .after_help("Examples:\n  theorycheck completions bash\n  theorycheck completions fish")
}

pub(crate) fn man_command() -> Command {
    Command::new("man")
        .about("The man page, to standard output")
        .arg(Arg::new("out").long("out").value_name("DIR").help("Writes one page a command into DIR"))
        .after_help("Examples:\n  theorycheck man\n  theorycheck man --out .")
}

/// A program from outside.
struct Tool {
    /// The names it goes by.
    names: &'static [&'static str],
    /// What needs it.
    needed_for: &'static str,
    /// What happens without it.
    without: &'static str,
}

/// Nothing of the default run needs one of them.
const TOOLS: [Tool; 6] = [
    Tool { names: &["cargo"], needed_for: "building, the test suite, `new`", without: "the binary works, the tests do not run" },
    Tool {
        names: &["cc", "gcc", "clang"],
        needed_for: "building the correctly rounded functions",
        without: "the binary works, nothing can be built",
    },
    Tool { names: &["lake"], needed_for: "compiling the Lean proofs", without: "the proofs are compared with the claims, not compiled" },
    Tool {
        names: &["chromium", "chromium-browser", "google-chrome"],
        needed_for: "looking at the HTML page in the tests",
        without: "the page's markup is tested, not its looks",
    },
    Tool { names: &["python3"], needed_for: "the peers' scripts of the benchmarks", without: "only our own side is measured" },
    Tool { names: &["m4"], needed_for: "building GMP and MPFR for the feature `mpfr`", without: "the arithmetic is tested without MPFR as oracle" },
];

/// Where a program is, in the order of PATH.
fn found(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file()))
}

pub(crate) fn doctor(arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let tools: Vec<(&Tool, Option<PathBuf>)> = TOOLS.iter().map(|tool| (tool, found(tool.names))).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let words = || {
        let mut out = format!("theorycheck {}, {threads} threads\n", env!("CARGO_PKG_VERSION"));
        for (tool, path) in &tools {
            let name = tool.names[0];
            let _ = match path {
                Some(path) => writeln!(out, "found    {name:<9} {} (for {})", path.display(), tool.needed_for),
                None => writeln!(out, "missing  {name:<9} for {}; without it {}", tool.needed_for, tool.without),
            };
        }
        out.push_str("check, falsify, replay, calc and plot need none of these\n");
        out
    };
    let json = || {
        let list: Vec<_> = tools
            .iter()
            .map(|(tool, path)| {
                json!({
                    "name": tool.names[0], "found": path.as_ref().map(|path| path.display().to_string()), "needed_for": tool.needed_for, "without": tool.without,
                })
            })
            .collect();
        json!({ "version": env!("CARGO_PKG_VERSION"), "threads": threads, "tools": list })
    };
    show(arguments, streams, words, json)
}

pub(crate) fn completions(mut all: Command, arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let Some(&shell) = arguments.get_one::<Shell>("SHELL") else { return Err(Failure::Bug("a shell was not named".to_owned())) };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut all, "theorycheck", &mut script);
    streams.output.write_all(&script)?;
    streams.output.flush()?;
    Ok(Exit::Success)
}

/// The pages of a command and of those below it.
fn pages(command: &Command, name: &str, out: &mut Vec<(String, Vec<u8>)>) -> std::io::Result<()> {
    let mut page = Vec::new();
    // Owned, so that the page's title is the whole name: theorycheck-calc-emp.
    let titled = command.clone().name(name.to_owned());
    clap_mangen::Man::new(titled).render(&mut page)?;
    out.push((format!("{name}.1"), page));
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        pages(below, &format!("{name}-{}", below.get_name()), out)?;
    }
    Ok(())
}

pub(crate) fn man(mut all: Command, arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    all.build();
    let mut written = Vec::new();
    pages(&all, "theorycheck", &mut written)?;
    match text(arguments, "out") {
        "" => {
            if let Some((_, page)) = written.first() {
                streams.output.write_all(page)?;
            }
        }
        folder => {
            for (name, page) in &written {
                write_file("--out", &Path::new(folder).join(name), &String::from_utf8_lossy(page))?;
            }
            let _ = writeln!(streams.messages, "written: {} pages", written.len());
        }
    }
    streams.output.flush()?;
    Ok(Exit::Success)
}
