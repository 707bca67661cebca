//! Group A and C: what holds along every run, whatever the gradients.

use super::algorithm::scalar_step;
use super::bounds::pathwise_bound;
use super::instances::{Sequence, Sequences, Trajectories, Trajectory};
use super::shared::{Sides, compare_enclosed, mutant, n, part, q};
use claim::{Check, Claim, ExactPart, Family, Instance, Judgement, Mutant, Part, Provenance, Relation, Tape, Verdict};
use numeric::{Field, Ordered, Rational, Real};

pub(super) fn all() -> Vec<Claim> {
    vec![step_bound(), scale_free(), norm_pathwise(), sgd_contrast()]
}

/// sum g_t^2/(lambda + sqrt(v_t))^2 against factor ln(1 + v_T/lambda^2).
struct StepSum<'a> {
    sequence: &'a Sequence,
    factor: &'a Rational,
}

impl Sides for StepSum<'_> {
    fn sides<S: Real>(&self) -> (S, S) {
        let offset = S::from_i64(self.sequence.offset);
        let lambda = offset.sqrt();
        let mut total = 0_i64;
        let sum = self.sequence.terms.iter().fold(S::zero(), |sum, &term| {
            total += term;
            sum + S::from_i64(term) / (lambda.clone() + S::from_i64(total).sqrt()).square()
        });
        (sum, S::from_rational(self.factor) * (S::from_i64(total) / offset).ln_1p())
    }
}

