//! `calc ste`: what a quantizer does to a linear model trained with the straight-through estimator, planned ahead and simulated.

use super::bounds::{Setting, Teacher, input_ode, input_risk_limit, plateau, power};
use super::figure;
use super::fixed_point::{FixedPointError, fixed_points};
use super::fokker_planck::{LimitProblem, extrapolated_risks};
use super::quantizer::{Kind, Moments, Quantizer, QuantizerError, best_range};
use super::simulate::{Run, quantile_start};
use calculator::{Answer, Calculator, CalculatorError, Report, Value, exact_argument};
use clap::{Arg, ArgMatches, Command};
use numeric::{BigInterval, Field, Ordered, Rational, Rounding, with_precision};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// Significant digits of every decimal.
const DIGITS: usize = 25;
/// Bits behind them.
const BITS: u32 = 160;
/// Most coordinate updates of a simulation: minutes.
const MOST_UPDATES: f64 = 1e11;
/// Largest dimension.
const MOST_COORDINATES: i64 = 1_000_000;
/// Most runs.
const MOST_RUNS: i64 = 1_000_000;
/// Times at which a simulation is recorded, 0 included.
const TIMES: u64 = 21;
/// Most different teacher's values of a simulation's theory.
const MOST_LAWS: usize = 32;

/// The calculator.
pub struct SteCalculator;

fn number(id: &'static str, name: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(id).value_name(name).required(true).allow_hyphen_values(true).help(help)
}

fn common(command: Command) -> Command {
    command
        .arg(number("bits", "B", "Bits of the quantizer, 1 to 16 (mid-tread from 2)"))
        .arg(number("range", "W", "Its largest level omega"))
        .arg(
            Arg::new("quantizer")
                .long("quantizer")
                .value_name("KIND")
                .value_parser(["mid-rise", "mid-tread"])
                .default_value("mid-rise")
                .help("2^B levels without 0, or 2^B - 1 levels with 0"),
        )
        .arg(
            Arg::new("quant")
                .long("quant")
                .value_name("WHAT")
                .value_parser(["weights", "inputs", "both"])
                .default_value("weights")
                .help("What passes through the quantizer"),
        )
        .arg(number("eta", "E", "Step size"))
        .arg(number("sigma2", "S", "Variance of the label noise"))
        .arg(number("teacher", "W1[:P1][,W2:P2..]|FILE", "The teacher's values with their shares (equal ones if none is given), or a file of values"))
}

impl Calculator for SteCalculator {
    fn command(&self) -> Command {
        Command::new("ste")
            .about("Quantized linear regression with the straight-through estimator: moments, stability, fixed points, plateaus, runs")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand(
                common(Command::new("plan").about("Moments of the inputs, critical step size, every fixed point of the risk, bounds, plateau, best range"))
                    .after_help("Example:\n  theorycheck calc ste plan --bits 2 --range 2 --eta 1/10 --sigma2 1/100 --teacher 1"),
            )
            .subcommand(
                common(Command::new("simulate").about("Runs over the limit's risk, from standard normal weights"))
                    .arg(number("dimension", "D", "Number of weights"))
                    .arg(number("horizon", "T", "Length of a run: T D steps"))
                    .arg(number("runs", "N", "Number of runs"))
                    .arg(Arg::new("seed").long("seed").value_name("SEED").default_value("0").help("Seed of the runs"))
                    .after_help("Example:\n  theorycheck calc ste simulate --bits 2 --range 2 --eta 1/10 --sigma2 1/100 --teacher 1 --dimension 200 --horizon 20 --runs 16"),
            )
    }

    fn run(&self, arguments: &ArgMatches, _stdin: &mut dyn Read) -> Result<Answer, CalculatorError> {
        match arguments.subcommand() {
            Some(("simulate", arguments)) => simulate(arguments),
            Some((_, arguments)) => plan(&Plan::read(arguments)?),
            None => Err(CalculatorError::Data("one of plan, simulate is needed".into())),
        }
    }
}

fn refuse(flag: &'static str, given: &str, reason: impl Into<String>) -> CalculatorError {
    CalculatorError::Argument { flag, given: given.to_owned(), reason: reason.into() }
}

