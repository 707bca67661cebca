//! Empirical risk minimizers in stochastic convex optimization: an instance in dimension 7m whose unique minimizer overfits, and gradient descent with it.

pub mod bounds;
mod calculator;
mod claims_descent;
mod claims_law;
mod claims_minimizer;
pub mod code;
pub mod descent;
mod figure;
pub mod instances;
pub mod problem;
mod shared;

pub use calculator::ErmCalculator;
pub use figure::figure;

use claim::Paper;

/// The paper.
pub const PAPER: Paper = Paper {
    slug: "erm",
    title: "All ERMs Can Fail in Stochastic Convex Optimization: Lower Bounds in Linear Dimension",
    authors: "T. Burla, R. Livni",
    venue: "arXiv 2026 (preprint)",
    arxiv: "2602.08350",
    read: "the abstract and public summaries; not its proofs. The instance (dimension 7m, the paper's has 6m) and all constants are our reconstruction, with proofs; it reproduces the published exponents",
    not_verified: &[("erm/own-instance", "the paper's own construction in dimension 6m and its constants: its full text was not available")],
    summary: "an instance in dimension linear in the sample size whose unique empirical risk minimizer overfits by a constant, and gradient descent on it",
};

/// All its claims: the minimizer, the law of its excess, gradient descent.
#[must_use]
pub fn claims() -> Vec<claim::Claim> {
    let mut all = claims_minimizer::all();
    all.extend(claims_law::all());
    all.extend(claims_descent::all());
    all
}
