//! The epigraph of the empirical risk, all 2^n pieces, solved by an interior-point method that knows nothing of the closed form.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus, SupportedConeT};
use learning::erm::bounds;
use learning::erm::code::Code;
use learning::erm::instances::{sampled, words_of_seed};
use learning::erm::problem::Sampled;
use numeric::{Field, Rational};
use std::sync::Arc;

/// Rows of A x + s = b, gathered entry by entry.
#[derive(Default)]
struct Rows {
    entries: Vec<(usize, usize, f64)>,
    right: Vec<f64>,
}

impl Rows {
    /// sum a_j x_j <= right
    fn at_most(&mut self, terms: &[(usize, f64)], right: f64) {
        let row = self.right.len();
        self.entries.extend(terms.iter().map(|&(column, value)| (row, column, value)));
        self.right.push(right);
    }
}

/// What the solver found.
struct Found {
    value: f64,
    /// |primal - dual| plus what residuals of the solver's tolerance can shift.
    tolerance: f64,
    /// <v_S, y>/r
    alignment: f64,
}

/// min over x, y of F_S + (lambda/2)|w|^2; y in its ball only if `bounded`. Everything is written out from the definition of the losses.
fn solve(sampled: &Sampled, lambda: f64, bounded: bool) -> Found {
    let problem = &sampled.problem;
    let code = problem.code.as_ref().unwrap();
    let counts = sampled.counts().unwrap();
    let n = problem.symbols;
    let d = 6 * n;
    let f = Rational::to_f64_nearest;
    let (b, r) = (f(&problem.b), f(&problem.r));
    let (a1, a2, a4) = (0.25, 0.125, 0.5);
    let a3 = 0.25 / (4.0 * n as f64 * b);
    let (gamma, theta) = (b * b / (2.0 * r), 0.75 * r);
    // Columns: x, y, |x_i - b|, |x_i + b|, H, G_z.
    let (x, y, near, far, height, beyond) = (0, n, n + d, 2 * n + d, 3 * n + d, 3 * n + d + 1);
    let columns = 4 * n + d + 1;
    let mut costs = vec![0.0; columns];
    for symbol in 0..n {
        let share = counts[symbol] as f64 / n as f64;
        costs[near + symbol] = a1 * share;
        costs[far + symbol] = a2 / n as f64;
        costs[beyond + symbol] = a4 * share;
    }
    costs[height] = a3;
    let mut rows = Rows::default();
    for symbol in 0..n {
        for (column, wall) in [(near + symbol, b), (far + symbol, -b)] {
            rows.at_most(&[(x + symbol, 1.0), (column, -1.0)], wall);
            rows.at_most(&[(x + symbol, -1.0), (column, -1.0)], -wall);
        }
        rows.at_most(&[(beyond + symbol, -1.0)], 0.0);
    }
    let root = (d as f64).sqrt();
    for set in 0..1_usize << n {
        let vector: Vec<f64> = code.signs(set).iter().map(|&sign| sign as f64 / root).collect();
        let mut terms: Vec<(usize, f64)> = (0..n).map(|i| (x + i, if set >> i & 1 == 1 { b } else { -b })).collect();
        terms.extend(vector.iter().enumerate().map(|(j, v)| (y + j, -gamma * v)));
        terms.push((height, -1.0));
        rows.at_most(&terms, 0.0);
        for symbol in (0..n).filter(|symbol| set >> symbol & 1 == 0) {
            let mut terms: Vec<(usize, f64)> = vector.iter().enumerate().map(|(j, &v)| (y + j, v)).collect();
            terms.push((beyond + symbol, -1.0));
            rows.at_most(&terms, theta);
        }
    }
    let mut cones: Vec<SupportedConeT<f64>> = vec![NonnegativeConeT(rows.right.len())];
    let mut balls = vec![(x, n, 0.75_f64.sqrt())];
    if bounded {
        balls.push((y, d, r));
    }
    for (first, length, radius) in balls {
        rows.at_most(&[], radius);
        for j in 0..length {
            rows.at_most(&[(first + j, -1.0)], 0.0);
        }
        cones.push(SecondOrderConeT(length + 1));
    }
    let (mut i, mut j, mut v) = (Vec::new(), Vec::new(), Vec::new());
    for (row, column, value) in rows.entries {
        i.push(row);
        j.push(column);
        v.push(value);
    }
    let matrix = CscMatrix::new_from_triplets(rows.right.len(), columns, i, j, v);
    let quadratic: Vec<f64> = (0..columns).map(|column| if column < n + d { lambda } else { 0.0 }).collect();
    let diagonal: Vec<usize> = (0..columns).collect();
    let quadratic = CscMatrix::new_from_triplets(columns, columns, diagonal.clone(), diagonal, quadratic);
    let settings = DefaultSettings { verbose: false, ..DefaultSettings::default() };
    let residual = settings.tol_feas;
    let mut solver = DefaultSolver::new(&quadratic, &costs, &matrix, &rows.right, &cones, settings).unwrap();
    solver.solve();
    let solution = &solver.solution;
    assert_eq!(solution.status, SolverStatus::Solved);
    let size = |values: &[f64]| values.iter().map(|value| value.abs()).sum::<f64>();
    let tolerance = (solution.obj_val - solution.obj_val_dual).abs() + residual * (1.0 + size(&solution.z) + size(&solution.x));
    let signs = code.signs(sampled.support());
    let along: f64 = signs.iter().enumerate().map(|(place, &sign)| sign as f64 / root * solution.x[y + place]).sum();
    Found { value: solution.obj_val, tolerance, alignment: along / r }
}

