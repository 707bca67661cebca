//! The falsifier: an opponent that searches a family for the instance which breaks a statement, or comes closest.
//!
//! On tapes it runs random draws, pattern search on the words of the best ones (a word read as an integer moves by small steps, doubles, halves), and an
//! evolution of the population between restarts. On the box of a certified part it runs Nelder and Mead's simplex and a (1+1)-CMA evolution strategy
//! (Igel, Suttorp and Hansen, GECCO 2006) from several starts, integer parameters rounded. It maximizes the closeness of [`claim::Judgement`]: 1 at
//! equality, above 1 when broken. Whatever it finds is evaluated again exactly or in intervals before it counts; its schedule depends on counts only, so
//! the witness is the same at any thread count.

use crate::exact::shrink;
use crate::stream::{Keyed, Stream};
use crate::token::Token;
use crate::{Progress, certified, witness};
use claim::{Batch, CertifiedCheck, Check, Claim, Description, Evaluation, ExactCheck, Judgement, Outcome, Point, Relation, Sign, Verdict, Witness};
use numeric::{Interval, Ordered, QuadraticSurd, Rounding};
use rayon::prelude::*;
use sample::Words;

/// Points evaluated side by side.
const CHUNK: usize = 64;
/// Members of the population.
const POPULATION: usize = 96;
/// Members that pattern search improves in each round.
const LOCAL: usize = 4;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Search {
    /// Evaluations spent.
    pub evaluations: u64,
    /// A failing point, shrunk.
    pub failure: Option<Point>,
    /// The closest point that does not fail, with its closeness.
    pub best: Option<(f64, Point)>,
}

/// A tape with its closeness.
#[derive(Clone)]
struct Member {
    words: Vec<u64>,
    closeness: f64,
}

struct Hunt<'a> {
    check: &'a dyn ExactCheck,
    budget: u64,
    search: Search,
    failing: Option<Vec<u64>>,
}

impl Hunt<'_> {
    fn over(&self, progress: &dyn Progress) -> bool {
        self.failing.is_some() || self.search.evaluations >= self.budget || progress.cancelled()
    }

    /// Evaluates tapes in order; stops counting at the first that fails.
    fn evaluate(&mut self, tapes: &[Vec<u64>]) -> Vec<Member> {
        let stride = self.check.tape_len();
        let results: Vec<Vec<Evaluation>> = tapes
            .par_chunks(CHUNK)
            .map(|chunk| {
                let words: Vec<u64> = chunk.iter().flatten().copied().collect();
                let mut out = Vec::with_capacity(chunk.len());
                self.check.evaluate(Batch::Tapes { words: &words, stride, generic: true }, &mut out);
                out
            })
            .collect();
        let mut members = Vec::with_capacity(tapes.len());
        for (words, evaluation) in tapes.iter().zip(results.into_iter().flatten()) {
            self.search.evaluations += 1;
            match evaluation.outcome {
                Outcome::Fails => {
                    self.failing = Some(words.clone());
                    return members;
                }
                Outcome::Holds => {
                    let closeness = if evaluation.closeness.is_nan() { f64::NEG_INFINITY } else { evaluation.closeness };
                    if closeness > f64::NEG_INFINITY && self.search.best.as_ref().is_none_or(|(best, _)| closeness > *best) {
                        self.search.best = Some((closeness, Point::Tape(words.clone())));
                    }
                    members.push(Member { words: words.clone(), closeness });
                }
                Outcome::Unmet | Outcome::Undecided => {}
            }
        }
        members
    }
}

