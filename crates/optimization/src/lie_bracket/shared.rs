//! Small things that the claims' files share.

use numeric::Rational;

pub(super) use claim::{mutant, part};

pub(super) fn q(p: i64, r: i64) -> Rational {
    Rational::new(p, r)
}

pub(super) fn n(value: i64) -> Rational {
    Rational::from(value)
}
