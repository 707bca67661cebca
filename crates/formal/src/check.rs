//! Static checks of the Lean project: nothing is compiled.

use crate::certificate::{Candidate, CertificateError, Export, export, verify};
use crate::declaration::{Declaration, Keyword, declarations};
use crate::golden::{golden, golden_json};
use crate::interpreter::{Program, RunError};
use crate::lexer::{forbidden, strip};
use crate::map::{Entry, Kind, MapError, read_map};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use thiserror::Error;

/// The files whose theorems have no dependency and are tried on random instances.
const OWN: [&str; 5] = ["Algebra", "Sums", "Prob", "Net", "Rational"];
/// Longest line of a hand-written file, in characters.
const LINE_LIMIT: usize = 100;

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The file, below `lean/`.
    pub file: String,
    /// The line; 0 where it is about the whole file.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.what),
            line => write!(f, "{}, line {line}: {}", self.file, self.what),
        }
    }
}

/// A project that cannot be looked at.
#[derive(Debug, Error)]
pub enum FormalError {
    /// A file cannot be read.
    #[error("cannot read {file}: {error}")]
    Read {
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// A map is corrupted.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The golden file is corrupted.
    #[error("golden/golden.json, line {line}: expected '{expected}', found '{found}'")]
    Golden {
        /// The first line that differs.
        line: usize,
        /// What we compute.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A certificate of ours is false.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// The source could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// What the static checks saw.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The map's rows, generated ones after the others.
    pub entries: Vec<Entry>,
    /// Lean files that were read.
    pub files: usize,
    /// Declarations that state something (theorems and pins).
    pub stated: usize,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

fn read(folder: &Path, file: &str) -> Result<String, FormalError> {
    std::fs::read_to_string(folder.join(file)).map_err(|error| FormalError::Read { file: folder.join(file).display().to_string(), error })
}

/// The .lean files below a folder, in the order of their paths; what lake built is left out.
fn sources(folder: &Path, below: &str, found: &mut Vec<String>) -> Result<(), FormalError> {
    let fail = |error| FormalError::Read { file: folder.join(below).display().to_string(), error };
    let mut names: Vec<(String, bool)> = Vec::new();
    for entry in std::fs::read_dir(folder.join(below)).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        names.push((entry.file_name().to_string_lossy().into_owned(), entry.path().is_dir()));
    }
    names.sort();
    for (name, is_folder) in names {
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        if is_folder && !matches!(name.as_str(), ".lake" | "build") {
            sources(folder, &path, found)?;
        } else if name.ends_with(".lean") {
            found.push(path);
        }
    }
    Ok(())
}

/// The dependency-free part of the project, ready to run.
///
/// # Errors
/// A file that cannot be read, or a declaration outside the fragment that we understand.
pub fn program(folder: &Path) -> Result<Program, FormalError> {
    let mut all = Vec::new();
    for name in OWN {
        let file = format!("TheoryCheck/{name}.lean");
        all.extend(parsed(&file, &read(folder, &file)?).map_err(outside)?);
    }
    Ok(Program::new(&all)?)
}

fn outside(finding: Finding) -> FormalError {
    FormalError::Run(RunError::Outside { name: finding.file.clone(), what: finding.to_string() })
}

fn parsed(file: &str, text: &str) -> Result<Vec<Declaration>, Finding> {
    let finding = |line, what| Finding { file: file.to_owned(), line, what };
    let code = strip(text, false).map_err(|(line, what)| finding(line, what.to_owned()))?;
    declarations(&code).map_err(|(line, what)| finding(line, what))
}

/// What one file holds that no Lean file of ours may hold.
fn file_findings(file: &str, text: &str, files: &BTreeSet<String>) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |line: usize, what: String| found.push(Finding { file: file.to_owned(), line, what });
    if !file.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_')) {
        add(0, "the name has characters that not every system takes".to_owned());
    }
    let generated = file.starts_with("Certificates") || file == "Audit.lean";
    for (index, line) in text.lines().enumerate() {
        if line.contains('\t') {
            add(index + 1, "a tab".to_owned());
        }
        if !generated && line.chars().count() > LINE_LIMIT {
            add(index + 1, format!("longer than {LINE_LIMIT} characters"));
        }
    }
    let Ok(code) = strip(text, false) else { return found };
    for (line, word) in forbidden(&code, matches!(file, "Golden.lean" | "Audit.lean")) {
        add(line, format!("'{word}' may not stand in code"));
    }
    let base = if file.starts_with("bridge/") { "bridge/" } else { "" };
    for (index, line) in code.lines().enumerate() {
        if let Some(module) = line.strip_prefix("import ") {
            let path = format!("{base}{}.lean", module.trim().replace('.', "/"));
            let library = !base.is_empty() && module.trim().starts_with("SLT.");
            if !library && !files.contains(&path) {
                add(index + 1, format!("import {} has no file here", module.trim()));
            }
        }
    }
    found
}

