//! Heavy-tailed variables with a known moment, central or raw.

use super::{EProcess, InferenceError, Null, UNIT, require};

/// Evidence against E X <= b (or >= b) from a moment of order p, 1 < p <= 2.
///
/// Catoni's influence function phi(x) = ln(1 + x + |x|^p / p) for x >= 0, odd, satisfies exp phi(x) <= 1 + x + |x|^p / p for every x, and it increases
/// (Wang and Ramdas, Stochastic Processes and their Applications 163, 2023, section 4). For each l > 0 the following are nonnegative supermartingales under
/// E X <= b; for E X >= b they are used on -X and -b.
///
/// - [`Catoni::central`], E|X - E X|^p <= v: the product of exp(phi(l (X_i - b)) - l^p v / p). Replacing b by the smaller true mean m only increases phi, and
///   E exp phi(l (X - m)) <= 1 + l^p v / p.
/// - [`Catoni::raw`], E|X|^p <= v: the product of exp(phi(l X_i)) / (1 + l b + l^p v / p), since E exp phi(l X) <= 1 + l E X + l^p v / p.
///
/// The capital is the mean over a fixed grid of l, itself such a process.
#[derive(Clone, Debug)]
pub struct Catoni {
    sign: f64,
    centre: f64,
    order: f64,
    rates: [f64; GRID],
    penalties: [f64; GRID],
    logs: [f64; GRID],
    debts: [f64; GRID],
}

/// Rates in the mixture, a factor 2 apart.
const GRID: usize = 8;

impl Catoni {
    /// The test for E|X - E X|^order <= `moment`; the rates surround the best one for `horizon` draws at a level of about e^-20.
    ///
    /// # Errors
    /// [`InferenceError`] unless 1 < order <= 2, the moment is positive, and both it and the bound are finite; also where a moment so extreme leaves no rate in
    /// the range of doubles.
    pub fn central(order: f64, moment: f64, null: Null, bound: f64, horizon: u64) -> Result<Catoni, InferenceError> {
        // A relative 1e-14 more than the formula pays for its own rounding.
        let penalty = |_: f64, power: f64| power * (1.0 + 1e-14);
        Catoni::with(order, moment, null, bound, bound, horizon, penalty)
    }

    /// The test for E|X|^order <= `moment`.
    ///
    /// # Errors
    /// As for [`Catoni::central`].
    pub fn raw(order: f64, moment: f64, null: Null, bound: f64, horizon: u64) -> Result<Catoni, InferenceError> {
        // ln(1 + l b + l^p v / p), the argument moved up by more than its rounding (a dozen units of its terms) and the logarithm's own paid for. Where the argument
        // is not above -1 the bound contradicts the moment; such a rate is left out, which is cautious.
        let penalty = |drift: f64, power: f64| {
            let argument = (drift + power) + 1e-14 * (drift.abs() + power);
            if argument > -1.0 {
                let log = core_math::log1p(argument);
                log + 4.0 * UNIT * log.abs()
            } else {
                f64::INFINITY
            }
        };
        Catoni::with(order, moment, null, bound, 0.0, horizon, penalty)
    }

    fn with(
        order: f64,
        moment: f64,
        null: Null,
        bound: f64,
        centre: f64,
        horizon: u64,
        penalty: impl Fn(f64, f64) -> f64,
    ) -> Result<Catoni, InferenceError> {
        require(order > 1.0 && order <= 2.0, "Catoni", "order", order, "in (1, 2]")?;
        require(moment > 0.0 && moment.is_finite(), "Catoni", "moment", moment, "positive and finite")?;
        require(bound.is_finite(), "Catoni", "bound", bound, "finite")?;
        let sign = if null == Null::AtMost { 1.0 } else { -1.0 };
        // l S - n l^p v / p is largest for the sum that just reaches L at l = (L p / ((p - 1) n v))^(1/p).
        let best = core_math::pow(20.0 * order / ((order - 1.0) * horizon.max(1) as f64 * moment), 1.0 / order);
        let rates: [f64; GRID] = std::array::from_fn(|i| best * [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0][i]);
        let powers = rates.map(|rate| core_math::pow(rate, order) * moment / order);
        let usable = |values: &[f64]| values.iter().all(|value| value.is_normal());
        require(usable(&rates) && usable(&powers), "Catoni", "moment", moment, "one that leaves rates in the range of doubles")?;
        let penalties = std::array::from_fn(|i| penalty(rates[i] * sign * bound, powers[i]));
        Ok(Catoni { sign, centre, order, rates, penalties, logs: [0.0; GRID], debts: [0.0; GRID] })
    }

    fn influence(&self, x: f64) -> f64 {
        let size = x.abs();
        // p = 2 is common enough for a product.
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
        let step = self.sign * (x - self.centre);
        for i in 0..GRID {
            let value = self.influence(self.rates[i] * step);
            let change = value - self.penalties[i];
            self.logs[i] += change;
            // The argument of the logarithm is off by a dozen units relative, hence the value by as many relative to itself; the two sums by half a unit each.
            self.debts[i] += UNIT * (16.0 * value.abs() + change.abs() + 4.0 * self.logs[i].abs());
        }
        true
    }

    fn log_capital(&self) -> f64 {
        let bounds: [f64; GRID] = std::array::from_fn(|i| self.logs[i] - self.debts[i]);
        let largest = bounds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return largest;
        }
        let sum: f64 = bounds.iter().map(|log| core_math::exp(log - largest)).sum();
        largest + core_math::log(sum / GRID as f64) - 32.0 * UNIT * (1.0 + largest.abs())
    }
}
