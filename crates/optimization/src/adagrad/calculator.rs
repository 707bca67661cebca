//! `calc adagrad`: the explicit bound on a user's constants, an audit of a training log, the tail index of gradient noise.

use super::bounds::{Setting, norm_bound, pathwise_bound};
use calculator::{Answer, Calculator, CalculatorError, Report, Value, exact_argument};
use clap::{Arg, ArgMatches, Command};
use numeric::{BigInterval, Field, Interval, Ordered, Rational, Real, Rounding, Surd};
use std::io::Read;
use std::path::Path;

/// Significant digits of every decimal.
const DIGITS: usize = 25;
/// Bits of the certified fixed point: more than the digits printed.
const BITS: u32 = 110;
/// Bits while searching.
const SEARCH_BITS: u32 = 53;

/// The calculator.
pub struct AdaGradCalculator;

fn number(id: &'static str, name: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(id).value_name(name).required(true).allow_hyphen_values(true).help(help)
}

impl Calculator for AdaGradCalculator {
    fn command(&self) -> Command {
        Command::new("adagrad")
            .about("AdaGrad under heavy-tailed noise: explicit bounds, an audit of a log, the tail index of gradients")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand(
                Command::new("bound")
                    .about("The certified bound on E (1/T) sum ||grad f(x_t)||_1")
                    .arg(number("p", "P", "Moment order of the noise, in (1, 2]"))
                    .arg(number("sigma", "S[,S..]", "sigma_i with E|xi_i|^p <= sigma_i^p, one a coordinate"))
                    .arg(number("smoothness", "L[,L..]", "Smoothness constants L_i, one a coordinate (or one for all)"))
                    .arg(number("delta", "D", "f(x_1) - inf f"))
                    .arg(number("gamma", "G", "Step size"))
                    .arg(number("lambda", "A", "Offset outside the root, positive"))
                    .arg(number("steps", "T", "Number of steps"))
                    .arg(
                        Arg::new("c")
                            .long("c")
                            .value_name("auto|best|C[,C..]")
                            .default_value("auto")
                            .help("The free numbers c_i; auto: sigma_i T^(1/p - 1/2)"),
                    )
                    .arg(
                        Arg::new("sup-gap")
                            .long("sup-gap")
                            .value_name("M")
                            .allow_hyphen_values(true)
                            .help("sup f - inf f: adds the bound for AdaGrad-Norm"),
                    )
                    .arg(
                        Arg::new("target")
                            .long("target")
                            .value_name("E")
                            .allow_hyphen_values(true)
                            .help("Adds the smallest T whose bound is at most E"),
                    )
                    .after_help(
                        "Example:\n  theorycheck calc adagrad bound --p 3/2 --sigma 1 --smoothness 1 --delta 1 --gamma 1 --lambda 1 --steps 1000000",
                    ),
            )
            .subcommand(
                Command::new("audit")
                    .about("Step bound and pathwise inequality on a log with columns t, f, grad, g")
                    .arg(
                        Arg::new("FILE")
                            .required(true)
                            .help("A .csv with the columns t,f,grad,g (one dimension: f(x_t), f'(x_t), the stochastic gradient)"),
                    )
                    .arg(number("gamma", "G", "Step size"))
                    .arg(number("lambda", "A", "Offset outside the root"))
                    .arg(number("smoothness", "L", "Smoothness constant"))
                    .arg(number("f-star", "F", "A lower bound of f"))
                    .after_help("Example:\n  theorycheck calc adagrad audit run.csv --gamma 1/2 --lambda 1/10 --smoothness 1 --f-star 0"),
            )
            .subcommand(
                Command::new("hill")
                    .about("Hill's estimate of the tail index, and which rate applies")
                    .arg(Arg::new("FILE").required(true).help("Gradients: .npy, .csv, .txt, or - for text on standard input"))
                    .after_help("Example:\n  theorycheck calc adagrad hill gradients.npy --json"),
            )
    }

    fn run(&self, arguments: &ArgMatches, stdin: &mut dyn Read) -> Result<Answer, CalculatorError> {
        match arguments.subcommand() {
            Some(("audit", arguments)) => audit(arguments),
            Some(("hill", arguments)) => hill(arguments, stdin),
            Some((_, arguments)) => bound(arguments),
            None => Err(CalculatorError::Data("one of bound, audit, hill is needed".into())),
        }
    }
}

