//! Enumeration of routings and noise in machine integers, the exact recursion, and simulated routing (peer: `bench/routing.py`).

use compression::moe::Simulation;
use compression::moe::algorithm::{integer_recursion, scaled_step};
use compression::moe::enumerate::{outcomes, square_of_sum};
use compression::moe::instances::Noisy;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::Keyed;
use numeric::Rational;
use std::hint::black_box;

fn enumeration(criterion: &mut Criterion) {
    // Every outcome of a tuple of tokens is one exact step.
    let noise = vec![(2, 2), (2, 1), (3, 3), (4, 2), (6, 1)];
    let single = Noisy { gradient: vec![1, -2, 3, 7, 5], noise, active: 3, batch: 1 };
    let batch = Noisy { gradient: vec![1, -2, 3], noise: vec![(2, 2), (2, 1), (3, 3)], active: 2, batch: 3 };
    let mut group = criterion.benchmark_group("moe-enumeration");
    for (name, instance) in [("one token", single), ("three tokens", batch)] {
        let steps = outcomes(&instance).map_or(0, |(token, _)| (token.len() as u64).pow(instance.batch as u32));
        group.throughput(Throughput::Elements(steps));
        group.bench_function(name, |bencher| bencher.iter(|| square_of_sum(black_box(&instance))));
    }
    group.finish();
}

fn recursion(criterion: &mut Criterion) {
    // Three steps from integers: all numbers stay within 128 bits.
    let of = |p, q| Rational::new(p, q);
    let (eta, ratio, h, noise) = (of(1, 16), of(4, 1), of(1, 1), of(8, 1));
    let mut group = criterion.benchmark_group("moe-recursion");
    group.throughput(Throughput::Elements(3));
    group.bench_function("rational steps", |bencher| {
        bencher.iter(|| (0..3).fold(black_box(of(8, 1)), |e, _| scaled_step(&e, &h, &eta, &ratio, &noise)));
    });
    let steps = 12;
    group.throughput(Throughput::Elements(u64::from(steps)));
    group.bench_function("machine integers", |bencher| {
        // e' = (57 e + 8)/64: eta = 1/16, M/K = 4, sigma^2 = 8 on the unit quadratic.
        bencher.iter(|| integer_recursion(black_box(8), black_box((57, 8, 64)), steps));
    });
    group.finish();
}

fn simulation(criterion: &mut Criterion) {
    let sizes: toml::Table = include_str!("../../../benchmarks/sizes.toml").parse().expect("the table of sizes is TOML");
    let size = |key: &str| sizes["routing"][key].as_integer().and_then(|value| u32::try_from(value).ok()).expect("a size");
    let run =
        Simulation { experts: size("experts") as usize, active: size("active") as usize, eta: 0.0625, noise: 1.0, start: 1.0, steps: size("steps") };
    let keyed = Keyed::new(0, &["moe", "bench"]);
    let mut group = criterion.benchmark_group("moe-simulation");
    group.throughput(Throughput::Elements(u64::from(run.steps)));
    let mut index = 0;
    group.bench_function("routed steps", |bencher| {
        bencher.iter(|| {
            index += 1;
            run.run(&mut keyed.stream(index))
        });
    });
    group.finish();
}

criterion_group!(benches, enumeration, recursion, simulation);
criterion_main!(benches);
