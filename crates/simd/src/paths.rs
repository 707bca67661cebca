//! Many paths at once: sixteen streams a batch, each lane one path.
//!
//! Every kernel is one function of plain loops over lanes, compiled three times: for the baseline, for AVX2 with FMA and for AVX-512. The operations and their
//! order are the source's, so all give the same bits, and lane i gives what a scalar loop over stream i gives.
#![allow(clippy::needless_range_loop, reason = "one plain loop over the lanes an operation is the shape that becomes vector code")]

use crate::chacha::{LANES, Row, Source, Streams, WORDS};
use crate::draws::{exponential, normal_pair, signed_pareto, tanh};

/// One number a path.
pub type Lanes = [f64; LANES];

/// SGD in one dimension on curvature x^2/2 with normal noise: x <- x - gamma (curvature x + sigma xi).
#[derive(Clone, Copy, Debug)]
pub struct Sgd {
    /// x_1
    pub start: f64,
    /// Step size.
    pub gamma: f64,
    /// f'' = curvature.
    pub curvature: f64,
    /// Scale of the noise.
    pub sigma: f64,
}

/// AdaGrad in one dimension on ln cosh x with signed Pareto noise: v <- v + g^2, x <- x - gamma g/(lambda + sqrt v), g = tanh x + scale xi.
#[derive(Clone, Copy, Debug)]
pub struct AdaGrad {
    /// x_1
    pub start: f64,
    /// Step size.
    pub gamma: f64,
    /// Offset outside the root, positive.
    pub lambda: f64,
    /// Least size of the noise.
    pub scale: f64,
    /// 1/alpha of the noise, at most 8 (so that no square overflows).
    pub inverse_alpha: f64,
}

/// Paths of AdaGrad a batch: two groups of lanes, whose chains of dependent operations hide each other's latency.
pub const ADAGRAD_PATHS: usize = 2 * LANES;

/// What a batch of paths of AdaGrad leave behind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaGradSums {
    /// The last iterate.
    pub x: [f64; ADAGRAD_PATHS],
    /// v_T
    pub v: [f64; ADAGRAD_PATHS],
    /// sum of |tanh x_t|
    pub slopes: [f64; ADAGRAD_PATHS],
}

/// What is done with the draws of a batch.
trait Kernel {
    /// The result.
    type Out;
    /// Runs over the streams.
    fn run(self, streams: impl Source) -> Self::Out;
}

#[inline(always)]
fn normals(first: &Row, second: &Row) -> (Lanes, Lanes) {
    let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        (x[lane], y[lane]) = normal_pair(first[lane], second[lane]);
    }
    (x, y)
}

struct RunSgd {
    method: Sgd,
    steps: u64,
}

impl Kernel for RunSgd {
    type Out = Lanes;

    #[inline(always)]
    fn run(self, mut streams: impl Source) -> Lanes {
        let Sgd { start, gamma, curvature, sigma } = self.method;
        let mut x = [start; LANES];
        let mut left = self.steps;
        while left > 0 {
            let rows = streams.block();
            for pair in rows.as_chunks::<2>().0 {
                let (a, b) = normals(&pair[0], &pair[1]);
                for noise in [a, b] {
                    if left == 0 {
                        break;
                    }
                    left -= 1;
                    for lane in 0..LANES {
                        x[lane] = (-gamma).mul_add(curvature.mul_add(x[lane], sigma * noise[lane]), x[lane]);
                    }
                }
            }
        }
        x
    }
}

struct RunAdaGrad {
    method: AdaGrad,
    steps: u64,
}

impl Kernel for RunAdaGrad {
    type Out = AdaGradSums;

    #[inline(always)]
    fn run(self, mut streams: impl Source) -> AdaGradSums {
        let AdaGrad { start, gamma, lambda, scale, inverse_alpha } = self.method;
        let (mut x, mut v, mut slopes) = ([start; ADAGRAD_PATHS], [0.0; ADAGRAD_PATHS], [0.0; ADAGRAD_PATHS]);
        let mut others = streams.next();
        let mut left = self.steps;
        while left > 0 {
            for rows in streams.block().iter().zip(&others.block()) {
                if left == 0 {
                    break;
                }
                left -= 1;
                let mut noise = [0.0; ADAGRAD_PATHS];
                for lane in 0..LANES {
                    noise[lane] = scale * signed_pareto(rows.0[lane], inverse_alpha);
                }
                for lane in 0..LANES {
                    noise[LANES + lane] = scale * signed_pareto(rows.1[lane], inverse_alpha);
                }
                for lane in 0..ADAGRAD_PATHS {
                    let slope = tanh(x[lane]);
                    let g = slope + noise[lane];
                    slopes[lane] += slope.abs();
                    v[lane] = g.mul_add(g, v[lane]);
                    x[lane] = (-gamma).mul_add(g / (lambda + v[lane].sqrt()), x[lane]);
                }
            }
        }
        AdaGradSums { x, v, slopes }
    }
}

