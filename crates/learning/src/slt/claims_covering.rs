//! Covering and packing numbers: finite spaces, balls, l1 balls and their images; small balls.

use super::covering::{cover, greedy_packing, packing};
use super::enclosing::{ceiling, compare_enclosed, mutant, n, part, power, q, real, unknown};
use super::instances_covering::{
    Design, Designs, Draws, ExponentialSums, Exponentials, Grid, Grids, HistogramSums, Histograms, Overlaps, Pair, Pairs, Share, Shares, SmallGrids,
    Space, Spaces, SparsePackings, UniformSums, Uniforms, Vectors,
};
use claim::{Check, Claim, Coverage, ExactPart, Judgement, Mutant, Part, Provenance, Relation, Sides, Verdict};
use numeric::{Field, Ordered, QuadraticSurd, Rational, Real, Surd};

pub(super) fn all() -> Vec<Claim> {
    vec![covering_finite(), maximal_packing(), euclid_ball(), l1_ball(), l1_image(), small_ball()]
}

/// The covering number of `set` by balls around `centres`, its proof checked. An error is text for a witness.
fn covering(space: &Space, set: &[usize], centres: &[usize], within: impl Fn(i64) -> bool) -> Result<usize, String> {
    let holds = |p: usize, c: usize| within(space.distance[set[p]][centres[c]]);
    let found = cover(set.len(), centres.len(), holds).map_err(|error| error.to_string())?;
    found.verify(set.len(), centres.len(), holds).map_err(|error| error.to_string())?;
    Ok(found.size())
}

/// The packing number of `set`, its proof checked; `close` is distance <= eps.
fn packed(space: &Space, set: &[usize], close: impl Fn(i64) -> bool) -> Result<usize, String> {
    let near = |p: usize, q: usize| close(space.distance[set[p]][set[q]]);
    let found = packing(set.len(), near).map_err(|error| error.to_string())?;
    found.verify(set.len(), near).map_err(|error| error.to_string())?;
    Ok(found.size())
}

fn count(value: usize) -> Rational {
    Rational::from(value as u64)
}

/// Numbers compared, or the error as a property that does not hold.
fn numbers(sides: Result<(usize, usize), String>, relation: Relation) -> Judgement {
    match sides {
        Ok((lhs, rhs)) => Judgement::compare(count(lhs), relation, count(rhs)),
        Err(detail) => Judgement::Property { holds: false, detail },
    }
}

/// Twice the least radius of one ball around an allowed centre that holds the set; None for the empty set.
fn twice_radius(space: &Space, set: &[usize]) -> Option<i64> {
    let reach = |c: usize| set.iter().map(|&p| 2 * space.distance[p][c]).max();
    space.ambient().into_iter().filter_map(reach).min()
}

