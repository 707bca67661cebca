//! `calc erm`: the bounds of gradient descent at a user's numbers, and the overfitting instance with everything about it that is exact.

use super::bounds;
use super::code::{Code, CodeError, MOST_SYMBOLS, show_set};
use super::descent::{Descent, DescentError, Enclosed, box_gap, broken_hypothesis, closed_form, enclose};
use super::instances::words_of_seed;
use super::problem::{Problem, ProblemError, Sampled, default_b};
use calculator::{Answer, Calculator, CalculatorError, Report, Value, exact_argument};
use clap::{Arg, ArgAction, ArgMatches, Command};
use numeric::{BigInterval, Field, Interval, Ordered, QuadraticSurd, Rational, Real, Rounding, with_precision};
use std::io::Read;
use std::sync::Arc;

/// Significant digits of every decimal.
const DIGITS: usize = 25;
/// Bits of the enclosures behind them.
const BITS: u32 = 160;
/// Digits of numerator and denominator up to which a fraction is printed.
const LONGEST: usize = 200;
/// Largest m and T of the bounds: every count fits a JSON number that all readers hold exactly.
const MOST: i128 = 1 << 53;
/// Steps that a run of one coordinate may take.
const MOST_STEPS: u64 = 100_000_000;
/// Pieces times steps that an enumerated run may take.
const MOST_PIECES: u64 = 1 << 28;
/// Up to this m the law of the sample is computed exactly.
const EXACT_LAW: u64 = 64;

/// The calculator.
pub struct ErmCalculator;

fn number(id: &'static str, name: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(id).value_name(name).allow_hyphen_values(true).help(help)
}

impl Calculator for ErmCalculator {
    fn command(&self) -> Command {
        Command::new("erm")
            .about("Overfitting empirical risk minimizers and gradient descent: bounds, and the instance itself")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand(
                Command::new("bound")
                    .about("How far full-batch gradient descent may overfit on convex Lipschitz losses, and whether it provably can")
                    .arg(number("m", "M", "Sample size, at least 2").required(true))
                    .arg(number("eta", "E", "Step size").required(true))
                    .arg(number("steps", "T", "Number of steps").required(true))
                    .arg(number("lipschitz", "L", "Lipschitz constant of the losses").required(true))
                    .after_help("Example:\n  theorycheck calc erm bound --m 64 --eta 1/8 --steps 8192 --lipschitz 1"),
            )
            .subcommand(
                Command::new("instance")
                    .about("The instance whose unique empirical risk minimizer overfits, its risks, and gradient descent on it")
                    .arg(number("m", "M", "Sample size and number of symbols, 2 to 20").required(true))
                    .arg(number("b", "B", "Half side of the box, m b^2 <= 1/4 [default: 1/(2 ceil(sqrt m))]"))
                    .arg(number("r", "R", "Radius of the code's part, b/2 < r <= 1/2 [default: 1/2]"))
                    .arg(number("sample", "Z,Z,..", "The m draws, symbols from 0 to m-1").conflicts_with("seed"))
                    .arg(number("seed", "N", "Draw the sample, and a code where none is known for m, from this seed [default: 0]"))
                    .arg(number("code", "HEXROWS", "Generator rows of the code, 6m bits each, in hexadecimal, separated by commas"))
                    .arg(Arg::new("gd").long("gd").action(ArgAction::SetTrue).requires_all(["eta", "steps"]).help("Run gradient descent from 0"))
                    .arg(number("eta", "E", "Its step size").requires("gd"))
                    .arg(number("steps", "T", "Its number of steps").requires("gd"))
                    .after_help("Example:\n  theorycheck calc erm instance --m 4 --sample 0,0,1,1 --gd --eta 1/4 --steps 512"),
            )
    }

