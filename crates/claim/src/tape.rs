//! Tapes: the finite sequence of words an instance is drawn from.
//!
//! One generator serves every route: random routes fill the tape from a keyed stream, a search edits it, a shrinker makes its words small.

/// A cursor over a sequence of 64-bit words. Past its end it reads zeros, so every tape, however short, gives an instance.
#[derive(Clone, Debug)]
pub struct Tape<'a> {
    words: &'a [u64],
    position: usize,
}

impl<'a> Tape<'a> {
    /// Starts reading at the first word.
    #[must_use]
    pub fn new(words: &'a [u64]) -> Self {
        Tape { words, position: 0 }
    }

    /// The next word, 0 past the end.
    pub fn word(&mut self) -> u64 {
        let word = self.words.get(self.position).copied().unwrap_or(0);
        self.position += 1;
        word
    }

    /// An integer in `low..=high`; the word 0 gives `low`, so small words give small instances.
    ///
    /// The modulo bias is below 2^-32 for ranges up to 2^32 and of no consequence here: families need coverage, not uniformity.
    pub fn integer(&mut self, low: i64, high: i64) -> i64 {
        let word = self.word();
        if high <= low {
            return low;
        }
        let span = high.abs_diff(low);
        let offset = if span == u64::MAX { word } else { word % (span + 1) };
        low.wrapping_add_unsigned(offset)
    }

    /// An index in `0..n` (0 when `n` is 0).
    pub fn index(&mut self, n: usize) -> usize {
        let word = self.word();
        if n == 0 { 0 } else { (word % n as u64) as usize }
    }

    /// One of the given values; the word 0 gives the first.
    ///
    /// # Panics
    /// When `values` is empty, which is a mistake of the family, not of its input.
    pub fn choose<T: Clone>(&mut self, values: &[T]) -> T {
        let index = self.index(values.len());
        values[index].clone()
    }

    /// A heavy-tailed positive integer, at most `cap`: the bit length is uniform, then the bits are. The word 0 gives 1.
    ///
    /// This is the discrete cousin of a log-uniform law, so ties, ones and huge values all occur.
    pub fn heavy(&mut self, cap: i64) -> i64 {
        let word = self.word();
        let top = 64 - cap.max(1).leading_zeros() as u64;
        let bits = word % top;
        let rest = (word >> 8) & ((1_u64 << bits) - 1);
        (((1_u64 << bits) | rest) as i64).min(cap.max(1))
    }

    /// How many words were read so far.
    #[must_use]
    pub fn read(&self) -> usize {
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::Tape;

    #[test]
    fn past_the_end_is_zero() {
        let mut tape = Tape::new(&[7]);
        assert_eq!((tape.word(), tape.word(), tape.read()), (7, 0, 2));
    }

    #[test]
    fn integers_stay_in_range_at_the_extremes() {
        let words = [0, 1, u64::MAX, u64::MAX - 1, 1 << 63];
        for &word in &words {
            for (low, high) in [(0, 0), (3, 2), (-5, 5), (i64::MIN, i64::MAX), (i64::MAX - 1, i64::MAX)] {
                let value = Tape::new(&[word]).integer(low, high);
                assert!(value >= low && (value <= high || high < low), "{word} {low} {high} {value}");
            }
            for cap in [1, 2, 3, 1000, i64::MAX] {
                let value = Tape::new(&[word]).heavy(cap);
                assert!((1..=cap).contains(&value), "{word} {cap} {value}");
            }
        }
        assert_eq!(Tape::new(&[]).integer(4, 9), 4);
        assert_eq!(Tape::new(&[]).heavy(100), 1);
    }
}
