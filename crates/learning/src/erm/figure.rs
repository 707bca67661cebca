//! The picture: the gap of gradient descent on the instance made for (eta, T), between its lower and its upper bound.

use super::bounds;
use super::descent::closed_form;
use super::instances::Tuned;
use calculator::{Axis, Marks, Plot, Series};
use numeric::{QuadraticSurd, Rational};

/// sqrt m
const ROOT: i64 = 8;
/// Symbols seen of the 64: 16 of them once, 24 twice.
const SEEN: usize = 40;

/// The run with eta = 1/8 whose instance has r = k/64: T = 64 k^2.
fn tuned(k: i64) -> Tuned {
    let counts = (0..64).map(|symbol| if symbol < 64 - SEEN { 2 } else { usize::from(symbol < SEEN) }).collect();
    Tuned { root: ROOT, counts, steps: (64 * k * k) as u64, radius: k, distance: 192 }
}

/// (eta T, value) for every k in the window.
fn curve(value: impl Fn(&Tuned) -> Option<f64>) -> Marks {
    let point = |k: i64| {
        let run = tuned(k);
        let time = run.eta() * Rational::from(run.steps);
        Some((time.to_f64_nearest(), value(&run)?)).filter(|(_, y)| *y > 0.0)
    };
    Marks::Line((3..=32).filter_map(point).collect())
}

/// The gap that the closed form gives, on the instance made for the run or on the one with r = 1/2.
fn gap(run: &Tuned, fixed: bool) -> Option<f64> {
    let mut problem = run.problem();
    if fixed {
        problem.r = Rational::new(1, 2);
    }
    let end = closed_form(&problem, &run.counts, &run.rho(), &run.eta(), run.steps).ok()?;
    Some(end.gap().to_f64_nearest())
}

/// A bound at the run's numbers.
fn bound(run: &Tuned, formula: impl Fn([&QuadraticSurd; 4]) -> QuadraticSurd) -> Option<f64> {
    let surd = |value: Rational| QuadraticSurd::from(value);
    let (eta, steps) = (surd(run.eta()), surd(Rational::from(run.steps)));
    let (m, unseen) = (surd(Rational::from(run.m())), surd(run.unseen()));
    Some(formula([&eta, &steps, &m, &unseen]).enclose_f64().0)
}

/// The headline figure, m = 64 and eta = 1/8.
#[must_use]
pub fn figure() -> Plot {
    let series = |name: &str, marks| Series { name: name.to_owned(), marks };
    let upper = |run: &Tuned| {
        bound(run, |[eta, steps, m, _]| {
            let lipschitz = bounds::lipschitz_constant::<QuadraticSurd>();
            bounds::gap_upper(&lipschitz, eta, steps, m)
        })
    };
    Plot {
        title: "Gap of gradient descent, m = 64, eta = 1/8".to_owned(),
        description: "The generalization gap after T steps over eta T, in the window from 32 to 8192. On the instance made for each (eta, T) it grows like the square root of eta T, above the lower bound; on one fixed instance it stays at the part of the box until late. The upper bound is far above: it has a term with eta sqrt T.".to_owned(),
        x: Axis::log("eta T"),
        y: Axis::log("F(w) - F_S(w)"),
        series: vec![
            series("upper bound", curve(upper)),
            series("instance made for (eta, T)", curve(|run| gap(run, false))),
            series("fixed instance, r = 1/2", curve(|run| gap(run, true))),
            series("lower bound", curve(|run| bound(run, |[eta, steps, m, unseen]| bounds::gap_lower(eta, steps, m, unseen)))),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::figure;
    use calculator::Marks;

    #[test]
    fn the_curves_are_in_order() {
        let plot = figure();
        let lines: Vec<&Vec<(f64, f64)>> =
            plot.series.iter().filter_map(|series| if let Marks::Line(points) = &series.marks { Some(points) } else { None }).collect();
        assert_eq!(lines.len(), 4);
        for ((upper, tuned), lower) in lines[0].iter().zip(lines[1]).zip(lines[3]) {
            assert!(upper.1 > tuned.1 && tuned.1 >= lower.1, "{upper:?} {tuned:?} {lower:?}");
        }
        // eta T = 8 k^2 from 72 to 8192, where r = 1/2: there both instances are the same.
        assert_eq!((lines[1][0].0, lines[1][29]), (72.0, lines[2][29]));
        assert_eq!(lines[1][29].0, 8192.0);
        // Halfway the fixed instance's code is silent.
        assert!(lines[2][15].1 < lines[1][15].1);
    }
}
