//! Quantized inputs, free weights: the closed equation, its solution, stability, and the correction of order 1/d.

use super::bounds::{InputOde, Rate, input_ode, input_risk_limit, mean_after};
use super::instances::{Closed, ClosedEquations};
use super::quantizer::{Kind, Moments, Quantizer};
use super::shared::{mutant, n, part, q};
use claim::{
    Check, Claim, Coverage, ExactPart, Family, Instance, Judgement, Mutant, Part, Provenance, Relation, Sides, Tape, Verdict, compare_enclosed,
    identity, polynomial,
};
use numeric::{Field, Rational, Real};

pub(super) fn all() -> Vec<Claim> {
    vec![closed(), finite_d()]
}

// --- the closed equation ----------------------------------------------------------------------------------------------------------------------------

const NAMES: &[&str] = &["c1", "c2", "rho", "m", "q", "eta", "sigma^2"];

fn moments_of<S: Field>(x: &[S]) -> Moments<S> {
    Moments { c1: x[0].clone(), c2: x[1].clone(), k22: S::zero(), k13: S::zero(), k04: S::zero() }
}

fn excess_of<S: Field>(x: &[S]) -> S {
    x[2].clone() - S::from_i64(2) * x[0].clone() * x[3].clone() + x[1].clone() * x[4].clone()
}

// dA/dtau = -2 c1 dm/dtau + c2 dq/dtau from the limits of d (E m' - m) and d (E q' - q).
polynomial!(Derivative, |x| {
    let two = S::from_i64(2);
    let (c1, c2, rho, m, q, eta, sigma2) = (&x[0], &x[1], &x[2], &x[3], &x[4], &x[5], &x[6]);
    let dm = eta.clone() * (c1.clone() * rho.clone() - c2.clone() * m.clone());
    let dq =
        two.clone() * eta.clone() * (c1.clone() * m.clone() - c2.clone() * q.clone()) + eta.square() * c2.clone() * (excess_of(x) + sigma2.clone());
    c2.clone() * dq - two * c1.clone() * dm
});

// -k A + h.
polynomial!(ClosedForm, |x| {
    let InputOde { rate, source, .. } = input_ode(&moments_of(x), &x[2], &x[5], &x[6]);
    source - rate * excess_of(x)
});

// The same with c1 in the place of c2 in the rate.
polynomial!(FirstForSecond, |x| {
    let moments = moments_of(x);
    let InputOde { source, .. } = input_ode(&moments, &x[2], &x[5], &x[6]);
    let kappa = x[5].clone() * x[0].clone();
    source - kappa.clone() * (S::from_i64(2) - kappa) * excess_of(x)
});

/// Terms of the series of the linear equation's solution.
const TERMS: i64 = 80;

/// |closed form of A - its Taylor polynomial from the two-dimensional equation| against the remainder's bound.
struct Solution<'a> {
    at: &'a Closed,
    /// A_inf is rho (1 - c1^2/c2) + .. without the factor 2/(2 - eta c2).
    without_factor: bool,
}

impl Sides for Solution<'_> {
    fn sides<S: Real>(&self) -> (S, S) {
        let exact = self.at.moments();
        let moments = Moments { c1: S::from_rational(&exact.c1), c2: S::from_rational(&exact.c2), k22: S::zero(), k13: S::zero(), k04: S::zero() };
        let [rho, eta, sigma2, m, q, tau] = self.at.numbers().map(|x| S::from_rational(&x));
        let two = || S::from_i64(2);
        let excess = |m: &S, q: &S| rho.clone() - two() * moments.c1.clone() * m.clone() + moments.c2.clone() * q.clone();
        let mut ode = input_ode(&moments, &rho, &eta, &sigma2);
        if self.without_factor {
            ode.limit = rho.clone() * moments.floor();
        }
        let closed = ode.excess(&excess(&m, &q), &tau);
        // y' = M y + b, y = (m, q): derivatives y_1 = M y_0 + b, y_(k+1) = M y_k.
        let (c1, c2) = (moments.c1.clone(), moments.c2.clone());
        let square = eta.square() * c2.clone();
        let entries = [
            [-(eta.clone() * c2.clone()), S::zero()],
            [two() * eta.clone() * c1.clone() - two() * square.clone() * c1.clone(), square.clone() * c2.clone() - two() * eta.clone() * c2.clone()],
        ];
        let b = [eta.clone() * c1 * rho.clone(), square * (rho.clone() + sigma2)];
        let apply = |y: &[S; 2]| [0, 1].map(|i| entries[i][0].clone() * y[0].clone() + entries[i][1].clone() * y[1].clone());
        let mut derivative = apply(&[m.clone(), q.clone()]);
        for i in 0..2 {
            derivative[i] = derivative[i].clone() + b[i].clone();
        }
        let start = derivative[0].abs().max(&derivative[1].abs());
        let (mut sum, mut power) = ([m, q], S::one());
        for k in 1..=TERMS {
            power = power * tau.clone() / S::from_i64(k);
            for i in 0..2 {
                sum[i] = sum[i].clone() + power.clone() * derivative[i].clone();
            }
            derivative = apply(&derivative);
        }
        // |y_(k+1)| <= N^k |y_1| in the largest entry, N the largest row sum: the remainder is at most |y_1| tau (N tau)^TERMS/(TERMS + 1)! e^(N tau).
        let norm = entries[0][0].abs().max(&(entries[1][0].abs() + entries[1][1].abs())) * tau.clone();
        let factor = (1..=TERMS).fold(S::one(), |product, k| product * norm.clone() / S::from_i64(k));
        let remainder = start * tau / S::from_i64(TERMS + 1) * factor * norm.exp();
        let weight = two() * moments.c1.abs() + moments.c2.clone();
        // The rest of the allowance is for the enclosures' own width.
        ((closed - excess(&sum[0], &sum[1])).abs(), weight * remainder + S::from_rational(&q_tiny()))
    }
}

