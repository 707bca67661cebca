//! Quantized linear regression trained online with the straight-through estimator: its dynamics in high dimension.

pub mod bounds;
mod calculator;
mod claims_fixed;
mod claims_input;
mod claims_limit;
mod claims_moments;
mod claims_step;
pub mod closure;
mod figure;
pub mod fixed_point;
pub mod fokker_planck;
pub mod instances;
pub mod quantizer;
mod shared;
pub mod simulate;

pub use calculator::SteCalculator;
pub use figure::figure;

use claim::Paper;

/// The paper.
pub const PAPER: Paper = Paper {
    slug: "ste",
    title: "High-Dimensional Learning Dynamics of Quantized Models with Straight-Through Estimator",
    authors: "Yuma Ichikawa, Shuhei Kashiwamura, Ayaka Sakata",
    venue: "ICML 2026",
    arxiv: "2510.10693",
    read: "the abstract and public summaries; not its equations. Everything checked is derived again here",
    not_verified: &[],
    summary: "the limit of SGD whose forward pass quantizes weights and inputs and whose backward pass ignores it: plateaus, fixed points, stability",
};

/// All its claims: moments, the exact step, quantized inputs, the limit of quantized weights, its fixed points and bounds.
#[must_use]
pub fn claims() -> Vec<claim::Claim> {
    let mut all = claims_moments::all();
    all.extend(claims_step::all());
    all.extend(claims_input::all());
    all.extend(claims_limit::all());
    all.extend(claims_fixed::all());
    all
}