fn refuse(flag: &'static str, given: &str, reason: &str) -> CalculatorError {
    CalculatorError::Argument { flag, given: given.to_owned(), reason: reason.to_owned() }
}

fn text<'a>(arguments: &'a ArgMatches, id: &str) -> &'a str {
    arguments.get_one::<String>(id).map_or("", String::as_str)
}

/// A number with a least value (itself allowed if `closed`).
fn at_least(arguments: &ArgMatches, id: &str, flag: &'static str, least: i64, closed: bool) -> Result<Rational, CalculatorError> {
    let given = text(arguments, id);
    let value = exact_argument(flag, given)?;
    let least_value = Rational::from(least);
    if value > least_value || (closed && value == least_value) {
        return Ok(value);
    }
    Err(refuse(flag, given, &format!("must be {} {least}", if closed { "at least" } else { "above" })))
}

/// A list of numbers that are not negative.
fn list(flag: &'static str, given: &str, positive: bool) -> Result<Vec<Rational>, CalculatorError> {
    given
        .split(',')
        .map(|item| {
            let value = exact_argument(flag, item.trim())?;
            let ok = if positive { value > Rational::from(0) } else { value >= Rational::from(0) };
            if ok { Ok(value) } else { Err(refuse(flag, item, if positive { "must be positive" } else { "must not be negative" })) }
        })
        .collect()
}

fn upper(value: &BigInterval) -> Value {
    value.hi_rational().map_or(Value::Null, |high| Value::Decimal(high.to_decimal(DIGITS, Rounding::Up)))
}

/// Which c_i.
enum Choice {
    Auto,
    Best,
    Given(Vec<Rational>),
}

fn choice(given: &str, count: usize) -> Result<Choice, CalculatorError> {
    match given {
        "auto" => Ok(Choice::Auto),
        "best" => Ok(Choice::Best),
        _ => {
            let values = list("--c", given, true)?;
            if values.len() == count {
                Ok(Choice::Given(values))
            } else {
                Err(refuse("--c", given, &format!("has {} numbers for {count} coordinates", values.len())))
            }
        }
    }
}

/// The c_i of a setting; `scale` multiplies the balanced choice.
fn free_numbers(setting: &Setting, choice: &Choice, scale: &Rational) -> Vec<BigInterval> {
    match choice {
        Choice::Given(values) => values.iter().map(BigInterval::from_rational).collect(),
        Choice::Auto => setting.balanced(),
        Choice::Best => {
            let factor = BigInterval::from_rational(scale);
            setting.balanced::<BigInterval>().into_iter().map(|c| c * factor.clone()).collect()
        }
    }
}

/// An upper bound of U*/sqrt T in doubles, for searches; infinite where it cannot be had.
fn rough(setting: &Setting, choice: &Choice, scale: &Rational) -> f64 {
    let fixed = setting.fixed_point(&free_numbers(setting, choice, scale), SEARCH_BITS);
    fixed.map_or(f64::INFINITY, |fixed| setting.bound_l1(&fixed).to_interval().hi())
}

/// A minimizer of a function of ln x on [-reach, reach], by golden section: 40 evaluations.
fn golden(reach: f64, value: impl Fn(f64) -> f64) -> f64 {
    const RATIO: f64 = 0.618_033_988_749_894_8;
    let (mut low, mut high) = (-reach, reach);
    let at = |low: f64, high: f64, share: f64| low + (high - low) * share;
    let (mut left, mut right) = (at(low, high, 1.0 - RATIO), at(low, high, RATIO));
    let (mut left_value, mut right_value) = (value(left), value(right));
    for _ in 0..40 {
        if left_value <= right_value {
            (high, right, right_value) = (right, left, left_value);
            left = at(low, high, 1.0 - RATIO);
            left_value = value(left);
        } else {
            (low, left, left_value) = (left, right, right_value);
            right = at(low, high, RATIO);
            right_value = value(right);
        }
    }
    f64::midpoint(low, high)
}

/// e^x as an exact rational (of the double nearest to it).
fn exponential(x: f64) -> Rational {
    Rational::from_f64(core_math::exp(x)).unwrap_or_else(|| Rational::from(1))
}

