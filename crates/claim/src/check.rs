//! Checks: one part of a claim by one route, erased so that the engine is compiled once.

use crate::{Family, Instance, Tape};
use numeric::{BigInterval, Dual, Field, Interval, Ordered, QuadraticSurd, Rational, Real, Truth};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

/// The relation a statement asserts between its two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// lhs <= rhs
    Le,
    /// lhs < rhs
    Lt,
    /// lhs >= rhs
    Ge,
    /// lhs > rhs
    Gt,
    /// lhs = rhs
    Eq,
}

impl Relation {
    /// The relation's sign.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Relation::Le => "<=",
            Relation::Lt => "<",
            Relation::Ge => ">=",
            Relation::Gt => ">",
            Relation::Eq => "=",
        }
    }

    /// Whether the two sides stand in this relation.
    pub fn decide<S: Ordered>(self, lhs: &S, rhs: &S) -> Truth {
        match self {
            Relation::Le => lhs.le(rhs),
            Relation::Lt => lhs.lt(rhs),
            Relation::Ge => rhs.le(lhs),
            Relation::Gt => rhs.lt(lhs),
            Relation::Eq => lhs.equals(rhs),
        }
    }
}

/// How one instance fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The instance does not satisfy the assumptions: it counts for nothing.
    Unmet,
    /// The statement is true there.
    Holds,
    /// The statement is false there: a witness.
    Fails,
    /// The arithmetic could not tell (an undefined value, a radical out of reach).
    Undecided,
}

impl From<Truth> for Outcome {
    fn from(truth: Truth) -> Outcome {
        match truth {
            Truth::True => Outcome::Holds,
            Truth::False => Outcome::Fails,
            Truth::Unknown => Outcome::Undecided,
        }
    }
}

/// What a paper's check says of one instance, exactly.
#[derive(Clone, Debug)]
pub enum Judgement {
    /// An assumption is not satisfied.
    Unmet,
    /// Two sides and the relation asserted between them.
    Compared {
        /// Left side.
        lhs: QuadraticSurd,
        /// What is asserted.
        relation: Relation,
        /// Right side.
        rhs: QuadraticSurd,
    },
    /// A property that is not a comparison of two numbers; `detail` says what was found (shown with a witness).
    Property {
        /// Whether it is true.
        holds: bool,
        /// What was found.
        detail: String,
    },
    /// A comparison of two enclosed sides that was decided; `detail` shows them.
    Enclosed {
        /// Whether it is true.
        holds: bool,
        /// Both sides.
        detail: String,
        /// smaller side / larger side as the relation orders them, in doubles: a hint for a search, no more.
        ratio: f64,
    },
}

impl Judgement {
    /// `lhs relation rhs`, from anything exact.
    pub fn compare(lhs: impl Into<QuadraticSurd>, relation: Relation, rhs: impl Into<QuadraticSurd>) -> Judgement {
        Judgement::Compared { lhs: lhs.into(), relation, rhs: rhs.into() }
    }

    /// The outcome.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Judgement::Unmet => Outcome::Unmet,
            Judgement::Compared { lhs, relation, rhs } => relation.decide(lhs, rhs).into(),
            Judgement::Property { holds, .. } | Judgement::Enclosed { holds, .. } => Truth::from(*holds).into(),
        }
    }

    /// How close the statement is to breaking, for a search: 1 at equality, above 1 when broken; NaN where there is no measure. The ratio of the sides where
    /// both are positive, else 1 plus their difference over their sizes.
    #[must_use]
    pub fn closeness(&self) -> f64 {
        let (lhs, relation, rhs) = match self {
            Judgement::Compared { lhs, relation, rhs } => (lhs, relation, rhs),
            Judgement::Enclosed { ratio, .. } => return *ratio,
            _ => return f64::NAN,
        };
        let (small, large) = match relation {
            Relation::Le | Relation::Lt => (lhs, rhs),
            Relation::Ge | Relation::Gt => (rhs, lhs),
            Relation::Eq => return f64::NAN,
        };
        let (small, large) = (small.enclose_f64().0, large.enclose_f64().1);
        if small >= 0.0 && large > 0.0 { small / large } else { 1.0 + (small - large) / (small.abs() + large.abs()) }
    }

    /// smaller side / larger side as the relation orders them: 1 means tight, above 1 means broken. None where the ratio says nothing.
    ///
    /// For an equation there is no tightness.
    #[must_use]
    pub fn tightness(&self) -> Option<QuadraticSurd> {
        let Judgement::Compared { lhs, relation, rhs } = self else { return None };
        let (small, large) = match relation {
            Relation::Le | Relation::Lt => (lhs, rhs),
            Relation::Ge | Relation::Gt => (rhs, lhs),
            Relation::Eq => return None,
        };
        let zero = QuadraticSurd::zero();
        if zero.lt(large).is_true() && zero.le(small).is_true() {
            let ratio = small.clone() / large.clone();
            return ratio.is_defined().then_some(ratio);
        }
        None
    }
}