fn text<'a>(arguments: &'a ArgMatches, id: &str) -> &'a str {
    arguments.get_one::<String>(id).map_or("", String::as_str)
}

/// An integer between two.
fn count(arguments: &ArgMatches, id: &str, flag: &'static str, least: i64, most: i64) -> Result<u64, CalculatorError> {
    let given = text(arguments, id);
    let value = exact_argument(flag, given)?;
    if value.is_integer() && value >= Rational::from(least) && value <= Rational::from(most) {
        return Ok(value.to_i128().and_then(|value| u64::try_from(value).ok()).unwrap_or(0));
    }
    Err(refuse(flag, given, format!("must be an integer from {least} to {most}")))
}

/// What is quantized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantized {
    Weights,
    Inputs,
    Both,
}

/// The arguments that both commands share.
struct Plan {
    kind: Kind,
    bits: u32,
    quantized: Quantized,
    /// With the quantizer in the weights' place, whether or not weights are quantized.
    setting: Setting,
}

fn kind_of(arguments: &ArgMatches) -> Kind {
    if text(arguments, "quantizer") == "mid-tread" { Kind::MidTread } else { Kind::MidRise }
}

impl Plan {
    fn read(arguments: &ArgMatches) -> Result<Plan, CalculatorError> {
        let kind = kind_of(arguments);
        let least = if kind == Kind::MidTread { 2 } else { 1 };
        let bits = count(arguments, "bits", "--bits", least, 16)? as u32;
        let given = text(arguments, "range");
        let range = exact_argument("--range", given)?;
        let quantizer = Quantizer::of_kind(kind, bits, &range).map_err(|error| match error {
            QuantizerError::Range { .. } => refuse("--range", given, "must be positive: it is the largest level"),
            other => refuse("--bits", text(arguments, "bits"), other.to_string()),
        })?;
        let given = text(arguments, "eta");
        let eta = exact_argument("--eta", given)?;
        if eta <= Rational::from(0) {
            return Err(refuse("--eta", given, "must be positive"));
        }
        let given = text(arguments, "sigma2");
        let sigma2 = exact_argument("--sigma2", given)?;
        if sigma2 < Rational::from(0) {
            return Err(refuse("--sigma2", given, "must not be negative: it is a variance"));
        }
        let quantized = match text(arguments, "quant") {
            "inputs" => Quantized::Inputs,
            "both" => Quantized::Both,
            _ => Quantized::Weights,
        };
        let inputs = (quantized != Quantized::Weights).then(|| quantizer.clone());
        let teacher = teacher(text(arguments, "teacher"))?;
        let plan = Plan { kind, bits, quantized, setting: Setting { quantizer, inputs, teacher, eta, sigma2 } };
        plan.require_stable()?;
        Ok(plan)
    }

    /// Free weights need eta < 2/c2.
    fn require_stable(&self) -> Result<(), CalculatorError> {
        if self.quantized != Quantized::Inputs {
            return Ok(());
        }
        let critical = in_digits(|| self.setting.moments::<BigInterval>().eta_critical())?;
        let eta = BigInterval::from_rational(&self.setting.eta);
        if eta.lt(&critical).is_true() {
            return Ok(());
        }
        let reason =
            format!("free weights diverge from 2/c2 = {} on: take a smaller step size, or quantize the weights, too", critical.to_decimal(12));
        Err(refuse("--eta", &self.setting.eta.to_string(), reason))
    }
}

fn in_digits<T>(work: impl FnOnce() -> T) -> Result<T, CalculatorError> {
    with_precision(BITS, work).map_err(|error| CalculatorError::Undefined { place: "the precision".into(), reason: error.to_string() })
}

/// Whether a text is meant as numbers: digits, signs, points, exponents, fractions, colons and commas only.
fn looks_like_numbers(given: &str) -> bool {
    let lower = given.to_ascii_lowercase();
    !given.is_empty()
        && (given.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE/:, ".contains(&byte))
            || lower.split([',', ':']).any(|item| matches!(item.trim().trim_start_matches(['+', '-']), "nan" | "inf" | "infinity")))
}

