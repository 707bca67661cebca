//! Truncated Taylor series: a formula's value and derivatives of any order from the same code.

use crate::{Field, Ordered, Rational, Real, Surd, Truth};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// f(m + t) = c_0 + c_1 t + .. + c_n t^n + ..: the first n + 1 coefficients, c_k = f^(k)(m) / k!.
///
/// Over an enclosing scalar with m an interval, c_k encloses f^(k)/k! everywhere on it. Constants carry c_0 only. Where a formula has a kink that the
/// arithmetic cannot rule out, and for the derivatives of the gamma functions (which no bound here needs), the coefficients are undefined.
#[derive(Clone, Debug)]
pub struct Taylor<S> {
    terms: Vec<S>,
}

impl<S: Field> Taylor<S> {
    /// The variable at `value`, to order `order`.
    #[must_use]
    pub fn variable(value: S, order: usize) -> Taylor<S> {
        let mut terms = vec![S::zero(); order + 1];
        terms[0] = value;
        if order > 0 {
            terms[1] = S::one();
        }
        Taylor { terms }
    }

    /// A constant.
    #[must_use]
    pub fn constant(value: S) -> Taylor<S> {
        Taylor { terms: vec![value] }
    }

    /// The coefficient c_k; 0 beyond those of a constant.
    #[must_use]
    pub fn coefficient(&self, k: usize) -> S {
        self.terms.get(k).cloned().unwrap_or_else(S::zero)
    }

    fn value(&self) -> &S {
        &self.terms[0]
    }

    fn is_constant(&self) -> bool {
        self.terms.len() == 1
    }

    fn map(&self, f: impl Fn(&S) -> S) -> Taylor<S> {
        Taylor { terms: self.terms.iter().map(f).collect() }
    }

    /// A series with the given value, all of whose derivatives are undefined.
    fn value_only(&self, value: S) -> Taylor<S> {
        let undefined = || S::one() / S::zero();
        Taylor { terms: std::iter::once(value).chain((1..self.terms.len()).map(|_| undefined())).collect() }
    }

    /// The series b with b_0 = `value` and k b_k = `next(k, b_0 .. b_(k-1))`.
    fn solve(&self, value: S, next: impl Fn(usize, &[S]) -> S) -> Taylor<S> {
        let mut terms = Vec::with_capacity(self.terms.len());
        terms.push(value);
        for k in 1..self.terms.len() {
            let slope = next(k, &terms);
            terms.push(slope / S::from_i64(k as i64));
        }
        Taylor { terms }
    }

    /// The coefficient of t^(k-1) in u' w for a series w whose first k coefficients are given: the sum of j u_j w_(k-j).
    fn slope_times(&self, k: usize, w: &[S]) -> S {
        (1..=k).fold(S::zero(), |sum, j| sum + S::from_i64(j as i64) * self.terms[j].clone() * w[k - j].clone())
    }

    /// The antiderivative of u' w with the given value.
    fn integral(&self, value: S, w: &Taylor<S>) -> Taylor<S> {
        let w: Vec<S> = (0..self.terms.len()).map(|k| w.coefficient(k)).collect();
        self.solve(value, |k, _| self.slope_times(k, &w))
    }

    /// u^r with the given value: k u_0 b_k = sum of (r j - (k - j)) u_j b_(k-j).
    fn power(&self, value: S, r: &S) -> Taylor<S> {
        self.solve(value, |k, b| {
            let sum = (1..=k).fold(S::zero(), |sum, j| {
                let weight = r.clone() * S::from_i64(j as i64) - S::from_i64((k - j) as i64);
                sum + weight * self.terms[j].clone() * b[k - j].clone()
            });
            sum / self.terms[0].clone()
        })
    }

    fn zip(self, other: Taylor<S>, both: impl Fn(S, S) -> S, left: impl Fn(S) -> S, right: impl Fn(S) -> S) -> Taylor<S> {
        let count = self.terms.len().max(other.terms.len());
        let (mut a, mut b) = (self.terms.into_iter(), other.terms.into_iter());
        let terms = (0..count)
            .map(|_| match (a.next(), b.next()) {
                (Some(a), Some(b)) => both(a, b),
                (Some(a), None) => left(a),
                (None, Some(b)) => right(b),
                (None, None) => S::zero(),
            })
            .collect();
        Taylor { terms }
    }
}

