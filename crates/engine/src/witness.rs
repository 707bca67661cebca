//! Turns a judgement into the named values that a witness prints.

use claim::{Judgement, Witness};
use numeric::Rounding;

/// Significant digits of every decimal in a record (the format promises at least 20).
pub const DIGITS: usize = 25;

/// The two sides exactly and as decimals rounded down, or what a property check found.
pub fn values(judgement: &Judgement) -> Vec<(String, String)> {
    match judgement {
        Judgement::Unmet => vec![("assumptions".into(), "not satisfied".into())],
        Judgement::Compared { lhs, relation, rhs } => vec![
            ("lhs".into(), lhs.to_string()),
            ("asserted".into(), relation.as_str().into()),
            ("rhs".into(), rhs.to_string()),
            ("lhs_decimal".into(), lhs.to_decimal(DIGITS, Rounding::Down)),
            ("rhs_decimal".into(), rhs.to_decimal(DIGITS, Rounding::Down)),
        ],
        Judgement::Property { detail, .. } => vec![("found".into(), detail.clone())],
    }
}

/// A witness from an exact description.
pub fn of(description: &claim::Description, replay: String) -> Witness {
    Witness { instance: description.instance.clone(), values: values(&description.judgement), replay: Some(replay) }
}
