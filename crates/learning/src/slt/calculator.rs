//! `calc slt`: covering numbers of a user's points with a proof, the entropy integral and Dudley's bound; the error bound of least squares.

use super::chaining::{Steps, chi_square_within, dudley_constant, mean_length};
use super::covering::{Cover, MAX_POINTS, Packing, cover, packing, profile};
use super::looseness::{LoosenessError, looseness};
use super::regression::best_constant;
use calculator::{Answer, Calculator, CalculatorError, Report, Value, exact_argument};
use clap::{Arg, ArgMatches, Command};
use data::{DataError, Input, Scratch};
use numeric::{BigInterval, Field, Ordered, Rational, Real, Rounding, Surd, with_precision};
use std::io::Read;
use std::path::Path;

/// Significant digits of every decimal.
const DIGITS: usize = 25;
/// Bits of the computations behind them.
const BITS: u32 = 160;
/// Largest rank: the chi-square series grow with it.
const MAX_RANK: u64 = 20_000;

/// The calculator.
pub struct SltCalculator;

fn number(id: &'static str, name: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(id).value_name(name).required(true).allow_hyphen_values(true).help(help)
}

impl Calculator for SltCalculator {
    fn command(&self) -> Command {
        Command::new("slt")
            .about("Covering numbers with a proof, entropy integrals, the error bound of least squares and the truth beside it")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand(
                Command::new("covering")
                    .about("Exact covering and packing numbers of points, with a least net, and Dudley's bound for them")
                    .arg(Arg::new("FILE").required(true).help("Points, one a row: .csv, .txt or .npy; for --metric matrix their distances"))
                    .arg(number("eps", "E", "Radius of the closed balls, positive"))
                    .arg(Arg::new("centres").long("centres").value_name("FILE").help("Allowed centres, one a row; without it the points themselves"))
                    .arg(
                        Arg::new("metric")
                            .long("metric")
                            .value_name("M")
                            .value_parser(["euclidean", "l1", "linf", "matrix"])
                            .default_value("euclidean")
                            .help("The distance"),
                    )
                    .after_help(
                        "Example:\n  theorycheck calc slt covering points.csv --eps 1/2 --centres centres.csv --metric l1\n\nThe packing is strict (distances above E); rows are counted from 0. entropy_integral is the integral of sqrt(ln N) over all radii, dudley_bound 12 sqrt(2) times it\n(scale 1), an upper bound of the mean supremum of a process whose increments are sub-Gaussian for this distance.",
                    ),
            )
            .subcommand(
                Command::new("looseness")
                    .about("Each printed constant beside the largest number that some instance needs in its place")
                    .after_help("Example:\n  theorycheck calc slt looseness --json"),
            )
            .subcommand(
                Command::new("regression")
                    .about("Least squares over a linear class: the formal library's error bound and the exact probability")
                    .arg(number("n", "N", "Observations"))
                    .arg(number("rank", "R", "Rank of the class, 1 to N"))
                    .arg(number("sigma", "S", "Noise scale, positive"))
                    .arg(Arg::new("t").long("t").value_name("T").allow_hyphen_values(true).help("At least the critical radius; without it the critical radius itself"))
                    .after_help(
                        "Example:\n  theorycheck calc slt regression --n 100 --rank 5 --sigma 1\n\nThe bound says: the squared empirical error is at most master_bound = 16 t d with probability at least 1 - exp(-n t d/(2 sigma^2)), d the critical radius.\nbest_constant is the least number that could stand in place of 16.",
                    ),
            )
    }

    fn run(&self, arguments: &ArgMatches, _stdin: &mut dyn Read) -> Result<Answer, CalculatorError> {
        match arguments.subcommand() {
            Some(("regression", arguments)) => regression(arguments),
            Some(("looseness", _)) => looseness_table(),
            Some((_, arguments)) => covering(arguments),
            None => Err(CalculatorError::Data("one of covering, regression, looseness is needed".into())),
        }
    }
}

fn refuse(flag: &'static str, given: &str, reason: impl Into<String>) -> CalculatorError {
    CalculatorError::Argument { flag, given: given.to_owned(), reason: reason.into() }
}

fn undefined(place: impl Into<String>, reason: impl Into<String>) -> CalculatorError {
    CalculatorError::Undefined { place: place.into(), reason: reason.into() }
}

