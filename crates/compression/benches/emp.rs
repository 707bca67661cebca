//! The exact mass check on short integer vectors, and the streaming kernels.
//!
//! Peers: `bench/emp_exact.py` (Python integers and NumPy's vectorized int64 on the same job), `bench/emp_scores.py` (NumPy on a score file).

use claim::{Batch, Check};
use compression::emp::algorithm::mass_floor_by_squares;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// Sorted vectors of eight heavy-tailed integers below 1000, from a fixed generator.
fn vectors(count: usize) -> Vec<[i64; 8]> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    (0..count)
        .map(|_| {
            let mut values = [0; 8];
            for value in &mut values {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                // The bit length is uniform up to ten.
                *value = ((state >> 32) & ((1 << (state % 11)) - 1)) as i64;
            }
            if values == [0; 8] {
                values[0] = 1;
            }
            values.sort_unstable_by(|a, b| b.cmp(a));
            values
        })
        .collect()
}

fn exact(criterion: &mut Criterion) {
    let data = vectors(20_000);
    let mut group = criterion.benchmark_group("emp-mass-exact");
    group.throughput(Throughput::Elements(data.len() as u64));
    group.bench_function("machine integers, sorted", |bencher| {
        bencher.iter(|| data.iter().filter(|values| mass_floor_by_squares(black_box(&values[..])).is_some_and(|(_, holds)| holds)).count());
    });
    group.bench_function("machine integers, sorting included", |bencher| {
        bencher.iter(|| {
            data.iter()
                .filter(|values| {
                    let mut own = **black_box(values);
                    own.reverse();
                    own.sort_unstable_by(|a, b| b.cmp(a));
                    mass_floor_by_squares(&own).is_some_and(|(_, holds)| holds)
                })
                .count()
        });
    });
    group.finish();
    // The generic formula with exact surds, as the special instances are judged.
    let claims = compression::emp::claims();
    let claim = claims.iter().find(|claim| claim.id == "emp/mass-exact").expect("the claim is registered");
    let parts = (claim.parts)();
    let Check::Exact(check) = &parts[0].checks[0] else { panic!("part (a) is exact") };
    let mut group = criterion.benchmark_group("emp-mass-exact-generic");
    group.throughput(Throughput::Elements(256));
    group.bench_function("exact surds, special instances", |bencher| {
        let mut out = Vec::new();
        bencher.iter(|| {
            out.clear();
            check.evaluate(Batch::Special(1000..1256), &mut out);
            out.len()
        });
    });
    group.finish();
}

fn kernels(criterion: &mut Criterion) {
    let values: Vec<f32> = (0..1_u32 << 18).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / 1e7 - 0.8).collect();
    let mut group = criterion.benchmark_group("emp-kernels");
    group.throughput(Throughput::Elements(values.len() as u64));
    let mut out = Vec::new();
    group.bench_function("moments", |bencher| {
        bencher.iter(|| {
            out.clear();
            simd::moments(black_box(&values), &mut out);
        });
    });
    group.bench_function("moments, portable", |bencher| {
        bencher.iter(|| {
            out.clear();
            simd::moments_portable(black_box(&values), &mut out);
        });
    });
    group.finish();
}

criterion_group!(benches, exact, kernels);
criterion_main!(benches);
