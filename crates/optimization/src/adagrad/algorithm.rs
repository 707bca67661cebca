//! AdaGrad and AdaGrad-Norm: v_t = v_(t-1) + g_t^2 (per coordinate, or the squared norm), x_(t+1) = x_t - gamma g_t / (lambda + sqrt(v_t)).
//!
//! The offset lambda stands outside the root; there is no decay and no bias correction; 0/0 is 0.

use numeric::Surd;

/// What a gradient may not be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the gradient at step {step}, coordinate {coordinate} is {value}, not a finite number")]
pub struct GradientError {
    /// Step, from 1.
    pub step: u64,
    /// Coordinate, from 1.
    pub coordinate: usize,
    /// The value.
    pub value: f64,
}

/// AdaGrad in doubles. It keeps s = sqrt(v), updated by a hypotenuse, so that no square overflows or vanishes.
#[derive(Clone, Debug)]
pub struct AdaGrad {
    gamma: f64,
    lambda: f64,
    roots: Vec<f64>,
    steps: u64,
}

impl AdaGrad {
    /// The method for `dimension` coordinates.
    #[must_use]
    pub fn new(dimension: usize, gamma: f64, lambda: f64) -> AdaGrad {
        AdaGrad { gamma, lambda, roots: vec![0.0; dimension], steps: 0 }
    }

    /// sqrt(v_t), one a coordinate.
    #[must_use]
    pub fn roots(&self) -> &[f64] {
        &self.roots
    }

    /// One step: moves `x` along the gradient `g`.
    ///
    /// # Errors
    /// [`GradientError`] for a NaN or an infinity; nothing is moved then.
    pub fn step(&mut self, x: &mut [f64], g: &[f64]) -> Result<(), GradientError> {
        self.steps += 1;
        if let Some(index) = g.iter().position(|value| !value.is_finite()) {
            return Err(GradientError { step: self.steps, coordinate: index + 1, value: g[index] });
        }
        for ((x, root), &g) in x.iter_mut().zip(&mut self.roots).zip(g) {
            *root = core_math::hypot(*root, g);
            *x -= update(self.gamma, self.lambda, *root, g);
        }
        Ok(())
    }
}

/// gamma g / (lambda + s), with 0/0 = 0.
#[inline]
pub(super) fn update(gamma: f64, lambda: f64, root: f64, g: f64) -> f64 {
    let denominator = lambda + root;
    if denominator == 0.0 { 0.0 } else { gamma * (g / denominator) }
}

/// AdaGrad-Norm in doubles: one root for all coordinates.
#[derive(Clone, Debug)]
pub struct AdaGradNorm {
    gamma: f64,
    lambda: f64,
    root: f64,
    steps: u64,
}

impl AdaGradNorm {
    /// The method.
    #[must_use]
    pub fn new(gamma: f64, lambda: f64) -> AdaGradNorm {
        AdaGradNorm { gamma, lambda, root: 0.0, steps: 0 }
    }

    /// sqrt(v_t).
    #[must_use]
    pub fn root(&self) -> f64 {
        self.root
    }

    /// One step.
    ///
    /// # Errors
    /// [`GradientError`] as for [`AdaGrad::step`].
    pub fn step(&mut self, x: &mut [f64], g: &[f64]) -> Result<(), GradientError> {
        self.steps += 1;
        if let Some(index) = g.iter().position(|value| !value.is_finite()) {
            return Err(GradientError { step: self.steps, coordinate: index + 1, value: g[index] });
        }
        self.root = g.iter().fold(self.root, |root, &g| core_math::hypot(root, g));
        for (x, &g) in x.iter_mut().zip(g) {
            *x -= update(self.gamma, self.lambda, self.root, g);
        }
        Ok(())
    }
}

/// One coordinate's step over any scalar with roots: (x, sqrt v) and a gradient give the next (x, sqrt v). `lambda + sqrt v` must not be 0.
pub fn scalar_step<S: Surd>(x: &S, root: &S, g: &S, gamma: &S, lambda: &S) -> (S, S) {
    let next = (root.square() + g.square()).sqrt();
    let moved = x.clone() - gamma.clone() * g.clone() / (lambda.clone() + next.clone());
    (moved, next)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::{AdaGrad, AdaGradNorm, GradientError};

    #[test]
    fn the_first_gradient_may_be_zero_and_none_overflows() {
        // deeplearning frameworks without an offset divide 0 by 0 here.
        let mut method = AdaGrad::new(2, 1.0, 0.0);
        let mut x = [1.0, 2.0];
        method.step(&mut x, &[0.0, 1e200]).unwrap();
        assert_eq!(x, [1.0, 1.0]);
        method.step(&mut x, &[1e-200, 1e200]).unwrap();
        assert!((x[0] - 0.0).abs() < 1e-15 && x[1].is_finite() && method.roots()[1].is_finite());
        let error = method.step(&mut x, &[0.0, f64::NAN]).unwrap_err();
        assert!(matches!(error, GradientError { step: 3, coordinate: 2, .. }) && error.to_string().contains("step 3, coordinate 2"));
        let mut norm = AdaGradNorm::new(1.0, 0.0);
        let mut x = [0.0, 0.0];
        norm.step(&mut x, &[0.0, 0.0]).unwrap();
        norm.step(&mut x, &[3.0, 4.0]).unwrap();
        assert_eq!((x, norm.root()), ([-0.6, -0.8], 5.0));
        assert!(norm.step(&mut x, &[f64::INFINITY, 0.0]).is_err());
    }

    /// The accumulator's start value is part of the claim: 0, not 1, so the first step has size gamma |g| / (lambda + |g|).
    #[test]
    fn the_accumulator_starts_at_zero() {
        let mut method = AdaGrad::new(1, 1.0, 0.0);
        let mut x = [0.0];
        method.step(&mut x, &[1e-3]).unwrap();
        assert_eq!(x, [-1.0]);
    }
}