/// Largest T looked at for --target: 2^200.
const DOUBLINGS: u32 = 200;

fn smallest_steps(setting: &Setting, choice: &Choice, target: &Rational) -> Option<Rational> {
    let target = target.to_f64_down();
    let reached = |steps: &Rational| {
        let at = Setting { steps: steps.clone(), ..setting.clone() };
        let scale = best_scale(&at, choice);
        rough(&at, choice, &scale) <= target
    };
    let mut high = Rational::from(1);
    let two = Rational::from(2);
    let mut doublings = 0;
    while !reached(&high) {
        high = high * two.clone();
        doublings += 1;
        if doublings > DOUBLINGS {
            return None;
        }
    }
    let mut low = if doublings == 0 { return Some(high) } else { high.clone() / two.clone() };
    while high.clone() - low.clone() > Rational::from(1) {
        let mid = ((low.clone() + high.clone()) / two.clone()).floor();
        if reached(&mid) { high = mid } else { low = mid }
    }
    Some(high)
}

/// Whether the bound tends to 0 as T grows: with c_i like T^(1/p - 1/2) for p > 4/3, with fixed c_i for p > 3/2 (claim `adagrad/exponents`), without noise always.
fn vanishes(setting: &Setting, choice: &Choice) -> bool {
    let limit = if matches!(choice, Choice::Given(_)) { Rational::new(3, 2) } else { Rational::new(4, 3) };
    setting.p > limit || setting.sigma.iter().all(Rational::is_zero)
}

/// The step size that makes U* least: where the derivative of 2 Delta/gamma + 2 gamma sum L_i ln(1 + kappa_i/lambda) in gamma vanishes, kappa_i taken at U*. The
/// logarithm moves little with U*, so the iteration contracts. None where no finite step size is best (Delta = 0, or no curvature).
fn best_step_size(setting: &Setting, choice: &Choice, scale: &Rational) -> Option<Rational> {
    let mut at = setting.clone();
    let growth = core_math::pow(setting.steps.to_f64_nearest(), setting.p.recip().to_f64_nearest());
    let (lambda, delta) = (setting.lambda.to_f64_nearest(), setting.delta.to_f64_nearest());
    for _ in 0..60 {
        let fixed = at.fixed_point(&free_numbers(&at, choice, scale), SEARCH_BITS)?.to_interval().mid();
        let curvature: f64 = setting
            .sigma
            .iter()
            .zip(&setting.smoothness)
            .map(|(sigma, smoothness)| smoothness.to_f64_nearest() * core_math::log1p((sigma.to_f64_nearest() * growth + fixed) / lambda))
            .sum();
        let gamma = (delta / curvature).sqrt();
        if !(gamma > 0.0 && gamma.is_finite()) {
            return None;
        }
        let settled = (gamma / at.gamma.to_f64_nearest() - 1.0).abs() < 1e-14;
        at.gamma = Rational::from_f64(gamma)?;
        if settled {
            break;
        }
    }
    Some(at.gamma)
}

/// The best common factor of the balanced c_i; 1 unless it is asked for.
fn best_scale(setting: &Setting, choice: &Choice) -> Rational {
    match choice {
        Choice::Best => exponential(golden(8.0, |x| rough(setting, choice, &exponential(x)))),
        _ => Rational::from(1),
    }
}