impl<S: Field> Add for Taylor<S> {
    type Output = Taylor<S>;

    fn add(self, other: Taylor<S>) -> Taylor<S> {
        self.zip(other, |a, b| a + b, |a| a, |b| b)
    }
}

impl<S: Field> Sub for Taylor<S> {
    type Output = Taylor<S>;

    fn sub(self, other: Taylor<S>) -> Taylor<S> {
        self.zip(other, |a, b| a - b, |a| a, |b| -b)
    }
}

impl<S: Field> Neg for Taylor<S> {
    type Output = Taylor<S>;

    fn neg(self) -> Taylor<S> {
        self.map(|a| -a.clone())
    }
}

impl<S: Field> Mul for Taylor<S> {
    type Output = Taylor<S>;

    fn mul(self, other: Taylor<S>) -> Taylor<S> {
        if self.is_constant() {
            return other.map(|b| self.terms[0].clone() * b.clone());
        }
        if other.is_constant() {
            return self.map(|a| a.clone() * other.terms[0].clone());
        }
        let count = self.terms.len().min(other.terms.len());
        let terms = (0..count)
            .map(|k| {
                let first = self.terms[0].clone() * other.terms[k].clone();
                (1..=k).fold(first, |sum, j| sum + self.terms[j].clone() * other.terms[k - j].clone())
            })
            .collect();
        Taylor { terms }
    }
}

#[expect(clippy::suspicious_arithmetic_impl, reason = "a quotient of series has products and differences")]
impl<S: Field> Div for Taylor<S> {
    type Output = Taylor<S>;

    fn div(self, other: Taylor<S>) -> Taylor<S> {
        if other.is_constant() {
            return self.map(|a| a.clone() / other.terms[0].clone());
        }
        let mut terms: Vec<S> = Vec::with_capacity(other.terms.len());
        for k in 0..other.terms.len() {
            let rest = (0..k).fold(self.coefficient(k), |rest, j| rest - terms[j].clone() * other.terms[k - j].clone());
            terms.push(rest / other.terms[0].clone());
        }
        Taylor { terms }
    }
}

impl<S: Field> Field for Taylor<S> {
    fn from_rational(value: &Rational) -> Taylor<S> {
        Taylor::constant(S::from_rational(value))
    }
}

impl<S: Ordered> Ordered for Taylor<S> {
    fn le(&self, other: &Taylor<S>) -> Truth {
        self.value().le(other.value())
    }

    fn lt(&self, other: &Taylor<S>) -> Truth {
        self.value().lt(other.value())
    }

    fn equals(&self, other: &Taylor<S>) -> Truth {
        self.value().equals(other.value())
    }

    fn min(&self, other: &Taylor<S>) -> Taylor<S> {
        -(-self.clone()).max(&-other.clone())
    }

    fn max(&self, other: &Taylor<S>) -> Taylor<S> {
        match self.lt(other) {
            Truth::True => other.clone(),
            Truth::False if other.lt(self).is_true() => self.clone(),
            _ => {
                let longer = if self.terms.len() >= other.terms.len() { self } else { other };
                longer.value_only(self.value().max(other.value()))
            }
        }
    }

    fn abs(&self) -> Taylor<S> {
        if S::zero().lt(self.value()).is_true() {
            self.clone()
        } else if self.value().lt(&S::zero()).is_true() {
            -self.clone()
        } else {
            self.value_only(self.value().abs())
        }
    }

    fn floor(&self) -> Taylor<S> {
        let floor = self.value().floor();
        // Constant where the whole enclosure lies strictly between two integers.
        let inside = floor.lt(self.value()).is_true() && self.value().lt(&(floor.clone() + S::one())).is_true();
        if inside { self.map(|_| S::zero()) + Taylor::constant(floor) } else { self.value_only(floor) }
    }

