//! Draws and simulation steps per second on one core. The peers' figures on the same jobs are those of NumPy (`bench/paths.py`).

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simd::chacha::LANES;
use simd::paths::{ADAGRAD_PATHS, AdaGrad, Fill, Sgd, Ste, adagrad, fill, sgd, ste};
use std::hint::black_box;

/// A size of the shared table.
fn size(section: &str, key: &str) -> usize {
    let sizes: toml::Table = include_str!("../../../benchmarks/sizes.toml").parse().expect("the table of sizes is TOML");
    sizes[section][key].as_integer().and_then(|size| usize::try_from(size).ok()).expect("a size is a positive integer")
}

fn paths(criterion: &mut Criterion) {
    let key = [7; 32];
    let (batches, steps) = (size("paths", "batches") as u64, size("paths", "steps") as u64);
    let mut group = criterion.benchmark_group("paths");
    let mut block = vec![0.0; size("draws", "block")];
    group.throughput(Throughput::Elements(block.len() as u64));
    for (name, kind) in [("normals", Fill::Normal), ("exponentials", Fill::Exponential), ("signed Pareto 1.7", Fill::Pareto(1.0 / 1.7))] {
        group.bench_function(name, |bencher| bencher.iter(|| fill(&key, 0, kind, black_box(&mut block))));
    }
    group.throughput(Throughput::Elements(batches * LANES as u64 * steps));
    let method = Sgd { start: 1.0, gamma: 1.0, curvature: 1.0, sigma: 1.0 };
    group.bench_function("SGD, normal noise", |bencher| {
        bencher.iter(|| (0..batches).map(|batch| sgd(&key, LANES as u64 * batch, black_box(method), steps)[0]).sum::<f64>());
    });
    group.throughput(Throughput::Elements(batches * ADAGRAD_PATHS as u64 * steps));
    let method = AdaGrad { start: 5.0, gamma: 1.0, lambda: 1.0, scale: 1.0, inverse_alpha: 1.0 / 1.7 };
    group.bench_function("AdaGrad on ln cosh, signed Pareto noise", |bencher| {
        bencher.iter(|| (0..batches).map(|batch| adagrad(&key, ADAGRAD_PATHS as u64 * batch, black_box(method), steps).slopes[0]).sum::<f64>());
    });
    // The quantizer of two bits on [-2, 2].
    let (d, steps) = (size("straight_through", "dimension"), size("straight_through", "steps") as u64);
    let (start, teacher): (Vec<f64>, Vec<f64>) = (0..d).map(|i| (i as f64 / 100.0 - 2.0, 1.0)).unzip();
    let method = Ste { teacher: &teacher, start: &start, eta: 0.1, sigma: 0.1, delta: 4.0 / 3.0, range: 2.0 };
    group.throughput(Throughput::Elements(LANES as u64 * d as u64 * steps));
    group.bench_function("straight-through updates, d = 400", |bencher| bencher.iter(|| ste(&key, 0, black_box(method), &[steps])[0][0]));
    group.finish();
}

criterion_group!(benches, paths);
criterion_main!(benches);
