//! Papers on learning theory: generalization, empirical risk minimization, training dynamics.

pub mod erm;
pub mod slt;
pub mod ste;

use calculator::Offer;

/// The papers of this room.
#[must_use]
pub fn papers() -> Vec<Offer> {
    vec![
        Offer { paper: erm::PAPER, claims: erm::claims, calculator: Some(&erm::ErmCalculator), figure: Some(erm::figure) },
        Offer { paper: ste::PAPER, claims: ste::claims, calculator: Some(&ste::SteCalculator), figure: Some(ste::figure) },
        Offer { paper: slt::PAPER, claims: slt::claims, calculator: Some(&slt::SltCalculator), figure: Some(slt::dudley_figure) },
    ]
}