/// Online SGD with the straight-through estimator on a linear model whose weights pass through a mid-rise quantizer: with x standard normal in d dimensions,
/// e = (teacher - phi(w)).x + sqrt(d) sigma xi and w <- w + (eta/d) e x, phi(w) = clip(delta floor(w/delta) + delta/2, -range, range).
#[derive(Clone, Copy, Debug)]
pub struct Ste<'a> {
    /// The teacher's weights, one a coordinate.
    pub teacher: &'a [f64],
    /// The first weights, as many.
    pub start: &'a [f64],
    /// Step size.
    pub eta: f64,
    /// Scale of the label noise.
    pub sigma: f64,
    /// Distance of neighbouring thresholds.
    pub delta: f64,
    /// Largest value of the quantizer.
    pub range: f64,
}

struct RunSte<'a> {
    method: Ste<'a>,
    marks: &'a [u64],
}

impl Kernel for RunSte<'_> {
    type Out = Vec<Lanes>;

    #[inline(always)]
    fn run(self, mut streams: impl Source) -> Vec<Lanes> {
        let Ste { teacher, start, eta, sigma, delta, range } = self.method;
        let d = teacher.len().min(start.len());
        let (inverse, rate, noise_scale) = (1.0 / delta, eta / d as f64, sigma * (d as f64).sqrt());
        let mut w: Vec<Lanes> = start[..d].iter().map(|&w| [w; LANES]).collect();
        // d inputs and one noise a step, from whole blocks.
        let mut x = vec![[0.0; LANES]; (d + 1).div_ceil(WORDS) * WORDS];
        let mut out = Vec::with_capacity(self.marks.len());
        let last = self.marks.iter().copied().max().unwrap_or(0);
        for step in 0..=last {
            for _ in self.marks.iter().filter(|&&mark| mark == step) {
                let mut risk = [0.0; LANES];
                for (w, &teacher) in w.iter().zip(teacher) {
                    for lane in 0..LANES {
                        let gap = teacher - quantize(w[lane], delta, inverse, range);
                        risk[lane] = gap.mul_add(gap, risk[lane]);
                    }
                }
                out.push(risk.map(|sum| sigma.mul_add(sigma, sum / d as f64)));
            }
            if step == last {
                break;
            }
            for chunk in x.as_chunks_mut::<WORDS>().0 {
                let rows = streams.block();
                for (pair, out) in rows.as_chunks::<2>().0.iter().zip(chunk.as_chunks_mut::<2>().0) {
                    (out[0], out[1]) = normals(&pair[0], &pair[1]);
                }
            }
            let mut error = [0.0; LANES];
            for lane in 0..LANES {
                error[lane] = noise_scale * x[d][lane];
            }
            for ((w, x), &teacher) in w.iter().zip(&x).zip(teacher) {
                for lane in 0..LANES {
                    let gap = teacher - quantize(w[lane], delta, inverse, range);
                    error[lane] = x[lane].mul_add(gap, error[lane]);
                }
            }
            for lane in 0..LANES {
                error[lane] *= rate;
            }
            for (w, x) in w.iter_mut().zip(&x) {
                for lane in 0..LANES {
                    w[lane] = error[lane].mul_add(x[lane], w[lane]);
                }
            }
        }
        out
    }
}

#[inline(always)]
fn quantize(w: f64, delta: f64, inverse: f64, range: f64) -> f64 {
    (w * inverse).floor().mul_add(delta, 0.5 * delta).clamp(-range, range)
}

/// The risks sigma^2 + |teacher - phi(w)|^2/d of a batch of runs over streams `first`, `first + 1`, .. at the given steps, which must increase.
#[must_use]
pub fn ste(key: &[u8; 32], first: u64, method: Ste<'_>, marks: &[u64]) -> Vec<Lanes> {
    dispatch(RunSte { method, marks }, Streams::new(key, first), false)
}

/// The same without vector instructions.
#[must_use]
pub fn ste_portable(key: &[u8; 32], first: u64, method: Ste<'_>, marks: &[u64]) -> Vec<Lanes> {
    dispatch(RunSte { method, marks }, Streams::new(key, first), true)
}

