//! Small things that the claims' files share.

use super::problem::{Placed, Sampled};
use claim::Judgement;
use numeric::{Rational, Truth};

pub(super) use claim::{mutant, part};

pub(super) fn q(p: i64, r: i64) -> Rational {
    Rational::new(p, r)
}

pub(super) fn n(value: i64) -> Rational {
    Rational::from(value)
}

/// The counts of an instance that satisfies the assumptions; the one on the code may be left out.
pub(super) fn admitted(sampled: &Sampled, coherent: bool) -> Option<Vec<usize>> {
    let counts = sampled.counts().ok()?;
    let close = sampled.problem.code.as_ref().is_some_and(|code| code.coherence() > q(1, 2));
    (!(coherent && close)).then_some(counts)
}

/// Whether the point is in K, or in the ball of x at least where y is free.
pub(super) fn inside(placed: &Placed, free: bool) -> bool {
    let (x, y) = placed.sampled.problem.contains(&placed.point);
    x && (y || free)
}

/// The judgement of a value that may be missing because there is no code to enumerate.
pub(super) fn known(judgement: Option<Judgement>) -> Judgement {
    judgement.unwrap_or(Judgement::Unmet)
}

/// A property of enclosures that may be undecided.
pub(super) fn certain(truth: Truth, detail: String) -> Judgement {
    match truth {
        Truth::Unknown => Judgement::compare(Rational::UNDEFINED, claim::Relation::Eq, Rational::UNDEFINED),
        truth => Judgement::Property { holds: truth.is_true(), detail },
    }
}
