//! The ledger: what a run may get wrong by chance, in all.
//!
//! Each statistical or rate check has a fixed level, the same in every selection and shard. By the union bound the probability that any of them says a
//! wrong word is at most the sum of their levels.

use claim::{Check, Claim};
use numeric::Rational;

/// The largest sum of levels that a registry may have.
#[must_use]
pub fn budget() -> Rational {
    Rational::new(1, 1_000_000)
}

/// The level of a check: 0 for the rigorous routes.
#[must_use]
pub fn level(check: &Check) -> Rational {
    match check {
        Check::Statistical(part) => part.level.clone(),
        Check::Rate(part) => part.level.clone(),
        Check::Exact(_) | Check::Certified(_) => Rational::from(0),
    }
}

/// The sum of the levels of a claim's checks, mutants included.
#[must_use]
pub fn claim_level(claim: &Claim) -> Rational {
    let parts = (claim.parts)();
    let mutants = (claim.mutants)();
    let of_parts = parts.iter().flat_map(|part| &part.checks).map(level);
    let of_mutants = mutants.iter().map(|mutant| level(&mutant.check));
    let planted = mutants.iter().filter_map(|mutant| mutant.planted.as_ref()).map(level);
    of_parts.chain(of_mutants).chain(planted).fold(Rational::from(0), |sum, level| sum + level)
}

/// The sum over claims.
#[must_use]
pub fn total(claims: &[Claim]) -> Rational {
    claims.iter().map(claim_level).fold(Rational::from(0), |sum, level| sum + level)
}
