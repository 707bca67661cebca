//! Online SGD with the straight-through estimator: weights and inputs through any step functions.

use super::quantizer::Quantizer;
use numeric::Rational;
use sample::{Words, fill_normals};

/// A step function in doubles.
#[derive(Clone, Debug)]
pub struct Steps {
    levels: Vec<f64>,
    thresholds: Vec<f64>,
}

impl From<&Quantizer> for Steps {
    fn from(quantizer: &Quantizer) -> Steps {
        let doubles = |values: &[Rational]| values.iter().map(Rational::to_f64_nearest).collect();
        Steps { levels: doubles(quantizer.levels()), thresholds: doubles(quantizer.thresholds()) }
    }
}

/// Thresholds up to which a pass over all coordinates a threshold beats a search a coordinate.
const PASSES: usize = 16;

impl Steps {
    fn apply(&self, from: &[f64], to: &mut [f64]) {
        if self.thresholds.len() > PASSES {
            for (x, y) in from.iter().zip(to) {
                *y = self.levels[self.thresholds.partition_point(|t| t <= x)];
            }
            return;
        }
        // Eight coordinates at a time, so that their levels stay in registers over the thresholds.
        let ((from8, from1), (to8, to1)) = (from.as_chunks::<8>(), to.as_chunks_mut::<8>());
        for (x, y) in from8.iter().zip(to8) {
            let mut out = [self.levels[0]; 8];
            for (&t, &level) in self.thresholds.iter().zip(&self.levels[1..]) {
                for lane in 0..8 {
                    let kept = out[lane];
                    out[lane] = if x[lane] >= t { level } else { kept };
                }
            }
            *y = out;
        }
        for (x, y) in from1.iter().zip(to1) {
            *y = self.levels[self.thresholds.partition_point(|t| t <= x)];
        }
    }
}

/// A run's setting; `weights` or `inputs` is None where they are not quantized.
#[derive(Clone, Debug)]
pub struct Run {
    /// phi
    pub weights: Option<Steps>,
    /// psi
    pub inputs: Option<Steps>,
    /// E x psi
    pub c1: f64,
    /// E psi^2
    pub c2: f64,
    /// Step size.
    pub eta: f64,
    /// Scale of the label noise.
    pub sigma: f64,
    /// w*
    pub teacher: Vec<f64>,
    /// w_0, as many.
    pub start: Vec<f64>,
}

/// A run whose weights left every bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the weights diverge: a step is longer than 1e150 at step {step}")]
pub struct Diverged {
    /// The step.
    pub step: u64,
}

/// A step longer than this counts as divergence.
const TOO_LARGE: f64 = 1e150;
/// Numbers drawn at a time, about.
const BLOCK: usize = 4_096;

/// Eight running sums, so that the order is fixed and the additions do not wait for each other.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0_f64; 8];
    let ((a8, a1), (b8, b1)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (x, y) in a8.iter().zip(b8) {
        for lane in 0..8 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let rest: f64 = a1.iter().zip(b1).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + rest
}

impl Run {
    /// sigma^2 + |w*|^2/d - 2 c1 w*.phi/d + c2 |phi|^2/d
    #[must_use]
    pub fn risk(&self, phi: &[f64]) -> f64 {
        let d = self.teacher.len() as f64;
        let excess = dot(&self.teacher, &self.teacher) - 2.0 * self.c1 * dot(&self.teacher, phi) + self.c2 * dot(phi, phi);
        self.sigma.mul_add(self.sigma, excess / d)
    }

    /// The risks at the given steps, which must not decrease; `normals` fills a slice with the next standard normals, d + 1 a step (the last one is the noise).
    ///
    /// # Errors
    /// [`Diverged`] where a step is longer than 1e150.
    pub fn risks(&self, marks: &[u64], mut normals: impl FnMut(&mut [f64])) -> Result<Vec<f64>, Diverged> {
        let d = self.teacher.len();
        let last = marks.last().copied().unwrap_or(0);
        let block = (BLOCK / (d + 1)).max(1);
        let mut draws = vec![0.0; block * (d + 1)];
        let mut w = self.start.clone();
        let (mut phi, mut psi) = (w.clone(), vec![0.0; d]);
        let scale = 1.0 / (d as f64).sqrt();
        let mut out = Vec::with_capacity(marks.len());
        for step in 0..=last {
            match &self.weights {
                Some(steps) => steps.apply(&w, &mut phi),
                None => phi.copy_from_slice(&w),
            }
            for _ in marks.iter().filter(|&&mark| mark == step) {
                out.push(self.risk(&phi));
            }
            if step == last {
                break;
            }
            let place = (step % block as u64) as usize;
            if place == 0 {
                normals(&mut draws);
            }
            let (x, noise) = draws[place * (d + 1)..(place + 1) * (d + 1)].split_at(d);
            let features: &[f64] = match &self.inputs {
                Some(steps) => {
                    steps.apply(x, &mut psi);
                    &psi
                }
                None => x,
            };
            let error = self.sigma.mul_add(noise[0], scale * (dot(&self.teacher, x) - dot(&phi, features)));
            let move_by = self.eta * scale * error;
            // A NaN is beyond every bound, too.
            if move_by.is_nan() || move_by.abs() > TOO_LARGE {
                return Err(Diverged { step });
            }
            for (w, feature) in w.iter_mut().zip(features) {
                // Not fused: without the instruction the library call would cost more than the rest of the loop.
                *w += move_by * feature;
            }
        }
        Ok(out)
    }

    /// One run for a statistical test: the risk at a step, from the `index`-th fill (below 256) of a source of words.
    ///
    /// # Errors
    /// [`Diverged`] as for [`Self::risks`].
    pub fn risk_after(&self, words: &mut dyn Words, index: u64, steps: u64) -> Result<f64, Diverged> {
        let d = self.teacher.len();
        // Whole blocks, since they are taken in blocks; one fill a run, since a source has 256 of them.
        let block = (BLOCK / (d + 1)).max(1);
        let mut all = vec![0.0; (steps as usize).div_ceil(block) * block * (d + 1)];
        fill_normals(words, index, &mut all);
        let mut at = 0;
        let risks = self.risks(&[steps], |out| {
            out.copy_from_slice(&all[at..at + out.len()]);
            at += out.len();
        })?;
        Ok(risks.first().copied().unwrap_or(f64::NAN))
    }
}

/// The initial weights m + s N^-1((i - 1/2)/d) without the fluctuation of independent draws, in an order without pattern towards any teacher: a stride that is
/// coprime to d.
#[must_use]
pub fn quantile_start(d: usize, mean: f64, spread: f64) -> Vec<f64> {
    let quantile = |i: usize| {
        if 2 * i + 1 == d {
            return mean;
        }
        let p = (i as f64 + 0.5) / d as f64;
        // Bisection of the distribution function: 60 halvings of [-9, 9] pass the last bit.
        let (mut low, mut high) = (-9.0_f64, 9.0_f64);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if numeric::Real::normal_cdf(&middle) < p { low = middle } else { high = middle }
        }
        spread.mul_add(f64::midpoint(low, high), mean)
    };
    let gcd = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let stride = (((d as f64) * 0.618) as usize..).find(|&s| s >= 1 && gcd(s, d) == 1).unwrap_or(1);
    (0..d).map(|i| quantile(i * stride % d)).collect()
}
