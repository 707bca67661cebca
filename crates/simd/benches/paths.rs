//! Draws and simulation steps per second on one core. The peers' figures on the same jobs are those of NumPy (`bench/paths.py`).

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simd::chacha::LANES;
use simd::paths::{ADAGRAD_PATHS, AdaGrad, Fill, Sgd, Ste, adagrad, fill, sgd, ste};
use std::hint::black_box;

/// Paths a group and steps a path: the sizes of `bench/sizes.toml`.
const BATCHES: u64 = 64;
const STEPS: u64 = 1_000;

fn paths(criterion: &mut Criterion) {
    let key = [7; 32];
    let mut group = criterion.benchmark_group("paths");
    let mut block = vec![0.0; 1 << 14];
    group.throughput(Throughput::Elements(block.len() as u64));
    for (name, kind) in [("normals", Fill::Normal), ("exponentials", Fill::Exponential), ("signed Pareto 1.7", Fill::Pareto(1.0 / 1.7))] {
        group.bench_function(name, |bencher| bencher.iter(|| fill(&key, 0, kind, black_box(&mut block))));
    }
    group.throughput(Throughput::Elements(BATCHES * LANES as u64 * STEPS));
    let method = Sgd { start: 1.0, gamma: 1.0, curvature: 1.0, sigma: 1.0 };
    group.bench_function("SGD, normal noise", |bencher| {
        bencher.iter(|| (0..BATCHES).map(|batch| sgd(&key, LANES as u64 * batch, black_box(method), STEPS)[0]).sum::<f64>());
    });
    group.throughput(Throughput::Elements(BATCHES * ADAGRAD_PATHS as u64 * STEPS));
    let method = AdaGrad { start: 5.0, gamma: 1.0, lambda: 1.0, scale: 1.0, inverse_alpha: 1.0 / 1.7 };
    group.bench_function("AdaGrad on ln cosh, signed Pareto noise", |bencher| {
        bencher.iter(|| (0..BATCHES).map(|batch| adagrad(&key, ADAGRAD_PATHS as u64 * batch, black_box(method), STEPS).slopes[0]).sum::<f64>());
    });
    // d = 400, 400 steps: the quantizer of two bits on [-2, 2].
    let (start, teacher): (Vec<f64>, Vec<f64>) = (0..400).map(|i| (f64::from(i) / 100.0 - 2.0, 1.0)).unzip();
    let method = Ste { teacher: &teacher, start: &start, eta: 0.1, sigma: 0.1, delta: 4.0 / 3.0, range: 2.0 };
    group.throughput(Throughput::Elements(LANES as u64 * 400 * 400));
    group.bench_function("straight-through updates, d = 400", |bencher| bencher.iter(|| ste(&key, 0, black_box(method), &[400])[0][0]));
    group.finish();
}

criterion_group!(benches, paths);
criterion_main!(benches);
