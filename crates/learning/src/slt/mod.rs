//! Statistical learning theory as formalized in Lean 4: coverings, chaining, regression; executed, with their constants.

mod calculator;
pub mod chaining;
mod claims_covering;
mod claims_dudley;
pub mod covering;
mod enclosing;
mod figure;
pub mod instances_chaining;
pub mod instances_covering;
pub mod looseness;
pub mod regression;

pub use calculator::SltCalculator;
pub use claims_covering::irwin_hall;
pub use figure::dudley_figure;

use claim::Paper;

/// The library's other statements that have an id here but no check yet.
const NOT_VERIFIED: &[(&str, &str)] = &[
    ("slt/efron-stein", NOT_YET),
    ("slt/gaussian-poincare", NOT_YET),
    ("slt/han-inequality", NOT_YET),
    ("slt/han-shannon", NOT_YET),
    ("slt/entropy-duality", NOT_YET),
    ("slt/entropy-duality-t", NOT_YET),
    ("slt/entropy-subadditive", NOT_YET),
    ("slt/bernoulli-lsi", NOT_YET),
    ("slt/gaussian-lsi", NOT_YET),
    ("slt/lipschitz-cgf", NOT_YET),
    ("slt/lipschitz-concentration", NOT_YET),
    ("slt/master-error", NOT_YET),
    ("slt/linear-rate", NOT_YET),
    ("slt/bad-event", NOT_YET),
    ("slt/hanson-wright", NOT_YET),
    ("slt/svd", NOT_YET),
    ("slt/courant-fischer", NOT_YET),
    ("slt/eym", NOT_YET),
    ("slt/weyl", NOT_YET),
    ("slt/davis-kahan-vec", NOT_YET),
    ("slt/davis-kahan-proj", NOT_YET),
    ("slt/lieb", NOT_YET),
    ("slt/lieb-random", NOT_YET),
    ("slt/matrix-bernstein", NOT_YET),
    ("slt/rmt-norm", NOT_YET),
    ("slt/rmt-norm-mean", NOT_YET),
    ("slt/rmt-lower", NOT_YET),
    ("slt/rmt-symmetric", NOT_YET),
    ("slt/rmt-two-sided", NOT_YET),
    ("slt/rmt-covariance", NOT_YET),
];
const NOT_YET: &str = "stated in the library, not executed here yet";

/// The paper.
pub const PAPER: Paper = Paper {
    slug: "slt",
    title: "AI4SLT: Empirical Processes in Lean 4 for Formal Statistical Learning Theory",
    authors: "Yuanhe Zhang, Jason D. Lee, Fanghui Liu",
    venue: "ICML 2026",
    arxiv: "2602.02285",
    read: "the statements and constants of the authors' public Lean library, tag v4.32.0",
    not_verified: NOT_VERIFIED,
    summary: "empirical processes formalized in Lean 4; here each formal statement is executed: is it true as meant, how loose are its constants",
};

/// All its claims: coverings, chaining.
#[must_use]
pub fn claims() -> Vec<claim::Claim> {
    let mut all = claims_covering::all();
    all.extend(claims_dudley::all());
    all
}
