//! `calc moe`: the best number of active experts for a budget, and a fit of the bound's shape to measured losses.

use super::bounds::Budget;
use calculator::{Answer, Calculator, CalculatorError, Report, Value, exact_argument};
use clap::{Arg, ArgMatches, Command};
use numeric::{BigInterval, Field, Ordered, QuadraticSurd, Rational, Rounding, Surd, regularized_beta, with_precision};
use std::io::Read;

/// Significant digits of every decimal.
const DIGITS: usize = 25;
/// Bits of the inflection point, and of the fit's enclosures: more than the digits printed.
const BITS: u32 = 160;

/// The calculator.
pub struct MoeCalculator;

/// The options of the command itself, with their flags.
const OPTIONS: [(&str, &str); 10] = [
    ("experts", "--experts"),
    ("budget", "--budget"),
    ("cost-per-expert", "--cost-per-expert"),
    ("overhead", "--overhead"),
    ("c1", "--c1"),
    ("c2", "--c2"),
    ("delta", "--delta"),
    ("smoothness", "--smoothness"),
    ("sigma2", "--sigma2"),
    ("eta0", "--eta0"),
];

fn option(id: &'static str, name: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(id).value_name(name).allow_hyphen_values(true).help(help)
}

impl Calculator for MoeCalculator {
    fn command(&self) -> Command {
        Command::new("moe")
            .about("Sparse experts: the best number K of M active experts for a compute budget")
            .subcommand_negates_reqs(true)
            .arg(option("experts", "M", "Number of experts").required(true))
            .arg(option("budget", "R", "Compute budget, in the unit of the costs").required(true))
            .arg(option("cost-per-expert", "F1", "Cost of one active expert in one iteration").required(true))
            .arg(option("overhead", "F0", "Cost of an iteration besides its experts [default: 0]"))
            .arg(option("c1", "C1", "The bound's constant: (c1 + c2 M/K)/sqrt T").requires("c2"))
            .arg(option("c2", "C2", "The bound's constant of M/K").requires("c1"))
            .arg(option("delta", "D", "F(x_0) - inf F: c1 = 2 D/eta0").conflicts_with_all(["c1", "c2"]).requires_all([
                "smoothness",
                "sigma2",
                "eta0",
            ]))
            .arg(option("smoothness", "L", "Smoothness constant").requires("delta"))
            .arg(option("sigma2", "S", "Total variance of the gradient noise: c2 = L eta0 S").requires("delta"))
            .arg(option("eta0", "E", "Step size eta0/sqrt T").requires("delta"))
            .subcommand(
                Command::new("fit")
                    .about("Least squares of measured losses, at one budget, on sqrt K and 1/sqrt K")
                    .arg(Arg::new("FILE").required(true).help("A .csv with the columns K, loss"))
                    .after_help("Example:\n  theorycheck calc moe fit losses.csv --json"),
            )
            .after_help("Example:\n  theorycheck calc moe --experts 64 --budget 1000000 --cost-per-expert 1 --c1 4 --c2 1")
    }

    fn run(&self, arguments: &ArgMatches, _stdin: &mut dyn Read) -> Result<Answer, CalculatorError> {
        match arguments.subcommand() {
            Some((_, inner)) => match OPTIONS.iter().find(|(id, _)| arguments.contains_id(id)) {
                Some(&(id, flag)) => Err(refuse(flag, text(arguments, id), "does not go with fit, which takes a file only")),
                None => fit(inner),
            },
            None => best(arguments),
        }
    }
}

fn refuse(flag: &'static str, given: &str, reason: impl Into<String>) -> CalculatorError {
    CalculatorError::Argument { flag, given: given.to_owned(), reason: reason.into() }
}

fn text<'a>(arguments: &'a ArgMatches, id: &str) -> &'a str {
    arguments.get_one::<String>(id).map_or("", String::as_str)
}

