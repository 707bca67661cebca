//! Papers on optimization: adaptive gradient methods and their rates.

pub mod adagrad;

use calculator::Offer;

/// The papers of this room.
#[must_use]
pub fn papers() -> Vec<Offer> {
    vec![Offer { paper: adagrad::PAPER, claims: adagrad::claims, calculator: Some(&adagrad::AdaGradCalculator), figure: Some(adagrad::figure) }]
}
