//! Dual numbers: a formula's value and gradient from the same code. `Dual<Dual<S>>` gives second derivatives.

use crate::{Field, Ordered, Rational, Real, Surd, Truth};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value with its gradient. Constants carry no gradient (an empty one).
///
/// Where a formula has a kink (|x|, min, max, floor) and the arithmetic cannot tell the piece, the derivative is undefined: it is made by a division
/// by zero, which every scalar marks as undefined (for intervals: the whole line, not defined everywhere).
#[derive(Clone, Debug)]
pub struct Dual<S> {
    value: S,
    gradient: Vec<S>,
}

impl<S: Field> Dual<S> {
    /// The `index`-th of `count` variables at `value`.
    #[must_use]
    pub fn variable(value: S, index: usize, count: usize) -> Dual<S> {
        let gradient = (0..count).map(|i| if i == index { S::one() } else { S::zero() }).collect();
        Dual { value, gradient }
    }

    /// A constant.
    #[must_use]
    pub fn constant(value: S) -> Dual<S> {
        Dual { value, gradient: Vec::new() }
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> &S {
        &self.value
    }

    /// The gradient; empty for a constant.
    #[must_use]
    pub fn gradient(&self) -> &[S] {
        &self.gradient
    }

    /// f(value) with the chain rule: `slope` is f'(value).
    pub(crate) fn chain(&self, value: S, slope: impl FnOnce() -> S) -> Dual<S> {
        if self.gradient.is_empty() {
            return Dual { value, gradient: Vec::new() };
        }
        let slope = slope();
        Dual { value, gradient: self.gradient.iter().map(|part| slope.clone() * part.clone()).collect() }
    }

    fn zip(self, other: Dual<S>, value: S, both: impl Fn(Option<S>, Option<S>) -> S) -> Dual<S> {
        let count = self.gradient.len().max(other.gradient.len());
        let (mut left, mut right) = (self.gradient.into_iter(), other.gradient.into_iter());
        Dual { value, gradient: (0..count).map(|_| both(left.next(), right.next())).collect() }
    }

    fn undefined() -> S {
        S::one() / S::zero()
    }
}

impl<S: Field> Add for Dual<S> {
    type Output = Dual<S>;

    fn add(self, other: Dual<S>) -> Dual<S> {
        let value = self.value.clone() + other.value.clone();
        self.zip(other, value, |a, b| match (a, b) {
            (Some(a), Some(b)) => a + b,
            (Some(a), None) | (None, Some(a)) => a,
            (None, None) => S::zero(),
        })
    }
}

impl<S: Field> Sub for Dual<S> {
    type Output = Dual<S>;

    fn sub(self, other: Dual<S>) -> Dual<S> {
        let value = self.value.clone() - other.value.clone();
        self.zip(other, value, |a, b| match (a, b) {
            (Some(a), Some(b)) => a - b,
            (Some(a), None) => a,
            (None, Some(b)) => -b,
            (None, None) => S::zero(),
        })
    }
}

impl<S: Field> Neg for Dual<S> {
    type Output = Dual<S>;

    fn neg(self) -> Dual<S> {
        Dual { value: -self.value, gradient: self.gradient.into_iter().map(|part| -part).collect() }
    }
}

#[expect(clippy::suspicious_arithmetic_impl, reason = "the product rule has a sum")]
impl<S: Field> Mul for Dual<S> {
    type Output = Dual<S>;

    fn mul(self, other: Dual<S>) -> Dual<S> {
        let (x, y) = (self.value.clone(), other.value.clone());
        let value = x.clone() * y.clone();
        self.zip(other, value, |a, b| match (a, b) {
            (Some(a), Some(b)) => a * y.clone() + x.clone() * b,
            (Some(a), None) => a * y.clone(),
            (None, Some(b)) => x.clone() * b,
            (None, None) => S::zero(),
        })
    }
}

#[expect(clippy::suspicious_arithmetic_impl, reason = "the quotient rule has a difference and a product")]
impl<S: Field> Div for Dual<S> {
    type Output = Dual<S>;

