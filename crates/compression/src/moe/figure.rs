//! Pictures: the bound against the number of active experts at a fixed budget.

use super::bounds::Budget;
use calculator::{Axis, Marks, Plot, Series};
use numeric::{QuadraticSurd, Rational};

/// Points of a curve.
const POINTS: i64 = 200;
/// Most single K that are marked.
const MARKED: u64 = 64;

/// The middle of an enclosure by doubles: for the eye.
fn shown(value: &QuadraticSurd) -> f64 {
    let (low, high) = value.enclose_f64();
    low / 2.0 + high / 2.0
}

fn line(budget: &Budget, resources: &Rational) -> Vec<(f64, f64)> {
    let most = budget.experts as f64;
    (0..=POINTS)
        .filter_map(|step| {
            // Equal ratios from 1 to M, as exact numbers.
            let k = Rational::from_f64(core_math::pow(most, step as f64 / POINTS as f64))?;
            Some((k.to_f64_nearest(), shown(&budget.bound(&k, resources))))
        })
        .collect()
}

/// The bound over K in [1, M] at a budget, with the integers (up to 64 of them) and the best one.
#[must_use]
pub fn budget_curve(budget: &Budget, resources: &Rational) -> Plot {
    let at = |k: u64| (k as f64, shown(&budget.bound(&Rational::from(k), resources)));
    let best = budget.best_integer();
    let mut series = vec![Series { name: "bound".to_owned(), marks: Marks::Line(line(budget, resources)) }];
    if budget.experts <= MARKED {
        series.push(Series { name: "integers K".to_owned(), marks: Marks::Points((1..=budget.experts).map(at).collect()) });
    }
    series.push(Series { name: format!("best K = {best}"), marks: Marks::Points(vec![at(best)]) });
    Plot {
        title: format!("Bound at a fixed budget, M = {}", budget.experts),
        description: format!("The bound over the number K of active experts, from 1 to {}; it is least at K = {best}.", budget.experts),
        x: Axis::log("active experts K"),
        y: Axis::linear("bound on the average squared gradient"),
        series,
    }
}

/// The headline figure: with unit constants dense is best, with c2 < c1 there is an interior optimum.
#[must_use]
pub fn figure() -> Plot {
    let resources = Rational::from(1_000_000);
    let curve = |name: &str, c1: i64, c2: i64| {
        let budget = Budget::plain(Rational::from(c1), Rational::from(c2), 64);
        let points = line(&budget, &resources);
        // Scaled to its least value, so that the shapes can be compared.
        let least = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        Series { name: name.to_owned(), marks: Marks::Line(points.into_iter().map(|(k, bound)| (k, bound / least)).collect()) }
    };
    Plot {
        title: "Budget curve of 64 experts".to_owned(),
        description: "The bound divided by its least value. With c1 = c2, as the abstract reads literally, it falls up to K = 64: dense is best. With c1 = 4 c2 it is least at K = 16, with c1 = 64 c2 at K = 1.".to_owned(),
        x: Axis::log("active experts K"),
        y: Axis::linear("bound / least bound"),
        series: vec![curve("c1 = c2", 1, 1), curve("c1 = 4 c2", 4, 1), curve("c1 = 64 c2", 64, 1)],
    }
}

#[cfg(test)]
mod tests {
    use super::{budget_curve, figure};
    use crate::moe::bounds::Budget;
    use calculator::Marks;
    use numeric::Rational;

    #[test]
    fn the_curves_are_least_where_they_say() {
        let plot = budget_curve(&Budget::plain(Rational::from(4), Rational::from(1), 64), &Rational::from(1_000_000));
        let Marks::Points(best) = &plot.series[2].marks else { panic!("points") };
        // B(16) = 0.032 for (4, 1, 64) at R = 10^6.
        assert!(best[0].0 == 16.0 && (best[0].1 - 0.032).abs() < 1e-15, "{best:?}");
        let Marks::Points(all) = &plot.series[1].marks else { panic!("points") };
        assert!(all.len() == 64 && all.iter().all(|point| point.1 >= best[0].1));
        let least = figure()
            .series
            .iter()
            .map(|series| match &series.marks {
                Marks::Line(points) => points.iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|point| point.0).unwrap_or_default(),
                _ => 0.0,
            })
            .collect::<Vec<_>>();
        assert!((least[0] - 64.0).abs() < 1e-9 && (least[1] - 16.0).abs() < 0.5 && least[2] == 1.0, "{least:?}");
    }
}
