//! Papers on compression: pruning, quantization, routing.

pub mod emp;
pub mod moe;

use calculator::Offer;

/// The papers of this room.
#[must_use]
pub fn papers() -> Vec<Offer> {
    vec![
        Offer { paper: emp::PAPER, claims: emp::claims, calculator: Some(&emp::EmpCalculator), figure: Some(emp::figure) },
        Offer { paper: moe::PAPER, claims: moe::claims, calculator: Some(&moe::MoeCalculator), figure: Some(moe::figure) },
    ]
}