    fn is_defined(&self) -> bool {
        self.terms.iter().all(Ordered::is_defined)
    }
}

impl<S: Surd> Surd for Taylor<S> {
    fn sqrt(&self) -> Taylor<S> {
        self.power(self.value().sqrt(), &S::ratio(1, 2))
    }
}

impl<S: Real> Taylor<S> {
    /// Two series b and c with b' = u' c and c' = sign u' b.
    fn pair(&self, b: S, c: S, sign: i64) -> (Taylor<S>, Taylor<S>) {
        let (mut first, mut second) = (vec![b], vec![c]);
        for k in 1..self.terms.len() {
            let index = S::from_i64(k as i64);
            let next = self.slope_times(k, &second) / index.clone();
            let turned = S::from_i64(sign) * self.slope_times(k, &first) / index;
            first.push(next);
            second.push(turned);
        }
        (Taylor { terms: first }, Taylor { terms: second })
    }

    fn logarithm(&self, value: S, inner: &Taylor<S>) -> Taylor<S> {
        // b' = u' / inner
        self.integral(value, &(Taylor::constant(S::one()) / inner.clone()))
    }

    fn gaussian(&self, scale: S, exponent: S) -> Taylor<S> {
        (self.square() * Taylor::constant(exponent)).exp() * Taylor::constant(scale)
    }
}

impl<S: Real> Real for Taylor<S> {
    fn pi() -> Taylor<S> {
        Taylor::constant(S::pi())
    }

    fn exp(&self) -> Taylor<S> {
        self.solve(self.value().exp(), |k, b| self.slope_times(k, b))
    }

    fn exp_m1(&self) -> Taylor<S> {
        let mut out = self.exp();
        out.terms[0] = self.value().exp_m1();
        out
    }

    fn ln(&self) -> Taylor<S> {
        self.logarithm(self.value().ln(), self)
    }

    fn ln_1p(&self) -> Taylor<S> {
        self.logarithm(self.value().ln_1p(), &(self.clone() + Taylor::constant(S::one())))
    }

    fn log2(&self) -> Taylor<S> {
        let mut out = self.ln() / Taylor::constant(S::from_i64(2).ln());
        out.terms[0] = self.value().log2();
        out
    }

    fn cbrt(&self) -> Taylor<S> {
        self.power(self.value().cbrt(), &S::ratio(1, 3))
    }

    fn pow(&self, exponent: &Taylor<S>) -> Taylor<S> {
        if self.is_constant() && exponent.is_constant() {
            return Taylor::constant(self.value().pow(exponent.value()));
        }
        let value = self.value().pow(exponent.value());
        if exponent.is_constant() {
            return self.power(value, exponent.value());
        }
        let mut out = (exponent.clone() * self.ln()).exp();
        out.terms[0] = value;
        out
    }

    fn sin(&self) -> Taylor<S> {
        self.pair(self.value().sin(), self.value().cos(), -1).0
    }

    fn cos(&self) -> Taylor<S> {
        self.pair(self.value().sin(), self.value().cos(), -1).1
    }

    fn tan(&self) -> Taylor<S> {
        let (sin, cos) = self.pair(self.value().sin(), self.value().cos(), -1);
        let mut out = sin / cos;
        out.terms[0] = self.value().tan();
        out
    }

    fn atan(&self) -> Taylor<S> {
        self.logarithm(self.value().atan(), &(self.square() + Taylor::constant(S::one())))
    }

    fn sinh(&self) -> Taylor<S> {
        self.pair(self.value().sinh(), self.value().cosh(), 1).0
    }

    fn cosh(&self) -> Taylor<S> {
        self.pair(self.value().sinh(), self.value().cosh(), 1).1
    }

    fn tanh(&self) -> Taylor<S> {
        // b' = u' (1 - b^2): the square is built along with b.
        self.solve(self.value().tanh(), |k, b| {
            let w: Vec<S> = (0..k)
                .map(|i| {
                    let square = (0..=i).fold(S::zero(), |sum, j| sum + b[j].clone() * b[i - j].clone());
                    if i == 0 { S::one() - square } else { -square }
                })
                .collect();
            self.slope_times(k, &w)
        })
    }

