//! The mean-field limit of quantized weights: dW = eta (c1 w* - c2 phi(W)) dtau + eta sqrt(c2 R(tau)) dB for each teacher's value, R the risk of the law of W.
//!
//! The law's density moves by a conservative scheme on a uniform grid whose nodes contain every threshold, so that the drift is constant between nodes
//! (Scharfetter and Gummel's exponential fitting), and by Crank and Nicolson's rule in time with the risk at the half step. The error is O(h^2 + dt^2), h well
//! below the layer width D/|drift|; two grids and extrapolation show it. Nothing here is certified: a statistical test compares it with runs.

use super::quantizer::Quantizer;
use super::simulate::dot;
use numeric::Rational;

/// What the limit depends on.
#[derive(Clone, Debug)]
pub struct LimitProblem {
    /// phi
    pub quantizer: Quantizer,
    /// Teacher's values with their weights, which sum to 1.
    pub teacher: Vec<(f64, f64)>,
    /// E x psi
    pub c1: f64,
    /// E psi^2
    pub c2: f64,
    /// Step size.
    pub eta: f64,
    /// Noise variance.
    pub sigma2: f64,
    /// Mean and standard deviation of the first weights, which are normal.
    pub start: (f64, f64),
    /// The grid reaches at least this far to both sides of 0.
    pub reach: f64,
}