fn q_tiny() -> Rational {
    q(1, 1_000_000_000_000)
}

fn solution(without_factor: bool) -> Check {
    ExactPart::new(ClosedEquations, move |at: &Closed| compare_enclosed(Relation::Le, &Solution { at, without_factor })).erase()
}

/// R_inf against the equation's limit.
fn limit(without_factor: bool) -> Check {
    ExactPart::new(ClosedEquations, move |at: &Closed| {
        let (moments, [rho, eta, sigma2, ..]) = (at.moments(), at.numbers());
        let claimed = if without_factor { rho.clone() * moments.floor() + sigma2.clone() } else { input_risk_limit(&moments, &rho, &eta, &sigma2) };
        Judgement::compare(input_ode(&moments, &rho, &eta, &sigma2).limit + sigma2, Relation::Eq, claimed)
    })
    .erase()
}

fn fastest(most: Rational) -> Check {
    ExactPart::new(ClosedEquations, move |at: &Closed| {
        let (moments, [rho, eta, sigma2, ..]) = (at.moments(), at.numbers());
        Judgement::compare(input_ode(&moments, &rho, &eta, &sigma2).rate, Relation::Le, most.clone())
    })
    .erase()
}

/// A quantizer of normal inputs and a step size as a share of the claimed critical one.
#[derive(Clone, Hash)]
struct Stability {
    tread: bool,
    bits: u32,
    range: (i64, i64),
    share: (i64, i64),
}

impl Stability {
    fn quantizer(&self) -> Option<Quantizer> {
        let kind = if self.tread { Kind::MidTread } else { Kind::MidRise };
        Quantizer::of_kind(kind, self.bits, &q(self.range.0, self.range.1)).ok()
    }
}

impl Instance for Stability {
    fn show(&self) -> String {
        let kind = if self.tread { "mid-tread" } else { "mid-rise" };
        format!("{kind}, b = {}, omega = {}, eta = {} of the critical one", self.bits, q(self.range.0, self.range.1), q(self.share.0, self.share.1))
    }
}

struct Stabilities;

impl Family for Stabilities {
    type Instance = Stability;

    fn id(&self) -> String {
        "step-sizes".into()
    }

    fn domain(&self) -> String {
        "normal inputs through mid-rise (b = 1 to 4) and mid-tread (b = 2 to 4) quantizers, omega in [1/2, 4], eta from 1/1000 of 2/c2 to 4 times it"
            .into()
    }

    fn special(&self) -> Vec<Stability> {
        let of = |tread, bits, range, share| Stability { tread, bits, range, share };
        vec![
            of(false, 1, (1, 1), (1, 2)),
            of(false, 2, (2, 1), (94_502, 100_000)),
            of(false, 2, (2, 1), (999, 1_000)),
            of(false, 2, (2, 1), (1_001, 1_000)),
            of(false, 2, (1, 1), (999, 1_000)),
            of(true, 2, (3, 2), (3, 2)),
        ]
    }

    fn tape_len(&self) -> usize {
        5
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Stability {
        let tread = tape.word() % 2 == 1;
        let bits = tape.integer(if tread { 2 } else { 1 }, 4) as u32;
        let range = (tape.integer(32, 256), 64);
        let share = tape.integer(1, 4_000);
        Stability { tread, bits, range, share: (if share == 1_000 { 999 } else { share }, 1_000) }
    }
}

/// The rate k at eta = share times 2/c (c = c2, or c1 for the mutant) against 0, on the side that the share asks for.
struct Sign<'a> {
    quantizer: &'a Quantizer,
    share: Rational,
    by_first: bool,
}

