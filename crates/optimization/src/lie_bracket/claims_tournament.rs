//! Many sources: the algebra of brackets, row sums, schedules, potentials, transitivity, a random ensemble.

use super::algorithm::{
    AffineField, Entrant, Loss, PolynomialLoss, best_order, bracket, cycles, order_by_score, pass, plus, row_sums, schedule_value, scores_matrix,
    sigma,
};
use super::instances::{Data, Field as Sources, Fields, Kind, Matrices, Pair, Pairs, Scores, Shape, on_a_line};
use super::shared::{mutant, n, part, q};
use super::simulate::{Ensemble, ensemble};
use claim::{
    Arm, Asserted, Check, Claim, Coverage, ExactPart, Family, Finding, Instance, Judgement, Knowledge, Mutant, Part, Provenance, Relation,
    StatisticalPart, Tape, Verdict, identity, polynomial,
};
use numeric::{Field, Interval, Ordered, Rational, Taylor};

pub(super) fn all() -> Vec<Claim> {
    vec![algebra(), row_sum(), row_sum_as_printed(), schedule(), hodge(), transitive(), recovery()]
}

fn property(holds: bool, detail: impl Into<String>) -> Judgement {
    Judgement::Property { holds, detail: detail.into() }
}

fn zeros(v: &[Rational]) -> bool {
    v.iter().all(Rational::is_zero)
}

fn equal(a: &[Rational], b: &[Rational]) -> bool {
    a.iter().zip(b).all(|(x, y)| x.equals(y).is_true())
}

// --- C6 ---------------------------------------------------------------------------------------------------------------------------------------------

/// Three basis fields of the affine fields over R^d.
#[derive(Clone, Hash)]
struct Triple {
    dimension: usize,
    which: [usize; 3],
}

impl Triple {
    /// The fields x -> x_j e_i (index i d + j) and x -> e_i (index d^2 + i).
    fn field(&self, which: usize) -> AffineField<Rational> {
        let d = self.dimension;
        let mut field = AffineField { matrix: vec![vec![n(0); d]; d], offset: vec![n(0); d] };
        if which < d * d {
            field.matrix[which / d][which % d] = n(1);
        } else {
            field.offset[which - d * d] = n(1);
        }
        field
    }
}

impl Instance for Triple {
    fn show(&self) -> String {
        let name = |which: usize| {
            let d = self.dimension;
            if which < d * d { format!("x_{} e_{}", which % d + 1, which / d + 1) } else { format!("e_{}", which - d * d + 1) }
        };
        format!("d = {}: {}, {}, {}", self.dimension, name(self.which[0]), name(self.which[1]), name(self.which[2]))
    }
}

struct BasisTriples;

impl Family for BasisTriples {
    type Instance = Triple;

    fn id(&self) -> String {
        "basis-triples".into()
    }

    fn domain(&self) -> String {
        "all triples of basis fields x_j e_i and e_i, d = 1 to 3: by linearity in each field every triple of affine fields".into()
    }