    fn erf(&self) -> Taylor<S> {
        let density = self.gaussian(S::from_i64(2) / S::pi().sqrt(), S::from_i64(-1));
        self.integral(self.value().erf(), &density)
    }

    fn erfc(&self) -> Taylor<S> {
        let density = self.gaussian(S::from_i64(-2) / S::pi().sqrt(), S::from_i64(-1));
        self.integral(self.value().erfc(), &density)
    }

    fn normal_cdf(&self) -> Taylor<S> {
        let density = self.gaussian(S::one() / (S::from_i64(2) * S::pi()).sqrt(), S::ratio(-1, 2));
        self.integral(self.value().normal_cdf(), &density)
    }

    fn ln_gamma(&self) -> Taylor<S> {
        self.value_only(self.value().ln_gamma())
    }

    fn gamma(&self) -> Taylor<S> {
        self.value_only(self.value().gamma())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::Taylor;
    use crate::{BigInterval, Field, Ordered, Rational, Real, Surd};

    /// The series of f(m + t) summed at t must enclose (nearly) what f gives at m + t.
    fn check(name: &str, m: &str, f: impl Fn(&Taylor<BigInterval>) -> Taylor<BigInterval>) {
        let order = 24;
        let m: Rational = m.parse().unwrap();
        let t = Rational::new(1, 64);
        let series = f(&Taylor::variable(BigInterval::from_rational(&m), order));
        let step = BigInterval::from_rational(&t);
        let sum = (0..=order).rev().fold(BigInterval::zero(), |sum, k| sum * step.clone() + series.coefficient(k));
        let direct = f(&Taylor::constant(BigInterval::from_rational(&(m + t))));
        // The rest is t^25 c_25 with |c_25| below 2^40 at the points chosen: 2^-110.
        let rest = BigInterval::ratio(1, 1 << 62) * BigInterval::ratio(1, 1 << 40);
        let gap = (sum - direct.coefficient(0)).abs();
        assert!(gap.le(&rest).is_true(), "{name}: {gap:?}");
    }

    #[test]
    fn series_sum_to_the_function() {
        check("exp", "0.3", Real::exp);
        check("exp_m1", "-0.2", Real::exp_m1);
        check("ln", "1.5", Real::ln);
        check("ln_1p", "0.5", Real::ln_1p);
        check("log2", "3", Real::log2);
        check("sqrt", "2", Surd::sqrt);
        check("cbrt", "2", Real::cbrt);
        check("pow", "2", |x| x.pow(&Field::ratio(-7, 3)));
        check("x^x", "2", |x| x.pow(x));
        check("sin", "1", Real::sin);
        check("cos", "1", Real::cos);
        check("tan", "0.4", Real::tan);
        check("atan", "0.7", Real::atan);
        check("sinh", "1", Real::sinh);
        check("cosh", "1", Real::cosh);
        check("tanh", "0.6", Real::tanh);
        check("erf", "0.5", Real::erf);
        check("erfc", "1", Real::erfc);
        check("normal_cdf", "-0.7", Real::normal_cdf);
        check("rational", "2", |x| (x.square() - Field::from_i64(3)) / (x.clone() + Field::one()));
        check("powers", "1.25", |x| x.powi(7) - x.powi(3));
        check("abs", "-2", |x| x.abs() + x.max(&Field::zero()));
        check("floor", "2.5", |x| x.floor() * x.clone());
    }

    #[test]
    fn kinks_have_no_derivatives() {
        let x = Taylor::variable(BigInterval::between(&Rational::from(-1), &Rational::from(1)), 3);
        assert!(!x.abs().coefficient(1).is_defined() && x.abs().coefficient(0).is_defined());
        assert!(!x.floor().is_defined() && !x.max(&Field::zero()).is_defined());
        assert!(!Taylor::variable(BigInterval::from_i64(3), 2).ln_gamma().coefficient(1).is_defined());
    }
}
