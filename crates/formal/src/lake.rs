//! Lean itself, where it is installed.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a run of `lake` ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lake {
    /// There is none.
    Missing,
    /// Everything was built, printed and audited as it should.
    Passed {
        /// What `lake --version` says.
        version: String,
    },
    /// A step failed.
    Failed {
        /// Which, and what it printed.
        what: String,
    },
}

/// Runs a program to its end or to the time limit; standard output and error together where it fails.
fn run(folder: &Path, arguments: &[&str], limit: Duration) -> Result<String, String> {
    let mut child = Command::new("lake")
        .args(arguments)
        .current_dir(folder)
        .env("LEAN_NUM_THREADS", "2")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    // The pipes are emptied beside the wait, so that a full one does not stop the program.
    let drain = |pipe: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut text);
            }
            String::from_utf8_lossy(&text).into_owned()
        })
    };
    let output = drain(child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>));
    let messages = drain(child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>));
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None if start.elapsed() > limit => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("lake {} took longer than {} s", arguments.join(" "), limit.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(50)),
        }
    };
    let (output, messages) = (output.join().unwrap_or_default(), messages.join().unwrap_or_default());
    if status.success() { Ok(output) } else { Err(format!("lake {}: {status}\n{output}{messages}", arguments.join(" "))) }
}

/// What `lake --version` says; None where there is no lake.
#[must_use]
pub fn version() -> Option<String> {
    run(Path::new("."), &["--version"], Duration::from_secs(60)).ok().map(|text| text.trim().to_owned())
}

/// The theorems of an audit's output that rest on more than the three axioms of classical Lean, with those axioms; an allow-list.
fn beyond_the_axioms(audit: &str) -> Vec<String> {
    let mut found = Vec::new();
    for report in audit.split("depends on axioms: [").skip(1) {
        let list = report.split(']').next().unwrap_or("");
        let strange: Vec<&str> =
            list.split(',').map(str::trim).filter(|name| !matches!(*name, "propext" | "Classical.choice" | "Quot.sound" | "")).collect();
        if !strange.is_empty() {
            found.push(strange.join(", "));
        }
    }
    found
}

/// Builds the project, runs its golden executable and its audit.
#[must_use]
pub fn run_lake(folder: &Path) -> Lake {
    let Some(version) = version() else { return Lake::Missing };
    let limit = Duration::from_secs(20 * 60);
    let steps = || -> Result<(), String> {
        run(folder, &["build"], limit)?;
        let printed = run(folder, &["env", "lean", "--run", "Golden.lean"], limit)?;
        if printed != crate::golden_json() {
            return Err(format!("Golden.lean prints\n{printed}and not\n{}", crate::golden_json()));
        }
        let audit = run(folder, &["env", "lean", "Audit.lean"], limit)?;
        let wanted = std::fs::read_to_string(folder.join("Audit.lean")).map_err(|error| error.to_string())?.matches("#print axioms").count();
        let seen = audit.matches("depends on axioms: [").count() + audit.matches("does not depend on any axioms").count();
        if seen != wanted {
            return Err(format!("the audit reports on {seen} theorems, not {wanted}"));
        }
        let strange = beyond_the_axioms(&audit);
        if strange.is_empty() { Ok(()) } else { Err(format!("axioms that are not allowed: {}", strange.join("; "))) }
    };
    match steps() {
        Ok(()) => Lake::Passed { version },
        Err(what) => Lake::Failed { what },
    }
}

#[cfg(test)]
mod tests {
    use super::beyond_the_axioms;

    #[test]
    fn only_the_three_axioms_are_allowed() {
        let audit = "'A' depends on axioms: [propext,\n Quot.sound]\n'B' does not depend on any axioms\n'C' depends on axioms: [Classical.choice]\n";
        assert_eq!(beyond_the_axioms(audit), Vec::<String>::new());
        let native = "'A' depends on axioms: [propext,\n A._native.native_decide.ax_1]\n'B' depends on axioms: [sorryAx]\n";
        assert_eq!(beyond_the_axioms(native), ["A._native.native_decide.ax_1", "sorryAx"]);
    }
}
