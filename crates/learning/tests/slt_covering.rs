//! Reference values for coverings, chaining and the calculators, each computed apart: closed forms, exact fractions, 30-digit arithmetic, HiGHS.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use calculator::{Answer, Calculator, CalculatorError, Value};
use learning::slt::chaining::{Steps, chi_square_within, dudley_constant, expected_max, expected_max_absolute, interval_entropy, mean_length};
use learning::slt::covering::{Child, CoverError, ProofError, Step, cover, greedy_packing, packing, profile};
use learning::slt::instances_chaining::{Cube, Star, Walk, edge_squares};
use learning::slt::{SltCalculator, irwin_hall};
use numeric::{BigInterval, Field, Ordered, Rational, Real, Rounding, Surd, Univariate, integrate, with_precision};
use std::path::PathBuf;

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

fn n(value: i64) -> Rational {
    Rational::from(value)
}

/// The enclosure is narrow and agrees with a decimal to one unit of its last digit.
fn close(value: &BigInterval, expected: &str) {
    let digits = expected.split_once('.').map_or(0, |(_, rest)| rest.chars().take_while(char::is_ascii_digit).count());
    let exponent: i64 = expected.split_once('e').map_or(0, |(_, exponent)| exponent.parse().unwrap());
    let unit = q(&format!("1e{}", exponent - digits as i64));
    let (low, high) = (value.lo_rational().unwrap(), value.hi_rational().unwrap());
    for end in [low, high] {
        let off = Ordered::abs(&(end.clone() - q(expected)));
        assert!(off <= unit, "{}, expected {expected}", end.to_decimal(30, Rounding::Down));
    }
}

/// 1. small-ball.
#[test]
fn sums_of_uniforms() {
    assert_eq!(irwin_hall(3, &q("3/2")), q("1/2"));
    assert_eq!(irwin_hall(6, &q("1/2")), q("1/46080"));
    // A sum of N uniforms is symmetric about N/2 and never above N.
    for count in 1..8_u32 {
        for x in 0..=4 * i64::from(count) {
            let (low, high) = (Rational::new(x, 4), n(i64::from(count)) - Rational::new(x, 4));
            assert_eq!(irwin_hall(count, &low) + irwin_hall(count, &high), n(1), "{count} {x}");
        }
    }
    let e = BigInterval::e();
    close(&(e.clone() / BigInterval::from_i64(2)).powi(3), "2.51069211539845847");
    close(&(e / BigInterval::from_i64(12)).powi(6), "1.35107486675325495e-4");
}

/// The least N at which a smaller base than e fails at eps <= 1/N, where P = (eps N)^N/N!: 6, 32, 612.
#[test]
fn smaller_bases_fail_from_these_sizes_on() {
    for (base, least) in [("2", 6_u32), ("5/2", 32), ("27/10", 612)] {
        for count in [least - 1, least] {
            let level = Rational::new(1, i64::from(count));
            let fails = irwin_hall(count, &n(1)) > (q(base) * level).powi(count);
            assert_eq!(fails, count == least, "{base} {count}");
        }
    }
}

/// The packing of sparse vectors in 10^6 dimensions: log10 of its size is 127.575, that of (2d + 1)^16 is 100.816; and 480 > 33 for form (a).
#[test]
fn large_packings() {
    let witness = |id: &str, name: &str, shown: &str| {
        let claims = learning::slt::claims();
        let claim = claims.iter().find(|claim| claim.id == id).unwrap();
        let mutants = (claim.mutants)();
        let claim::Check::Exact(check) = &mutants.iter().find(|mutant| mutant.name == name).unwrap().check else { panic!("it is exact") };
        let all = (0..check.special_len()).map(|index| check.describe(&claim::Point::Special(index)).unwrap());
        let found = all.into_iter().find(|description| description.instance.starts_with(shown)).unwrap();
        assert_eq!(found.judgement.outcome(), claim::Outcome::Fails);
        match found.judgement {
            claim::Judgement::Compared { lhs, rhs, .. } => (lhs.as_rational().unwrap().clone(), rhs.as_rational().unwrap().clone()),
            other => panic!("{other:?}"),
        }
    };
    let (packing, bound) = witness("slt/l1-ball", "first-power", "d = 1000000, 53 coordinates");
    close(&(BigInterval::from_rational(&packing).ln() / BigInterval::from_i64(10).ln()), "127.5750");
    close(&(BigInterval::from_rational(&bound).ln() / BigInterval::from_i64(10).ln()), "100.8165");
    let (packing, bound) = witness("slt/l1-image", "form-a-over-n", "n = d = 16, X = 4 I, R = 1, eps = 1/4");
    assert_eq!((packing, bound), (n(480), n(33)));
}

