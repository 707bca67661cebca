//! Small things that the claims' files share.

use numeric::{Field, Rational};

pub(super) use claim::{mutant, part};

pub(super) fn q(p: i64, r: i64) -> Rational {
    Rational::new(p, r)
}

pub(super) fn n(value: i64) -> Rational {
    Rational::from(value)
}

/// The sum of a list.
pub(super) fn sum<S: Field>(values: impl IntoIterator<Item = S>) -> S {
    values.into_iter().fold(S::zero(), |total, value| total + value)
}