fn cases() -> Vec<Sampled> {
    let of = |q, r, sample: &[usize]| sampled(Rational::new(1, q), r, sample, 0);
    let mut cases = vec![
        of(3, (1, 2), &[0, 0]),
        of(4, (1, 2), &[0, 0, 1]),
        of(4, (1, 2), &[0, 0, 1, 1]),
        of(4, (1, 2), &[3, 3, 3, 3]),
        of(4, (1, 4), &[0, 1, 2, 3]),
        of(5, (1, 3), &[0, 0, 1, 1, 2, 2]),
    ];
    let mut other = of(5, (1, 2), &[0, 1, 1, 4, 4]);
    other.problem.code = Some(Arc::new(Code::search(5, words_of_seed(9)).unwrap()));
    cases.push(other);
    cases
}

fn closed(sampled: &Sampled) -> Rational {
    let problem = &sampled.problem;
    bounds::minimum_value(&problem.size(), &problem.b, &problem.r, &problem.gamma(), &sampled.unseen())
}

#[test]
fn the_minimum_is_the_closed_form() {
    for sampled in cases() {
        let found = solve(&sampled, 0.0, true);
        let expected = closed(&sampled).to_f64_nearest();
        assert!(found.tolerance < 1e-6, "{}", found.tolerance);
        assert!((found.value - expected).abs() <= found.tolerance, "{:?}: {} {expected} {}", sampled.sample, found.value, found.tolerance);
        // Sharpness: <v_S, y> >= r - eps/(a3 gamma), eps the tolerance.
        let slack = found.tolerance / sampled.problem.code_slope().to_f64_nearest() / sampled.problem.r.to_f64_nearest();
        assert!(found.alignment >= 1.0 - slack, "{} {slack}", found.alignment);
    }
}

/// With (lambda/2)|w|^2 and without the ball of y.
#[test]
fn the_strongly_convex_minimum_is_the_closed_form() {
    for sampled in cases() {
        let problem = &sampled.problem;
        let lambda = bounds::strength(&problem.size(), &problem.b, &problem.r);
        let square = problem.size() * problem.b.square() + problem.r.square();
        let expected = (closed(&sampled) + lambda.clone() / Rational::from(2) * square).to_f64_nearest();
        let found = solve(&sampled, lambda.to_f64_nearest(), false);
        assert!(found.tolerance < 1e-6, "{}", found.tolerance);
        assert!((found.value - expected).abs() <= found.tolerance, "{:?}: {} {expected} {}", sampled.sample, found.value, found.tolerance);
    }
}
