//! Runs the Lean source itself: its definitions are evaluated on numbers, its theorems are tried on random instances, so that a false
//! statement is caught where no Lean is installed.

use crate::declaration::{Declaration, Keyword};
use crate::syntax::{self, Definition, Expression, Operation, Pattern, Statement, Type};
use numeric::{Field, Rational};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// Relations of instances live on this many points; outside of them a point is close to itself only.
const POINTS: usize = 6;

/// A value.
#[derive(Clone, Debug)]
enum Value {
    Number(Rational),
    Truth(bool),
    Pair(Arc<(Value, Value)>),
    List(Option<Arc<(Value, Value)>>),
    /// A relation on [`POINTS`] points, a bit a pair.
    Relation(u64),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Truth(truth) => write!(f, "{truth}"),
            Value::Pair(pair) => write!(f, "({}, {})", pair.0, pair.1),
            Value::List(list) => {
                write!(f, "[")?;
                let mut rest = list;
                let mut first = true;
                while let Some(node) = rest {
                    write!(f, "{}{}", if first { "" } else { ", " }, node.0)?;
                    first = false;
                    let Value::List(next) = &node.1 else { break };
                    rest = next;
                }
                write!(f, "]")
            }
            Value::Relation(bits) => write!(f, "relation {bits:#x}"),
        }
    }
}

/// Why the source could not be run.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum RunError {
    /// A declaration outside the fragment that we understand.
    #[error("{name}: {what}")]
    Outside {
        /// The declaration.
        name: String,
        /// What is outside.
        what: String,
    },
    /// No theorem of that name.
    #[error("no theorem '{0}'")]
    Missing(String),
    /// An instance that satisfies the hypotheses and not the conclusion.
    #[error("{name} is false at {instance}")]
    False {
        /// The theorem.
        name: String,
        /// The instance.
        instance: String,
    },
    /// The hypotheses were met too rarely.
    #[error("{name}: only {met} of {tried} instances satisfy the hypotheses, {wanted} were wanted")]
    Rare {
        /// The theorem.
        name: String,
        /// Instances that satisfy the hypotheses.
        met: u64,
        /// Instances drawn.
        tried: u64,
        /// Instances wanted.
        wanted: u64,
    },
}

/// The definitions and theorems of Lean files, ready to run.
#[derive(Debug, Default)]
pub struct Program {
    definitions: BTreeMap<String, Definition>,
    theorems: BTreeMap<String, Statement>,
}

type Scope = Vec<(String, Value)>;

/// A keyed stream of words (SplitMix64).
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.below(high.abs_diff(low) + 1)).unwrap_or(0)
    }
}

fn list(items: Vec<Value>) -> Value {
    items.into_iter().rev().fold(Value::List(None), |rest, item| Value::List(Some(Arc::new((item, rest)))))
}

/// How one instance is drawn: small and large numbers, and one number that several variables may share (hypotheses that tie variables
/// together, as a product that equals another variable, would otherwise hardly ever be met).
struct Draw<'a> {
    words: &'a mut Words,
    scale: i64,
    shared: i64,
}

