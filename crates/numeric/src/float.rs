//! `f64` as a scalar: for pictures, searches and simulations. No `proved` or `holds` verdict rests on it.

use crate::{Field, Ordered, Rational, Real, Surd, Truth};

impl Field for f64 {
    fn from_rational(value: &Rational) -> f64 {
        value.to_f64_nearest()
    }

    fn from_i64(value: i64) -> f64 {
        value as f64
    }
}

impl Ordered for f64 {
    fn le(&self, other: &f64) -> Truth {
        self.partial_cmp(other).map_or(Truth::Unknown, |order| order.is_le().into())
    }

    fn lt(&self, other: &f64) -> Truth {
        self.partial_cmp(other).map_or(Truth::Unknown, |order| order.is_lt().into())
    }

    fn equals(&self, other: &f64) -> Truth {
        self.partial_cmp(other).map_or(Truth::Unknown, |order| order.is_eq().into())
    }

    fn min(&self, other: &f64) -> f64 {
        if self.is_nan() || other.is_nan() { f64::NAN } else { f64::min(*self, *other) }
    }

    fn max(&self, other: &f64) -> f64 {
        if self.is_nan() || other.is_nan() { f64::NAN } else { f64::max(*self, *other) }
    }

    fn abs(&self) -> f64 {
        f64::abs(*self)
    }

    fn floor(&self) -> f64 {
        f64::floor(*self)
    }

    fn is_defined(&self) -> bool {
        !self.is_nan()
    }
}

impl Surd for f64 {
    fn sqrt(&self) -> f64 {
        f64::sqrt(*self)
    }
}

/// Correctly rounded functions, so that a simulation gives the same bytes on every machine.
impl Real for f64 {
    fn pi() -> f64 {
        std::f64::consts::PI
    }

    fn exp(&self) -> f64 {
        core_math::exp(*self)
    }

    fn exp_m1(&self) -> f64 {
        core_math::expm1(*self)
    }

    fn ln(&self) -> f64 {
        core_math::log(*self)
    }

    fn ln_1p(&self) -> f64 {
        core_math::log1p(*self)
    }

    fn log2(&self) -> f64 {
        core_math::log2(*self)
    }

    fn cbrt(&self) -> f64 {
        core_math::cbrt(*self)
    }

    fn pow(&self, exponent: &f64) -> f64 {
        core_math::pow(*self, *exponent)
    }

    fn sin(&self) -> f64 {
        core_math::sin(*self)
    }

    fn cos(&self) -> f64 {
        core_math::cos(*self)
    }

    fn tan(&self) -> f64 {
        core_math::tan(*self)
    }

    fn atan(&self) -> f64 {
        core_math::atan(*self)
    }

    fn sinh(&self) -> f64 {
        core_math::sinh(*self)
    }

    fn cosh(&self) -> f64 {
        core_math::cosh(*self)
    }

    fn tanh(&self) -> f64 {
        core_math::tanh(*self)
    }

    fn erf(&self) -> f64 {
        core_math::erf(*self)
    }

    fn erfc(&self) -> f64 {
        core_math::erfc(*self)
    }

    fn normal_cdf(&self) -> f64 {
        core_math::erfc(-*self / std::f64::consts::SQRT_2) / 2.0
    }

    fn ln_gamma(&self) -> f64 {
        core_math::lgamma(*self)
    }

    fn gamma(&self) -> f64 {
        core_math::tgamma(*self)
    }
}
