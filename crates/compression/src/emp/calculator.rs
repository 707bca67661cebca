//! `calc emp`: the retained count, the preserved mass and its floor, on a user's own scores; and the floors for given counts.

use super::algorithm::{effective_size, retained_count};
use super::bounds::{FloorCase, certain_concentration, printed_floor, retained_floor};
use super::scores::{Mode, Scores, Selection, Stream, Totals};
use calculator::{Answer, Calculator, CalculatorError, Report, Value, exact_argument};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use data::{Binary, DataError, Input, Tensor, Text};
use numeric::{Ordered, QuadraticSurd, Rational, Rounding};
use rayon::prelude::*;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Significant digits of every decimal.
const DIGITS: usize = 25;
/// An exact number with more digits (numerator and denominator together) is given as null.
const EXACT_DIGITS: usize = 200;

/// The calculator.
pub struct EmpCalculator;

impl Calculator for EmpCalculator {
    fn command(&self) -> Command {
        let beta = |id: &'static str| Arg::new(id).allow_hyphen_values(true).default_value("1");
        Command::new("emp")
            .about("Effective sample size, retained count, preserved mass and its certified floor")
            .args_conflicts_with_subcommands(true)
            .subcommand_negates_reqs(true)
            .arg(Arg::new("FILE").required(true).help("Scores: .npy, .safetensors (f16, bf16, f32, f64), .csv, .txt, or - for text on standard input"))
            .arg(beta("beta").long("beta").value_name("R").help("Keep floor(R N_eff), exact: a decimal or p/q"))
            .arg(Arg::new("mode").long("mode").value_parser(["abs", "shift"]).default_value("abs").help("abs: |s|; shift: s - min s"))
            .arg(Arg::new("tensor").long("tensor").value_name("NAME").help("One tensor of a .safetensors file"))
            .arg(Arg::new("per-tensor").long("per-tensor").action(ArgAction::SetTrue).help("One report for each tensor").conflicts_with("tensor"))
            .arg(Arg::new("per-row").long("per-row").action(ArgAction::SetTrue).help("One report for each row of a matrix").conflicts_with("per-tensor"))
            .arg(
                Arg::new("lambda-max")
                    .long("lambda-max")
                    .value_name("X")
                    .allow_hyphen_values(true)
                    .help("Largest Hessian eigenvalue: adds the loss increase bound (magnitude scores)"),
            )
            .arg(
                Arg::new("indices")
                    .long("indices")
                    .value_name("OUT.npy")
                    .value_parser(value_parser!(PathBuf))
                    .help("Write the kept indices, ascending (uint32 below 2^32 scores, uint64 from there)")
                    .conflicts_with_all(["per-tensor", "per-row"]),
            )
            .arg(Arg::new("threads").long("threads").value_name("N").value_parser(value_parser!(u16).range(1..)).help("Threads; the answer does not depend on it"))
            .subcommand(
                Command::new("bound")
                    .about("The printed floor and the exact one for given counts")
                    .arg(Arg::new("N").required(true).value_parser(value_parser!(u64).range(1..)).help("Number of scores"))
                    .arg(Arg::new("NU").required(true).value_parser(value_parser!(u64)).help("Retained count, from 1 to N"))
                    .arg(beta("BETA").help("nu = floor(BETA N_eff)"))
                    .after_help("Example:\n  theorycheck calc emp bound 10 5 3/4 --json"),
            )
            .after_help(
                "Examples:\n  theorycheck calc emp model.safetensors --per-tensor\n  theorycheck calc emp scores.npy --indices keep.npy --json\n  echo '5 4 1' | theorycheck calc emp -",
            )
    }

