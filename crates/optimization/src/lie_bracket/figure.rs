//! The headline figure: the order effect against eta, and its two predictions.

use super::algorithm::{Loss, bracket, dot, drift_reference, pass};
use super::instances::reference_pair;
use calculator::{Axis, Marks, Plot, Series};
use numeric::Rational;

/// D/eta^2 on a pair of quadratics in the plane, with sigma at theta_0 and at the drift reference.
#[must_use]
pub fn figure() -> Plot {
    let pair = reference_pair();
    let ([a, b, e], theta) = (pair.losses(), pair.start());
    let bracket = bracket(&a, &b, &theta);
    let sigma = dot(&e.gradient(&theta), &bracket).to_f64_nearest();
    let (mut effect, mut at_start, mut at_reference) = (Vec::new(), Vec::new(), Vec::new());
    for k in 1..=60 {
        let eta = Rational::new(k, 400);
        let x = eta.to_f64_nearest();
        let d = e.value(&pass(&[&a, &b], &eta, &theta)) - e.value(&pass(&[&b, &a], &eta, &theta));
        effect.push((x, (d / (eta.clone() * eta.clone())).to_f64_nearest()));
        at_start.push((x, sigma));
        at_reference.push((x, dot(&e.gradient(&drift_reference(&a, &b, &eta, &theta)), &bracket).to_f64_nearest()));
    }
    let line = |name: &str, points| Series { name: name.to_owned(), marks: Marks::Line(points) };
    Plot {
        title: "Order effect against step size".to_owned(),
        description: "The order effect divided by eta^2 starts at the score -11, rises and changes its sign near eta = 0.065; the score at the drift reference follows it, the score at the starting point does not.".to_owned(),
        x: Axis::linear("step size eta"),
        y: Axis::linear("D / eta^2"),
        series: vec![
            line("D / eta^2, exact", effect),
            line("score at theta_0", at_start),
            line("score at the drift reference", at_reference),
        ],
    }
}
