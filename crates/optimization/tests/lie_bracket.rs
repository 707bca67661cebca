//! The paper `lie-bracket` against values worked out by hand and with independent exact arithmetic.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use claim::Polynomial;
use numeric::{Field, Interval, Rational, Real};
use optimization::lie_bracket::algorithm::{
    AffineField, best_order, controlled, cycles, cyclic_share, dot, drift_reference, minus, pass, pass_with_momentum, repeated, schedule_value,
    scores_matrix,
};
use optimization::lie_bracket::bounds::{PairAt, commutator_remainder};
use optimization::lie_bracket::instances::{on_a_line, reference_pair, reference_third};
use optimization::lie_bracket::{
    Automatic, AutomaticPolynomial, First, Loss, LossFormula, PolynomialLoss, Radius, Reference, bracket, certified_eta, entrants, order_by_score,
    pair_score, row_sums,
};

fn r(text: &str) -> Rational {
    text.parse().unwrap()
}

fn v(text: &str) -> Vec<Rational> {
    text.split_whitespace().map(r).collect()
}

struct Table {
    a: PolynomialLoss<Rational>,
    b: PolynomialLoss<Rational>,
    c: PolynomialLoss<Rational>,
    e: PolynomialLoss<Rational>,
    theta: Vec<Rational>,
    eta: Rational,
}

fn table() -> Table {
    let pair = reference_pair();
    let [a, b, e] = pair.losses();
    Table { a, b, c: reference_third().loss(), e, theta: pair.start(), eta: pair.step_size() }
}

#[test]
fn two_updates_in_two_orders() {
    let Table { a, b, c, e, theta, eta } = table();
    assert_eq!(a.gradient(&theta), v("0 -2"));
    assert_eq!(b.gradient(&theta), v("2 -7"));
    assert_eq!(c.gradient(&theta), v("4 -2"));
    assert_eq!(e.gradient(&theta), v("0 -1"));
    assert_eq!(bracket(&a, &b, &theta), v("5 11"));
    let (ab, ba) = (pass(&[&a, &b], &eta, &theta), pass(&[&b, &a], &eta, &theta));
    assert_eq!((ab.clone(), ba.clone()), (v("41/50 -9/50"), v("77/100 -29/100")));
    assert_eq!(minus(&ab, &ba), v("1/20 11/100"));
    let effect = e.value(&ab) - e.value(&ba);
    assert_eq!(effect, r("961/20000"));
    // The score at the start has the wrong sign at this step size, the one at the drift reference the right one.
    let (sigma, first) = pair_score(&a, &b, &e, &eta, &theta, Reference::Start);
    assert_eq!((eta.square() * sigma, first), (r("-11/100"), First::A));
    assert_eq!(pair_score(&a, &b, &e, &eta, &theta, Reference::Drift), (r("39/5"), First::B));
    assert_eq!(pair_score(&a, &a, &e, &eta, &theta, Reference::Start).1, First::Tie);
    let reference = drift_reference(&a, &b, &eta, &theta);
    assert_eq!((reference.clone(), e.value(&reference)), (v("4/5 -1/10"), r("-57/100")));
    let moved = controlled(&a, &b, &eta, &theta, 1);
    assert_eq!((moved.clone(), e.value(&moved)), (v("31/40 -31/200"), r("-48453/80000")));
    assert_eq!(e.value(&moved) - e.value(&reference) + r("1/2") * eta.square() * r("39/5"), r("267/80000"));
    assert_eq!(
        minus(&pass_with_momentum(&[&a, &b], &eta, &r("9/10"), &theta), &pass_with_momentum(&[&b, &a], &eta, &r("9/10"), &theta)),
        v("23/100 -17/50")
    );
}

