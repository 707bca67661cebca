//! Declarations of stripped Lean source: their full names and the hash of what they state.

use sha2::{Digest, Sha256};

/// What kind of declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// `theorem` or `lemma`: what it states is its head, without the proof.
    Theorem,
    /// `def` or `abbrev`: what it states is all of it.
    Definition,
    /// `#check @name`: a pin of somebody else's name.
    Pin,
}

/// One declaration.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Name with its namespaces.
    pub name: String,
    /// Kind.
    pub keyword: Keyword,
    /// Line of its head.
    pub line: usize,
    /// What it states, with single spaces between words.
    pub statement: String,
}

impl Declaration {
    /// SHA-256 of the whitespace-normalized statement, in hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> String {
        sha256(&self.statement)
    }
}

/// SHA-256 of a text's bytes, in hexadecimal.
#[must_use]
pub fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The head of a theorem: up to the `:=` or the first arm that stand outside of all brackets.
fn head(text: &str) -> &str {
    let mut depth = 0_i32;
    let mut fresh = false;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '⟨' => depth += 1,
            ')' | ']' | '}' | '⟩' => depth -= 1,
            ':' if depth == 0 && text[at..].starts_with(":=") => return &text[..at],
            '|' if depth == 0 && fresh && text[at..].starts_with("| ") => return &text[..at],
            _ => {}
        }
        fresh = c == '\n' || (fresh && c == ' ');
    }
    text
}

/// The declarations of stripped source.
///
/// # Errors
/// The line and what is wrong there: an `end` without its `namespace`, a `namespace` without its `end`.
pub fn declarations(code: &str) -> Result<Vec<Declaration>, (usize, String)> {
    let lines: Vec<&str> = code.lines().collect();
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let mut words = line.split_whitespace();
        if line.starts_with(char::is_whitespace) {
            continue;
        }
        let (Some(first), second) = (words.next(), words.next().unwrap_or("")) else { continue };
        match first {
            "namespace" => open.push((index + 1, second)),
            "end" => match open.pop() {
                Some((_, name)) if name == second => {}
                _ => return Err((index + 1, format!("'end {second}' closes no namespace of that name"))),
            },
            "#check" => {
                let name = second.trim_start_matches('@');
                found.push(Declaration { name: name.to_owned(), keyword: Keyword::Pin, line: index + 1, statement: format!("#check @{name}") });
            }
            "theorem" | "lemma" | "def" | "abbrev" => {
                let end = (index + 1..lines.len())
                    .find(|&next| !lines[next].is_empty() && !lines[next].starts_with(char::is_whitespace))
                    .unwrap_or(lines.len());
                let whole = lines[index..end].join("\n");
                let keyword = if matches!(first, "theorem" | "lemma") { Keyword::Theorem } else { Keyword::Definition };
                let stated = if keyword == Keyword::Theorem { head(&whole) } else { &whole };
                let name = open.iter().map(|(_, space)| *space).chain([second]).collect::<Vec<_>>().join(".");
                let statement = stated.split_whitespace().collect::<Vec<_>>().join(" ");
                found.push(Declaration { name, keyword, line: index + 1, statement });
            }
            _ => {}
        }
    }
    match open.pop() {
        Some((line, name)) => Err((line, format!("'namespace {name}' is never closed"))),
        None => Ok(found),
    }
}