/// Why there is no grid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LimitError {
    /// The thresholds are not multiples of a common step that leaves a grid of sensible size.
    #[error("the thresholds have no common step: a grid with all of them as nodes needs more than {cells} cells")]
    Incommensurable {
        /// The most cells allowed.
        cells: usize,
    },
    /// A number that makes no sense.
    #[error("{name} = {value}: must be positive and finite")]
    Parameter {
        /// Which.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

/// Most nodes of a grid.
const MOST_NODES: usize = 1 << 20;
/// Backward Euler steps at the start: they damp what Crank and Nicolson's rule would let ring.
const DAMPED: usize = 4;

/// Relative difference of two guesses of the risk at the half step below which a step is not corrected: far below the grids' own error.
const CLOSE: f64 = 1e-7;

/// z/(e^z - 1).
fn bernoulli(z: f64) -> f64 {
    // Below this size the series' next term is beneath the last bit.
    if z.abs() < 1e-5 { 1.0 - z / 2.0 + z * z / 12.0 } else { z / core_math::expm1(z) }
}

/// The greatest common divisor of positive rationals.
fn common_step(gaps: &[Rational]) -> Option<Rational> {
    gaps.iter().cloned().reduce(|mut a, mut b| {
        while b.is_defined() && !b.is_zero() {
            let quotient = (a.clone() / b.clone()).floor_big();
            let rest = a - Rational::from(quotient) * b.clone();
            (a, b) = (b, rest);
        }
        a
    })
}

/// Nodes, and the cell of the quantizer between each node and the next.
struct Grid {
    h: f64,
    first: f64,
    between: Vec<usize>,
}

fn grid(problem: &LimitProblem, cells_a_gap: usize) -> Result<Grid, LimitError> {
    let thresholds = problem.quantizer.thresholds();
    let gaps: Vec<Rational> = thresholds.windows(2).map(|pair| pair[1].clone() - pair[0].clone()).collect();
    let middle = thresholds.first().cloned().unwrap_or_else(|| Rational::from(0));
    let step = common_step(&gaps).unwrap_or_else(|| Rational::from(1));
    let exact_h = step / Rational::from(cells_a_gap.max(1) as u64);
    let h = exact_h.to_f64_nearest();
    let to_left = ((middle.to_f64_nearest() + problem.reach) / h).ceil().max(2.0);
    let to_right = ((problem.reach - middle.to_f64_nearest()) / h).ceil().max(2.0);
    let incommensurable = LimitError::Incommensurable { cells: MOST_NODES };
    let nodes = to_left + to_right;
    if nodes.is_nan() || nodes >= MOST_NODES as f64 {
        return Err(incommensurable);
    }
    // Node indices of the thresholds, exactly.
    let index = |t: &Rational| ((t.clone() - middle.clone()) / exact_h.clone()).to_i128().map(|i| i + to_left as i128);
    let at: Vec<i128> = thresholds.iter().map(index).collect::<Option<_>>().ok_or(incommensurable)?;
    let count = (to_left + to_right) as usize;
    let between = (0..count).map(|i| at.partition_point(|&node| node <= i as i128)).collect();
    Ok(Grid { h, first: middle.to_f64_nearest() - to_left * h, between })
}

/// The risks at the given times (ascending multiples of `horizon/steps`, the nearest step is taken) on one grid with `cells_a_gap` cells between the closest
/// thresholds' common step.
///
/// # Errors
/// [`LimitError`] where a parameter is not positive or the thresholds allow no grid.
pub fn limit_risks(problem: &LimitProblem, cells_a_gap: usize, horizon: f64, steps: usize, times: &[f64]) -> Result<Vec<f64>, LimitError> {
    let checked =
        [("eta", problem.eta), ("c2", problem.c2), ("reach", problem.reach), ("horizon", horizon), ("spread of the first weights", problem.start.1)];
    for (name, value) in checked {
        if !(value > 0.0 && value.is_finite()) {
            return Err(LimitError::Parameter { name, value });
        }
    }
    let Grid { h, first, between } = grid(problem, cells_a_gap)?;
    let count = between.len() + 1;
    let levels: Vec<f64> = problem.quantizer.levels().iter().map(Rational::to_f64_nearest).collect();
    let dt = horizon / steps as f64;
    // Risk weights at nodes: a threshold takes the mean of its two sides. End nodes are half cells in the trapezoid rule, but hold no mass to speak of.
    let weights: Vec<Vec<f64>> = problem
        .teacher
        .iter()
        .map(|&(w, share)| {
            let risk: Vec<f64> = levels.iter().map(|l| share * (w * w - 2.0 * problem.c1 * w * l + problem.c2 * l * l)).collect();
            (0..count)
                .map(|i| {
                    let (left, right) = (between[i.saturating_sub(1)], between[i.min(count - 2)]);
                    0.5 * (risk[left] + risk[right])
                })
                .collect()
        })
        .collect();
    let initial: Vec<f64> = {
        let raw: Vec<f64> = (0..count)
            .map(|i| {
                let z = (first + i as f64 * h - problem.start.0) / problem.start.1;
                core_math::exp(-0.5 * z * z)
            })
            .collect();
        let total: f64 = raw.iter().sum();
        raw.into_iter().map(|p| p / total).collect()
    };
    let mut laws = vec![initial; problem.teacher.len()];
    let runs = Run::of(&between);
    let risk_of = |laws: &[Vec<f64>]| {
        let sum: f64 = laws.iter().zip(&weights).map(|(p, f)| dot(p, f)).sum();
        problem.sigma2 + sum
    };
    let marks: Vec<usize> = times.iter().map(|time| ((time / dt).round().max(0.0) as usize).min(steps)).collect();
    let mut out = Vec::with_capacity(times.len());
    let mut risk = risk_of(&laws);
    let mut before = risk;
    let mut solver = Solver::new(count);
    let mut next: Vec<Vec<f64>> = laws.clone();
    for step in 0..=steps {
        for _ in marks.iter().filter(|&&mark| mark == step) {
            out.push(risk);
        }
        if step == steps || out.len() == marks.len() {
            break;
        }
        let damped = step < DAMPED;
        let theta = if damped { 1.0 } else { 0.5 };
        let mut advance = |next: &mut [Vec<f64>], half: f64| {
            for ((p, new), &(w, _)) in laws.iter().zip(next).zip(&problem.teacher) {
                let diffusion = 0.5 * problem.eta * problem.eta * problem.c2 * half;
                let scale = dt * diffusion / (h * h);
                // Flux over (node, node + 1) is (D/h)(out p_i - back p_(i+1)).
                let flows: Vec<Flow> = levels
                    .iter()
                    .map(|l| {
                        let z = problem.eta * (problem.c1 * w - problem.c2 * l) * h / diffusion;
                        Flow { forth: scale * bernoulli(-z), back: scale * bernoulli(z) }
                    })
                    .collect();
                solver.implicit(p, new, &runs, &flows, theta);
                if !damped {
                    // (1 - L/2) y = p gives the step of Crank and Nicolson's rule as 2 y - p.
                    new.iter_mut().zip(p).for_each(|(y, p)| *y = 2.0 * *y - p);
                }
            }
        };
        // Predict with the risk extrapolated to the half step (the start: the risk itself), correct with the mean of both ends. Where the two agree the
        // prediction stands: what it leaves out of the risk is of the order of the square of their difference.
        let guess = if damped { risk } else { 1.5 * risk - 0.5 * before };
        advance(&mut next, guess);
        let end = risk_of(&next);
        let better = if damped { end } else { 0.5 * (risk + end) };
        if damped || (better - guess).abs() > CLOSE * risk {
            advance(&mut next, better);
        }
        std::mem::swap(&mut laws, &mut next);
        before = risk;
        risk = risk_of(&laws);
    }
    Ok(out)
}

/// What flows over an interval between nodes in one time step: `forth` p_i - `back` p_(i+1).
#[derive(Clone, Copy)]
struct Flow {
    forth: f64,
    back: f64,
}

/// Neighbouring intervals in one cell of the quantizer: all have the same flow.
struct Run {
    cell: usize,
    start: usize,
    end: usize,
}

impl Run {
    fn of(between: &[usize]) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for (index, &cell) in between.iter().enumerate() {
            match runs.last_mut() {
                Some(run) if run.cell == cell => run.end = index + 1,
                _ => runs.push(Run { cell, start: index, end: index + 1 }),
            }
        }
        runs
    }
}