    fn run(&self, arguments: &ArgMatches, stdin: &mut dyn Read) -> Result<Answer, CalculatorError> {
        match arguments.subcommand() {
            Some(("bound", bound)) => floors(bound),
            _ => match arguments.get_one::<u16>("threads") {
                None => scores(arguments, stdin),
                Some(&threads) => {
                    let pool = rayon::ThreadPoolBuilder::new()
                        .num_threads(usize::from(threads))
                        .build()
                        .map_err(|error| CalculatorError::Argument { flag: "--threads", given: threads.to_string(), reason: error.to_string() })?;
                    // Standard input cannot move to the pool's thread: read it here.
                    let mut text = Vec::new();
                    if from_stdin(arguments) {
                        stdin.read_to_end(&mut text).map_err(|error| CalculatorError::Data(format!("standard input: {error}")))?;
                    }
                    pool.install(|| scores(arguments, &mut &text[..]))
                }
            },
        }
    }
}

fn from_stdin(arguments: &ArgMatches) -> bool {
    arguments.get_one::<String>("FILE").is_some_and(|file| file == "-")
}

fn data_error(error: &DataError) -> CalculatorError {
    CalculatorError::Data(error.to_string())
}

/// Errors on the way to the indices file.
enum SinkError {
    Data(DataError),
    Output(std::io::Error),
}

impl From<DataError> for SinkError {
    fn from(error: DataError) -> Self {
        SinkError::Data(error)
    }
}

/// What the flags ask for.
struct Options<'a> {
    beta: Rational,
    mode: Mode,
    lambda_max: Option<Rational>,
    indices: Option<&'a Path>,
}

fn positive(flag: &'static str, given: &str, zero: bool) -> Result<Rational, CalculatorError> {
    let value = exact_argument(flag, given)?;
    match value.signum() {
        Some(1) => Ok(value),
        Some(0) if zero => Ok(value),
        _ => Err(CalculatorError::Argument {
            flag,
            given: given.to_owned(),
            reason: if zero { "must not be negative" } else { "must be positive" }.to_owned(),
        }),
    }
}

fn scores(arguments: &ArgMatches, stdin: &mut dyn Read) -> Result<Answer, CalculatorError> {
    let text = |id: &str| arguments.get_one::<String>(id).map(String::as_str);
    let options = Options {
        beta: positive("--beta", text("beta").unwrap_or("1"), false)?,
        mode: if text("mode") == Some("shift") { Mode::Shift } else { Mode::Magnitude },
        lambda_max: text("lambda-max").map(|given| positive("--lambda-max", given, true)).transpose()?,
        indices: arguments.get_one::<PathBuf>("indices").map(PathBuf::as_path),
    };
    if options.mode == Mode::Shift && options.lambda_max.is_some() {
        return Err(CalculatorError::Argument {
            flag: "--lambda-max",
            given: text("lambda-max").unwrap_or("").to_owned(),
            reason: "the loss bound is for magnitude scores, not for --mode shift".to_owned(),
        });
    }
    let name = text("FILE").unwrap_or("-");
    if let Some(path) = options.indices {
        check_output(path, name)?;
    }
    let (per_row, per_tensor) = (arguments.get_flag("per-row"), arguments.get_flag("per-tensor"));
    let input = if name == "-" {
        let mut content = Vec::new();
        stdin.read_to_end(&mut content).map_err(|error| CalculatorError::Data(format!("standard input: {error}")))?;
        data::read_text("standard input", &content).map(Input::Text)
    } else {
        data::open(Path::new(name))
    }
    .map_err(|error| data_error(&error))?;
    match input {
        Input::Text(rows) => {
            if let Some(tensor) = text("tensor") {
                return Err(CalculatorError::Argument { flag: "--tensor", given: tensor.to_owned(), reason: format!("{name} has no named tensors") });
            }
            if per_tensor {
                return Err(CalculatorError::Argument { flag: "--per-tensor", given: name.to_owned(), reason: "text has no tensors".to_owned() });
            }
            text_answer(name, rows, per_row, &options)
        }
        Input::Binary(file) => binary_answer(&file, text("tensor"), per_row, per_tensor, &options),
    }
}

