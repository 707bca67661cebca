//! Turns a judgement into the named values that a witness prints.

use claim::{Judgement, Witness};
use numeric::{Rational, Rounding};

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
        Judgement::Property { detail, .. } | Judgement::Enclosed { detail, .. } => vec![("found".into(), detail.clone())],
    }
}

/// A witness from an exact description.
pub fn of(description: &claim::Description, replay: String) -> Witness {
    Witness { instance: description.instance.clone(), values: values(&description.judgement), replay: Some(replay) }
}

/// The exact value of a double as a decimal, to at most [`DIGITS`] digits, rounded down; its name where it is not finite.
pub fn exact_decimal(value: f64) -> String {
    Rational::from_f64(value).map_or_else(|| value.to_string(), |exact| exact.to_decimal(DIGITS, Rounding::Down))
}
