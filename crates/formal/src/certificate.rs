//! Certificates: inequalities between concrete rationals as Lean theorems over the natural numbers.

use crate::declaration::{declarations, sha256};
use crate::interpreter::Program;
use crate::lexer::strip;
use num_bigint::BigUint;
use numeric::Rational;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use thiserror::Error;

/// Most theorems a file: Lean elaborates a file as a whole.
const FILE_LIMIT: usize = 500;
/// Most digits of a number; longer ones are left out.
const DIGIT_LIMIT: usize = 2000;

/// Two exact sides of a claim at one instance.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The claim.
    pub claim: String,
    /// The part or the mutant, and what it asserts.
    pub what: String,
    /// The instance, exactly.
    pub instance: String,
    /// Left side.
    pub lhs: Rational,
    /// Right side.
    pub rhs: Rational,
}

/// A certificate that is false on our side: nothing is written then.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("certificate {name}: {what}")]
pub struct CertificateError {
    /// The theorem.
    pub name: String,
    /// What is wrong with it.
    pub what: String,
}

/// The generated files: path below `lean/` and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The files, in the order of their paths.
    pub files: BTreeMap<String, String>,
    /// How many theorems.
    pub theorems: usize,
}

/// `lie-bracket` as a Lean name: `LieBracket`.
fn module(slug: &str) -> String {
    slug.split('-')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
        .collect()
}

/// The comparison of two rationals, cleared of denominators and signs: sums of products of natural numbers on both sides.
fn cleared(lhs: &Rational, rhs: &Rational) -> Option<String> {
    let order = lhs.cmp_exact(rhs)?;
    let (p, q, r, s) = (lhs.numer(), lhs.denom(), rhs.numer(), rhs.denom());
    let natural = |number: &num_bigint::BigInt| -> BigUint { number.magnitude().clone() };
    let (p, q, r, s) = ((p.sign(), natural(&p)), natural(&q), (r.sign(), natural(&r)), natural(&s));
    let negative = |side: &(num_bigint::Sign, BigUint)| side.0 == num_bigint::Sign::Minus;
    // |lhs| s and |rhs| q
    let (left, right) = (format!("{} * {s}", p.1), format!("{} * {q}", r.1));
    let typed = |side: &str| {
        let (first, rest) = side.split_once(' ').unwrap_or((side, ""));
        format!("({first} : Nat) {rest}")
    };
    Some(match (negative(&p), negative(&r), order) {
        (false, false, Ordering::Less) | (true, true, Ordering::Greater) => format!("{} < {right}", typed(&left)),
        (false, false, Ordering::Greater) | (true, true, Ordering::Less) => format!("{} < {left}", typed(&right)),
        (_, _, Ordering::Equal) => format!("{} = {right}", typed(&left)),
        // The signs differ: the sum of the absolute values is positive.
        _ => format!("(0 : Nat) < {left} + {right}"),
    })
}

/// A comment's text: one line of bounded length that neither opens nor closes a comment.
fn comment(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("/-", "/ -").replace("-/", "- /");
    let mut short: String = line.chars().take(240).collect();
    if short.len() < line.len() {
        short.push_str("...");
    }
    short
}

/// Reads a generated file back and evaluates each of its theorems.
pub(crate) fn verify(text: &str) -> Result<usize, CertificateError> {
    let wrong = |name: &str, what: String| CertificateError { name: name.to_owned(), what };
    let code = strip(text, false).map_err(|(line, what)| wrong("file", format!("line {line}: {what}")))?;
    let found = declarations(&code).map_err(|(line, what)| wrong("file", format!("line {line}: {what}")))?;
    for declaration in &found {
        // The only proof that the generator writes.
        let line = text.lines().nth(declaration.line - 1).unwrap_or("");
        if !line.ends_with(" := by first | decide | decide +kernel") {
            return Err(wrong(&declaration.name, "the proof is not the generator's".to_owned()));
        }
        let program = Program::new([declaration]).map_err(|error| wrong(&declaration.name, error.to_string()))?;
        let name = declaration.name.rsplit('.').next().unwrap_or("");
        program.try_theorem(name, 1, 0).map_err(|error| wrong(&declaration.name, error.to_string()))?;
    }
    Ok(found.len())
}