/// One time step's linear algebra, with its memory.
///
/// Row i of (1 - share L) p = rhs is -forth_(i-1) p_(i-1) + (1 + forth_i + back_(i-1)) p_i - back_i p_(i+1): an M-matrix with column sums 1, so no pivot is needed
/// and mass is kept. The elimination runs from both ends to the middle, two chains that do not wait for each other; and within a run of equal rows the pivots
/// settle to the last bit after a few dozen rows, from where on nothing has to be divided.
struct Solver {
    rhs: Vec<f64>,
    /// p_i = next_i p_(i+1) + .. in the first half, p_i = next_i p_(i-1) + .. in the second.
    next: Vec<f64>,
    /// The inverse pivots.
    inverse: Vec<f64>,
    /// What the neighbour that was eliminated before contributes, times the inverse pivot.
    carry: Vec<f64>,
    forth: Vec<f64>,
    back: Vec<f64>,
}

impl Solver {
    fn new(count: usize) -> Solver {
        let zeros = || vec![0.0; count];
        // One place more on both sides: no flow over the ends.
        let flows = || vec![0.0; count + 1];
        Solver { rhs: zeros(), next: zeros(), inverse: zeros(), carry: zeros(), forth: flows(), back: flows() }
    }

    /// Solves (1 - share L) p = old.
    fn implicit(&mut self, old: &[f64], p: &mut [f64], runs: &[Run], flows: &[Flow], share: f64) {
        self.rhs.copy_from_slice(old);
        let count = p.len();
        // forth[i + 1], back[i + 1]: over the interval from node i to node i + 1.
        for run in runs {
            let Flow { forth, back } = flows[run.cell];
            self.forth[run.start + 1..=run.end].fill(share * forth);
            self.back[run.start + 1..=run.end].fill(share * back);
        }
        let middle = count / 2;
        self.pivots_down(runs, middle);
        self.pivots_up(runs, middle);
        // The right sides: down to the middle and up to it, side by side.
        let (mut down, mut up) = (0.0, 0.0);
        let last = count - 1;
        let both = middle.min(last - middle);
        for k in 0..both {
            down = self.rhs[k] * self.inverse[k] + self.carry[k] * down;
            self.rhs[k] = down;
            up = self.rhs[last - k] * self.inverse[last - k] + self.carry[last - k] * up;
            self.rhs[last - k] = up;
        }
        for k in both..middle {
            down = self.rhs[k] * self.inverse[k] + self.carry[k] * down;
            self.rhs[k] = down;
        }
        for k in both..last - middle {
            up = self.rhs[last - k] * self.inverse[last - k] + self.carry[last - k] * up;
            self.rhs[last - k] = up;
        }
        // The row in the middle sees both sides.
        let (from_left, from_right) = (self.forth[middle], self.back[middle + 1]);
        let left = if middle > 0 { self.next[middle - 1] } else { 0.0 };
        let right = if middle < last { self.next[middle + 1] } else { 0.0 };
        let pivot = 1.0 + self.forth[middle + 1] + self.back[middle] - from_left * left - from_right * right;
        let value = (self.rhs[middle] + from_left * down + from_right * up) / pivot;
        p[middle] = value;
        let (mut down, mut up) = (value, value);
        for k in 1..=both {
            down = self.next[middle - k] * down + self.rhs[middle - k];
            p[middle - k] = down;
            up = self.next[middle + k] * up + self.rhs[middle + k];
            p[middle + k] = up;
        }
        for k in both + 1..=middle {
            down = self.next[middle - k] * down + self.rhs[middle - k];
            p[middle - k] = down;
        }
        for k in both + 1..=last - middle {
            up = self.next[middle + k] * up + self.rhs[middle + k];
            p[middle + k] = up;
        }
    }