fn bound(arguments: &ArgMatches) -> Result<Answer, CalculatorError> {
    let given_p = text(arguments, "p");
    let p = exact_argument("--p", given_p)?;
    if !(p > Rational::from(1) && p <= Rational::from(2)) {
        return Err(refuse("--p", given_p, "must be in (1, 2]: a noise with a mean and at most a variance"));
    }
    let sigma = list("--sigma", text(arguments, "sigma"), false)?;
    let given = text(arguments, "smoothness");
    let mut smoothness = list("--smoothness", given, false)?;
    if smoothness.len() == 1 {
        smoothness = vec![smoothness[0].clone(); sigma.len()];
    }
    if smoothness.len() != sigma.len() {
        return Err(refuse("--smoothness", given, &format!("has {} numbers for the {} of --sigma", smoothness.len(), sigma.len())));
    }
    let given_lambda = text(arguments, "lambda");
    let lambda = exact_argument("--lambda", given_lambda)?;
    if lambda <= Rational::from(0) {
        return Err(refuse("--lambda", given_lambda, "must be positive: the bound has ln(1 + ./lambda)"));
    }
    let given_steps = text(arguments, "steps");
    let steps = at_least(arguments, "steps", "--steps", 1, true)?;
    if !steps.is_integer() {
        return Err(refuse("--steps", given_steps, "must be an integer"));
    }
    let setting = Setting {
        p: p.clone(),
        sigma,
        smoothness,
        delta: at_least(arguments, "delta", "--delta", 0, true)?,
        gamma: at_least(arguments, "gamma", "--gamma", 0, false)?,
        lambda,
        steps,
    };
    let choice = choice(text(arguments, "c"), setting.sigma.len())?;
    let scale = best_scale(&setting, &choice);
    let c = free_numbers(&setting, &choice, &scale);
    let place = || CalculatorError::Undefined { place: "the bound".into(), reason: "its fixed point cannot be certified for these constants".into() };
    let fixed = setting.fixed_point(&c, BITS).ok_or_else(place)?;
    let mut report = Report::default();
    report.push("u_star", upper(&fixed));
    report.push("bound_l1", upper(&setting.bound_l1(&fixed)));
    let mut notes = Vec::new();
    if let Some(given) = arguments.get_one::<String>("sup-gap") {
        let gap = exact_argument("--sup-gap", given)?;
        if gap < setting.delta {
            return Err(refuse("--sup-gap", given, "is below --delta: sup f - inf f is at least f(x_1) - inf f"));
        }
        // The 2-norm's constants: E|xi|_2^p <= E|xi|_p^p <= sum sigma_i^p for p <= 2, and the largest L.
        let order = BigInterval::from_rational(&p);
        let moment = setting.sigma.iter().fold(BigInterval::zero(), |sum, sigma| sum + BigInterval::from_rational(sigma).pow(&order));
        let total = moment.pow(&(BigInterval::one() / order));
        let largest = setting.smoothness.iter().fold(Rational::from(0), |a, b| Ordered::max(&a, b));
        let value = norm_bound(&p, &total, &largest, &gap, &setting.gamma, &setting.lambda, &setting.steps);
        report.push("bnorm", upper(&value));
        if setting.sigma.len() > 1 {
            notes.push("bnorm takes (sum sigma_i^p)^(1/p) for the noise of the norm and max L_i for the smoothness".to_owned());
        }
    }
    report.push(
        "best_gamma",
        best_step_size(&setting, &choice, &scale).map_or(Value::Null, |gamma| Value::Decimal(gamma.to_decimal(DIGITS, Rounding::Nearest))),
    );
    if let Some(given) = arguments.get_one::<String>("target") {
        let target = exact_argument("--target", given)?;
        if target <= Rational::from(0) {
            return Err(refuse("--target", given, "must be positive"));
        }
        let smallest =
            if p > Rational::new(4, 3) || setting.sigma.iter().all(Rational::is_zero) { smallest_steps(&setting, &choice, &target) } else { None };
        // A JSON integer where it is one of 64 bits.
        let value = smallest.map_or(Value::Null, |steps| match steps.to_i128().and_then(|steps| u64::try_from(steps).ok()) {
            Some(count) => Value::Count(count),
            None => Value::Exact(Some(steps.to_string())),
        });
        report.push("smallest_t", value);
    }
    let vanishing = vanishes(&setting, &choice);
    report.push("vanishing", Value::Flag(vanishing));
    if !vanishing {
        let (limit, which) = if matches!(choice, Choice::Given(_)) { ("3/2", " with fixed c") } else { ("4/3", "") };
        notes.push(format!("warning: p = {p} is not above {limit}, so this bound{which} does not vanish as T grows"));
    }
    let mut answer = Answer::single(report);
    answer.notes = notes;
    Ok(answer)
}

/// One line of a log.
struct Entry {
    f: Rational,
    slope: Rational,
    gradient: Rational,
}

