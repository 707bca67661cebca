//! Comparisons whose sides are irrational, and polynomials that are also formulas: written once, used by every paper.

use crate::{Judgement, Outcome, Relation};
use numeric::{BigInterval, Interval, PRECISIONS, QuadraticSurd, Rational, Real, Surd, Truth, with_precision};

/// Two sides of a comparison, written once over the reals.
pub trait Sides {
    /// (left, right)
    fn sides<S: Real>(&self) -> (S, S);
}

/// A comparison of irrational sides by enclosures: doubles first, then more bits. An equality of irrational sides stays undecided.
pub fn compare_enclosed(relation: Relation, at: &impl Sides) -> Judgement {
    let (lhs, rhs) = at.sides::<Interval>();
    let mut truth = relation.decide(&lhs, &rhs);
    let mut shown = format!("lhs in [{:e}, {:e}], rhs in [{:e}, {:e}]", lhs.lo(), lhs.hi(), rhs.lo(), rhs.hi());
    let (small, large) = if matches!(relation, Relation::Ge | Relation::Gt) { (rhs, lhs) } else { (lhs, rhs) };
    let ratio = if small.lo() >= 0.0 && large.lo() > 0.0 { (small / large).lo() } else { f64::NAN };
    for bits in PRECISIONS {
        if truth != Truth::Unknown {
            break;
        }
        // These precisions are all allowed, so the error cannot occur.
        let Ok((lhs, rhs)) = with_precision(bits, || at.sides::<BigInterval>()) else { continue };
        truth = relation.decide(&lhs, &rhs);
        shown = format!("lhs {}, rhs {}", lhs.to_decimal(25), rhs.to_decimal(25));
    }
    match truth {
        Truth::Unknown => Judgement::compare(Rational::UNDEFINED, relation, Rational::UNDEFINED),
        truth => Judgement::Enclosed { holds: truth.is_true(), detail: shown, ratio },
    }
}

/// Two sides with square roots only.
pub trait RadicalSides {
    /// (left, right)
    fn sides<S: Surd>(&self) -> (S, S);
}

/// A comparison of sides with square roots: exactly where one radical is enough, so that cases of equality are decided, by enclosures elsewhere.
pub fn compare_radicals(relation: Relation, at: &impl RadicalSides) -> Judgement {
    struct Enclosing<'a, T>(&'a T);
    impl<T: RadicalSides> Sides for Enclosing<'_, T> {
        fn sides<S: Real>(&self) -> (S, S) {
            self.0.sides()
        }
    }
    let (lhs, rhs) = at.sides::<QuadraticSurd>();
    let exact = Judgement::compare(lhs, relation, rhs);
    if exact.outcome() == Outcome::Undecided { compare_enclosed(relation, &Enclosing(at)) } else { exact }
}

/// Defines a unit struct for a polynomial: a [`Polynomial`](crate::Polynomial) for [`identity`](crate::identity), and a
/// [`Formula`](crate::Formula) for the certified route, from the same lines.
///
/// ```
/// use numeric::{Field, Rational};
/// claim::polynomial!(Square, |x| x[0].clone() * x[0].clone());
/// assert_eq!(claim::Polynomial::eval(&Square, &[Rational::from(3)]), Rational::from(9));
/// ```
#[macro_export]
macro_rules! polynomial {
    ($name:ident, |$x:ident| $body:expr) => {
        struct $name;
        impl $crate::Polynomial for $name {
            fn eval<S: ::numeric::Field>(&self, $x: &[S]) -> S {
                $body
            }
        }
        impl $crate::Formula for $name {
            fn eval<S: ::numeric::Real>(&self, $x: &[S]) -> S {
                $crate::Polynomial::eval(self, $x)
            }
            fn eval_exact(&self, $x: &[::numeric::QuadraticSurd]) -> Option<::numeric::QuadraticSurd> {
                Some($crate::Polynomial::eval(self, $x))
            }
        }
    };
}
