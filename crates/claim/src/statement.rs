//! Papers, claims, parts and mutants.

use crate::{Check, Provenance, Verdict};

/// One source of claims.
#[derive(Clone, Debug)]
pub struct Paper {
    /// Short name, the first half of its claims' ids.
    pub slug: &'static str,
    /// Title.
    pub title: &'static str,
    /// Authors, in order.
    pub authors: &'static str,
    /// Venue and year.
    pub venue: &'static str,
    /// arXiv id.
    pub arxiv: &'static str,
    /// What was read of it: a finding reaches no further than that.
    pub read: &'static str,
    /// Statements of it that are not checked: an id and the reason. They are listed, never given a verdict.
    pub not_verified: &'static [(&'static str, &'static str)],
    /// One line: what it does.
    pub summary: &'static str,
}

/// A false reading and what is true instead.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is printed, and where.
    pub printed: &'static str,
    /// What is true.
    pub truth: &'static str,
}

/// One statement with its assumptions, provenance and the verdict we declare for it.
pub struct Claim {
    /// `slug/name`.
    pub id: &'static str,
    /// The statement in words and formulas (plain text).
    pub statement: &'static str,
    /// What is assumed of an instance.
    pub assumptions: &'static [&'static str],
    /// Where it comes from.
    pub provenance: Provenance,
    /// The place in the source ("authors' README, Theorem 4.2"), or the name of the derivation.
    pub source: &'static str,
    /// The verdict it should get.
    pub declared: Verdict,
    /// The argument: a proof, or why the statement is false.
    pub argument: &'static str,
    /// A step over an infinite domain that no route covers: caps the verdict at `holds`. None when every step is checked.
    pub gap: Option<&'static str>,
    /// Set where the statement is a false reading.
    pub finding: Option<Finding>,
    /// Ids of related claims (the corrected form of a false reading, and back).
    pub see: &'static [&'static str],
    /// The pieces that are checked.
    pub parts: fn() -> Vec<Part>,
    /// The false neighbours.
    pub mutants: fn() -> Vec<Mutant>,
    /// Why there can be no mutants, where there are none.
    pub without_mutants: Option<&'static str>,
}

impl Claim {
    /// The paper's slug.
    #[must_use]
    pub fn paper(&self) -> &'static str {
        self.id.split('/').next().unwrap_or(self.id)
    }
}

/// One piece of a claim: an inequality, an equality case, an equivalence.
pub struct Part {
    /// Name, unique within the claim.
    pub name: &'static str,
    /// What is asserted.
    pub statement: &'static str,
    /// By which routes; each is run, and all must agree.
    pub checks: Vec<Check>,
}

/// A false neighbour of a claim.
pub struct Mutant {
    /// Name, unique within the claim.
    pub name: &'static str,
    /// What is changed.
    pub statement: &'static str,
    /// The claim's own check code with only the bound or the assumption swapped.
    pub check: Check,
    /// A hand-given instance, tried only when the family itself does not refute; a mutant that needs it is marked `planted`.
    pub planted: Option<Check>,
}

/// A part with one check.
#[must_use]
pub fn part(name: &'static str, statement: &'static str, check: Check) -> Part {
    Part { name, statement, checks: vec![check] }
}

/// A mutant without a planted instance.
#[must_use]
pub fn mutant(name: &'static str, statement: &'static str, check: Check) -> Mutant {
    Mutant { name, statement, check, planted: None }
}