impl Draw<'_> {
    fn number(&mut self) -> Value {
        let value = if self.words.below(4) == 0 { self.shared } else { self.words.between(-self.scale, self.scale) };
        Value::Number(Rational::from(value))
    }

    fn value(&mut self, of: &Type) -> Result<Value, String> {
        Ok(match of {
            Type::Int | Type::Rat => self.number(),
            Type::Nat => Value::Number(Rational::from(i64::try_from(self.words.below(POINTS as u64)).unwrap_or(0))),
            Type::Bool => Value::Truth(self.words.below(2) == 1),
            Type::Pair(first, second) => Value::Pair(Arc::new((self.value(first)?, self.value(second)?))),
            Type::List(of) => {
                let length = self.words.below(6);
                // Entries of one list keep to one stretch, so that "all at least t" is not rare; pairs may be a number's divisors.
                let (a, b) = (self.words.between(-self.scale, self.scale), self.words.between(-self.scale, self.scale));
                let divisors = self.words.below(2) == 0;
                let items = (0..length)
                    .map(|_| match &**of {
                        Type::Int => Ok(Value::Number(Rational::from(self.words.between(a.min(b), a.max(b))))),
                        Type::Pair(first, second) if divisors && **first == Type::Int && **second == Type::Int => {
                            let with: Vec<i64> = (1..=60).filter(|by| self.shared % by == 0).collect();
                            let by = with[usize::try_from(self.words.below(with.len() as u64)).unwrap_or(0)];
                            let pair = (Value::Number(Rational::from(self.shared / by)), Value::Number(Rational::from(by)));
                            Ok(Value::Pair(Arc::new(pair)))
                        }
                        other => self.value(other),
                    })
                    .collect::<Result<Vec<Value>, String>>()?;
                list(items)
            }
            Type::Arrow(..) => {
                let diagonal = (0..POINTS).fold(0, |bits, point| bits | 1 << (point * POINTS + point));
                let sparse = self.words.next() & if self.words.below(2) == 0 { self.words.next() } else { u64::MAX };
                Value::Relation(if self.words.below(4) == 0 { sparse } else { sparse | diagonal })
            }
            Type::Prop | Type::Text => return Err(format!("variables of type {of:?} are not drawn")),
        })
    }
}