fn text_answer(name: &str, text: Text, per_row: bool, options: &Options<'_>) -> Result<Answer, CalculatorError> {
    let place = if name == "-" { "standard input" } else { name };
    if !per_row {
        let values = text.rows.into_iter().flat_map(|(_, row)| row).collect();
        return Ok(Answer::single(report(place, &Scores::exact(values, options.mode), options)?));
    }
    let reports = text
        .rows
        .into_iter()
        .map(|(line, row)| {
            let mut report = report(&format!("{place}: line {line}"), &Scores::exact(row, options.mode), options)?;
            report.name = Some(format!("line {line}"));
            Ok(report)
        })
        .collect::<Result<_, CalculatorError>>()?;
    Ok(Answer { reports, listed: true, notes: Vec::new(), plot: None })
}

fn binary_answer(file: &Binary, tensor: Option<&str>, per_row: bool, per_tensor: bool, options: &Options<'_>) -> Result<Answer, CalculatorError> {
    let mut notes = Vec::new();
    let chosen: Vec<Tensor> = match tensor {
        Some(name) => {
            if let Some((_, kind)) = file.skipped.iter().find(|(skipped, _)| skipped == name) {
                return Err(CalculatorError::Data(format!(
                    "{}: tensor '{name}' has elements of type {kind}; f16, bf16, f32 and f64 are read",
                    file.name()
                )));
            }
            vec![file.tensor(name).map_err(|error| data_error(&error))?.clone()]
        }
        None => {
            notes.extend(file.skipped.iter().map(|(name, kind)| format!("tensor {name} is left out: its elements are {kind}")));
            file.tensors.clone()
        }
    };
    let pieces: Vec<Piece> = if per_row {
        rows(file, &chosen)?
    } else if per_tensor {
        chosen.into_iter().map(|tensor| (Some(tensor.name.clone()), vec![tensor])).collect()
    } else {
        vec![(None, chosen)]
    };
    let reports = pieces
        .into_par_iter()
        .map(|(name, tensors)| {
            let place = name.as_ref().map_or_else(|| file.name().to_owned(), |name| format!("{}: {name}", file.name()));
            let mut report = report(&place, &Scores::Stream(Stream::new(file, tensors, options.mode)), options)?;
            report.name = name;
            Ok(report)
        })
        // All of them first, so that the error told is that of the first row, whichever thread meets one first.
        .collect::<Vec<Result<Report, CalculatorError>>>()
        .into_iter()
        .collect::<Result<Vec<Report>, CalculatorError>>()?;
    Ok(Answer { reports, listed: per_row || per_tensor, notes, plot: None })
}

/// What one report is about: a name where there are several, and its tensors.
type Piece = (Option<String>, Vec<Tensor>);

/// The rows of a matrix (the slices along the last axis).
fn rows(file: &Binary, tensors: &[Tensor]) -> Result<Vec<Piece>, CalculatorError> {
    let mut out = Vec::new();
    for tensor in tensors {
        let Some((&width, outer)) = tensor.shape.split_last() else {
            return Err(CalculatorError::Argument {
                flag: "--per-row",
                given: file.name().to_owned(),
                reason: "a single number has no rows".to_owned(),
            });
        };
        if outer.is_empty() && tensors.len() == 1 {
            return Err(CalculatorError::Argument {
                flag: "--per-row",
                given: file.name().to_owned(),
                reason: "the array has one axis, so no rows".to_owned(),
            });
        }
        let count = tensor.len.checked_div(width).unwrap_or(0);
        for row in 0..count {
            let label = if tensor.name.is_empty() { format!("row {row}") } else { format!("{} row {row}", tensor.name) };
            out.push((Some(label.clone()), vec![tensor.slice(row * width, width, label)]));
        }
    }
    Ok(out)
}

/// An exact number, or null beyond the digits that a reader can use.
fn exact(value: &Rational) -> Value {
    Value::Exact((value.digit_count() <= EXACT_DIGITS).then(|| value.to_string()))
}

fn decimal(value: &Rational, rounding: Rounding) -> Value {
    Value::Decimal(value.to_decimal(DIGITS, rounding))
}

