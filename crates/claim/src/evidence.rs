//! Evidence: what the routes found, ready for a report. Numbers are strings here, so that a report computes nothing.

use crate::{Provenance, Route, Verdict};

/// The instance that decided a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The instance, exactly.
    pub instance: String,
    /// Named values at it, in order: sides as exact numbers, then decimals.
    pub values: Vec<(String, String)>,
    /// The token for `theorycheck replay`; None for a point of a box.
    pub replay: Option<String>,
}

/// One part by one route.
#[derive(Clone, Debug)]
pub struct PartRecord {
    /// The part's name.
    pub name: String,
    /// What it asserts.
    pub statement: String,
    /// By which route.
    pub route: Route,
    /// The domain that was checked.
    pub domain: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Distinct instances that satisfied the assumptions (exact), boxes (certified) or draws (statistical, rate).
    pub instances: u64,
    /// Largest lhs/rhs found, a decimal rounded down, and where.
    pub tightness: Option<(String, String)>,
    /// What broke it, or None.
    pub witness: Option<Witness>,
    /// The error level of a statistical part, a decimal; None for the rigorous routes.
    pub level: Option<String>,
    /// How hard the route tried, in its own terms (boxes, depth, worst leaf; instances tried).
    pub effort: Vec<(String, String)>,
}

/// One mutant.
#[derive(Clone, Debug)]
pub struct MutantRecord {
    /// Name.
    pub name: String,
    /// What is changed.
    pub statement: String,
    /// `refuted` if it fell.
    pub verdict: Verdict,
    /// The witness that felled it.
    pub witness: Option<Witness>,
    /// It fell to a hand-given instance only.
    pub planted: bool,
    /// It fell to the falsifier's search only: neither a special instance nor a random one broke it.
    pub falsifier: bool,
}

/// One claim.
#[derive(Clone, Debug)]
pub struct ClaimRecord {
    /// Id.
    pub id: String,
    /// Paper's slug.
    pub paper: String,
    /// Provenance.
    pub provenance: Provenance,
    /// Declared verdict.
    pub declared: Verdict,
    /// Verdict reached.
    pub verdict: Verdict,
    /// The verdict is the declared one, every mutant fell, and no two routes disagree.
    pub as_declared: bool,
    /// The parts, one record a route.
    pub parts: Vec<PartRecord>,
    /// The mutants.
    pub mutants: Vec<MutantRecord>,
    /// Parts on which two routes disagree.
    pub disagreements: Vec<String>,
}

/// A run.
#[derive(Clone, Debug)]
pub struct RunRecord {
    /// The seed of every stream.
    pub seed: u64,
    /// The effort's word.
    pub effort: &'static str,
    /// The claims, in the registry's order.
    pub claims: Vec<ClaimRecord>,
    /// The run was interrupted.
    pub partial: bool,
    /// The sum of the levels of all statistical checks of the claims asked for, mutants included: a decimal.
    pub level_total: String,
    /// The same for the claims that were finished.
    pub level_spent: String,
}
