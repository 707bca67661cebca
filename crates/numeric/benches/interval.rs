//! Interval evaluations per second. The peers' figures on the same jobs are those of python-flint and mpmath (53 bits).

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use numeric::{Field, Interval, Real};
use std::hint::black_box;

/// Intervals of width 2^-10 with centres spread over [-scale, scale].
fn inputs(scale: f64) -> Vec<Interval> {
    let sizes: toml::Table = include_str!("../../../benchmarks/sizes.toml").parse().expect("the table of sizes is TOML");
    let count = sizes["interval"]["count"].as_integer().and_then(|count| u32::try_from(count).ok()).expect("a count");
    (0..count)
        .map(|i| {
            let centre = (f64::from(i.wrapping_mul(2_654_435_761) >> 12) / f64::from(1_u32 << 19) - 1.0) * scale;
            Interval::new(centre - 1.0 / 2048.0, centre + 1.0 / 2048.0).expect("the ends are in order")
        })
        .collect()
}

fn horner(criterion: &mut Criterion) {
    let coefficients: Vec<Interval> = (0..=8).rev().map(|k| Interval::ratio(if k % 2 == 0 { 1 } else { -1 }, k + 1)).collect();
    let xs = inputs(1.0);
    let mut group = criterion.benchmark_group("interval");
    group.throughput(Throughput::Elements(xs.len() as u64));
    group.bench_function("degree-8 horner (16 operations)", |bencher| {
        bencher.iter(|| xs.iter().map(|&x| coefficients[1..].iter().fold(coefficients[0], |y, &c| y * black_box(x) + c).hi()).fold(0.0, f64::max));
    });
    let mut out = Vec::new();
    group.bench_function("degree-8 horner, batched", |bencher| {
        bencher.iter(|| {
            out.clear();
            numeric::evaluate_polynomial(&coefficients, black_box(&xs), &mut out);
        });
    });
    let xs = inputs(4.0);
    group.bench_function("exp", |bencher| bencher.iter(|| xs.iter().map(|&x| black_box(x).exp().hi()).fold(0.0, f64::max)));
    group.bench_function("erfc", |bencher| bencher.iter(|| xs.iter().map(|&x| black_box(x).erfc().hi()).fold(0.0, f64::max)));
    group.finish();
}

criterion_group!(benches, horner);
criterion_main!(benches);
