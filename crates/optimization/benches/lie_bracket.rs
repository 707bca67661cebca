//! Scores of 10,000 sources in 4,096 dimensions: two passes over the rows (peer: `bench/tournament.py`), and the two passes' memory traffic alone.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use optimization::lie_bracket::scale::{InMemory, scored_rows};
use std::hint::black_box;

/// Doubles in [-1, 1] from a fixed generator.
fn doubles(count: usize, mut state: u64) -> Vec<f64> {
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        })
        .collect()
}

fn tournament(criterion: &mut Criterion) {
    let sizes: toml::Table = include_str!("../../../benchmarks/sizes.toml").parse().expect("the table of sizes is TOML");
    let size = |key: &str| sizes["tournament"][key].as_integer().and_then(|value| usize::try_from(value).ok()).expect("a size");
    let (sources, dimension) = (size("sources"), size("dimension"));
    let (gradients, curved) = (doubles(sources * dimension, 1), doubles(sources * dimension, 2));
    let mut group = criterion.benchmark_group("lie-bracket-tournament");
    group.sample_size(10);
    group.throughput(Throughput::Elements((sources * dimension) as u64));
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    for threads in [1, 2] {
        let pool = pool(threads);
        group.bench_function(format!("scores with errors, {threads} threads"), |bencher| {
            bencher.iter(|| pool.install(|| scored_rows(&InMemory { gradients: black_box(&gradients), curved: &curved, dimension })));
        });
    }
    group.bench_function("both arrays read twice", |bencher| {
        bencher.iter(|| {
            let sum = |values: &[f64]| values.chunks_exact(8).fold([0.0; 8], |sums, chunk| std::array::from_fn(|lane| sums[lane] + chunk[lane]));
            for _ in 0..2 {
                black_box((sum(black_box(&gradients)), sum(black_box(&curved))));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, tournament);
criterion_main!(benches);
