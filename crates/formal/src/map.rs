//! `map.toml`: which Lean declaration stands beside which claim.

use serde::Deserialize;
use std::ops::Range;
use std::sync::OnceLock;
use thiserror::Error;
use toml::Spanned;

/// What the Lean side does for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A theorem proved there.
    Proved,
    /// A definition whose values are compared with ours.
    Golden,
    /// A lemma or a check of values that no claim needs by itself.
    Auxiliary,
    /// A theorem of the formal library, under its name or under ours.
    Bridge,
    /// A generated inequality between numbers.
    Certificate,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [Kind::Proved, Kind::Golden, Kind::Auxiliary, Kind::Bridge, Kind::Certificate];

    /// The kind's word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Proved => "proved",
            Kind::Golden => "golden",
            Kind::Auxiliary => "auxiliary",
            Kind::Bridge => "bridge",
            Kind::Certificate => "certificate",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    declaration: String,
    file: String,
    claim: Option<String>,
    kind: Kind,
    sha256: String,
    #[serde(default)]
    absent: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    entry: Vec<Spanned<Row>>,
}

/// One row.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The declaration's full name.
    pub declaration: String,
    /// Its file, below `lean/`.
    pub file: String,
    /// The claim that it serves; none for an auxiliary declaration.
    pub claim: Option<String>,
    /// What it does for the claim.
    pub kind: Kind,
    /// SHA-256 of the declaration's whitespace-normalized statement.
    pub sha256: String,
    /// The row says that its claim is not in the registry yet.
    pub absent: bool,
    /// The row's line in the map.
    pub line: usize,
}

/// A map that cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{file}, line {line}: {what}")]
pub struct MapError {
    /// The file.
    pub file: String,
    /// The line.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

fn line_of(text: &str, span: Option<Range<usize>>) -> usize {
    let start = span.map_or(0, |span| span.start.min(text.len()));
    text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// Reads a map; `file` is its name for messages.
///
/// # Errors
/// The line that is no TOML, has an unknown or missing key, a hash that is none, a claim where none belongs or none where one does, or a
/// declaration that an earlier row has.
pub fn read_map(file: &str, text: &str) -> Result<Vec<Entry>, MapError> {
    let error = |line: usize, what: String| MapError { file: file.to_owned(), line, what };
    let table: Table = toml::from_str(text).map_err(|wrong| error(line_of(text, wrong.span()), wrong.message().to_owned()))?;
    let mut entries: Vec<Entry> = Vec::new();
    for row in table.entry {
        let line = line_of(text, Some(row.span()));
        let Row { declaration, file: source, claim, kind, sha256, absent } = row.into_inner();
        if sha256.len() != 64 || !sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(error(line, format!("sha256 of {declaration} must be 64 lower-case hexadecimal digits, given: '{sha256}'")));
        }
        if claim.is_none() != (kind == Kind::Auxiliary) {
            return Err(error(line, format!("{declaration}: an auxiliary declaration has no claim, every other kind has one")));
        }
        if let Some(first) = entries.iter().find(|entry| entry.declaration == declaration && entry.claim == claim) {
            return Err(error(line, format!("{declaration} is already mapped in line {}", first.line)));
        }
        entries.push(Entry { declaration, file: source, claim, kind, sha256, absent, line });
    }
    Ok(entries)
}

/// The project's own map and the rows of its generated certificates, as they were when this was compiled.
static OWN: [(&str, &str); 2] =
    [("map.toml", include_str!("../../../lean/map.toml")), ("certificates.toml", include_str!("../../../lean/certificates.toml"))];

/// The rows for one claim, in the map's order. A map that cannot be read has none; [`own_map`] tells why.
pub fn lean_names(claim: &str) -> impl Iterator<Item = &'static Entry> {
    own_map().as_deref().unwrap_or_default().iter().filter(move |entry| entry.claim.as_deref() == Some(claim))
}

/// The project's own map as it was compiled in.
///
/// # Errors
/// As [`read_map`].
pub fn own_map() -> &'static Result<Vec<Entry>, MapError> {
    static MAP: OnceLock<Result<Vec<Entry>, MapError>> = OnceLock::new();
    MAP.get_or_init(|| {
        let mut all = Vec::new();
        for (file, text) in OWN {
            all.extend(read_map(file, text)?);
        }
        Ok(all)
    })
}
