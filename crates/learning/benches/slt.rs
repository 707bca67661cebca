//! Exact covering numbers with a proof: points in the plane, centres at the points, or on a grid as well; certified means of maxima.
//!
//! Peer: `bench/setcover.py` (SciPy's HiGHS on the same kind of instances, without a proof that a second reader can check).

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use learning::slt::chaining::expected_max;
use learning::slt::covering::cover;
use std::hint::black_box;

/// Integer points of [0, 9999]^2 from a fixed generator.
fn points(count: usize, seed: u64) -> Vec<[i64; 2]> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 24) % 10_000) as i64
    };
    (0..count).map(|_| [next(), next()]).collect()
}

/// Which balls hold which points: the points as centres, and with `free` the grid points of 500 steps as well.
fn balls(points: &[[i64; 2]], radius: i64, free: bool) -> Vec<Vec<bool>> {
    let mut centres = points.to_vec();
    if free {
        centres.extend((0..20).flat_map(|x| (0..20).map(move |y| [250 + 500 * x, 250 + 500 * y])));
    }
    let square = |a: &[i64; 2], b: &[i64; 2]| (a[0] - b[0]).pow(2) + (a[1] - b[1]).pow(2);
    points.iter().map(|p| centres.iter().map(|c| square(p, c) <= radius * radius).collect()).collect()
}

fn coverings(criterion: &mut Criterion) {
    let sizes: toml::Table = include_str!("../../../benchmarks/sizes.toml").parse().expect("the table of sizes is TOML");
    let sizes = &sizes["setcover"];
    let integer = |value: &toml::Value| value.as_integer().expect("a size");
    let (radius, instances) = (integer(&sizes["radius"]), integer(&sizes["instances"]) as u64);
    let counts = sizes["points"].as_array().expect("a list of sizes").iter().map(|count| integer(count) as usize);
    let mut group = criterion.benchmark_group("slt-covering");
    group.sample_size(20);
    group.throughput(Throughput::Elements(instances));
    for (count, free) in counts.flat_map(|count| [(count, false), (count, true)]) {
        let data: Vec<Vec<[i64; 2]>> = (1..=instances).map(|seed| points(count, seed)).collect();
        let name = format!("{count} points, {}", if free { "400 more centres" } else { "centres at the points" });
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                data.iter()
                    .map(|points| {
                        let table = balls(black_box(points), radius, free);
                        let within = |p: usize, c: usize| table[p][c];
                        let found = cover(count, table[0].len(), within).expect("it is settled");
                        found.verify(count, table[0].len(), within).expect("the proof is one");
                        found.size()
                    })
                    .sum::<usize>()
            });
        });
    }
    group.finish();
}

/// Means of maxima to 30 digits, certified.
fn maxima(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("slt-maxima");
    group.sample_size(20);
    for count in [2, 10, 100] {
        group.bench_function(format!("largest of {count} normals, 30 digits"), |bencher| bencher.iter(|| expected_max(black_box(count), 100)));
    }
    group.finish();
}

criterion_group!(benches, coverings, maxima);
criterion_main!(benches);