#[test]
fn the_effect_as_a_polynomial_in_eta_and_the_certified_radius() {
    let Table { a, b, e, theta, .. } = table();
    for eta in ["1/10", "1/7", "3", "1/1000"].map(r) {
        let effect = e.value(&pass(&[&a, &b], &eta, &theta)) - e.value(&pass(&[&b, &a], &eta, &theta));
        let expected = r("-11") + r("188") * eta.clone() - r("599/2") * eta.square();
        assert_eq!(effect / eta.square(), expected);
    }
    // The sign turns where -11 + 188 x - 599/2 x^2 = 0, at 0.0653046..
    let sign = |eta: &str| (r("-11") + r("188") * r(eta) - r("599/2") * r(eta).square()).signum();
    assert_eq!((sign("0.0653046"), sign("0.0653047")), (Some(-1), Some(1)));
    let pair = PairAt::new(&a.gradient(&theta), &b.gradient(&theta), &a.hessian, &b.hessian);
    let Radius::Below(radius) = certified_eta::<Interval>(&e.hessian, &e.gradient(&theta), &pair) else { panic!("a radius") };
    // L_E = 2, |b| = sqrt 146, |g_A + g_B| = sqrt 85, |H_B g_A + H_A g_B|: (2, -8) + (-3, -19).
    let (l_b, g, h) = (2.0 * 146.0_f64.sqrt(), 85.0_f64.sqrt(), (1.0_f64 + 27.0 * 27.0).sqrt());
    let at = |x: f64| l_b * (x * g + x * x / 2.0 * h);
    assert!(at(radius.lo()) <= 11.0 + 1e-9 && at(radius.hi()) >= 11.0 - 1e-9);
    assert!(radius.lo() > 0.0462 && radius.hi() < 0.04624, "{radius:?}");
}

#[test]
fn the_tournament_of_three() {
    let Table { a, b, c, e, theta, eta } = table();
    let all = entrants(&[&a, &b, &c], &e, &theta);
    let curved: Vec<Vec<Rational>> = all.iter().map(|entrant| entrant.curved.clone()).collect();
    assert_eq!(curved, [v("-1 -3"), v("1 -4"), v("0 -1")]);
    let matrix = scores_matrix(&all);
    assert_eq!((matrix[0][1].clone(), matrix[0][2].clone(), matrix[1][2].clone()), (r("-11"), r("0"), r("-5")));
    let scores = row_sums(&all);
    assert_eq!(scores, v("-11 6 5"));
    assert_eq!(order_by_score(&scores), [0, 2, 1]);
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let values = ["17", "22", "28", "28", "22", "33"];
    let exact = ["-209909/500000", "-231607/500000", "-955437/2000000", "-40413/80000", "-121313/250000", "-10599/20000"];
    let losses: [&dyn Loss<Rational>; 3] = [&a, &b, &c];
    for ((order, value), exact) in orders.iter().zip(values).zip(exact) {
        assert_eq!(schedule_value(&all, order), r(value));
        assert_eq!(e.value(&pass(&order.map(|index| losses[index]), &eta, &theta)), r(exact));
    }
    assert_eq!(best_order(&matrix).unwrap().0, [0, 1, 2]);
    assert!(cycles(&matrix).is_empty());
    // One source, and none.
    assert_eq!(order_by_score(&row_sums(&all[..1])), [0]);
    assert!(row_sums::<Rational>(&[]).is_empty());
}

#[test]
fn a_transitive_tournament_that_row_sums_sort_wrongly() {
    let all = on_a_line(&[(2, -3), (3, -1), (1, 0)], 1).entrants();
    let matrix = scores_matrix(&all);
    assert_eq!((matrix[0][1].clone(), matrix[0][2].clone(), matrix[1][2].clone()), (r("-7"), r("-3"), r("-1")));
    assert_eq!(row_sums(&all), v("-10 6 4"));
    assert_eq!((schedule_value(&all, &[0, 2, 1]), schedule_value(&all, &[0, 1, 2])), (r("-12"), r("-13")));
    assert_eq!(best_order(&matrix).unwrap(), (vec![0, 1, 2], r("-11")));
}

#[test]
fn cycles_and_the_cyclic_part() {
    let matrix = |upper: [i64; 6]| {
        let place = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        let mut rows = vec![vec![Rational::from(0); 4]; 4];
        for ((i, j), value) in place.into_iter().zip(upper) {
            rows[i][j] = Rational::from(value);
            rows[j][i] = Rational::from(-value);
        }
        rows
    };
    // 1 before 2 before 3 before 1.
    assert_eq!(cycles(&matrix([-1, 1, 0, -1, 0, 0])), [[0, 1, 2]]);
    // Two cycles of three through 3 before 1, one each way around by index.
    assert_eq!(cycles(&matrix([-1, 1, -1, -1, 0, 1])), [[0, 1, 2], [0, 3, 2]]);
    // A cycle of four whose diagonals are ties.
    assert_eq!(cycles(&matrix([-1, 0, 1, -1, 0, -1])), [[0, 1, 2, 3]]);
    assert!(cycles(&matrix([-1, -1, -1, -1, -1, -1])).is_empty());
    // Differences of potentials have no cyclic part; a pure cycle has nothing else.
    assert_eq!(cyclic_share(&matrix([1, 2, 3, 1, 2, 1])).1, r("0"));
    let (all, cyclic) = cyclic_share(&matrix([-1, 0, 1, -1, 0, -1]));
    assert_eq!(all, cyclic);
}

