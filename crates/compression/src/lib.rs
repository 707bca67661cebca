//! Papers on compression: pruning, quantization, routing.

pub mod emp;

use calculator::Offer;

/// The papers of this room.
#[must_use]
pub fn papers() -> Vec<Offer> {
    vec![Offer { paper: emp::PAPER, claims: emp::claims, calculator: Some(&emp::EmpCalculator) }]
}
