//! `new`: the templates are a paper that compiles and passes (they are compiled here), and what is written is the templates with the name put in.

use crate::run::command;
use theorycheck::Exit;
use theorycheck::engine::{Settings, Silent, run};

#[path = "../crates/cli/templates/paper/mod.rs"]
#[allow(dead_code, reason = "the tests use a part of the paper")]
pub mod newpaper;

#[path = "../crates/cli/templates/properties.rs"]
mod properties;

#[test]
fn the_template_is_a_paper_that_passes() {
    let record = run(&newpaper::claims(), &Settings::default(), &Silent).unwrap();
    assert_eq!(newpaper::PAPER.slug, "newpaper");
    let claim = &record.claims[0];
    assert!(claim.as_declared && claim.mutants.len() == 2 && !claim.mutants.iter().any(|mutant| mutant.planted), "{claim:?}");
}

/// Writes the skeleton of a checkout with one field, as the field crates have it.
fn checkout(list: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("crates/sampling/src")).unwrap();
    std::fs::create_dir_all(folder.path().join("properties")).unwrap();
    std::fs::write(folder.path().join("crates/sampling/src/lib.rs"), list).unwrap();
    folder
}

const LIST: &str = "//! Papers on sampling.\n\npub mod other;\n\nuse calculator::Offer;\n\n/// The papers.\npub fn papers() -> Vec<Offer> {\n    vec![Offer { paper: other::PAPER, claims: other::claims, calculator: None, figure: None }]\n}\n";

#[test]
fn a_new_paper_is_written_and_listed() {
    let folder = checkout(LIST);
    let root = folder.path().display().to_string();
    let made = command(&["new", "heavy-ball", "--field", "sampling", "--root", &root], "");
    assert_eq!(made.exit, Exit::Success, "{}", made.messages);
    let read = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    let written: Vec<&str> = made.output.lines().map(|line| line.strip_prefix(&format!("{root}/")).unwrap()).collect();
    assert_eq!(
        written,
        [
            "crates/sampling/src/heavy_ball/mod.rs",
            "crates/sampling/src/heavy_ball/bounds.rs",
            "crates/sampling/src/heavy_ball/instances.rs",
            "crates/sampling/src/heavy_ball/claims.rs",
            "properties/heavy_ball.rs",
            "crates/sampling/src/lib.rs",
        ]
    );
    let list = read("crates/sampling/src/lib.rs");
    assert!(list.contains("pub mod heavy_ball;\npub mod other;"), "{list}");
    assert!(
        list.contains(
            "vec![\n        Offer { paper: heavy_ball::PAPER, claims: heavy_ball::claims, calculator: None, figure: None },Offer { paper: other"
        ),
        "{list}"
    );
    assert!(read("crates/sampling/src/heavy_ball/claims.rs").contains("id: \"heavy-ball/example\""));
    assert!(read("crates/sampling/src/heavy_ball/mod.rs").contains("slug: \"heavy-ball\""));
    assert!(read("properties/heavy_ball.rs").contains("use theorycheck::sampling::heavy_ball::bounds::"));
    for file in &written {
        assert!(!read(file).contains("newpaper"), "{file}");
    }
    // Nothing is overwritten.
    let again = command(&["new", "heavy-ball", "--field", "sampling", "--root", &root], "");
    assert_eq!((again.exit, again.output.as_str()), (Exit::BadInput, ""));
    assert!(again.messages.contains("exists") && read("crates/sampling/src/lib.rs") == list, "{}", again.messages);
    let no_list = checkout("//! Nothing.\n");
    let refused = command(&["new", "x", "--field", "sampling", "--root", &no_list.path().display().to_string()], "");
    assert!(refused.exit == Exit::BadInput && refused.messages.contains("no list of papers"), "{}", refused.messages);
    assert!(!no_list.path().join("crates/sampling/src/x").exists());
}

#[test]
fn shells_and_man_get_every_command() {
    let names: Vec<String> = theorycheck::parser().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    assert!(names.len() >= 10);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = command(&["completions", shell], "");
        assert_eq!(script.exit, Exit::Success, "{shell}");
        for name in &names {
            assert!(script.output.contains(name.as_str()), "{shell}: {name}");
        }
    }
    let man = command(&["man"], "");
    assert!(man.output.starts_with(".ie") || man.output.contains(".TH theorycheck"), "{}", man.output);
    let folder = tempfile::tempdir().unwrap();
    let written = command(&["man", "--out", &folder.path().display().to_string()], "");
    assert_eq!((written.exit, written.output.as_str()), (Exit::Success, ""));
    for page in
        names.iter().map(|name| format!("theorycheck-{name}.1")).chain(["theorycheck.1".to_owned(), "theorycheck-calc-emp-bound.1".to_owned()])
    {
        let text = std::fs::read_to_string(folder.path().join(&page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        assert!(text.contains(&format!(".TH {}", page.trim_end_matches(".1"))), "{page}");
    }
}
