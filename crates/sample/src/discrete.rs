//! Laws on few points, with exact moments.

use crate::error::{LawError, require};
use crate::{Law, Words, deep};
use numeric::{Field, Rational, Real};

/// 1 with probability q, otherwise 0, from the words as a binary fraction: exact to 2^-128, also where q is far below the 2^-53 of a uniform double.
#[derive(Clone, Debug)]
pub struct Bernoulli {
    /// floor(2^128 q); None for q = 1.
    threshold: Option<u128>,
}

impl Bernoulli {
    /// The law.
    ///
    /// # Errors
    /// [`LawError::Parameter`] unless 0 <= q <= 1.
    pub fn new(q: &Rational) -> Result<Bernoulli, LawError> {
        require(Rational::from(0) <= *q && *q <= Rational::from(1), "Bernoulli", "q", q, "between 0 and 1")?;
        let (_, digits) = (q.clone() * Rational::from(2).powi(128)).floor_big().to_u64_digits();
        let threshold = match digits[..] {
            [] => Some(0),
            [low] => Some(u128::from(low)),
            [low, high] => Some((u128::from(high) << 64) | u128::from(low)),
            _ => None,
        };
        Ok(Bernoulli { threshold })
    }

    /// Whether it happens. One word decides but for ties, which take a second.
    pub fn happens(&self, words: &mut dyn Words) -> bool {
        let word = words.word();
        let Some(threshold) = self.threshold else { return true };
        let high = (threshold >> 64) as u64;
        if word == high { words.word() < threshold as u64 } else { word < high }
    }
}

impl Law for Bernoulli {
    fn draw(&self, words: &mut dyn Words) -> f64 {
        f64::from(u8::from(self.happens(words)))
    }
}

/// The centred lottery: eps (1/q - 1) with probability q, -eps otherwise (the noise of a gradient eps that is seen with probability q, scaled by 1/q).
#[derive(Clone, Debug)]
pub struct Lottery {
    eps: Rational,
    q: Rational,
    win: f64,
    loss: f64,
    chance: Bernoulli,
}

impl Lottery {
    /// The law with exact parameters.
    ///
    /// # Errors
    /// [`LawError::Parameter`] unless eps > 0 and 0 < q <= 1.
    pub fn new(eps: Rational, q: Rational) -> Result<Lottery, LawError> {
        require(eps > Rational::from(0), "lottery", "eps", &eps, "positive")?;
        require(Rational::from(0) < q && q <= Rational::from(1), "lottery", "q", &q, "in (0, 1]")?;
        let win = (eps.clone() * (q.recip() - Rational::from(1))).to_f64_nearest();
        Ok(Lottery { win, loss: -eps.to_f64_nearest(), chance: Bernoulli::new(&q)?, eps, q })
    }

    /// E|X|^r = eps^r ((1 - q) + q (1/q - 1)^r) for an integer r >= 1, exactly.
    #[must_use]
    pub fn moment(&self, r: u32) -> Rational {
        let one = Rational::from(1);
        self.eps.powi(r) * ((one.clone() - self.q.clone()) + self.q.clone() * (self.q.recip() - one).powi(r))
    }

    /// The same for any order r > 0, enclosed.
    #[must_use]
    pub fn real_moment<S: Real>(&self, r: &S) -> S {
        let (eps, q) = (S::from_rational(&self.eps), S::from_rational(&self.q));
        eps.pow(r) * (S::one() - q.clone() + q.clone() * (S::one() / q - S::one()).pow(r))
    }
}

impl Law for Lottery {
    fn draw(&self, words: &mut dyn Words) -> f64 {
        if self.chance.happens(words) { self.win } else { self.loss }
    }
}

/// The centred two-point law: a with probability b/(a+b), -b with probability a/(a+b).
#[derive(Clone, Debug)]
pub struct TwoPoint {
    a: Rational,
    b: Rational,
    high: f64,
    low: f64,
    chance: Bernoulli,
}

impl TwoPoint {
    /// The law with exact parameters.
    ///
    /// # Errors
    /// [`LawError::Parameter`] unless a, b > 0.
    pub fn new(a: Rational, b: Rational) -> Result<TwoPoint, LawError> {
        require(a > Rational::from(0), "two-point", "a", &a, "positive")?;
        require(b > Rational::from(0), "two-point", "b", &b, "positive")?;
        let chance = Bernoulli::new(&(b.clone() / (a.clone() + b.clone())))?;
        Ok(TwoPoint { high: a.to_f64_nearest(), low: -b.to_f64_nearest(), chance, a, b })
    }

    /// E|X|^r = (a^r b + b^r a) / (a + b) for an integer r >= 1, exactly.
    #[must_use]
    pub fn moment(&self, r: u32) -> Rational {
        (self.a.powi(r) * self.b.clone() + self.b.powi(r) * self.a.clone()) / (self.a.clone() + self.b.clone())
    }

    /// The same for any order r > 0, enclosed.
    #[must_use]
    pub fn real_moment<S: Real>(&self, r: &S) -> S {
        let (a, b) = (S::from_rational(&self.a), S::from_rational(&self.b));
        (a.pow(r) * b.clone() + b.pow(r) * a.clone()) / (a + b)
    }
}

impl Law for TwoPoint {
    fn draw(&self, words: &mut dyn Words) -> f64 {
        if self.chance.happens(words) { self.high } else { self.low }
    }
}

/// Binomial(n, p), by the gaps between successes: expected time n p, never more than n + 1 steps.
#[derive(Clone, Copy, Debug)]
pub struct Binomial {
    n: u64,
    p: f64,
    mirrored: bool,
}

impl Binomial {
    /// The law.
    ///
    /// # Errors
    /// [`LawError::Parameter`] unless 0 <= p <= 1.
    pub fn new(n: u64, p: f64) -> Result<Binomial, LawError> {
        require((0.0..=1.0).contains(&p), "binomial", "p", p, "between 0 and 1")?;
        // The rarer outcome is counted.
        Ok(if p > 0.5 { Binomial { n, p: 1.0 - p, mirrored: true } } else { Binomial { n, p, mirrored: false } })
    }

    /// One draw.
    pub fn draw(&self, words: &mut dyn Words) -> u64 {
        let successes = if self.p == 0.0 { 0 } else { self.successes(words) };
        if self.mirrored { self.n - successes } else { successes }
    }

    fn successes(&self, words: &mut dyn Words) -> u64 {
        let log = core_math::log1p(-self.p);
        let (mut used, mut successes) = (0_u64, 0_u64);
        loop {
            // The number of failures before the next success is geometric: floor(ln(1 - U) / ln(1 - p)), U fine near 0, where short gaps come from.
            let gap = core_math::log1p(-deep(words)) / log;
            if gap >= (self.n - used) as f64 {
                return successes;
            }
            used += gap as u64 + 1;
            successes += 1;
            if used >= self.n {
                return successes;
            }
        }
    }
}
