//! `calc lie-bracket tournament`: which order to train in, from exact numbers or from arrays of doubles.

use super::algorithm::{Entrant, Loss, PolynomialLoss, best_order, cycles, cyclic_share, dot, order_by_score, repeated, row_sums, scores_matrix};
use super::bounds::{PairAt, Radius, certified_eta};
use super::scale::{Rows, ScaleError, scored_rows};
use calculator::{Answer, Calculator, CalculatorError, Report, Value};
use clap::{Arg, ArgMatches, Command, value_parser};
use data::{Binary, DataError, Input, Number, Scratch, Tensor, read_json};
use numeric::{BigInterval, Field, Interval, Ordered, Rational, Rounding, Surd, with_precision};
use serde::Deserialize;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// Significant digits of every decimal.
const DIGITS: usize = 25;
/// Most sources for which all pairs are listed.
const MOST_PAIRS: usize = 50;
/// Most sources for which the best order is searched.
const MOST_ORDERS: usize = 9;
/// Arrays with more entries than this are scored in doubles with error bounds, not in rationals.
const MOST_EXACT: u64 = 1 << 20;
/// Multiplications that the search over all orders may take.
const MOST_WORK: u64 = 1 << 29;

/// The calculator.
pub struct LieBracketCalculator;

impl Calculator for LieBracketCalculator {
    fn command(&self) -> Command {
        Command::new("lie-bracket").about("Order of training: scores of sources against a target").subcommand_required(true).arg_required_else_help(true).subcommand(
            Command::new("tournament")
                .about("Row sums of the pairwise scores, the order they give, and for few sources the best orders")
                .arg(Arg::new("FILE").required(true).help("A .json of quadratics or derivatives; a .npz with gradients and hvp_target (N x d); a .csv with g_i, then H_i g_E in each row"))
                .arg(
                    Arg::new("steps")
                        .long("steps")
                        .value_name("K")
                        .value_parser(value_parser!(u32).range(1..=1000))
                        .default_value("1")
                        .help("Steps on each source in the order effect of pairs (quadratics)"),
                )
                .after_help("The .json: {\"theta0\":[..],\"eta\":\"1/10\",\"sources\":[{\"name\":\"A\",\"hessian\":[[..]],\"linear\":[..]},..],\"target\":{\"hessian\":[[..]],\"linear\":[..]}}\nfor f = x'Hx/2 - c'x with c = linear; or gradient with hessian, or gradient with hvp_target (H g_E), at theta0.\n\nExample:\n  theorycheck calc lie-bracket tournament sources.json --json"),
        )
    }

