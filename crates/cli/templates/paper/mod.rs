//! newpaper: say in a line what the paper does. This folder runs as it is; replace its example by the paper.

pub mod bounds;
mod claims;
pub mod instances;

pub use claims::claims;

use claim::Paper;

/// The paper.
pub const PAPER: Paper = Paper {
    slug: "newpaper",
    title: "Title",
    authors: "Authors, in order",
    venue: "Venue and year",
    arxiv: "arXiv id",
    read: "say what was read of it: a finding reaches no further",
    not_verified: &[],
    summary: "one line: what it does",
};
