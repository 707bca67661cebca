//! The vector kernels against their scalar twins, the generator against another implementation, the functions against correctly rounded ones.
#![allow(clippy::needless_range_loop, reason = "lanes of several arrays are compared")]

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use simd::chacha::{LANES, Streams};
use simd::draws::{cos_sin_turn, exp, exponential, minus_ln, normal_pair, signed_pareto, tanh, unit, unit_below_one};
use simd::paths::{ADAGRAD_PATHS, AdaGrad, Fill, Sgd, Ste, adagrad, adagrad_portable, fill, fill_portable, sgd, sgd_portable, ste, ste_portable};

fn key() -> [u8; 32] {
    std::array::from_fn(|index| (index * 37 + 11) as u8)
}

fn scalar(stream: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::from_seed(key());
    rng.set_stream(stream);
    rng
}

#[test]
fn the_streams_are_those_of_a_scalar_generator() {
    // Stream numbers across a 32-bit border, and more than the other implementation's buffer of four blocks.
    for first in [0, 5, u64::from(u32::MAX) - 3, u64::MAX - 40] {
        let mut streams = Streams::new(&key(), first);
        let mut others: Vec<ChaCha8Rng> = (0..LANES as u64).map(|lane| scalar(first + lane)).collect();
        for _ in 0..40 {
            for row in streams.block() {
                for (lane, word) in row.into_iter().enumerate() {
                    assert_eq!(word, others[lane].next_u64(), "stream {first} + {lane}");
                }
            }
        }
    }
}

#[test]
fn draws_are_as_accurate_as_stated() {
    let mut rng = scalar(99);
    let mut extremes = vec![0, 1, u64::MAX, 1 << 63, 1 << 12, (1 << 12) - 1, u64::MAX - (1 << 12)];
    extremes.extend((0..200_000).map(|_| rng.next_u64()));
    for word in extremes {
        let (u, v) = (unit(word), unit_below_one(word));
        assert!(u > 0.0 && u <= 1.0 && (0.0..1.0).contains(&v) && u + v == 1.0);
        let log = -core_math::log(u);
        let slack = if log > 1e-6 { 4e-16 * log } else { 1e-16 };
        assert!((minus_ln(u) - log).abs() <= slack, "-ln {u:e}: {:e} and {log:e}", minus_ln(u));
        for x in [1400.0 * (v - 0.5), 40.0 * (v - 0.5), v - 0.5] {
            let power = core_math::exp(x);
            assert!((exp(x) - power).abs() <= 4e-16 * power, "exp {x}: {:e} and {power:e}", exp(x));
            assert!((tanh(x) - core_math::tanh(x)).abs() <= 4e-16, "tanh {x}");
        }
        let (cos, sin) = cos_sin_turn(v);
        assert!((cos - core_math::cospi(2.0 * v)).abs() <= 4e-16 && (sin - core_math::sinpi(2.0 * v)).abs() <= 4e-16, "turn {v}: {cos} {sin}");
        let (a, b) = normal_pair(word, word.rotate_left(17));
        assert!(a.abs() < 8.6 && b.abs() < 8.6);
        assert!(exponential(word) >= 0.0 && exponential(word) < 36.1);
        assert!(signed_pareto(word, 1.0 / 1.7).abs() >= 1.0 && signed_pareto(word, 19.0).is_finite());
    }
    assert_eq!((minus_ln(1.0).to_bits(), exp(0.0), tanh(0.0), cos_sin_turn(0.0)), (0, 1.0, 0.0, (1.0, 0.0)));
    assert_eq!((tanh(1e300), tanh(-1e300)), (1.0, -1.0));
}

const SGD: Sgd = Sgd { start: 1.0, gamma: 0.01, curvature: 1.0, sigma: 1.0 };
const ADAGRAD: AdaGrad = AdaGrad { start: 5.0, gamma: 1.0, lambda: 1.0, scale: 1.0, inverse_alpha: 1.0 / 1.7 };

#[test]
fn vector_and_portable_code_agree_bit_for_bit() {
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
    for (first, steps) in [(0, 0), (0, 1), (3, 7), (8, 1_000), (1 << 40, 1_003)] {
        assert_eq!(bits(&sgd(&key(), first, SGD, steps)), bits(&sgd_portable(&key(), first, SGD, steps)));
        let (a, b) = (adagrad(&key(), first, ADAGRAD, steps), adagrad_portable(&key(), first, ADAGRAD, steps));
        assert_eq!((bits(&a.x), bits(&a.v), bits(&a.slopes)), (bits(&b.x), bits(&b.v), bits(&b.slopes)));
    }
    for kind in [Fill::Normal, Fill::Exponential, Fill::Pareto(1.0 / 1.7)] {
        for length in [0, 1, 63, 128, 1_000] {
            let (mut a, mut b) = (vec![0.0; length], vec![0.0; length]);
            fill(&key(), 7, kind, &mut a);
            fill_portable(&key(), 7, kind, &mut b);
            assert_eq!(bits(&a), bits(&b), "{kind:?} {length}");
        }
    }
}

