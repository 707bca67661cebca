//! Papers on learning theory: generalization, empirical risk minimization, training dynamics.

use calculator::Offer;

/// The papers of this room.
#[must_use]
pub fn papers() -> Vec<Offer> {
    vec![]
}