fn teacher(given: &str) -> Result<Teacher, CalculatorError> {
    if looks_like_numbers(given) {
        return listed(given);
    }
    let values = file_values(given)?;
    let mut counts: Vec<(Rational, i64)> = Vec::new();
    let mut sorted = values;
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let total = sorted.len() as i64;
    for value in sorted {
        match counts.last_mut() {
            Some((last, count)) if *last == value => *count += 1,
            _ => counts.push((value, 1)),
        }
    }
    Ok(counts.into_iter().map(|(value, count)| (value, Rational::new(count, total))).collect())
}

/// W1[:P1][,W2:P2..].
fn listed(given: &str) -> Result<Teacher, CalculatorError> {
    const FLAG: &str = "--teacher";
    let mut values = Vec::new();
    let mut shares = Vec::new();
    for item in given.split(',') {
        let (value, share) = match item.split_once(':') {
            Some((value, share)) => (value, Some(share)),
            None => (item, None),
        };
        values.push(exact_argument(FLAG, value.trim())?);
        if let Some(share) = share {
            let exact = exact_argument(FLAG, share.trim())?;
            if exact <= Rational::from(0) {
                return Err(refuse(FLAG, item, "a share must be positive"));
            }
            shares.push(exact);
        }
    }
    if shares.is_empty() {
        let share = Rational::new(1, values.len() as i64);
        return Ok(values.into_iter().map(|value| (value, share.clone())).collect());
    }
    if shares.len() != values.len() {
        return Err(refuse(FLAG, given, format!("{} values, but {} shares: give a share to each or to none", values.len(), shares.len())));
    }
    let total = shares.iter().cloned().fold(Rational::from(0), |a, b| a + b);
    if total != Rational::from(1) {
        return Err(refuse(FLAG, given, format!("the shares must sum to 1, not {total}")));
    }
    Ok(values.into_iter().zip(shares).collect())
}

fn file_values(path: &str) -> Result<Vec<Rational>, CalculatorError> {
    let data_error = |error: data::DataError| CalculatorError::Data(error.to_string());
    let values = match data::open(Path::new(path)).map_err(data_error)? {
        data::Input::Text(text) => text.rows.into_iter().flat_map(|(_, row)| row).collect(),
        data::Input::Binary(file) => {
            let (mut all, mut values, mut scratch) = (Vec::new(), Vec::new(), data::Scratch::default());
            for tensor in &file.tensors {
                file.read_f64(tensor, 0..tensor.len, &mut values, &mut scratch).map_err(data_error)?;
                for (index, value) in values.iter().enumerate() {
                    let exact = Rational::from_f64(*value).ok_or_else(|| {
                        CalculatorError::Data(format!("{path}: element {index} is {value}, not a finite number: a teacher is finite"))
                    })?;
                    all.push(exact);
                }
            }
            all
        }
    };
    if values.is_empty() { Err(CalculatorError::Data(format!("{path}: no values"))) } else { Ok(values) }
}

/// Bits at which an enclosure's middle has all digits that are shown (25 digits are 83 bits).
const ENOUGH: u32 = 86;

/// The value to 25 digits, the last one rounded; as many as are certain where the enclosure is wider.
fn nearest(value: &BigInterval) -> Value {
    match value.mid() {
        Some(middle) if value.accuracy_bits() >= ENOUGH => Value::Decimal(middle.to_decimal(DIGITS, Rounding::Nearest)),
        _ => Value::Decimal(value.to_decimal(DIGITS)),
    }
}

/// The two-sided bounds, rounded outwards: exact numbers where inputs are not quantized.
fn bounds(setting: &Setting, lower: &BigInterval, upper: &BigInterval) -> (Value, Value) {
    let exact = setting.inputs.is_none().then(|| setting.two_sided(&Moments::<Rational>::unquantized())).flatten();
    let (low, high) = exact.map_or_else(|| (lower.lo_rational(), upper.hi_rational()), |(low, high)| (Some(low), Some(high)));
    let shown = |end: Option<Rational>, rounding| end.map_or(Value::Null, |end| Value::Decimal(end.to_decimal(DIGITS, rounding)));
    (shown(low, Rounding::Down), shown(high, Rounding::Up))
}