impl Sides for Sign<'_> {
    fn sides<S: Real>(&self) -> (S, S) {
        let moments: Moments<S> = self.quantizer.moments();
        let critical = if self.by_first { S::from_i64(2) / moments.c1.clone() } else { moments.eta_critical() };
        let eta = S::from_rational(&self.share) * critical;
        (S::zero(), input_ode(&moments, &S::one(), &eta, &S::zero()).rate)
    }
}

fn stability(by_first: bool) -> Check {
    ExactPart::new(Stabilities, move |at: &Stability| {
        let Some(quantizer) = at.quantizer() else { return Judgement::Unmet };
        let share = q(at.share.0, at.share.1);
        let relation = if share < n(1) { Relation::Lt } else { Relation::Gt };
        compare_enclosed(relation, &Sign { quantizer: &quantizer, share, by_first })
    })
    .erase()
}

fn closed() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part(
                "equation",
                "the limits of d (E m' - m) and d (E q' - q) give dA/dtau = -eta c2 (2 - eta c2) A + 2 eta rho (c2 - c1^2) + eta^2 c2^2 sigma^2",
                identity(NAMES, Derivative, ClosedForm),
            ),
            part(
                "solution",
                "A(tau) = A_inf + (A_0 - A_inf) exp(-k tau) solves the equation for (m, q): within 1e-12 of its Taylor series",
                solution(false),
            ),
            part("limit", "A_inf + sigma^2 = R_inf = (2 rho (1 - c1^2/c2) + 2 sigma^2)/(2 - eta c2)", limit(false)),
            part("stability", "k > 0 for eta < 2/c2 and k < 0 beyond, for quantizers of normal inputs", stability(false)),
            part("fastest", "k <= 1 (equal at eta = 1/c2)", fastest(n(1))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("equation-c1-for-c2", "c1 in the place of c2 in the rate", identity(NAMES, Derivative, FirstForSecond)),
            mutant("critical-c1-for-c2", "stable up to 2/c1", stability(true)),
            mutant("limit-without-factor", "R_inf = rho (1 - c1^2/c2) + sigma^2", limit(true)),
            mutant("solution-without-factor", "the solution with that limit", solution(true)),
            mutant("fastest-0.99", "the rate is at most 99/100", fastest(q(99, 100))),
        ]
    }
    Claim {
        id: "ste/input-ode-closed",
        statement: "Inputs quantized or not, weights free, x standard normal: in the limit of large d, tau = step/d, the excess risk follows one closed scalar equation, A(tau) = A_inf + (A_0 - A_inf) exp(-eta c2 (2 - eta c2) tau), with R_inf = (2 rho (1 - c1^2/c2) + 2 sigma^2)/(2 - eta c2); stable exactly for 0 < eta < 2/c2, fastest at eta = 1/c2",
        assumptions: &["weights not quantized", "c1^2 <= c2", "for the solution 0 < eta < 2/c2"],
        provenance: Provenance::Derived,
        source: "ste/one-step-exact; that a deterministic equation arises is in the abstract",
        declared: Verdict::Holds,
        argument: "Put the limits of d times the mean increments of m and q into A = rho - 2 c1 m + c2 q: an identity of polynomials. The critical step size exceeds the unquantized 2 only if c2 < 1, so only a narrow range makes SGD more stable.",
        gap: Some(
            "convergence of the process to the equation is the standard argument for increments of order 1/d; ste/input-finite-d checks its mean",
        ),
        finding: None,
        see: &["ste/one-step-exact", "ste/input-finite-d"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// --- order 1/d --------------------------------------------------------------------------------------------------------------------------------------

/// A mean recursion at d and at 10 d.
#[derive(Clone, Hash)]
struct Finite {
    tread: bool,
    bits: u32,
    range: i64,
    eta: (i64, i64),
    tau: u64,
    d: u64,
}

impl Instance for Finite {
    fn show(&self) -> String {
        let kind = match (self.bits, self.tread) {
            (0, _) => "no quantizer".to_owned(),
            (b, tread) => format!("{} b = {b}, omega = {}", if tread { "mid-tread" } else { "mid-rise" }, self.range),
        };
        format!(
            "{kind}, eta = {}, rho = 1, sigma^2 = 1/100, m = 0, q = 1, tau = {}, d = {} and {}",
            q(self.eta.0, self.eta.1),
            self.tau,
            self.d,
            10 * self.d
        )
    }
}

struct Finites;

impl Family for Finites {
    type Instance = Finite;

    fn id(&self) -> String {
        "mean-recursions".into()
    }

    fn domain(&self) -> String {
        "normal inputs: unquantized, mid-rise (1, 1), (2, 1), (2, 2), mid-tread (2, 2); eta = 1/10, 1/2, 3/2; tau = 1, 5; d = 100, 1000, 10000 against 10 d".into()
    }

    fn special(&self) -> Vec<Finite> {
        let mut all = Vec::new();
        for (tread, bits, range) in [(false, 2, 2), (false, 0, 1), (false, 1, 1), (false, 2, 1), (true, 2, 2)] {
            for eta in [(1, 2), (1, 10), (3, 2)] {
                for tau in [1, 5] {
                    for d in [100, 1_000, 10_000] {
                        all.push(Finite { tread, bits, range, eta, tau, d });
                    }
                }
            }
        }
        all
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Finite {
        Finite { tread: false, bits: 2, range: 2, eta: (1, 2), tau: 1, d: 100 }
    }
}

/// The correction that is claimed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Correction {
    Truth,
    None,
    WithoutDiagonal,
}

/// |10 d err(10 d) - c| against |d err(d) - c|/5.
struct Decay<'a> {
    at: &'a Finite,
    correction: Correction,
}

impl Sides for Decay<'_> {
    fn sides<S: Real>(&self) -> (S, S) {
        let at = self.at;
        let kind = if at.tread { Kind::MidTread } else { Kind::MidRise };
        let moments: Moments<S> = Quantizer::of_kind(kind, at.bits, &n(at.range)).map_or_else(|_| Moments::unquantized(), |found| found.moments());
        let (rho, m, q0) = (S::one(), S::zero(), S::one());
        let (eta, sigma2, tau) = (S::ratio(at.eta.0, at.eta.1), S::ratio(1, 100), S::from_i64(at.tau as i64));
        let ode = input_ode(&moments, &rho, &eta, &sigma2);
        let start = rho.clone() + moments.c2.clone() * q0.clone();
        let limit = ode.excess(&start, &tau);
        let mut used = moments.clone();
        if self.correction == Correction::WithoutDiagonal {
            (used.k22, used.k13, used.k04) = (used.c2.clone(), used.c1.clone() * used.c2.clone(), used.c2.square());
        }
        let c = match self.correction {
            Correction::None => S::zero(),
            _ => ode.correction(&used, &rho, &eta, &m, &start, &tau),
        };
        let off = |d: u64| {
            let size = S::from_i64(d as i64);
            let rate = Rate { eta: eta.clone(), sigma2: sigma2.clone(), d: size.clone() };
            let (found, _) = mean_after(&moments, &rate, &rho, (&m, &q0), d * at.tau);
            (size * (found - limit.clone()) - c.clone()).abs()
        };
        (off(10 * at.d), off(at.d) / S::from_i64(5))
    }
}

