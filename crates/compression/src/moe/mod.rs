//! Sparse expert routing: convergence of training with K of M experts active, and the best K under a compute budget.

pub mod algorithm;
pub mod bounds;
mod calculator;
mod claims_budget;
mod claims_descent;
mod claims_moment;
mod claims_routing;
mod claims_simulated;
mod figure;
pub mod instances;
mod shared;
mod simulate;

pub use calculator::MoeCalculator;
pub use figure::figure;
pub use simulate::Simulation;

use claim::Paper;

/// The paper.
pub const PAPER: Paper = Paper {
    slug: "moe",
    title: "Rethinking Convergence in MoE Training: The Role of Routing Sparsity",
    authors: "Weihao Zhu, Long Shi, Kang Wei, Zhe Wang, Yipeng Zhou, Haixia Zhang",
    venue: "ICML 2026",
    arxiv: "none found",
    read: "the abstract only; no full text was found. Everything with explicit constants is ours, with its argument",
    not_verified: &[],
    summary: "training with K of M experts active: gradients of order (1 + M/K)/sqrt T, and the K that a compute budget asks for",
};

/// All its claims: second moments, descent, simulation, the budget, routers that break the assumptions.
#[must_use]
pub fn claims() -> Vec<claim::Claim> {
    let mut all = claims_moment::all();
    all.extend(claims_descent::all());
    all.extend(claims_simulated::all());
    all.extend(claims_budget::all());
    all.extend(claims_routing::all());
    all
}
