//! Runs of AdaGrad in one dimension on objectives and noises whose constants are known.

use super::algorithm::update;
use sample::{Law, Lottery, Pareto, TwoPoint, Words};

/// An objective on the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// ln cosh x: smoothness 1, |f'| < 1.
    LogCosh,
    /// 100 ln cosh x: smoothness 100, |f'| < 100.
    SteepLogCosh,
    /// x^2 / (1 + x^2): smoothness 2, sup f - inf f = 1, |f'| <= 3 sqrt 3 / 8.
    Bump,
    /// 0: the gradient is noise alone.
    Flat,
}

impl Objective {
    /// f'(x).
    #[must_use]
    pub fn slope(self, x: f64) -> f64 {
        match self {
            Objective::LogCosh => core_math::tanh(x),
            Objective::SteepLogCosh => 100.0 * core_math::tanh(x),
            Objective::Bump => {
                let inverse = 1.0 / (1.0 + x * x);
                2.0 * x * inverse * inverse
            }
            Objective::Flat => 0.0,
        }
    }
}

/// A centred noise.
#[derive(Clone, Debug)]
pub enum Noise {
    /// Two points.
    TwoPoint(TwoPoint),
    /// The lottery.
    Lottery(Lottery),
    /// Pareto with a random sign.
    Pareto(Pareto),
}

impl Noise {
    fn draw(&self, words: &mut dyn Words) -> f64 {
        match self {
            Noise::TwoPoint(law) => law.draw(words),
            Noise::Lottery(law) => law.draw(words),
            Noise::Pareto(law) => law.draw(words),
        }
    }
}

/// What one run leaves behind.
#[derive(Clone, Copy, Debug)]
pub struct PathSummary {
    /// (1/T) sum |f'(x_t)|
    pub mean_slope: f64,
    /// sqrt(v_T)
    pub root_v: f64,
    /// sqrt(u_T), u_T the sum of squared true gradients.
    pub root_u: f64,
}

/// T steps of AdaGrad (in one dimension also AdaGrad-Norm) from `start`.
pub fn run_adagrad(objective: Objective, noise: &Noise, start: f64, gamma: f64, lambda: f64, steps: u64, words: &mut dyn Words) -> PathSummary {
    let (mut x, mut root, mut slopes, mut squares) = (start, 0.0_f64, 0.0, 0.0);
    for _ in 0..steps {
        let slope = objective.slope(x);
        let g = slope + noise.draw(words);
        slopes += slope.abs();
        squares += slope * slope;
        root = core_math::hypot(root, g);
        x -= update(gamma, lambda, root, g);
    }
    PathSummary { mean_slope: slopes / steps as f64, root_v: root, root_u: squares.sqrt() }
}