fn text<'a>(arguments: &'a ArgMatches, id: &str) -> &'a str {
    arguments.get_one::<String>(id).map_or("", String::as_str)
}

fn positive(arguments: &ArgMatches, id: &str, flag: &'static str) -> Result<Rational, CalculatorError> {
    let given = text(arguments, id);
    let value = exact_argument(flag, given)?;
    if value > Rational::from(0) { Ok(value) } else { Err(refuse(flag, given, "must be positive")) }
}

/// Rows of numbers, all of one length, each with its place in words.
struct Rows {
    file: String,
    rows: Vec<(String, Vec<Rational>)>,
}

impl Rows {
    fn read(path: &str) -> Result<Rows, CalculatorError> {
        let wrong = |error: DataError| CalculatorError::Data(error.to_string());
        let rows: Vec<(String, Vec<Rational>)> = match data::open(Path::new(path)).map_err(wrong)? {
            Input::Text(text) => text.rows.into_iter().map(|(line, row)| (format!("line {line}"), row)).collect(),
            Input::Binary(binary) => {
                let [tensor] = &binary.tensors[..] else {
                    return Err(undefined(path, format!("{} arrays in it, one is needed", binary.tensors.len())));
                };
                let width = match tensor.shape[..] {
                    [_] => 1,
                    [_, width] => width,
                    _ => return Err(undefined(path, format!("{} dimensions, but rows of points have 2", tensor.shape.len()))),
                };
                if tensor.len == 0 || width == 0 {
                    return Err(wrong(DataError::Empty { file: path.to_owned() }));
                }
                let mut values = Vec::new();
                binary.read_f64(tensor, 0..tensor.len, &mut values, &mut Scratch::default()).map_err(wrong)?;
                let exact = |index: usize, value: f64| {
                    Rational::from_f64(value)
                        .ok_or_else(|| wrong(DataError::NotFinite { file: path.to_owned(), index: index as u64, value: value.to_string() }))
                };
                let values = values.iter().enumerate().map(|(index, &value)| exact(index, value)).collect::<Result<Vec<Rational>, _>>()?;
                values.chunks(width as usize).enumerate().map(|(index, row)| (format!("row {index}"), row.to_vec())).collect()
            }
        };
        let width = rows[0].1.len();
        if let Some((place, row)) = rows.iter().find(|(_, row)| row.len() != width) {
            return Err(undefined(format!("{path}: {place}"), format!("{} numbers, but {} has {width}", row.len(), rows[0].0)));
        }
        Ok(Rows { file: path.to_owned(), rows })
    }

    fn width(&self) -> usize {
        self.rows[0].1.len()
    }