#[test]
fn a_lane_is_the_path_of_its_own_stream() {
    let steps = 501;
    let (last, sums) = (sgd(&key(), 20, SGD, steps), adagrad(&key(), 20, ADAGRAD, steps));
    for (lane, end) in last.into_iter().enumerate() {
        let mut rng = scalar(20 + lane as u64);
        let mut x = SGD.start;
        let mut spare = None;
        for _ in 0..steps {
            let noise = spare.take().unwrap_or_else(|| {
                let (a, b) = normal_pair(rng.next_u64(), rng.next_u64());
                spare = Some(b);
                a
            });
            x = (-SGD.gamma).mul_add(SGD.curvature.mul_add(x, SGD.sigma * noise), x);
        }
        assert_eq!(x.to_bits(), end.to_bits());
    }
    for lane in 0..ADAGRAD_PATHS {
        let mut rng = scalar(20 + lane as u64);
        let (mut x, mut v, mut slopes) = (ADAGRAD.start, 0.0, 0.0);
        for _ in 0..steps {
            let slope = tanh(x);
            let g: f64 = slope + ADAGRAD.scale * signed_pareto(rng.next_u64(), ADAGRAD.inverse_alpha);
            slopes += slope.abs();
            v = g.mul_add(g, v);
            x = (-ADAGRAD.gamma).mul_add(g / (ADAGRAD.lambda + f64::sqrt(v)), x);
        }
        assert_eq!((x.to_bits(), v.to_bits(), slopes.to_bits()), (sums.x[lane].to_bits(), sums.v[lane].to_bits(), sums.slopes[lane].to_bits()));
    }
}

#[test]
fn straight_through_updates_are_those_of_a_scalar_loop() {
    let start: Vec<f64> = (0..13).map(|i| f64::from(i) / 4.0 - 1.5).collect();
    let teacher = vec![1.0; 13];
    let method = Ste { teacher: &teacher, start: &start, eta: 0.1, sigma: 0.1, delta: 4.0 / 3.0, range: 2.0 };
    let marks = [0, 5, 40];
    let risks = ste(&key(), 3, method, &marks);
    assert_eq!(risks, ste_portable(&key(), 3, method, &marks));
    let phi = |w: f64| (w * (1.0 / method.delta)).floor().mul_add(method.delta, 0.5 * method.delta).clamp(-method.range, method.range);
    for lane in 0..LANES {
        let mut rng = scalar(3 + lane as u64);
        let mut w = start.clone();
        for step in 0..=40 {
            if let Some(index) = marks.iter().position(|&mark| mark == step) {
                let sum = w.iter().fold(0.0, |sum, &w| (1.0 - phi(w)).mul_add(1.0 - phi(w), sum));
                assert_eq!(risks[index][lane], method.sigma.mul_add(method.sigma, sum / 13.0), "lane {lane}, step {step}");
            }
            // 14 normals are needed; whole blocks give 16.
            let x: Vec<f64> = (0..8).flat_map(|_| <[f64; 2]>::from(normal_pair(rng.next_u64(), rng.next_u64()))).collect();
            let noise = (method.sigma * 13_f64.sqrt()) * x[13];
            let error = w.iter().zip(&x).fold(noise, |e, (&w, x)| x.mul_add(1.0 - phi(w), e)) * (method.eta / 13.0);
            for (w, x) in w.iter_mut().zip(&x) {
                *w = error.mul_add(*x, *w);
            }
        }
    }
}

#[test]
fn means_and_variances() {
    let mut draws = vec![0.0; 1 << 20];
    let moments = |draws: &[f64]| {
        let n = draws.len() as f64;
        let mean = draws.iter().sum::<f64>() / n;
        (mean, draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n)
    };
    // Six standard errors at 2^20 draws: 0.0059 for a mean of variance 1; 0.0083 and 0.017 for the variances (fourth central moments 3 and 9).
    fill(&key(), 0, Fill::Normal, &mut draws);
    let (mean, variance) = moments(&draws);
    assert!(mean.abs() < 0.0059 && (variance - 1.0).abs() < 0.0083, "{mean} {variance}");
    fill(&key(), 8, Fill::Exponential, &mut draws);
    let (mean, variance) = moments(&draws);
    assert!((mean - 1.0).abs() < 0.0059 && (variance - 1.0).abs() < 0.017, "{mean} {variance}");
    // Signed Pareto of index 4: mean 0, second moment 2 (its variance is infinite: half a part in ten is loose), sizes with mean 4/3 and variance 2/9.
    fill(&key(), 16, Fill::Pareto(0.25), &mut draws);
    let sizes: Vec<f64> = draws.iter().map(|x| x.abs()).collect();
    let (mean, _) = moments(&draws);
    let (size, _) = moments(&sizes);
    assert!(mean.abs() < 0.0084 && (size - 4.0 / 3.0).abs() < 0.0028, "{mean} {size}");
}