#[test]
#[expect(clippy::needless_range_loop, reason = "both triangles are filled")]
fn the_best_order_by_subsets_is_the_best_of_all() {
    let mut state = 5_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as i64 % 11 - 5
    };
    for _ in 0..40 {
        let mut rows = vec![vec![Rational::from(0); 5]; 5];
        for i in 0..5 {
            for j in i + 1..5 {
                let value = next();
                rows[i][j] = Rational::from(value);
                rows[j][i] = Rational::from(-value);
            }
        }
        let value = |order: &[usize]| {
            let mut sum = Rational::from(0);
            for (place, &j) in order.iter().enumerate() {
                for &i in &order[..place] {
                    sum = sum + rows[i][j].clone();
                }
            }
            sum
        };
        let mut all: Vec<Vec<usize>> = vec![vec![]];
        for _ in 0..5 {
            all = all
                .iter()
                .flat_map(|order| (0..5).filter(|i| !order.contains(i)).map(|i| [order.clone(), vec![i]].concat()).collect::<Vec<_>>())
                .collect();
        }
        // min_by keeps the first of equals: lexicographic order.
        let best = all.iter().min_by(|x, y| value(x).cmp_exact(&value(y)).unwrap()).unwrap();
        assert_eq!(best_order(&rows).unwrap(), (best.clone(), value(best)));
    }
}

#[test]
fn affine_fields() {
    let Table { a, b, c, theta, .. } = table();
    let [x, y, z] = [&a, &b, &c].map(AffineField::descent);
    let field = x.bracket(&y);
    assert_eq!((field.matrix.concat(), field.offset.clone()), (v("0 -4 4 0"), v("1 7")));
    assert_eq!(field.at(&theta), bracket(&a, &b, &theta));
    let terms = [x.bracket(&y.bracket(&z)), y.bracket(&z.bracket(&x)), z.bracket(&x.bracket(&y))];
    let expected = [("4 2 2 -4", "-1 9"), ("-4 6 6 4", "2 -12"), ("0 -8 -8 0", "-1 3")];
    for (term, (matrix, offset)) in terms.iter().zip(expected) {
        assert_eq!((term.matrix.concat(), term.offset.clone()), (v(matrix), v(offset)));
    }
}

#[test]
fn several_steps() {
    let Table { a, b, theta, eta, .. } = table();
    let difference = |k| minus(&repeated(&a, &b, k, &eta, &theta), &repeated(&b, &a, k, &eta, &theta));
    assert_eq!(difference(2), v("1111/10000 2863/10000"));
    assert_eq!(difference(5), v("54953363/400000000 49960509/80000000"));
    // One dimension at 0: A (g 2, h 1), B (g 0, h 2), E (g 1, h 2).
    let of = |g: &str, h: &str| PolynomialLoss::quadratic(vec![vec![r(h)]], vec![-r(g)]);
    let (a, b, e) = (of("2", "1"), of("0", "2"), of("1", "2"));
    let zero = [r("0")];
    let effect = |k| e.value(&repeated(&a, &b, k, &eta, &zero)) - e.value(&repeated(&b, &a, k, &eta, &zero));
    assert_eq!((effect(1), effect(2), effect(3)), (r("16/625"), r("0.05154624"), r("0.047740470016")));
    let near = |value: Rational, text: &str| (value.to_f64_nearest() - text.parse::<f64>().unwrap()).abs() < 1e-15;
    assert!(near(effect(5), "-0.0481243024180285") && near(effect(20), "-1.3495083999344024"));
}

