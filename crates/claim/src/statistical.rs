//! Statistical checks: what is asserted of expectations, and where the samples come from.

use numeric::{Interval, Rational};
use sample::Words;

/// What is known of a quantity's law without looking at it: the assumption that a test rests on.
#[derive(Clone, Debug, PartialEq)]
pub enum Knowledge {
    /// low <= X <= high, surely. A draw outside is reported as a broken assumption.
    Bounded {
        /// Least value.
        low: f64,
        /// Largest value.
        high: f64,
    },
    /// E exp(t (X - E X)) <= exp(t^2 sigma^2 / 2) for every t.
    SubGaussian {
        /// The scale sigma.
        sigma: f64,
    },
    /// E |X - E X|^order <= bound, 1 < order <= 2.
    Moment {
        /// The order.
        order: f64,
        /// The bound.
        bound: f64,
    },
    /// E |X|^order <= bound, 1 < order <= 2.
    RawMoment {
        /// The order.
        order: f64,
        /// The bound.
        bound: f64,
    },
}

/// What is asserted of E X.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asserted {
    /// E X <= the bound.
    AtMost,
    /// E X >= the bound.
    AtLeast,
}

impl Asserted {
    /// The relation's sign.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Asserted::AtMost => "<=",
            Asserted::AtLeast => ">=",
        }
    }
}

/// One expectation and the bound asserted for it.
#[derive(Clone, Debug)]
pub struct Arm {
    /// What X is, in one line.
    pub name: String,
    /// What is known of its law.
    pub knowledge: Knowledge,
    /// Which side is asserted.
    pub asserted: Asserted,
    /// An enclosure of the bound; the test uses its cautious end on either side.
    pub bound: Interval,
    /// Draws at the quick effort, at most: a test that is decided earlier stops.
    pub draws: u64,
}

/// Fills a slice with independent draws of X.
pub type Sampler = Box<dyn Fn(&mut dyn Words, &mut [f64]) + Send + Sync>;

/// The level of a statistical part or mutant unless it says otherwise: the probability of a wrong word is at most this.
pub const DEFAULT_LEVEL: (i64, i64) = (1, 1_000_000_000);

/// One part by the statistical route: all its arms are asserted together.
pub struct StatisticalPart {
    /// The domain, in words.
    pub domain: String,
    /// The error level of the whole part.
    pub level: Rational,
    /// The expectations, each with its sampler.
    pub arms: Vec<(Arm, Sampler)>,
}

impl StatisticalPart {
    /// A part without arms at the default level.
    pub fn new(domain: impl Into<String>) -> StatisticalPart {
        StatisticalPart { domain: domain.into(), level: Rational::new(DEFAULT_LEVEL.0, DEFAULT_LEVEL.1), arms: Vec::new() }
    }

    /// Adds an arm.
    #[must_use]
    pub fn arm(mut self, arm: Arm, sampler: impl Fn(&mut dyn Words, &mut [f64]) + Send + Sync + 'static) -> Self {
        self.arms.push((arm, Box::new(sampler)));
        self
    }

    /// The check, erased.
    #[must_use]
    pub fn erase(self) -> crate::Check {
        crate::Check::Statistical(self)
    }
}

/// A size at which a mean is measured.
pub struct Size {
    /// The size T.
    pub size: u64,
    /// Draws at the quick effort.
    pub draws: u64,
    /// Draws of a quantity in [0, high] whose mean is asserted to grow or fall like a power of T.
    pub sampler: Sampler,
    /// Largest value of the quantity.
    pub high: f64,
}

/// One part by the rate route: the slope of ln E X against ln T between the smallest and the largest size, after ln ln T times `log_power` is taken away.
pub struct RatePart {
    /// The domain, in words.
    pub domain: String,
    /// The error level.
    pub level: Rational,
    /// Which side is asserted.
    pub asserted: Asserted,
    /// The exponent.
    pub exponent: Rational,
    /// The power of ln T in the claimed rate.
    pub log_power: Rational,
    /// The sizes, increasing from at least 2; at least two. The slope is the one from the first to the last; those between are measured and shown.
    pub sizes: Vec<Size>,
}

impl RatePart {
    /// The check, erased.
    #[must_use]
    pub fn erase(self) -> crate::Check {
        crate::Check::Rate(self)
    }
}
