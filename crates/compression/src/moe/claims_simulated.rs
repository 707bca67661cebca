//! Simulated sparse routing against the exact recursion, and the rates of the noise floor.

use super::algorithm::{average_of_recursion, scaled_step};
use super::bounds::sharp_bound;
use super::shared::{mutant, n, part, q};
use super::simulate::Simulation;
use claim::{Arm, Asserted, Check, Claim, DEFAULT_LEVEL, Knowledge, Mutant, Part, Provenance, RatePart, Size, StatisticalPart, Verdict};
use numeric::{Interval, Rational};

pub(super) fn all() -> Vec<Claim> {
    vec![simulated()]
}

/// (K, T, draws) with M = 8, eta = 1/16, sigma^2 = 8, x_0 = (1, .., 1).
const RUNS: [(usize, u32, u64); 2] = [(2, 100, 16_384), (8, 100, 16_384)];

fn exact(steps: u32, ratio: &Rational) -> Rational {
    let (one, zero, eta) = (n(1), n(0), q(1, 16));
    let rate = scaled_step(&one, &one, &eta, ratio, &zero);
    let gain = scaled_step(&zero, &one, &eta, ratio, &n(8));
    average_of_recursion(&n(8), &rate, &gain, steps).0
}

fn arm(
    active: usize,
    steps: u32,
    draws: u64,
    asserted: Asserted,
    bound: &Rational,
) -> (Arm, impl Fn(&mut dyn sample::Words, &mut [f64]) + Send + Sync + 'static) {
    let run = Simulation { experts: 8, active, eta: 0.0625, noise: 1.0, start: 1.0, steps };
    let arm = Arm {
        name: format!("(1/T) sum ||x_t||^2, M = 8, K = {active}, T = {steps}"),
        // |x_i| <= 1 stays true: a block moves to a mixture of itself and +-1 (eta M/K <= 1). The margin is for rounding.
        knowledge: Knowledge::Bounded { low: 0.0, high: 8.000_001 },
        asserted,
        bound: Interval::from_rational(bound),
        draws,
    };
    (arm, move |words: &mut dyn sample::Words, out: &mut [f64]| out.fill_with(|| run.run(words)))
}

const SETTING: &str = "F = ||x||^2/2, M = 8, K = 2 and 8, eta = 1/16, noise +-1 per block (sigma^2 = 8), x_0 = (1, .., 1), T = 100";

/// The mean is within 2% of the exact recursion's, whose ratio M/K is `ratio` of the true one.
fn mean(ratio: fn(Rational) -> Rational) -> Check {
    RUNS.iter()
        .fold(StatisticalPart::new(SETTING), |part, &(active, steps, draws)| {
            let value = exact(steps, &ratio(q(8, active as i64)));
            [(Asserted::AtMost, q(51, 50)), (Asserted::AtLeast, q(49, 50))].into_iter().fold(part, |part, (asserted, factor)| {
                let (arm, sampler) = arm(active, steps, draws, asserted, &(value.clone() * factor));
                part.arm(arm, sampler)
            })
        })
        .erase()
}

/// The mean is at most `factor` times the bound of moe/conv-sharp.
fn bound(factor: &Rational) -> Check {
    RUNS.iter()
        .fold(StatisticalPart::new(SETTING), |part, &(active, steps, draws)| {
            let value = sharp_bound(&n(4), &q(1, 16), &n(i64::from(steps)), &n(1), &n(8), &q(8, active as i64));
            let (arm, sampler) = arm(active, steps, draws, Asserted::AtMost, &(value * factor.clone()));
            part.arm(arm, sampler)
        })
        .erase()
}

/// A run that starts at its noise floor z sigma^2/(2 - z), z = eta M/K, sigma^2 = 1, so that its average's expectation is the floor.
fn at_floor(experts: usize, active: usize, eta: f64, steps: u32) -> Simulation {
    let z = eta * experts as f64 / active as f64;
    let count = experts as f64;
    Simulation { experts, active, eta, noise: (1.0 / count).sqrt(), start: (z / (2.0 - z) / count).sqrt(), steps }
}