    fn special(&self) -> Vec<Triple> {
        let mut all = Vec::new();
        for dimension in 1..=3 {
            let count = dimension * dimension + dimension;
            for index in 0..count * count * count {
                all.push(Triple { dimension, which: [index / (count * count), index / count % count, index % count] });
            }
        }
        all
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Triple {
        Triple { dimension: 1, which: [0; 3] }
    }
}

fn jacobi(signs: [i64; 3]) -> Check {
    ExactPart::new(BasisTriples, move |at: &Triple| {
        let [a, b, c] = at.which.map(|which| at.field(which));
        let terms = [a.bracket(&b.bracket(&c)), b.bracket(&c.bracket(&a)), c.bracket(&a.bracket(&b))];
        let scaled = |field: &AffineField<Rational>, sign: i64| AffineField {
            matrix: field.matrix.iter().map(|row| row.iter().map(|x| n(sign) * x.clone()).collect()).collect(),
            offset: field.offset.iter().map(|x| n(sign) * x.clone()).collect(),
        };
        let sum = terms.iter().zip(signs).map(|(term, sign)| scaled(term, sign)).reduce(|x, y| x.add(&y));
        let holds = sum.is_some_and(|sum| zeros(&sum.offset) && sum.matrix.iter().all(|row| zeros(row)));
        property(holds, "[A,[B,C]] + [B,[C,A]] + [C,[A,B]]")
    })
    .covering(Coverage::WholeDomain)
    .erase()
}

fn bilinear(sign: i64) -> Check {
    ExactPart::new(Pairs(Kind::Cubic), move |at: &Pair| {
        let ([a, b, e], theta) = (at.losses(), at.start());
        let ab = bracket(&a, &b, &theta);
        let opposite: Vec<Rational> = bracket(&b, &a, &theta).into_iter().map(|x| n(sign) * x).collect();
        // b_(A+E, B) from the sum of gradients and Hessians.
        let g_sum = plus(&a.gradient(&theta), &e.gradient(&theta));
        let (left, right) = (b.hessian_vector(&theta, &g_sum), b.gradient(&theta));
        let bent = plus(&a.hessian_vector(&theta, &right), &e.hessian_vector(&theta, &right));
        let joint: Vec<Rational> = left.iter().zip(&bent).map(|(x, y)| x.clone() - y.clone()).collect();
        let holds = equal(&ab, &opposite) && zeros(&bracket(&a, &a, &theta)) && equal(&joint, &plus(&ab, &bracket(&e, &b, &theta)));
        property(holds, "b_AB = -b_BA, b_AA = 0, b_(A+A',B) = b_AB + b_A'B")
    })
    .erase()
}

/// The derivative of b_AB is H_B H_A - H_A H_B: antisymmetric; a gradient field (symmetric) only where the Hessians commute, and then constant.
fn derivative(gradient_always: bool) -> Check {
    ExactPart::new(Pairs(Kind::Quadratic), move |at: &Pair| {
        let [a, b, _] = at.losses();
        let field = AffineField::descent(&a).bracket(&AffineField::descent(&b));
        let theta = at.start();
        let d = theta.len();
        let entries = (0..d).flat_map(|i| (0..d).map(move |j| (i, j)));
        let antisymmetric = entries.clone().all(|(i, j)| (field.matrix[i][j].clone() + field.matrix[j][i].clone()).is_zero());
        let symmetric = entries.clone().all(|(i, j)| (field.matrix[i][j].clone() - field.matrix[j][i].clone()).is_zero());
        let commute = field.matrix.iter().all(|row| zeros(row));
        let value = equal(&field.at(&theta), &bracket(&a, &b, &theta));
        let as_claimed = if gradient_always { symmetric } else { symmetric == commute };
        property(value && antisymmetric && as_claimed, "b_AB = [X_A, X_B] with derivative H_B H_A - H_A H_B")
    })
    .erase()
}

fn algebra() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part("jacobi", "[X_A,[X_B,X_C]] + [X_B,[X_C,X_A]] + [X_C,[X_A,X_B]] = 0 as fields", jacobi([1, 1, 1])),
            part("bilinear", "b_AB = -b_BA, b_AA = 0, b_(A+A',B) = b_AB + b_A'B", bilinear(-1)),
            part(
                "derivative",
                "for quadratics D b_AB = H_B H_A - H_A H_B; b_AB is a gradient field iff the Hessians commute, and then constant",
                derivative(false),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("jacobi-sign", "[A,[B,C]] + [B,[C,A]] - [C,[A,B]] = 0", jacobi([1, 1, -1])),
            mutant("symmetric-bracket", "b_AB = b_BA", bilinear(1)),
            mutant("always-a-gradient", "b_AB is always a gradient field", derivative(true)),
        ]
    }
    Claim {
        id: "lie-bracket/algebra",
        statement: "b_AB = -b_BA, b_AA = 0, b is additive in each loss, and the Jacobi identity holds for the fields; for quadratics D b_AB = H_B H_A - H_A H_B, so b_AB is a gradient field iff H_A and H_B commute, and then it is constant",
        assumptions: &["f_A, f_B, f_C twice differentiable; quadratics for the last two"],
        provenance: Provenance::Derived,
        source: "standard",
        declared: Verdict::Holds,
        argument: "The fields of quadratics are affine, x -> Mx + v, with [X, Y] = (M_Y M_X - M_X M_Y, M_Y v_X - M_X v_Y). The Jacobi sum is linear in each field, so it vanishes if it does on all triples of basis fields: enumerated for d up to 3.",
        gap: Some("bilinearity and the derivative: sampled"),
        finding: None,
        see: &["lie-bracket/commutator"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// --- C7 ---------------------------------------------------------------------------------------------------------------------------------------------

/// S_i against the sums of the matrix's rows.
fn row_sum_equals(plus_sign: bool) -> Check {
    ExactPart::new(Fields { most: 8, dimension: 6 }, move |at: &Sources| {
        let entrants = at.entrants();
        let rows: Vec<Rational> = scores_matrix(&entrants).iter().map(|row| row.iter().fold(n(0), |sum, x| sum + x.clone())).collect();
        let scores = if plus_sign {
            let zero = vec![n(0); at.theta.len()];
            let (big, gam) =
                entrants.iter().fold((zero.clone(), zero), |(big, gam), entrant| (plus(&big, &entrant.curved), plus(&gam, &entrant.gradient)));
            entrants.iter().map(|e| super::algorithm::dot(&big, &e.gradient) + super::algorithm::dot(&e.curved, &gam)).collect()
        } else {
            row_sums(&entrants)
        };
        let total = scores.iter().fold(n(0), |sum, x| sum + x.clone());
        property(equal(&scores, &rows) && total.is_zero(), format!("S = {scores:?}, sums of rows {rows:?}"))
    })
    .erase()
}

/// Scores from the definition <g_E, H_j g_i - H_i g_j> with the first source's Hessian turned by an antisymmetric part.
fn row_sum_by_definition(skew: i64, per_pair: bool) -> Check {
    ExactPart::new(Fields { most: 6, dimension: 4 }, move |at: &Sources| {
        let theta: Vec<Rational> = at.theta.iter().copied().map(n).collect();
        let losses: Vec<PolynomialLoss<Rational>> = at
            .sources
            .iter()
            .map(|source| {
                let loss = source.loss();
                // At theta_0 only gradient and Hessian matter: a general loss becomes its quadratic model.
                let mut hessian = loss.hessian_at(&theta);
                if skew != 0 && theta.len() > 1 {
                    hessian[0][1] = hessian[0][1].clone() + n(skew);
                }
                let linear: Vec<Rational> =
                    super::algorithm::apply(&hessian, &theta).iter().zip(loss.gradient(&theta)).map(|(x, g)| x.clone() - g).collect();
                PolynomialLoss::quadratic(hessian, linear)
            })
            .collect();
        let target = at.target.loss();
        let eta = q(1, 10);
        let by_definition: Vec<Rational> = losses
            .iter()
            .map(|i| {
                losses.iter().fold(n(0), |sum, j| {
                    let reference = if per_pair { super::algorithm::drift_reference(i, j, &eta, &theta) } else { theta.clone() };
                    sum + super::algorithm::dot(&target.gradient(&reference), &bracket(i, j, &theta))
                })
            })
            .collect();
        let g_e = target.gradient(&theta);
        let entrants: Vec<Entrant<Rational>> =
            losses.iter().map(|loss| Entrant { gradient: loss.gradient(&theta), curved: loss.hessian_vector(&theta, &g_e) }).collect();
        let scores = row_sums(&entrants);
        property(equal(&scores, &by_definition), format!("S = {scores:?}, by definition {by_definition:?}"))
    })
    .erase()
}

fn row_sum() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part("equal", "sum over j of sigma_ij = <Q, g_i> - <q_i, Gam>, and the S_i sum to 0", row_sum_equals(false)),
            part("definition", "the same with sigma_ij = <g_E, H_j g_i - H_i g_j> from the Hessians", row_sum_by_definition(0, false)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("plus", "S_i = <Q, g_i> + <q_i, Gam>", row_sum_equals(true)),
            mutant("asymmetric-hessians", "Hessians need not be symmetric", row_sum_by_definition(1, false)),
            mutant("reference-per-pair", "each pair may have its own reference point", row_sum_by_definition(0, true)),
        ]
    }
    Claim {
        id: "lie-bracket/row-sum",
        statement: "S_i = sum over j of sigma_ij = <Q, g_i> - <q_i, Gam> with q_i = H_i g_E, Q and Gam the sums of the q_j and g_j: N Hessian-vector products give all row sums; the S_i sum to 0",
        assumptions: &["symmetric Hessians", "one g_E for all pairs"],
        provenance: Provenance::Abstract,
        source: "abstract (a schedule from row sums, one Hessian-vector product a source); the proof is ours",
        declared: Verdict::Holds,
        argument: "<g_E, H_j g_i> = <q_j, g_i> by symmetry; sum over j. With a reference point per pair, as for the drift reference, g_E differs from pair to pair and the formula no longer applies.",
        gap: Some("N above 8, d above 6"),
        finding: None,
        see: &["lie-bracket/hodge", "lie-bracket/row-sum-as-printed"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// The sort by row sums against the best order.
fn sort_is_best(one_dimension: bool) -> Check {
    ExactPart::new(Fields { most: 5, dimension: if one_dimension { 1 } else { 3 } }, move |at: &Sources| {
        let entrants = at.entrants();
        let matrix = scores_matrix(&entrants);
        if !cycles(&matrix).is_empty() {
            return Judgement::Unmet;
        }
        let sorted = order_by_score(&row_sums(&entrants));
        let Some((best, _)) = best_order(&matrix) else { return Judgement::Unmet };
        Judgement::compare(schedule_value(&entrants, &sorted), Relation::Le, schedule_value(&entrants, &best))
    })
    .erase()
}

fn row_sum_as_printed() -> Claim {
    fn parts() -> Vec<Part> {
        vec![part("best", "where the tournament is transitive, the order by row sums minimizes F", sort_is_best(true))]
    }
    Claim {
        id: "lie-bracket/row-sum-as-printed",
        statement: "sorting by row sums gives the best schedule to second order (read here: at least where the tournament is transitive)",
        assumptions: &["a transitive tournament"],
        provenance: Provenance::Abstract,
        source: "the abstract's schedule by sorting, read as a theorem; the abstract itself reports a recovery rate of 87.5%, not a theorem",
        declared: Verdict::Refuted,
        argument: "The sort maximizes agreement with the potentials S_i/N, but F weighs each edge by its size: a large far edge can pull a source past its neighbour. In one dimension with weights h = (2, 3, 1) and gradients (-3, -1, 0): sigma = (-7, -3, -1), transitive as 1, 2, 3, but S = (-10, 6, 4).",
        gap: None,
        finding: Some(Finding {
            printed: "sorting sources by the row sums of the score matrix gives the order to train in",
            truth: "it need not be the best order even to second order, with three sources in one dimension and a transitive tournament; it is where sigma is a difference of potentials",
        }),
        see: &["lie-bracket/row-sum", "lie-bracket/hodge", "lie-bracket/transitive-1d", "lie-bracket/recovery-rate"],
        parts,
        mutants: || Vec::new(),
        without_mutants: Some("the reading is false itself"),
    }
}

// --- C8 ---------------------------------------------------------------------------------------------------------------------------------------------

/// All orders of n things, in lexicographic order.
pub(super) fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        all = all
            .into_iter()
            .flat_map(|order: Vec<usize>| (0..n).filter(|i| !order.contains(i)).map(|i| [order.clone(), vec![i]].concat()).collect::<Vec<_>>())
            .collect();
    }
    all
}

/// F(pi) - F(identity) = half the difference of the sums of sigma over ordered pairs, for all orders.
fn by_sigma(half: Rational) -> Check {
    ExactPart::new(Fields { most: 5, dimension: 3 }, move |at: &Sources| {
        let entrants = at.entrants();
        let matrix = scores_matrix(&entrants);
        let ahead = |order: &[usize]| {
            order
                .iter()
                .enumerate()
                .flat_map(|(at, &j)| order[..at].iter().map(move |&i| (i, j)))
                .fold(n(0), |sum, (i, j)| sum + matrix[i][j].clone())
        };
        let first: Vec<usize> = (0..entrants.len()).collect();
        let (base, base_ahead) = (schedule_value(&entrants, &first), ahead(&first));
        let bad = orders(entrants.len()).into_iter().find(|order| {
            let left = schedule_value(&entrants, order) - base.clone();
            !left.equals(&(half.clone() * (ahead(order) - base_ahead.clone()))).is_true()
        });
        property(bad.is_none(), format!("over {} orders; first that differs: {bad:?}", orders(entrants.len()).len()))
    })
    .erase()
}

/// Exchanging neighbours i, j (i before j) raises F by -sigma_ij.
fn neighbours(sign: i64) -> Check {
    ExactPart::new(Fields { most: 6, dimension: 3 }, move |at: &Sources| {
        let entrants = at.entrants();
        let first: Vec<usize> = (0..entrants.len()).collect();
        let base = schedule_value(&entrants, &first);
        let bad = (1..entrants.len()).find(|&k| {
            let mut order = first.clone();
            order.swap(k - 1, k);
            let change = base.clone() - schedule_value(&entrants, &order);
            !change.equals(&(n(sign) * sigma(&entrants[k - 1], &entrants[k]))).is_true()
        });
        property(bad.is_none(), format!("first pair that differs: {bad:?}"))
    })
    .erase()
}

/// The series of f_E(theta_pi) in eta up to eta^2, exactly, for cubic sources.
fn series(half: Rational) -> Check {
    ExactPart::new(Fields { most: 4, dimension: 3 }, move |at: &Sources| {
        let lift = |data: &Data| {
            let loss = data.loss();
            let constant = |x: &Rational| Taylor::constant(x.clone());
            PolynomialLoss {
                hessian: loss.hessian.iter().map(|row| row.iter().map(constant).collect()).collect(),
                linear: loss.linear.iter().map(constant).collect(),
                direction: loss.direction.iter().map(constant).collect(),
                cubic: constant(&loss.cubic),
                quartic: constant(&loss.quartic),
            }
        };
        let losses: Vec<PolynomialLoss<Taylor<Rational>>> = at.sources.iter().map(lift).collect();
        let target = lift(&at.target);
        let eta = Taylor::variable(n(0), ORDER);
        let theta: Vec<Taylor<Rational>> = at.theta.iter().map(|&x| Taylor::constant(n(x))).collect();
        let order: Vec<&dyn Loss<Taylor<Rational>>> = losses.iter().map(|loss| loss as &dyn Loss<Taylor<Rational>>).collect();
        let value = target.value(&pass(&order, &eta, &theta));
        let entrants = at.entrants();
        let exact_target = at.target.loss();
        let exact_theta: Vec<Rational> = at.theta.iter().copied().map(n).collect();
        let gam = entrants.iter().fold(vec![n(0); exact_theta.len()], |sum, e| plus(&sum, &e.gradient));
        let second = schedule_value(&entrants, &(0..entrants.len()).collect::<Vec<_>>())
            + half.clone() * super::algorithm::dot(&gam, &exact_target.hessian_vector(&exact_theta, &gam));
        let expected = [exact_target.value(&exact_theta), -super::algorithm::dot(&exact_target.gradient(&exact_theta), &gam), second];
        let found: Vec<Rational> = (0..=ORDER).map(|k| value.coefficient(k)).collect();
        property(equal(&found, &expected), format!("coefficients {found:?}, formula {expected:?}"))
    })
    .erase()
}

const ORDER: usize = 2;

fn schedule() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part(
                "series",
                "f_E(theta_pi) = f_E(theta_0) - eta <g_E, Gam> + eta^2 (F(pi) + Gam' H_E Gam/2) + O(eta^3): the coefficients exactly",
                series(q(1, 2)),
            ),
            part("scores", "F(pi) - F(id) = half the change of the sum of sigma_ij over i before j, for every order", by_sigma(q(1, 2))),
            part("neighbours", "exchanging neighbours i before j changes F by -sigma_ij", neighbours(1)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("whole-curvature", "Gam' H_E Gam without the half", series(n(1))),
            mutant("whole-scores", "the change of the sum itself", by_sigma(n(1))),
            mutant("neighbours-sign", "it changes F by +sigma_ij", neighbours(-1)),
        ]
    }
    Claim {
        id: "lie-bracket/schedule-expansion",
        statement: "one pass in order pi: f_E(theta_pi) = f_E(theta_0) - eta <g_E, Gam> + eta^2 (F(pi) + Gam' H_E Gam/2) + O(eta^3), F(pi) = sum over i before j of <q_j, g_i> = const + (1/2) sum over i before j of sigma_ij; exchanging neighbours changes F by exactly their score",
        assumptions: &["sources and target three times differentiable", "plain gradient steps, one each"],
        provenance: Provenance::Derived,
        source: "ours",
        declared: Verdict::Holds,
        argument: "theta_pi = theta_0 - eta Gam + eta^2 (sum over i before j of H_j g_i) + O(eta^3); insert into f_E. For a pair i, j the two orders give <q_j, g_i> and <q_i, g_j>: their mean is constant, their half difference is sigma_ij/2. The series is computed in exact Taylor arithmetic in eta, so no slope has to be fitted.",
        gap: Some("N above 6"),
        finding: None,
        see: &["lie-bracket/hodge"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// --- C9 ---------------------------------------------------------------------------------------------------------------------------------------------

/// sum over i < j of (sigma_ij - (s_i - s_j))^2
fn misfit<S: Field>(matrix: &[Vec<S>], s: &[S]) -> S {
    let mut sum = S::zero();
    for i in 0..s.len() {
        for j in i + 1..s.len() {
            sum = sum + (matrix[i][j].clone() - s[i].clone() + s[j].clone()).square();
        }
    }
    sum
}

/// Variables sigma_12, sigma_13, sigma_14, sigma_23, sigma_24, sigma_34, t_1, t_2, t_3 (t_4 = -t_1 - t_2 - t_3).
fn four<S: Field>(x: &[S]) -> (Vec<Vec<S>>, Vec<S>, Vec<S>) {
    let index = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let mut matrix = vec![vec![S::zero(); 4]; 4];
    for ((i, j), value) in index.into_iter().zip(x) {
        matrix[i][j] = value.clone();
        matrix[j][i] = -value.clone();
    }
    let s = matrix.iter().map(|row| S::ratio(1, 4) * row.iter().fold(S::zero(), |sum, x| sum + x.clone())).collect();
    let last = -(x[6].clone() + x[7].clone() + x[8].clone());
    (matrix, s, vec![x[6].clone(), x[7].clone(), x[8].clone(), last])
}

polynomial!(MisfitRise, |x| {
    let (matrix, s, t) = four(x);
    let moved: Vec<S> = s.iter().zip(&t).map(|(a, b)| a.clone() + b.clone()).collect();
    misfit(&matrix, &moved) - misfit(&matrix, &s)
});
polynomial!(FourTimesSquare, |x| {
    let (_, _, t) = four(x);
    S::from_i64(4) * t.iter().fold(S::zero(), |sum, value| sum + value.square())
});

const FOUR: &[&str] = &["s_12", "s_13", "s_14", "s_23", "s_24", "s_34", "t_1", "t_2", "t_3"];

fn sums(matrix: &[Vec<Rational>]) -> Vec<Rational> {
    matrix.iter().map(|row| row.iter().fold(n(0), |sum, x| sum + x.clone())).collect()
}

/// Any other zero-sum vector fits worse, by N times the squared distance (`scale` for N = 1).
fn projection(by: fn(i64) -> Rational) -> Check {
    ExactPart::new(Matrices(Shape::Any), move |at: &Scores| {
        let matrix = at.matrix();
        let scale = by(at.count as i64);
        let s: Vec<Rational> = sums(&matrix).into_iter().map(|x| x / scale.clone()).collect();
        let mean = at.other.iter().sum::<i64>();
        let other: Vec<Rational> = at.other.iter().map(|&x| n(x) - q(mean, at.count as i64)).collect();
        let away = s.iter().zip(&other).fold(n(0), |sum, (a, b)| sum + (a.clone() - b.clone()).square());
        let rest_free = sums(
            &matrix.iter().zip(&s).map(|(row, i)| row.iter().zip(&s).map(|(x, j)| x.clone() - i.clone() + j.clone()).collect()).collect::<Vec<_>>(),
        );
        let rise = misfit(&matrix, &other) - misfit(&matrix, &s);
        property(
            zeros(&rest_free) && rise.equals(&(n(at.count as i64) * away.clone())).is_true(),
            format!("rise {rise}, N |s' - s|^2 = {}", n(at.count as i64) * away),
        )
    })
    .erase()
}

/// F's order-dependent part: the sum of sigma_ij over i before j.
fn ahead(matrix: &[Vec<Rational>], order: &[usize]) -> Rational {
    order.iter().enumerate().flat_map(|(at, &j)| order[..at].iter().map(move |&i| (i, j))).fold(n(0), |sum, (i, j)| sum + matrix[i][j].clone())
}

/// (a) without a cyclic part the sort is optimal.
fn potential_is_optimal(always: bool) -> Check {
    ExactPart::new(Matrices(Shape::NearPotential), move |at: &Scores| {
        let matrix = at.matrix();
        if !always && !super::algorithm::cyclic_share(&matrix).1.is_zero() {
            return Judgement::Unmet;
        }
        let Some((_, least)) = best_order(&matrix) else { return Judgement::Unmet };
        Judgement::compare(ahead(&matrix, &order_by_score(&sums(&matrix))), Relation::Le, least)
    })
    .erase()
}

/// (b) a source that comes before all others in every pair is never last; `first`: it is first.
fn winner(first: bool) -> Check {
    ExactPart::new(Matrices(Shape::Any), move |at: &Scores| {
        let matrix = at.matrix();
        let wins = (0..at.count).find(|&i| (0..at.count).all(|k| k == i || matrix[i][k].signum() == Some(-1)));
        let Some(wins) = wins else { return Judgement::Unmet };
        let order = order_by_score(&sums(&matrix));
        let holds = if first { order.first() == Some(&wins) } else { order.last() != Some(&wins) };
        property(holds, format!("source {} wins all; order {order:?} (from 0)", wins + 1))
    })
    .erase()
}

/// (c) strong monotonicity makes the sort agree with every edge; `weak`: transitivity is enough.
fn monotone(weak: bool) -> Check {
    ExactPart::new(Matrices(Shape::NearPotential), move |at: &Scores| {
        let matrix = at.matrix();
        let size = at.count;
        let negative = |x: &Rational| x.signum() != Some(1);
        let strong = (0..size).all(|i| (0..size).all(|j| !negative(&matrix[i][j]) || (0..size).all(|k| matrix[i][k] <= matrix[j][k])));
        if if weak { !cycles(&matrix).is_empty() } else { !strong } {
            return Judgement::Unmet;
        }
        let order = order_by_score(&sums(&matrix));
        let holds = order.iter().enumerate().all(|(at, &j)| order[..at].iter().all(|&i| negative(&matrix[i][j])));
        property(holds, format!("order {order:?} (from 0)"))
    })
    .erase()
}

fn hodge() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part("four", "N = 4: any zero-sum move t from S/N raises the misfit by exactly 4 |t|^2", identity(FOUR, MisfitRise, FourTimesSquare)),
            part("projection", "N = 2 to 6: the same with N |s' - s|^2, and the rows of the rest sum to 0", projection(n)),
            part("potential", "if the cyclic part is 0, the sort minimizes F", potential_is_optimal(false)),
            part("winner", "a source with sigma_ik < 0 for all k is never last", winner(false)),
            part("monotone", "under strong monotonicity the sort agrees with every edge", monotone(false)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("n-minus-1", "s = S/(N - 1)", projection(|count| n((count - 1).max(1)))),
            mutant("always-optimal", "the sort minimizes F", potential_is_optimal(true)),
            mutant("winner-first", "a source that wins every pair is first", winner(true)),
            mutant("transitive-suffices", "transitivity is enough for agreement with every edge", monotone(true)),
        ]
    }
    Claim {
        id: "lie-bracket/hodge",
        statement: "s = S/N is the unique zero-sum minimizer of sum over i < j of (sigma_ij - (s_i - s_j))^2, and sigma_ij = (S_i - S_j)/N + c_ij with zero row sums of c; so (a) if c = 0 the sort minimizes F, (b) a source that wins every pair is never last, (c) under strong monotonicity (sigma_ij <= 0 implies sigma_ik <= sigma_jk for all k) the sort agrees with every edge",
        assumptions: &["sigma antisymmetric"],
        provenance: Provenance::Derived,
        source: "ours (the discrete Hodge decomposition of a tournament)",
        declared: Verdict::Holds,
        argument: "The misfit is quadratic in s with Hessian 2 N on zero-sum vectors, and its gradient vanishes at S/N. (a) F's order-dependent part is then a sum of differences of potentials. (b) S_i < 0 while the S sum to 0. (c) Sum the rows.",
        gap: Some("N above 6, and N other than 4 for the projection"),
        finding: None,
        see: &["lie-bracket/row-sum", "lie-bracket/row-sum-as-printed"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// --- C10 --------------------------------------------------------------------------------------------------------------------------------------------

/// Sources on a line with nonzero weights.
#[derive(Clone, Hash)]
struct Line {
    /// (h_i, g_i)
    sources: Vec<(i64, i64)>,
    /// g_E
    slope: i64,
}

impl Instance for Line {
    fn show(&self) -> String {
        format!("(h_i, g_i) = {:?}, g_E = {}", self.sources, self.slope)
    }
}

/// One sign of the weights, or any.
struct Lines {
    mixed: bool,
}

impl Family for Lines {
    type Instance = Line;

    fn id(&self) -> String {
        if self.mixed { "lines-mixed" } else { "lines" }.into()
    }

    fn domain(&self) -> String {
        format!("2 to 6 sources in one dimension, nonzero integer weights{}, g_E not 0", if self.mixed { "" } else { " of one sign" })
    }

    fn special(&self) -> Vec<Line> {
        let mut special = vec![
            Line { sources: vec![(2, -3), (3, -1), (1, 0)], slope: 1 },
            Line { sources: vec![(1, 1), (1, 1)], slope: 1 },
            Line { sources: vec![(-1, 2), (-2, 1), (-5, 0)], slope: -3 },
            Line { sources: vec![(1, 5), (7, 5), (2, -5), (1, 0)], slope: 2 },
        ];
        if self.mixed {
            special.push(Line { sources: vec![(2, 0), (-1, 2), (-1, -2)], slope: 1 });
        }
        special
    }

    fn tape_len(&self) -> usize {
        22
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Line {
        let negative = tape.word() % 2 == 1;
        let slope = tape.heavy(20) * if tape.word() % 2 == 1 { -1 } else { 1 };
        let count = tape.integer(2, 6);
        let sources = (0..count)
            .map(|_| {
                let h = tape.heavy(30);
                let turned = tape.word() % 2 == 1;
                let g = tape.integer(-20, 20);
                (if if self.mixed { turned } else { negative } { -h } else { h }, g)
            })
            .collect();
        Line { sources, slope }
    }
}

/// Ordered by g_E g_i/h_i ascending, no later source should come before an earlier one.
fn ordered_by_ratio(mixed: bool) -> Check {
    ExactPart::new(Lines { mixed }, move |at: &Line| {
        let entrants = on_a_line(&at.sources, at.slope).entrants();
        let matrix = scores_matrix(&entrants);
        let keys: Vec<Rational> = at.sources.iter().map(|&(h, g)| n(at.slope) * q(g, h)).collect();
        let order = order_by_score(&keys);
        let agrees = order.iter().enumerate().all(|(place, &j)| order[..place].iter().all(|&i| matrix[i][j].signum() != Some(1)));
        property(agrees && cycles(&matrix).is_empty(), format!("order {order:?} (from 0), sigma = {matrix:?}"))
    })
    .erase()
}

polynomial!(Pfaffian, |x| {
    // (h_i, g_i) for i = 1 to 4, then g_E.
    let sigma = |i: usize, j: usize| x[8].clone() * (x[2 * j].clone() * x[2 * i + 1].clone() - x[2 * i].clone() * x[2 * j + 1].clone());
    sigma(0, 1) * sigma(2, 3) - sigma(0, 2) * sigma(1, 3) + sigma(0, 3) * sigma(1, 2)
});
polynomial!(Nought, |x| x[0].clone() - x[0].clone());

/// The edge sizes of a transitive triple 1 < 2 < 3.
#[derive(Clone, Hash)]
struct Edges([i64; 3]);

impl Instance for Edges {
    fn show(&self) -> String {
        format!("|sigma_12| = {}, |sigma_13| = {}, |sigma_23| = {}", self.0[0], self.0[1], self.0[2])
    }
}

struct EdgeTriples;

impl Family for EdgeTriples {
    type Instance = Edges;

    fn id(&self) -> String {
        "edge-triples".into()
    }

    fn domain(&self) -> String {
        "transitive triples with edge sizes from 1 to 1000".into()
    }

    fn special(&self) -> Vec<Edges> {
        vec![Edges([1, 1, 1]), Edges([1, 1, 3]), Edges([3, 1, 1]), Edges([7, 3, 1]), Edges([1, 1, 4]), Edges([4, 1, 1])]
    }

    fn tape_len(&self) -> usize {
        3
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Edges {
        Edges([tape.heavy(1000), tape.heavy(1000), tape.heavy(1000)])
    }
}

/// The sort is 1, 2, 3 strictly iff gamma < factor alpha + beta and alpha < factor gamma + beta.
fn triple(factor: i64) -> Check {
    ExactPart::new(EdgeTriples, move |at: &Edges| {
        let [alpha, beta, gamma] = at.0;
        let s = sums(&Scores { count: 3, upper: vec![-alpha, -beta, -gamma], other: Vec::new() }.matrix());
        let sorted = s[0] < s[1] && s[1] < s[2];
        let criterion = gamma < factor * alpha + beta && alpha < factor * gamma + beta;
        property(sorted == criterion, format!("S = {s:?}, criterion {criterion}"))
    })
    .erase()
}

/// Some instance in two dimensions has a cycle.
fn plane_cycle() -> Sources {
    // Quadratics with (h, g) along two axes, target slope (1, 0): sigma_ij = h_j g_i - h_i g_j over the first axis, as vectors around the origin.
    Sources {
        sources: vec![Data::quadratic(&[2, 0, 1], &[0, 0]), Data::quadratic(&[1, 2, 1], &[-1, -1]), Data::quadratic(&[1, -2, 1], &[1, -1])],
        target: Data::quadratic(&[0, 0, 0], &[-1, 0]),
        theta: vec![0, 0],
    }
}

struct PlaneCycle;

impl Family for PlaneCycle {
    type Instance = Sources;

    fn id(&self) -> String {
        "plane-cycle".into()
    }

    fn domain(&self) -> String {
        "three convex or indefinite quadratics in the plane".into()
    }

    fn special(&self) -> Vec<Sources> {
        vec![plane_cycle()]
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Sources {
        plane_cycle()
    }
}

fn has_cycle() -> Check {
    ExactPart::new(PlaneCycle, |at: &Sources| {
        let matrix = scores_matrix(&at.entrants());
        property(!cycles(&matrix).is_empty(), format!("sigma = {matrix:?}"))
    })
    .covering(Coverage::FiniteFamily)
    .erase()
}

fn transitive_in_the_plane() -> Check {
    ExactPart::new(Fields { most: 4, dimension: 2 }, |at: &Sources| {
        let matrix = scores_matrix(&at.entrants());
        property(cycles(&matrix).is_empty(), format!("sigma = {matrix:?}"))
    })
    .erase()
}

fn transitive() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part("order", "weights of one sign: ordered by g_E g_i/h_i ascending, every score agrees, so there is no cycle", ordered_by_ratio(false)),
            part(
                "rank-2",
                "in one dimension any four scores satisfy s_12 s_34 - s_13 s_24 + s_14 s_23 = 0: sigma has rank at most 2",
                identity(&["h_1", "g_1", "h_2", "g_2", "h_3", "g_3", "h_4", "g_4", "g_E"], Pfaffian, Nought),
            ),
            part(
                "triple",
                "edge sizes alpha, beta, gamma of 1 < 2 < 3: the row sums sort it so iff gamma < 2 alpha + beta and alpha < 2 gamma + beta",
                triple(2),
            ),
            part("plane", "in two dimensions there are cycles", has_cycle()),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("mixed-signs", "weights of any sign", ordered_by_ratio(true)),
            mutant("factor-1", "gamma < alpha + beta and alpha < gamma + beta", triple(1)),
            mutant("plane-transitive", "the tournament is transitive in two dimensions", transitive_in_the_plane()),
        ]
    }
    Claim {
        id: "lie-bracket/transitive-1d",
        statement: "d = 1, all h_i nonzero and of one sign, g_E not 0: sigma_ij = g_E h_i h_j (g_i/h_i - g_j/h_j), so the tournament is transitive, ordered by g_E g_i/h_i ascending; a transitive triple with edge sizes alpha, beta, gamma is sorted by its row sums iff gamma < 2 alpha + beta and alpha < 2 gamma + beta; in two dimensions cycles occur",
        assumptions: &["one dimension for the first two"],
        provenance: Provenance::Derived,
        source: "ours",
        declared: Verdict::Holds,
        argument: "h_i h_j > 0, so the sign of a score is that of a difference of keys. S_i weighs each edge by h_i h_j and need not sort the same way. In general sigma is an antisymmetric matrix of rank at most 2d, and minimizing F is a linear-ordering problem.",
        gap: Some("N above 6; weights above 30"),
        finding: None,
        see: &["lie-bracket/row-sum-as-printed"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// --- The ensemble -----------------------------------------------------------------------------------------------------------------------------------

fn arm(name: &str, asserted: Asserted, bound: Rational) -> Arm {
    Arm { name: name.into(), knowledge: Knowledge::Bounded { low: 0.0, high: 1.0 }, asserted, bound: Interval::from_rational(&bound), draws: 40_000 }
}

fn rates(arms: &[(&str, Ensemble, Asserted, Rational)]) -> Check {
    arms.iter()
        .fold(
            StatisticalPart::new("N = 3, d = 4, g_i and g_E iid N(0, I), H_i = (Z + Z')/2 with iid N(0, 1) entries"),
            |part, (name, what, asserted, bound)| {
                let what = *what;
                part.arm(arm(name, *asserted, bound.clone()), move |words, out| ensemble(what, words, out))
            },
        )
        .erase()
}

fn recovery() -> Claim {
    fn parts() -> Vec<Part> {
        vec![part(
            "rates",
            "the sort is the best order with probability between 0.62 and 0.70; the tournament is transitive with probability between 0.71 and 0.79",
            rates(&[
                ("recovered, at least", Ensemble::Recovered, Asserted::AtLeast, q(62, 100)),
                ("recovered, at most", Ensemble::Recovered, Asserted::AtMost, q(70, 100)),
                ("transitive, at least", Ensemble::Transitive, Asserted::AtLeast, q(71, 100)),
                ("transitive, at most", Ensemble::Transitive, Asserted::AtMost, q(79, 100)),
            ]),
        )]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant(
                "published-rate",
                "the sort is the best order with probability at least 0.875",
                rates(&[("recovered", Ensemble::Recovered, Asserted::AtLeast, q(7, 8))]),
            ),
            mutant("chance", "it is no better than chance, 1/6", rates(&[("recovered", Ensemble::Recovered, Asserted::AtMost, q(1, 6))])),
        ]
    }
    Claim {
        id: "lie-bracket/recovery-rate",
        statement: "random quadratics (N = 3, d = 4, Gaussian gradients and symmetric Gaussian Hessians): the order by row sums minimizes F with probability about 0.662 (chance: 1/6), and the tournament is transitive with probability about 0.75",
        assumptions: &["the ensemble as described; the recovery rates in the abstract are of trained networks"],
        provenance: Provenance::Derived,
        source: "ours: 0.6623 and 0.7500, each +- 0.0010, from 2 million draws",
        declared: Verdict::Supported,
        argument: "Each draw is 0 or 1; the means are tested by betting at a fixed level. The abstract's 87.5% is a rate on its own networks, not a theorem, and this ensemble does not reach it.",
        gap: None,
        finding: None,
        see: &["lie-bracket/row-sum-as-printed"],
        parts,
        mutants,
        without_mutants: None,
    }
}
