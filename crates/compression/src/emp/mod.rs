//! Effective Model Pruning: keep the top floor(N_eff) components, and bound the score mass that is lost.

pub mod algorithm;
pub mod bounds;
mod calculator;
mod claims;
mod claims_beta;
mod claims_law;
mod claims_limit;
mod claims_loss;
mod claims_mass;
mod claims_steps;
mod figure;
pub mod instances;
pub mod scores;
mod stream;

pub use calculator::EmpCalculator;
use claim::Paper;
pub use figure::figure;

/// The paper.
pub const PAPER: Paper = Paper {
    slug: "emp",
    title: "Effective Model Pruning: Measuring the Redundancy of Model Components",
    authors: "Yixuan Wang, Dan P. Guralnik, Saiedeh Akbari, Warren E. Dixon",
    venue: "ICML 2026",
    arxiv: "2509.25606",
    read: "the authors' public README and code (noMushroomw/Effective-model-pruning) and public notes on the paper; not its full text",
    not_verified: &[],
    summary: "keep the top floor(N_eff) components, N_eff the inverse Simpson index of the normalized scores, and bound the score mass lost",
};

/// All its claims, in the order of the argument.
#[must_use]
pub fn claims() -> Vec<claim::Claim> {
    let mut all = claims::all();
    all.extend(claims_mass::all());
    all.extend(claims_steps::all());
    all.extend(claims_beta::all());
    all.extend(claims_limit::all());
    all.extend(claims_law::all());
    all.extend(claims_loss::all());
    all
}