fn report(place: &str, scores: &Scores<'_>, options: &Options<'_>) -> Result<Report, CalculatorError> {
    let (totals, hint) = scores.totals().map_err(|error| data_error(&error))?;
    let undefined = |reason: &str| CalculatorError::Undefined { place: place.to_owned(), reason: reason.to_owned() };
    if totals.n == 0 {
        return Err(undefined("no scores"));
    }
    let n_eff = effective_size(&totals.s1, &totals.s2).ok_or_else(|| {
        undefined(if options.mode == Mode::Shift {
            "all scores are equal, so all shifted scores are zero and N_eff is undefined"
        } else {
            "all scores are zero, so N_eff is undefined"
        })
    })?;
    let kept = retained_count(&n_eff, &options.beta, totals.n);
    let selection = scores.select(kept, &hint).map_err(|error| data_error(&error))?;
    let report = describe(&totals, &n_eff, kept, &selection, options).ok_or_else(|| undefined("the floor of the preserved mass is undefined"))?;
    if let Some(path) = options.indices {
        write_indices(path, scores, &selection, totals.n, kept)?;
    }
    Ok(report)
}

fn describe(totals: &Totals, n_eff: &Rational, kept: u64, selection: &Selection, options: &Options<'_>) -> Option<Report> {
    let mass = &selection.sum / &totals.s1;
    let pruned_squares = &totals.s2 - &selection.squares;
    let (floor, case) = retained_floor(totals.n, kept, &n_eff.recip())?;
    let mut report = Report::default();
    report.push("n", Value::Count(totals.n));
    report.push("n_eff", exact(n_eff));
    report.push("n_eff_decimal", decimal(n_eff, Rounding::Down));
    report.push("kept", Value::Count(kept));
    report.push("sparsity", decimal(&(Rational::from(totals.n - kept) / Rational::from(totals.n)), Rounding::Down));
    report.push("preserved_mass", exact(&mass));
    report.push("preserved_mass_decimal", decimal(&mass, Rounding::Down));
    report.push("mass_floor_decimal", Value::Decimal(floor.to_decimal(DIGITS, Rounding::Down)));
    report.push("mass_floor_formula", Value::Text(formula(case, totals.n)));
    report.push("threshold", decimal(&selection.threshold, Rounding::Down));
    let norm = totals.s1.clone() * totals.s1.clone();
    report.push("tail_energy_decimal", decimal(&(&pruned_squares / &norm), Rounding::Up));
    if let Some(lambda_max) = &options.lambda_max {
        // (lambda_max / 2) ||theta||_1^2 tau, and ||theta||_1^2 tau is the sum of the pruned squares.
        let bound = lambda_max * &(&pruned_squares / &Rational::from(2));
        report.push("loss_increase_bound", decimal(&bound, Rounding::Up));
    }
    Some(report)
}

fn formula(case: FloorCase, n: u64) -> String {
    match case {
        FloorCase::All => "1".to_owned(),
        FloorCase::Uniform => "nu/N".to_owned(),
        FloorCase::Vertex => "min(1, nu/m), m = floor(N_eff)".to_owned(),
        FloorCase::Edge(k) if k == n => "A(q, nu, N)".to_owned(),
        FloorCase::Edge(k) => format!("A(q, nu, {k})"),
        FloorCase::FarEdge(k) => format!("(nu/k)(1 + sqrt((q k - 1)(k - m)/m)), k = {k}, m = floor(N_eff)"),
    }
}

/// Refuses an output that would replace the input, or something that is not a file (a device, a folder), before any work is done.
fn check_output(path: &Path, input: &str) -> Result<(), CalculatorError> {
    let refuse = |reason: &str| Err(CalculatorError::Output { path: path.display().to_string(), reason: reason.to_owned() });
    // A path that does not exist yet, or cannot be looked at: writing will tell.
    let Ok(there) = path.canonicalize() else { return Ok(()) };
    if !there.is_file() {
        return refuse("it exists and is not a file");
    }
    if input != "-" && Path::new(input).canonicalize().is_ok_and(|input| input == there) {
        return refuse("it is the input");
    }
    Ok(())
}

