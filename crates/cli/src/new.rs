//! `new`: a paper's folder that compiles and passes, to be filled.

use crate::common::{Exit, Failure, Streams, json_flag, show, text, write_file};
use calculator::Offer;
use clap::{Arg, ArgMatches, Command};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The files of a folder; "newpaper" stands for the slug.
const FILES: [(&str, &str); 4] = [
    ("mod.rs", include_str!("../templates/paper/mod.rs")),
    ("bounds.rs", include_str!("../templates/paper/bounds.rs")),
    ("instances.rs", include_str!("../templates/paper/instances.rs")),
    ("claims.rs", include_str!("../templates/paper/claims.rs")),
];
const PROPERTIES: &str = include_str!("../templates/properties.rs");
/// Where the test suite compiles the templates.
const TEMPLATE_PATH: &str = "crate::report_new::newpaper";

pub(crate) fn command() -> Command {
    Command::new("new")
        .about("A folder for a new paper, in a checkout of this project: it compiles and passes as it is")
        .arg(Arg::new("PAPER").required(true).help("The paper's slug: small letters, digits and hyphens"))
        .arg(Arg::new("field").long("field").value_name("FIELD").required(true).help("The field's crate: a folder of crates/ with a list of papers"))
        .arg(Arg::new("root").long("root").value_name("DIR").default_value(".").help("The checkout"))
        .arg(json_flag())
        .after_help("Example:\n  theorycheck new momentum --field optimization --root CHECKOUT")
}

fn refuse(flag: &str, given: &str, reason: &str) -> Failure {
    Failure::Bad(format!("{flag}: {reason} (given: {given})"))
}

/// The field's list of papers with one more.
fn listed(list: &str, module: &str) -> Option<String> {
    let declaration = format!("pub mod {module};\n");
    let at = list.find("pub mod ").or_else(|| list.find("use "))?;
    let with_module = format!("{}{declaration}{}", &list[..at], &list[at..]);
    let at = with_module.find("vec![").map(|at| at + "vec![".len()).or(None)?;
    let offer = format!("\n        Offer {{ paper: {module}::PAPER, claims: {module}::claims, calculator: None, figure: None }},");
    Some(format!("{}{offer}{}", &with_module[..at], &with_module[at..]))
}

pub(crate) fn run(offers: &[Offer], arguments: &ArgMatches, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let (slug, field, root) = (text(arguments, "PAPER"), text(arguments, "field"), Path::new(text(arguments, "root")));
    let fits = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    if !fits(slug) {
        return Err(refuse("PAPER", slug, "a slug starts with a small letter and has small letters, digits and hyphens"));
    }
    if offers.iter().any(|offer| offer.paper.slug == slug) {
        return Err(refuse("PAPER", slug, "there is such a paper"));
    }
    if !fits(field) {
        return Err(refuse("--field", field, "a field is the name of a folder of crates/"));
    }
    let source = root.join("crates").join(field).join("src");
    let lib = source.join("lib.rs");
    let list = std::fs::read_to_string(&lib).map_err(|error| Failure::Bad(format!("--field {field}: {}: {error}", lib.display())))?;
    let module = slug.replace('-', "_");
    let with = Some(&list).filter(|list| list.contains("Vec<Offer>")).and_then(|list| listed(list, &module));
    let Some(with) = with else { return Err(refuse("--field", field, "its lib.rs has no list of papers, vec![Offer { .. }]")) };
    let folder = source.join(&module);
    let property = root.join("properties").join(format!("{module}.rs"));
    if let Some(there) = [&folder, &property].into_iter().find(|path| path.exists()) {
        return Err(refuse("PAPER", slug, &format!("{} exists", there.display())));
    }
    std::fs::create_dir(&folder).map_err(|error| Failure::Bad(format!("cannot create {}: {error}", folder.display())))?;
    let mut written: Vec<PathBuf> = Vec::new();
    let mut write = |path: PathBuf, content: &str| -> Result<(), Failure> {
        write_file("new", &path, content)?;
        written.push(path);
        Ok(())
    };
    for (name, template) in FILES {
        write(folder.join(name), &template.replace("newpaper", slug))?;
    }
    let path = format!("theorycheck::{}::{module}", field.replace('-', "_"));
    write(property, &PROPERTIES.replace(TEMPLATE_PATH, &path).replace("newpaper", slug))?;
    // Last, so that the list never names what is not there.
    write(lib, &with)?;
    let written: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    show(arguments, streams, || written.iter().map(|path| format!("{path}\n")).collect(), || json!({ "paper": slug, "written": written }))?;
    let _ = writeln!(streams.messages, "Next: cargo fmt, cargo run -- check {slug}; then replace the example, see CONTRIBUTING.md");
    Ok(Exit::Success)
}
