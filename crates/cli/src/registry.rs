//! Which papers there are: the lists of the field crates, one after the other.

use calculator::Offer;

/// All papers.
#[must_use]
pub fn papers() -> Vec<Offer> {
    compression::papers().into_iter().chain(optimization::papers()).chain(learning::papers()).collect()
}