/// Checks the project in `folder` against the claims' ids and, where candidates are given, that its generated files are what
/// [`export`] writes for them.
///
/// # Errors
/// What cannot be looked at at all: an unreadable file, a corrupted map or golden file (with the line), a false certificate.
pub fn check(folder: &Path, claims: &[&str], candidates: Option<&[Candidate]>) -> Result<Checked, FormalError> {
    let mut entries = read_map("map.toml", &read(folder, "map.toml")?)?;
    let hand_written = entries.len();
    entries.extend(read_map("certificates.toml", &read(folder, "certificates.toml")?)?);
    let mut findings = Vec::new();
    golden_file(&read(folder, "golden/golden.json")?)?;

    let mut paths = Vec::new();
    sources(folder, "", &mut paths)?;
    let files: BTreeSet<String> = paths.iter().cloned().collect();
    let mut stated: BTreeMap<(String, String), Declaration> = BTreeMap::new();
    for path in &paths {
        let text = read(folder, path)?;
        findings.extend(file_findings(path, &text, &files));
        if path.starts_with("Certificates/") {
            verify(&text)?;
        }
        match parsed(path, &text) {
            Ok(found) => {
                for declaration in found {
                    let key = (declaration.name.clone(), path.clone());
                    let line = declaration.line;
                    // A name may stand once in the whole project: part 1 and the bridge use each other's for nothing.
                    if stated.keys().any(|(name, _)| *name == key.0) {
                        findings.push(Finding { file: path.clone(), line, what: format!("{} is declared twice", key.0) });
                    }
                    stated.insert(key, declaration);
                }
            }
            Err(finding) => findings.push(finding),
        }
    }
    for (index, entry) in entries.iter().enumerate() {
        let map = if index < hand_written { "map.toml" } else { "certificates.toml" };
        let mut add = |what: String| findings.push(Finding { file: map.to_owned(), line: entry.line, what });
        match stated.get(&(entry.declaration.clone(), entry.file.clone())) {
            None => add(format!("{} is not declared in {}", entry.declaration, entry.file)),
            Some(declaration) if declaration.sha256() != entry.sha256 => {
                add(format!(
                    "the statement of {} ({}, line {}) is not the one that was mapped; its hash is now {}",
                    entry.declaration,
                    entry.file,
                    declaration.line,
                    declaration.sha256()
                ));
            }
            Some(_) => {}
        }
        if let Some(claim) = &entry.claim {
            match (claims.contains(&claim.as_str()), entry.absent) {
                (false, false) => add(format!("{}: no claim '{claim}'", entry.declaration)),
                (true, true) => add(format!("{}: marked absent, but there is a claim '{claim}'", entry.declaration)),
                _ => {}
            }
        }
    }
    let mapped: BTreeSet<(&str, &str)> = entries.iter().map(|entry| (entry.declaration.as_str(), entry.file.as_str())).collect();
    for ((name, file), declaration) in &stated {
        if declaration.keyword != Keyword::Definition && !mapped.contains(&(name.as_str(), file.as_str())) {
            findings.push(Finding { file: file.clone(), line: declaration.line, what: format!("{name} is mapped to nothing") });
        }
    }
    let (toolchain, other) = (read(folder, "lean-toolchain")?, read(folder, "bridge/lean-toolchain")?);
    if toolchain != other {
        findings.push(Finding {
            file: "bridge/lean-toolchain".to_owned(),
            line: 1,
            what: format!("'{}' is not '{}'", other.trim(), toolchain.trim()),
        });
    }
    let tag = toolchain.trim().rsplit(':').next().unwrap_or("").to_owned();
    if !read(folder, "bridge/lakefile.toml")?.contains(&format!("rev = \"{tag}\"")) {
        findings.push(Finding { file: "bridge/lakefile.toml".to_owned(), line: 0, what: format!("the library is not pinned to {tag}") });
    }
    findings.extend(golden_source(folder)?);
    if let Some(candidates) = candidates {
        let fresh = export(candidates, &proved(&entries[..hand_written]))?;
        for (file, text) in &fresh.files {
            if std::fs::read_to_string(folder.join(file)).ok().as_deref() != Some(text.as_str()) {
                findings.push(Finding { file: file.clone(), line: 0, what: "not what `theorycheck lean export` writes".to_owned() });
            }
        }
        let stale = paths.iter().filter(|path| path.starts_with("Certificates/") && !fresh.files.contains_key(*path));
        findings.extend(stale.map(|path| Finding { file: path.clone(), line: 0, what: "no longer generated".to_owned() }));
    }
    let counted = stated.values().filter(|declaration| declaration.keyword != Keyword::Definition).count();
    Ok(Checked { entries, files: paths.len(), stated: counted, findings })
}

