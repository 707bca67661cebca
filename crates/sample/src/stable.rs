//! Symmetric alpha-stable laws.

use crate::error::{LawError, require};
use crate::uniform::DEEPEST_BITS;
use crate::{Law, Words, deep, sign};
use numeric::Real;

/// The symmetric alpha-stable law with characteristic function exp(-|c t|^alpha); alpha = 2 is the normal law of variance 2 c^2, alpha = 1 the Cauchy law.
#[derive(Clone, Copy, Debug)]
pub struct SymmetricStable {
    alpha: f64,
    scale: f64,
    least: f64,
}

impl SymmetricStable {
    /// The law.
    ///
    /// # Errors
    /// [`LawError::Parameter`] unless 1/10 <= alpha <= 2 and scale > 0 is small enough that what is cut off to keep draws finite has a probability of at most 2^-50.
    pub fn new(alpha: f64, scale: f64) -> Result<SymmetricStable, LawError> {
        require((0.1..=2.0).contains(&alpha), "symmetric stable", "alpha", alpha, "in [0.1, 2]")?;
        require(scale > 0.0 && scale.is_finite(), "symmetric stable", "scale", scale, "positive and finite")?;
        // |X| / scale is at most t^(-1/alpha) w^(-(1-alpha)/alpha) times a factor below 2^20, in the notation of `draw`; the second power counts below alpha = 1 only.
        let powers = if alpha < 1.0 { (2.0 - alpha) / alpha } else { 1.0 / alpha };
        let bits = ((1003.0 - core_math::log2(scale).max(0.0)) / powers).floor().min(DEEPEST_BITS);
        require(bits >= 50.0, "symmetric stable", "scale", scale, "small enough for finite draws")?;
        Ok(SymmetricStable { alpha, scale, least: core_math::exp2(-bits) })
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

/// The largest exponential used: a larger one has probability e^-700.
const LARGEST_WAIT: f64 = 700.0;

impl Law for SymmetricStable {
    /// Chambers, Mallows and Stuck (JASA 71, 1976): with V uniform on (-pi/2, pi/2) and W exponential,
    /// sin(alpha V) / cos(V)^(1/alpha) (cos((1 - alpha) V) / W)^((1 - alpha)/alpha); tan V for alpha = 1, 2 sin V sqrt(W) for alpha = 2.
    ///
    /// |V| = (pi/2)(1 - t) and W = -ln(1 - s) with t and s from [`deep`]: the tails come from t near 0, and below alpha = 1 from W near 0, too.
    fn draw(&self, words: &mut dyn Words) -> f64 {
        let alpha = self.alpha;
        let t = deep(words).max(self.least);
        let signed_scale = self.scale * sign(words);
        // cos V
        let cosine = core_math::sinpi(0.5 * t);
        if alpha == 1.0 {
            return signed_scale * (core_math::cospi(0.5 * t) / cosine);
        }
        let w = (-core_math::log1p(-deep(words))).clamp(self.least, LARGEST_WAIT);
        if alpha == 2.0 {
            return signed_scale * (2.0 * core_math::cospi(0.5 * t) * w.sqrt());
        }
        // sin(alpha |V|): near |V| = pi/2 as the sine of what is left to pi, so that nothing cancels for alpha near 2.
        let sine = if t < 0.5 { core_math::sinpi(0.5 * (2.0 - alpha) + 0.5 * alpha * t) } else { core_math::sinpi(0.5 * alpha * (1.0 - t)) };
        let inner = core_math::cospi(0.5 * (1.0 - alpha) * (1.0 - t)) / w;
        signed_scale * (sine * core_math::pow(inner, (1.0 - alpha) / alpha) / core_math::pow(cosine, 1.0 / alpha))
    }
}