/// Where an instance stands: the i-th special one, or the one drawn from these words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Point {
    /// Index into the special instances.
    Special(usize),
    /// The words of the tape.
    Tape(Vec<u64>),
}

/// A batch of points to evaluate.
#[derive(Clone, Debug)]
pub enum Batch<'a> {
    /// A range of special instances.
    Special(std::ops::Range<usize>),
    /// Tapes of `stride` words each, one after the other.
    Tapes {
        /// All words.
        words: &'a [u64],
        /// Words an instance.
        stride: usize,
        /// Judge every tape by the generic formula, with its closeness: for a search.
        generic: bool,
    },
}

/// The short answer for one point of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// How it fared.
    pub outcome: Outcome,
    /// A lower estimate of the tightness, NaN where there is none. A hint for ranking only: the winner is described exactly.
    pub tightness: f64,
    /// [`Judgement::closeness`], NaN where a machine-integer form answered.
    pub closeness: f64,
    /// Tells distinct instances apart.
    pub fingerprint: u64,
}

/// The long answer for one point.
#[derive(Clone, Debug)]
pub struct Description {
    /// The instance, exactly.
    pub instance: String,
    /// The judgement, with both sides.
    pub judgement: Judgement,
}

/// One tape in so many is judged by the generic formula even where there is a machine-integer form, so that a form which wrongly says "holds" meets it in
/// every run.
const GENERIC_SHARE: usize = 64;

/// How much of the claim's domain a family covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Random instances after the special ones: at most `holds`.
    Sampled,
    /// The special instances are a whole finite family, but not the claim's whole domain: `holds`.
    FiniteFamily,
    /// The special instances are the claim's whole domain: `proved`.
    WholeDomain,
}

/// One part by the exact route. Implemented by [`ExactPart`]; the engine sees this trait only.
pub trait ExactCheck: Send + Sync {
    /// The family's name.
    fn family(&self) -> String;
    /// The family's domain, in words.
    fn domain(&self) -> String;
    /// What passing every instance means.
    fn coverage(&self) -> Coverage;
    /// How many special instances there are.
    fn special_len(&self) -> usize;
    /// Words a tape.
    fn tape_len(&self) -> usize;
    /// Evaluates a batch, one answer a point, in order.
    fn evaluate(&self, batch: Batch<'_>, out: &mut Vec<Evaluation>);
    /// Evaluates one point in full by the generic formula; None if the special index is out of range.
    fn describe(&self, point: &Point) -> Option<Description>;
}

type Judge<I> = Arc<dyn Fn(&I) -> Judgement + Send + Sync>;
type FastJudge<I> = fn(&I) -> Option<Outcome>;

/// A family and the judgement of its instances.
pub struct ExactPart<F: Family> {
    family: F,
    special: Vec<F::Instance>,
    judge: Judge<F::Instance>,
    fast: Option<FastJudge<F::Instance>>,
    coverage: Coverage,
}

impl<F: Family> ExactPart<F> {
    /// Judges every instance of the family by `judge`.
    pub fn new(family: F, judge: impl Fn(&F::Instance) -> Judgement + Send + Sync + 'static) -> Self {
        let special = family.special();
        ExactPart { family, special, judge: Arc::new(judge), fast: None, coverage: Coverage::Sampled }
    }

    /// A machine-integer form that answers for most instances (None: fall back to the generic form).
    ///
    /// Only beside a test that its answer equals the generic one on 100,000 instances, equality cases among them.
    #[must_use]
    pub fn with_fast(mut self, fast: FastJudge<F::Instance>) -> Self {
        self.fast = Some(fast);
        self
    }

    /// States that the special instances are all there is to check.
    #[must_use]
    pub fn covering(mut self, coverage: Coverage) -> Self {
        self.coverage = coverage;
        self
    }

    /// The check, erased.
    #[must_use]
    pub fn erase(self) -> Check {
        Check::Exact(Box::new(self))
    }

    /// `quick` allows the machine-integer form; special instances are always judged by the generic one.
    fn evaluate_one(&self, instance: &F::Instance, quick: bool) -> Evaluation {
        // std's SipHash with its fixed default keys: the same fingerprint on every machine.
        let fingerprint = BuildHasherDefault::<DefaultHasher>::default().hash_one(instance);
        if let Some(outcome) = self.fast.filter(|_| quick).and_then(|fast| fast(instance)) {
            return Evaluation { outcome, tightness: f64::NAN, closeness: f64::NAN, fingerprint };
        }
        let judgement = (self.judge)(instance);
        let tightness = judgement.tightness().map_or(f64::NAN, |ratio| ratio.enclose_f64().0);
        Evaluation { outcome: judgement.outcome(), tightness, closeness: judgement.closeness(), fingerprint }
    }
}

impl<F: Family> ExactCheck for ExactPart<F> {
    fn family(&self) -> String {
        self.family.id()
    }