    fn div(self, other: Dual<S>) -> Dual<S> {
        let (x, y) = (self.value.clone(), other.value.clone());
        let value = x / y.clone();
        let quotient = value.clone();
        // (a - (x/y) b) / y
        self.zip(other, value, |a, b| match (a, b) {
            (Some(a), Some(b)) => (a - quotient.clone() * b) / y.clone(),
            (Some(a), None) => a / y.clone(),
            (None, Some(b)) => -(quotient.clone() * b) / y.clone(),
            (None, None) => S::zero(),
        })
    }
}

impl<S: Field> Field for Dual<S> {
    fn from_rational(value: &Rational) -> Dual<S> {
        Dual::constant(S::from_rational(value))
    }

    fn square(&self) -> Dual<S> {
        self.chain(self.value.square(), || self.value.clone() + self.value.clone())
    }

    fn powi(&self, n: u32) -> Dual<S> {
        if n == 0 {
            return Dual::constant(S::one());
        }
        self.chain(self.value.powi(n), || S::from_i64(i64::from(n)) * self.value.powi(n - 1))
    }
}

impl<S: Ordered> Ordered for Dual<S> {
    fn le(&self, other: &Dual<S>) -> Truth {
        self.value.le(&other.value)
    }

    fn lt(&self, other: &Dual<S>) -> Truth {
        self.value.lt(&other.value)
    }

    fn equals(&self, other: &Dual<S>) -> Truth {
        self.value.equals(&other.value)
    }

    fn min(&self, other: &Dual<S>) -> Dual<S> {
        match self.value.lt(&other.value) {
            Truth::True => self.clone(),
            Truth::False if other.value.lt(&self.value).is_true() => other.clone(),
            _ => self.clone().zip(other.clone(), self.value.min(&other.value), |_, _| Dual::<S>::undefined()),
        }
    }

    fn max(&self, other: &Dual<S>) -> Dual<S> {
        -((-self.clone()).min(&-other.clone()))
    }

    fn abs(&self) -> Dual<S> {
        let zero = S::zero();
        if zero.lt(&self.value).is_true() {
            self.clone()
        } else if self.value.lt(&zero).is_true() {
            -self.clone()
        } else {
            self.chain(self.value.abs(), Dual::<S>::undefined)
        }
    }

    fn floor(&self) -> Dual<S> {
        let floor = self.value.floor();
        // The slope is 0 where the floor is one integer and the value is not that integer itself.
        let flat = floor.equals(&floor).is_true() && floor.lt(&self.value).is_true();
        self.chain(floor, || if flat { S::zero() } else { Dual::<S>::undefined() })
    }

    fn is_defined(&self) -> bool {
        self.value.is_defined()
    }
}

impl<S: Surd> Surd for Dual<S> {
    fn sqrt(&self) -> Dual<S> {
        let root = self.value.sqrt();
        self.chain(root.clone(), || S::one() / (root.clone() + root))
    }
}

impl<S: Real> Real for Dual<S> {
    fn pi() -> Dual<S> {
        Dual::constant(S::pi())
    }

    fn exp(&self) -> Dual<S> {
        let value = self.value.exp();
        self.chain(value.clone(), || value)
    }

    fn ln(&self) -> Dual<S> {
        self.chain(self.value.ln(), || S::one() / self.value.clone())
    }

    fn exp_m1(&self) -> Dual<S> {
        self.chain(self.value.exp_m1(), || self.value.exp())
    }

    fn ln_1p(&self) -> Dual<S> {
        self.chain(self.value.ln_1p(), || S::one() / (S::one() + self.value.clone()))
    }

    fn log2(&self) -> Dual<S> {
        self.chain(self.value.log2(), || S::one() / (self.value.clone() * S::from_i64(2).ln()))
    }

    fn cbrt(&self) -> Dual<S> {
        let root = self.value.cbrt();
        self.chain(root.clone(), || S::one() / (S::from_i64(3) * root.square()))
    }

    fn sin(&self) -> Dual<S> {
        self.chain(self.value.sin(), || self.value.cos())
    }

    fn cos(&self) -> Dual<S> {
        self.chain(self.value.cos(), || -self.value.sin())
    }

    fn tan(&self) -> Dual<S> {
        let value = self.value.tan();
        self.chain(value.clone(), || S::one() + value.square())
    }