fn fixed_point_error(error: FixedPointError) -> CalculatorError {
    match error {
        FixedPointError::Outside { ref teacher, .. } => refuse("--teacher", teacher, format!("{error}; take a larger --range or a smaller teacher")),
        other => CalculatorError::Undefined { place: "the fixed point".into(), reason: other.to_string() },
    }
}

fn plan(plan: &Plan) -> Result<Answer, CalculatorError> {
    let setting = &plan.setting;
    let mut report = Report::default();
    let mut notes = Vec::new();
    let moments: Moments<BigInterval> = in_digits(|| setting.moments())?;
    report.push("c1", nearest(&moments.c1));
    report.push("c2", nearest(&moments.c2));
    report.push("k22", nearest(&moments.k22));
    report.push("k13", nearest(&moments.k13));
    report.push("k04", nearest(&moments.k04));
    report.push("floor", nearest(&in_digits(|| moments.floor())?));
    report.push("eta_critical", nearest(&in_digits(|| moments.eta_critical())?));
    if plan.quantized == Quantized::Inputs {
        let risk = in_digits(|| {
            let of = BigInterval::from_rational;
            input_risk_limit(&moments, &power(&setting.teacher), &of(&setting.eta), &of(&setting.sigma2))
        })?;
        report.push("risk_fixed_points", Value::List(vec![nearest(&risk)]));
        report.push("risk_fixed_point", nearest(&risk));
        for key in ["risk_lower", "risk_upper", "plateau_time", "plateau_width"] {
            report.push(key, Value::Null);
        }
        notes.push("free weights have no plateau and no bounds apart from their one fixed point".to_owned());
    } else {
        let found = fixed_points(setting).map_err(fixed_point_error)?;
        let positive: Vec<&BigInterval> = found.roots.iter().filter(|root| BigInterval::zero().lt(root).is_true()).collect();
        report.push("risk_fixed_points", Value::List(found.roots.iter().map(nearest).collect()));
        report.push("risk_fixed_point", if let [root] = positive[..] { nearest(root) } else { Value::Null });
        if positive.len() > 1 {
            notes.push("several positive fixed points: which one is reached depends on the start".to_owned());
        }
        let (lower, upper) = bounds(setting, &found.lower, &found.upper);
        report.push("risk_lower", lower);
        report.push("risk_upper", upper);
        let wait = in_digits(|| plateau(setting, &moments, &Rational::from(0)))?;
        report.push("plateau_time", wait.as_ref().map_or(Value::Null, |wait| nearest(&wait.time)));
        report.push("plateau_width", wait.as_ref().map_or(Value::Null, |wait| nearest(&wait.width)));
        match &wait {
            Some(wait) => {
                // The drop needs a plateau above the fixed point.
                if let [root] = positive[..]
                    && !root.lt(&wait.level).is_true()
                {
                    notes.push(format!("no drop after the plateau: its risk {} is not above the fixed point", wait.level.to_decimal(8)));
                }
                notes.push("plateau_time and plateau_width are to leading order in eta, for weights that start at 0".to_owned());
            }
            None => notes.push(
                "no plateau for weights that start at 0: there are several teacher's values, 0 is a threshold, or the drift leads to none".to_owned(),
            ),
        }
        notes.push("eta_critical is for free weights; quantized weights never diverge in loss".to_owned());
    }
    let best = in_digits(|| best_range(plan.kind, plan.bits))?.map_err(|error| refuse("--bits", &plan.bits.to_string(), error.to_string()))?;
    report.push("best_range", best.as_ref().map_or(Value::Null, nearest));
    if best.is_none() {
        notes.push("best_range: with one bit every range explains as much of a normal input".to_owned());
    }
    let mut answer = Answer::single(report);
    answer.notes = notes;
    answer.plot = Some(figure::map_curve(setting, plan.quantized != Quantized::Inputs));
    Ok(answer)
}