fn finite_d() -> Claim {
    fn check(correction: Correction) -> Check {
        ExactPart::new(Finites, move |at: &Finite| compare_enclosed(Relation::Le, &Decay { at, correction })).covering(Coverage::FiniteFamily).erase()
    }
    fn parts() -> Vec<Part> {
        vec![part("decay", "ten times the dimension leaves at most a fifth of |d (E R_d - R) - c|", check(Correction::Truth))]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("order-two", "c = 0: the mean is off by O(1/d^2)", check(Correction::None)),
            mutant("without-diagonal", "c without the diagonal term B", check(Correction::WithoutDiagonal)),
        ]
    }
    Claim {
        id: "ste/input-finite-d",
        statement: "Weights free: d (E R_d(tau) - R(tau)) tends to c(tau), where c' = -k c + eta^2 c2 (B - c2 A) - A''/2, c(0) = 0, along the limit: the mean is off by Theta(1/d), one run by Theta(1/sqrt d)",
        assumptions: &["weights not quantized", "x standard normal"],
        provenance: Provenance::Derived,
        source: "ste/one-step-exact and the method of modified equations",
        declared: Verdict::Holds,
        argument: "The mean of (m, q) follows an affine recursion exactly, one step of size 1/d of Euler's rule for the limit plus a term of order 1/d^2. Its first correction is the solution of the linear equation above, in closed form. Were the remainder not O(1/d^2), ten times the dimension would not shrink it fivefold.",
        gap: Some("the limit d -> infinity: checked up to d = 100000 on finitely many settings"),
        finding: None,
        see: &["ste/input-ode-closed", "ste/mv-limit"],
        parts,
        mutants,
        without_mutants: None,
    }
}
