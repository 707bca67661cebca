//! Runs of scaled random-K SGD on F = ||x||^2/2 with noise +-sigma/sqrt M in each active block.

use sample::Words;

/// A run's setting.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// M, at most 64
    pub experts: usize,
    /// K
    pub active: usize,
    /// eta
    pub eta: f64,
    /// sigma/sqrt M: the size of the noise in a block.
    pub noise: f64,
    /// x_0 in each block.
    pub start: f64,
    /// T
    pub steps: u32,
}

impl Simulation {
    /// (1/T) sum over t < T of ||x_t||^2 of one run. The subset is drawn by K swaps; an index is off uniform by at most M/2^64.
    pub fn run(&self, words: &mut dyn Words) -> f64 {
        let mut x = vec![self.start; self.experts];
        let mut order: Vec<usize> = (0..self.experts).collect();
        let gain = self.eta * self.experts as f64 / self.active as f64;
        let mut total = 0.0;
        for _ in 0..self.steps {
            total += x.iter().map(|x| x * x).sum::<f64>();
            let signs = words.word();
            for place in 0..self.active {
                let rest = self.experts - place;
                let jump = if rest == 1 { 0 } else { ((u128::from(words.word()) * rest as u128) >> 64) as usize };
                order.swap(place, place + jump);
                let block = order[place];
                let noise = if signs >> place & 1 == 0 { self.noise } else { -self.noise };
                x[block] -= gain * (x[block] + noise);
            }
        }
        total / f64::from(self.steps)
    }
}
