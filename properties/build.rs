//! Finds the property files: every `NAME.rs` beside `main.rs` becomes a module.

use std::fmt::Write as _;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::env::var("CARGO_MANIFEST_DIR")?;
    println!("cargo::rerun-if-changed={root}");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&root)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_some_and(|extension| extension == "rs") && !["main", "lib", "build"].contains(&stem.as_str()) {
            names.push((stem, path));
        }
    }
    names.sort();
    let mut modules = String::new();
    for (name, path) in names {
        writeln!(modules, "#[path = {:?}]\nmod {name};", path.display().to_string())?;
    }
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("modules.rs"), modules)?;
    Ok(())
}
