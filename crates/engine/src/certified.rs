//! The certified route: branch and bound over boxes with outward-rounded intervals.
//!
//! A box is settled when an enclosure of the margin has the asserted sign: by natural evaluation, by the mean-value form at the midpoint, or on
//! the face to which the margin's gradient (when its signs are certain) moves the minimum. Equality corners are decided by the last of these:
//! at a point the arithmetic does not widen exact results. Where the width of double intervals does not decide at a point or on a box too small to be
//! split, the same formula is evaluated with more and more bits. A refutation is an exact point, simplified.

use crate::{Progress, witness};
use claim::{CertifiedCheck, Judgement, Relation, Sign, Verdict, Witness};
use numeric::{BigInterval, Dual, Field, Interval, Ordered, PRECISIONS, QuadraticSurd, Rational, Rounding, Truth, with_precision};
use rayon::prelude::*;

/// Values of the integer parameters that are searched side by side before their results are looked at, in order.
const WAVE: usize = 64;
/// Splits below which a box is not split again: 2^-100 of the first box is below what f64 ends can resolve.
const MAX_DEPTH: u32 = 100;

/// What the route found.
pub struct Finding {
    /// The verdict by this route alone.
    pub verdict: Verdict,
    /// Boxes visited.
    pub boxes: u64,
    /// Deepest split.
    pub depth: u32,
    /// Smallest certified lower bound of the margin over the settled boxes, and its box.
    pub worst_leaf: Option<(String, String)>,
    /// The exact refuting point; or the largest box left over.
    pub witness: Option<Witness>,
    /// The most bits that a decision needed; 53 where doubles were enough.
    pub precision: u32,
    /// A box on which the double and the high-precision layer contradict each other: one of them is wrong.
    pub disagreement: Option<String>,
}

/// A box with its depth.
type Node = (Vec<Interval>, u32);

/// The result for one value of the integer parameters.
struct Search {
    boxes: u64,
    depth: u32,
    /// (lower bound, box)
    worst: Option<(f64, Vec<Interval>)>,
    left_over: Option<Vec<Interval>>,
    refutation: Option<Witness>,
    met: bool,
    precision: u32,
    disagreement: Option<String>,
}

impl Default for Search {
    fn default() -> Search {
        Search { boxes: 0, depth: 0, worst: None, left_over: None, refutation: None, met: false, precision: 53, disagreement: None }
    }
}

/// Runs a check within a budget of boxes.
pub fn run(check: &dyn CertifiedCheck, budget: u64, progress: &dyn Progress) -> Finding {
    let Some(assignments) = enumerate_integers(check, budget) else {
        let text = "the integer parameters have more values than the budget has boxes".to_owned();
        let witness = Witness { instance: check.domain(), values: vec![("left_over".into(), text)], replay: None };
        return Finding {
            verdict: Verdict::Undecided,
            boxes: 0,
            depth: 0,
            worst_leaf: None,
            witness: Some(witness),
            precision: 53,
            disagreement: None,
        };
    };
    let share = (budget / assignments.len().max(1) as u64).max(1_000);
    let mut total = Search::default();
    for wave in assignments.chunks(WAVE) {
        if progress.cancelled() {
            total.left_over.get_or_insert_with(|| wave[0].clone());
            break;
        }
        let results: Vec<Search> = wave.par_iter().map(|root| search(check, root.clone(), share)).collect();
        for result in results {
            total.boxes += result.boxes;
            total.depth = total.depth.max(result.depth);
            total.met |= result.met;
            if let Some((low, leaf)) = result.worst
                && total.worst.as_ref().is_none_or(|(worst, _)| low < *worst)
            {
                total.worst = Some((low, leaf));
            }
            total.left_over = total.left_over.or(result.left_over);
            total.refutation = total.refutation.or(result.refutation);
            total.precision = total.precision.max(result.precision);
            total.disagreement = total.disagreement.or(result.disagreement);
        }
        if total.refutation.is_some() {
            break;
        }
    }
    conclude(check, total)
}

/// The first boxes: the real parameters' ranges, once for each value of the integer parameters. None beyond the budget.
fn enumerate_integers(check: &dyn CertifiedCheck, budget: u64) -> Option<Vec<Vec<Interval>>> {
    let mut roots: Vec<Vec<Interval>> = vec![Vec::new()];
    for parameter in check.parameters() {
        let choices: Vec<Interval> = if parameter.integer {
            let (low, high) = (parameter.low.to_i128()?, parameter.high.to_i128()?);
            let count = u64::try_from(high.checked_sub(low)?.checked_add(1)?.max(0)).ok()?;
            if count.saturating_mul(roots.len() as u64) > budget {
                return None;
            }
            (low..=high).map(|value| Interval::from_rational(&Rational::from_i128(value, 1))).collect()
        } else {
            vec![Interval::from_rational(&parameter.low).hull(&Interval::from_rational(&parameter.high))]
        };
        roots = roots.iter().flat_map(|root| choices.iter().map(move |choice| root.iter().copied().chain([*choice]).collect())).collect();
    }
    Some(roots)
}

