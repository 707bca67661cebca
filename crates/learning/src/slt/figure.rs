//! The headline figure: how much of Dudley's constant is needed.

use super::chaining::{Steps, dudley_constant, expected_max};
use super::instances_chaining::Cube;
use calculator::{Axis, Marks, Plot, Series};
use numeric::{BigInterval, Field, Interval, Surd};

/// Bits behind the points: far more than an eye sees.
const BITS: u32 = 40;

/// E sup over the entropy integral for Gaussian processes on simplices and sign processes on cubes, against the formalized constant 12 sqrt 2.
#[must_use]
pub fn dudley_figure() -> Plot {
    let middle = |value: &BigInterval| value.to_interval().mid();
    let sizes: [u32; 12] = [2, 3, 4, 6, 10, 16, 25, 40, 64, 100, 160, 256];
    let simplices = sizes
        .into_iter()
        .filter_map(|vertices| {
            let mean = expected_max(vertices, BITS).ok()? / BigInterval::from_i64(2).sqrt();
            Some((f64::from(vertices), middle(&(mean / Steps::simplex(vertices).whole()))))
        })
        .collect();
    let cubes = (1..=8)
        .map(|dimension: u32| {
            let (_, upper) = Cube { dimension }.steps();
            let needed: BigInterval = BigInterval::ratio(i64::from(dimension), 2) / upper.whole();
            (f64::from(1_u32 << dimension), middle(&needed))
        })
        .collect();
    let constant = dudley_constant::<Interval>().mid();
    Plot {
        title: "Dudley's integral: the constant that is printed and the constants that are needed".into(),
        description:
            "Mean supremum over entropy integral for regular simplices (Gaussian) and cubes (signs), sets of 2 to 256 points: between 0.96 and 1.46, \
                      against 12 sqrt 2 = 16.97 in the formal statement"
                .into(),
        x: Axis::log("points"),
        y: Axis::log("E sup X / integral of sqrt(log N)"),
        series: vec![
            Series { name: "12 sqrt 2, formalized".into(), marks: Marks::Line(vec![(2.0, constant), (256.0, constant)]) },
            Series { name: "simplices, Gaussian".into(), marks: Marks::Points(simplices) },
            Series { name: "cubes, signs (at least)".into(), marks: Marks::Points(cubes) },
        ],
    }
}
