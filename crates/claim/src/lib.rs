//! The vocabulary: papers, claims, parts, routes, families, tapes, mutants, verdicts and evidence.
//!
//! This room depends on no route, does no I/O and no arithmetic of its own: the numbers come from the room `numeric`.

mod check;
mod enclosed;
mod evidence;
mod family;
mod identity;
mod statement;
mod statistical;
mod tape;
mod verdict;

pub use check::{
    Batch, CertifiedCheck, CertifiedPart, Check, Coverage, Description, Evaluation, ExactCheck, ExactPart, Formula, Judgement, Outcome, Parameter,
    Point, Relation, Sign,
};
pub use enclosed::{RadicalSides, Sides, compare_enclosed, compare_radicals};
pub use evidence::{ClaimRecord, MutantRecord, PartRecord, RunRecord, Witness};
pub use family::{Family, Instance};
pub use identity::{GridPoint, Polynomial, identity};
pub use statement::{Claim, Finding, Mutant, Paper, Part, mutant, part};
pub use statistical::{Arm, Asserted, DEFAULT_LEVEL, Knowledge, RatePart, Sampler, Size, StatisticalPart};
pub use tape::Tape;
pub use verdict::{Provenance, Route, Verdict};