/// The generated files for candidates in their order: certificates, their index, their rows of the map, the audit, the golden vectors.
/// `proved` are the hand-written theorems that the audit prints too.
///
/// # Errors
/// A certificate that reads back as false.
pub fn export(candidates: &[Candidate], proved: &[&str]) -> Result<Export, CertificateError> {
    let mut papers: BTreeMap<String, Vec<(String, &Candidate, String)>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for candidate in candidates {
        if candidate.lhs.digit_count().max(candidate.rhs.digit_count()) > DIGIT_LIMIT {
            continue;
        }
        let Some(statement) = cleared(&candidate.lhs, &candidate.rhs) else { continue };
        let (slug, short) = candidate.claim.split_once('/').unwrap_or((&candidate.claim, "claim"));
        let key = format!("{}|{}|{}|{}|{}", candidate.claim, candidate.what, candidate.instance, candidate.lhs, candidate.rhs);
        let name = format!("c_{}_{}", short.replace(['-', '.'], "_"), &sha256(&key)[..10]);
        let of_paper = papers.entry(module(slug)).or_default();
        if of_paper.len() < FILE_LIMIT && seen.insert(format!("{slug}/{name}")) {
            of_paper.push((name, candidate, statement));
        }
    }
    let mut files = BTreeMap::new();
    let (mut imports, mut rows, mut names) = (String::new(), String::new(), Vec::new());
    for (paper, certificates) in &papers {
        let mut body = format!("namespace Certificates.{paper}\n");
        let file = format!("Certificates/{paper}.lean");
        for (name, candidate, statement) in certificates {
            let Candidate { claim, what, instance, lhs, rhs } = candidate;
            let relation = match lhs.cmp_exact(rhs) {
                Some(Ordering::Less) => "<",
                Some(Ordering::Greater) => ">",
                _ => "=",
            };
            let _ = writeln!(body, "/-- {}: lhs {relation} rhs at {} -/", comment(&format!("{claim}, {what}")), comment(instance));
            let _ = writeln!(body, "theorem {name} : {statement} := by first | decide | decide +kernel");
            let hash = sha256(&format!("theorem {name} : {statement}"));
            let full = format!("Certificates.{paper}.{name}");
            let _ = writeln!(
                rows,
                "[[entry]]\ndeclaration = \"{full}\"\nfile = \"{file}\"\nclaim = \"{claim}\"\nkind = \"certificate\"\nsha256 = \"{hash}\"\n"
            );
            names.push(full);
        }
        let _ = writeln!(body, "end Certificates.{paper}");
        let text = format!(
            "/-! Generated by `theorycheck lean export` (generator 1, sha256 of what follows: {}).\nEach line is the rational step at one instance: both sides were computed exactly and cleared of\ndenominators. Where a side bounds a transcendental number, only the rational step is certified. -/\n{body}",
            sha256(&body)
        );
        verify(&text)?;
        let _ = writeln!(imports, "import Certificates.{paper}");
        files.insert(file, text);
    }
    let mut audit = String::from("import TheoryCheck\nimport Certificates\n/-! Generated: the axioms that each mapped theorem rests on. -/\n\n");
    for name in proved.iter().copied().chain(names.iter().map(String::as_str)) {
        let _ = writeln!(audit, "#print axioms {name}");
    }
    files.insert("Certificates.lean".to_owned(), imports);
    files.insert("certificates.toml".to_owned(), format!("# Generated by `theorycheck lean export`.\n\n{rows}"));
    files.insert("Audit.lean".to_owned(), audit);
    files.insert("golden/golden.json".to_owned(), crate::golden_json());
    Ok(Export { files, theorems: names.len() })
}