    fn run(&self, arguments: &ArgMatches, _stdin: &mut dyn Read) -> Result<Answer, CalculatorError> {
        match arguments.subcommand() {
            Some(("instance", arguments)) => instance(arguments),
            Some((_, arguments)) => bound(arguments),
            None => Err(CalculatorError::Data("one of bound, instance is needed".into())),
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

/// An integer between two others.
fn count(arguments: &ArgMatches, id: &str, flag: &'static str, least: i128, most: i128, why: &str) -> Result<u64, CalculatorError> {
    let given = text(arguments, id);
    let value = exact_argument(flag, given)?;
    match value.to_i128() {
        Some(value) if value >= least && value <= most => Ok(value as u64),
        Some(_) => Err(refuse(flag, given, format!("must be from {least} to {most}{why}"))),
        None => Err(refuse(flag, given, format!("must be an integer from {least} to {most}"))),
    }
}

fn exact(value: &Rational) -> Value {
    Value::Exact((value.digit_count() <= LONGEST).then(|| value.to_string()))
}

/// An end of an enclosure as a decimal that is on the safe side.
fn end(value: Option<Rational>, rounding: Rounding) -> Value {
    value.map_or(Value::Null, |value| Value::Decimal(value.to_decimal(DIGITS, rounding)))
}

/// A lower bound of the probability that a sample of m draws has u >= 1/4 and no symbol more than `most` times.
fn overfitting_probability(m: u64, most: i128) -> Rational {
    if most < 1 {
        return Rational::from(0);
    }
    if m <= EXACT_LAW {
        return bounds::quarter_unseen_bounded(m as u32, most.min(i128::from(m)) as u32);
    }
    // McDiarmid with E u >= 9/25 for m > 64, and a union bound over symbols: P(count > c) <= C(m, c+1) m^-(c+1) <= 1/(c+1)!.
    let size = Interval::from_rational(&Rational::from(m));
    let few = (-(Interval::from_rational(&Rational::new(2 * 121, 10_000)) * size)).exp();
    let often = (1..=most.min(64) + 1).fold(size, |share, k| share / Interval::from_i64(k as i64));
    let low = (Interval::one() - few - often).lo();
    Rational::from_f64(low.max(0.0)).unwrap_or_else(|| Rational::from(0))
}

fn bound(arguments: &ArgMatches) -> Result<Answer, CalculatorError> {
    let m = count(arguments, "m", "--m", 2, MOST, "")?;
    let eta = positive(arguments, "eta", "--eta")?;
    let steps = count(arguments, "steps", "--steps", 1, MOST, "")?;
    let lipschitz = positive(arguments, "lipschitz", "--lipschitz")?;
    let (size, length) = (Rational::from(m), Rational::from(steps));
    let surd = |value: &Rational| QuadraticSurd::from(value.clone());
    let upper = bounds::gap_upper(&surd(&lipschitz), &surd(&eta), &surd(&length), &surd(&size));
    let scale = with_precision(BITS, || {
        let of = BigInterval::from_rational;
        bounds::scale(&of(&eta), &of(&length), &of(&size)) / BigInterval::from_i64(64)
    });
    // The precision is one of those allowed, so the error cannot occur.
    let scale = scale.ok().and_then(|scale| scale.lo_rational());
    let time = surd(&(eta.clone() * length.clone()));
    let low = QuadraticSurd::new(Rational::from(0), Rational::from(4), size.clone());
    let high = QuadraticSurd::new(Rational::from(0), Rational::from(16) * size.clone(), size.clone());
    let inside = low.lt(&time).is_true() && time.le(&high).is_true();
    // eta (c_max + 3/4) a/m <= b/4 with b = 1/(2 sqrt m): c_max <= sqrt m/(2 eta) - 3/4.
    let most = QuadraticSurd::new(Rational::new(-3, 4), (Rational::from(2) * eta).recip(), size).floor();
    let most = most.as_rational().and_then(Rational::to_i128).unwrap_or(i128::MAX);
    let chance = if inside { overfitting_probability(m, most) } else { Rational::from(0) };
    let risky = inside && chance >= Rational::new(1, 2);
    let mut report = Report::default();
    report.push("gap_upper", Value::Decimal(upper.to_decimal(DIGITS, Rounding::Up)));
    report.push("lower_scale", end(scale.clone(), Rounding::Down));
    let ends = (low.to_decimal(DIGITS, Rounding::Up), high.to_decimal(DIGITS, Rounding::Down));
    report.push("window", Value::Text(format!("({}, {}]", ends.0, ends.1)));
    report.push("risky", Value::Flag(risky));
    let share = (Rational::from(1) - Rational::from(8) / length.clone()) / Rational::from(4);
    report.push("gap_lower", if risky { end(scale.map(|scale| scale * share), Rounding::Down) } else { Value::Null });
    report.push("probability", if inside { Value::Decimal(chance.to_decimal(DIGITS, Rounding::Down)) } else { Value::Null });
    let mut answer = Answer::single(report);
    answer.notes.push(
        "gap_upper bounds the expected gap on every convex problem; lower_scale is sqrt(eta T/m^1.5)/64, for 1-Lipschitz losses; window is for eta T"
            .into(),
    );
    answer.notes.push(if risky {
        "risky: on the instance made for (eta, T) the gap is at least gap_lower with at least the probability shown".into()
    } else if inside {
        format!(
            "not shown to be risky: eta = {} is in the window, but the step condition eta (c_max + 3/4)/(4m) <= 1/(8 sqrt m) is not met with probability 1/2; a smaller eta with more steps",
            text(arguments, "eta")
        )
    } else {
        "not shown to be risky: eta T is outside the window".into()
    });
    Ok(answer)
}

/// The flag that an instance's fault belongs to.
fn blame(error: &ProblemError, arguments: &ArgMatches, defaults: (&Rational, &Rational)) -> CalculatorError {
    let given = |id: &str, default: &Rational| arguments.get_one::<String>(id).cloned().unwrap_or_else(|| default.to_string());
    let (flag, given) = match error {
        ProblemError::FewSymbols { .. } => ("--m", text(arguments, "m").to_owned()),
        ProblemError::NotPositive { .. } | ProblemError::WideBox { .. } => ("--b", given("b", defaults.0)),
        ProblemError::ShortRadius { .. } | ProblemError::LongRadius { .. } => ("--r", given("r", defaults.1)),
        ProblemError::Coherent { .. } | ProblemError::NoCode { .. } => ("--code", text(arguments, "code").to_owned()),
        ProblemError::Symbol { .. } | ProblemError::Length { .. } => ("--sample", text(arguments, "sample").to_owned()),
    };
    refuse(flag, &given, error.to_string())
}

fn sample(arguments: &ArgMatches, m: usize, seed: u64) -> Result<Vec<usize>, CalculatorError> {
    let Some(given) = arguments.get_one::<String>("sample") else {
        // High bits of words: off uniform by at most m/2^64.
        let mut word = words_of_seed(seed);
        return Ok((0..m).map(|_| ((u128::from(word()) * m as u128) >> 64) as usize).collect());
    };
    if given.trim().is_empty() {
        return Err(refuse("--sample", given, format!("is empty: {m} draws are needed")));
    }
    given
        .split(',')
        .enumerate()
        .map(|(place, item)| {
            let reason = || format!("draw {} ('{}') is not a symbol from 0 to {}", place + 1, item.trim(), m - 1);
            item.trim().parse().map_err(|_| refuse("--sample", given, reason()))
        })
        .collect()
}

fn find_code(arguments: &ArgMatches, m: usize, seed: u64) -> Result<Code, CalculatorError> {
    let refused = |given: &str, error: &CodeError| refuse("--code", given, error.to_string());
    let Some(given) = arguments.get_one::<String>("code") else {
        // Another stream than the sample's.
        return Code::given(m).map_or_else(|| Code::search(m, words_of_seed(!seed)).map_err(|error| refused("none", &error)), Ok);
    };
    let rows = given.split(',').count();
    if rows != m {
        return Err(refuse("--code", given, format!("has {rows} rows, m = {m} are needed")));
    }
    Code::from_hex(given).map_err(|error| refused(given, &error))
}

fn instance(arguments: &ArgMatches) -> Result<Answer, CalculatorError> {
    let why = ": the instance has 2^m pieces, all of which are enumerated; a smaller m, or calc erm bound for larger ones";
    let m = count(arguments, "m", "--m", 2, MOST_SYMBOLS as i128, why)? as usize;
    let seed = match arguments.get_one::<String>("seed") {
        None => 0,
        Some(given) => given.parse().map_err(|_| refuse("--seed", given, "must be an integer from 0 to 2^64 - 1"))?,
    };
    let optional = |id: &str, flag, default: Rational| arguments.get_one::<String>(id).map_or(Ok(default), |given| exact_argument(flag, given));
    let (b, r) = (optional("b", "--b", default_b(m))?, optional("r", "--r", Rational::new(1, 2))?);
    let faulty = |error: &ProblemError| blame(error, arguments, (&b, &r));
    // The numbers first: they are cheap to refuse.
    Problem::new(m, b.clone(), r.clone(), None).map_err(|error| faulty(&error))?;
    let sample = sample(arguments, m, seed)?;
    let code = Arc::new(find_code(arguments, m, seed)?);
    let problem = Problem::new(m, b.clone(), r.clone(), Some(code.clone())).map_err(|error| faulty(&error))?;
    let counts = problem.counts(&sample).map_err(|error| faulty(&error))?;
    let sampled = Sampled { problem, sample };
    let Sampled { problem, sample } = &sampled;
    let support = sampled.support();
    let risks = || -> Result<[Rational; 3], ProblemError> {
        let corner = problem.corner(support)?;
        let lowest = problem.corner((1 << m) - 1)?;
        Ok([problem.risk(&counts, &corner)?, problem.population(&corner)?, problem.population(&lowest)?])
    };
    let [empirical, population, minimum] = risks().map_err(|error| faulty(&error))?;
    let mut report = Report::default();
    report.push("m", Value::Count(m as u64));
    report.push("dimension", Value::Count(7 * m as u64));
    report.push("b", exact(&b));
    report.push("r", exact(&r));
    report.push("code", Value::Text(code.to_hex()));
    report.push("coherence", exact(&code.coherence()));
    report.push("sample", Value::Text(sample.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")));
    report.push("minimizer", Value::Text(format!("x = b on {} and -b elsewhere, y = r times the vector of that set", show_set(support))));
    report.push("unseen", exact(&sampled.unseen()));
    report.push("empirical_risk", exact(&empirical));
    report.push("population_risk", exact(&population));
    report.push("minimum_risk", exact(&minimum));
    report.push("excess", exact(&(population.clone() - minimum)));
    report.push("gap", exact(&(population - empirical)));
    report.push("sharpness", exact(&bounds::box_slope(&problem.size())));
    report.push("sharpness_code", exact(&problem.code_slope()));
    report.push("tolerance", exact(&bounds::tolerance(&problem.size(), &b)));
    let mut notes = vec![
        "F_S(w) - F_S(w_S) >= sharpness |x - x_S|_1 + sharpness_code (r - <v_S, y>); minimizers up to tolerance have an excess of at least u r/16"
            .to_owned(),
    ];
    if arguments.get_flag("gd") {
        descend(arguments, &sampled, &counts, &mut report, &mut notes)?;
    }
    let mut answer = Answer::single(report);
    answer.notes = notes;
    Ok(answer)
}

fn descend(arguments: &ArgMatches, sampled: &Sampled, counts: &[usize], report: &mut Report, notes: &mut Vec<String>) -> Result<(), CalculatorError> {
    let problem = &sampled.problem;
    let eta = positive(arguments, "eta", "--eta")?;
    let given_steps = text(arguments, "steps");
    let steps = count(arguments, "steps", "--steps", 1, i128::from(MOST_STEPS), "")?;
    let refused = |error: DescentError| refuse("--eta", text(arguments, "eta"), error.to_string());
    let support = sampled.support();
    let rho = problem.code.as_ref().map_or_else(|| Rational::from(0), |code| code.overlap(0, support));
    let sets = |sets: &[usize]| Value::List(sets.iter().map(|&set| Value::Text(show_set(set))).collect());
    let as_stated = if steps > 1 { vec![0, support] } else { vec![0] };
    let Some(broken) = broken_hypothesis(problem, counts, &eta, steps) else {
        let closed = closed_form(problem, counts, &rho, &eta, steps).map_err(refused)?;
        report.push("gd_active_pieces", sets(&as_stated));
        report.push("gd_overlap", exact(&closed.overlap));
        report.push("gd_gap", exact(&closed.gap()));
        return Ok(());
    };
    // Beyond the closed form: enumerated as long as the iterates are rational, enclosed where the projection acts or the pieces are too many.
    notes.push(format!("hypothesis not met: {broken}; the closed form of erm/gd-trajectory says nothing here, the run is followed step by step"));
    let mut enclosed = |why: &str, found: Enclosed| -> Result<(), CalculatorError> {
        let code_gap = found.code_gap + Interval::from_rational(&box_gap(problem, counts, &eta, steps).map_err(refused)?);
        let interval = |x: Interval| {
            let end = |end: f64, rounding| Rational::from_f64(end).map_or_else(|| "-".to_owned(), |end| end.to_decimal(DIGITS, rounding));
            Value::Text(format!("[{}, {}]", end(x.lo(), Rounding::Down), end(x.hi(), Rounding::Up)))
        };
        report.push("gd_active_pieces", sets(&as_stated));
        report.push("gd_overlap", interval(found.overlap));
        report.push("gd_gap", interval(code_gap));
        notes.push(format!("{why}: certified intervals are given"));
        if let Some(step) = found.projected {
            notes.push(format!("the projection of y acts from step {step} on, and the iterates are irrational"));
        }
        Ok(())
    };
    if steps.checked_mul(1 << problem.symbols).is_none_or(|pieces| pieces > MOST_PIECES) {
        let reason = |error: DescentError| {
            format!(
                "2^m T pieces are more than are enumerated; hypothesis not met: {broken}; and the run cannot be enclosed ({error}); fewer steps or a smaller --eta"
            )
        };
        let found = enclose(problem, counts, &rho, &eta, steps).map_err(|error| refuse("--steps", given_steps, reason(error)))?;
        return enclosed("2^m T pieces are more than are enumerated", found);
    }
    let mut descent = Descent::new(problem, counts, &eta).map_err(refused)?;
    let mut seen: Vec<usize> = Vec::new();
    for _ in 0..steps {
        match descent.step() {
            Ok(step) if seen.contains(&step.piece) => {}
            Ok(step) => seen.push(step.piece),
            Err(DescentError::Projected { step, .. }) => {
                let reason = |error: DescentError| {
                    format!("the projection acts at step {step}, and the run cannot be enclosed ({error}); fewer steps or a smaller --eta")
                };
                let found = enclose(problem, counts, &rho, &eta, steps).map_err(|error| refuse("--steps", given_steps, reason(error)))?;
                return enclosed("the iterates are not all rational", found);
            }
            Err(error) => return Err(refused(error)),
        }
    }
    report.push("gd_active_pieces", sets(&seen));
    report.push("gd_overlap", exact(&descent.overlap(support)));
    report.push("gd_gap", exact(&descent.gap()));
    Ok(())
}