fn read_log(path: &str) -> Result<Vec<Entry>, CalculatorError> {
    let content = std::fs::read(path).map_err(|error| CalculatorError::Data(format!("{path}: {error}")))?;
    let table = data::read_columns(path, &content, &["t", "f", "grad", "g"]).map_err(|error| CalculatorError::Data(error.to_string()))?;
    let mut before: Option<Rational> = None;
    let mut entries = Vec::new();
    for (line, row) in table.rows {
        // The reader gives exactly the columns asked for.
        let [t, f, slope, gradient] = &row[..] else { continue };
        if before.as_ref().is_some_and(|before| t <= before) {
            return Err(CalculatorError::Data(format!("{path}, line {line}: t = {t} does not increase")));
        }
        before = Some(t.clone());
        entries.push(Entry { f: f.clone(), slope: slope.clone(), gradient: gradient.clone() });
    }
    Ok(entries)
}

fn audit(arguments: &ArgMatches) -> Result<Answer, CalculatorError> {
    let path = text(arguments, "FILE");
    let gamma = at_least(arguments, "gamma", "--gamma", 0, false)?;
    let lambda = at_least(arguments, "lambda", "--lambda", 0, true)?;
    let smoothness = at_least(arguments, "smoothness", "--smoothness", 0, true)?;
    let given = text(arguments, "f-star");
    let infimum = exact_argument("--f-star", given)?;
    let entries = read_log(path)?;
    let largest = entries.iter().fold(entries[0].f.clone(), |a, entry| Ordered::max(&a, &entry.f));
    let least = entries.iter().fold(entries[0].f.clone(), |a, entry| Ordered::min(&a, &entry.f));
    if infimum > least {
        return Err(refuse("--f-star", given, &format!("is above the log's least value {least}")));
    }
    let gap = largest - infimum;
    let squares = entries.iter().fold(Rational::from(0), |sum, entry| sum + &entry.gradient * &entry.gradient);
    let products = entries.iter().fold(Rational::from(0), |sum, entry| sum + &entry.slope * &entry.gradient);
    let of = BigInterval::from_rational;
    let root = of(&squares).sqrt();
    let right = pathwise_bound(&of(&gap), &of(&gamma), &of(&smoothness), &of(&lambda), &root);
    // The k-th step is gamma |g|/(lambda + sqrt v) <= gamma; the sum of r_t^2 against its logarithm.
    let mut total = Rational::from(0);
    let mut ratios = Interval::point(0.0);
    for entry in &entries {
        let square = &entry.gradient * &entry.gradient;
        total = total + square.clone();
        if !total.is_zero() {
            let denominator = Interval::from_rational(&lambda) + Interval::from_rational(&total).sqrt();
            ratios = ratios + Interval::from_rational(&square) / (denominator * denominator);
        }
    }
    let left = of(&products);
    let holds = left.le(&right);
    let mut report = Report::default();
    report.push("steps", Value::Count(entries.len() as u64));
    report.push("sqrt_v", upper(&root));
    report.push("sup_gap", Value::Exact(Some(gap.to_string())));
    report.push("inner_products", Value::Exact(Some(products.to_string())));
    report.push("pathwise_bound", Value::Decimal(right.lo_rational().map_or_else(|| "0".into(), |low| low.to_decimal(DIGITS, Rounding::Down))));
    report.push(
        "pathwise_holds",
        if holds.is_true() {
            Value::Flag(true)
        } else if holds.is_false() {
            Value::Flag(false)
        } else {
            Value::Null
        },
    );
    report.push(
        "squared_steps",
        Value::Decimal(Rational::from_f64(ratios.hi()).map_or_else(|| "inf".into(), |high| high.to_decimal(DIGITS, Rounding::Up))),
    );
    if lambda.is_zero() {
        report.push("squared_steps_bound", Value::Null);
    } else {
        let log = (of(&squares) / of(&(&lambda * &lambda))).ln_1p();
        report
            .push("squared_steps_bound", Value::Decimal(log.lo_rational().map_or_else(|| "0".into(), |low| low.to_decimal(DIGITS, Rounding::Down))));
    }
    let mut answer = Answer::single(report);
    if holds.is_false() {
        answer.notes.push("the pathwise inequality fails: the log is not a run of AdaGrad-Norm with these constants, or f is not that smooth".into());
    }
    Ok(answer)
}

/// The share of the largest sizes that Hill's estimate uses: N^(2/3) of them, at least 10.
fn order_statistics(count: usize) -> usize {
    // The largest k with k^3 <= N^2, exactly: a power of a double would give 99 for N = 1000.
    let square = (count as u128).pow(2);
    let mut k = core_math::cbrt(square as f64) as u128;
    while (k + 1).pow(3) <= square {
        k += 1;
    }
    while k.pow(3) > square {
        k -= 1;
    }
    (k as usize).clamp(10, count - 1)
}

