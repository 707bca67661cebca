//! The Lie bracket of two gradient updates predicts which order of training is better; row sums of the scores give a schedule.

pub mod algorithm;
pub mod bounds;
mod calculator;
mod claims_tournament;
mod claims_update;
mod figure;
pub mod instances;
pub mod scale;
mod shared;
mod simulate;

pub use algorithm::{Automatic, AutomaticPolynomial, Entrant, First, Loss, LossFormula, PolynomialLoss, Reference};
pub use algorithm::{bracket, entrants, order_by_score, pair_score, row_sums};
pub use bounds::{Radius, certified_eta};
pub use calculator::LieBracketCalculator;
pub use figure::figure;

use claim::Paper;

/// The paper.
pub const PAPER: Paper = Paper {
    slug: "lie-bracket",
    title: "The Geometry of Sequential Learning: Lie-Bracket Prediction of Transfer Order",
    authors: "J. Sweeney",
    venue: "ICML 2026",
    arxiv: "2606.24993",
    read: "the abstract and public reading notes that list the statements of Lemma 2.1, Proposition 2.3, Section 2.4 and Appendix E.8 (remainders O(.) only); not its full text. All constants are ours",
    not_verified: &[("lie-bracket/published-recovery", "the abstract's recovery rate of 87.5% is an empirical rate on the paper's own networks")],
    summary: "the commutator of two gradient updates is eta^2 times a Lie bracket; its product with the target's gradient says which order is better",
};

/// All its claims: updates in two orders, then tournaments of many sources.
#[must_use]
pub fn claims() -> Vec<claim::Claim> {
    let mut all = claims_update::all();
    all.extend(claims_tournament::all());
    all
}