/// A file beside the target, with the permissions that a new file has.
fn file_beside(path: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Writes the kept indices as a .npy array: to a file beside the target first, so that nothing half-written stands under its name.
fn write_indices(path: &Path, scores: &Scores<'_>, selection: &Selection, n: u64, kept: u64) -> Result<(), CalculatorError> {
    let failed = |error: std::io::Error| CalculatorError::Output { path: path.display().to_string(), reason: error.to_string() };
    let mut file = file_beside(path).map_err(failed)?;
    let wide = n > 1 << 32;
    {
        let mut out = BufWriter::with_capacity(1 << 20, file.as_file_mut());
        out.write_all(&npy_header(if wide { "<u8" } else { "<u4" }, kept)).map_err(failed)?;
        let mut bytes: Vec<u8> = Vec::new();
        let mut sink = |base: u64, indices: &[u32]| -> Result<(), SinkError> {
            if !wide && base == 0 && cfg!(target_endian = "little") {
                return out.write_all(bytemuck::cast_slice(indices)).map_err(SinkError::Output);
            }
            bytes.clear();
            for &index in indices {
                let index = base + u64::from(index);
                if wide { bytes.extend(index.to_le_bytes()) } else { bytes.extend((index as u32).to_le_bytes()) }
            }
            out.write_all(&bytes).map_err(SinkError::Output)
        };
        scores.indices(selection, &mut sink).map_err(|error| match error {
            SinkError::Data(error) => data_error(&error),
            SinkError::Output(error) => failed(error),
        })?;
        out.flush().map_err(failed)?;
    }
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Version 1.0 of the format: magic, length, dictionary padded so that the data start at a multiple of 64.
fn npy_header(descr: &str, len: u64) -> Vec<u8> {
    let mut dictionary = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len},), }}");
    let padding = 63 - (10 + dictionary.len()) % 64;
    dictionary.extend(std::iter::repeat_n(' ', padding));
    dictionary.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((dictionary.len() as u16).to_le_bytes());
    header.extend(dictionary.into_bytes());
    header
}

fn floors(arguments: &ArgMatches) -> Result<Answer, CalculatorError> {
    let count = |id: &str| arguments.get_one::<u64>(id).copied().unwrap_or(0);
    let (n, nu) = (count("N"), count("NU"));
    if nu == 0 || nu > n {
        return Err(CalculatorError::Argument { flag: "NU", given: nu.to_string(), reason: format!("must be from 1 to N = {n}") });
    }
    let given = arguments.get_one::<String>("BETA").map_or("1", String::as_str);
    let beta = positive("BETA", given, false)?;
    let undefined =
        || CalculatorError::Undefined { place: format!("N = {n}, NU = {nu}, BETA = {given}"), reason: "the floor is undefined".to_owned() };
    let (floor, _) = retained_floor(n, nu, &certain_concentration(n, nu, &beta)).ok_or_else(undefined)?;
    let printed: Option<QuadraticSurd> = (nu < n).then(|| printed_floor(nu, n));
    let rational = |value: &QuadraticSurd| value.as_rational().map_or(Value::Exact(None), exact);
    let down = |value: &QuadraticSurd| Value::Decimal(value.to_decimal(DIGITS, Rounding::Down));
    let mut report = Report::default();
    report.push("printed", printed.as_ref().map_or(Value::Null, down));
    report.push("valid", printed.as_ref().map_or(Value::Null, |printed| Value::Flag(printed.le(&floor).is_true())));
    report.push("floor", down(&floor));
    report.push("printed_exact", printed.as_ref().map_or(Value::Null, rational));
    report.push("floor_exact", rational(&floor));
    let mut answer = Answer::single(report);
    answer.plot = super::figure::floors(n, nu, &floor);
    if nu > 1 && beta.clone() * Rational::from(n) < Rational::from(nu) {
        answer.notes.push(format!("no scores keep NU = {nu}: floor(BETA N_eff) is at most floor({given} * {n})"));
    }
    Ok(answer)
}
