//! Uniform numbers, with their ends said.

use crate::error::{LawError, require};
use crate::{Law, Words};

const UNIT: f64 = 1.0 / (1_u64 << 53) as f64;

/// Uniform on the multiples of 2^-53 in [0, 1).
pub fn closed_open(words: &mut dyn Words) -> f64 {
    (words.word() >> 11) as f64 * UNIT
}

/// Uniform on the multiples of 2^-53 in (0, 1]: for logarithms and negative powers.
pub fn open_closed(words: &mut dyn Words) -> f64 {
    ((words.word() >> 11) + 1) as f64 * UNIT
}

/// Uniform on the odd multiples of 2^-53 in (0, 1): neither end.
pub fn open_open(words: &mut dyn Words) -> f64 {
    ((words.word() >> 12) as f64 * 2.0 + 1.0) * UNIT
}

/// The least number that [`deep`] gives.
pub(crate) const DEEPEST_BITS: f64 = 512.0;

/// Uniform on (0, 1] with 53 significant bits at every scale down to 2^-512: for laws whose far tail is read off near 0.
///
/// A uniform on a lattice of 2^-53 cuts a tail of index alpha off at its 2^(53/alpha)-th part, which takes about 2^(-53 (1 - r/alpha)) of the moment of order r: 3% at
/// r = 1 and alpha = 1.1. One word as a rule, a second one for numbers below 2^-11, one more for each 64 leading zeros; never more than nine.
pub fn deep(words: &mut dyn Words) -> f64 {
    const WORD: f64 = 1.0 / (1_u128 << 64) as f64;
    let mut scale = 1.0;
    for _ in 0..8 {
        let word = words.word();
        if word != 0 {
            let value = if word >> 53 != 0 { word as f64 * WORD } else { ((u128::from(word) << 64) | u128::from(words.word())) as f64 * WORD * WORD };
            return value * scale;
        }
        scale *= WORD;
    }
    scale
}

/// 1 or -1 with probability 1/2 each.
pub fn sign(words: &mut dyn Words) -> f64 {
    if words.word() >> 63 == 0 { 1.0 } else { -1.0 }
}

/// Uniform on [low, high): the upper end is never drawn, also where rounding would give it.
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    low: f64,
    high: f64,
}

impl Uniform {
    /// The law on [low, high).
    ///
    /// # Errors
    /// [`LawError::Parameter`] unless both ends are finite, low < high and high - low does not overflow.
    pub fn new(low: f64, high: f64) -> Result<Uniform, LawError> {
        require(low.is_finite(), "uniform", "low", low, "finite")?;
        require(high.is_finite() && low < high && (high - low).is_finite(), "uniform", "high", high, "finite and above low")?;
        Ok(Uniform { low, high })
    }
}

impl Law for Uniform {
    fn draw(&self, words: &mut dyn Words) -> f64 {
        let value = self.low + (self.high - self.low) * closed_open(words);
        // Rounding to nearest can reach the upper end; the float below it is the nearest that belongs to the law.
        value.clamp(self.low, self.high.next_down())
    }
}