    fn domain(&self) -> String {
        self.family.domain()
    }

    fn coverage(&self) -> Coverage {
        self.coverage.clone()
    }

    fn special_len(&self) -> usize {
        self.special.len()
    }

    fn tape_len(&self) -> usize {
        self.family.tape_len()
    }

    fn evaluate(&self, batch: Batch<'_>, out: &mut Vec<Evaluation>) {
        match batch {
            Batch::Special(range) => {
                let range = range.start.min(self.special.len())..range.end.min(self.special.len());
                out.extend(self.special[range].iter().map(|instance| self.evaluate_one(instance, false)));
            }
            Batch::Tapes { words, stride, generic } => {
                let tapes = words.chunks_exact(stride.max(1)).enumerate();
                out.extend(
                    tapes.map(|(index, tape)| self.evaluate_one(&self.family.draw(&mut Tape::new(tape)), !generic && index % GENERIC_SHARE != 0)),
                );
            }
        }
    }

    fn describe(&self, point: &Point) -> Option<Description> {
        let instance = match point {
            Point::Special(index) => self.special.get(*index)?.clone(),
            Point::Tape(words) => self.family.draw(&mut Tape::new(words)),
        };
        Some(Description { judgement: (self.judge)(&instance), instance: instance.show() })
    }
}

/// A parameter of a certified part: a closed interval with rational ends, real or integer.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name, as in the statement.
    pub name: &'static str,
    /// Lower end, included.
    pub low: Rational,
    /// Upper end, included.
    pub high: Rational,
    /// Integers are enumerated, not split.
    pub integer: bool,
}

impl Parameter {
    /// A real parameter on `[low, high]`.
    #[must_use]
    pub fn real(name: &'static str, low: Rational, high: Rational) -> Parameter {
        Parameter { name, low, high, integer: false }
    }

    /// An integer parameter in `low..=high`.
    #[must_use]
    pub fn integer(name: &'static str, low: i64, high: i64) -> Parameter {
        Parameter { name, low: Rational::from(low), high: Rational::from(high), integer: true }
    }
}

/// What is asserted of the margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// margin >= 0
    NonNegative,
    /// margin > 0
    Positive,
}

impl Sign {
    /// Whether a value has the sign.
    pub fn decide<S: Ordered>(self, value: &S) -> Truth {
        match self {
            Sign::NonNegative => S::zero().le(value),
            Sign::Positive => S::zero().lt(value),
        }
    }

    /// The sign's text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Sign::NonNegative => ">= 0",
            Sign::Positive => "> 0",
        }
    }
}

/// A formula over the reals, written once: the margin (or a condition) of a certified part.
pub trait Formula: Send + Sync + 'static {
    /// The value at `x`, one entry a parameter.
    fn eval<S: Real>(&self, x: &[S]) -> S;

    /// The exact value at a rational point, where the formula is algebraic enough; None where it is not.
    ///
    /// A refutation needs it: a witness is an exact point, not a box. Papers whose formula is generic over [`Field`] return it by calling the same function.
    fn eval_exact(&self, x: &[QuadraticSurd]) -> Option<QuadraticSurd>;
}

/// One part by the certified route: conditions and a margin over a box. Implemented by [`CertifiedPart`].
pub trait CertifiedCheck: Send + Sync {
    /// The parameters, in the order of the evaluations' arguments.
    fn parameters(&self) -> &[Parameter];
    /// The domain, in words, as the claim has it.
    fn domain(&self) -> String;
    /// Whether the boxes are the claim's whole domain (then a full cover is `proved`, otherwise `holds`).
    fn covers_domain(&self) -> bool;
    /// What is asserted of the margin.
    fn sign(&self) -> Sign;
    /// How many assumptions restrict the box; each is `condition >= 0` or `> 0`.
    fn conditions(&self) -> usize;
    /// The sign of an assumption.
    fn condition_sign(&self, index: usize) -> Sign;
    /// An enclosure of an assumption over a box.
    fn condition(&self, index: usize, x: &[Interval]) -> Interval;
    /// The assumption at an exact point.
    fn condition_exact(&self, index: usize, x: &[QuadraticSurd]) -> Option<QuadraticSurd>;
    /// An enclosure of the margin over a box.
    fn margin(&self, x: &[Interval]) -> Interval;
    /// An enclosure of the margin and its gradient over a box.
    fn margin_dual(&self, x: &[Dual<Interval>]) -> Dual<Interval>;
    /// An assumption over a box at the thread's working precision.
    fn condition_big(&self, index: usize, x: &[BigInterval]) -> BigInterval;
    /// The margin over a box at the thread's working precision.
    fn margin_big(&self, x: &[BigInterval]) -> BigInterval;
    /// The margin at an exact point.
    fn margin_exact(&self, x: &[QuadraticSurd]) -> Option<QuadraticSurd>;
}

