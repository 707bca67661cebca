//! The headline figure: the preserved mass of score vectors against the printed floor, and where the floor fails.

use super::algorithm::{Keep, prune};
use super::bounds::printed_floor;
use calculator::{Axis, Marks, Plot, Series};
use numeric::QuadraticSurd;

/// Scores a vector.
const N: u64 = 200;

fn near(value: &QuadraticSurd) -> f64 {
    value.enclose_f64().0
}

/// Scores i^-a in units of a millionth, descending.
fn power_law(exponent: f64) -> Vec<i64> {
    (1..=N).map(|rank| (1e6 * core_math::pow(rank as f64, -exponent)).round() as i64).collect()
}

/// The density nu/N that the rule keeps, and the mass that is left.
fn point(scores: &[i64]) -> Option<(f64, f64)> {
    let pruning = prune(scores, Keep::Beta(1, 1))?;
    Some((pruning.density().to_f64_nearest(), pruning.mass.to_f64_nearest()))
}

/// Pruning mass against its floor.
#[must_use]
pub fn figure() -> Plot {
    let floor = (1..N).map(|nu| (nu as f64 / N as f64, near(&printed_floor::<QuadraticSurd>(nu, N)))).chain([(1.0, 1.0)]).collect();
    let even = (1..=N).map(|nu| (nu as f64 / N as f64, nu as f64 / N as f64)).collect();
    let tails = (0..=32).filter_map(|step| point(&power_law(f64::from(step) / 16.0))).collect::<Vec<_>>();
    // Two large scores, almost equal: N_eff is just below 2, so one is kept, with little more than half of the mass.
    let spikes: Vec<(f64, f64)> = [(60, 40), (55, 45), (51, 49)]
        .iter()
        .filter_map(|&(first, second)| {
            let mut scores = vec![0; N as usize];
            (scores[0], scores[1]) = (first, second);
            point(&scores)
        })
        .collect();
    let mut tails = tails;
    tails.sort_by(|a, b| a.0.total_cmp(&b.0));
    Plot {
        title: "Effective model pruning: the mass that is kept, and its floor".into(),
        description: format!(
            "The share of the scores' sum that the kept floor(N_eff) of {N} components carry. Power-law scores stay above the printed floor; \
             two almost equal spikes, of which one is kept, fall below it."
        ),
        x: Axis::linear("share of components kept, nu/N"),
        y: Axis::linear("share of the mass kept"),
        series: vec![
            Series { name: format!("printed floor P(nu, {N}), Theorem 4.2 of the README"), marks: Marks::Line(floor) },
            Series { name: "scores i^-a, a from 0 to 2".into(), marks: Marks::Points(tails) },
            Series { name: "two spikes (60, 40), (55, 45), (51, 49): nu = 1, below the floor".into(), marks: Marks::Points(spikes) },
            Series { name: "equal scores: nu/N".into(), marks: Marks::Line(even) },
        ],
    }
}

/// The floors over the retained count for given N, with the count asked for.
pub(super) fn floors(n: u64, kept: u64, floor: &QuadraticSurd) -> Option<Plot> {
    if n < 2 {
        return None;
    }
    // At most 200 counts: a picture has no room for more.
    let stride = n.div_ceil(200);
    let counts = (1..n).step_by(usize::try_from(stride).ok()?);
    let line = counts.map(|nu| (nu as f64, near(&printed_floor::<QuadraticSurd>(nu, n)))).collect();
    Some(Plot {
        title: format!("The floor of the preserved mass for N = {n}"),
        description: format!("The printed floor P(nu, {n}) over the retained count nu, and the floor that holds at nu = {kept}."),
        x: Axis::linear("retained count nu"),
        y: Axis::linear("share of the mass kept, at least"),
        series: vec![
            Series { name: format!("printed floor P(nu, {n})"), marks: Marks::Line(line) },
            Series { name: format!("floor that holds at nu = {kept}"), marks: Marks::Points(vec![(kept as f64, near(floor))]) },
        ],
    })
}
