//! A fixed generator of words, floats and intervals for the tests.
#![allow(dead_code, reason = "each test uses a part")]

use numeric::Interval;

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

impl Source {
    /// A finite float: special values, small integers and halves, log-uniform in a range, or any bits.
    pub fn float(&mut self) -> f64 {
        const SPECIAL: [f64; 16] = [0.0, 1.0, 2.0, 0.5, 10.0, f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e-300, 1e300, 1.5, 3.0, 100.0, 1e16, 0.1, 4.0];
        let word = self.word();
        let sign = if word & 1 == 0 { 1.0 } else { -1.0 };
        let size = match (word >> 1) % 8 {
            0 => SPECIAL[(word >> 8) as usize % SPECIAL.len()],
            1 => ((word >> 8) % 40) as f64 / 2.0,
            2 | 3 => ((word >> 11) as f64 / (1_u64 << 53) as f64) * 4.0,
            4 => ((word >> 11) as f64 / (1_u64 << 53) as f64) * 50.0,
            5 => f64::from_bits((word >> 12) | (1003 + (word >> 4) % 40) << 52),
            6 => f64::from_bits(((word >> 12) | ((word >> 3) % 2047) << 52) & !(1 << 63)),
            _ => 1.0 + f64::EPSILON * ((word >> 8) % 64) as f64,
        };
        sign * size
    }

    /// An interval: a point, one ulp, a little, or two unrelated ends; sometimes unbounded.
    pub fn interval(&mut self) -> Interval {
        let (a, kind) = (self.float(), self.word() % 16);
        let b = match kind {
            0..=2 => a,
            3..=5 => a.next_up().min(f64::MAX),
            6..=8 => a + a.abs() / 1024.0,
            9 => return make(a, f64::INFINITY),
            10 => return make(f64::NEG_INFINITY, a),
            _ => self.float(),
        };
        let b = if b.is_finite() { b } else { a };
        make(a.min(b), a.max(b))
    }

    /// A point of an interval: an end, the middle, or between.
    pub fn inside(&mut self, x: &Interval) -> f64 {
        let (low, high) = (x.lo().max(-f64::MAX), x.hi().min(f64::MAX));
        let word = self.word();
        match word % 5 {
            0 => low,
            1 => high,
            2 => x.mid(),
            _ => {
                let t = (word >> 11) as f64 / (1_u64 << 53) as f64;
                (low + (high / 2.0 - low / 2.0) * t * 2.0).clamp(low, high)
            }
        }
    }
}

fn make(lo: f64, hi: f64) -> Interval {
    Interval::new(lo, hi).expect("ends in order")
}
