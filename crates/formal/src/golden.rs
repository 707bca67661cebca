//! Golden vectors: what the Lean executable must print, computed here.

use numeric::{Field, Rational};

/// One golden value.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenEntry {
    /// The claim.
    pub id: &'static str,
    /// The input, as printed.
    pub input: &'static str,
    /// The value.
    pub value: Rational,
}

fn rational(text: &str) -> Rational {
    // Literals of this file only; a typo becomes the undefined value, which no comparison accepts.
    text.parse().unwrap_or(Rational::UNDEFINED)
}

fn power(base: &Rational, exponent: u32) -> Rational {
    (0..exponent).fold(Rational::one(), |product, _| product * base.clone())
}

/// (sum x)^2 / sum x^2.
fn effective_number(values: &[Rational]) -> Rational {
    let sum = values.iter().fold(Rational::zero(), |sum, x| sum + x.clone());
    let squares = values.iter().fold(Rational::zero(), |sum, x| sum + x.clone() * x.clone());
    sum.clone() * sum / squares
}

/// (K + M)^2 / (K R): the squared budget.
fn budget_squared(k: i64, m: i64, r: i64) -> Rational {
    Rational::new((k + m) * (k + m), k * r)
}

/// P(U_1 + ... + U_n <= x) for uniforms on `[0, 1]`: sum over k of (-1)^k C(n, k) max(x - k, 0)^n, over n!.
fn irwin_hall(n: u32, x: &Rational) -> Rational {
    let (mut total, mut binomial, mut factorial) = (Rational::zero(), Rational::one(), Rational::one());
    for k in 0..=n {
        let rest = x.clone() - Rational::from(i64::from(k));
        if rest.signum() == Some(1) {
            let term = binomial.clone() * power(&rest, n);
            total = if k % 2 == 0 { total + term } else { total - term };
        }
        binomial = binomial * Rational::new(i64::from(n - k), i64::from(k + 1));
        factorial = factorial * Rational::from(i64::from(k.max(1)));
    }
    total / factorial
}

/// Variance and Efron-Stein sum of the maximum of two independent bits with P(1) = p, q, from the table of its four values.
fn two_bits(p: &Rational, q: &Rational) -> (Rational, Rational) {
    let one = Rational::one();
    let law = |p: &Rational, bit: usize| if bit == 1 { p.clone() } else { one.clone() - p.clone() };
    let value = |i: usize, j: usize| Rational::from(i64::from(i == 1 || j == 1));
    let (mut mean, mut square, mut conditional) = (Rational::zero(), Rational::zero(), Rational::zero());
    for i in 0..2 {
        for j in 0..2 {
            let weight = law(p, i) * law(q, j);
            mean = mean + weight.clone() * value(i, j);
            square = square + weight * value(i, j) * value(i, j);
        }
        let across = value(i, 0) - value(i, 1);
        conditional = conditional + law(p, i) * q.clone() * (one.clone() - q.clone()) * across.clone() * across;
        let down = value(0, i) - value(1, i);
        conditional = conditional + law(q, i) * p.clone() * (one.clone() - p.clone()) * down.clone() * down;
    }
    (square - mean.clone() * mean, conditional)
}

/// The golden vectors, in the order of `Golden.lean`.
#[must_use]
pub fn golden() -> Vec<GoldenEntry> {
    let entry = |id, input, value| GoldenEntry { id, input, value };
    let list = |text: &str| text.split(',').map(rational).collect::<Vec<_>>();
    let mut all: Vec<GoldenEntry> =
        ["1,1,1,1", "1/2,1/3,1/6", "8,4,2,1"].into_iter().map(|input| entry("emp/neff-basic", input, effective_number(&list(input)))).collect();
    all.push(entry("moe/budget", "K=1,M=8,R=64", budget_squared(1, 8, 64)));
    all.push(entry("moe/budget", "K=2,M=8,R=64", budget_squared(2, 8, 64)));
    all.push(entry("moe/budget", "K=8,M=8,R=64", budget_squared(8, 8, 64)));
    all.push(entry("slt/small-ball", "N=3,x=3/2", irwin_hall(3, &rational("3/2"))));
    all.push(entry("slt/small-ball", "N=6,x=1/2", irwin_hall(6, &rational("1/2"))));
    all.push(entry("slt/small-ball", "N=4,x=5/3", irwin_hall(4, &rational("5/3"))));
    let (variance, sum) = two_bits(&rational("1/2"), &rational("2/3"));
    all.push(entry("slt/efron-stein", "var p=1/2,q=2/3,f=max", variance));
    all.push(entry("slt/efron-stein", "rhs p=1/2,q=2/3,f=max", sum));
    all
}

/// What `Golden.lean` must print, byte for byte: numerators over denominators, integers over 1.
#[must_use]
pub fn golden_json() -> String {
    let lines: Vec<String> = golden()
        .iter()
        .map(|entry| {
            let (p, q) = (entry.value.numer(), entry.value.denom());
            format!("{{\"id\":\"{}\",\"input\":\"{}\",\"value\":\"{p}/{q}\"}}", entry.id, entry.input)
        })
        .collect();
    format!("[{}]\n", lines.join(",\n"))
}
