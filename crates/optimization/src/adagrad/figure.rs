//! The headline figure: rates against the tail index; and the tail of a user's own gradients.

use super::bounds::exponents;
use calculator::{Axis, Marks, Plot, Series};
use numeric::Rational;

/// Exponents of T against the noise's moment order.
#[must_use]
pub fn figure() -> Plot {
    let steps = 100;
    let rows: Vec<(f64, [f64; 4])> = (0..=steps)
        .map(|index| {
            let p = Rational::from(1) + Rational::new(index, steps);
            (p.to_f64_nearest(), exponents(&p).map(|exponent| exponent.to_f64_nearest()))
        })
        .collect();
    let names = [
        "lower bound for every method: (p-1)/(3p-2)",
        "AdaGrad-Norm, sup f finite: (p-1)/(2p)",
        "AdaGrad, c_i like T^(1/p-1/2): (3p-4)/(4p), from p = 4/3",
        "AdaGrad, fixed c_i: (2p-3)/(2p), from p = 3/2",
    ];
    // A bound whose exponent is not positive does not vanish: no rate.
    let line = |column: usize| rows.iter().filter(|(_, row)| row[column] >= 0.0).map(|(p, row)| (*p, row[column])).collect();
    let series = names.into_iter().enumerate().map(|(column, name)| Series { name: name.into(), marks: Marks::Line(line(column)) }).collect();
    Plot {
        title: "AdaGrad under heavy-tailed noise: rate against tail index".into(),
        description:
            "The exponent a of the rate T^-a of the average gradient over the moment order p of the noise. All meet 1/4 at p = 2; AdaGrad's own \
                      bound reaches down to p = 4/3 only, that of AdaGrad-Norm down to p = 1; no method's exponent is above the first curve."
                .into(),
        x: Axis::linear("moment order p of the noise"),
        y: Axis::linear("exponent of 1/T"),
        series,
    }
}

/// How often a gradient is at least so large, and the slope that Hill's estimate gives its tail. `sizes` are positive and descending; `k` of them are the
/// tail.
pub(super) fn tail(sizes: &[f64], k: usize, index: f64) -> Plot {
    let count = sizes.len();
    let share = |rank: usize| (rank + 1) as f64 / count as f64;
    // At most about 300 of them, the largest all.
    let stride = (count / 250).max(1);
    let chosen = (0..count).filter(|rank| *rank < 50 || rank % stride == 0);
    let mut points: Vec<(f64, f64)> = chosen.map(|rank| (sizes[rank], share(rank))).collect();
    points.reverse();
    let base = sizes[k];
    let fitted = [base, sizes[0]].map(|size| (size, share(k) * core_math::pow(size / base, -index)));
    Plot {
        title: "The tail of the gradients".into(),
        description: format!("The share of gradients of at least a size, and a power law with Hill's index {index:.3} through the {k} largest."),
        x: Axis::log("size"),
        y: Axis::log("share of gradients at least so large"),
        series: vec![
            Series { name: "gradients".into(), marks: Marks::Points(points) },
            Series { name: format!("power law with index {index:.3}"), marks: Marks::Line(fitted.to_vec()) },
        ],
    }
}
