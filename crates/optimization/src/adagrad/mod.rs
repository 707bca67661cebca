//! AdaGrad under heavy-tailed noise: convergence with only a finite p-th moment, 1 < p <= 2.

pub mod algorithm;
pub mod bounds;
mod calculator;
mod claims_lemmas;
mod claims_lower;
mod claims_noise;
mod claims_path;
mod claims_upper;
mod figure;
pub mod instances;
mod shared;
mod simulate;

pub use calculator::AdaGradCalculator;
pub use figure::figure;
pub use simulate::{Noise, Objective, PathSummary, run_adagrad};

use claim::Paper;

/// The paper.
pub const PAPER: Paper = Paper {
    slug: "adagrad",
    title: "Can Adaptive Gradient Methods Converge under Heavy-Tailed Noise? A Case Study of AdaGrad",
    authors: "Zijian Liu",
    venue: "ICML 2026",
    arxiv: "2605.18694",
    read: "the abstract and two public reading notes of the paper; not its full text. The constants are ours, with proofs; they reproduce the published exponents",
    not_verified: &[(
        "adagrad/lb-log",
        "the lower bound's additional term gamma^2 L^2 ln^2(gamma L/eps)/eps^2 (public notes): its construction is not in what was read",
    )],
    summary: "unmodified AdaGrad converges in smooth non-convex optimization when the noise has only a finite p-th moment",
};

/// All its claims: deterministic lemmas, upper bounds, lower bounds, noise.
#[must_use]
pub fn claims() -> Vec<claim::Claim> {
    let mut all = claims_lemmas::all();
    all.extend(claims_path::all());
    all.extend(claims_upper::all());
    all.extend(claims_lower::all());
    all.extend(claims_noise::all());
    all
}