fn search(check: &dyn CertifiedCheck, root: Vec<Interval>, budget: u64) -> Search {
    let mut found = Search::default();
    for corner in corners(&root) {
        if try_point(check, &corner, true, &mut found) {
            return found;
        }
    }
    let widths: Vec<f64> = root.iter().map(Interval::width).collect();
    let mut stack: Vec<Node> = vec![(root, 0)];
    while let Some((node, depth)) = stack.pop() {
        if found.boxes >= budget {
            found.left_over.get_or_insert(node);
            return found;
        }
        found.boxes += 1;
        found.depth = found.depth.max(depth);
        if excluded(check, &node) {
            continue;
        }
        let mid: Vec<Interval> = node.iter().map(|side| Interval::point(side.mid())).collect();
        // Both layers speak at the first box's middle, so that a contradiction between them is met in every run.
        if try_point(check, &mid, depth == 0, &mut found) {
            return found;
        }
        let (low, gradient) = lower_bound(check, &node, &mid);
        if let Some(low) = low {
            if found.worst.as_ref().is_none_or(|(worst, _)| low < *worst) {
                found.worst = Some((low, node));
            }
            continue;
        }
        match split(&node, &widths, gradient.as_deref()) {
            Some((first, second)) if depth < MAX_DEPTH => {
                stack.push((second, depth + 1));
                stack.push((first, depth + 1));
            }
            _ => match raise(check, &node, &mut found) {
                (Truth::True, Some(low)) => {
                    if found.worst.as_ref().is_none_or(|(worst, _)| low < *worst) {
                        found.worst = Some((low, node));
                    }
                }
                _ => {
                    // Too small to split and still open: the route cannot decide here.
                    found.left_over.get_or_insert(node);
                    return found;
                }
            },
        }
    }
    found
}

/// The margin's sign on a box by more and more bits, with a lower bound of it; stops at the first precision that decides.
fn raise(check: &dyn CertifiedCheck, node: &[Interval], found: &mut Search) -> (Truth, Option<f64>) {
    let sides: Vec<BigInterval> = node.iter().map(BigInterval::from_interval).collect();
    let coarse = check.margin(node);
    for bits in PRECISIONS {
        // These precisions are all allowed, so the error cannot occur.
        let Ok(fine) = with_precision(bits, || check.margin_big(&sides)) else { continue };
        if !coarse.is_empty() && !fine.is_empty() && fine.to_interval().intersect(&coarse).is_empty() {
            found.disagreement.get_or_insert_with(|| format!("at {}: doubles {coarse:?}, {bits} bits {fine:?}", show_box(check, node)));
            return (Truth::Unknown, None);
        }
        let truth = if fine.is_defined() { check.sign().decide(&fine) } else { Truth::Unknown };
        if truth != Truth::Unknown {
            found.precision = found.precision.max(bits);
            return (truth, Some(fine.to_interval().lo()));
        }
    }
    (Truth::Unknown, None)
}

/// Whether an assumption is certainly violated everywhere on the box.
fn excluded(check: &dyn CertifiedCheck, node: &[Interval]) -> bool {
    (0..check.conditions()).any(|index| {
        let value = check.condition(index, node);
        value.is_defined() && check.condition_sign(index).decide(&value).is_false()
    })
}

