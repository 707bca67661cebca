//! Continuous laws: normal, exponential, Pareto, truncated normal, chi-square.

use crate::error::{LawError, require};
use crate::uniform::DEEPEST_BITS;
use crate::{Law, Words, closed_open, deep, open_closed, open_open, sign};
use numeric::Real;

/// Two independent standard normals from two words, by Box and Muller's transform: sqrt(-2 ln U) (cos 2 pi V, sin 2 pi V) with U in (0, 1].
///
/// |X| is at most sqrt(104 ln 2) = 8.5: what is cut off has probability 2.2e-16.
pub fn normal_pair(words: &mut dyn Words) -> (f64, f64) {
    let first = words.word();
    simd::draws::normal_pair(first, words.word())
}

/// Fills a slice with standard normals: by the vector kernel where the source has streams for it, from its words elsewhere. `batch` numbers the fills of a
/// source, below 256.
pub fn fill_normals(words: &mut dyn Words, batch: u64, out: &mut [f64]) {
    if let Some((key, first)) = words.lanes(batch) {
        return simd::paths::fill(&key, first, simd::paths::Fill::Normal, out);
    }
    for pair in out.chunks_mut(2) {
        let (x, y) = normal_pair(words);
        pair[0] = x;
        if let Some(second) = pair.get_mut(1) {
            *second = y;
        }
    }
}

/// One standard normal (the first of a pair).
pub fn normal(words: &mut dyn Words) -> f64 {
    normal_pair(words).0
}

/// The exponential law with mean 1.
#[derive(Clone, Copy, Debug)]
pub struct Exponential;

impl Law for Exponential {
    fn draw(&self, words: &mut dyn Words) -> f64 {
        -core_math::log(open_closed(words))
    }
}

/// A Pareto law with a random sign: |X| = x_m U^(-1/alpha), U in (0, 1] drawn by [`deep`], at least the smallest that leaves the draw finite.
#[derive(Clone, Copy, Debug)]
pub struct Pareto {
    scale: f64,
    alpha: f64,
    least: f64,
    signed: bool,
}

impl Pareto {
    /// The law of tail index `alpha` and least size `scale`, with a random sign if `signed`.
    ///
    /// # Errors
    /// [`LawError::Parameter`] unless alpha and scale are positive and finite and what is cut off to keep draws finite has a probability of at most 2^-53.
    pub fn new(alpha: f64, scale: f64, signed: bool) -> Result<Pareto, LawError> {
        require(scale > 0.0 && scale.is_finite(), "Pareto", "scale", scale, "positive and finite")?;
        // scale 2^(bits/alpha) stays below 2^1023.
        let bits = ((1022.0 - core_math::log2(scale).max(0.0)) * alpha).floor().min(DEEPEST_BITS);
        require(alpha > 0.0 && alpha.is_finite() && bits >= 53.0, "Pareto", "alpha", alpha, "positive, finite, and large enough for finite draws")?;
        Ok(Pareto { scale, alpha, least: core_math::exp2(-bits), signed })
    }

    /// E|X|^r = x_m^r alpha / (alpha - r) for 0 < r < alpha.
    ///
    /// # Errors
    /// [`LawError::InfiniteMoment`] unless r is certainly below alpha.
    pub fn moment<S: Real>(alpha: &S, scale: &S, r: &S) -> Result<S, LawError> {
        if !r.lt(alpha).is_true() {
            return Err(LawError::InfiniteMoment { law: "Pareto", order: format!("{r:?}"), limit: format!("{alpha:?}") });
        }
        Ok(scale.pow(r) * alpha.clone() / (alpha.clone() - r.clone()))
    }
}

impl Law for Pareto {
    fn draw(&self, words: &mut dyn Words) -> f64 {
        let size = self.scale * core_math::pow(deep(words).max(self.least), -1.0 / self.alpha);
        if self.signed { size * sign(words) } else { size }
    }
}

/// Attempts of a rejection loop: each succeeds with probability above 1/2, so giving up has probability below 2^-500.
const ATTEMPTS: usize = 500;

/// A standard normal conditioned on [low, high].
#[derive(Clone, Copy, Debug)]
pub struct TruncatedNormal {
    low: f64,
    high: f64,
}

impl TruncatedNormal {
    /// The law on [low, high] with 0 <= low < high (a tail), high finite or not.
    ///
    /// # Errors
    /// [`LawError::Parameter`] for other ends.
    pub fn new(low: f64, high: f64) -> Result<TruncatedNormal, LawError> {
        require(low >= 0.0 && low.is_finite(), "truncated normal", "low", low, "at least 0 and finite")?;
        require(high > low, "truncated normal", "high", high, "above low")?;
        Ok(TruncatedNormal { low, high })
    }
}

impl Law for TruncatedNormal {
    /// Robert's rejection from a shifted exponential of the best rate (Statistics and Computing 5, 1995), or from a uniform on a short range.
    fn draw(&self, words: &mut dyn Words) -> f64 {
        let (low, high) = (self.low, self.high);
        let rate = 0.5 * (low + (low * low + 4.0).sqrt());
        let short = (high - low) * rate < 1.0;
        for _ in 0..ATTEMPTS {
            let (x, log_accept) = if short {
                let x = low + (high - low) * closed_open(words);
                (x, 0.5 * (low * low - x * x))
            } else {
                let x = low - core_math::log(open_closed(words)) / rate;
                (x, -0.5 * (x - rate) * (x - rate))
            };
            if x <= high && core_math::log(open_closed(words)) <= log_accept {
                return x;
            }
        }
        low
    }
}

/// The chi-square law, by Marsaglia and Tsang's method (ACM TOMS 26, 2000) for the gamma law of shape degrees/2.
#[derive(Clone, Copy, Debug)]
pub struct ChiSquared {
    degrees: f64,
}

/// Largest number of degrees of freedom: beyond, a draw differs from its mean by less than the rounding of doubles matters.
const MOST_DEGREES: f64 = 1e15;

impl ChiSquared {
    /// The law.
    ///
    /// # Errors
    /// [`LawError::Parameter`] unless 1 <= degrees <= 10^15.
    pub fn new(degrees: f64) -> Result<ChiSquared, LawError> {
        require((1.0..=MOST_DEGREES).contains(&degrees), "chi-square", "degrees", degrees, "between 1 and 10^15")?;
        Ok(ChiSquared { degrees })
    }
}

impl Law for ChiSquared {
    fn draw(&self, words: &mut dyn Words) -> f64 {
        // The method wants a shape of at least 1: below, a draw of shape + 1 times U^(1/shape).
        let shape = self.degrees / 2.0;
        let (boosted, factor) = if shape < 1.0 { (shape + 1.0, core_math::pow(open_open(words), 1.0 / shape)) } else { (shape, 1.0) };
        let d = boosted - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        for _ in 0..ATTEMPTS {
            let x = normal(words);
            let v = 1.0 + c * x;
            if v <= 0.0 {
                continue;
            }
            let v = v * v * v;
            if core_math::log(open_closed(words)) < 0.5 * x * x + d - d * v + d * core_math::log(v) {
                return 2.0 * d * v * factor;
            }
        }
        2.0 * d * factor
    }
}