/// The teacher's values in doubles, each coordinate's by its share; shares are met to within one coordinate.
fn spread_out(teacher: &Teacher, d: usize) -> Vec<f64> {
    let mut edge = Rational::from(0);
    let edges: Vec<(f64, f64)> = teacher
        .iter()
        .map(|(w, p)| {
            edge = edge.clone() + p.clone();
            (w.to_f64_nearest(), edge.to_f64_nearest())
        })
        .collect();
    (0..d)
        .map(|i| {
            let place = (i as f64 + 0.5) / d as f64;
            edges.iter().find(|(_, edge)| place < *edge).or(edges.last()).map_or(0.0, |(w, _)| *w)
        })
        .collect()
}

/// Cells over the reach of a grid, about, and steps a unit of time for the coarser of the two grids.
const CELLS: f64 = 600.0;
const STEPS: f64 = 40.0;
/// Most nodes times steps of the theory.
const MOST_WORK: f64 = 2e8;

/// The limit's risks at the times, or why there are none.
fn theory(plan: &Plan, moments: &Moments<f64>, run: &Run, horizon: f64, times: &[f64]) -> Result<Vec<f64>, String> {
    let setting = &plan.setting;
    let (eta, sigma2) = (setting.eta.to_f64_nearest(), setting.sigma2.to_f64_nearest());
    if plan.quantized == Quantized::Inputs {
        // From the very weights that the runs start at.
        let d = run.teacher.len() as f64;
        let mean = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>() / d;
        let rho = mean(&run.teacher, &run.teacher);
        let start = rho - 2.0 * moments.c1 * mean(&run.teacher, &run.start) + moments.c2 * mean(&run.start, &run.start);
        let ode = input_ode(moments, &rho, &eta, &sigma2);
        return Ok(times.iter().map(|tau| sigma2 + ode.excess(&start, tau)).collect());
    }
    let laws: BTreeMap<String, (f64, f64)> = setting.teacher.iter().map(|(w, p)| (w.to_string(), (w.to_f64_nearest(), p.to_f64_nearest()))).collect();
    if laws.len() > MOST_LAWS {
        return Err(format!("the limit is computed for at most {MOST_LAWS} different teacher's values, here are {}", laws.len()));
    }
    let (lower, upper) = setting.two_sided::<f64>(moments).unwrap_or((1.0, 1.0));
    let omega = setting.quantizer.top().to_f64_nearest();
    let farthest = laws.values().map(|(w, _)| (moments.c1 * w / moments.c2).abs()).fold(0.0, f64::max);
    // Twenty lengths of the stationary law's tail beyond the last level, and all of the start's.
    let reach = (omega + 10.0 * eta * upper.max(lower) / (omega - farthest).max(1e-3)).clamp(7.0, 200.0);
    let thresholds = setting.quantizer.thresholds();
    let gap = thresholds.windows(2).map(|pair| (pair[1].clone() - pair[0].clone()).to_f64_nearest()).fold(reach, f64::min);
    let cells = (CELLS * gap / (2.0 * reach)).ceil().max(1.0);
    let steps = (STEPS * horizon * eta.max(1.0)).ceil().max(200.0);
    let work = cells * 2.0 * reach / gap * steps * 10.0 * laws.len() as f64;
    if work > MOST_WORK * 10.0 {
        return Err("the limit would take minutes for so fine a quantizer or so long a horizon".to_owned());
    }
    let problem = LimitProblem {
        quantizer: setting.quantizer.clone(),
        teacher: laws.into_values().collect(),
        c1: moments.c1,
        c2: moments.c2,
        eta,
        sigma2,
        start: (0.0, 1.0),
        reach,
    };
    // Recorded times must be steps of the grid.
    let steps = (steps as u64).div_ceil(TIMES - 1) * (TIMES - 1);
    extrapolated_risks(&problem, cells as usize, horizon, steps as usize, times)
        .map(|risks| risks.into_iter().map(|risk| risk.0).collect())
        .map_err(|error| error.to_string())
}

