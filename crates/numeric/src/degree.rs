//! The degree scalar: evaluating a generic formula on it gives the formula's degree in each variable.

use crate::{Field, Rational};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An upper bound of a polynomial's degree in each variable (a sum takes the larger, a product adds), or "not a polynomial".
///
/// Cancellation is not seen, so the degree is never too small: a grid with one more point than it in each variable decides an identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Degree(Shape);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    /// A constant; true when it is known to be 0.
    Constant { zero: bool },
    /// Degrees by variable.
    Polynomial(Vec<u32>),
    /// Divided by something that is not a nonzero constant, or a degree beyond 2^32.
    Other,
}

impl Degree {
    /// The `index`-th of `count` variables. Out of range it is not a polynomial.
    #[must_use]
    pub fn variable(index: usize, count: usize) -> Degree {
        if index >= count {
            return Degree(Shape::Other);
        }
        let mut degrees = vec![0; count];
        degrees[index] = 1;
        Degree(Shape::Polynomial(degrees))
    }

    /// The degrees, one a variable (empty for a constant); None when the formula is not a polynomial.
    #[must_use]
    pub fn degrees(&self) -> Option<&[u32]> {
        match &self.0 {
            Shape::Constant { .. } => Some(&[]),
            Shape::Polynomial(degrees) => Some(degrees),
            Shape::Other => None,
        }
    }

    fn sum(self, other: Degree) -> Degree {
        Degree(match (self.0, other.0) {
            (Shape::Other, _) | (_, Shape::Other) => Shape::Other,
            // The sum of two constants may be 0 or not: not known to be 0 unless both are.
            (Shape::Constant { zero: a }, Shape::Constant { zero: b }) => Shape::Constant { zero: a && b },
            (Shape::Polynomial(degrees), Shape::Constant { .. }) | (Shape::Constant { .. }, Shape::Polynomial(degrees)) => Shape::Polynomial(degrees),
            (Shape::Polynomial(a), Shape::Polynomial(b)) => Shape::Polynomial(zip(&a, &b, u32::max)),
        })
    }
}

fn zip(a: &[u32], b: &[u32], op: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    (0..a.len().max(b.len())).map(|i| op(a.get(i).copied().unwrap_or(0), b.get(i).copied().unwrap_or(0))).collect()
}

impl Add for Degree {
    type Output = Degree;

    fn add(self, other: Degree) -> Degree {
        self.sum(other)
    }
}

impl Sub for Degree {
    type Output = Degree;

    fn sub(self, other: Degree) -> Degree {
        self.sum(other)
    }
}

impl Neg for Degree {
    type Output = Degree;

    fn neg(self) -> Degree {
        self
    }
}

impl Mul for Degree {
    type Output = Degree;

    fn mul(self, other: Degree) -> Degree {
        Degree(match (self.0, other.0) {
            (Shape::Other, _) | (_, Shape::Other) => Shape::Other,
            (Shape::Constant { zero: a }, Shape::Constant { zero: b }) => Shape::Constant { zero: a || b },
            (Shape::Constant { zero }, Shape::Polynomial(degrees)) | (Shape::Polynomial(degrees), Shape::Constant { zero }) => {
                if zero {
                    Shape::Constant { zero }
                } else {
                    Shape::Polynomial(degrees)
                }
            }
            (Shape::Polynomial(a), Shape::Polynomial(b)) => {
                if a.iter().zip(&b).any(|(x, y)| x.checked_add(*y).is_none()) {
                    Shape::Other
                } else {
                    Shape::Polynomial(zip(&a, &b, |x, y| x.saturating_add(y)))
                }
            }
        })
    }
}

impl Div for Degree {
    type Output = Degree;

    /// By a constant literal other than 0 only. A constant that arose from a sum may be 0, but then the same formula's exact evaluation is
    /// undefined and no identity is accepted, so the degree need not know.
    fn div(self, other: Degree) -> Degree {
        match other.0 {
            Shape::Constant { zero: false } => self,
            _ => Degree(Shape::Other),
        }
    }
}

impl Field for Degree {
    fn from_rational(value: &Rational) -> Degree {
        if value.is_defined() { Degree(Shape::Constant { zero: value.is_zero() }) } else { Degree(Shape::Other) }
    }
}

#[cfg(test)]
mod tests {
    use super::Degree;
    use crate::Field;

    #[test]
    fn degrees_of_a_formula() {
        let (x, y) = (Degree::variable(0, 2), Degree::variable(1, 2));
        let formula = (x.clone() + y.clone()).powi(3) * x.clone() - Degree::ratio(1, 3) * y.square().square() / Degree::from_i64(7);
        assert_eq!(formula.degrees(), Some(&[4, 4][..]));
        assert_eq!((Degree::zero() * x.clone()).degrees(), Some(&[][..]));
        assert_eq!((Degree::one() / x.clone()).degrees(), None);
        assert_eq!((x.clone() / Degree::zero()).degrees(), None);
        assert_eq!((x.powi(1 << 31) * x.powi(1 << 31)).degrees(), None, "a degree never wraps");
        assert_eq!(Degree::variable(2, 2).degrees(), None);
    }
}