impl Program {
    /// Reads the declarations of files that depend on each other in any order. Names lose their namespaces.
    ///
    /// # Errors
    /// The first declaration outside the fragment.
    pub fn new<'a>(declarations: impl IntoIterator<Item = &'a Declaration>) -> Result<Program, RunError> {
        let mut program = Program::default();
        for declaration in declarations {
            let outside = |what: String| RunError::Outside { name: declaration.name.clone(), what };
            let short = declaration.name.rsplit('.').next().unwrap_or(&declaration.name).to_owned();
            match declaration.keyword {
                Keyword::Definition => {
                    let definition = syntax::definition(&declaration.statement).map_err(outside)?;
                    program.definitions.insert(definition.name.clone(), definition);
                }
                Keyword::Theorem => {
                    program.theorems.insert(short, syntax::statement(&declaration.statement).map_err(outside)?);
                }
                Keyword::Pin => {}
            }
        }
        Ok(program)
    }

    /// The theorems' names, without their namespaces.
    pub fn theorems(&self) -> impl Iterator<Item = &str> {
        self.theorems.keys().map(String::as_str)
    }

    /// Tries a theorem on random instances until `wanted` of them satisfied its hypotheses.
    ///
    /// # Errors
    /// An instance where it is false, hypotheses that are met too rarely (one draw in 200), or a word that we cannot evaluate.
    pub fn try_theorem(&self, name: &str, wanted: u64, seed: u64) -> Result<u64, RunError> {
        let statement = self.theorems.get(name).ok_or_else(|| RunError::Missing(name.to_owned()))?;
        let outside = |what: String| RunError::Outside { name: name.to_owned(), what };
        let mut words = Words(name.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)));
        let (mut met, mut tried) = (0, 0);
        while met < wanted {
            if tried >= 200 * wanted.max(100) {
                return Err(RunError::Rare { name: name.to_owned(), met, tried, wanted });
            }
            tried += 1;
            let scale = [1, 2, 4, 30, 1_000_000][usize::try_from(words.below(5)).unwrap_or(0)];
            let shared = [0, 1, 2, 6, 12, 60, -12, 720][usize::try_from(words.below(8)).unwrap_or(0)];
            let mut draw = Draw { words: &mut words, scale, shared };
            let mut scope: Scope = Vec::new();
            for (variable, of) in &statement.variables {
                let value = draw.value(of).map_err(outside)?;
                scope.push((variable.clone(), value));
            }
            let mut holds = true;
            for hypothesis in &statement.hypotheses {
                if !self.truth(hypothesis, &mut scope).map_err(outside)? {
                    holds = false;
                    break;
                }
            }
            if !holds {
                continue;
            }
            met += 1;
            if !self.truth(&statement.goal, &mut scope).map_err(outside)? {
                let instance = scope.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ");
                return Err(RunError::False { name: name.to_owned(), instance });
            }
        }
        Ok(tried)
    }

    /// The entries of `Golden.lean`: id, input and value of each `entry ID INPUT VALUE` in `entries`.
    ///
    /// # Errors
    /// A value that we cannot evaluate, or an entry of another shape.
    pub fn golden(&self, entries: &Declaration) -> Result<Vec<(String, String, Rational)>, RunError> {
        let outside = |what: String| RunError::Outside { name: entries.name.clone(), what };
        let definition = syntax::definition(&entries.statement).map_err(outside)?;
        let [(_, Expression::List(items))] = &definition.arms[..] else { return Err(outside("a list of entries expected".to_owned())) };
        items
            .iter()
            .map(|item| match item {
                Expression::Apply(function, arguments) if function == "entry" => match &arguments[..] {
                    [Expression::Text(id), Expression::Text(input), value] => {
                        Ok((id.clone(), input.clone(), self.number(value, &mut Vec::new()).map_err(outside)?))
                    }
                    _ => Err(outside("an entry has an id, an input and a value".to_owned())),
                },
                _ => Err(outside("only entries may stand in the list".to_owned())),
            })
            .collect()
    }

    fn truth(&self, expression: &Expression, scope: &mut Scope) -> Result<bool, String> {
        match self.evaluate(expression, scope)? {
            Value::Truth(truth) => Ok(truth),
            other => Err(format!("{other} is no truth value")),
        }
    }

    fn number(&self, expression: &Expression, scope: &mut Scope) -> Result<Rational, String> {
        match self.evaluate(expression, scope)? {
            Value::Number(number) => Ok(number),
            other => Err(format!("{other} is no number")),
        }
    }

    fn evaluate(&self, expression: &Expression, scope: &mut Scope) -> Result<Value, String> {
        Ok(match expression {
            Expression::Number(number) => Value::Number(number.clone()),
            Expression::Text(text) => return Err(format!("the text '{text}' has no place in a statement")),
            Expression::Word(word) => match word.as_str() {
                "true" | "True" => Value::Truth(true),
                "false" | "False" => Value::Truth(false),
                _ => match scope.iter().rev().find(|(name, _)| name == word) {
                    Some((_, value)) => value.clone(),
                    None => self.call(word, Vec::new())?,
                },
            },
            Expression::Apply(function, arguments) => {
                let values = arguments.iter().map(|argument| self.evaluate(argument, scope)).collect::<Result<Vec<Value>, String>>()?;
                match scope.iter().rev().find(|(name, _)| name == function) {
                    Some((_, Value::Relation(bits))) => close(*bits, &values)?,
                    Some(_) => return Err(format!("{function} is no function")),
                    None => self.call(function, values)?,
                }
            }
            Expression::Part(whole, part) => match self.evaluate(whole, scope)? {
                Value::Pair(pair) => {
                    if *part == 1 {
                        pair.0.clone()
                    } else {
                        pair.1.clone()
                    }
                }
                other => return Err(format!("{other} is no pair")),
            },
            Expression::Negate(inner) => Value::Number(-self.number(inner, scope)?),
            Expression::If(condition, yes, no) => {
                let chosen = if self.truth(condition, scope)? { yes } else { no };
                self.evaluate(chosen, scope)?
            }
            Expression::Pair(first, second) => Value::Pair(Arc::new((self.evaluate(first, scope)?, self.evaluate(second, scope)?))),
            Expression::List(items) => list(items.iter().map(|item| self.evaluate(item, scope)).collect::<Result<Vec<Value>, String>>()?),
            Expression::ForAll(bound, inner) => {
                let [(name, None | Some(Type::Nat))] = &bound[..] else { return Err("only one point may be quantified inside".to_owned()) };
                let mut all = true;
                for point in 0..=POINTS {
                    scope.push((name.clone(), Value::Number(Rational::from(i64::try_from(point).unwrap_or(0)))));
                    let holds = self.truth(inner, scope);
                    scope.pop();
                    all &= holds?;
                }
                Value::Truth(all)
            }
            Expression::Binary(operation, left, right) => self.binary(*operation, left, right, scope)?,
        })
    }

    fn binary(&self, operation: Operation, left: &Expression, right: &Expression, scope: &mut Scope) -> Result<Value, String> {
        Ok(match operation {
            Operation::Implies => Value::Truth(!self.truth(left, scope)? || self.truth(right, scope)?),
            Operation::And => Value::Truth(self.truth(left, scope)? && self.truth(right, scope)?),
            Operation::Or => Value::Truth(self.truth(left, scope)? || self.truth(right, scope)?),
            Operation::Cons => Value::List(Some(Arc::new((self.evaluate(left, scope)?, self.evaluate(right, scope)?)))),
            Operation::Equal => match (self.evaluate(left, scope)?, self.evaluate(right, scope)?) {
                (Value::Number(a), Value::Number(b)) => Value::Truth(ordered(&a, &b)? == Ordering::Equal),
                (Value::Truth(a), Value::Truth(b)) => Value::Truth(a == b),
                (a, b) => return Err(format!("{a} and {b} are not compared")),
            },
            _ => {
                let (a, b) = (self.number(left, scope)?, self.number(right, scope)?);
                match operation {
                    Operation::AtMost => Value::Truth(ordered(&a, &b)? != Ordering::Greater),
                    Operation::Less => Value::Truth(ordered(&a, &b)? == Ordering::Less),
                    Operation::Add => Value::Number(a + b),
                    Operation::Subtract => Value::Number(a - b),
                    Operation::Multiply => Value::Number(a * b),
                    // Lean's rationals have x / 0 = 0.
                    _ => Value::Number(if b.is_zero() { Rational::zero() } else { a / b }),
                }
            }
        })
    }

    fn call(&self, function: &str, values: Vec<Value>) -> Result<Value, String> {
        match (function, &values[..]) {
            ("Int.ofNat", [value]) => return Ok(value.clone()),
            ("mkRat", [Value::Number(p), Value::Number(q)]) if !q.is_zero() => return Ok(Value::Number(p.clone() / q.clone())),
            _ => {}
        }
        let definition = self.definitions.get(function).ok_or_else(|| format!("'{function}' is not defined"))?;
        let named = definition.arguments.len();
        for (patterns, body) in &definition.arms {
            if values.len() != named + patterns.len() {
                return Err(format!("{function} is applied to {} arguments", values.len()));
            }
            let mut scope: Scope = definition.arguments.iter().cloned().zip(values.iter().cloned()).collect();
            if patterns.iter().zip(&values[named..]).all(|(pattern, value)| matches_(pattern, value, &mut scope)) {
                return self.evaluate(body, &mut scope);
            }
        }
        Err(format!("{function} has no equation for its arguments"))
    }
}