/// E max(|g_1|, |g_2|) by the perimeter of the square (Cauchy), and the hull of three segments, two of which matter.
#[test]
fn hulls_and_their_perimeters() {
    let star = |segments: &[(usize, i64)]| Star {
        segments: segments.iter().map(|&(direction, length)| (direction, n(length))).collect(),
        ends_only: false,
        weights: (0, 0),
        small: n(1),
        large: n(1),
    };
    let perimeter = |hull: &[[Rational; 2]]| {
        let edges = edge_squares(hull).into_iter().map(|square| BigInterval::from_rational(&square).sqrt());
        edges.fold(BigInterval::zero(), |sum, edge| sum + edge)
    };
    let square = star(&[(0, 1), (1, 1)]).hull(&n(1));
    assert_eq!(square.len(), 4);
    let mean = (BigInterval::pi() / BigInterval::from_i64(2)).sqrt() * perimeter(&square) / (BigInterval::from_i64(2) * BigInterval::pi());
    close(&mean, "1.128379167095512574");
    // E |g| = sqrt(2/pi) on one segment, whose hull is gone round twice.
    let segment = star(&[(2, 5)]).hull(&n(1));
    assert_eq!((segment.len(), edge_squares(&segment)), (2, vec![n(4), n(4)]));
    // (3, 4)/5 of length 1/10 lies inside the square with corners (1, 0), (0, 1).
    let mut three = star(&[(0, 1), (1, 1), (2, 1)]);
    three.segments[2].1 = q("1/10");
    assert_eq!(three.hull(&n(1)), square);
    assert_eq!(star(&[(0, 1), (1, 1), (2, 1)]).hull(&n(1)).len(), 6);
}

/// 2. Means of maxima; n = 2, 3, 4, 5 also from closed forms: 1/sqrt(pi), 3/(2 sqrt(pi)), and so on by the arc sines.
#[test]
fn means_of_maxima() {
    for (count, expected) in
        [(2, "0.564189583547756287"), (5, "1.16296447364051961"), (10, "1.53875273083517286"), (50, "2.24907362938985031"), (100, "2.50759363644168")]
    {
        close(&expected_max(count, 80).unwrap(), expected);
    }
    let root = BigInterval::pi().sqrt();
    let arc = (BigInterval::one() / BigInterval::from_i64(2).sqrt()).atan();
    let (one, two) = (BigInterval::one(), BigInterval::from_i64(2));
    for (count, closed) in [
        (1, BigInterval::zero()),
        (2, one.clone() / root.clone()),
        (3, BigInterval::ratio(3, 2) / root.clone()),
        // E max of 4: (3/sqrt pi)(1/2 + asin(1/3)/pi), and asin(1/3) = pi/2 - 2 atan(1/sqrt 2).
        (4, BigInterval::from_i64(3) / root.clone() * (one.clone() - two.clone() * arc / BigInterval::pi())),
    ] {
        let found = expected_max(count, 80).unwrap();
        let off = (found - closed).abs();
        assert!(off.lt(&(two.clone() / two.powi(80))).is_true(), "{count}: off by {}", off.to_decimal(5));
    }
    // E max(|g1|, |g2|) = 2/sqrt(pi).
    close(&expected_max_absolute(1, 80).unwrap(), "1.128379167095512574");
    assert!(expected_max(0, 80).unwrap().is_point());
}

struct Largest(u32);

impl Univariate for Largest {
    fn eval<S: Real>(&self, x: &S) -> S {
        S::one() - x.normal_cdf().powi(self.0) - (-x.clone()).normal_cdf().powi(self.0)
    }
}

struct LargestAbsolute(u32);