/// A certified lower bound of the margin with the asserted sign, or None; and the gradient's enclosure if it was computed.
fn lower_bound(check: &dyn CertifiedCheck, node: &[Interval], mid: &[Interval]) -> (Option<f64>, Option<Vec<Interval>>) {
    let settled = |value: &Interval| (value.is_defined() && check.sign().decide(value).is_true()).then(|| value.lo());
    let natural = check.margin(node);
    if let Some(low) = settled(&natural) {
        return (Some(low), None);
    }
    // Everything below needs the margin to be defined and differentiable on the whole box.
    if node.is_empty() || !natural.is_defined() {
        return (None, None);
    }
    let variables: Vec<Dual<Interval>> = node.iter().enumerate().map(|(index, side)| Dual::variable(*side, index, node.len())).collect();
    let dual = check.margin_dual(&variables);
    let mut gradient = dual.gradient().to_vec();
    gradient.resize(node.len(), Interval::zero());
    if !dual.value().is_defined()
        || gradient.iter().any(|slope| !slope.is_defined() || slope.lo() == f64::NEG_INFINITY || slope.hi() == f64::INFINITY)
    {
        return (None, None);
    }
    // Monotonicity: move each parameter with a certain slope to the end where the margin is least.
    let face: Vec<Interval> = node
        .iter()
        .zip(&gradient)
        .map(|(side, slope)| {
            if slope.lo() >= 0.0 {
                Interval::point(side.lo())
            } else if slope.hi() <= 0.0 {
                Interval::point(side.hi())
            } else {
                *side
            }
        })
        .collect();
    if let Some(low) = settled(&check.margin(&face)) {
        return (Some(low), Some(gradient));
    }
    // Mean value: f(x) is in f(m) + sum f'(X) (X - m).
    let centred = node.iter().zip(mid).zip(&gradient).fold(check.margin(mid), |sum, ((side, centre), slope)| sum + *slope * (*side - *centre));
    (settled(&centred), Some(gradient))
}

/// Halves the side that contributes most to the margin's width (by its slope), or the relatively widest one. None when no side can be halved.
fn split(node: &[Interval], widths: &[f64], gradient: Option<&[Interval]>) -> Option<(Vec<Interval>, Vec<Interval>)> {
    let splittable = |index: &usize| {
        let mid = node[*index].mid();
        node[*index].lo() < mid && mid < node[*index].hi()
    };
    let score = |index: usize| {
        let relative = node[index].width() / widths[index];
        // A side far wider than the others is split even if its slope is small, so that no box degenerates.
        gradient.map_or(relative, |slopes| slopes[index].mag() * node[index].width() + 1e-3 * relative)
    };
    let index = (0..node.len()).filter(splittable).reduce(|best, next| if score(next) > score(best) { next } else { best })?;
    let (low, high) = node[index].split();
    let half = |side: Interval| {
        let mut half = node.to_vec();
        half[index] = side;
        half
    };
    Some((half(low), half(high)))
}

/// The corners of a box, as points (none for boxes of more than ten sides, whose corners are too many).
fn corners(root: &[Interval]) -> Vec<Vec<Interval>> {
    if root.len() > 10 {
        return Vec::new();
    }
    let mut out: Vec<Vec<Interval>> = vec![Vec::new()];
    for side in root {
        let mut ends = vec![side.lo()];
        if side.hi() != side.lo() {
            ends.push(side.hi());
        }
        out = out.iter().flat_map(|corner| ends.iter().map(move |end| corner.iter().copied().chain([Interval::point(*end)]).collect())).collect();
    }
    out
}

/// Looks for a refutation at a point: exact if the formula allows, else by enclosures at that point; with `raised`, by high precision where doubles do
/// not decide. Notes whether the assumptions can be met.
fn try_point(check: &dyn CertifiedCheck, point: &[Interval], raised: bool, found: &mut Search) -> bool {
    let meets = (0..check.conditions()).all(|index| {
        let value = check.condition(index, point);
        value.is_defined() && check.condition_sign(index).decide(&value).is_true()
    });
    if !meets {
        return false;
    }
    found.met = true;
    let value = check.margin(point);
    let before = found.precision;
    let mut truth = if value.is_defined() { check.sign().decide(&value) } else { Truth::Unknown };
    if raised {
        let fine = raise(check, point, found).0;
        if truth == Truth::Unknown {
            truth = fine;
        } else {
            // Doubles had decided: the second evaluation was for the comparison only.
            found.precision = before;
        }
    }
    if truth != Truth::False {
        return false;
    }
    let exact: Option<Vec<Rational>> = point.iter().map(|side| Rational::from_f64(side.lo())).collect();
    let Some(exact) = exact else { return false };
    if let Some(witness) = simplified(check, &exact) {
        found.refutation = Some(witness);
        return true;
    }
    // Not algebraic: the point is a dyadic rational, and the enclosure at it is below the sign asserted.
    if inside(check, &exact) {
        let shown = enclosure(check, &exact).unwrap_or_else(|| format!("[{:e}, {:e}]", value.lo(), value.hi()));
        let values = vec![("margin".into(), shown), ("asserted".into(), format!("margin {}", check.sign().as_str()))];
        found.refutation = Some(Witness { instance: show_point(check, &exact), values, replay: None });
        return true;
    }
    false
}