fn covering_finite() -> Claim {
    fn sides(check: impl Fn(&Space) -> Result<(usize, usize), String> + Send + Sync + 'static) -> Check {
        ExactPart::new(Spaces, move |space: &Space| numbers(check(space), Relation::Le)).erase()
    }
    /// N = 1 exactly from the threshold on, for a set that is not empty.
    fn one_ball(threshold: impl Fn(&Space) -> Option<i64> + Send + Sync + 'static) -> Check {
        ExactPart::new(Spaces, move |space: &Space| {
            let Some(threshold) = threshold(space) else { return Judgement::Unmet };
            match covering(space, &space.inside, &space.ambient(), |d| 2 * d <= space.radius) {
                Ok(number) => {
                    let holds = (number == 1) == (space.radius >= threshold);
                    Judgement::Property { holds, detail: format!("N = {number}, one ball asserted from eps = {} on", q(threshold, 2)) }
                }
                Err(detail) => Judgement::Property { holds: false, detail },
            }
        })
        .erase()
    }
    /// N(eps, s) <= N(eps, s') with the same radius.
    fn nested(centres: impl Fn(&Space, &[usize]) -> Vec<usize> + Send + Sync + 'static) -> Check {
        sides(move |space| {
            let number = |set: &[usize]| covering(space, set, &centres(space, set), |d| 2 * d <= space.radius);
            Ok((number(&space.inside)?, number(&space.around)?))
        })
    }
    fn finite(bound: impl Fn(usize) -> usize + Send + Sync + 'static) -> Check {
        sides(move |space| Ok((covering(space, &space.inside, &space.ambient(), |d| 2 * d <= space.radius)?, bound(space.inside.len()))))
    }
    fn parts() -> Vec<Part> {
        vec![
            part("finite", "N(eps, s) <= |s|: a least net is given, with a proof that none is smaller; N(eps, {}) = 0", finite(|size| size)),
            part(
                "monotone",
                "eps <= eps' gives N(eps', s) <= N(eps, s)",
                sides(|space| {
                    let number = |radius| covering(space, &space.inside, &space.ambient(), move |d| 2 * d <= radius);
                    Ok((number(space.larger)?, number(space.radius)?))
                }),
            ),
            part(
                "radius",
                "for s not empty, N(eps, s) = 1 iff eps >= the radius of s over the allowed centres",
                one_ball(|space| twice_radius(space, &space.inside)),
            ),
            part("nested", "s in s' gives N(eps, s) <= N(eps, s'), centres in the whole space", nested(|space, _| space.ambient())),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        let half_diameter = |space: &Space| {
            let distances = space.inside.iter().flat_map(|&p| space.inside.iter().map(move |&q| space.distance[p][q]));
            distances.max()
        };
        vec![
            mutant("half-diameter", "N(eps, s) = 1 iff eps >= diam(s)/2", one_ball(half_diameter)),
            mutant("own-centres", "N(eps, s) <= N(eps, s') for s in s' with the centres restricted to the set", nested(|_, set| set.to_vec())),
            mutant("one-less", "N(eps, s) <= |s| - 1 for |s| >= 2", finite(|size| if size >= 2 { size - 1 } else { size })),
        ]
    }
    Claim {
        id: "slt/covering-finite",
        statement: "eps > 0 and s totally bounded: N(eps, s) is finite. On finite spaces: N(eps, s) <= |s|, N does not rise with eps, N = 1 iff eps >= the radius of s over the allowed centres (s not empty), N(eps, {}) = 0; it rises with s when the centres stay the same",
        assumptions: &["eps > 0", "nets are finite sets of the ambient space, balls are closed"],
        provenance: Provenance::Paper,
        source: "coveringNumber_lt_top_of_totallyBounded, CoveringNumber.lean (tag v4.32.0 of the authors' library)",
        declared: Verdict::Holds,
        argument: "Finiteness is the definition of total boundedness. A finite set is a net of itself, a net for eps is one for every larger radius, and a net of s' is one of s. The centres belong to the statement: {0, 1} has N = 1 from eps = 1/2 on in the line, only from eps = 1 on in itself.",
        gap: Some("infinite totally bounded sets"),
        finding: None,
        see: &["slt/maximal-packing-net"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn maximal_packing() -> Claim {
    /// t in s; if each point of s outside t is within eps of t, then `net` of every point of s.
    fn hypothesis(net: fn(i64, i64) -> bool) -> Check {
        ExactPart::new(Spaces, move |space: &Space| {
            // t is the set, s is the larger one.
            let near = |p: usize| space.inside.iter().any(|&x| 2 * space.distance[p][x] <= space.radius);
            if space.around.iter().any(|p| !space.inside.contains(p) && !near(*p)) {
                return Judgement::Unmet;
            }
            let far = space.around.iter().find(|&&p| !space.inside.iter().any(|&x| net(2 * space.distance[p][x], space.radius)));
            let detail = far.map_or_else(|| "every point of s' is in a ball around s".to_owned(), |p| format!("point {p} is in no ball"));
            Judgement::Property { holds: far.is_none(), detail }
        })
        .erase()
    }
    /// A greedy maximal packing is a net, balls by `net`.
    fn greedy(net: fn(i64, i64) -> bool) -> Check {
        ExactPart::new(Spaces, move |space: &Space| {
            let chosen = greedy_packing(space.inside.len(), |p, q| 2 * space.distance[space.inside[p]][space.inside[q]] <= space.radius);
            let far = space.inside.iter().find(|&&p| !chosen.iter().any(|&x| net(2 * space.distance[p][space.inside[x]], space.radius)));
            let detail = format!("t = {chosen:?} of s, uncovered: {far:?}");
            Judgement::Property { holds: far.is_none(), detail }
        })
        .erase()
    }
    fn pair(check: impl Fn(&Space) -> Result<(usize, usize), String> + Send + Sync + 'static) -> Check {
        ExactPart::new(Spaces, move |space: &Space| numbers(check(space), Relation::Le)).erase()
    }
    /// P(share eps / 100) <= N(eps).
    fn lower(share: i64) -> Check {
        pair(move |space| {
            let number = covering(space, &space.inside, &space.ambient(), |d| 2 * d <= space.radius)?;
            Ok((packed(space, &space.inside, |d| 200 * d <= share * space.radius)?, number))
        })
    }
    /// N_int(eps) <= P(share eps / 100).
    fn upper(share: i64) -> Check {
        pair(move |space| {
            let number = covering(space, &space.inside, &space.inside, |d| 2 * d <= space.radius)?;
            Ok((number, packed(space, &space.inside, |d| 200 * d <= share * space.radius)?))
        })
    }
    fn parts() -> Vec<Part> {
        vec![
            part("maximal", "t in s finite and every a in s \\ t within eps of some x in t: t is an eps-net of s", hypothesis(|d, eps| d <= eps)),
            part("greedy", "going through s and taking what is farther than eps from all taken gives a net", greedy(|d, eps| d <= eps)),
            part("packing-below", "P(2 eps) <= N(eps)", lower(200)),
            part(
                "internal",
                "N(eps) <= N_int(eps), the number with centres in s",
                pair(|space| {
                    let number = |centres: &[usize]| covering(space, &space.inside, centres, |d| 2 * d <= space.radius);
                    Ok((number(&space.ambient())?, number(&space.inside)?))
                }),
            ),
            part("packing-above", "N_int(eps) <= P(eps)", upper(100)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("open-balls", "a greedy maximal packing covers with open balls", greedy(|d, eps| d < eps)),
            mutant("below-1.98", "P(1.98 eps) <= N(eps)", lower(198)),
            mutant("above-1.01", "N_int(eps) <= P(1.01 eps)", upper(101)),
            mutant(
                "internal-reversed",
                "N_int(eps) <= N(eps)",
                pair(|space| {
                    let number = |centres: &[usize]| covering(space, &space.inside, centres, |d| 2 * d <= space.radius);
                    Ok((number(&space.inside)?, number(&space.ambient())?))
                }),
            ),
        ]
    }
    Claim {
        id: "slt/maximal-packing-net",
        statement: "eps >= 0, t in s finite: if every a in s \\ t has some x in t with dist(a, x) <= eps, then t is an eps-net of s. So P(2 eps) <= N(eps) <= N_int(eps) <= P(eps), N_int with centres in s",
        assumptions: &["packings have distances strictly above eps", "balls are closed"],
        provenance: Provenance::Paper,
        source: "isENet_of_maximal, CoveringNumber.lean (tag v4.32.0 of the authors' library); the chain of numbers is ours",
        declared: Verdict::Holds,
        argument: "Points of t are their own centres. A closed eps-ball holds at most one point of a strict 2 eps-packing; a maximal packing is a net with centres in s. Equality everywhere at s = {0, 3}, eps = 1.",
        gap: Some("infinite sets"),
        finding: None,
        see: &["slt/covering-finite"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// (1 + 2R/eps)^d, with `two` in place of 2.
fn euclid_bound<S: Field>(ratio: &S, two: &S, dimension: u32) -> S {
    (S::one() + two.clone() * ratio.clone()).powi(dimension)
}

fn euclid_ball() -> Claim {
    /// N(eps, [-R, R]) = max(1, ceil(R/eps)): an explicit net, and the length 2R divided by 2 eps.
    fn line_covering(bound: fn(&Rational) -> Rational) -> Check {
        ExactPart::new(Shares { most: 50 }, move |share: &Share| {
            let Some(number) = ceiling(&share.ratio).map(|number| number.max(1)) else { return unknown() };
            // eps = 1: centres -R + (2i + 1) R/k, each ball reaching at least R/k to either side, and fewer balls are shorter than 2R together.
            let shorter = Rational::from(number - 1) < share.ratio || number == 1;
            if share.ratio.clone() / Rational::from(number) > n(1) || !shorter {
                return Judgement::Property { holds: false, detail: format!("{number} balls are not the least cover") };
            }
            Judgement::compare(Rational::from(number), Relation::Le, bound(&share.ratio))
        })
        .erase()
    }
    /// P(eps, [-R, R]) = max(1, ceil(2R/eps)): equally spaced points, and one point for each stretch of length eps.
    fn line_packing(bound: fn(&Rational) -> Rational) -> Check {
        ExactPart::new(Shares { most: 50 }, move |share: &Share| {
            let width = n(2) * share.ratio.clone();
            let Some(number) = ceiling(&width).map(|number| number.max(1)) else { return unknown() };
            // eps = 1: k points 2R/(k-1) > 1 apart; k + 1 points more than 1 apart would need a width above k.
            let apart = number == 1 || width.clone() / Rational::from(number - 1) > n(1);
            if !apart || width > Rational::from(number) {
                return Judgement::Property { holds: false, detail: format!("{number} points are not the largest packing") };
            }
            Judgement::compare(Rational::from(number), Relation::Le, bound(&share.ratio))
        })
        .erase()
    }
    /// Greedy maximal packings of grid points: size^2 <= bound^2, the bound in R^2/eps^2.
    fn grid(bound: fn(&QuadraticSurd, u32) -> QuadraticSurd) -> Check {
        ExactPart::new(Grids, move |grid: &Grid| {
            let points = grid.points(grid.radius);
            let square = |p: usize, q: usize| (0..3).map(|i| (points[p][i] - points[q][i]).pow(2)).sum::<i64>();
            let chosen = greedy_packing(points.len(), |p, q| square(p, q) <= grid.square);
            let ratio = QuadraticSurd::from(Rational::new(grid.radius.pow(2), grid.square)).sqrt();
            Judgement::compare(count(chosen.len()), Relation::Le, bound(&ratio, grid.dimension as u32))
        })
        .erase()
    }
    /// The exact packing number of the grid points, its proof checked.
    fn largest(bound: fn(&QuadraticSurd, u32) -> QuadraticSurd) -> Check {
        let check = ExactPart::new(SmallGrids, move |grid: &Grid| {
            let points = grid.points(grid.radius);
            let close = |p: usize, q: usize| (0..3).map(|i| (points[p][i] - points[q][i]).pow(2)).sum::<i64>() <= grid.square;
            let found = packing(points.len(), close).map_err(|error| error.to_string());
            match found.and_then(|found| found.verify(points.len(), close).map(|()| found.size()).map_err(|error| error.to_string())) {
                Ok(size) => {
                    let ratio = QuadraticSurd::from(Rational::new(grid.radius.pow(2), grid.square)).sqrt();
                    Judgement::compare(count(size), Relation::Le, bound(&ratio, grid.dimension as u32))
                }
                Err(detail) => Judgement::Property { holds: false, detail },
            }
        });
        check.covering(Coverage::FiniteFamily).erase()
    }
    /// (R/eps)^d <= the size of a net, eps = 1 + a: greedy at a on the grid points of the ball of radius R + 1, as each point of the ball is within 1 of one of
    /// them.
    fn volume(bound: fn(&QuadraticSurd, u32) -> QuadraticSurd) -> Check {
        ExactPart::new(Grids, move |grid: &Grid| {
            let points = grid.points(grid.radius + 1);
            let square = |p: usize, q: usize| (0..3).map(|i| (points[p][i] - points[q][i]).pow(2)).sum::<i64>();
            let net = greedy_packing(points.len(), |p, q| square(p, q) <= grid.square);
            let radius = QuadraticSurd::from(n(1)) + QuadraticSurd::from(n(grid.square)).sqrt();
            Judgement::compare(bound(&(QuadraticSurd::from(n(grid.radius)) / radius), grid.dimension as u32), Relation::Le, count(net.len()))
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part("line", "d = 1: N = max(1, ceil(R/eps)) <= 1 + 2R/eps", line_covering(|ratio| euclid_bound(ratio, &n(2), 1))),
            part("line-packing", "d = 1: P = max(1, ceil(2R/eps)) <= 1 + 2R/eps", line_packing(|ratio| euclid_bound(ratio, &n(2), 1))),
            part(
                "grid-packing",
                "d <= 3: a greedy maximal packing of grid points has at most (1 + 2R/eps)^d points",
                grid(|ratio, d| euclid_bound(ratio, &QuadraticSurd::from_i64(2), d)),
            ),
            part(
                "grid-largest",
                "the largest packing of grid points, where there are at most 64, has at most (1 + 2R/eps)^d points",
                largest(|ratio, d| euclid_bound(ratio, &QuadraticSurd::from_i64(2), d)),
            ),
            part("volume", "(R/eps)^d <= N(eps): no net is smaller, d <= 3", volume(|ratio, d| ratio.powi(d))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("packing-1.99", "d = 1: P <= 1 + 1.99 R/eps", line_packing(|ratio| euclid_bound(ratio, &q(199, 100), 1))),
            mutant("volume-only", "d = 1: N <= (R/eps)^d for R >= eps, else 1", line_covering(|ratio| Ordered::max(ratio, &n(1)))),
            mutant("dimension-less", "exponent d - 1 for packings", grid(|ratio, d| euclid_bound(ratio, &QuadraticSurd::from_i64(2), d - 1))),
            mutant("largest-1.6", "(1 + 1.6 R/eps)^d for packings", largest(|ratio, d| euclid_bound(ratio, &QuadraticSurd::from(q(8, 5)), d))),
            mutant("volume-2", "(2R/eps)^d <= N(eps)", volume(|ratio, d| (QuadraticSurd::from_i64(2) * ratio.clone()).powi(d))),
        ]
    }
    Claim {
        id: "slt/euclid-ball",
        statement: "d >= 1, R >= 0, eps > 0: N(eps, B_2^d(R)) <= (1 + 2R/eps)^d, and the same for P(eps); (R/eps)^d <= N(eps)",
        assumptions: &["Euclidean distance, closed balls"],
        provenance: Provenance::Paper,
        source: "coveringNumber_euclideanBall_le, CoveringNumber.lean (tag v4.32.0 of the authors' library); packings and the lower bound are ours",
        declared: Verdict::Holds,
        argument: "Disjoint balls of radius eps/2 around a packing lie in the ball of radius R + eps/2; N <= P; a net's balls have at least the volume of the ball. In the line P = ceil(2R/eps), so the 2 cannot be lowered for packings: the ratio tends to 1 as 2R/eps falls to a large integer. For coverings of the line 1 + R/eps is enough.",
        gap: Some("dimensions above 3, points off the grid"),
        finding: None,
        see: &["slt/maximal-packing-net", "slt/l1-ball"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// The outcomes of `draws` independent draws of a signed coordinate (or none): for each the counts and the probability's numerator over denominator^draws.
fn outcomes(at: &Draws, mut each: impl FnMut(&[i64], i128)) {
    let d = at.numerators.len();
    let rest = at.denominator - at.numerators.iter().map(|a| a.abs()).sum::<i64>();
    let weights: Vec<i128> = at.numerators.iter().map(|a| i128::from(a.abs())).chain([i128::from(rest)]).collect();
    let mut choice = vec![0_usize; at.draws as usize];
    loop {
        let probability: i128 = choice.iter().map(|&j| weights[j]).product();
        if probability > 0 {
            let mut counts = vec![0_i64; d];
            for &j in choice.iter().filter(|&&j| j < d) {
                counts[j] += at.numerators[j].signum();
            }
            each(&counts, probability);
        }
        let Some(place) = choice.iter().position(|&j| j < d) else { return };
        choice[..place].fill(0);
        choice[place] += 1;
    }
}

/// ||X (mean of the draws) - X x||^2 times (k divisor denominator)^2, in integers.
fn deviation(at: &Draws, counts: &[i64]) -> i128 {
    let gap = |j: usize| i128::from(counts[j]) * i128::from(at.denominator) - i128::from(at.draws) * i128::from(at.numerators[j]);
    if at.columns.is_empty() {
        return (0..counts.len()).map(|j| gap(j).pow(2)).sum();
    }
    let rows = at.columns[0].len();
    (0..rows).map(|i| (0..counts.len()).map(|j| i128::from(at.columns[j][i]) * gap(j)).sum::<i128>().pow(2)).sum()
}

fn scale(at: &Draws) -> Rational {
    let unit = i128::from(at.draws) * i128::from(at.denominator) * i128::from(at.divisor);
    Rational::from_i128(unit * unit, 1)
}

/// The mean of [`deviation`], as a number.
fn mean_deviation(at: &Draws) -> Rational {
    let mut sum = 0_i128;
    outcomes(at, |counts, probability| sum += probability * deviation(at, counts));
    Rational::from_i128(sum, 1) / n(at.denominator).powi(at.draws) / scale(at)
}

/// The least of it over outcomes.
fn least_deviation(at: &Draws) -> Rational {
    let mut least = i128::MAX;
    outcomes(at, |counts, _| least = least.min(deviation(at, counts)));
    Rational::from_i128(least, 1) / scale(at)
}

/// (||x||_1 - ||x||_2^2)/k at R = 1.
fn maurey<S: Field>(sizes: &S, squares: &S, draws: &S) -> S {
    (sizes.clone() - squares.clone()) / draws.clone()
}

fn maurey_of(at: &Draws) -> Rational {
    let sizes: i64 = at.numerators.iter().map(|a| a.abs()).sum();
    let squares: i64 = at.numerators.iter().map(|a| a * a).sum();
    maurey(&q(sizes, at.denominator), &(n(squares) / n(at.denominator).square()), &Rational::from(u64::from(at.draws)))
}

fn binomial(top: u64, k: u64) -> Rational {
    (0..k).fold(n(1), |product, i| product * Rational::from(top - i) / Rational::from(i + 1))
}

/// ceil(R^2/eps^2), the number of draws.
fn draws_needed(ratio: &Rational) -> Option<u64> {
    ceiling(&ratio.square())
}

fn l1_ball() -> Claim {
    fn identity(value: fn(&Draws) -> Rational) -> Check {
        ExactPart::new(Vectors { design: false, long: false }, move |at: &Draws| Judgement::compare(mean_deviation(at), Relation::Eq, value(at)))
            .erase()
    }
    fn worst(share: Rational) -> Check {
        ExactPart::new(Vectors { design: false, long: true }, move |at: &Draws| {
            Judgement::compare(maurey_of(at), Relation::Le, share.clone() / Rational::from(u64::from(at.draws)))
        })
        .erase()
    }
    fn averages(number: fn(u64, u64) -> Rational) -> Check {
        let check = ExactPart::new(Pairs, move |at: &Pair| {
            Judgement::compare(number(at.dimension, at.draws), Relation::Le, Rational::from(2 * at.dimension + 1).powi(at.draws as u32))
        });
        check.covering(Coverage::FiniteFamily).erase()
    }
    fn line(bound: fn(&Rational) -> Option<Rational>) -> Check {
        ExactPart::new(Shares { most: 12 }, move |share: &Share| {
            let number = ceiling(&share.ratio).map(|number| number.max(1));
            let (Some(number), Some(bound)) = (number, bound(&share.ratio)) else { return unknown() };
            Judgement::compare(Rational::from(number), Relation::Le, bound)
        })
        .erase()
    }
    /// At least C(d, s)/#{within reach} vectors with pairwise overlaps at most t, more than 2 eps apart: N(eps) is at least that.
    fn sparse(exponent: fn(u64) -> u64) -> Check {
        let check = ExactPart::new(SparsePackings, move |at: &Overlaps| {
            let (d, s, t) = (at.dimension, at.support, at.overlap);
            // Distances: 2 (s - t)/s^2 > 4 eps^2.
            if 2 * (s - t) * at.inverse.pow(2) <= 4 * s * s {
                return Judgement::Unmet;
            }
            let near = (t + 1..=s).filter(|&j| s - j <= d - s).fold(n(0), |sum, j| sum + binomial(s, j) * binomial(d - s, s - j));
            let packing = Ordered::ceil(&(binomial(d, s) / near));
            match power(&Rational::from(2 * d + 1), exponent(at.inverse)) {
                Some(bound) => Judgement::compare(packing, Relation::Le, bound),
                None => unknown(),
            }
        });
        check.covering(Coverage::FiniteFamily).erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part(
                "mean",
                "V = R sign(x_j) e_j with probability |x_j|/R, else 0: E ||mean of k draws - x||^2 = (R ||x||_1 - ||x||_2^2)/k",
                identity(maurey_of),
            ),
            part("worst", "(R ||x||_1 - ||x||_2^2)/k <= R^2/k; at x = (R/d, .., R/d) it is R^2 (1 - 1/d)/k", worst(n(1))),
            part(
                "attained",
                "some average of k draws is within R/sqrt k of x",
                ExactPart::new(Vectors { design: false, long: false }, |at: &Draws| {
                    Judgement::compare(least_deviation(at), Relation::Le, q(1, i64::from(at.draws)))
                })
                .erase(),
            ),
            part(
                "averages",
                "the averages of k draws of +-R e_j, 0 are at most C(2d + k, k) <= (2d + 1)^k points",
                averages(|d, k| binomial(2 * d + k, k)),
            ),
            part("line", "d = 1: max(1, ceil(R/eps)) <= 3^ceil(R^2/eps^2)", line(|ratio| power(&n(3), draws_needed(ratio)?))),
            part("sparse", "packings of sparse vectors in up to 10^6 dimensions stay below", sparse(|inverse| inverse.pow(2))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("first-power", "exponent ceil(R/eps)", sparse(|inverse| inverse)),
            mutant("base-d", "base d in place of 2d + 1, at d = 1", line(|ratio| power(&n(1), draws_needed(ratio)?))),
            mutant("worst-0.99", "(R ||x||_1 - ||x||_2^2)/k <= 0.99 R^2/k", worst(q(99, 100))),
            mutant(
                "second-moment",
                "E ||mean - x||^2 = R ||x||_1/k, the mean not taken away",
                identity(|at| {
                    let sizes: i64 = at.numerators.iter().map(|a| a.abs()).sum();
                    q(sizes, at.denominator) / Rational::from(u64::from(at.draws))
                }),
            ),
        ]
    }
    Claim {
        id: "slt/l1-ball",
        statement: "R >= 0, eps > 0, Euclidean distance: N(eps, B_1^d(R)) <= (2d + 1)^ceil(R^2/eps^2)",
        assumptions: &["eps > 0, R >= 0"],
        provenance: Provenance::Paper,
        source: "coveringNumber_l1Ball_le, CoveringNumber.lean (tag v4.32.0 of the authors' library)",
        declared: Verdict::Holds,
        argument: "Maurey's sampling: x is the mean of a random signed coordinate, so the mean of k draws is within R/sqrt k of x for some outcome. The averages are multisets, so C(2d + k, k) is enough in place of (2d + 1)^k.",
        gap: Some("the step from the identity to all x of all dimensions"),
        finding: None,
        see: &["slt/l1-image"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn l1_image() -> Claim {
    /// The assumption ||X_j||^2 <= n.
    fn bounded(at: &Draws) -> bool {
        let rows = at.columns.first().map_or(0, Vec::len) as i64;
        at.columns.iter().all(|column| column.iter().map(|x| x * x).sum::<i64>() <= rows * at.divisor * at.divisor)
    }
    /// Some average of k draws is within eps of X theta, in the squared distance divided by `normal(n)`, for eps^2 = 1/(k share(n)).
    fn average(normal: fn(i64) -> i64, share: fn(i64) -> Rational, columns: bool) -> Check {
        ExactPart::new(Vectors { design: true, long: false }, move |at: &Draws| {
            if columns && !bounded(at) {
                return Judgement::Unmet;
            }
            let rows = at.columns.first().map_or(0, Vec::len) as i64;
            let distance = least_deviation(at) / n(normal(rows));
            Judgement::compare(distance, Relation::Le, n(1) / (Rational::from(u64::from(at.draws)) * share(rows)))
        })
        .erase()
    }
    /// n = d = 1: the set is [-|X|, |X|].
    fn line(columns: bool) -> Check {
        ExactPart::new(Designs { line: true }, move |at: &Design| {
            if columns && at.factor > n(1) {
                return Judgement::Unmet;
            }
            let number = ceiling(&(at.factor.clone() / at.radius.clone())).map(|number| number.max(1));
            let bound = draws_needed(&at.radius.recip()).and_then(|k| power(&n(3), k));
            let (Some(number), Some(bound)) = (number, bound) else { return unknown() };
            Judgement::compare(Rational::from(number), Relation::Le, bound)
        })
        .erase()
    }
    /// X = sqrt(n) I in form (a): the images of (+-e_i +- e_j)/2, as many as are more than 2 eps apart, against (2d + 1)^exponent(n, 1/eps).
    fn orthogonal(exponent: fn(&Rational, &Rational) -> Rational) -> Check {
        let check = ExactPart::new(Designs { line: false }, move |at: &Design| {
            let d = (at.root * at.root) as usize;
            let mut points: Vec<Vec<i64>> = Vec::new();
            for i in 0..d {
                for j in 0..i {
                    for signs in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                        let mut point = vec![0; d];
                        (point[i], point[j]) = signs;
                        points.push(point);
                    }
                }
            }
            // ||X theta - X theta'||_n^2 = ||theta - theta'||^2 for X = sqrt(n) I, and theta are halves.
            let limit = n(16) * at.radius.square();
            let close = |p: usize, q: usize| {
                let square: i64 = points[p].iter().zip(&points[q]).map(|(a, b)| (a - b).pow(2)).sum();
                n(square) <= limit
            };
            let chosen = greedy_packing(points.len(), close).len().max(1);
            let rows = Rational::from(at.root * at.root);
            let bound = ceiling(&exponent(&rows, &at.radius.recip())).and_then(|k| power(&Rational::from(2 * d as u64 + 1), k));
            match bound {
                Some(bound) => Judgement::compare(count(chosen), Relation::Le, bound),
                None => unknown(),
            }
        });
        check.covering(Coverage::FiniteFamily).erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part(
                "image",
                "as formalized, {X theta/sqrt n} in ||.||_n: some average of k = ceil(R^2/eps^2) draws is within eps",
                average(|rows| rows * rows, |_| n(1), true),
            ),
            part(
                "natural",
                "(a) {X theta} in ||.||_n, and (b) {X theta/sqrt n} in the Euclidean norm: the same k is enough",
                average(|rows| rows, |_| n(1), true),
            ),
            part("sharper", "the set as formalized: k = ceil(R^2/(n eps^2)) draws are enough", average(|rows| rows * rows, n, true)),
            part("line", "n = d = 1: the set is [-|X| R, |X| R], N = max(1, ceil(|X| R/eps)) <= 3^ceil(R^2/eps^2)", line(true)),
            part(
                "orthogonal",
                "X = sqrt(n) I, form (a): packings of images stay below (2d + 1)^ceil(R^2/eps^2)",
                orthogonal(|_, inverse| inverse.square()),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("columns-dropped", "without ||X_j|| <= sqrt n", line(false)),
            mutant("columns-dropped-average", "the natural form without ||X_j|| <= sqrt n", average(|rows| rows, |_| n(1), false)),
            mutant(
                "form-a-over-n",
                "form (a) with the exponent ceil(R^2/(n eps^2)) of the doubly normalised set",
                orthogonal(|rows, inverse| inverse.square() / rows.clone()),
            ),
            mutant("half-eps", "k = ceil(R^2/(4 eps^2)) draws in the natural form", average(|rows| rows, |_| n(4), true)),
        ]
    }
    Claim {
        id: "slt/l1-image",
        statement: "columns ||X_j||_2 <= sqrt n, n >= 1: N(eps, {X theta/sqrt n : ||theta||_1 <= R}, ||.||_n) <= (2d + 1)^ceil(R^2/eps^2), where ||v||_n = ||v||_2/sqrt n",
        assumptions: &["||X_j||_2 <= sqrt n for every column", "eps > 0, R >= 0"],
        provenance: Provenance::Paper,
        source: "LeastSquares.l1BallImage_coveringNumber_le, LeastSquares/L1Regression/L1CoveringBound.lean (tag v4.32.0 of the authors' library)",
        declared: Verdict::Holds,
        argument: "Maurey's sampling on the columns. The statement normalises twice: the set carries 1/sqrt n and so does the norm. The same right side holds for the natural forms (a) {X theta} in ||.||_n and (b) {X theta/sqrt n} in the Euclidean norm, and the set as formalized has the exponent ceil(R^2/(n eps^2)): as printed it is weak by a factor n in the exponent.",
        gap: Some("all designs and all theta"),
        finding: None,
        see: &["slt/l1-ball"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// P(U_1 + .. + U_N <= x) for N uniform variables on [0, 1], exactly.
#[must_use]
pub fn irwin_hall(count: u32, x: &Rational) -> Rational {
    if *x >= Rational::from(u64::from(count)) {
        return n(1);
    }
    let mut sum = n(0);
    let mut choose = n(1);
    for k in 0..=count {
        let rest = x.clone() - Rational::from(u64::from(k));
        if rest <= n(0) {
            break;
        }
        let term = choose.clone() * rest.powi(count);
        sum = if k % 2 == 0 { sum + term } else { sum - term };
        choose = choose * Rational::from(u64::from(count - k)) / Rational::from(u64::from(k) + 1);
    }
    (1..=count).fold(sum, |value, k| value / Rational::from(u64::from(k)))
}

/// A rational number just below e.
fn below_e() -> Rational {
    q(2_718_281_828_459_045, 1_000_000_000_000_000)
}

fn small_ball() -> Claim {
    fn uniform(base: Rational, density: bool, sign: bool) -> Check {
        ExactPart::new(UniformSums, move |at: &Uniforms| {
            if (density && at.width < n(1)) || (sign && at.low < n(0)) {
                return Judgement::Unmet;
            }
            let total = Rational::from(u64::from(at.count));
            let x = (at.level.clone() - at.low.clone()) * total / at.width.clone();
            Judgement::compare(irwin_hall(at.count, &x), Relation::Le, (base.clone() * at.level.clone()).powi(at.count))
        })
        .erase()
    }
    fn histogram(base: Rational, density: bool) -> Check {
        ExactPart::new(HistogramSums, move |at: &Histograms| {
            let mut law = vec![n(1)];
            for weights in &at.weights {
                let sum: i64 = weights.iter().sum();
                let high = weights.iter().any(|w| w * at.cells > sum);
                if sum == 0 || (density && high) {
                    return Judgement::Unmet;
                }
                let mut next = vec![n(0); law.len() + weights.len() - 1];
                for (i, p) in law.iter().enumerate() {
                    for (j, w) in weights.iter().enumerate() {
                        next[i + j] = next[i + j].clone() + p.clone() * q(*w, sum);
                    }
                }
                law = next;
            }
            // X_i = (J_i + U_i)/m.
            let count = at.weights.len() as u32;
            let x = at.level.clone() * Rational::from(u64::from(count)) * n(at.cells);
            let terms = law.iter().enumerate().map(|(j, p)| p.clone() * irwin_hall(count, &(x.clone() - Rational::from(j as u64))));
            let probability = terms.fold(n(0), |sum, term| sum + term);
            Judgement::compare(probability, Relation::Le, (base.clone() * at.level.clone()).powi(count))
        })
        .erase()
    }
    struct Gamma<'a>(&'a Exponentials);
    impl Sides for Gamma<'_> {
        fn sides<S: Real>(&self) -> (S, S) {
            let at = self.0;
            let x: S = real(&(at.rate.clone() * at.level.clone() * Rational::from(u64::from(at.count))));
            // P(sum <= eps N) = 1 - e^-x sum over k < N of x^k/k!.
            let (mut term, mut sum) = (S::one(), S::one());
            for k in 1..at.count {
                term = term * x.clone() / S::from_i64(i64::from(k));
                sum = sum + term.clone();
            }
            (S::one() - sum * (-x).exp(), (S::e() * real(&at.level)).powi(at.count))
        }
    }
    fn exponential(density: bool) -> Check {
        ExactPart::new(ExponentialSums, move |at: &Exponentials| {
            if density && at.rate > n(1) {
                return Judgement::Unmet;
            }
            compare_enclosed(Relation::Le, &Gamma(at))
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part("uniform", "uniform laws of density at most 1, by Irwin and Hall's formula; e from below", uniform(below_e(), true, true)),
            part("histogram", "different histogram densities at most 1", histogram(below_e(), true)),
            part("exponential", "exponential laws of rate at most 1", exponential(true)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("base-2", "(2 eps)^N", uniform(n(2), true, true)),
            mutant("base-5/2", "(5/2 eps)^N", uniform(q(5, 2), true, true)),
            mutant("base-27/10", "(27/10 eps)^N", uniform(q(27, 10), true, true)),
            mutant("density-dropped", "densities above 1", uniform(below_e(), false, true)),
            mutant("density-dropped-histogram", "histogram densities above 1", histogram(below_e(), false)),
            mutant("density-dropped-exponential", "rates above 1", exponential(false)),
            mutant("sign-dropped", "variables below 0", uniform(below_e(), true, false)),
        ]
    }
    Claim {
        id: "slt/small-ball",
        statement: "X_1, .., X_N independent, >= 0, with densities at most 1, eps > 0: P(X_1 + .. + X_N <= eps N) <= (e eps)^N",
        assumptions: &["X_i >= 0 almost surely", "densities at most 1", "independence", "eps > 0"],
        provenance: Provenance::Paper,
        source: "SmallBallProbability.small_ball_prob, SmallBallProb.lean (tag v4.32.0 of the authors' library)",
        declared: Verdict::Holds,
        argument: "E exp(-t X) <= int_0^inf exp(-t x) dx = 1/t, then Markov at t = 1/eps. For eps <= 1/N and uniform laws the ratio is N^N/(N! e^N), about (2 pi N)^(-1/2): its N-th root tends to 1, so no base below e will do.",
        gap: Some("all densities at most 1"),
        finding: None,
        see: &[],
        parts,
        mutants,
        without_mutants: None,
    }
}
