//! Pictures: runs over the limit, and the map whose fixed points are the stationary risks.

use super::bounds::Setting;
use super::closure::Closure;
use super::fokker_planck::{LimitProblem, extrapolated_risks};
use super::quantizer::{Moments, Quantizer};
use super::simulate::{Run, quantile_start};
use calculator::{Axis, Marks, Plot, Series};
use numeric::Rational;

fn line(name: &str, x: &[f64], y: &[f64]) -> Series {
    Series { name: name.to_owned(), marks: Marks::Line(x.iter().copied().zip(y.iter().copied()).collect()) }
}

/// The mean of runs with two standard errors to both sides, over the limit's risk.
#[must_use]
pub fn runs_over_limit(times: &[f64], mean: &[f64], error: Option<&[f64]>, limit: Option<&[f64]>, d: usize, runs: u64) -> Plot {
    let mut series = Vec::new();
    if let Some(error) = error {
        let band = times.iter().zip(mean).zip(error).map(|((x, y), e)| (*x, y - 2.0 * e, y + 2.0 * e)).collect();
        series.push(Series { name: "runs, mean +- 2 standard errors".to_owned(), marks: Marks::Band(band) });
    }
    series.extend(limit.map(|limit| line("limit", times, limit)));
    let points = times.iter().copied().zip(mean.iter().copied()).collect();
    series.push(Series { name: format!("mean of {runs} runs, d = {d}"), marks: Marks::Points(points) });
    Plot {
        title: "Test risk of STE training".to_owned(),
        description: "The risk of runs at finite dimension, and its limit as the dimension grows.".to_owned(),
        x: Axis::linear("tau = step/d"),
        y: Axis::linear("test risk R"),
        series,
    }
}

/// Points of a curve.
const POINTS: usize = 200;

/// The map of the risk and the diagonal between the two-sided bounds; for free weights R_inf over the step size.
#[must_use]
pub fn map_curve(setting: &Setting, weights: bool) -> Plot {
    let moments: Moments<f64> = setting.moments();
    if !weights {
        let (rho, sigma2) = (super::bounds::power::<f64>(&setting.teacher), setting.sigma2.to_f64_nearest());
        let critical = moments.eta_critical();
        let steps: Vec<f64> = (0..POINTS).map(|i| 0.95 * critical * (i as f64 + 1.0) / POINTS as f64).collect();
        let risks: Vec<f64> = steps.iter().map(|eta| super::bounds::input_risk_limit(&moments, &rho, eta, &sigma2)).collect();
        return Plot {
            title: "Stationary risk with quantized inputs".to_owned(),
            description: "The stationary risk over the step size, up to 95% of the critical one.".to_owned(),
            x: Axis::linear("step size eta"),
            y: Axis::linear("stationary risk"),
            series: vec![line("R_inf", &steps, &risks)],
        };
    }
    let (low, high) = setting.two_sided::<f64>(&moments).unwrap_or((0.0, 1.0));
    let width = (high - low).max(1e-9 * high.max(1.0));
    let risks: Vec<f64> = (0..=POINTS).map(|i| low + width * (i as f64 + 0.5) / (POINTS as f64 + 0.5)).collect();
    let images: Vec<f64> = risks.iter().map(|risk| setting.map(&moments, risk)).collect();
    Plot {
        title: "Fixed points of the risk".to_owned(),
        description: "The risk of the stationary law at noise R, over R; where it meets the diagonal the risk is stationary.".to_owned(),
        x: Axis::linear("noise R"),
        y: Axis::linear("risk of the stationary law"),
        series: vec![line("map", &risks, &images), line("diagonal", &risks, &risks)],
    }
}

/// The headline figure: runs with quantized weights follow the limit of the law and not the Gaussian closure.
#[must_use]
pub fn figure() -> Plot {
    let times: Vec<f64> = (0..=80).map(f64::from).collect();
    let mut series = Vec::new();
    if let Ok(quantizer) = Quantizer::mid_rise(2, &Rational::from(2)) {
        let teacher = vec![(1.0, 1.0)];
        let problem = LimitProblem {
            quantizer: quantizer.clone(),
            teacher: teacher.clone(),
            c1: 1.0,
            c2: 1.0,
            eta: 0.1,
            sigma2: 0.01,
            start: (0.0, 1.0),
            reach: 7.0,
        };
        if let Ok(risks) = extrapolated_risks(&problem, 40, 80.0, 1_600, &times) {
            let risks: Vec<f64> = risks.into_iter().map(|risk| risk.0).collect();
            series.push(line("limit (law of the weights)", &times, &risks));
        }
        let closure = Closure { quantizer: quantizer.clone(), teacher, c1: 1.0, c2: 1.0, eta: 0.1, sigma2: 0.01 };
        series.push(line("Gaussian closure", &times, &closure.run((0.0, 1.0), 0.05, &times).0));
        let d = 200;
        let run = Run {
            weights: Some((&quantizer).into()),
            inputs: None,
            c1: 1.0,
            c2: 1.0,
            eta: 0.1,
            sigma: 0.1,
            teacher: vec![1.0; d],
            start: quantile_start(d, 0.0, 1.0),
        };
        let marks: Vec<u64> = times.iter().map(|time| (time * d as f64) as u64).collect();
        let mut first = 0;
        let risks = run.risks(&marks, |out| {
            simd::paths::fill(&[0; 32], first, simd::paths::Fill::Normal, out);
            first += simd::chacha::LANES as u64;
        });
        if let Ok(risks) = risks {
            series.push(Series { name: "one run, d = 200".to_owned(), marks: Marks::Points(times.iter().copied().zip(risks).collect()) });
        }
    }
    Plot {
        title: "Quantized weights: the law, not its Gaussian closure".to_owned(),
        description: "Test risk with weights of 2 bits, omega = 2, teacher 1, eta = 0.1: it falls to 0.175 near tau = 15 and rises to its fixed point 0.343. The Gaussian closure misses both.".to_owned(),
        x: Axis::linear("tau = step/d"),
        y: Axis::linear("test risk R"),
        series,
    }
}
