//! The computed steps of the proof of `emp/mass-exact`: polynomial identities decided by degree, signs decided over boxes.

use super::claims::{mutant, one, part};
use claim::{CertifiedPart, Check, Claim, Formula, Mutant, Parameter, Part, Polynomial, Provenance, Sign, Verdict, identity, polynomial};
use numeric::{Field, Rational};

pub(super) fn all() -> Vec<Claim> {
    vec![step_3(), step_4(), step_5()]
}

fn n<S: Field>(value: i64) -> S {
    S::from_i64(value)
}

// Step 3, in (nu, q, y): A = y + nu (q - y^2)/(1 + y), so A (1 + y) = y (1 + y) + nu (q - y^2) =: top.
polynomial!(DerivativeByQuotientRule, |x| {
    let (nu, q, y) = (x[0].clone(), x[1].clone(), x[2].clone());
    let top = y.clone() * (n::<S>(1) + y.clone()) + nu.clone() * (q - y.square());
    let slope = n::<S>(1) + n::<S>(2) * y.clone() - n::<S>(2) * nu * y.clone();
    slope * (n::<S>(1) + y) - top
});
polynomial!(SignOfDerivative, |x| {
    let (nu, q, y) = (x[0].clone(), x[1].clone(), x[2].clone());
    (n::<S>(1) - nu.clone() * q) - (nu - n::<S>(1)) * (n::<S>(2) * y.clone() + y.square())
});
polynomial!(SignOfDerivativeOff, |x| {
    let (nu, q, y) = (x[0].clone(), x[1].clone(), x[2].clone());
    (n::<S>(1) - nu.clone() * q) - (nu + n::<S>(1)) * (n::<S>(2) * y.clone() + y.square())
});
polynomial!(ClosedFormOfA, |x| {
    // [nu/k + ((k - nu)/k) y] k (1 + y) with q k = 1 + y^2 (k - 1)
    let (nu, k, y) = (x[0].clone(), x[1].clone(), x[2].clone());
    (nu.clone() + (k - nu) * y.clone()) * (n::<S>(1) + y)
});
polynomial!(ClosedFormOfATwo, |x| {
    // [y + nu (q - y^2)/(1 + y)] k (1 + y)
    let (nu, k, y) = (x[0].clone(), x[1].clone(), x[2].clone());
    let qk = n::<S>(1) + y.square() * (k.clone() - n::<S>(1));
    y.clone() * (n::<S>(1) + y.clone()) * k.clone() + nu * (qk - y.square() * k)
});
// (q k' - 1)(k - 1) - (q k - 1)(k' - 1) = (1 - q)(k' - k): y grows with k.
polynomial!(RootGrows, |x| {
    let (q, k, l) = (x[0].clone(), x[1].clone(), x[2].clone());
    (q.clone() * l.clone() - n::<S>(1)) * (k.clone() - n::<S>(1)) - (q * k - n::<S>(1)) * (l - n::<S>(1))
});
polynomial!(RootGrowsBy, |x| (n::<S>(1) - x[0].clone()) * (x[2].clone() - x[1].clone()));
// (k - 1) - (q k - 1) = k (1 - q): y is at most 1.
polynomial!(RootBelowOne, |x| (x[1].clone() - n::<S>(1)) - (x[0].clone() * x[1].clone() - n::<S>(1)));
polynomial!(RootBelowOneBy, |x| x[1].clone() * (n::<S>(1) - x[0].clone()));
// The sign expression at y minus that at z, in (nu, q, y, z).
polynomial!(SignChange, |x| {
    let at = |y: &S| Polynomial::eval(&SignOfDerivative, &[x[0].clone(), x[1].clone(), y.clone()]);
    at(&x[2]) - at(&x[3])
});
polynomial!(SignChangeBy, |x| {
    let (nu, y, z) = (x[0].clone(), x[2].clone(), x[3].clone());
    (nu - n::<S>(1)) * (z.clone() - y.clone()) * (n::<S>(2) + y + z)
});
// 1/nu times the factor of z - y there, in (s, y, z) with s = 1/nu.
polynomial!(SignFalls, |x| (n::<S>(1) - x[0].clone()) * (n::<S>(2) + x[1].clone() + x[2].clone()));
polynomial!(SignFallsTooFast, |x| Polynomial::eval(&SignFalls, x) - n::<S>(1));
polynomial!(SignAtOne, |x| Polynomial::eval(&SignOfDerivative, &[n::<S>(1), x[0].clone(), x[1].clone()]));
polynomial!(OneMinusFirst, |x| n::<S>(1) - x[0].clone());