    fn run(&self, arguments: &ArgMatches, _stdin: &mut dyn Read) -> Result<Answer, CalculatorError> {
        let Some((_, inner)) = arguments.subcommand() else {
            return Err(CalculatorError::Argument { flag: "COMMAND", given: "nothing".to_owned(), reason: "give 'tournament'".to_owned() });
        };
        let file = inner.get_one::<String>("FILE").map_or("", String::as_str);
        let path = Path::new(file);
        let steps = inner.get_one::<u32>("steps").copied().unwrap_or(1);
        let wrong = |error: DataError| CalculatorError::Data(error.to_string());
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            let problem = check(file, read_json(path).map_err(wrong)?)?;
            return Ok(answer(&problem, steps));
        }
        match data::open(path).map_err(wrong)? {
            Input::Binary(binary) => arrays(&binary),
            Input::Text(text) => {
                let problem = rows_of_numbers(file, &text.rows)?;
                Ok(answer(&problem, steps))
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileInput {
    theta0: Vec<Number>,
    eta: Number,
    sources: Vec<SourceInput>,
    target: TargetInput,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceInput {
    name: String,
    hessian: Option<Vec<Vec<Number>>>,
    linear: Option<Vec<Number>>,
    gradient: Option<Vec<Number>>,
    hvp_target: Option<Vec<Number>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetInput {
    hessian: Option<Vec<Vec<Number>>>,
    linear: Option<Vec<Number>>,
    gradient: Option<Vec<Number>>,
}

/// Everything known, exactly.
struct Problem {
    names: Vec<String>,
    entrants: Vec<Entrant<Rational>>,
    /// The quadratics, where all sources and the target are.
    quadratics: Option<Quadratics>,
    /// g_E, where it is known.
    target_gradient: Option<Vec<Rational>>,
}

struct Quadratics {
    sources: Vec<PolynomialLoss<Rational>>,
    target: PolynomialLoss<Rational>,
    theta: Vec<Rational>,
    eta: Rational,
}

fn vector(numbers: &[Number]) -> Vec<Rational> {
    numbers.iter().map(|number| number.0.clone()).collect()
}

fn undefined(file: &str, place: &str, reason: impl Into<String>) -> CalculatorError {
    CalculatorError::Undefined { place: format!("{file}: {place}"), reason: reason.into() }
}

/// Checks lengths and symmetry.
struct Checker<'a> {
    file: &'a str,
    dimension: usize,
}

impl Checker<'_> {
    fn vector(&self, place: &str, key: &str, numbers: &[Number]) -> Result<Vec<Rational>, CalculatorError> {
        if numbers.len() == self.dimension {
            Ok(vector(numbers))
        } else {
            Err(undefined(self.file, place, format!("{key} has {} entries, theta0 has {}", numbers.len(), self.dimension)))
        }
    }

    fn hessian(&self, place: &str, rows: &[Vec<Number>]) -> Result<Vec<Vec<Rational>>, CalculatorError> {
        if let Some((index, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != self.dimension) {
            return Err(undefined(
                self.file,
                place,
                format!("row {} of hessian has {} entries, theta0 has {}", index + 1, row.len(), self.dimension),
            ));
        }
        if rows.len() != self.dimension {
            return Err(undefined(self.file, place, format!("hessian has {} rows, theta0 has {} entries", rows.len(), self.dimension)));
        }
        let rows: Vec<Vec<Rational>> = rows.iter().map(|row| vector(row)).collect();
        let mut worst: Option<(Rational, usize, usize)> = None;
        for (i, row) in rows.iter().enumerate() {
            for (j, other) in rows.iter().enumerate().skip(i + 1) {
                let gap = (row[j].clone() - other[i].clone()).abs();
                if !gap.is_zero() && worst.as_ref().is_none_or(|(most, _, _)| gap > *most) {
                    worst = Some((gap, i, j));
                }
            }
        }
        match worst {
            None => Ok(rows),
            Some((gap, i, j)) => Err(undefined(
                self.file,
                place,
                format!("hessian is not symmetric: largest asymmetry {gap}, between entries ({}, {}) and ({}, {})", i + 1, j + 1, j + 1, i + 1),
            )),
        }
    }
}

fn check(file: &str, input: FileInput) -> Result<Problem, CalculatorError> {
    let theta = vector(&input.theta0);
    let checker = Checker { file, dimension: theta.len() };
    let eta = input.eta.0;
    if theta.is_empty() {
        return Err(undefined(file, "theta0", "has no entries"));
    }
    if eta <= Rational::from(0) {
        return Err(undefined(file, "eta", format!("must be positive (given: {eta})")));
    }
    if input.sources.is_empty() {
        return Err(undefined(file, "sources", "is empty"));
    }
    let (target, target_gradient) = match (&input.target.hessian, &input.target.linear, &input.target.gradient) {
        (Some(hessian), Some(linear), None) => {
            let loss = PolynomialLoss::quadratic(checker.hessian("target", hessian)?, checker.vector("target", "linear", linear)?);
            let gradient = loss.gradient(&theta);
            (Some(loss), gradient)
        }
        (hessian, None, Some(gradient)) => {
            if let Some(hessian) = hessian {
                checker.hessian("target", hessian)?;
            }
            (None, checker.vector("target", "gradient", gradient)?)
        }
        _ => return Err(undefined(file, "target", "give hessian and linear, or gradient")),
    };
    let mut names: Vec<String> = Vec::new();
    let mut entrants = Vec::new();
    let mut quadratics = Vec::new();
    for (index, source) in input.sources.iter().enumerate() {
        let place = format!("sources[{index}] '{}'", source.name);
        if let Some(first) = names.iter().position(|name| *name == source.name) {
            return Err(undefined(file, &place, format!("the name is taken by sources[{first}]")));
        }
        names.push(source.name.clone());
        let entrant = match (&source.hessian, &source.linear, &source.gradient, &source.hvp_target) {
            (Some(hessian), Some(linear), None, None) => {
                let loss = PolynomialLoss::quadratic(checker.hessian(&place, hessian)?, checker.vector(&place, "linear", linear)?);
                let entrant = Entrant { gradient: loss.gradient(&theta), curved: loss.hessian_vector(&theta, &target_gradient) };
                quadratics.push(loss);
                entrant
            }
            (Some(hessian), None, Some(gradient), None) => {
                let hessian = checker.hessian(&place, hessian)?;
                Entrant { gradient: checker.vector(&place, "gradient", gradient)?, curved: super::algorithm::apply(&hessian, &target_gradient) }
            }
            (None, None, Some(gradient), Some(curved)) => {
                Entrant { gradient: checker.vector(&place, "gradient", gradient)?, curved: checker.vector(&place, "hvp_target", curved)? }
            }
            _ => return Err(undefined(file, &place, "give hessian and linear, or gradient and hessian, or gradient and hvp_target")),
        };
        entrants.push(entrant);
    }
    let quadratics = target.filter(|_| quadratics.len() == names.len()).map(|target| Quadratics { sources: quadratics, target, theta, eta });
    Ok(Problem { names, entrants, quadratics, target_gradient: Some(target_gradient) })
}

/// Rows g_1 .. g_d, q_1 .. q_d; the sources are named by their line.
fn rows_of_numbers(file: &str, rows: &[(usize, Vec<Rational>)]) -> Result<Problem, CalculatorError> {
    let width = rows.first().map_or(0, |(_, row)| row.len());
    let mut problem = Problem { names: Vec::new(), entrants: Vec::new(), quadratics: None, target_gradient: None };
    for (line, row) in rows {
        if row.len() != width || width % 2 == 1 {
            let reason = format!("{} numbers; every line needs g_i and H_i g_E, as many as the first (an even number)", row.len());
            return Err(undefined(file, &format!("line {line}"), reason));
        }
        let (gradient, curved) = row.split_at(width / 2);
        problem.names.push(format!("line {line}"));
        problem.entrants.push(Entrant { gradient: gradient.to_vec(), curved: curved.to_vec() });
    }
    Ok(problem)
}

fn list<T>(values: impl IntoIterator<Item = T>, value: impl Fn(T) -> Value) -> Value {
    Value::List(values.into_iter().map(value).collect())
}

fn exact(value: &Rational) -> Value {
    Value::Exact(Some(value.to_string()))
}

fn answer(problem: &Problem, steps: u32) -> Answer {
    let Problem { names, entrants, quadratics, target_gradient } = problem;
    let count = names.len();
    let scores = row_sums(entrants);
    let named = |order: &[usize]| list(order.iter(), |&index| Value::Text(names[index].clone()));
    let mut notes = Vec::new();
    let mut report = Report::default();
    report.push("scores", list(&scores, exact));
    report.push("order", named(&order_by_score(&scores)));
    let small = count <= MOST_PAIRS;
    let sigma = if small { scores_matrix(entrants) } else { Vec::new() };
    let second = if count <= MOST_ORDERS { best_order(&sigma) } else { None };
    report.push("best_order_second_order", second.map_or(Value::Null, |(order, _)| named(&order)));
    let truly = match quadratics {
        Some(quadratics) if count <= MOST_ORDERS => {
            let best = best_of_all(quadratics);
            if best.is_none() {
                notes.push("best_order_true: too many orders in so many dimensions, or too many that are equal".to_owned());
            }
            best
        }
        _ => None,
    };
    report.push("best_order_true", truly.map_or(Value::Null, |order| named(&order)));
    if count > MOST_ORDERS {
        notes.push(format!("best_order_true and best_order_second_order are searched for at most {MOST_ORDERS} sources"));
    } else if quadratics.is_none() {
        notes.push("best_order_true, certified_eta and order_effect need quadratics: hessian and linear for every source and the target".to_owned());
    }
    if small {
        report.push("sigma", list(&sigma, |row| list(row, exact)));
        let found = cycles(&sigma);
        report.push("transitive", Value::Flag(found.is_empty()));
        report.push("cycles", list(&found, |cycle| named(cycle)));
        report.push("three_cycles", Value::Count(found.iter().filter(|cycle| cycle.len() == 3).count() as u64));
        let (all, cyclic) = cyclic_share(&sigma);
        let ratio = (!all.is_zero())
            .then(|| with_precision(160, || BigInterval::from_rational(&(cyclic / all)).sqrt().to_decimal(DIGITS)))
            .and_then(Result::ok);
        report.push("curl_ratio", ratio.map_or(Value::Null, Value::Decimal));
        if let (Some(quadratics), Some(g_e)) = (quadratics, target_gradient) {
            let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
            report.push(
                "certified_eta",
                list(pairs.clone(), |(i, j)| {
                    let hessians = (&quadratics.sources[i].hessian, &quadratics.sources[j].hessian);
                    let pair = PairAt::new(&entrants[i].gradient, &entrants[j].gradient, hessians.0, hessians.1);
                    Value::Map(vec![("pair".to_owned(), named(&[i, j])), ("eta".to_owned(), radius(&quadratics.target.hessian, g_e, &pair))])
                }),
            );
            report.push(
                "order_effect",
                list(pairs, |(i, j)| {
                    let end = |a: usize, b: usize| {
                        quadratics.target.value(&repeated(&quadratics.sources[a], &quadratics.sources[b], steps, &quadratics.eta, &quadratics.theta))
                    };
                    let effect = if steps <= 8 { exact(&(end(i, j) - end(j, i))) } else { enclosed_effect(quadratics, i, j, steps) };
                    Value::Map(vec![("pair".to_owned(), named(&[i, j])), ("effect".to_owned(), effect)])
                }),
            );
        }
    } else {
        notes.push(format!("sigma, cycles and certified_eta are listed for at most {MOST_PAIRS} sources"));
    }
    if target_gradient.as_ref().is_some_and(|gradient| gradient.iter().all(Rational::is_zero)) {
        notes.push("the target's gradient at theta0 is 0: all scores are 0, and the order is that of the input".to_owned());
    }
    Answer { notes, ..Answer::single(report) }
}

/// The certified radius, rounded down; "any" where every eta will do, null where the score is 0.
fn radius(target: &[Vec<Rational>], g_e: &[Rational], pair: &PairAt<Rational>) -> Value {
    match with_precision(256, || certified_eta::<BigInterval>(target, g_e, pair)) {
        Ok(Radius::Every) => Value::Text("any".to_owned()),
        Ok(Radius::Below(radius)) => radius.lo_rational().map_or(Value::Null, |low| Value::Decimal(low.to_decimal(DIGITS, Rounding::Down))),
        _ => Value::Null,
    }
}

/// The order effect after many steps: exact fractions would have thousands of digits.
fn enclosed_effect(quadratics: &Quadratics, i: usize, j: usize, steps: u32) -> Value {
    let effect = with_precision(1024, || {
        let lift = |loss: &PolynomialLoss<Rational>| {
            let vector = |v: &[Rational]| v.iter().map(BigInterval::from_rational).collect::<Vec<_>>();
            PolynomialLoss::quadratic(loss.hessian.iter().map(|row| vector(row)).collect(), vector(&loss.linear))
        };
        let (a, b, target) = (lift(&quadratics.sources[i]), lift(&quadratics.sources[j]), lift(&quadratics.target));
        let theta: Vec<BigInterval> = quadratics.theta.iter().map(BigInterval::from_rational).collect();
        let eta = BigInterval::from_rational(&quadratics.eta);
        let end = |a: &PolynomialLoss<BigInterval>, b: &PolynomialLoss<BigInterval>| target.value(&repeated(a, b, steps, &eta, &theta));
        (end(&a, &b) - end(&b, &a)).to_decimal(DIGITS)
    });
    effect.map_or(Value::Null, Value::Decimal)
}

/// The order with the least f_E(theta_pi), the first in lexicographic order among equals. Intervals leave few candidates, exact numbers decide among them.
fn best_of_all(quadratics: &Quadratics) -> Option<Vec<usize>> {
    let count = quadratics.sources.len();
    let nodes: u64 = (1..=count).map(|k| (count - k + 1..=count).product::<usize>() as u64).sum();
    if nodes.saturating_mul((quadratics.theta.len() as u64).pow(2)) > MOST_WORK {
        return None;
    }
    let vector = |v: &[Rational]| v.iter().map(Interval::from_rational).collect::<Vec<_>>();
    let lift = |loss: &PolynomialLoss<Rational>| (loss.hessian.iter().map(|row| vector(row)).collect::<Vec<_>>(), vector(&loss.linear));
    let sources: Vec<_> = quadratics.sources.iter().map(lift).collect();
    let target = lift(&quadratics.target);
    let eta = Interval::from_rational(&quadratics.eta);
    let step = |index: usize, x: &[Interval]| -> Vec<Interval> {
        let (hessian, linear) = &sources[index];
        x.iter().zip(hessian).zip(linear).map(|((value, row), c)| *value - eta * (dot(row, x) - *c)).collect()
    };
    let value = |x: &[Interval]| {
        let bent: Vec<Interval> = target.0.iter().map(|row| dot(row, x)).collect();
        Interval::ratio(1, 2) * dot(x, &bent) - dot(&target.1, x)
    };
    let equal = |a: &PolynomialLoss<Rational>, b: &PolynomialLoss<Rational>| a.hessian == b.hessian && a.linear == b.linear;
    let twin: Vec<Option<usize>> = (0..count).map(|j| (0..j).rev().find(|&i| equal(&quadratics.sources[i], &quadratics.sources[j]))).collect();
    let visit = Visit { twin: &twin, step: &step };
    let mut upper = f64::INFINITY;
    visit.from(&mut Vec::new(), &vector(&quadratics.theta), &mut |_, x| upper = upper.min(value(x).hi()));
    let mut candidates: Vec<Vec<usize>> = Vec::new();
    let mut many = false;
    visit.from(&mut Vec::new(), &vector(&quadratics.theta), &mut |order, x| {
        if value(x).lo() <= upper {
            many |= candidates.len() >= 2_000;
            if !many {
                candidates.push(order.to_vec());
            }
        }
    });
    if many {
        return None;
    }
    let mut best: Option<(Rational, Vec<usize>)> = None;
    for order in candidates {
        let losses: Vec<&dyn Loss<Rational>> = order.iter().map(|&index| &quadratics.sources[index] as &dyn Loss<Rational>).collect();
        let value = quadratics.target.value(&super::algorithm::pass(&losses, &quadratics.eta, &quadratics.theta));
        if best.as_ref().is_none_or(|(least, _)| value < *least) {
            best = Some((value, order));
        }
    }
    best.map(|(_, order)| order)
}

/// Orders are visited in lexicographic order, each prefix stepped once; of equal sources the one with the lower index always comes first, since exchanging them
/// changes nothing.
struct Visit<'a> {
    /// For each source the nearest earlier one that is equal to it.
    twin: &'a [Option<usize>],
    step: &'a dyn Fn(usize, &[Interval]) -> Vec<Interval>,
}

impl Visit<'_> {
    fn from(&self, order: &mut Vec<usize>, x: &[Interval], leaf: &mut dyn FnMut(&[usize], &[Interval])) {
        if order.len() == self.twin.len() {
            return leaf(order, x);
        }
        for (next, twin) in self.twin.iter().enumerate() {
            if !order.contains(&next) && twin.is_none_or(|twin| order.contains(&twin)) {
                let moved = (self.step)(next, x);
                order.push(next);
                self.from(order, &moved, leaf);
                order.pop();
            }
        }
    }
}

/// The arrays of an archive, read chunk by chunk.
struct Arrays<'a> {
    binary: &'a Binary,
    gradients: &'a Tensor,
    curved: &'a Tensor,
    count: usize,
    dimension: usize,
}

impl Rows for Arrays<'_> {
    type Error = DataError;