impl Univariate for LargestAbsolute {
    fn eval<S: Real>(&self, x: &S) -> S {
        S::one() - (x.normal_cdf() - (-x.clone()).normal_cdf()).powi(self.0)
    }
}

/// The trapezoidal sums against the certified integrals of the tails, int_0^12 P(max > x) - P(max < -x) dx; beyond 12 there is less than n 1e-33.
#[test]
fn means_of_maxima_by_another_integral() {
    let unit = BigInterval::ratio(1, 2).powi(38);
    for count in [1, 7, 40] {
        let found = expected_max(count, 40).unwrap();
        let other = integrate(&Largest(count), &n(0), &n(12), 40).unwrap();
        assert!((found.clone() - other).abs().le(&unit).is_true(), "{count}: {}", found.to_decimal(20));
        assert!(found.accuracy_bits() > 30 || count == 1);
    }
    for pairs in [1, 6] {
        let found = expected_max_absolute(pairs, 40).unwrap();
        let other = integrate(&LargestAbsolute(2 * pairs), &n(0), &n(12), 40).unwrap();
        assert!((found.clone() - other).abs().le(&unit).is_true(), "{pairs}: {}", found.to_decimal(20));
    }
}

/// 3. Simplices: E sup, entropy integral, their ratio; and a covering number of each simplex by search.
#[test]
fn simplices() {
    for (vertices, sup, integral, ratio) in [
        (2, "0.3989422804014327", "0.4162773055788489", "0.9583570256"),
        (10, "1.088062490542869", "0.951069250080888", "1.1440412887"),
        (50, "1.590335214729403", "1.306608551684252", "1.2171474101"),
    ] {
        let mean = expected_max(vertices, 70).unwrap() / BigInterval::from_i64(2).sqrt();
        let entropy: BigInterval = Steps::simplex(vertices).whole();
        close(&mean, sup);
        close(&entropy, integral);
        close(&(mean / entropy), ratio);
    }
    // Unit vectors of R^n scaled to side 1 and the centroids of all subsets: squared distance 1/2 (1 - 1/k) inside, 1/2 (1 + 1/k) outside.
    for vertices in 2..=6_u32 {
        let steps = Steps::simplex(vertices);
        for k in 1..=vertices {
            let square = Rational::new(i64::from(k) - 1, 2 * i64::from(k));
            let within = |p: usize, c: usize| {
                let members = i64::from((c as u32 + 1).count_ones());
                let inside = (c + 1) >> p & 1 == 1;
                Rational::new(if inside { members - 1 } else { members + 1 }, 2 * members) <= square
            };
            let centres = (1 << vertices) - 1;
            let found = cover(vertices as usize, centres, within).unwrap();
            found.verify(vertices as usize, centres, within).unwrap();
            let expected = steps.steps.iter().rev().find(|(at, _)| *at <= square).unwrap().1;
            assert_eq!(found.size() as u64, expected, "{vertices} {k}");
            assert_eq!(expected, u64::from(vertices.div_ceil(k)));
        }
    }
    close(&dudley_constant::<BigInterval>(), "16.97056274847714");
}

/// The cube in three dimensions: E sup = 3/2, integral sqrt(ln 8)/2 + (sqrt 2 - 1)/2 sqrt(ln 4) + (sqrt 3 - sqrt 2)/2 sqrt(ln 2) (mpmath).
#[test]
fn cubes() {
    let cube = Walk { points: (0..8).map(|i| (0..3).map(|axis| i >> axis & 1).collect()).collect(), offset: 0, reach: 30_000, step: 0 };
    assert_eq!(cube.expected_max(), q("3/2"));
    let by_search: BigInterval = cube.steps().unwrap().whole();
    close(&by_search, "1.0971714752431061");
    let (low, high) = Cube { dimension: 3 }.steps();
    close(&low.whole(), "1.0971714752431061");
    close(&high.whole(), "1.0971714752431061");
    // The largest families of diameter k on the cube of 4 dimensions, by trying all 2^16 families.
    let diameter = |family: u32| {
        let members: Vec<u32> = (0..16).filter(|i| family >> i & 1 == 1).collect();
        members.iter().flat_map(|a| members.iter().map(move |b| (a ^ b).count_ones())).max().unwrap_or(0)
    };
    let (low, _) = Cube { dimension: 4 }.steps();
    for k in 0..=4_u32 {
        let largest = (1..1_u32 << 16).filter(|&family| diameter(family) <= k).map(u32::count_ones).max().unwrap();
        assert_eq!(low.steps[k as usize].1, u64::from(16_u32.div_ceil(largest)), "{k}");
    }
}

