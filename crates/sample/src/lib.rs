//! Random laws: words in, draws out, and the exact moments beside them.
//!
//! A draw is a function of the words that a [`Words`] source gives, computed with correctly rounded functions only, so the same words give the same bits on
//! every machine. Each law is correct at its extremes: a uniform that is 0 or 1 never becomes an infinite draw of a law that has none, and every loop is
//! bounded.

mod discrete;
mod error;
mod positive;
mod stable;
mod uniform;

pub use discrete::{Bernoulli, Binomial, Lottery, TwoPoint};
pub use error::LawError;
pub use positive::{ChiSquared, Exponential, Pareto, TruncatedNormal, fill_normals, normal, normal_pair};
pub use stable::SymmetricStable;
pub use uniform::{Uniform, closed_open, deep, open_closed, open_open, sign};

/// A source of random words.
pub trait Words {
    /// The next word: 64 independent fair bits.
    fn word(&mut self) -> u64;

    /// Thirty-two further streams for vector kernels: a key and the number of the first, different for every `batch` below 256 and from all that `word` gives.
    /// None where the source has no such streams.
    fn lanes(&mut self, _batch: u64) -> Option<([u8; 32], u64)> {
        None
    }
}

/// A law on the reals.
pub trait Law: Send + Sync + 'static {
    /// One draw.
    fn draw(&self, words: &mut dyn Words) -> f64;

    /// Fills a slice with draws.
    fn fill(&self, words: &mut dyn Words, out: &mut [f64]) {
        for slot in out {
            *slot = self.draw(words);
        }
    }
}