    fn atan(&self) -> Dual<S> {
        self.chain(self.value.atan(), || S::one() / (S::one() + self.value.square()))
    }

    fn sinh(&self) -> Dual<S> {
        self.chain(self.value.sinh(), || self.value.cosh())
    }

    fn cosh(&self) -> Dual<S> {
        self.chain(self.value.cosh(), || self.value.sinh())
    }

    fn tanh(&self) -> Dual<S> {
        let value = self.value.tanh();
        self.chain(value.clone(), || S::one() - value.square())
    }

    fn erf(&self) -> Dual<S> {
        self.chain(self.value.erf(), || S::from_i64(2) * (-self.value.square()).exp() / S::pi().sqrt())
    }

    fn erfc(&self) -> Dual<S> {
        self.chain(self.value.erfc(), || -(S::from_i64(2) * (-self.value.square()).exp() / S::pi().sqrt()))
    }

    fn normal_cdf(&self) -> Dual<S> {
        let two = S::from_i64(2);
        self.chain(self.value.normal_cdf(), || (-self.value.square() / two.clone()).exp() / (two * S::pi()).sqrt())
    }

    /// The derivative (digamma) is not among the scalar functions, so it is undefined.
    fn ln_gamma(&self) -> Dual<S> {
        self.chain(self.value.ln_gamma(), Dual::<S>::undefined)
    }

    /// The derivative is undefined, as for `ln_gamma`.
    fn gamma(&self) -> Dual<S> {
        self.chain(self.value.gamma(), Dual::<S>::undefined)
    }

    fn pow(&self, exponent: &Dual<S>) -> Dual<S> {
        // x^y: y x^(y-1) dx + x^y ln(x) dy
        let (x, y) = (self.value.clone(), exponent.value.clone());
        let value = x.pow(&y);
        let by_base = self.chain(value.clone(), || y.clone() * x.pow(&(y.clone() - S::one())));
        if exponent.gradient.is_empty() {
            return by_base;
        }
        let by_exponent = exponent.chain(S::zero(), || value.clone() * x.ln());
        by_base + by_exponent
    }
}

#[cfg(test)]
mod tests {
    use super::Dual;
    use crate::{Field, Ordered, QuadraticSurd, Rational, Surd};

    #[test]
    fn gradients_and_hessians_of_a_rational_function() {
        // f = x^3 y / (1 + y): f_x = 3x^2 y/(1+y), f_y = x^3/(1+y)^2, f_xy = 3x^2/(1+y)^2, f_xx = 6xy/(1+y), f_yy = -2x^3/(1+y)^3
        fn f<S: Field>(x: S, y: S) -> S {
            x.powi(3) * y.clone() / (S::one() + y)
        }
        let seed = |value: i64, index| {
            let inner = Dual::variable(Rational::from(value), index, 2);
            Dual::variable(inner, index, 2)
        };
        let result = f(seed(2, 0), seed(3, 1));
        let (gx, gy) = (&result.gradient()[0], &result.gradient()[1]);
        assert_eq!(*result.value().value(), Rational::from(6));
        assert_eq!((gx.value().clone(), gy.value().clone()), (Rational::from(9), Rational::new(1, 2)));
        assert_eq!(gx.gradient(), [Rational::from(9), Rational::new(3, 4)]);
        assert_eq!(gy.gradient(), [Rational::new(3, 4), Rational::new(-1, 4)]);
    }

    #[test]
    fn roots_and_kinks() {
        let x = Dual::variable(QuadraticSurd::from(9), 0, 1);
        assert!(x.sqrt().gradient()[0].equals(&QuadraticSurd::ratio(1, 6)).is_true());
        let at = |value: i64| Dual::variable(Rational::from(value), 0, 1);
        assert_eq!(at(-3).abs().gradient(), [Rational::from(-1)]);
        assert!(!at(0).abs().gradient()[0].is_defined());
        assert_eq!(at(2).min(&at(5)).gradient(), [Rational::from(1)]);
        assert!(!at(2).max(&at(2)).gradient()[0].is_defined());
        assert!(!at(2).floor().gradient()[0].is_defined());
        assert_eq!(Dual::variable(Rational::new(5, 2), 0, 1).floor().gradient(), [Rational::from(0)]);
    }
}