    /// The rows as distances: square, symmetric, 0 on the diagonal, not negative, with the triangle inequality.
    fn check_metric(&self) -> Result<(), CalculatorError> {
        let (count, width) = (self.rows.len(), self.width());
        let at = |i: usize, j: usize| &self.rows[i].1[j];
        let place = |i: usize| format!("{}: {}", self.file, self.rows[i].0);
        if count != width {
            return Err(undefined(&self.file, format!("{count} rows of {width} numbers, but distances are a square matrix")));
        }
        let zero = Rational::from(0);
        for i in 0..count {
            if !at(i, i).is_zero() {
                return Err(undefined(place(i), format!("d({i}, {i}) = {}, but a point is at distance 0 from itself", at(i, i))));
            }
            for j in 0..i {
                if at(i, j) != at(j, i) {
                    return Err(undefined(place(i), format!("d({i}, {j}) = {} and d({j}, {i}) = {}: not symmetric", at(i, j), at(j, i))));
                }
                if *at(i, j) < zero {
                    return Err(undefined(place(i), format!("d({i}, {j}) = {} is negative", at(i, j))));
                }
            }
        }
        // Enclosures settle most triples: a sum of two doubles is off by less than a share 2^-52.
        let ends = |round: fn(&Rational) -> f64| -> Vec<Vec<f64>> { self.rows.iter().map(|(_, row)| row.iter().map(round).collect()).collect() };
        let (low, high) = (ends(Rational::to_f64_down), ends(Rational::to_f64_up));
        for i in 0..count {
            for j in 0..i {
                for (k, (first, second)) in low[i].iter().zip(&low[j]).enumerate() {
                    if high[i][j] < (first + second) * (1.0 - 2.0 * f64::EPSILON) {
                        continue;
                    }
                    if *at(i, j) > at(i, k).clone() + at(k, j).clone() {
                        let (long, first, second) = (at(i, j), at(i, k), at(k, j));
                        let reason = format!("no metric: d({i}, {j}) = {long} > d({i}, {k}) + d({k}, {j}) = {first} + {second}");
                        return Err(undefined(place(i), reason));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The distance, squared for the Euclidean one.
fn distance(metric: &str, a: &[Rational], b: &[Rational]) -> Rational {
    let gaps = a.iter().zip(b).map(|(a, b)| Ordered::abs(&(a.clone() - b.clone())));
    match metric {
        "euclidean" => gaps.fold(Rational::from(0), |sum, gap| sum + gap.square()),
        "l1" => gaps.fold(Rational::from(0), |sum, gap| sum + gap),
        _ => gaps.fold(Rational::from(0), |most, gap| if gap > most { gap } else { most }),
    }
}

/// Distances as ranks among all that occur, so that comparisons are of machine integers; and what occurs, ascending from 0.
struct Ranked {
    ranks: Vec<Vec<u32>>,
    values: Vec<Rational>,
}

impl Ranked {
    fn new(distances: &[Vec<Rational>]) -> Ranked {
        let order = |a: &Rational, b: &Rational| a.cmp_exact(b).unwrap_or(std::cmp::Ordering::Equal);
        let mut values: Vec<Rational> = distances.iter().flatten().cloned().chain([Rational::from(0)]).collect();
        values.sort_by(order);
        values.dedup();
        let rank = |value: &Rational| values.binary_search_by(|probe| order(probe, value)).unwrap_or_else(|at| at) as u32;
        Ranked { ranks: distances.iter().map(|row| row.iter().map(rank).collect()).collect(), values }
    }

    /// The rank of the largest distance at most this one (which is not negative).
    fn below(&self, limit: &Rational) -> u32 {
        (self.values.partition_point(|value| value <= limit) - 1) as u32
    }
}

fn proved_cover(ranked: &Ranked, points: usize, centres: usize, limit: u32) -> Result<Cover, String> {
    let within = |p: usize, c: usize| ranked.ranks[p][c] <= limit;
    let found = cover(points, centres, within).map_err(|error| error.to_string())?;
    found.verify(points, centres, within).map_err(|error| error.to_string())?;
    Ok(found)
}

fn proved_packing(ranked: &Ranked, points: usize, limit: u32) -> Result<Packing, String> {
    let close = |p: usize, q: usize| ranked.ranks[p][q] <= limit;
    let found = packing(points, close).map_err(|error| error.to_string())?;
    found.verify(points, close).map_err(|error| error.to_string())?;
    Ok(found)
}

fn decimal(value: &BigInterval, rounding: Rounding) -> Value {
    let end = if rounding == Rounding::Up { value.hi_rational() } else { value.lo_rational() };
    end.map_or(Value::Null, |end| Value::Decimal(end.to_decimal(DIGITS, rounding)))
}

fn exact(value: &Rational) -> Value {
    Value::Exact((value.digit_count() <= 200).then(|| value.to_string()))
}

fn indices(list: &[usize]) -> Value {
    Value::List(list.iter().map(|&index| Value::Count(index as u64)).collect())
}

fn covering(arguments: &ArgMatches) -> Result<Answer, CalculatorError> {
    let eps = positive(arguments, "eps", "--eps")?;
    let metric = text(arguments, "metric");
    let file = text(arguments, "FILE");
    let centre_file = arguments.get_one::<String>("centres");
    if let (Some(given), "matrix") = (centre_file, metric) {
        return Err(refuse("--centres", given, "with --metric matrix the centres are the points themselves"));
    }
    let points = Rows::read(file)?;
    let count = points.rows.len();
    if count > MAX_POINTS {
        return Err(undefined(file, format!("{count} points; exact numbers are found for up to {MAX_POINTS}")));
    }
    let between: Vec<Vec<Rational>> = if metric == "matrix" {
        points.check_metric()?;
        points.rows.iter().map(|(_, row)| row.clone()).collect()
    } else {
        points.rows.iter().map(|(_, a)| points.rows.iter().map(|(_, b)| distance(metric, a, b)).collect()).collect()
    };
    let reach = match centre_file {
        None => between.clone(),
        Some(path) => {
            let centres = Rows::read(path)?;
            if centres.width() != points.width() {
                let reason = format!("centres have {} coordinates, the points of {file} have {}", centres.width(), points.width());
                return Err(undefined(path.as_str(), reason));
            }
            points.rows.iter().map(|(_, a)| centres.rows.iter().map(|(_, b)| distance(metric, a, b)).collect()).collect()
        }
    };
    let squared = metric == "euclidean";
    let limit = if squared { eps.square() } else { eps.clone() };
    let fault = |reason: String| undefined(file, reason);
    let (balls, pairs) = (Ranked::new(&reach), Ranked::new(&between));
    let centres = reach[0].len();
    let cover = proved_cover(&balls, count, centres, balls.below(&limit)).map_err(fault)?;
    let packing = proved_packing(&pairs, count, pairs.below(&limit)).map_err(fault)?;
    let diameter = pairs.values.last().cloned().unwrap_or_else(|| Rational::from(0));
    let mut report = Report::default();
    let mut notes = Vec::new();
    report.push("points", Value::Count(count as u64));
    report.push("centres", Value::Count(centres as u64));
    report.push("eps", exact(&eps));
    report.push("covering", Value::Count(cover.size() as u64));
    report.push("net", indices(&cover.centres));
    report.push("covering_proof_nodes", Value::Count(cover.steps.len() as u64));
    report.push("packing", Value::Count(packing.size() as u64));
    report.push("packed", indices(&packing.points));
    report.push("packing_proof_nodes", Value::Count(packing.steps.len() as u64));
    // The radii from which all points are covered on.
    let first = (0..count).map(|p| balls.ranks[p].iter().copied().min().unwrap_or(0)).max().unwrap_or(0);
    if !balls.values[first as usize].is_zero() {
        notes.push("some point is no centre: below its distance to the nearest one no net exists, and the integral takes ln N as 0 there, as the formal library does".to_owned());
    }
    let numbers =
        profile(balls.values.len() - first as usize, |index| proved_cover(&balls, count, centres, first + index as u32).map(|found| found.size()));
    match numbers {
        Ok(numbers) => {
            let mut steps = vec![(Rational::from(0), 1)];
            steps.extend(balls.values[first as usize..].iter().cloned().zip(numbers.into_iter().map(|number| number as u64)));
            let steps = Steps { squared, steps };
            let (integral, bound, reach) = with_precision(BITS, || {
                let integral = steps.whole::<BigInterval>();
                let reach = BigInterval::from_rational(&diameter);
                (integral.clone(), dudley_constant::<BigInterval>() * integral, if squared { reach.sqrt() } else { reach })
            })
            .map_err(|error| undefined(file, error.to_string()))?;
            report.push("diameter", decimal(&reach, Rounding::Up));
            report.push("entropy_integral", decimal(&integral, Rounding::Up));
            report.push("dudley_bound", decimal(&bound, Rounding::Up));
        }
        Err(reason) => {
            notes.push(format!("no entropy integral: at some radius the covering number is {reason}"));
            report.push("entropy_integral", Value::Null);
            report.push("dudley_bound", Value::Null);
        }
    }
    Ok(Answer { notes, ..Answer::single(report) })
}

/// One report a constant.
fn looseness_table() -> Result<Answer, CalculatorError> {
    let rows = with_precision(BITS, looseness).map_err(LoosenessError::from).and_then(|rows| rows);
    let rows = rows.map_err(|error| undefined("looseness", error.to_string()))?;
    let reports = rows
        .into_iter()
        .map(|row| {
            let mut report = Report { name: Some(row.claim.to_owned()), ..Report::default() };
            report.push("constant", Value::Text(row.constant.to_owned()));
            report.push("printed", decimal(&row.printed, Rounding::Up));
            report.push("needed", decimal(&row.needed, Rounding::Down));
            report.push("looseness_at_most", decimal(&(row.printed / row.needed), Rounding::Up));
            report.push("at", Value::Text(row.at.to_owned()));
            report.push("limit", if row.limit.is_empty() { Value::Null } else { Value::Text(row.limit.to_owned()) });
            report
        })
        .collect();
    Ok(Answer { reports, listed: true, ..Answer::default() })
}

fn whole(arguments: &ArgMatches, id: &str, flag: &'static str) -> Result<u64, CalculatorError> {
    let given = text(arguments, id);
    let value = exact_argument(flag, given)?;
    if !value.is_integer() || value < Rational::from(1) {
        return Err(refuse(flag, given, "must be an integer from 1 on"));
    }
    value.to_i128().and_then(|value| u64::try_from(value).ok()).ok_or_else(|| refuse(flag, given, "must be below 2^64"))
}

/// What is computed for a regression.
struct Regression {
    critical: BigInterval,
    master: BigInterval,
    promised: BigInterval,
    lower: BigInterval,
    upper: BigInterval,
    best: Option<(Rational, Rational)>,
}

fn regression(arguments: &ArgMatches) -> Result<Answer, CalculatorError> {
    let observations = whole(arguments, "n", "--n")?;
    let rank = whole(arguments, "rank", "--rank")?;
    if rank > observations {
        return Err(refuse("--rank", text(arguments, "rank"), format!("is above --n = {observations}: the design has no such rank")));
    }
    if rank > MAX_RANK {
        return Err(refuse("--rank", text(arguments, "rank"), format!("must be at most {MAX_RANK}: the exact law is summed term by term")));
    }
    let sigma = positive(arguments, "sigma", "--sigma")?;
    let given = arguments.get_one::<String>("t");
    let t = given.map(|given| exact_argument("--t", given).map(|value| (given.as_str(), value))).transpose()?;
    let found =
        with_precision(BITS, || solve(observations, rank, &sigma, t.as_ref())).map_err(|error| undefined("regression", error.to_string()))??;
    let mut report = Report::default();
    report.push("critical_radius", decimal(&found.critical, Rounding::Up));
    report.push("master_bound", decimal(&found.master, Rounding::Up));
    report.push("promised_probability", decimal(&found.promised, Rounding::Down));
    report.push("exact_probability", decimal(&found.lower, Rounding::Down));
    report.push("exact_excess", decimal(&found.upper, Rounding::Up));
    let (constant, looseness) = found.best.map_or((Value::Null, Value::Null), |(low, high)| {
        (
            Value::Decimal(high.to_decimal(DIGITS, Rounding::Up)),
            if low.is_zero() { Value::Null } else { Value::Decimal((Rational::from(16) / high).to_decimal(DIGITS, Rounding::Down)) },
        )
    });
    report.push("best_constant", constant);
    report.push("looseness", looseness);
    Ok(Answer::single(report))
}

fn solve(observations: u64, rank: u64, sigma: &Rational, t: Option<&(&str, Rational)>) -> Result<Regression, CalculatorError> {
    let of = BigInterval::from_rational;
    let root = of(&Rational::from(observations)).sqrt();
    let length = mean_length::<BigInterval>(rank);
    let scale = of(sigma);
    let critical = BigInterval::from_i64(2) * scale.clone() * length / root.clone();
    let radius = match t {
        None => critical.clone(),
        Some((given, value)) => {
            if !critical.le(&of(value)).is_true() {
                let at = critical.hi_rational().map_or_else(String::new, |high| high.to_decimal(DIGITS, Rounding::Up));
                return Err(refuse("--t", given, format!("must be at least the critical radius {at}")));
            }
            of(value)
        }
    };
    // n t d/sigma^2: the squared error is sigma^2 chi2_r/n.
    let product = radius * critical.clone();
    let size = of(&Rational::from(observations)) * product.clone() / scale.square();
    let two = BigInterval::from_i64(2);
    let miss = (-(size.clone() / two)).exp();
    let place = |error: numeric::TailError| undefined("regression", error.to_string());
    let (lower, upper) = chi_square_within(rank, &(BigInterval::from_i64(16) * size.clone())).map_err(place)?;
    let best = best_constant(rank, &size).map_err(place)?;
    Ok(Regression { critical, master: BigInterval::from_i64(16) * product, promised: BigInterval::one() - miss, lower, upper, best })
}

#[cfg(test)]
mod tests {
    use super::Ranked;
    use numeric::Rational;

    #[test]
    fn ranks_order_like_the_distances() {
        let n = Rational::from;
        let ranked = Ranked::new(&[vec![n(3_i64), n(0)], vec![n(7), n(3)]]);
        assert_eq!((ranked.ranks.clone(), ranked.values.len()), (vec![vec![1, 0], vec![2, 1]], 3));
        assert_eq!([0_i64, 2, 3, 6, 7, 9].map(|limit| ranked.below(&n(limit))), [0, 0, 1, 1, 2, 2]);
    }
}
