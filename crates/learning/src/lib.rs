//! Papers on learning theory: generalization, empirical risk minimization, training dynamics.

pub mod ste;

use calculator::Offer;

/// The papers of this room.
#[must_use]
pub fn papers() -> Vec<Offer> {
    vec![Offer { paper: ste::PAPER, claims: ste::claims, calculator: Some(&ste::SteCalculator), figure: Some(ste::figure) }]
}