/// 4. S and E|g|/S; the enclosure is as narrow as its terms say.
#[test]
fn entropy_of_an_interval() {
    let (low, high) = interval_entropy::<BigInterval>(20_000);
    close(&low, "1.07430028737");
    close(&high, "1.07430028737");
    assert!(low.lt(&high).is_true());
    let gap = high.clone() - low.clone();
    assert!(gap.lt(&BigInterval::from_rational(&q("1e-12"))).is_true());
    close(&(mean_length::<BigInterval>(1) / low), "0.7427016172");
    // More terms move both ends inwards.
    let (fewer_low, fewer_high) = interval_entropy::<BigInterval>(50);
    assert!(fewer_low.le(&high).is_true() && high.le(&fewer_high).is_true());
}

/// 13. Linear classes at the critical radius.
#[test]
fn linear_classes() {
    for (rank, length, radius, master, event, rhs) in [
        (1, "0.7978845608028654", "2.546479089470325", "1.735651590333476e-10", "1.415173749896399e-3", "0.2799233272013905"),
        (2, "1.2533141373155", "6.283185307179586", "1.479034615961786e-22", "3.487342356208995e-6", "0.04321391826377225"),
        (10, "3.084327759799864", "38.05231091948819", "2.249721993851854e-124", "1.308394942424612e-27", "5.45815258006513e-9"),
    ] {
        let mean: BigInterval = mean_length(rank);
        let size = BigInterval::from_i64(4) * mean.square();
        close(&mean, length);
        close(&size, radius);
        close(&chi_square_within(rank, &(BigInterval::from_i64(16) * size.clone())).unwrap().1, master);
        close(&chi_square_within(rank, &(BigInterval::from_i64(4) * size.clone())).unwrap().1, event);
        close(&(-(size / BigInterval::from_i64(2))).exp(), rhs);
    }
}

/// The least cover by trying all sets of centres, smallest first.
fn exhaustive_cover(points: usize, centres: usize, within: impl Fn(usize, usize) -> bool) -> Option<usize> {
    (0_u32..1 << centres)
        .filter(|set| (0..points).all(|p| (0..centres).any(|c| set >> c & 1 == 1 && within(p, c))))
        .map(|set| set.count_ones() as usize)
        .min()
}

fn exhaustive_packing(points: usize, close: impl Fn(usize, usize) -> bool) -> usize {
    (0_u32..1 << points)
        .filter(|set| (0..points).all(|p| (0..p).all(|q| set >> p & 1 == 0 || set >> q & 1 == 0 || !close(p, q))))
        .map(|set| set.count_ones() as usize)
        .max()
        .unwrap()
}

#[test]
fn numbers_by_exhaustion() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % below
    };
    let mut uncovered = 0;
    for _ in 0..1500 {
        let (points, centres) = (next(11) as usize, 1 + next(11) as usize);
        let density = 1 + next(6);
        let table: Vec<Vec<bool>> = (0..points).map(|_| (0..centres).map(|_| next(7) < density).collect()).collect();
        match (cover(points, centres, |p, c| table[p][c]), exhaustive_cover(points, centres, |p, c| table[p][c])) {
            (Ok(found), Some(expected)) => {
                assert_eq!(found.size(), expected, "{table:?}");
                found.verify(points, centres, |p, c| table[p][c]).unwrap();
            }
            (Err(CoverError::Uncovered { point }), None) => {
                assert!(table[point].iter().all(|held| !held));
                uncovered += 1;
            }
            (found, expected) => panic!("{found:?}, expected {expected:?}"),
        }
        let close = |p: usize, q: usize| table[p.max(q)][p.min(q) % centres];
        let found = packing(points, close).unwrap();
        assert_eq!(found.size(), exhaustive_packing(points, close), "{table:?}");
        found.verify(points, close).unwrap();
    }
    assert!(uncovered > 50, "{uncovered}");
}