fn positive(arguments: &ArgMatches, id: &str, flag: &'static str) -> Result<Rational, CalculatorError> {
    let given = text(arguments, id);
    let value = exact_argument(flag, given)?;
    if value > Rational::from(0) { Ok(value) } else { Err(refuse(flag, given, "must be positive")) }
}

/// Most experts: so that every K fits a JSON number that all readers hold exactly.
const MOST: i128 = 1 << 53;

fn experts(arguments: &ArgMatches) -> Result<u64, CalculatorError> {
    let given = text(arguments, "experts");
    let value = exact_argument("--experts", given)?;
    match value.to_i128() {
        Some(count @ 1..=MOST) => Ok(count as u64),
        Some(_) => Err(refuse("--experts", given, "must be from 1 to 2^53")),
        None => Err(refuse("--experts", given, "must be an integer, at least 1")),
    }
}

/// The bound's constants, and eta0 L where they come from the problem's own.
fn constants(arguments: &ArgMatches) -> Result<(Rational, Rational, Option<Rational>), CalculatorError> {
    if arguments.contains_id("c1") {
        return Ok((positive(arguments, "c1", "--c1")?, positive(arguments, "c2", "--c2")?, None));
    }
    if arguments.contains_id("delta") {
        let delta = positive(arguments, "delta", "--delta")?;
        let smoothness = positive(arguments, "smoothness", "--smoothness")?;
        let variance = positive(arguments, "sigma2", "--sigma2")?;
        let eta0 = positive(arguments, "eta0", "--eta0")?;
        let slope = smoothness * eta0.clone();
        return Ok((Rational::from(2) * delta / eta0, slope.clone() * variance, Some(slope)));
    }
    Err(refuse("--c1", "nothing", "give --c1 and --c2, or --delta, --smoothness, --sigma2 and --eta0"))
}

/// The part of [1, M] on which the bound is convex, in words; its upper end is rounded down.
fn convex_on(budget: &Budget) -> Value {
    let most = Rational::from(budget.experts);
    if budget.curvature(&most) >= Rational::from(0) {
        return Value::Text(format!("[1, {most}]"));
    }
    if budget.curvature(&Rational::from(1)) <= Rational::from(0) {
        return Value::Null;
    }
    let (low, _) = budget.inflection(BITS);
    Value::Text(format!("[1, {}]", low.to_decimal(DIGITS, Rounding::Down)))
}

fn best(arguments: &ArgMatches) -> Result<Answer, CalculatorError> {
    let experts = experts(arguments)?;
    let given_budget = text(arguments, "budget");
    let resources = positive(arguments, "budget", "--budget")?;
    let per_expert = positive(arguments, "cost-per-expert", "--cost-per-expert")?;
    let overhead = match arguments.get_one::<String>("overhead") {
        None => Rational::from(0),
        Some(given) => {
            let value = exact_argument("--overhead", given)?;
            if value < Rational::from(0) {
                return Err(refuse("--overhead", given, "must not be negative"));
            }
            value
        }
    };
    let (c1, c2, slope) = constants(arguments)?;
    let budget = Budget { c1, c2, experts, overhead, per_expert };
    let integer = budget.best_integer();
    let active = Rational::from(integer);
    let cost = budget.cost(&active);
    let steps = (resources.clone() / cost.clone()).floor();
    if steps < Rational::from(1) {
        return Err(refuse("--budget", given_budget, format!("is below one iteration, which costs {cost} with K = {integer}")));
    }
    let stationary = budget.stationary();
    let best = budget.best();
    let (one, most) = (QuadraticSurd::from(1), QuadraticSurd::from(Rational::from(experts)));
    let at_boundary = stationary.le(&one).is_true() || most.le(&stationary).is_true();
    let mut report = Report::default();
    report.push("k_star", Value::Decimal(best.to_decimal(DIGITS, Rounding::Nearest)));
    report.push("k_star_integer", Value::Count(integer));
    // A JSON integer where it is one of 64 bits.
    report.push(
        "steps",
        match steps.to_i128().and_then(|steps| u64::try_from(steps).ok()) {
            Some(count) => Value::Count(count),
            None => Value::Exact(Some(steps.to_string())),
        },
    );
    report.push("bound", Value::Decimal(budget.bound(&active, &resources).to_decimal(DIGITS, Rounding::Up)));
    report.push("convex_on", convex_on(&budget));
    report.push("at_boundary", Value::Flag(at_boundary));
    let at_steps = QuadraticSurd::new(Rational::from(0), budget.factor(&active), steps.recip());
    report.push("bound_at_steps", Value::Decimal(at_steps.to_decimal(DIGITS, Rounding::Up)));
    let mut answer = Answer::single(report);
    answer.plot = Some(super::figure::curve(&budget, &resources));
    answer.notes.push("bound takes T = budget/cost as a real number, as the statement does; bound_at_steps takes the whole steps".into());
    if at_boundary && most.le(&stationary).is_true() {
        answer.notes.push("dense is best: the bound falls on all of [1, M]; sparse routing would need a smaller c2/c1".into());
    }
    // The scaled router's constants hold for T >= (L eta0 M/K)^2.
    if let Some(slope) = slope {
        let least = (slope * Rational::from(experts) / active).square();
        if steps < least {
            answer.notes.push(format!("warning: the bound with these constants needs T >= (L eta0 M/K)^2 = {least}, the budget pays {steps}"));
        }
    }
    Ok(answer)
}

