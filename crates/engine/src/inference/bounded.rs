//! Bounded variables: betting.

use super::{EProcess, InferenceError, Null, UNIT, require, require_range};

/// The capital of a gambler who bets against E X <= b (or >= b) for X in [low, high].
///
/// With Y = (X - low)/(high - low) and m the bound on that scale, the capital is the product of 1 + l_i (Y_i - m) with l_i in [0, 3/(4 m)] chosen from the
/// draws before i. Under E Y <= m each factor's conditional expectation is at most 1, so the capital is a nonnegative supermartingale started at 1
/// (Waudby-Smith and Ramdas, JRSS B 86, 2024, theorem 3 and section 5; the bet is their aGRAPA rule, the growth-optimal one for the mean and variance seen so far).
#[derive(Clone, Debug)]
pub struct Betting {
    low: f64,
    high: f64,
    mirrored: bool,
    bound: f64,
    largest_bet: f64,
    count: f64,
    sum: f64,
    squares: f64,
    log_capital: f64,
    debt: f64,
}

/// The share of the bound that may be staked: the capital cannot fall below a quarter in one draw.
const STAKE: f64 = 0.75;

impl Betting {
    /// The test of a null hypothesis about the mean of a variable in [low, high]. A bound outside the range makes the null trivially true or false; the test
    /// then has no bet to make, or the largest.
    ///
    /// # Errors
    /// [`InferenceError`] unless low < high and the bound are finite.
    pub fn new(low: f64, high: f64, null: Null, bound: f64) -> Result<Betting, InferenceError> {
        require_range("betting", low, high)?;
        require(bound.is_finite(), "betting", "bound", bound, "finite")?;
        let mirrored = null == Null::AtLeast;
        let scaled = (bound - low) / (high - low);
        // The null E X >= b is E (1 - Y) <= 1 - m. Two roundings of the bound are paid by moving it up.
        let scaled = (if mirrored { 1.0 - scaled } else { scaled }) + 4.0 * UNIT;
        let largest_bet = if scaled > 0.0 { STAKE / scaled } else { 1.0 / UNIT };
        Ok(Betting { low, high, mirrored, bound: scaled, largest_bet, count: 0.0, sum: 0.5, squares: 0.25, log_capital: 0.0, debt: 0.0 })
    }
}

impl EProcess for Betting {
    fn update(&mut self, x: f64) -> bool {
        if !(self.low <= x && x <= self.high) {
            return false;
        }
        let y = ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        let y = if self.mirrored { 1.0 - y } else { y };
        // The bet from the draws before this one, with half a draw at 1/2 in front.
        let weight = self.count + 1.0;
        let mean = self.sum / weight;
        let variance = self.squares / weight;
        let edge = mean - self.bound;
        let bet = if edge > 0.0 { (edge / (variance + edge * edge)).min(self.largest_bet) } else { 0.0 };
        self.log_capital += core_math::log1p(bet * (y - self.bound));
        // y is off by at most 3 units, the product and the logarithm (whose argument is at least 1/4) by 8 more relative to the bet.
        self.debt += UNIT * (4.0 * 12.0 * (1.0 + bet) + 2.0 * self.log_capital.abs());
        self.count += 1.0;
        self.sum += y;
        self.squares += (y - mean) * (y - mean);
        true
    }

    fn log_capital(&self) -> f64 {
        self.log_capital - self.debt
    }
}
