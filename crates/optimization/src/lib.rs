//! Papers on optimization: adaptive gradient methods and their rates, orders of training.

pub mod adagrad;
pub mod lie_bracket;

use calculator::Offer;

/// The papers of this room.
#[must_use]
pub fn papers() -> Vec<Offer> {
    vec![
        Offer { paper: adagrad::PAPER, claims: adagrad::claims, calculator: Some(&adagrad::AdaGradCalculator), figure: Some(adagrad::figure) },
        Offer {
            paper: lie_bracket::PAPER,
            claims: lie_bracket::claims,
            calculator: Some(&lie_bracket::LieBracketCalculator),
            figure: Some(lie_bracket::figure),
        },
    ]
}