/// One measurement.
struct Measurement {
    active: Rational,
    loss: Rational,
}

fn read(path: &str) -> Result<Vec<Measurement>, CalculatorError> {
    let content = std::fs::read(path).map_err(|error| CalculatorError::Data(format!("{path}: {error}")))?;
    let table = data::read_columns(path, &content, &["K", "loss"]).map_err(|error| CalculatorError::Data(error.to_string()))?;
    let mut out = Vec::new();
    for (line, row) in table.rows {
        // The reader gives exactly the columns asked for.
        let [active, loss] = &row[..] else { continue };
        if !active.is_integer() || *active < Rational::from(1) {
            return Err(CalculatorError::Data(format!("{path}, line {line}: K = {active} is not an integer of at least 1")));
        }
        out.push(Measurement { active: active.clone(), loss: loss.clone() });
    }
    if out.iter().all(|measurement| measurement.active == out[0].active) {
        return Err(CalculatorError::Undefined { place: path.to_owned(), reason: format!("a fit needs two distinct K; all are {}", out[0].active) });
    }
    Ok(out)
}

/// t with P(|T| > t) <= 1/20 for Student's T with `freedom` degrees, squared: P(|T| > t) = I_x(freedom/2, 1/2) at x = freedom/(freedom + t^2). Rounded up.
fn student_square(freedom: i64) -> Option<Rational> {
    let (a, half) = (Rational::new(freedom, 2), Rational::new(1, 2));
    let level = BigInterval::from_rational(&Rational::new(1, 20));
    let (mut low, mut high) = (Rational::from(0), Rational::from(1));
    for _ in 0..100 {
        let middle = (low.clone() + high.clone()) / Rational::from(2);
        let tail = regularized_beta(&a, &half, &middle).ok()?.lower;
        // Only what is certainly at most the level: the interval is never too short.
        if tail.le(&level).is_true() { low = middle } else { high = middle }
    }
    (!low.is_zero()).then(|| Rational::from(freedom) * (low.recip() - Rational::from(1)))
}

/// The fit's numbers: both coefficients with their half widths (none without a degree of freedom).
struct Fit {
    coefficients: [BigInterval; 2],
    half_widths: Option<[BigInterval; 2]>,
    residual: BigInterval,
}