fn step_3() -> Claim {
    fn falls(margin: impl Formula) -> Check {
        let unit = |name, high| Parameter::real(name, Rational::from(0), high);
        CertifiedPart::new(
            vec![unit("s", Rational::new(1, 2)), unit("y", one()), unit("y'", one())],
            "all real nu >= 2 (s = 1/nu in (0, 1/2]), y and y' in [0, 1]",
            margin,
            Sign::Positive,
        )
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part(
                "closed-form",
                "with q k = 1 + y^2 (k - 1): nu/k + ((k - nu)/k) y = y + nu (q - y^2)/(1 + y), multiplied by k (1 + y)",
                identity(&["nu", "k", "y"], ClosedFormOfA, ClosedFormOfATwo),
            ),
            part(
                "derivative",
                "(1 + y)^2 dA/dy = (1 - nu q) - (nu - 1)(2y + y^2)",
                identity(&["nu", "q", "y"], DerivativeByQuotientRule, SignOfDerivative),
            ),
            part(
                "root-grows",
                "y^2 = (q k - 1)/(k - 1) grows with k: the cross-multiplied difference is (1 - q)(k' - k)",
                identity(&["q", "k", "k'"], RootGrows, RootGrowsBy),
            ),
            part("root-bounded", "y <= 1: (k - 1) - (q k - 1) = k (1 - q)", identity(&["q", "k"], RootBelowOne, RootBelowOneBy)),
            part(
                "sign-change",
                "the sign expression at y minus that at y' is (nu - 1)(y' - y)(2 + y + y')",
                identity(&["nu", "q", "y", "y'"], SignChange, SignChangeBy),
            ),
            part("sign-falls", "so it falls strictly in y: (1 - s)(2 + y + y') > 0 for s = 1/nu", falls(SignFalls)),
            part("nu-one", "at nu = 1 the sign expression is 1 - q whatever y is: A only rises", identity(&["q", "y"], SignAtOne, OneMinusFirst)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant(
                "sign-plus-one",
                "(1 + y)^2 dA/dy = (1 - nu q) - (nu + 1)(2y + y^2)",
                identity(&["nu", "q", "y"], DerivativeByQuotientRule, SignOfDerivativeOff),
            ),
            mutant("falls-faster", "(1 - s)(2 + y + y') > 1", falls(SignFallsTooFast)),
        ]
    }
    Claim {
        id: "emp/mass-step-3",
        statement: "For fixed q, A(q, nu, k) as a function of real k rises and then falls (or only does one of them), so its least value over a range of k is at an end, for all real nu >= 2; at nu = 1 it only rises",
        assumptions: &["nu >= 2 real (or nu = 1)", "k > nu, q k >= 1, q <= 1"],
        provenance: Provenance::Derived,
        source: "step (3) of the proof of emp/mass-exact",
        declared: Verdict::Proved,
        argument: "y = sqrt((q k - 1)/(k - 1)) grows with k and lies in [0, 1]; A = y + nu(q - y^2)/(1 + y), whose derivative in y has the sign of (1 - nu q) - (nu - 1)(2y + y^2), which falls strictly in y for nu > 1; at nu = 1 it is 1 - q.",
        gap: None,
        finding: None,
        see: &["emp/mass-exact", "emp/mass-step-4"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// Step 4. In (nu, y, z), the roots at k = nu + 1 and nu + 2: (nu+1)(nu+2) (A at nu+1 - A at nu+2), first by the definition of A.
polynomial!(ClearedDifference, |x| {
    let (nu, y, z) = (x[0].clone(), x[1].clone(), x[2].clone());
    (nu.clone() + n::<S>(2)) * (nu.clone() + y) - (nu.clone() + n::<S>(1)) * (nu + n::<S>(2) * z)
});
polynomial!(ClearedDifferenceBy, |x| {
    let (nu, y, z) = (x[0].clone(), x[1].clone(), x[2].clone());
    (nu.clone() + (nu.clone() + n::<S>(2)) * y) - n::<S>(2) * (nu + n::<S>(1)) * z
});
// (nu+1)^2 z^2 = (nu+1)[(nu+2) q - 1] with (nu+1) q = 1 + nu y^2.
polynomial!(SecondRoot, |x| {
    let (nu, y) = (x[0].clone(), x[1].clone());
    (nu.clone() + n::<S>(2)) * (n::<S>(1) + nu.clone() * y.square()) - (nu + n::<S>(1))
});
polynomial!(SecondRootBy, |x| {
    let (nu, y) = (x[0].clone(), x[1].clone());
    n::<S>(1) + nu.clone() * (nu + n::<S>(2)) * y.square()
});
// In (nu, y): the squares of both sides, (nu + (nu+2) y)^2 - 4 (nu+1)^2 z^2.
polynomial!(SquaredDifference, |x| {
    let (nu, y) = (x[0].clone(), x[1].clone());
    (nu.clone() + (nu + n::<S>(2)) * y).square() - n::<S>(4) * Polynomial::eval(&SecondRoot, x)
});
polynomial!(Factored, |x| (x[0].clone() + n::<S>(2)) * Polynomial::eval(&Bracket, x));
polynomial!(Bracket, |x| {
    let (nu, y) = (x[0].clone(), x[1].clone());
    (nu.clone() - n::<S>(2)) + n::<S>(2) * nu.clone() * y.clone() - (n::<S>(3) * nu - n::<S>(2)) * y.square()
});
polynomial!(BracketByNu, |x| {
    let (nu, y) = (x[0].clone(), x[1].clone());
    nu * slope_part(&y) + level_part(&y)
});
polynomial!(Substituted, |x| {
    // (1 - 2s) + y (2 - (3 - 2s) y)
    let (s, y) = (x[0].clone(), x[1].clone());
    (n::<S>(1) - n::<S>(2) * s.clone()) + y.clone() * (n::<S>(2) - (n::<S>(3) - n::<S>(2) * s) * y)
});
polynomial!(SubstitutedByS, |x| {
    let (s, y) = (x[0].clone(), x[1].clone());
    slope_part(&y) + s * level_part(&y)
});
polynomial!(SubstitutedOff, |x| {
    let (s, y) = (x[0].clone(), x[1].clone());
    (n::<S>(1) - n::<S>(2) * s.clone()) + y.clone() * (n::<S>(2) - (n::<S>(4) + n::<S>(10) * s) * y)
});
polynomial!(Factor, |x| n::<S>(2) - (n::<S>(3) - n::<S>(2) * x[0].clone()) * x[1].clone());
polynomial!(BelowDiagonal, |x| x[0].clone() - x[1].clone());
polynomial!(NuOne, |x| Polynomial::eval(&Bracket, &[n::<S>(1), x[0].clone()]));
polynomial!(MinusSquare, |x| -(n::<S>(1) - x[0].clone()).square());

/// The coefficient of nu in the bracket: 1 + 2y - 3y^2.
fn slope_part<S: Field>(y: &S) -> S {
    n::<S>(1) + n::<S>(2) * y.clone() - n::<S>(3) * y.square()
}

/// The rest of the bracket: -2 + 2y^2.
fn level_part<S: Field>(y: &S) -> S {
    n::<S>(2) * y.square() - n::<S>(2)
}

fn step_4() -> Claim {
    fn triangle(margin: impl Formula, sign: Sign) -> Check {
        CertifiedPart::new(
            vec![Parameter::real("s", Rational::from(0), Rational::new(1, 2)), Parameter::real("y", Rational::from(0), Rational::new(1, 2))],
            "all real nu >= 2 (s = 1/nu in (0, 1/2]), 0 <= y <= s",
            margin,
            sign,
        )
        .assuming(BelowDiagonal, Sign::NonNegative)
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part(
                "cleared",
                "(nu+1)(nu+2)(A at nu+1 - A at nu+2) = (nu + (nu+2) y) - 2 (nu+1) y', y and y' the roots at k = nu+1 and nu+2",
                identity(&["nu", "y", "y'"], ClearedDifference, ClearedDifferenceBy),
            ),
            part("root", "(nu+1)^2 y'^2 = 1 + nu (nu+2) y^2", identity(&["nu", "y"], SecondRoot, SecondRootBy)),
            part(
                "difference",
                "(nu + (nu+2) y)^2 - 4 (nu+1)^2 y'^2, the squared difference, is (nu + 2)[(nu - 2) + 2 nu y - (3 nu - 2) y^2]",
                identity(&["nu", "y"], SquaredDifference, Factored),
            ),
            part("bracket", "the bracket is nu (1 + 2y - 3y^2) + (2y^2 - 2)", identity(&["nu", "y"], Bracket, BracketByNu)),
            part(
                "substituted",
                "1/nu times the bracket at nu = 1/s is (1 - 2s) + y (2 - (3 - 2s) y), which is (1 + 2y - 3y^2) + s (2y^2 - 2)",
                identity(&["s", "y"], Substituted, SubstitutedByS),
            ),
            part("nonnegative", "(1 - 2s) + y (2 - (3 - 2s) y) >= 0", triangle(Substituted, Sign::NonNegative)),
            part("strict", "2 - (3 - 2s) y > 0, so the difference is positive once y > 0", triangle(Factor, Sign::Positive)),
            part("nu-one", "at nu = 1 the bracket is -(1 - y)^2", identity(&["y"], NuOne, MinusSquare)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("coefficient", "(1 - 2s) + y (2 - (4 + 10 s) y) >= 0", triangle(SubstitutedOff, Sign::NonNegative)),
            mutant("strict-at-corner", "(1 - 2s) + y (2 - (3 - 2s) y) > 0", triangle(Substituted, Sign::Positive)),
            mutant("unfactored", "the squared difference is the bracket alone", identity(&["nu", "y"], SquaredDifference, Bracket)),
        ]
    }
    Claim {
        id: "emp/mass-step-4",
        statement: "A(q, nu, nu+2) <= A(q, nu, nu+1) for all real nu >= 2 and 0 <= y <= 1/nu, y the root at k = nu + 1; at nu = 1 the inequality is reversed",
        assumptions: &["nu >= 2 real", "1/(nu+1) <= q <= 1/nu, that is 0 <= y <= 1/nu at k = nu + 1"],
        provenance: Provenance::Derived,
        source: "step (4) of the proof of emp/mass-exact",
        declared: Verdict::Proved,
        argument: "A at nu+2 is not above A at nu+1 iff 2 (nu+1) y2 <= nu + (nu+2) y with (nu+1)^2 y2^2 = 1 + nu(nu+2) y^2; both sides are not negative, so square. With s = 1/nu the difference is a positive multiple of (1-2s) + y(2 - (3-2s)y), a sum of two nonnegative terms, zero only at nu = 2, y = 0.",
        gap: None,
        finding: None,
        see: &["emp/mass-exact"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// Step 5, in (q, q', k): (q' k - 1) - (q k - 1) = k (q' - q).
polynomial!(RootInQ, |x| (x[1].clone() * x[2].clone() - n::<S>(1)) - (x[0].clone() * x[2].clone() - n::<S>(1)));
polynomial!(RootInQBy, |x| x[2].clone() * (x[1].clone() - x[0].clone()));
polynomial!(RootInQOff, |x| x[1].clone() - x[0].clone());
// In (nu, N): the radicand of A at q = 1/(nu+1), k = N, and that of t(nu, N), both times (nu+1)(N-1).
polynomial!(RadicandOfA, |x| x[1].clone() - (x[0].clone() + n::<S>(1)));
polynomial!(RadicandOfT, |x| x[1].clone() - x[0].clone() - n::<S>(1));
polynomial!(RadicandOff, |x| x[1].clone() - x[0].clone());

fn step_5() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part("root-rises", "(k - 1)(y'^2 - y^2) = k (q' - q), y and y' the roots at q and q'", identity(&["q", "q'", "k"], RootInQ, RootInQBy)),
            part(
                "printed",
                "at q = 1/(nu+1), k = N the radicand is that of t(nu, N), so A is P: both times (nu+1)(N-1)",
                identity(&["nu", "N"], RadicandOfA, RadicandOfT),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("root-constant", "(k - 1)(y'^2 - y^2) = (q' - q)", identity(&["q", "q'", "k"], RootInQ, RootInQOff)),
            mutant("printed-off-by-one", "the radicand of t(nu, N) is (N - nu)/((nu+1)(N-1))", identity(&["nu", "N"], RadicandOfA, RadicandOff)),
        ]
    }
    Claim {
        id: "emp/mass-step-5",
        statement: "A(q, nu, k) rises strictly in q for k > nu, and A(1/(nu+1), nu, N) = P(nu, N): so A(q, nu, N) > P(nu, N) for q > 1/(nu+1)",
        assumptions: &["k > nu >= 1, k > 1 real", "q k >= 1"],
        provenance: Provenance::Derived,
        source: "step (5) of the proof of emp/mass-exact",
        declared: Verdict::Proved,
        argument: "A = nu/k + ((k - nu)/k) y with (k - nu)/k > 0, so A rises with y = sqrt((q k - 1)/(k - 1)), and y^2 rises with q at the rate k/(k - 1). P(nu, N) is the same expression with t(nu, N) in place of y.",
        gap: None,
        finding: None,
        see: &["emp/mass-exact"],
        parts,
        mutants,
        without_mutants: None,
    }
}