#[test]
fn the_cubics_attain_the_remainder() {
    let of = |cubic: i64, slope: i64| PolynomialLoss {
        hessian: vec![vec![r("0")]],
        linear: vec![Rational::from(-slope)],
        direction: vec![r("1")],
        cubic: Rational::from(cubic),
        quartic: r("0"),
    };
    let (a, b, zero, eta) = (of(-2, 1), of(3, 2), [r("0")], r("1/10"));
    assert_eq!(bracket(&a, &b, &zero), v("0"));
    assert_eq!(minus(&pass(&[&a, &b], &eta, &zero), &pass(&[&b, &a], &eta, &zero)), v("-11/2000"));
    assert_eq!(commutator_remainder(&eta, (&r("2"), &r("3")), (&r("1"), &r("4"))), r("11/2000"));
}

/// x_1^3 x_2 + x_1 x_2^2 - 2 x_1: a polynomial whose derivatives are known.
struct Quartic;

impl Polynomial for Quartic {
    fn eval<S: Field>(&self, x: &[S]) -> S {
        x[0].powi(3) * x[1].clone() + x[0].clone() * x[1].square() - S::from_i64(2) * x[0].clone()
    }
}

/// ln(1 + e^(x_1 + 2 x_2)), which does not depend on x_3.
struct Logistic;

impl LossFormula for Logistic {
    fn dimension(&self) -> usize {
        3
    }

    fn eval<S: Real>(&self, x: &[S]) -> S {
        (x[0].clone() + S::from_i64(2) * x[1].clone()).exp().ln_1p()
    }
}

#[test]
fn automatic_derivatives() {
    let loss = AutomaticPolynomial(Quartic, 2);
    let x = v("1/2 -3");
    assert_eq!(Loss::<Rational>::value(&loss, &x), r("-3/8") + r("9/2") - r("1"));
    // (3 x^2 y + y^2 - 2, x^3 + 2 x y)
    assert_eq!(loss.gradient(&x), v("19/4 -23/8"));
    // Hessian [[6 x y, 3 x^2 + 2 y], [3 x^2 + 2 y, 2 x]] = [[-9, -21/4], [-21/4, 1]] times (1, 2).
    assert_eq!(loss.hessian_vector(&x, &v("1 2")), v("-39/2 -13/4"));
    // For a cubic, the central difference of the gradient is the Hessian-vector product exactly.
    let pair = reference_pair();
    let cubic = PolynomialLoss { direction: v("3 4"), cubic: r("5"), ..pair.losses()[0].clone() };
    let (h, g) = (r("1/3"), v("2 -1"));
    let moved = |sign: Rational| cubic.gradient(&x.iter().zip(&g).map(|(x, g)| x.clone() + sign.clone() * g.clone()).collect::<Vec<_>>());
    let central: Vec<Rational> = minus(&moved(h.clone()), &moved(-h.clone())).into_iter().map(|value| value / (r("2") * h.clone())).collect();
    assert_eq!(cubic.hessian_vector(&x, &g), central);
    // Enclosures: the gradient of the logistic loss at 0 is (1/2, 1, 0), its Hessian (1/4)[[1, 2], [2, 4]].
    let zero = [Interval::zero(), Interval::zero(), Interval::zero()];
    let close = |x: &Interval, value: f64| (x.mid() - value).abs() < 1e-14 && x.width() < 1e-13;
    let gradient = Automatic(Logistic).gradient(&zero);
    assert!(close(&gradient[0], 0.5) && close(&gradient[1], 1.0) && close(&gradient[2], 0.0), "{gradient:?}");
    let bent = Automatic(Logistic).hessian_vector(&zero, &[Interval::one(), Interval::one(), Interval::one()]);
    assert!(close(&bent[0], 0.75) && close(&bent[1], 1.5) && close(&bent[2], 0.0), "{bent:?}");
    // Symmetry: <H v, w> = <v, H w>.
    let (v_, w) = ([Interval::one(), Interval::zero(), Interval::zero()], [Interval::zero(), Interval::one(), Interval::zero()]);
    let at = [Interval::ratio(1, 3), Interval::ratio(-1, 5), Interval::zero()];
    let (left, right) = (Automatic(Logistic).hessian_vector(&at, &v_), Automatic(Logistic).hessian_vector(&at, &w));
    assert!((dot(&left, &w).mid() - dot(&right, &v_).mid()).abs() < 1e-14);
}