    fn count(&self) -> usize {
        self.count
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn with(&self, range: Range<usize>, work: &mut dyn FnMut(&[f64], &[f64])) -> Result<(), DataError> {
        let place = (range.start * self.dimension) as u64..(range.end * self.dimension) as u64;
        let (mut g, mut q, mut scratch) = (Vec::new(), Vec::new(), Scratch::default());
        self.binary.read_f64(self.gradients, place.clone(), &mut g, &mut scratch)?;
        self.binary.read_f64(self.curved, place, &mut q, &mut scratch)?;
        work(&g, &q);
        Ok(())
    }
}

fn arrays(binary: &Binary) -> Result<Answer, CalculatorError> {
    let wrong = |error: DataError| CalculatorError::Data(error.to_string());
    let (gradients, curved) = (binary.tensor("gradients").map_err(wrong)?, binary.tensor("hvp_target").map_err(wrong)?);
    let &[count, dimension] = &gradients.shape[..] else {
        return Err(undefined(binary.name(), "gradients", format!("has shape {:?}, not (N, d)", gradients.shape)));
    };
    if curved.shape != gradients.shape {
        return Err(undefined(binary.name(), "hvp_target", format!("has shape {:?}, gradients has {:?}", curved.shape, gradients.shape)));
    }
    if count == 0 || dimension == 0 {
        return Err(undefined(binary.name(), "gradients", "is empty"));
    }
    let rows = Arrays { binary, gradients, curved, count: count as usize, dimension: dimension as usize };
    let name = |index: usize| index.to_string();
    if gradients.len <= MOST_EXACT {
        let mut problem = Problem { names: (0..rows.count).map(name).collect(), entrants: Vec::new(), quadratics: None, target_gradient: None };
        let mut bad = None;
        rows.with(0..rows.count, &mut |g, q| {
            let mut exact = |values: &[f64], key: &'static str, row: usize| -> Vec<Rational> {
                let convert = |(column, &value): (usize, &f64)| {
                    Rational::from_f64(value).unwrap_or_else(|| {
                        bad.get_or_insert((key, row, column, value));
                        Rational::from(0)
                    })
                };
                values.iter().enumerate().map(convert).collect()
            };
            for (row, (g, q)) in g.chunks_exact(rows.dimension).zip(q.chunks_exact(rows.dimension)).enumerate() {
                let gradient = exact(g, "gradients", row);
                problem.entrants.push(Entrant { gradient, curved: exact(q, "hvp_target", row) });
            }
        })
        .map_err(wrong)?;
        if let Some((key, row, column, value)) = bad {
            return Err(undefined(binary.name(), &format!("{key}[{row}, {column}]"), format!("is {value}, not a finite number")));
        }
        return Ok(answer(&problem, 1));
    }
    let scored = scored_rows(&rows).map_err(|error| match error {
        ScaleError::Rows(error) => wrong(error),
        error @ ScaleError::NotFinite { .. } => undefined(binary.name(), "gradients, hvp_target", error.to_string()),
    })?;
    let decimal = |value: f64, rounding| Rational::from_f64(value).map_or(Value::Null, |value| Value::Decimal(value.to_decimal(DIGITS, rounding)));
    let mut report = Report::default();
    report.push("scores", list(&scored.scores, |&score| decimal(score, Rounding::Down)));
    report.push("score_errors", list(&scored.errors, |&error| decimal(error, Rounding::Up)));
    report.push("order", list(&scored.order, |&index| Value::Text(name(index))));
    report.push("order_certain", Value::Flag(scored.certain.iter().all(|&certain| certain)));
    report.push("uncertain_neighbours", Value::Count(scored.certain.iter().filter(|&&certain| !certain).count() as u64));
    Ok(Answer::single(report))
}