/// Searches a family within a budget of evaluations. `path` is (claim id, part or mutant).
pub fn search(check: &dyn ExactCheck, seed: u64, budget: u64, path: (&str, &str), progress: &dyn Progress) -> Search {
    let mut hunt = Hunt { check, budget, search: Search { evaluations: 0, failure: None, best: None }, failing: None };
    let stride = check.tape_len();
    if stride == 0 {
        return hunt.search;
    }
    let keyed = Keyed::new(seed, &[path.0, path.1, "falsify", &check.family()]);
    let mut round = 0;
    while !hunt.over(progress) {
        // Each round starts from fresh draws and keeps the best of them, so that it is a restart.
        let mut words = keyed.stream(round);
        round += 1;
        let room = |hunt: &Hunt<'_>| usize::try_from(hunt.budget - hunt.search.evaluations.min(hunt.budget)).unwrap_or(usize::MAX);
        let fresh: Vec<Vec<u64>> = (0..(4 * POPULATION).min(room(&hunt))).map(|_| (0..stride).map(|_| start_word(&mut words)).collect()).collect();
        let mut population = hunt.evaluate(&fresh);
        for generation in 0..12 {
            if hunt.over(progress) {
                break;
            }
            population.sort_by(|a, b| b.closeness.total_cmp(&a.closeness));
            population.truncate(POPULATION);
            if population.is_empty() {
                break;
            }
            if generation % 4 == 0 {
                for index in 0..LOCAL.min(population.len()) {
                    let improved = pattern_search(&mut hunt, population[index].clone(), progress);
                    population[index] = improved;
                }
            }
            let count = POPULATION.min(room(&hunt));
            let children: Vec<Vec<u64>> = (0..count).map(|_| child(&population, &mut words)).collect();
            population.extend(hunt.evaluate(&children));
        }
    }
    finish(hunt)
}

fn finish(hunt: Hunt<'_>) -> Search {
    let mut search = hunt.search;
    search.failure = hunt.failing.map(|words| shrink(hunt.check, &Point::Tape(words)));
    search
}

/// Half of the words are small integers: families read ranges and choices from them.
fn start_word(words: &mut Stream) -> u64 {
    let word = words.word();
    match word % 4 {
        0 => (word >> 2) % 16,
        1 => (word >> 2) % 1_024,
        _ => words.word(),
    }
}

/// A mutated and perhaps recombined copy of a good member.
fn child(population: &[Member], words: &mut Stream) -> Vec<u64> {
    // Squaring a uniform index prefers the better half.
    let pick = |words: &mut Stream| {
        let u = sample::closed_open(words);
        ((u * u * population.len() as f64) as usize).min(population.len() - 1)
    };
    let mut tape = population[pick(words)].words.clone();
    if words.word().is_multiple_of(3) {
        let other = &population[pick(words)].words;
        let cut = words.word() as usize % tape.len();
        tape[cut..].copy_from_slice(&other[cut..]);
    }
    let changes = 1 + words.word() % 3;
    for _ in 0..changes {
        let index = words.word() as usize % tape.len();
        let old = tape[index];
        tape[index] = match words.word() % 8 {
            0 => start_word(words),
            1 => old.wrapping_add(1 + words.word() % 4),
            2 => old.wrapping_sub(1 + words.word() % 4),
            3 => old ^ (1 << (words.word() % 64)),
            4 => old / 2,
            5 => old.wrapping_mul(2),
            6 => tape[words.word() as usize % tape.len()],
            _ => old.wrapping_add((words.word() % 2_048).wrapping_sub(1_024)),
        };
    }
    tape
}

/// Coordinate moves of a tape, larger first, as long as one of them is an improvement.
fn pattern_search(hunt: &mut Hunt<'_>, start: Member, progress: &dyn Progress) -> Member {
    let mut best = start;
    for _ in 0..24 {
        if hunt.over(progress) {
            break;
        }
        let mut trials = Vec::new();
        for index in 0..best.words.len() {
            let old = best.words[index];
            for new in [
                0,
                1,
                old.wrapping_add(1),
                old.wrapping_sub(1),
                old.wrapping_add(16),
                old.wrapping_sub(16),
                old / 2,
                old.wrapping_mul(2),
                old ^ (1 << 8),
            ] {
                if new != old {
                    let mut tape = best.words.clone();
                    tape[index] = new;
                    trials.push(tape);
                }
            }
            // Two neighbours together: ties and ratios move only so.
            if index > 0 {
                let mut tape = best.words.clone();
                tape[index] = tape[index - 1];
                trials.push(tape);
            }
        }
        let found = hunt.evaluate(&trials).into_iter().reduce(|a, b| if b.closeness > a.closeness { b } else { a });
        match found {
            Some(next) if next.closeness > best.closeness => best = next,
            _ => break,
        }
    }
    best
}

