//! The exact mass check on short integer vectors, the streaming kernels, and the whole selection on score files in the page cache.
//!
//! Peers: `bench/emp_exact.py` (Python integers and NumPy's vectorized int64 on the same job), `bench/emp_scores.py` (NumPy on a score file).

use claim::{Batch, Check};
use compression::emp::algorithm::{effective_size, mass_floor_by_squares, retained_count};
use compression::emp::scores::{Mode, Scores, Stream};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::io::Write;

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
    let sizes: toml::Table = include_str!("../../../benchmarks/sizes.toml").parse().expect("the table of sizes is TOML");
    let data = vectors(sizes["exact"]["vectors"].as_integer().and_then(|count| usize::try_from(count).ok()).expect("a count"));
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

/// A .npy file of heavy-tailed scores (a fixed generator; the reciprocal of a uniform number, either sign).
fn score_file(count: u32, descr: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".npy").tempfile().expect("the temporary folder can be written");
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({count},), }}");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    for i in 0..count {
        let word = i.wrapping_mul(2_654_435_761).rotate_left(13).wrapping_mul(0x9e37_79b1);
        let value = 1.0 / f64::from((word >> 1) + (1 << 20)) * if word & 1 == 0 { 1.0 } else { -1.0 };
        if descr == "<f4" { bytes.extend((value as f32).to_le_bytes()) } else { bytes.extend(value.to_le_bytes()) }
    }
    file.write_all(&bytes).expect("the temporary folder has room");
    file
}

/// Totals, retained count, threshold and sums of the kept, all exact, on one thread.
fn files(criterion: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread can be started");
    let mut group = criterion.benchmark_group("emp-file, one thread");
    group.sample_size(20);
    for (descr, mode) in [("<f4", Mode::Magnitude), ("<f8", Mode::Magnitude), ("<f4", Mode::Shift)] {
        for count in [10_000_u32, 1_000_000, 10_000_000] {
            let file = score_file(count, descr);
            let Ok(data::Input::Binary(binary)) = data::open(file.path()) else { panic!("the file is a .npy file") };
            group.throughput(Throughput::Elements(u64::from(count)));
            group.bench_function(format!("{descr} {mode:?} {count}"), |bencher| {
                bencher.iter(|| {
                    pool.install(|| {
                        let scores = Scores::Stream(Stream::new(&binary, binary.tensors.clone(), mode));
                        let (totals, hint) = scores.totals().expect("all are finite");
                        let n_eff = effective_size(&totals.s1, &totals.s2).expect("not all are zero");
                        scores.select(retained_count(&n_eff, &numeric::Rational::from(1), totals.n), &hint).expect("the file stays")
                    })
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, exact, kernels, files);
criterion_main!(benches);