fn ordered(a: &Rational, b: &Rational) -> Result<Ordering, String> {
    a.cmp_exact(b).ok_or_else(|| "an undefined number".to_owned())
}

fn close(bits: u64, values: &[Value]) -> Result<Value, String> {
    let [Value::Number(a), Value::Number(b)] = values else { return Err("a relation takes two points".to_owned()) };
    let point = |number: &Rational| number.to_i128().and_then(|number| usize::try_from(number).ok()).filter(|&point| point < POINTS);
    Ok(Value::Truth(match (point(a), point(b)) {
        (Some(a), Some(b)) => bits >> (a * POINTS + b) & 1 == 1,
        _ => a.cmp_exact(b) == Some(Ordering::Equal),
    }))
}

/// Whether a value has a pattern's shape; its names go into the scope.
fn matches_(pattern: &Pattern, value: &Value, scope: &mut Scope) -> bool {
    match (pattern, value) {
        (Pattern::Any, _) | (Pattern::Empty, Value::List(None)) => true,
        (Pattern::Word(name), value) => {
            scope.push((name.clone(), value.clone()));
            true
        }
        (Pattern::Number(wanted), Value::Number(value)) => wanted.cmp_exact(value) == Some(Ordering::Equal),
        (Pattern::Plus(name, step), Value::Number(value)) => {
            let rest = value.clone() - step.clone();
            let fits = rest.signum().is_some_and(|sign| sign >= 0);
            scope.push((name.clone(), Value::Number(rest)));
            fits
        }
        (Pattern::Cons(first, rest), Value::List(Some(node))) => matches_(first, &node.0, scope) && matches_(rest, &node.1, scope),
        (Pattern::Truth(wanted), Value::Truth(value)) => wanted == value,
        _ => false,
    }
}