/// What a search of a box found: the closest point in doubles, and its margin (at most 0 when broken).
#[derive(Clone, Debug)]
pub struct BoxSearch {
    /// Evaluations spent.
    pub evaluations: u64,
    /// The point with the least margin that satisfies the assumptions.
    pub best: Option<(f64, Vec<f64>)>,
}

struct Landscape<'a> {
    check: &'a dyn CertifiedCheck,
    low: Vec<f64>,
    high: Vec<f64>,
    evaluations: u64,
    best: Option<(f64, Vec<f64>)>,
}

/// Penalty of a point that violates an assumption: above every margin.
const VIOLATED: f64 = 1e300;

impl Landscape<'_> {
    /// The point of unit coordinates, clipped to the box, integers rounded.
    fn place(&self, unit: &[f64]) -> Vec<f64> {
        unit.iter()
            .zip(self.check.parameters())
            .zip(self.low.iter().zip(&self.high))
            .map(|((u, parameter), (low, high))| {
                let x = (low + (high - low) * u.clamp(0.0, 1.0)).clamp(*low, *high);
                if parameter.integer { x.round() } else { x }
            })
            .collect()
    }

    /// The margin to be minimized.
    fn value(&mut self, unit: &[f64]) -> f64 {
        self.evaluations += 1;
        let point = self.place(unit);
        let sides: Vec<Interval> = point.iter().map(|&x| Interval::point(x)).collect();
        let allowed = (0..self.check.conditions()).all(|index| {
            let value = self.check.condition(index, &sides);
            value.is_defined() && self.check.condition_sign(index).decide(&value).is_true()
        });
        let margin = self.check.margin(&sides);
        if !allowed || !margin.is_defined() {
            return VIOLATED;
        }
        let value = margin.mid();
        if self.best.as_ref().is_none_or(|(best, _)| value < *best) {
            self.best = Some((value, point));
        }
        value
    }

    fn broken(&self) -> bool {
        let sign = self.check.sign();
        self.best.as_ref().is_some_and(|(value, _)| *value < 0.0 || (sign == Sign::Positive && *value == 0.0))
    }
}

/// Searches the box of a certified part for its least margin.
pub fn search_box(check: &dyn CertifiedCheck, seed: u64, budget: u64, path: (&str, &str), progress: &dyn Progress) -> BoxSearch {
    let ends = |upper: bool| -> Vec<f64> {
        check.parameters().iter().map(|parameter| if upper { parameter.high.to_f64_down() } else { parameter.low.to_f64_up() }).collect()
    };
    let mut landscape = Landscape { check, low: ends(false), high: ends(true), evaluations: 0, best: None };
    // A side so thin that no double lies in it (one third exactly): there is no point to try.
    if landscape.low.iter().zip(&landscape.high).any(|(low, high)| low > high) {
        return BoxSearch { evaluations: 0, best: None };
    }
    let dimension = check.parameters().len();
    let keyed = Keyed::new(seed, &[path.0, path.1, "falsify-box"]);
    let mut start = 0;
    // Corners first, then the two methods in turn.
    for corner in 0..1_u32 << dimension.min(10) {
        let unit: Vec<f64> = (0..dimension).map(|index| f64::from(corner >> index.min(31) & 1)).collect();
        landscape.value(&unit);
    }
    while landscape.evaluations < budget && !landscape.broken() && !progress.cancelled() {
        let mut words = keyed.stream(start);
        let unit: Vec<f64> = (0..dimension).map(|_| sample::closed_open(&mut words)).collect();
        let share = (budget - landscape.evaluations).min(60 * (dimension as u64 + 2));
        if start.is_multiple_of(2) {
            simplex(&mut landscape, unit, share)
        } else {
            evolve(&mut landscape, unit, share, &mut words)
        }
        start += 1;
    }
    BoxSearch { evaluations: landscape.evaluations, best: landscape.best }
}