#[derive(serde::Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Case {
    radius: i64,
    covering: usize,
    packing: usize,
    points: Vec<[i64; 2]>,
}

#[test]
fn numbers_that_highs_found() {
    let cases: Cases = toml::from_str(include_str!("data/setcover.toml")).unwrap();
    assert!(cases.case.len() >= 10);
    for case in cases.case {
        let points = case.points.len();
        let within = |p: usize, c: usize| {
            let [a, b] = [case.points[p], case.points[c]];
            (a[0] - b[0]).pow(2) + (a[1] - b[1]).pow(2) <= case.radius.pow(2)
        };
        let found = cover(points, points, within).unwrap();
        found.verify(points, points, within).unwrap();
        assert_eq!(found.size(), case.covering);
        let packed = packing(points, within).unwrap();
        packed.verify(points, within).unwrap();
        assert_eq!(packed.size(), case.packing);
        assert!(greedy_packing(points, within).len() <= packed.size());
        assert!(packed.size() >= found.size());
    }
}

/// The instances of `bench/setcover.py`, whose sums HiGHS found.
#[test]
fn sums_that_highs_found() {
    for (count, expected) in [(24, 176), (60, 207)] {
        let sum: usize = (1..=20_u64)
            .map(|seed| {
                let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
                let mut next = || {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    ((state >> 24) % 10_000) as i64
                };
                let points: Vec<[i64; 2]> = (0..count).map(|_| [next(), next()]).collect();
                let within = |p: usize, c: usize| (points[p][0] - points[c][0]).pow(2) + (points[p][1] - points[c][1]).pow(2) <= 4_000_000;
                let found = cover(count, count, within).unwrap();
                found.verify(count, count, within).unwrap();
                found.size()
            })
            .sum();
        assert_eq!(sum, expected, "{count} points");
    }
}

/// A cycle of 7 points whose balls hold a point and its two neighbours: 3 balls, although weights alone ask for 7/3 only; and all ways to spoil the proof.
#[test]
fn spoiled_proofs_are_refused() {
    let ring = |size: usize| move |p: usize, c: usize| (p + size - c) % size <= 1 || (c + size - p) % size <= 1;
    let good = cover(7, 7, ring(7)).unwrap();
    assert_eq!(good.size(), 3);
    good.verify(7, 7, ring(7)).unwrap();
    let mut missing = good.clone();
    missing.centres.pop();
    assert!(matches!(missing.verify(7, 7, ring(7)), Err(ProofError::Solution { .. })));
    // A larger cover is one, but the proof is then of too small a number.
    let mut larger = good.clone();
    larger.centres.push((0..7).find(|c| !good.centres.contains(c)).unwrap());
    assert!(matches!(larger.verify(7, 7, ring(7)), Err(ProofError::Node { .. })));
    let mut empty = good.clone();
    empty.steps.clear();
    assert!(empty.verify(7, 7, ring(7)).is_err());
    let mut heavier = good.clone();
    for table in &mut heavier.weights {
        table.capacity += 1;
    }
    let mut lighter = good.clone();
    for table in &mut lighter.weights {
        table.weights.iter_mut().for_each(|(_, weight)| *weight *= 2);
    }
    let mut twice = good.clone();
    for table in &mut twice.weights {
        let first = table.weights[0];
        table.weights.push(first);
    }
    for spoiled in [heavier, lighter, twice] {
        assert!(spoiled.verify(7, 7, ring(7)).is_err());
    }
    let mut dropped = good;
    dropped.dropped.push((0, 1));
    assert!(dropped.verify(7, 7, ring(7)).is_err());
    // Two disjoint rings of 8 with balls of 4 in a row need branches; a branch without one of its balls is no proof.
    let far = |p: usize, c: usize| p % 3 == c % 3 && (p + c).is_multiple_of(2) || (p * c + p + c) % 5 == 1 || p == c;
    let found = cover(14, 14, far).unwrap();
    found.verify(14, 14, far).unwrap();
    let grid = |p: usize, c: usize| (p / 6).abs_diff(c / 6) + (p % 6).abs_diff(c % 6) <= 1;
    let grid_cover = cover(36, 36, grid).unwrap();
    grid_cover.verify(36, 36, grid).unwrap();
    // The domination number of the 6 x 6 grid.
    assert_eq!(grid_cover.size(), 10);
    let branch = grid_cover.steps.iter().position(|step| matches!(step, Step::Branch { children, .. } if !children.is_empty())).unwrap();
    let mut skipped = grid_cover.clone();
    if let Step::Branch { children, .. } = &mut skipped.steps[branch] {
        children.pop();
    }
    assert!(skipped.verify(36, 36, grid).is_err());
    let mut claimed = grid_cover.clone();
    if let Step::Branch { children, .. } = &mut claimed.steps[branch] {
        let first = children[0].0;
        children.last_mut().unwrap().1 = Child::Dominated(first);
    }
    assert!(claimed.verify(36, 36, grid).is_err());
    let packed = packing(36, grid).unwrap();
    packed.verify(36, grid).unwrap();
    assert_eq!(packed.size(), 18);
    let mut fewer = packed.clone();
    fewer.points.pop();
    assert!(fewer.verify(36, grid).is_err());
    let mut grouped = packed;
    grouped.steps[0].groups.pop();
    assert!(grouped.verify(36, grid).is_err());
}

