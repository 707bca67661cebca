//! The budget curve: the bound over the number of active experts, and where it is least.

use super::bounds::Budget;
use calculator::{Axis, Marks, Plot, Series};
use numeric::Rational;

/// At most so many values of K a curve: a picture has no room for more.
const MOST: u64 = 200;

/// The bound at 1, .., M (a geometric selection of them where there are many).
fn line(budget: &Budget, resources: &Rational) -> Vec<(f64, f64)> {
    let last = budget.experts;
    let counts: Vec<u64> = if last <= MOST {
        (1..=last).collect()
    } else {
        let step = core_math::log(last as f64) / MOST as f64;
        let mut all: Vec<u64> = (0..=MOST).map(|index| (core_math::exp(index as f64 * step).round() as u64).clamp(1, last)).collect();
        all.dedup();
        all
    };
    counts.into_iter().map(|count| point(budget, resources, count)).collect()
}

fn point(budget: &Budget, resources: &Rational, active: u64) -> (f64, f64) {
    (active as f64, budget.bound(&Rational::from(active), resources).enclose_f64().1)
}

/// The curve of a user's own constants, with its least point.
pub(super) fn curve(budget: &Budget, resources: &Rational) -> Plot {
    let best = budget.best_integer();
    let (c1, c2, experts) = (&budget.c1, &budget.c2, budget.experts);
    Plot {
        title: format!("The bound at a fixed budget over the active experts: c1 = {c1}, c2 = {c2}, M = {experts}"),
        description: format!("The bound (c1 + c2 M/K)/sqrt T with T = budget/cost, over K from 1 to {experts}; it is least at K = {best}."),
        x: Axis::log("active experts K"),
        y: Axis::log("bound"),
        series: vec![
            Series { name: "bound".into(), marks: Marks::Line(line(budget, resources)) },
            Series { name: format!("least at K = {best}"), marks: Marks::Points(vec![point(budget, resources, best)]) },
        ],
    }
}

/// The budget curve for three ratios of the constants: an optimum inside, and none for the bound as it is written.
#[must_use]
pub fn figure() -> Plot {
    let resources = Rational::from(1_000_000);
    let mut series = Vec::new();
    let mut best = Vec::new();
    for (c1, c2, name) in
        [(16, 1, "c1 = 16, c2 = 1: best inside"), (4, 1, "c1 = 4, c2 = 1: best inside"), (1, 1, "c1 = c2 = 1, as it is written: dense is best")]
    {
        let budget = Budget::plain(Rational::from(c1), Rational::from(c2), 64);
        series.push(Series { name: name.into(), marks: Marks::Line(line(&budget, &resources)) });
        best.push(point(&budget, &resources, budget.best_integer()));
    }
    best.sort_by(|a, b| a.0.total_cmp(&b.0));
    series.push(Series { name: "least point K* = c2 M/c1, within [1, M]".into(), marks: Marks::Points(best) });
    Plot {
        title: "Mixture of experts: the bound at a fixed budget, M = 64".into(),
        description:
            "The bound (c1 + c2 M/K)/sqrt T with T = 10^6/K steps over the number K of active experts. With c2 below c1 it falls and then rises; \
                      with equal constants it falls up to K = M, so that no sparse K is best."
                .into(),
        x: Axis::log("active experts K"),
        y: Axis::log("bound on the average squared gradient"),
        series,
    }
}