/// Nelder and Mead's simplex (Computer Journal 7, 1965) with the standard coefficients.
fn simplex(landscape: &mut Landscape<'_>, start: Vec<f64>, budget: u64) {
    let dimension = start.len();
    let stop = landscape.evaluations + budget;
    let mut corners: Vec<(f64, Vec<f64>)> = Vec::with_capacity(dimension + 1);
    corners.push((landscape.value(&start), start.clone()));
    for index in 0..dimension {
        let mut corner = start.clone();
        corner[index] += if corner[index] < 0.5 { 0.25 } else { -0.25 };
        corners.push((landscape.value(&corner), corner));
    }
    while landscape.evaluations < stop {
        corners.sort_by(|a, b| a.0.total_cmp(&b.0));
        let size = corners[dimension].1.iter().zip(&corners[0].1).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if size < 1e-12 {
            return;
        }
        let centre: Vec<f64> =
            (0..dimension).map(|index| corners[..dimension].iter().map(|(_, corner)| corner[index]).sum::<f64>() / dimension as f64).collect();
        let along = |share: f64| -> Vec<f64> { centre.iter().zip(&corners[dimension].1).map(|(c, w)| c + share * (c - w)).collect() };
        let (reflected, worst) = (along(1.0), corners[dimension].0);
        let value = landscape.value(&reflected);
        if value < corners[0].0 {
            let expanded = along(2.0);
            let further = landscape.value(&expanded);
            corners[dimension] = if further < value { (further, expanded) } else { (value, reflected) };
        } else if value < corners[dimension - 1].0 {
            corners[dimension] = (value, reflected);
        } else {
            let contracted = along(if value < worst { 0.5 } else { -0.5 });
            let closer = landscape.value(&contracted);
            if closer < value.min(worst) {
                corners[dimension] = (closer, contracted);
            } else {
                let best = corners[0].1.clone();
                for corner in &mut corners[1..] {
                    corner.1 = corner.1.iter().zip(&best).map(|(x, b)| b + 0.5 * (x - b)).collect();
                    corner.0 = landscape.value(&corner.1);
                }
            }
        }
    }
}

/// The (1+1)-CMA evolution strategy with a Cholesky factor that is updated in place.
fn evolve(landscape: &mut Landscape<'_>, start: Vec<f64>, budget: u64, words: &mut Stream) {
    let n = start.len();
    let dimension = n as f64;
    let stop = landscape.evaluations + budget;
    let (target, damping, rate) = (2.0 / 11.0, 1.0 + dimension / 2.0, 1.0 / 12.0);
    let covariance = 2.0 / (dimension * dimension + 6.0);
    let mut factor: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let (mut sigma, mut success) = (0.2, target);
    let mut at = start;
    let mut value = landscape.value(&at);
    while landscape.evaluations < stop && sigma > 1e-14 {
        let z: Vec<f64> = (0..n).map(|_| sample::normal(words)).collect();
        let step: Vec<f64> = factor.iter().map(|row| row.iter().zip(&z).map(|(a, z)| a * z).sum()).collect();
        let next: Vec<f64> = at.iter().zip(&step).map(|(x, s)| x + sigma * s).collect();
        let found = landscape.value(&next);
        let better = found <= value;
        success = (1.0 - rate) * success + rate * f64::from(u8::from(better));
        sigma *= core_math::exp((success - target) / (damping * (1.0 - target)));
        if better {
            (at, value) = (next, found);
            if success < 0.44 {
                // A <- sqrt(1-c) A + (sqrt(1-c)/|z|^2) (sqrt(1 + c |z|^2/(1-c)) - 1) (A z) z'
                let norm: f64 = z.iter().map(|z| z * z).sum();
                let keep = (1.0 - covariance).sqrt();
                let gain = keep / norm * ((1.0 + covariance * norm / (1.0 - covariance)).sqrt() - 1.0);
                for (row, s) in factor.iter_mut().zip(&step) {
                    for (a, z) in row.iter_mut().zip(&z) {
                        *a = keep * *a + gain * s * z;
                    }
                }
            }
        }
    }
}