    /// Pivots of the rows above `middle`, from the first one on.
    fn pivots_down(&mut self, runs: &[Run], middle: usize) {
        let mut next = 0.0;
        for run in runs {
            // Rows whose interval to the right lies in the run; the first has another one to its left.
            let end = run.end.min(middle);
            let mut i = run.start;
            while i < end {
                let (from, out, back_left, back) = (self.forth[i], self.forth[i + 1], self.back[i], self.back[i + 1]);
                let inverse = 1.0 / (1.0 + out + back_left - from * next);
                let settled = back * inverse;
                (self.next[i], self.inverse[i], self.carry[i]) = (settled, inverse, from * inverse);
                i += 1;
                if settled == next && i > run.start + 2 {
                    // The same row with the same neighbour: all that follow in the run are the same.
                    let carry = from * inverse;
                    self.next[i..end].fill(settled);
                    self.inverse[i..end].fill(inverse);
                    self.carry[i..end].fill(carry);
                    i = end;
                }
                next = settled;
            }
        }
    }

    /// Pivots of the rows below `middle`, from the last one on.
    fn pivots_up(&mut self, runs: &[Run], middle: usize) {
        let mut next = 0.0;
        for run in runs.iter().rev() {
            // Rows whose interval to the left lies in the run.
            let start = (run.start + 1).max(middle + 1);
            let mut i = run.end;
            while i >= start {
                let (from, out, back_left, forth_left) = (self.back[i + 1], self.forth[i + 1], self.back[i], self.forth[i]);
                let inverse = 1.0 / (1.0 + out + back_left - from * next);
                let settled = forth_left * inverse;
                (self.next[i], self.inverse[i], self.carry[i]) = (settled, inverse, from * inverse);
                i -= 1;
                if settled == next && i + 2 < run.end {
                    let carry = from * inverse;
                    if i >= start {
                        self.next[start..=i].fill(settled);
                        self.inverse[start..=i].fill(inverse);
                        self.carry[start..=i].fill(carry);
                    }
                    next = settled;
                    break;
                }
                next = settled;
            }
        }
    }
}