/// The margin at an exact point to 128 bits, as digits that are all right.
fn enclosure(check: &dyn CertifiedCheck, point: &[Rational]) -> Option<String> {
    let value = with_precision(PRECISIONS[0], || {
        let sides: Vec<BigInterval> = point.iter().map(BigInterval::from_rational).collect();
        check.margin_big(&sides)
    })
    .ok()?;
    value.is_bounded().then(|| value.to_decimal(witness::DIGITS))
}

/// The refutation at a point given in doubles, simplified, if it is one.
pub fn refute_at(check: &dyn CertifiedCheck, point: &[f64]) -> Option<Witness> {
    let sides: Vec<Interval> = point.iter().map(|&x| Interval::point(x)).collect();
    let mut found = Search::default();
    try_point(check, &sides, true, &mut found);
    found.refutation
}

/// Whether an exact point lies in the box of the parameters (the f64 box may reach past an end that is not dyadic).
fn inside(check: &dyn CertifiedCheck, point: &[Rational]) -> bool {
    check.parameters().iter().zip(point).all(|(parameter, value)| parameter.low <= *value && *value <= parameter.high)
}

/// The simplest nearby exact point that still refutes: denominators 1, 2, .., then powers of ten, then the point itself.
fn simplified(check: &dyn CertifiedCheck, point: &[Rational]) -> Option<Witness> {
    let candidates = (1..=60).chain([100, 1_000, 10_000, 100_000, 1_000_000]).map(|denominator| {
        point
            .iter()
            .map(|value| {
                let scaled = value.clone() * Rational::from(denominator) + Rational::new(1, 2);
                scaled.floor() / Rational::from(denominator)
            })
            .collect::<Vec<Rational>>()
    });
    candidates.chain([point.to_vec()]).find_map(|candidate| refutes(check, &candidate))
}

fn refutes(check: &dyn CertifiedCheck, point: &[Rational]) -> Option<Witness> {
    if !inside(check, point) {
        return None;
    }
    let surds: Vec<QuadraticSurd> = point.iter().cloned().map(QuadraticSurd::from).collect();
    for index in 0..check.conditions() {
        if !check.condition_sign(index).decide(&check.condition_exact(index, &surds)?).is_true() {
            return None;
        }
    }
    let margin = check.margin_exact(&surds)?;
    if !check.sign().decide(&margin).is_false() {
        return None;
    }
    let relation = match check.sign() {
        Sign::NonNegative => Relation::Ge,
        Sign::Positive => Relation::Gt,
    };
    let values = witness::values(&Judgement::compare(margin, relation, QuadraticSurd::zero()));
    Some(Witness { instance: show_point(check, point), values, replay: None })
}

fn show_point(check: &dyn CertifiedCheck, point: &[Rational]) -> String {
    let sides: Vec<String> = check.parameters().iter().zip(point).map(|(parameter, value)| format!("{} = {value}", parameter.name)).collect();
    sides.join(", ")
}

fn show_box(check: &dyn CertifiedCheck, node: &[Interval]) -> String {
    let sides: Vec<String> =
        check.parameters().iter().zip(node).map(|(parameter, side)| format!("{} in [{:e}, {:e}]", parameter.name, side.lo(), side.hi())).collect();
    sides.join(", ")
}

fn conclude(check: &dyn CertifiedCheck, total: Search) -> Finding {
    let worst_leaf = total.worst.as_ref().map(|(low, leaf)| {
        let exact = Rational::from_f64(*low).map_or_else(|| "-inf".to_owned(), |low| low.to_decimal(witness::DIGITS, Rounding::Down));
        (exact, show_box(check, leaf))
    });
    let (verdict, witness) = if let Some(witness) = total.refutation {
        (Verdict::Refuted, Some(witness))
    } else if let Some(node) = &total.left_over {
        let value = check.margin(node);
        let values =
            vec![("margin".into(), format!("[{:e}, {:e}]", value.lo(), value.hi())), ("left_over".into(), "the first box that stayed open".into())];
        (Verdict::Undecided, Some(Witness { instance: show_box(check, node), values, replay: None }))
    } else if !total.met {
        // Every box was excluded, or no point was found that satisfies the assumptions.
        (if total.worst.is_none() { Verdict::Vacuous } else { Verdict::Undecided }, None)
    } else if check.covers_domain() {
        (Verdict::Proved, None)
    } else {
        (Verdict::Holds, None)
    };
    Finding { verdict, boxes: total.boxes, depth: total.depth, worst_leaf, witness, precision: total.precision, disagreement: total.disagreement }
}