/// Least squares of loss = c1 sqrt K + c2/sqrt K. The normal matrix is (sum K, n; n, sum 1/K).
fn least_squares(data: &[Measurement]) -> Option<Fit> {
    let of = BigInterval::from_rational;
    let count = Rational::from(data.len() as i64);
    let total = |value: fn(&Measurement) -> Rational| data.iter().fold(Rational::from(0), |sum, measurement| sum + value(measurement));
    let (first, second) = (total(|m| m.active.clone()), total(|m| m.active.recip()));
    let determinant = of(&(first.clone() * second.clone() - count.square()));
    let (mut up, mut down) = (BigInterval::zero(), BigInterval::zero());
    for measurement in data {
        let root = of(&measurement.active).sqrt();
        up = up + root.clone() * of(&measurement.loss);
        down = down + of(&measurement.loss) / root;
    }
    let (n, first, second) = (of(&count), of(&first), of(&second));
    let c1 = (second.clone() * up.clone() - n.clone() * down.clone()) / determinant.clone();
    let c2 = (first.clone() * down - n * up) / determinant.clone();
    let residual = data.iter().fold(BigInterval::zero(), |sum, measurement| {
        let root = of(&measurement.active).sqrt();
        sum + (of(&measurement.loss) - c1.clone() * root.clone() - c2.clone() / root).square()
    });
    let freedom = data.len() as i64 - 2;
    let half_widths = if freedom > 0 {
        let scale = of(&student_square(freedom)?) * residual.clone() / BigInterval::from_i64(freedom) / determinant;
        Some([(scale.clone() * second).sqrt(), (scale * first).sqrt()])
    } else {
        None
    };
    Some(Fit { coefficients: [c1, c2], half_widths, residual })
}

fn fit(arguments: &ArgMatches) -> Result<Answer, CalculatorError> {
    let path = text(arguments, "FILE");
    let data = read(path)?;
    let unclear = |reason: &str| CalculatorError::Undefined { place: path.to_owned(), reason: reason.to_owned() };
    // The precision is one of those allowed, so the first error cannot occur.
    let found = with_precision(2 * BITS, || least_squares(&data)).ok().flatten().ok_or_else(|| unclear("the fit cannot be certified"))?;
    let zero = BigInterval::zero();
    for (name, value) in ["c1", "c2"].into_iter().zip(&found.coefficients) {
        if !zero.lt(value).is_true() {
            let reason = format!("the fitted {name} = {} is not positive: the losses do not follow c1 sqrt K + c2/sqrt K", value.to_decimal(6));
            return Err(unclear(&reason));
        }
    }
    let end = |value: Option<Rational>, rounding| value.map_or_else(|| "-".to_owned(), |value| value.to_decimal(DIGITS, rounding));
    let nearest = |value: &BigInterval| Value::Decimal(end(value.mid(), Rounding::Nearest));
    let mut report = Report::default();
    for (index, (name, interval)) in [("c1", "c1_interval"), ("c2", "c2_interval")].into_iter().enumerate() {
        let value = &found.coefficients[index];
        report.push(name, nearest(value));
        report.push(
            interval,
            found.half_widths.as_ref().map_or(Value::Null, |widths| {
                let (low, high) = (value.clone() - widths[index].clone(), value.clone() + widths[index].clone());
                Value::Text(format!("[{}, {}]", end(low.lo_rational(), Rounding::Down), end(high.hi_rational(), Rounding::Up)))
            }),
        );
    }
    report.push("k_star", nearest(&(found.coefficients[1].clone() / found.coefficients[0].clone())));
    report.push("rows", Value::Count(data.len() as u64));
    report.push("squared_residuals", Value::Decimal(end(found.residual.hi_rational(), Rounding::Up)));
    let mut answer = Answer::single(report);
    answer
        .notes
        .push("c1 and c2 are the coefficients of sqrt K and 1/sqrt K at the budget R of the data: the bound's are c1 sqrt R and c2 sqrt R/M".into());
    answer.notes.push(if found.half_widths.is_some() {
        "the intervals are Student's 95% intervals for independent normal errors of equal size: estimates, not certified bounds".into()
    } else {
        "two rows leave no degree of freedom: no intervals".into()
    });
    Ok(answer)
}
