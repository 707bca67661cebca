//! A fixed generator of words for the tests.

/// xorshift64*, which needs nothing and gives the same words everywhere.
pub struct Source(pub u64);

impl Source {
    /// The next word.
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}