/// Sizes at the borders between machine words, and beyond what is taken.
#[test]
fn all_sizes_of_sets() {
    for points in [0, 1, 63, 64, 65, 255, 256, 257, 1024] {
        let path = |p: usize, c: usize| p.abs_diff(c) <= 1;
        let found = cover(points, points, path).unwrap();
        found.verify(points, points, path).unwrap();
        assert_eq!(found.size(), points.div_ceil(3), "{points}");
        let packed = packing(points, path).unwrap();
        packed.verify(points, path).unwrap();
        assert_eq!(packed.size(), points.div_ceil(2), "{points}");
    }
    assert_eq!(cover(1025, 3, |_, _| true), Err(CoverError::TooLarge { points: 1025, centres: 3 }));
    assert_eq!(cover(3, 65_537, |_, _| true), Err(CoverError::TooLarge { points: 3, centres: 65_537 }));
    assert_eq!(packing(1025, |_, _| true), Err(CoverError::TooLarge { points: 1025, centres: 1025 }));
    assert_eq!(cover(2, 1, |p, _| p == 0), Err(CoverError::Uncovered { point: 1 }));
    assert_eq!(cover(1, 0, |_, _| true), Err(CoverError::Uncovered { point: 0 }));
}

#[test]
fn profiles_ask_only_where_numbers_change() {
    let numbers = [5, 5, 5, 4, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    let mut asked = 0;
    let found = profile(numbers.len(), |index| {
        asked += 1;
        Ok::<usize, ()>(numbers[index])
    });
    assert_eq!(found, Ok(numbers.to_vec()));
    assert!(asked < 12, "{asked}");
    assert_eq!(profile(0, |_| Ok::<usize, ()>(0)), Ok(vec![]));
    assert_eq!(profile(3, |_| Err::<usize, u8>(7)), Err(7));
}

fn file(name: &str, content: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

fn ask(arguments: &[&str]) -> Result<Answer, CalculatorError> {
    let all = std::iter::once("slt").chain(arguments.iter().copied());
    SltCalculator.run(&SltCalculator.command().get_matches_from(all), &mut std::io::empty())
}

fn decimal(answer: &Answer, key: &str) -> Rational {
    match answer.reports[0].get(key) {
        Some(Value::Decimal(text)) => q(text),
        other => panic!("{key}: {other:?}"),
    }
}

fn near(value: &Rational, expected: &str, unit: &str) {
    let off = Ordered::abs(&(value.clone() - q(expected)));
    assert!(off <= q(unit), "{}, expected {expected}", value.to_decimal(30, Rounding::Down));
}

/// The library's own example: {0, 1} in the line and in itself.
#[test]
fn the_calculator_takes_the_ambient_space_as_given() {
    let (_keep, points) = file("points.csv", "0\n1\n");
    let (_keep_too, centres) = file("centres.csv", "0\n1/2\n1\n");
    let inside = ask(&["covering", &points, "--eps", "1/2"]).unwrap();
    assert_eq!(inside.reports[0].get("covering"), Some(&Value::Count(2)));
    let outside = ask(&["covering", &points, "--eps", "1/2", "--centres", &centres]).unwrap();
    assert_eq!(outside.reports[0].get("covering"), Some(&Value::Count(1)));
    assert_eq!(outside.reports[0].get("net"), Some(&Value::List(vec![Value::Count(1)])));
    // sqrt(ln 2) on [0, 1] and on [0, 1/2]; 12 sqrt 2 times it (mpmath).
    near(&decimal(&inside, "entropy_integral"), "0.832554611157697756353165", "1e-23");
    near(&decimal(&outside, "entropy_integral"), "0.416277305578848878176582", "1e-23");
    near(&decimal(&outside, "dudley_bound"), "7.06446013509284814606941", "1e-22");
    near(&decimal(&inside, "diameter"), "1", "0");
}

#[test]
fn the_calculator_knows_four_metrics() {
    let (_keep, points) = file("points.csv", "0,0\n3,4\n6,8\n");
    for (metric, covering, packing) in [("euclidean", 1, 2), ("l1", 3, 3), ("linf", 1, 2)] {
        let answer = ask(&["covering", &points, "--eps", "5", "--metric", metric]).unwrap();
        assert_eq!(answer.reports[0].get("covering"), Some(&Value::Count(covering)), "{metric}");
        assert_eq!(answer.reports[0].get("packing"), Some(&Value::Count(packing)), "{metric}");
    }
    let (_keep, matrix) = file("matrix.csv", "0,1,2\n1,0,1\n2,1,0\n");
    let answer = ask(&["covering", &matrix, "--eps", "1", "--metric", "matrix"]).unwrap();
    assert_eq!(answer.reports[0].get("covering"), Some(&Value::Count(1)));
    assert_eq!(answer.reports[0].get("net"), Some(&Value::List(vec![Value::Count(1)])));
    // N = 3 below 1, 1 from there on.
    near(&decimal(&answer, "entropy_integral"), "1.048147073968204946491238", "1e-23");
    let (_keep, broken) = file("matrix.csv", "0,1,5\n1,0,1\n5,1,0\n");
    let message = ask(&["covering", &broken, "--eps", "1", "--metric", "matrix"]).unwrap_err().to_string();
    assert!(message.contains("d(2, 0) = 5 > d(2, 1) + d(1, 0) = 1 + 1"), "{message}");
}

/// A metric of 200 points on a line passes, at any scale; one distance a little too long does not; and too many points are refused before they cost anything.
#[test]
fn large_inputs() {
    let matrix = |scale: &str, spoiled: bool| {
        let row = |i: i64| {
            let entry = |j: i64| {
                let d = Rational::from((i - j).abs()) * q(scale);
                if spoiled && (i, j) != (j, i) && i + j == 150 && (i - j).abs() == 2 { (d + q("1e-40")).to_string() } else { d.to_string() }
            };
            (0..200).map(entry).collect::<Vec<_>>().join(",")
        };
        (0..200).map(row).collect::<Vec<_>>().join("\n")
    };
    for scale in ["1", "1/3", "1e-30"] {
        let (_keep, path) = file("matrix.csv", &matrix(scale, false));
        let answer = ask(&["covering", &path, "--eps", scale, "--metric", "matrix"]).unwrap();
        assert_eq!(answer.reports[0].get("covering"), Some(&Value::Count(67)), "{scale}");
        assert_eq!(answer.reports[0].get("packing"), Some(&Value::Count(100)), "{scale}");
    }
    let (_keep, path) = file("matrix.csv", &matrix("1/3", true));
    let message = ask(&["covering", &path, "--eps", "1", "--metric", "matrix"]).unwrap_err().to_string();
    assert!(message.contains("no metric: d(76, 74) = "), "{message}");
    let (_keep, path) = file("points.csv", &"1,2\n".repeat(1025));
    let message = ask(&["covering", &path, "--eps", "1"]).unwrap_err().to_string();
    assert!(message.contains("1025 points") && message.contains("up to 1024"), "{message}");
}

/// At t = d the least constants that could stand in place of 16, and the exact probabilities.
#[test]
fn regression_against_the_exact_law() {
    for (rank, constant) in [
        ("1", "0.45846"),
        ("2", "1"),
        ("3", "1.21707"),
        ("5", "1.40236"),
        ("10", "1.55205"),
        ("50", "1.68921"),
        ("100", "1.70975"),
        ("200", "1.72099"),
    ] {
        let answer = ask(&["regression", "--n", "1000", "--rank", rank, "--sigma", "1"]).unwrap();
        near(&decimal(&answer, "best_constant"), constant, "5e-6");
        let looseness = decimal(&answer, "looseness");
        assert!(looseness > q("9.2"), "{looseness}");
    }
    // d = 2 sigma E|g_r|/sqrt n: sigma = 3, n = 4, r = 1 gives 3 sqrt(2/pi); 16 d^2 = 144 * 2/pi.
    let answer = ask(&["regression", "--n", "4", "--rank", "1", "--sigma", "3"]).unwrap();
    near(&decimal(&answer, "critical_radius"), "2.39365368240859606763967", "1e-22");
    near(&decimal(&answer, "master_bound"), "91.6732472209317134028770", "1e-21");
    near(&decimal(&answer, "promised_probability"), "0.7200766727986095", "1e-15");
    near(&decimal(&answer, "exact_excess"), "1.735651590333476e-10", "1e-24");
    let sum = decimal(&answer, "exact_excess") + decimal(&answer, "exact_probability");
    near(&sum, "1", "1e-24");
    // A larger t: n t d/sigma^2 = 4 * 5 * d/9, P(chi2_1 > x) = erfc(sqrt(x/2)).
    let answer = ask(&["regression", "--n", "4", "--rank", "1", "--sigma", "3", "--t", "5"]).unwrap();
    near(&decimal(&answer, "master_bound"), "191.492294592687685411174", "1e-20");
    assert!(ask(&["regression", "--n", "4", "--rank", "1", "--sigma", "3", "--t", "2.39"]).unwrap_err().to_string().contains("2.39"));
}

/// Sums with a scalar of another precision stay enclosures: the integral at 53 bits holds the one at 300.
#[test]
fn precision_refines_the_integral() {
    let steps = Steps::simplex(50);
    let rough: BigInterval = with_precision(64, || steps.whole()).unwrap();
    let fine: BigInterval = with_precision(300, || steps.whole()).unwrap();
    assert!(fine.is_subset(&rough));
    assert!(fine.accuracy_bits() > 250 && rough.accuracy_bits() > 40);
}

/// The table of constants: what is needed, from other values of this file and from mpmath; nothing needed exceeds what is printed.
#[test]
fn looseness_of_the_printed_constants() {
    let answer = ask(&["looseness"]).unwrap();
    let text = |report: &calculator::Report, key: &str| match report.get(key) {
        Some(Value::Decimal(text)) => q(text),
        other => panic!("{key}: {other:?}"),
    };
    for report in &answer.reports {
        assert!(text(report, "needed") <= text(report, "printed"), "{report:?}");
        assert!(text(report, "looseness_at_most") >= n(1), "{report:?}");
    }
    let needed = |claim: &str, constant: &str| {
        let found = answer
            .reports
            .iter()
            .find(|report| report.name.as_deref() == Some(claim) && report.get("constant") == Some(&Value::Text(constant.to_owned())));
        text(found.unwrap(), "needed")
    };
    near(&needed("slt/small-ball", "base e"), "2.7000109150706", "1e-13");
    near(&needed("slt/dudley", "12 sqrt 2"), "1.51753201063", "1e-10");
    near(&needed("slt/subgaussian-max", "sqrt 2"), "0.826264928272947", "1e-14");
    near(&needed("slt/local-gaussian-complexity", "24 sqrt 2"), "1.4854032345", "2e-9");
    near(&needed("slt/local-gaussian-complexity", "96 sqrt 2 of the rank's bound"), "0.99875078612", "1e-10");
    near(&needed("slt/master-error", "16"), "1.72099", "5e-6");
    near(&needed("slt/truncated-dudley", "32"), "1.76269851369", "1e-10");
}
