//! The deep run of the interval layer: containment checks by the hundred million, and every single-precision number.
//!
//! ```text
//! cargo run --release -p theorycheck-numeric --example deep -- random 100000000
//! cargo run --release -p theorycheck-numeric --example deep -- singles [NAME ..]
//! ```
//!
//! `random N`: N checks in all, shared among the operations: a random or special interval, a point of it, and the correctly rounded (or exact) image of
//! the point, which must lie in the interval's image; every 1,000th check also asks the high-precision layer.
//! `singles`: for each one-argument function and each finite f32, the enclosure of the interval from that number to the next must hold the images of
//! both, and every 1,000,003rd is checked in high precision; the names choose among the functions. Prints one line a function; ends with exit code 1 at the first failure.

use numeric::{BigInterval, Interval, Rational, Real, Surd};
use rayon::prelude::*;

#[path = "../tests/source/mod.rs"]
mod source;

use source::Source;

struct Function {
    name: &'static str,
    double: fn(&Interval) -> Interval,
    high: fn(&BigInterval) -> BigInterval,
    rounded: fn(f64) -> f64,
}

macro_rules! functions {
    ($($name:literal, $method:ident, $rounded:expr;)*) => {
        [$(Function { name: $name, double: |x| x.$method(), high: |x| x.$method(), rounded: $rounded }),*]
    };
}

fn functions() -> Vec<Function> {
    functions! {
        "exp", exp, core_math::exp;
        "exp_m1", exp_m1, core_math::expm1;
        "ln", ln, core_math::log;
        "ln_1p", ln_1p, core_math::log1p;
        "log2", log2, core_math::log2;
        "sqrt", sqrt, f64::sqrt;
        "cbrt", cbrt, core_math::cbrt;
        "sin", sin, core_math::sin;
        "cos", cos, core_math::cos;
        "tan", tan, core_math::tan;
        "atan", atan, core_math::atan;
        "sinh", sinh, core_math::sinh;
        "cosh", cosh, core_math::cosh;
        "tanh", tanh, core_math::tanh;
        "erf", erf, core_math::erf;
        "erfc", erfc, core_math::erfc;
        "ln_gamma", ln_gamma, core_math::lgamma;
        "gamma", gamma, core_math::tgamma;
    }
    .into()
}

/// One check of a function: the image of a point of an interval lies in the interval's image. The message of a failure.
fn holds(f: &Function, x: &Interval, at: f64, deep: bool) -> Option<String> {
    let (whole, point) = ((f.double)(x), (f.double)(&Interval::point(at)));
    if !point.is_defined() {
        return whole.is_defined().then(|| format!("{} {x:?}: {at:e} is outside the domain, but the whole is called defined", f.name));
    }
    let value = (f.rounded)(at);
    if !(point.lo() <= value && value <= point.hi() && whole.lo() <= value && value <= whole.hi()) {
        return Some(format!("{} {x:?} at {at:e}: {value:e} not in {whole:?} or {point:?}", f.name));
    }
    if deep {
        let fine = (f.high)(&BigInterval::from_interval(&Interval::point(at)));
        if fine.intersect(&BigInterval::from_interval(&whole)).is_empty() || fine.intersect(&BigInterval::from_interval(&point)).is_empty() {
            return Some(format!("{} at {at:e}: high precision has {fine:?}, doubles {point:?}", f.name));
        }
    }
    None
}

/// The ring operations and division: the exact value lies in the image.
fn ring(source: &mut Source, deep: bool) -> Option<String> {
    let (x, y) = (source.interval(), source.interval());
    let (a, b) = (source.inside(&x), source.inside(&y));
    let (p, q) = (Interval::point(a), Interval::point(b));
    let exact = deep.then(|| Rational::from_f64(a).zip(Rational::from_f64(b))).flatten();
    let images = [(x + y, p + q, "+"), (x - y, p - q, "-"), (x * y, p * q, "*"), (x / y, p / q, "/")];
    for (index, (whole, point, name)) in images.into_iter().enumerate() {
        if point.is_defined() && !point.is_subset(&whole) {
            return Some(format!("{x:?} {name} {y:?} at {a:e}, {b:e}: {point:?} not in {whole:?}"));
        }
        if let Some((a, b)) = exact.clone() {
            let value = [|a, b| a + b, |a, b| a - b, |a, b| a * b, |a: Rational, b: Rational| a / b][index](a, b);
            if value.is_defined() && !(whole.contains_rational(&value) && point.contains_rational(&value)) {
                return Some(format!("{x:?} {name} {y:?}: the exact {value} is outside {whole:?} or {point:?}"));
            }
        }
    }
    None
}

fn random(checks: u64) -> Option<String> {
    const CHUNK: u64 = 100_000;
    let functions = functions();
    let kinds = functions.len() as u64 + 1;
    (0..checks.div_ceil(CHUNK)).into_par_iter().find_map_first(|chunk| {
        let mut source = Source(0x9e37_79b9_7f4a_7c15 ^ (chunk + 1).wrapping_mul(0xd134_2543_de82_ef95));
        let kind = (chunk % kinds) as usize;
        (0..CHUNK).find_map(|index| {
            let deep = index % 1_000 == 0;
            match functions.get(kind) {
                Some(f) => {
                    let x = source.interval();
                    let at = source.inside(&x);
                    holds(f, &x, at, deep)
                }
                None => ring(&mut source, deep),
            }
        })
    })
}

fn singles(names: &[&str]) -> Option<String> {
    const CHUNK: u32 = 1 << 20;
    for f in functions().iter().filter(|f| names.is_empty() || names.contains(&f.name)) {
        let failure = (0..u32::MAX / CHUNK + 1).into_par_iter().find_map_first(|chunk| {
            (chunk * CHUNK..=chunk * CHUNK + (CHUNK - 1)).find_map(|bits| {
                let (here, next) = (f32::from_bits(bits), f32::from_bits(bits).next_up());
                if !here.is_finite() || !next.is_finite() {
                    return None;
                }
                let x = Interval::new(f64::from(here), f64::from(next)).ok()?;
                let deep = bits % 1_000_003 == 0;
                holds(f, &x, f64::from(here), deep).or_else(|| holds(f, &x, f64::from(next), false))
            })
        });
        if failure.is_some() {
            return failure;
        }
        println!("{}: every f32 and its next, no failure", f.name);
    }
    None
}

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let failure = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["random", count] => match count.parse() {
            Ok(checks) => {
                let failure = random(checks);
                if failure.is_none() {
                    println!("{checks} random checks, no failure");
                }
                failure
            }
            Err(error) => {
                eprintln!("the number of checks '{count}': {error}");
                return 2.into();
            }
        },
        ["singles", ref names @ ..] => {
            let known = functions();
            if let Some(unknown) = names.iter().find(|name| known.iter().all(|f| f.name != **name)) {
                eprintln!("no function '{unknown}'; there are {}", known.iter().map(|f| f.name).collect::<Vec<_>>().join(", "));
                return 2.into();
            }
            singles(names)
        }
        _ => {
            eprintln!("usage: deep random N | deep singles [NAME ..]");
            return 2.into();
        }
    };
    match failure {
        None => 0.into(),
        Some(text) => {
            eprintln!("{text}");
            1.into()
        }
    }
}
