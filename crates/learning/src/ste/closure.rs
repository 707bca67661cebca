//! The Gaussian closure: the finite-dimensional equation that follows if every weight were normal given its teacher's value. It is exact for weights that are
//! not quantized and wrong otherwise.

use super::quantizer::Quantizer;
use numeric::Real;

/// The closure's setting in doubles.
#[derive(Clone, Debug)]
pub struct Closure {
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
}

impl Closure {
    fn risk(&self, state: &[(f64, f64)]) -> f64 {
        self.teacher.iter().zip(state).fold(self.sigma2, |sum, (&(w, share), (m, v))| {
            let at = self.quantizer.normal_moments(m, v);
            sum + share * (w * w - 2.0 * self.c1 * w * at.mean + self.c2 * at.square)
        })
    }

    fn slope(&self, state: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let noise = self.eta * self.eta * self.c2 * self.risk(state);
        let slopes = self.teacher.iter().zip(state).map(|(&(w, _), (m, v))| {
            let at = self.quantizer.normal_moments(m, v);
            let mean = self.eta * (self.c1 * w - self.c2 * at.mean);
            (mean, noise - 2.0 * self.eta * self.c2 * (at.cross - m * at.mean))
        });
        slopes.collect()
    }

    /// The risks at the given times (ascending), by Runge and Kutta's rule of order 4 with steps of at most `dt`, from a normal law of mean m and variance v > 0
    /// for every teacher's value; and the last state.
    #[must_use]
    pub fn run(&self, start: (f64, f64), dt: f64, times: &[f64]) -> (Vec<f64>, Vec<(f64, f64)>) {
        let mut state = vec![start; self.teacher.len()];
        let mut now = 0.0;
        let moved = |state: &[(f64, f64)], slope: &[(f64, f64)], step: f64| -> Vec<(f64, f64)> {
            state.iter().zip(slope).map(|(x, k)| (step.mul_add(k.0, x.0), step.mul_add(k.1, x.1).max(f64::MIN_POSITIVE))).collect()
        };
        let mut risks = Vec::with_capacity(times.len());
        for &time in times {
            let steps = ((time - now) / dt).ceil().max(0.0);
            let step = if steps > 0.0 { (time - now) / steps } else { 0.0 };
            for _ in 0..steps as u64 {
                let k1 = self.slope(&state);
                let k2 = self.slope(&moved(&state, &k1, step / 2.0));
                let k3 = self.slope(&moved(&state, &k2, step / 2.0));
                let k4 = self.slope(&moved(&state, &k3, step));
                let mean: Vec<(f64, f64)> = (0..state.len())
                    .map(|i| {
                        let of = |part: fn(&(f64, f64)) -> f64| (part(&k1[i]) + 2.0 * part(&k2[i]) + 2.0 * part(&k3[i]) + part(&k4[i])) / 6.0;
                        (of(|k| k.0), of(|k| k.1))
                    })
                    .collect();
                state = moved(&state, &mean, step);
            }
            now = time;
            risks.push(self.risk(&state));
        }
        (risks, state)
    }
}

/// The residuals of the closure's stationary equations at (m, v): the mean drift c1 w* - c2 E phi, and 2 c2 (E W phi - m E phi) - eta c2 R; with R.
pub fn stationary_residuals<S: Real>(quantizer: &Quantizer, teacher: &S, c: (&S, &S), eta: &S, sigma2: &S, at: (&S, &S)) -> (S, S, S) {
    let moments = quantizer.normal_moments(at.0, at.1);
    let two = S::from_i64(2);
    let (c1, c2) = (c.0.clone(), c.1.clone());
    let risk = sigma2.clone() + teacher.square() - two.clone() * c1.clone() * teacher.clone() * moments.mean.clone() + c2.clone() * moments.square;
    let drift = c1 * teacher.clone() - c2.clone() * moments.mean.clone();
    let balance = two * (moments.cross - at.0.clone() * moments.mean) - eta.clone() * risk.clone();
    (drift, c2 * balance, risk)
}
