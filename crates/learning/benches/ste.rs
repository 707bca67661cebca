//! The mean-field limit on a grid of 4,800 cells in 8,000 steps (peer: `bench/fokker_planck.py`), and whole runs as the checks simulate them (peer:
//! `bench/paths.py`).

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::Keyed;
use learning::ste::fokker_planck::{LimitProblem, limit_risks};
use learning::ste::quantizer::Quantizer;
use learning::ste::simulate::{Run, Steps, quantile_start};
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

fn runs(criterion: &mut Criterion) {
    let sizes: toml::Table = include_str!("../../../benchmarks/sizes.toml").parse().expect("the table of sizes is TOML");
    let size = |key: &str| sizes["straight_through"][key].as_integer().and_then(|value| usize::try_from(value).ok()).expect("a size");
    let (dimension, steps) = (size("dimension"), size("steps"));
    let quantizer = Quantizer::mid_rise(2, &Rational::from(2)).expect("a quantizer");
    let run = Run {
        weights: Some(Steps::from(&quantizer)),
        inputs: None,
        c1: 1.0,
        c2: 1.0,
        eta: 0.1,
        sigma: 0.1,
        teacher: vec![1.0; dimension],
        start: quantile_start(dimension, 0.0, 1.0),
    };
    let keyed = Keyed::new(0, &["ste", "bench"]);
    let mut group = criterion.benchmark_group("ste-runs");
    group.throughput(Throughput::Elements((dimension * steps) as u64));
    let mut index = 0;
    group.bench_function("coordinate updates", |bencher| {
        bencher.iter(|| {
            index += 1;
            run.risk_after(&mut keyed.stream(index), 0, steps as u64)
        });
    });
    group.finish();
}

criterion_group!(benches, limit, runs);
criterion_main!(benches);
