//! Heavy-tailed variables with a known central moment.

use super::{EProcess, Null, UNIT};

/// Evidence against E X <= b (or >= b) where E|X - E X|^p <= v, 1 < p <= 2.
///
/// Catoni's influence function phi(x) = ln(1 + x + |x|^p / p) for x >= 0, odd, satisfies exp phi(x) <= 1 + x + |x|^p / p, so that for each l > 0 the
/// product of exp(phi(l (X_i - b)) - l^p v / p) is a nonnegative supermartingale under E X <= b: phi increases, and at the true mean
/// E exp phi <= 1 + l^p v / p <= exp(l^p v / p) (Wang and Ramdas, Stochastic Processes and their Applications 163, 2023, section 4). The capital is the mean
/// over a fixed grid of l, itself such a process.
#[derive(Clone, Debug)]
pub struct Catoni {
    sign: f64,
    bound: f64,
    order: f64,
    rates: [f64; GRID],
    penalties: [f64; GRID],
    logs: [f64; GRID],
    debts: [f64; GRID],
}

/// Rates in the mixture, a factor 2 apart.
const GRID: usize = 8;

impl Catoni {
    /// The test for the moment bound E|X - E X|^order <= `moment`; the rates surround the best one for `horizon` draws at a level of about e^-20.
    #[must_use]
    pub fn new(order: f64, moment: f64, null: Null, bound: f64, horizon: u64) -> Catoni {
        // l S - n l^p v / p is largest for the sum that just reaches L at l = (L p / ((p - 1) n v))^(1/p).
        let best = core_math::pow(20.0 * order / ((order - 1.0) * horizon.max(1) as f64 * moment), 1.0 / order);
        let rates: [f64; GRID] = std::array::from_fn(|i| best * [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0][i]);
        // A relative 1e-14 more than the formula pays for its own rounding.
        let penalties = rates.map(|rate| core_math::pow(rate, order) * moment / order * (1.0 + 1e-14));
        Catoni { sign: if null == Null::AtMost { 1.0 } else { -1.0 }, bound, order, rates, penalties, logs: [0.0; GRID], debts: [0.0; GRID] }
    }

    fn influence(&self, x: f64) -> f64 {
        let size = x.abs();
        // |x|^p by exp and ln of one number each; p = 2 is common enough for a product.
        let power = if self.order == 2.0 { size * size } else { core_math::pow(size, self.order) };
        let value = core_math::log1p(size + power / self.order);
        if x >= 0.0 { value } else { -value }
    }
}

impl EProcess for Catoni {
    fn update(&mut self, x: f64) -> bool {
        if !x.is_finite() {
            return false;
        }
        let step = self.sign * (x - self.bound);
        for i in 0..GRID {
            let value = self.influence(self.rates[i] * step);
            self.logs[i] += value - self.penalties[i];
            self.debts[i] += UNIT * (16.0 * value.abs() + 4.0 * self.logs[i].abs() + 8.0 * self.rates[i] * self.bound.abs());
        }
        true
    }

    fn log_capital(&self) -> f64 {
        let bounds: [f64; GRID] = std::array::from_fn(|i| self.logs[i] - self.debts[i]);
        let largest = bounds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = bounds.iter().map(|log| core_math::exp(log - largest)).sum();
        largest + core_math::log(sum / GRID as f64) - 32.0 * UNIT * (1.0 + largest.abs())
    }
}