/// The risks extrapolated from a grid and one of half the steps, and by how much the finer grid's own values differ from them.
///
/// # Errors
/// As for [`limit_risks`].
pub fn extrapolated_risks(
    problem: &LimitProblem,
    cells_a_gap: usize,
    horizon: f64,
    steps: usize,
    times: &[f64],
) -> Result<Vec<(f64, f64)>, LimitError> {
    let coarse = limit_risks(problem, cells_a_gap, horizon, steps, times)?;
    let fine = limit_risks(problem, 2 * cells_a_gap, horizon, 2 * steps, times)?;
    Ok(coarse.into_iter().zip(fine).map(|(coarse, fine)| (fine + (fine - coarse) / 3.0, ((fine - coarse) / 3.0).abs())).collect())
}

#[cfg(test)]
mod tests {
    use super::{Flow, LimitProblem, Run, Solver, limit_risks};
    use crate::ste::quantizer::Quantizer;
    use numeric::Rational;

    fn numbers(count: usize, mut state: u64) -> Vec<f64> {
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 11) as f64 / (1_u64 << 53) as f64
            })
            .collect()
    }

    /// (1 - share L) p by its definition, one interval at a time.
    fn applied(p: &[f64], between: &[usize], flows: &[Flow], share: f64) -> Vec<f64> {
        let mut out = p.to_vec();
        for (i, &cell) in between.iter().enumerate() {
            let flux = share * (flows[cell].forth * p[i] - flows[cell].back * p[i + 1]);
            out[i] += flux;
            out[i + 1] -= flux;
        }
        out
    }

    #[test]
    fn a_step_solves_its_equations() {
        // Runs of one interval, long ones, more and fewer nodes than the middle needs; small and large flows.
        let layouts: [&[usize]; 6] = [&[1], &[1, 1], &[2, 1, 3], &[5, 90, 1, 7], &[300], &[40, 40, 41, 200]];
        for (index, layout) in layouts.into_iter().enumerate() {
            for size in [1e-3, 1.0, 200.0] {
                let between: Vec<usize> = layout.iter().enumerate().flat_map(|(cell, &length)| vec![cell; length]).collect();
                let random = numbers(2 * layout.len() + between.len() + 1, index as u64 + 1);
                let flows: Vec<Flow> =
                    (0..layout.len()).map(|cell| Flow { forth: size * random[2 * cell], back: size * random[2 * cell + 1] }).collect();
                let p = &random[2 * layout.len()..];
                let runs = Run::of(&between);
                let mut solver = Solver::new(p.len());
                let mut new = vec![0.0; p.len()];
                solver.implicit(p, &mut new, &runs, &flows, 0.5);
                // The matrix has column sums 1 and an inverse with entries in [0, 1]: the residual is roundings in rows of size 1 + 4 size.
                let back = applied(&new, &between, &flows, 0.5);
                assert!(back.iter().zip(p).all(|(x, y)| (x - y).abs() <= 32.0 * f64::EPSILON * (1.0 + 4.0 * size)), "{layout:?} {size}");
                // Mass stays.
                let sum = |values: &[f64]| values.iter().sum::<f64>();
                let rounding = 64.0 * f64::EPSILON * p.len() as f64 * (1.0 + 4.0 * size);
                assert!((sum(&new) - sum(p)).abs() <= rounding, "{layout:?} {size}: {} {}", sum(&new), sum(p));
            }
        }
    }

    #[test]
    fn one_level_leaves_the_risk_alone() {
        // b = 1 with both levels of the same size and w* = 0: the risk is sigma^2 + omega^2 whatever the law does.
        let quantizer = Quantizer::mid_rise(1, &Rational::from(2)).unwrap();
        let problem = LimitProblem { quantizer, teacher: vec![(0.0, 1.0)], c1: 1.0, c2: 1.0, eta: 0.1, sigma2: 0.25, start: (0.3, 0.5), reach: 6.0 };
        let risks = limit_risks(&problem, 100, 5.0, 200, &[0.0, 1.0, 5.0]).unwrap();
        // Two hundred steps of roundings in a sum of some thousand terms; the node at the threshold counts both levels.
        assert!(risks.iter().all(|risk| (risk - 4.25).abs() < 1e-10), "{risks:?}");
    }
}