/// What a fill draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// Standard normals.
    Normal,
    /// Exponentials of mean 1.
    Exponential,
    /// Signed Pareto draws of least size 1: 1/alpha, at most 19.
    Pareto(f64),
}

struct RunFill<'a> {
    kind: Fill,
    out: &'a mut [f64],
}

impl Kernel for RunFill<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, mut streams: impl Source) {
        for chunk in self.out.chunks_mut(LANES * WORDS) {
            let rows = streams.block();
            let mut draws = [[0.0; LANES]; WORDS];
            match self.kind {
                Fill::Normal => {
                    for (pair, out) in rows.as_chunks::<2>().0.iter().zip(draws.as_chunks_mut::<2>().0) {
                        (out[0], out[1]) = normals(&pair[0], &pair[1]);
                    }
                }
                Fill::Exponential => {
                    for (row, out) in rows.iter().zip(&mut draws) {
                        for lane in 0..LANES {
                            out[lane] = exponential(row[lane]);
                        }
                    }
                }
                Fill::Pareto(inverse) => {
                    for (row, out) in rows.iter().zip(&mut draws) {
                        for lane in 0..LANES {
                            out[lane] = signed_pareto(row[lane], inverse);
                        }
                    }
                }
            }
            for (slot, value) in chunk.iter_mut().zip(draws.as_flattened()) {
                *slot = *value;
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! Safety: each function is called only after the processor was asked for its instructions; they have no other unsafe operation.
    #![allow(unsafe_code)]

    use super::{Kernel, Streams};
    use crate::chacha::wide::Wide;

    #[target_feature(enable = "avx2,fma")]
    fn compiled_avx2<K: Kernel>(kernel: K, streams: Streams) -> K::Out {
        kernel.run(streams)
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
    fn compiled_avx512<K: Kernel>(kernel: K, streams: Streams) -> K::Out {
        kernel.run(Wide(streams))
    }

    /// Runs the kernel by the widest instructions that the processor has; gives it back where it has neither set.
    pub(super) fn run<K: Kernel>(kernel: K, streams: Streams) -> Result<K::Out, (K, Streams)> {
        let fma = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let wide = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw");
        if fma && wide {
            // SAFETY: the processor has been asked for the instructions.
            Ok(unsafe { compiled_avx512(kernel, streams) })
        } else if fma {
            // SAFETY: as above.
            Ok(unsafe { compiled_avx2(kernel, streams) })
        } else {
            Err((kernel, streams))
        }
    }
}

fn dispatch<K: Kernel>(kernel: K, streams: Streams, portable: bool) -> K::Out {
    #[cfg(target_arch = "x86_64")]
    if !portable {
        return match x86::run(kernel, streams) {
            Ok(out) => out,
            Err((kernel, streams)) => kernel.run(streams),
        };
    }
    let _ = portable;
    kernel.run(streams)
}

/// The last iterates of a batch of paths of SGD over streams `first`, `first + 1`, ...
#[must_use]
pub fn sgd(key: &[u8; 32], first: u64, method: Sgd, steps: u64) -> Lanes {
    dispatch(RunSgd { method, steps }, Streams::new(key, first), false)
}

/// The same without vector instructions.
#[must_use]
pub fn sgd_portable(key: &[u8; 32], first: u64, method: Sgd, steps: u64) -> Lanes {
    dispatch(RunSgd { method, steps }, Streams::new(key, first), true)
}

/// A batch of paths of AdaGrad over streams `first`, `first + 1`, ...
#[must_use]
pub fn adagrad(key: &[u8; 32], first: u64, method: AdaGrad, steps: u64) -> AdaGradSums {
    dispatch(RunAdaGrad { method, steps }, Streams::new(key, first), false)
}

/// The same without vector instructions.
#[must_use]
pub fn adagrad_portable(key: &[u8; 32], first: u64, method: AdaGrad, steps: u64) -> AdaGradSums {
    dispatch(RunAdaGrad { method, steps }, Streams::new(key, first), true)
}

/// Fills a slice with draws, row by row over streams `first`, `first + 1`, ...
pub fn fill(key: &[u8; 32], first: u64, kind: Fill, out: &mut [f64]) {
    dispatch(RunFill { kind, out }, Streams::new(key, first), false);
}

/// The same without vector instructions.
pub fn fill_portable(key: &[u8; 32], first: u64, kind: Fill, out: &mut [f64]) {
    dispatch(RunFill { kind, out }, Streams::new(key, first), true);
}