/// The generated files for a project as its map is now; [`export`] with the map's own theorems in the audit.
///
/// # Errors
/// An unreadable or corrupted map, or a false certificate.
pub fn refresh(folder: &Path, candidates: &[Candidate]) -> Result<Export, FormalError> {
    let entries = read_map("map.toml", &read(folder, "map.toml")?)?;
    Ok(export(candidates, &proved(&entries))?)
}

/// The hand-written theorems that the audit prints: those of the part that is built by default.
fn proved(entries: &[Entry]) -> Vec<&str> {
    let own = |entry: &&Entry| entry.file.starts_with("TheoryCheck/") && matches!(entry.kind, Kind::Proved | Kind::Auxiliary);
    let names: BTreeSet<&str> = entries.iter().filter(own).map(|entry| entry.declaration.as_str()).collect();
    names.into_iter().collect()
}

/// Compares the golden file with what we compute.
fn golden_file(text: &str) -> Result<(), FormalError> {
    let expected = golden_json();
    let (mut wanted, mut found) = (expected.split('\n'), text.split('\n'));
    let mut line = 0;
    loop {
        line += 1;
        match (wanted.next(), found.next()) {
            (None, None) => return Ok(()),
            (a, b) if a == b => {}
            (a, b) => return Err(FormalError::Golden { line, expected: a.unwrap_or("").to_owned(), found: b.unwrap_or("").to_owned() }),
        }
    }
}

/// Runs the entries of `Golden.lean` through the definitions in `Rational.lean`: same ids, inputs and values as ours.
fn golden_source(folder: &Path) -> Result<Vec<Finding>, FormalError> {
    let finding = |line, what| Finding { file: "Golden.lean".to_owned(), line, what };
    let text = read(folder, "Golden.lean")?;
    let Ok(code) = strip(&text, true) else { return Ok(Vec::new()) };
    let Ok(found) = declarations(&code) else { return Ok(Vec::new()) };
    let Some(entries) = found.iter().find(|declaration| declaration.name == "entries") else {
        return Ok(vec![finding(0, "there are no 'entries'".to_owned())]);
    };
    let rational = "TheoryCheck/Rational.lean";
    let definitions = parsed(rational, &read(folder, rational)?).map_err(outside)?;
    let values = Program::new(&definitions)?.golden(entries)?;
    let wanted = golden();
    if values.len() != wanted.len() {
        return Ok(vec![finding(entries.line, format!("{} entries, not {}", values.len(), wanted.len()))]);
    }
    let differing = values.iter().zip(&wanted).filter(|((id, input, value), entry)| {
        id != entry.id || input != entry.input || value.cmp_exact(&entry.value) != Some(std::cmp::Ordering::Equal)
    });
    Ok(differing.map(|((id, input, value), entry)| finding(entries.line, format!("{id} {input} gives {value}, not {}", entry.value))).collect())
}
