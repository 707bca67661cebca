//! The mean-field limit on a grid of 4,800 cells in 8,000 steps (peer: `bench/fokker_planck.py`).

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use learning::ste::fokker_planck::{LimitProblem, limit_risks};
use learning::ste::quantizer::Quantizer;
use numeric::Rational;
use std::hint::black_box;

fn limit(criterion: &mut Criterion) {
    let sizes: toml::Table = include_str!("../../../benchmarks/sizes.toml").parse().expect("the table of sizes is TOML");
    let size = |key: &str| sizes["fokker_planck"][key].as_integer().and_then(|value| usize::try_from(value).ok()).expect("a size");
    let (cells, steps) = (size("cells"), size("steps"));
    let quantizer = Quantizer::mid_rise(2, &Rational::from(2)).expect("a quantizer");
    // The grid covers [-8, 8]; its thresholds are 4/3 apart.
    let problem = LimitProblem { quantizer, teacher: vec![(1.0, 1.0)], c1: 1.0, c2: 1.0, eta: 0.1, sigma2: 0.01, start: (0.0, 1.0), reach: 8.0 };
    let mut group = criterion.benchmark_group("ste-limit");
    group.sample_size(10);
    group.throughput(Throughput::Elements((cells * steps) as u64));
    group.bench_function("cell steps", |bencher| bencher.iter(|| limit_risks(black_box(&problem), cells / 12, 80.0, steps, &[80.0])));
    group.finish();
}

criterion_group!(benches, limit);
criterion_main!(benches);