fn simulate(arguments: &ArgMatches) -> Result<Answer, CalculatorError> {
    let plan = Plan::read(arguments)?;
    let d = count(arguments, "dimension", "--dimension", 1, MOST_COORDINATES)? as usize;
    let runs = count(arguments, "runs", "--runs", 1, MOST_RUNS)?;
    let seed = count(arguments, "seed", "--seed", 0, i64::MAX)?;
    let given = text(arguments, "horizon");
    let horizon = exact_argument("--horizon", given)?;
    if horizon <= Rational::from(0) {
        return Err(refuse("--horizon", given, "must be positive"));
    }
    let length = horizon.to_f64_nearest();
    let updates = length * (d as f64) * (d as f64) * runs as f64;
    if updates > MOST_UPDATES {
        return Err(refuse(
            "--horizon",
            given,
            format!("{updates:.1e} coordinate updates, more than 1e11: take fewer --runs, a smaller --dimension or --horizon"),
        ));
    }
    if plan.quantized != Quantized::Inputs {
        // The same refusal as for a plan: outside its range there is no limit to compare with.
        let moments: Moments<BigInterval> = in_digits(|| plan.setting.moments())?;
        if in_digits(|| plan.setting.two_sided(&moments))?.is_none() {
            fixed_points(&plan.setting).map_err(fixed_point_error)?;
        }
    }
    let moments: Moments<f64> = plan.setting.moments();
    let run = Run {
        weights: (plan.quantized != Quantized::Inputs).then(|| (&plan.setting.quantizer).into()),
        inputs: plan.setting.inputs.as_ref().map(Into::into),
        c1: moments.c1,
        c2: moments.c2,
        eta: plan.setting.eta.to_f64_nearest(),
        sigma: plan.setting.sigma2.to_f64_nearest().sqrt(),
        teacher: spread_out(&plan.setting.teacher, d),
        start: quantile_start(d, 0.0, 1.0),
    };
    let times: Vec<f64> = (0..TIMES).map(|i| length * i as f64 / (TIMES - 1) as f64).collect();
    let marks: Vec<u64> = times.iter().map(|time| (time * d as f64).round() as u64).collect();
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut paths = Vec::new();
    for index in 0..runs {
        let mut first = index << 36;
        let risks = run
            .risks(&marks, |out| {
                simd::paths::fill(&key, first, simd::paths::Fill::Normal, out);
                first += simd::chacha::LANES as u64;
            })
            .map_err(|error| CalculatorError::Undefined { place: format!("run {}", index + 1), reason: error.to_string() })?;
        paths.push(risks);
    }
    let count = runs as f64;
    let mean: Vec<f64> = (0..times.len()).map(|i| paths.iter().map(|path| path[i]).sum::<f64>() / count).collect();
    let error: Option<Vec<f64>> = (runs > 1).then(|| {
        let squares = |i: usize| paths.iter().map(|path| (path[i] - mean[i]).powi(2)).sum::<f64>();
        (0..times.len()).map(|i| (squares(i) / (count - 1.0) / count).sqrt()).collect()
    });
    let limit = theory(&plan, &moments, &run, length, &times);
    let list = |values: &[f64]| {
        Value::List(
            values
                .iter()
                .map(|&value| Rational::from_f64(value).map_or(Value::Null, |x| Value::Decimal(x.to_decimal(DIGITS, Rounding::Nearest))))
                .collect(),
        )
    };
    let mut report = Report::default();
    report.push("times", list(&times));
    report.push("risk_mean", list(&mean));
    report.push("risk_standard_error", error.as_deref().map_or(Value::Null, list));
    report.push("risk_limit", limit.as_deref().map_or(Value::Null, list));
    let largest = |values: &[f64]| values.iter().zip(&mean).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let gap = limit.as_deref().ok().and_then(|values| Rational::from_f64(largest(values)));
    report.push("largest_gap", gap.map_or(Value::Null, |gap| Value::Decimal(gap.to_decimal(DIGITS, Rounding::Nearest))));
    report.push("runs", Value::Count(runs));
    report.push("dimension", Value::Count(d as u64));
    let mut answer = Answer::single(report);
    answer.plot = Some(figure::runs_over_limit(&times, &mean, error.as_deref(), limit.as_deref().ok(), d, runs));
    if let Err(reason) = limit {
        answer.notes.push(format!("no risk_limit: {reason}"));
    }
    Ok(answer)
}