/// Object-safe face of a [`Formula`].
trait AnyFormula: Send + Sync {
    fn interval(&self, x: &[Interval]) -> Interval;
    fn dual(&self, x: &[Dual<Interval>]) -> Dual<Interval>;
    fn big(&self, x: &[BigInterval]) -> BigInterval;
    fn exact(&self, x: &[QuadraticSurd]) -> Option<QuadraticSurd>;
}

impl<T: Formula> AnyFormula for T {
    fn interval(&self, x: &[Interval]) -> Interval {
        self.eval(x)
    }

    fn dual(&self, x: &[Dual<Interval>]) -> Dual<Interval> {
        self.eval(x)
    }

    fn big(&self, x: &[BigInterval]) -> BigInterval {
        self.eval(x)
    }

    fn exact(&self, x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
        self.eval_exact(x)
    }
}

/// A margin, its sign, its box and its assumptions.
pub struct CertifiedPart {
    parameters: Vec<Parameter>,
    domain: String,
    covers_domain: bool,
    sign: Sign,
    margin: Box<dyn AnyFormula>,
    conditions: Vec<(Sign, Box<dyn AnyFormula>)>,
}

impl CertifiedPart {
    /// `margin sign` for all parameters in the box, which is described by `domain` and is the claim's whole domain unless [`Self::on_a_part`] says otherwise.
    pub fn new(parameters: Vec<Parameter>, domain: impl Into<String>, margin: impl Formula, sign: Sign) -> Self {
        CertifiedPart { parameters, domain: domain.into(), covers_domain: true, sign, margin: Box::new(margin), conditions: Vec::new() }
    }

    /// Adds an assumption.
    #[must_use]
    pub fn assuming(mut self, condition: impl Formula, sign: Sign) -> Self {
        self.conditions.push((sign, Box::new(condition)));
        self
    }

    /// States that the boxes are only a part of the claim's domain: at most `holds`.
    #[must_use]
    pub fn on_a_part(mut self) -> Self {
        self.covers_domain = false;
        self
    }

    /// The check, erased.
    #[must_use]
    pub fn erase(self) -> Check {
        Check::Certified(Box::new(self))
    }
}

impl CertifiedCheck for CertifiedPart {
    fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    fn domain(&self) -> String {
        self.domain.clone()
    }

    fn covers_domain(&self) -> bool {
        self.covers_domain
    }

    fn sign(&self) -> Sign {
        self.sign
    }

    fn conditions(&self) -> usize {
        self.conditions.len()
    }

    fn condition_sign(&self, index: usize) -> Sign {
        self.conditions[index].0
    }

    fn condition(&self, index: usize, x: &[Interval]) -> Interval {
        self.conditions[index].1.interval(x)
    }

    fn condition_exact(&self, index: usize, x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
        self.conditions[index].1.exact(x)
    }

    fn margin(&self, x: &[Interval]) -> Interval {
        self.margin.interval(x)
    }

    fn margin_dual(&self, x: &[Dual<Interval>]) -> Dual<Interval> {
        self.margin.dual(x)
    }

    fn condition_big(&self, index: usize, x: &[BigInterval]) -> BigInterval {
        self.conditions[index].1.big(x)
    }

    fn margin_big(&self, x: &[BigInterval]) -> BigInterval {
        self.margin.big(x)
    }

    fn margin_exact(&self, x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
        self.margin.exact(x)
    }
}

/// A check by its route.
pub enum Check {
    /// By exact arithmetic on instances.
    Exact(Box<dyn ExactCheck>),
    /// By intervals over boxes.
    Certified(Box<dyn CertifiedCheck>),
    /// By anytime-valid tests of expectations.
    Statistical(crate::StatisticalPart),
    /// By the slope of means over sizes.
    Rate(crate::RatePart),
}

impl Check {
    /// Its route.
    #[must_use]
    pub fn route(&self) -> crate::Route {
        match self {
            Check::Exact(_) => crate::Route::Exact,
            Check::Certified(_) => crate::Route::Certified,
            Check::Statistical(_) => crate::Route::Statistical,
            Check::Rate(_) => crate::Route::Rate,
        }
    }

    /// The domain, in words.
    #[must_use]
    pub fn domain(&self) -> String {
        match self {
            Check::Exact(check) => check.domain(),
            Check::Certified(check) => check.domain(),
            Check::Statistical(part) => part.domain.clone(),
            Check::Rate(part) => part.domain.clone(),
        }
    }
}