/// What the falsifier says of a claim.
#[derive(Clone, Debug)]
pub struct Falsified {
    /// The claim's id.
    pub claim: String,
    /// The part that was broken, or the one that came closest.
    pub part: String,
    /// `refuted`, or `undecided` when nothing broke within the budget.
    pub verdict: Verdict,
    /// The breaking instance, or the closest one.
    pub witness: Option<Witness>,
    /// Signed distance to equality at the witness, negative when broken: a decimal, rounded down; None where the statement is no comparison of numbers.
    pub margin: Option<String>,
    /// Smaller side / larger side at the witness, a decimal rounded down.
    pub tightness: Option<String>,
    /// Evaluations spent, over all parts.
    pub evaluations: u64,
}

/// Why a claim cannot be searched.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum FalsifyError {
    /// The budget is 0 or absurd.
    #[error("--budget: {given} evaluations are not between 1 and {MAX_BUDGET}")]
    Budget {
        /// What was asked for.
        given: u64,
    },
    /// No part has a family or a box.
    #[error("claim '{claim}' has no family to search: its parts are checked by {routes} only")]
    NoFamily {
        /// The claim.
        claim: String,
        /// Its routes.
        routes: String,
    },
}

/// The largest budget that may be asked for.
pub const MAX_BUDGET: u64 = 1_000_000_000_000;
/// Evaluations a part unless the user says otherwise.
pub const DEFAULT_BUDGET: u64 = 100_000;

/// One part's result, with a rank: refuted first, then by closeness.
struct Found {
    closeness: f64,
    falsified: Falsified,
}

/// The margin of a comparison, as the relation orders its sides.
fn margin(judgement: &Judgement) -> Option<QuadraticSurd> {
    let Judgement::Compared { lhs, relation, rhs } = judgement else { return None };
    let difference = match relation {
        Relation::Le | Relation::Lt => rhs.clone() - lhs.clone(),
        Relation::Ge | Relation::Gt => lhs.clone() - rhs.clone(),
        Relation::Eq => return None,
    };
    difference.is_defined().then_some(difference)
}

fn from_description(claim: &Claim, part: &str, description: &Description, token: String, evaluations: u64) -> Falsified {
    let fails = description.judgement.outcome() == Outcome::Fails;
    let decimal = |value: QuadraticSurd| value.to_decimal(witness::DIGITS, Rounding::Down);
    Falsified {
        claim: claim.id.to_owned(),
        part: part.to_owned(),
        verdict: if fails { Verdict::Refuted } else { Verdict::Undecided },
        witness: Some(witness::of(description, token)),
        margin: margin(&description.judgement).map(decimal),
        tightness: description.judgement.tightness().map(decimal),
        evaluations,
    }
}

