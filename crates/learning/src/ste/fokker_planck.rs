//! The mean-field limit of quantized weights: dW = eta (c1 w* - c2 phi(W)) dtau + eta sqrt(c2 R(tau)) dB for each teacher's value, R the risk of the law of W.
//!
//! The law's density moves by a conservative scheme on a uniform grid whose nodes contain every threshold, so that the drift is constant between nodes
//! (Scharfetter and Gummel's exponential fitting), and by Crank and Nicolson's rule in time with the risk at the half step. The error is O(h^2 + dt^2), h well
//! below the layer width D/|drift|; two grids and extrapolation show it. Nothing here is certified: a statistical test compares it with runs.

use super::quantizer::Quantizer;
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
    let risk_of = |laws: &[Vec<f64>]| {
        let sum: f64 = laws.iter().zip(&weights).map(|(p, f)| p.iter().zip(f).map(|(p, f)| p * f).sum::<f64>()).sum();
        problem.sigma2 + sum
    };
    let marks: Vec<usize> = times.iter().map(|time| ((time / dt).round().max(0.0) as usize).min(steps)).collect();
    let mut out = Vec::with_capacity(times.len());
    let mut risk = risk_of(&laws);
    let mut before = risk;
    let (mut rhs, mut upper) = (vec![0.0; count], vec![0.0; count]);
    for step in 0..=steps {
        for _ in marks.iter().filter(|&&mark| mark == step) {
            out.push(risk);
        }
        if step == steps || out.len() == marks.len() {
            break;
        }
        let damped = step < DAMPED;
        let advance = |laws: &mut [Vec<f64>], half: f64, rhs: &mut [f64], upper: &mut [f64]| {
            let theta = if damped { 1.0 } else { 0.5 };
            for (p, &(w, _)) in laws.iter_mut().zip(&problem.teacher) {
                let diffusion = 0.5 * problem.eta * problem.eta * problem.c2 * half;
                let scale = dt * diffusion / (h * h);
                // Flux over (node, node + 1) is (D/h)(out p_i - back p_(i+1)).
                let flows: Vec<(f64, f64)> = levels
                    .iter()
                    .map(|l| {
                        let z = problem.eta * (problem.c1 * w - problem.c2 * l) * h / diffusion;
                        (scale * bernoulli(-z), scale * bernoulli(z))
                    })
                    .collect();
                explicit(p, &between, &flows, 1.0 - theta, rhs);
                implicit(p, &between, &flows, theta, rhs, upper);
            }
        };
        let old = laws.clone();
        // Predict with the risk extrapolated to the half step (the start: the risk itself), correct with the mean of both ends.
        let guess = if damped { risk } else { 1.5 * risk - 0.5 * before };
        advance(&mut laws, guess, &mut rhs, &mut upper);
        let end = risk_of(&laws);
        if damped {
            laws.clone_from(&old);
            advance(&mut laws, end, &mut rhs, &mut upper);
        } else if (0.5 * (risk + end) - guess).abs() > 1e-9 * risk {
            laws = old;
            advance(&mut laws, 0.5 * (risk + end), &mut rhs, &mut upper);
        }
        before = risk;
        risk = risk_of(&laws);
    }
    Ok(out)
}

/// rhs = p + share L p.
fn explicit(p: &[f64], between: &[usize], flows: &[(f64, f64)], share: f64, rhs: &mut [f64]) {
    rhs.copy_from_slice(p);
    if share == 0.0 {
        return;
    }
    for (i, &cell) in between.iter().enumerate() {
        let (forth, back) = flows[cell];
        let flux = share * (forth * p[i] - back * p[i + 1]);
        rhs[i] -= flux;
        rhs[i + 1] += flux;
    }
}

/// Solves (1 - share L) p = rhs by elimination downwards; the matrix is an M-matrix with column sums 1, so no pivot is needed and mass is kept.
fn implicit(p: &mut [f64], between: &[usize], flows: &[(f64, f64)], share: f64, rhs: &mut [f64], upper: &mut [f64]) {
    let last = p.len() - 1;
    let (mut from_left, mut pivot_upper, mut pivot_rhs) = (0.0, 0.0, 0.0);
    // Row i: -forth_(i-1) p_(i-1) + (1 + forth_i + back_(i-1)) p_i - back_i p_(i+1).
    let mut back_left = 0.0;
    for i in 0..=last {
        let (forth, back) = if i < last { flows[between[i]] } else { (0.0, 0.0) };
        let (forth, back) = (share * forth, share * back);
        let inverse = 1.0 / (1.0 + forth + back_left - from_left * pivot_upper);
        pivot_rhs = (rhs[i] + from_left * pivot_rhs) * inverse;
        pivot_upper = back * inverse;
        (rhs[i], upper[i]) = (pivot_rhs, pivot_upper);
        (from_left, back_left) = (forth, back);
    }
    p[last] = rhs[last];
    for i in (0..last).rev() {
        p[i] = upper[i] * p[i + 1] + rhs[i];
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