/// Fewest gradients for an estimate.
const FEWEST: usize = 50;

fn hill(arguments: &ArgMatches, stdin: &mut dyn Read) -> Result<Answer, CalculatorError> {
    let path = text(arguments, "FILE");
    let mut sizes = read_sizes(path, stdin)?;
    let all = sizes.len();
    sizes.retain(|size| *size > 0.0);
    if sizes.len() < FEWEST {
        return Err(CalculatorError::Undefined {
            place: path.to_owned(),
            reason: format!("{} of {all} gradients are not 0; an estimate needs {FEWEST}", sizes.len()),
        });
    }
    sizes.sort_by(|a, b| b.total_cmp(a));
    let k = order_statistics(sizes.len());
    let base = core_math::log(sizes[k]);
    let mean = sizes[..k].iter().map(|size| core_math::log(*size) - base).sum::<f64>() / k as f64;
    if mean <= 0.0 {
        return Err(CalculatorError::Undefined {
            place: path.to_owned(),
            reason: format!("the {} largest sizes are all equal: there is no tail", k + 1),
        });
    }
    let index = 1.0 / mean;
    // Asymptotically k times the mean excess is gamma distributed: alpha (1 -+ 1.96/sqrt k).
    let spread = 1.96 / (k as f64).sqrt();
    let (low, high) = (index * (1.0 - spread), index * (1.0 + spread));
    let decimal = |value: f64| Rational::from_f64(value).map_or_else(|| "inf".into(), |exact| exact.to_decimal(DIGITS, Rounding::Nearest));
    let rate = if low > 2.0 {
        "p = 2: T^(-1/4), with logarithms"
    } else if low > 4.0 / 3.0 {
        "any p below the index: T^(-(3p-4)/(4p)), with logarithms (AdaGrad); T^(-(p-1)/(2p)) with sup f finite (AdaGrad-Norm)"
    } else if low > 1.0 {
        "the AdaGrad bound does not vanish for p <= 4/3; T^(-(p-1)/(2p)) with sup f finite (AdaGrad-Norm)"
    } else {
        "none: a mean may not exist"
    };
    let mut report = Report::default();
    report.push("tail_index", Value::Decimal(decimal(index)));
    report.push("interval", Value::Text(format!("[{}, {}]", decimal(low), decimal(high))));
    report.push("order_statistics", Value::Count(k as u64));
    report.push("which_rate", Value::Text(rate.to_owned()));
    let mut answer = Answer::single(report);
    answer.plot = Some(super::figure::tail(&sizes, k, index));
    answer.notes.push(
        "the interval is Hill's asymptotic 95% interval for independent draws with a Pareto-like tail: an estimate, not a certified bound".into(),
    );
    Ok(answer)
}

fn read_sizes(path: &str, stdin: &mut dyn Read) -> Result<Vec<f64>, CalculatorError> {
    let data_error = |error: data::DataError| CalculatorError::Data(error.to_string());
    let table = |text: data::Text| text.rows.into_iter().flat_map(|(_, row)| row).map(|value| value.to_f64_nearest().abs()).collect::<Vec<f64>>();
    if path == "-" {
        let mut content = Vec::new();
        stdin.read_to_end(&mut content).map_err(|error| CalculatorError::Data(format!("standard input: {error}")))?;
        return data::read_text("standard input", &content).map(table).map_err(data_error);
    }
    match data::open(Path::new(path)).map_err(data_error)? {
        data::Input::Text(text) => Ok(table(text)),
        data::Input::Binary(file) => {
            let (mut all, mut values, mut scratch) = (Vec::new(), Vec::new(), data::Scratch::default());
            for tensor in &file.tensors {
                file.read_f64(tensor, 0..tensor.len, &mut values, &mut scratch).map_err(data_error)?;
                if let Some(index) = values.iter().position(|value| !value.is_finite()) {
                    return Err(CalculatorError::Data(format!("{path}: element {index} is {}, not a finite number", values[index])));
                }
                all.extend(values.iter().map(|value| value.abs()));
            }
            Ok(all)
        }
    }
}
