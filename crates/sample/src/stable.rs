//! Symmetric alpha-stable laws.

use crate::error::{LawError, require};
use crate::{Law, Words, open_closed, open_open};
use numeric::Real;

/// The symmetric alpha-stable law with characteristic function exp(-|c t|^alpha); alpha = 2 is the normal law of variance 2 c^2, alpha = 1 the Cauchy law.
#[derive(Clone, Copy, Debug)]
pub struct SymmetricStable {
    alpha: f64,
    scale: f64,
}

impl SymmetricStable {
    /// The law.
    ///
    /// # Errors
    /// [`LawError::Parameter`] unless 1/10 <= alpha <= 2 (below, draws leave the range of doubles) and scale > 0 is finite.
    pub fn new(alpha: f64, scale: f64) -> Result<SymmetricStable, LawError> {
        require((0.1..=2.0).contains(&alpha), "symmetric stable", "alpha", alpha, "in [0.1, 2]")?;
        require(scale > 0.0 && scale.is_finite(), "symmetric stable", "scale", scale, "positive and finite")?;
        Ok(SymmetricStable { alpha, scale })
    }

    /// E|X|^r = c^r 2^r Gamma((1+r)/2) Gamma(1 - r/alpha) / (sqrt(pi) Gamma(1 - r/2)) for 0 < r < alpha; at alpha = 2 every r > 0, with the last two gammas
    /// cancelled.
    ///
    /// # Errors
    /// [`LawError::InfiniteMoment`] unless r is certainly below alpha or alpha is 2.
    pub fn moment<S: Real>(alpha: &S, scale: &S, r: &S) -> Result<S, LawError> {
        let two = S::from_i64(2);
        let normal = alpha.equals(&two).is_true();
        if !normal && !r.lt(alpha).is_true() {
            return Err(LawError::InfiniteMoment { law: "symmetric stable", order: format!("{r:?}"), limit: format!("{alpha:?}") });
        }
        let front = (scale.clone() * two.clone()).pow(r) * ((S::one() + r.clone()) / two.clone()).gamma() / S::pi().sqrt();
        if normal {
            return Ok(front);
        }
        Ok(front * (S::one() - r.clone() / alpha.clone()).gamma() / (S::one() - r.clone() / two).gamma())
    }
}

impl Law for SymmetricStable {
    /// Chambers, Mallows and Stuck (JASA 71, 1976): with V uniform on (-pi/2, pi/2) and W exponential,
    /// sin(alpha V) / cos(V)^(1/alpha) (cos((1 - alpha) V) / W)^((1 - alpha)/alpha); tan V for alpha = 1.
    fn draw(&self, words: &mut dyn Words) -> f64 {
        // V = pi (u - 1/2) with u strictly inside (0, 1), so that its cosine is positive.
        let u = open_open(words) - 0.5;
        if self.alpha == 1.0 {
            return self.scale * core_math::tanpi(u);
        }
        // An exponential of 0 (the uniform 1) would divide by zero or give 0^-: the least positive one stands for it.
        let w = (-core_math::log(open_closed(words))).max(f64::EPSILON / 2.0);
        let cosine = core_math::cospi(u);
        let tail = (1.0 - self.alpha) / self.alpha;
        let size = core_math::pow(core_math::cospi((1.0 - self.alpha) * u) / w, tail) / core_math::pow(cosine, 1.0 / self.alpha);
        self.scale * core_math::sinpi(self.alpha * u) * size
    }
}