/// Special instances in order, then the search; the closest of both.
fn falsify_exact(claim: &Claim, part: &str, check: &dyn ExactCheck, seed: u64, budget: u64, progress: &dyn Progress) -> Option<Found> {
    let mut out = Vec::new();
    let specials = check.special_len().min(usize::try_from(budget).unwrap_or(usize::MAX));
    check.evaluate(Batch::Special(0..specials), &mut out);
    let failing = out.iter().position(|evaluation| evaluation.outcome == Outcome::Fails);
    let spent = failing.map_or(out.len(), |index| index + 1) as u64;
    let closest = out.iter().enumerate().filter(|(_, e)| e.outcome == Outcome::Holds && !e.closeness.is_nan());
    let mut best = closest.map(|(index, e)| (e.closeness, Point::Special(index))).reduce(|a, b| if b.0 > a.0 { b } else { a });
    let mut failure = failing.map(Point::Special);
    let mut evaluations = spent;
    if failure.is_none() && budget > spent {
        let found = search(check, seed, budget - spent, (claim.id, part), progress);
        evaluations += found.evaluations;
        failure = found.failure;
        best = [best, found.best].into_iter().flatten().reduce(|a, b| if b.0 > a.0 { b } else { a });
    }
    let (closeness, point) = match failure {
        Some(point) => (f64::INFINITY, point),
        None => best.unwrap_or((f64::NEG_INFINITY, Point::Special(0))),
    };
    let description = check.describe(&point)?;
    let token = Token { claim: claim.id.into(), part: part.into(), family: check.family(), point }.to_string();
    Some(Found { closeness, falsified: from_description(claim, part, &description, token, evaluations) })
}

fn falsify_box(claim: &Claim, part: &str, check: &dyn CertifiedCheck, seed: u64, budget: u64, progress: &dyn Progress) -> Option<Found> {
    let found = search_box(check, seed, budget, (claim.id, part), progress);
    let (value, point) = found.best?;
    let refutation = certified::refute_at(check, &point);
    let verdict = if refutation.is_some() { Verdict::Refuted } else { Verdict::Undecided };
    let witness = refutation.unwrap_or_else(|| {
        let shown: Vec<String> = check.parameters().iter().zip(&point).map(|(parameter, x)| format!("{} = {x}", parameter.name)).collect();
        Witness { instance: shown.join(", "), values: Vec::new(), replay: None }
    });
    let falsified = Falsified {
        claim: claim.id.to_owned(),
        part: part.to_owned(),
        verdict,
        witness: Some(witness),
        margin: Some(witness::exact_decimal(value)),
        tightness: None,
        evaluations: found.evaluations,
    };
    Some(Found { closeness: if verdict == Verdict::Refuted { f64::INFINITY } else { -value }, falsified })
}

/// Searches every part of a claim that has a family or a box, each within the budget, and returns the one that was broken or came closest.
///
/// # Errors
/// [`FalsifyError`] for a budget out of range and for a claim without a family.
pub fn falsify(claim: &Claim, seed: u64, budget: u64, progress: &dyn Progress) -> Result<Falsified, FalsifyError> {
    if !(1..=MAX_BUDGET).contains(&budget) {
        return Err(FalsifyError::Budget { given: budget });
    }
    let parts = (claim.parts)();
    let mut evaluations = 0;
    let mut best: Option<Found> = None;
    for part in &parts {
        for check in &part.checks {
            let found = match check {
                Check::Exact(check) => falsify_exact(claim, part.name, check.as_ref(), seed, budget, progress),
                Check::Certified(check) => falsify_box(claim, part.name, check.as_ref(), seed, budget, progress),
                Check::Statistical(_) | Check::Rate(_) => None,
            };
            let Some(found) = found else { continue };
            evaluations += found.falsified.evaluations;
            if best.as_ref().is_none_or(|best| found.closeness > best.closeness) {
                best = Some(found);
            }
        }
    }
    let Some(mut best) = best.map(|found| found.falsified) else {
        let routes: std::collections::BTreeSet<&str> = parts.iter().flat_map(|part| &part.checks).map(|check| check.route().as_str()).collect();
        return Err(FalsifyError::NoFamily { claim: claim.id.to_owned(), routes: routes.into_iter().collect::<Vec<_>>().join(", ") });
    };
    best.evaluations = evaluations;
    Ok(best)
}