fn slope(domain: &str, sizes: Vec<(u64, u64, Simulation)>, asserted: Asserted, exponent: Rational) -> Check {
    let sizes = sizes
        .into_iter()
        // |x_i| stays at most sigma/sqrt M, so ||x||^2 is at most sigma^2 = 1; the margin is for rounding.
        .map(|(size, draws, run)| Size { size, draws, high: 1.000_001, sampler: Box::new(move |words, out| out.fill_with(|| run.run(words))) })
        .collect();
    let level = Rational::new(DEFAULT_LEVEL.0, DEFAULT_LEVEL.1);
    RatePart { domain: domain.to_owned(), level, asserted, exponent, log_power: n(0), sizes }.erase()
}

/// K = 1, eta = 1/32, M/K = 2 to 16: the floor grows like M/K (its exact slope here is ln(31/3)/ln 8 = 1.12).
fn in_ratio(asserted: Asserted, exponent: Rational) -> Check {
    let sizes = [2_usize, 16].map(|experts| (experts as u64, 16_384, at_floor(experts, 1, 0.03125, 32))).to_vec();
    slope("noise floor, K = 1, eta = 1/32, sigma^2 = 1, M/K = 2 and 16, 32 steps from the floor", sizes, asserted, exponent)
}

/// M/K = 4, eta = 1/(4 sqrt T), T = 16 to 256: the floor falls like 1/sqrt T (its exact slope here is ln(31/7)/ln 16 = 0.537).
fn in_steps(asserted: Asserted, exponent: Rational) -> Check {
    let sizes = [(16_u32, 0.0625, 16_384_u64), (256, 0.015_625, 16_384)]
        .map(|(steps, eta, draws)| (u64::from(steps), draws, at_floor(8, 2, eta, steps)))
        .to_vec();
    slope("noise floor, M = 8, K = 2, eta = 1/(4 sqrt T), sigma^2 = 1, T = 16 and 256 from the floor", sizes, asserted, exponent)
}

fn simulated() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part("mean", "the mean of avg ||x_t||^2 is within 2% of the exact recursion's", mean(|ratio| ratio)),
            part("bound", "it is at most the bound of moe/conv-sharp", bound(&n(1))),
            part("slope-ratio", "the noise floor's slope in M/K is at least 9/10 (1 to first order)", in_ratio(Asserted::AtLeast, q(9, 10))),
            part("slope-steps", "its slope in T is at most -2/5 (-1/2 to first order)", in_steps(Asserted::AtMost, q(-2, 5))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("mean-unrouted", "the recursion without the factor M/K", mean(|_| n(1))),
            mutant("bound-0.8", "a fifth less than the bound", bound(&q(4, 5))),
            mutant("slope-root", "the slope in M/K is at most 1/2", in_ratio(Asserted::AtMost, q(1, 2))),
            mutant("slope-linear", "the slope in T is at most -1", in_steps(Asserted::AtMost, n(-1))),
        ]
    }
    Claim {
        id: "moe/simulated",
        statement: "Simulated scaled random-K SGD on ||x||^2/2 has the mean of the exact recursion e' = (1 - 2 eta + eta^2 M/K) e + eta^2 (M/K) sigma^2, stays below the bound of moe/conv-sharp, and its noise floor grows like M/K and, at eta = eta0/sqrt T, falls like 1/sqrt T",
        assumptions: &["F = ||x||^2/2, noise +-sigma/sqrt M per block, eta M/K <= 1"],
        provenance: Provenance::Derived,
        source: "moe/second-moment on the isotropic quadratic",
        declared: Verdict::Supported,
        argument: "The recursion is exact; the simulation checks that the algorithm as run is the one that the recursion describes.",
        gap: Some("the settings that are simulated"),
        finding: None,
        see: &["moe/conv-sharp", "moe/conv-fixed"],
        parts,
        mutants,
        without_mutants: None,
    }
}
