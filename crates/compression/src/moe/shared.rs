//! Small things that the claims' files share.

use numeric::{Field, Rational};

pub(super) use claim::{mutant, part};

pub(super) fn q(p: i64, r: i64) -> Rational {
    Rational::new(p, r)
}

pub(super) fn n(value: i64) -> Rational {
    Rational::from(value)
}

/// An integer in any field.
pub(super) fn c<S: Field>(value: i64) -> S {
    S::from_i64(value)
}

/// The sum of a list.
pub(super) fn sum<S: Field>(values: impl IntoIterator<Item = S>) -> S {
    values.into_iter().fold(S::zero(), |total, value| total + value)
}

/// A unit struct for a polynomial that is also a formula of the certified route.
macro_rules! polynomial {
    ($name:ident, |$x:ident| $body:expr) => {
        struct $name;
        impl claim::Polynomial for $name {
            fn eval<S: numeric::Field>(&self, $x: &[S]) -> S {
                $body
            }
        }
        impl claim::Formula for $name {
            fn eval<S: numeric::Real>(&self, $x: &[S]) -> S {
                claim::Polynomial::eval(self, $x)
            }
            fn eval_exact(&self, $x: &[numeric::QuadraticSurd]) -> Option<numeric::QuadraticSurd> {
                Some(claim::Polynomial::eval(self, $x))
            }
        }
    };
}
pub(super) use polynomial;