fn step_bound() -> Claim {
    fn steps(factor: Rational) -> Check {
        ExactPart::new(Trajectories, move |run: &Trajectory| {
            let x = run.iterates();
            let longest = x.windows(2).map(|pair| (pair[1].clone() - pair[0].clone()).abs()).fold(n(0), |a, b| Ordered::max(&a, &b));
            Judgement::compare(longest, Relation::Le, factor.clone() * run.step_size())
        })
        .erase()
    }
    fn squares(factor: Rational) -> Check {
        ExactPart::new(Sequences, move |sequence: &Sequence| compare_enclosed(Relation::Lt, &StepSum { sequence, factor: &factor })).erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part("step", "|x_(t+1) - x_t| <= gamma", steps(n(1))),
            part("squares", "sum r_t^2 <= ln(1 + v_T/lambda^2), g_t^2 integers, lambda^2 an integer", squares(n(1))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("step-0.99", "the step is at most 0.99 gamma", steps(q(99, 100))),
            mutant("half-log", "half of the logarithm is enough", squares(q(1, 2))),
        ]
    }
    Claim {
        id: "adagrad/step-bound",
        statement: "AdaGrad, each coordinate: |x_(t+1) - x_t| <= gamma always, and with r_t = |g_t|/(lambda + sqrt(v_t)): sum r_t^2 <= ln(1 + v_T/lambda^2)",
        assumptions: &["gamma > 0", "lambda >= 0; lambda > 0 for the second part"],
        provenance: Provenance::Derived,
        source: "the update rule",
        declared: Verdict::Holds,
        argument: "|g_t| <= sqrt(v_t) <= lambda + sqrt(v_t); and (lambda + sqrt v)^2 >= lambda^2 + v, so that adagrad/sum-log applies. Equality in the first at lambda = 0 and the first gradient that is not 0.",
        gap: None,
        finding: None,
        see: &["adagrad/sum-log"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn scale_free() -> Claim {
    fn check(with_offset: bool) -> Check {
        ExactPart::new(Trajectories, move |run: &Trajectory| {
            let mut run = run.clone();
            if !with_offset {
                run.lambda = 0;
            }
            let factors = [n(2), q(3, 7), n(1_000)];
            let same = |factor: &Rational| run.iterates() == run.iterates_with(factor);
            let changed = factors.iter().find(|factor| !same(factor));
            Judgement::Property {
                holds: changed.is_none(),
                detail: changed.map_or_else(String::new, |factor| format!("kappa = {factor} moves an iterate")),
            }
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![part("iterates", "lambda = 0: the iterates for kappa g_t, kappa in {2, 3/7, 1000}, are those for g_t", check(false))]
    }
    fn mutants() -> Vec<Mutant> {
        vec![mutant("any-lambda", "the assumption lambda = 0 dropped", check(true))]
    }
    Claim {
        id: "adagrad/scale-free",
        statement: "lambda = 0: replacing every g_t by kappa g_t, kappa > 0, leaves all iterates unchanged as long as the gradients are not computed anew",
        assumptions: &["lambda = 0", "kappa > 0"],
        provenance: Provenance::Derived,
        source: "the update rule",
        declared: Verdict::Holds,
        argument: "g_t/sqrt(v_t) is homogeneous of degree 0 in the gradients.",
        gap: None,
        finding: None,
        see: &[],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// A run on f(x) = x^2/2.
#[derive(Clone, Hash)]
enum Path {
    /// Exact rational steps.
    Exact(Trajectory),
    /// The nearly tight one: lambda = gamma = 1, x_1 = s/2, |g_t| = s (lambda + sqrt(v_t)) with the sign of x_t, so that x_(t+1) = -x_t; s = 1/k.
    Tight { k: i64, steps: i64 },
    /// lambda = 0, gamma = 1, x_1 = 0: kicks g = -10^-6, then the true gradient once.
    Kicked { kicks: i64 },
}

impl Instance for Path {
    fn show(&self) -> String {
        match self {
            Path::Exact(run) => run.show(),
            Path::Tight { k, steps } => {
                format!("x_1 = 1/{}, gamma = lambda = 1, |g_t| = (lambda + sqrt(v_t))/{k} with the sign of x_t, T = {steps}", 2 * k)
            }
            Path::Kicked { kicks } => format!("x_1 = 0, gamma = 1, lambda = 0, {kicks} times g = -1/1000000, then g = x_t"),
        }
    }
}

struct Paths;

impl Family for Paths {
    type Instance = Path;

    fn id(&self) -> String {
        "paths".into()
    }

    fn domain(&self) -> String {
        "AdaGrad-Norm on x^2/2 in one dimension, any gradients: exact rational runs, and two families with long runs".into()
    }

    fn special(&self) -> Vec<Path> {
        let mut special = vec![
            Path::Tight { k: 2, steps: 40 },
            Path::Tight { k: 5, steps: 200 },
            Path::Tight { k: 10, steps: 800 },
            Path::Tight { k: 40, steps: 30_000 },
            Path::Kicked { kicks: 1 },
            Path::Kicked { kicks: 10 },
        ];
        special.extend(Trajectories.special().into_iter().map(Path::Exact));
        special
    }

    fn tape_len(&self) -> usize {
        Trajectories.tape_len()
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Path {
        Path::Exact(Trajectories.draw(tape))
    }
}

/// What the right side takes for M, and the factor at gamma L.
#[derive(Clone)]
struct Reading {
    first_gap_only: bool,
    curvature: Rational,
}

impl Reading {
    fn truth() -> Reading {
        Reading { first_gap_only: false, curvature: n(1) }
    }
}

/// The sum of <grad f(x_t), g_t> and the right side, on x^2/2.
fn sides_of<S: Real>(x1: S, gamma: &S, lambda: &S, steps: usize, reading: &Reading, gradient: impl Fn(usize, &S, &S) -> S) -> (S, S) {
    let two = S::from_i64(2);
    let (mut x, mut root) = (x1, S::zero());
    let mut gap = x.square() / two.clone();
    let mut sum = S::zero();
    for t in 0..steps {
        if !reading.first_gap_only {
            gap = gap.max(&(x.square() / two.clone()));
        }
        let g = gradient(t, &x, &root);
        sum = sum + x.clone() * g.clone();
        (x, root) = scalar_step(&x, &root, &g, gamma, lambda);
    }
    let smoothness = S::from_rational(&reading.curvature);
    (sum, pathwise_bound(&gap, gamma, &smoothness, lambda, &root))
}

struct LongPath<'a> {
    path: &'a Path,
    reading: &'a Reading,
}

impl Sides for LongPath<'_> {
    fn sides<S: Real>(&self) -> (S, S) {
        match self.path {
            Path::Tight { k, steps } => {
                let s = S::ratio(1, *k);
                // g = s (1 + sqrt(v + g^2)) solved for g: (1/s^2 - 1) g^2 - (2/s) g + 1 - v = 0.
                let positive = |_: usize, _: &S, root: &S| {
                    let a = S::one() / s.square() - S::one();
                    let b = S::one() / s.clone();
                    (b.clone() + (b.square() - a.clone() * (S::one() - root.square())).sqrt()) / a
                };
                // By symmetry the run with alternating signs has the same sums as one that stays at x = s/2 (each step of size s flips it).
                let (mut root, mut sum) = (S::zero(), S::zero());
                let x = s.clone() / S::from_i64(2);
                for t in 0..*steps as usize {
                    let g = positive(t, &x, &root);
                    sum = sum + x.clone() * g.clone();
                    root = (root.square() + g.square()).sqrt();
                }
                let gap = x.square() / S::from_i64(2);
                (sum, pathwise_bound(&gap, &S::one(), &S::from_rational(&self.reading.curvature), &S::one(), &root))
            }
            Path::Kicked { kicks } => {
                let kick = |t: usize, x: &S, _: &S| if t < *kicks as usize { S::ratio(-1, 1_000_000) } else { x.clone() };
                sides_of(S::zero(), &S::one(), &S::zero(), *kicks as usize + 1, self.reading, kick)
            }
            Path::Exact(_) => (S::zero(), S::zero()),
        }
    }
}

/// The exact run: its roots are rational by construction.
fn judge(path: &Path, reading: &Reading) -> Judgement {
    let Path::Exact(run) = path else { return compare_enclosed(Relation::Le, &LongPath { path, reading }) };
    let (x, steps) = (run.iterates(), run.steps());
    let gaps: Vec<Rational> = x[..steps.len()].iter().map(|x| x.square() / n(2)).collect();
    let gap = if reading.first_gap_only { gaps[0].clone() } else { gaps.iter().fold(n(0), |a, b| Ordered::max(&a, b)) };
    let sum = x.iter().zip(&steps).fold(n(0), |sum, (x, (g, _))| sum + x.clone() * g.clone());
    let root = steps.last().map_or_else(|| n(0), |(_, root)| root.clone());
    Judgement::compare(sum, Relation::Le, pathwise_bound(&gap, &run.step_size(), &reading.curvature, &run.offset(), &root))
}

fn norm_pathwise() -> Claim {
    fn check(reading: Reading) -> Check {
        ExactPart::new(Paths, move |path: &Path| judge(path, &reading)).erase()
    }
    fn parts() -> Vec<Part> {
        vec![part("quadratic", "on f(x) = x^2/2 (L = 1): sum x_t g_t <= (M/gamma + gamma) sqrt(v_T) + M lambda/gamma", check(Reading::truth()))]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("first-gap", "M replaced by f(x_1) - inf f", check(Reading { first_gap_only: true, ..Reading::truth() })),
            mutant("half-smoothness", "gamma L replaced by gamma L/2", check(Reading { curvature: q(1, 2), ..Reading::truth() })),
        ]
    }
    Claim {
        id: "adagrad/norm-pathwise",
        statement: "AdaGrad-Norm on an L-smooth f, any vectors g_1, .., g_T, M >= max over t <= T of f(x_t) - inf f: sum <grad f(x_t), g_t> <= (M/gamma + gamma L) sqrt(v_T) + M lambda/gamma",
        assumptions: &["f is L-smooth in the 2-norm and bounded below", "gamma > 0, lambda >= 0", "M >= f(x_t) - inf f for t <= T"],
        provenance: Provenance::Derived,
        source: "the core of the paper's Theorem 4.2 (public notes); the constants are ours",
        declared: Verdict::Holds,
        argument: "Divide the descent inequality by eta_t = gamma/(lambda + sqrt(v_t)): <grad_t, g_t> <= (F_t - F_(t+1))/eta_t + L eta_t |g_t|^2/2. Abel summation with 1/eta_t nondecreasing and 0 <= F_t <= M bounds the first sum by M/eta_T, adagrad/sum-sqrt the second by gamma L sqrt(v_T). The part gamma L is nearly attained when the iterate flips its sign at every step.",
        gap: Some("general L-smooth functions and dimensions: the checks run on x^2/2 in one dimension"),
        finding: None,
        see: &["adagrad/sum-sqrt", "adagrad/norm-rate"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn sgd_contrast() -> Claim {
    fn check(share: Rational) -> Check {
        ExactPart::new(Trajectories, move |run: &Trajectory| {
            let x = run.iterates();
            let steps = Rational::from(x.len() as i64 - 1);
            let reach = run.x1().abs() + share.clone() * run.step_size() * steps;
            let last = x.last().cloned().unwrap_or(Rational::UNDEFINED);
            Judgement::compare(last.square(), Relation::Le, reach.square())
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![part("bounded", "x_(T+1)^2 <= (|x_1| + gamma T)^2", check(n(1)))]
    }
    fn mutants() -> Vec<Mutant> {
        vec![mutant("half-reach", "gamma T replaced by gamma T/2", check(q(1, 2)))]
    }
    Claim {
        id: "adagrad/sgd-contrast",
        statement: "f = L x^2/2 and any noise with E xi^2 = infinity: SGD with any fixed step size has E f(x_2) = infinity, while AdaGrad has f(x_(T+1)) <= L (|x_1| + gamma T)^2/2 surely",
        assumptions: &["lambda >= 0, gamma > 0"],
        provenance: Provenance::Derived,
        source: "adagrad/step-bound",
        declared: Verdict::Holds,
        argument: "x_2 = (1 - eta L) x_1 - eta xi has an infinite second moment; AdaGrad moves at most gamma a step. Checked is the second half, on any gradients; a sample mean of the first does not settle and would show nothing.",
        gap: Some("the infinite expectation of SGD is an argument, not a check"),
        finding: None,
        see: &["adagrad/step-bound"],
        parts,
        mutants,
        without_mutants: None,
    }
}
