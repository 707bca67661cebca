//! The fragment of Lean that our definitions and statements are written in: tokens, types, expressions, patterns.

use numeric::Rational;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Number(String),
    Text(String),
    Sign(&'static str),
    /// `.1`, `.2`
    Part(usize),
}

const SIGNS: [&str; 27] =
    ["::", ":=", "=>", "||", "++", "∀", "∧", "→", "≤", "≥", "<", ">", "=", "+", "-", "*", "/", ":", ",", "(", ")", "[", "]", "|", "×", "_", "¬"];

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let taken = if first.is_alphabetic() || (first == '_' && rest[1..].starts_with(char::is_alphanumeric)) {
            let mut end = 0;
            let mut previous = ' ';
            for (at, c) in rest.char_indices() {
                let dotted = c == '.' && rest[at + 1..].starts_with(char::is_alphabetic);
                if !(c.is_alphanumeric() || c == '_' || c == '\'' || dotted) || (previous == '.' && c.is_ascii_digit()) {
                    break;
                }
                previous = c;
                end = at + c.len_utf8();
            }
            found.push(Token::Word(rest[..end].to_owned()));
            end
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            found.push(Token::Number(rest[..end].to_owned()));
            end
        } else if first == '"' {
            let end = rest[1..].find('"').ok_or("a string that never ends")? + 2;
            found.push(Token::Text(rest[1..end - 1].to_owned()));
            end
        } else if rest.starts_with(".1") || rest.starts_with(".2") {
            found.push(Token::Part(if rest.starts_with(".1") { 1 } else { 2 }));
            2
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign)).ok_or_else(|| format!("'{first}' is outside the fragment"))?;
            found.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest[taken..].trim_start();
    }
    Ok(found)
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Int,
    Nat,
    Bool,
    Rat,
    Prop,
    Text,
    List(Box<Type>),
    Pair(Box<Type>, Box<Type>),
    Arrow(Box<Type>, Box<Type>),
}

/// A binary operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Implies,
    Or,
    And,
    Equal,
    AtMost,
    Less,
    Add,
    Subtract,
    Multiply,
    Divide,
    Cons,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Number(Rational),
    Text(String),
    Word(String),
    Apply(String, Vec<Expression>),
    Part(Box<Expression>, usize),
    Binary(Operation, Box<Expression>, Box<Expression>),
    Negate(Box<Expression>),
    If(Box<Expression>, Box<Expression>, Box<Expression>),
    Pair(Box<Expression>, Box<Expression>),
    List(Vec<Expression>),
    ForAll(Vec<(String, Option<Type>)>, Box<Expression>),
}

/// A pattern of a defining equation.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Any,
    Word(String),
    Number(Rational),
    /// `n + k`
    Plus(String, Rational),
    Empty,
    Cons(Box<Pattern>, Box<Pattern>),
    Truth(bool),
}

/// A definition: its named arguments, then equations over the rest (one without patterns where it has a plain body).
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub name: String,
    pub arguments: Vec<String>,
    pub arms: Vec<(Vec<Pattern>, Expression)>,
}

/// A theorem's statement: variables, hypotheses, conclusion.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub variables: Vec<(String, Type)>,
    pub hypotheses: Vec<Expression>,
    pub goal: Expression,
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

type Parsed<T> = Result<T, String>;

impl Parser {
    fn new(text: &str) -> Parsed<Parser> {
        Ok(Parser { tokens: tokens(text)?, at: 0 })
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let hit = matches!(self.peek(), Some(Token::Sign(found)) if *found == sign);
        self.at += usize::from(hit);
        hit
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let hit = matches!(self.peek(), Some(Token::Word(found)) if found == word);
        self.at += usize::from(hit);
        hit
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.eat(sign) { Ok(()) } else { Err(format!("'{sign}' expected before {:?}", self.peek())) }
    }

    fn word(&mut self) -> Parsed<String> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            Some(Token::Sign("_")) => {
                self.at += 1;
                Ok("_".to_owned())
            }
            other => Err(format!("a name expected before {other:?}")),
        }
    }

    fn done(&self) -> Parsed<()> {
        self.peek().map_or(Ok(()), |left| Err(format!("{left:?} is left over")))
    }

    fn type_atom(&mut self) -> Parsed<Type> {
        if self.eat("(") {
            let inner = self.type_()?;
            self.expect(")")?;
            return Ok(inner);
        }
        match self.word()?.as_str() {
            "Int" => Ok(Type::Int),
            "Nat" => Ok(Type::Nat),
            "Bool" => Ok(Type::Bool),
            "Rat" => Ok(Type::Rat),
            "Prop" => Ok(Type::Prop),
            "String" => Ok(Type::Text),
            "List" => Ok(Type::List(Box::new(self.type_atom()?))),
            other => Err(format!("'{other}' is no type of the fragment")),
        }
    }

    fn type_(&mut self) -> Parsed<Type> {
        let first = self.type_atom()?;
        if self.eat("×") {
            let second = self.product()?;
            return self.arrow(Type::Pair(Box::new(first), Box::new(second)));
        }
        self.arrow(first)
    }

    fn product(&mut self) -> Parsed<Type> {
        let first = self.type_atom()?;
        if self.eat("×") { Ok(Type::Pair(Box::new(first), Box::new(self.product()?))) } else { Ok(first) }
    }

    fn arrow(&mut self, from: Type) -> Parsed<Type> {
        if self.eat("→") { Ok(Type::Arrow(Box::new(from), Box::new(self.type_()?))) } else { Ok(from) }
    }

    /// `(a b : T)`; None where what follows is no typed binder.
    fn binder(&mut self) -> Option<(Vec<String>, Type)> {
        let start = self.at;
        let parsed = (|| {
            self.expect("(")?;
            let names = self.names()?;
            self.expect(":")?;
            let of = self.type_()?;
            self.expect(")")?;
            Ok::<_, String>((names, of))
        })();
        if parsed.is_err() {
            self.at = start;
        }
        parsed.ok()
    }

    fn names(&mut self) -> Parsed<Vec<String>> {
        let mut names = vec![self.word()?];
        while matches!(self.peek(), Some(Token::Word(_) | Token::Sign("_"))) {
            names.push(self.word()?);
        }
        Ok(names)
    }

    fn quantified(&mut self) -> Parsed<Expression> {
        let mut bound = Vec::new();
        while let Some((names, of)) = self.binder() {
            bound.extend(names.into_iter().map(|name| (name, Some(of.clone()))));
        }
        if bound.is_empty() {
            let names = self.names()?;
            let of = if self.eat(":") { Some(self.type_()?) } else { None };
            bound.extend(names.into_iter().map(|name| (name, of.clone())));
        }
        self.expect(",")?;
        Ok(Expression::ForAll(bound, Box::new(self.expression(0)?)))
    }

    /// The operator that follows: its binding power, whether it leans to the right, what it is (turned round for `≥`, `>`).
    fn operator(&self) -> Option<(u8, bool, Operation, bool)> {
        let Some(Token::Sign(sign)) = self.peek() else { return None };
        Some(match *sign {
            "→" => (25, true, Operation::Implies, false),
            "||" => (30, false, Operation::Or, false),
            "∧" => (35, true, Operation::And, false),
            "=" => (50, false, Operation::Equal, false),
            "≤" => (50, false, Operation::AtMost, false),
            "<" => (50, false, Operation::Less, false),
            "≥" => (50, false, Operation::AtMost, true),
            ">" => (50, false, Operation::Less, true),
            "+" => (65, false, Operation::Add, false),
            "-" => (65, false, Operation::Subtract, false),
            "::" => (67, true, Operation::Cons, false),
            "*" => (70, false, Operation::Multiply, false),
            "/" => (70, false, Operation::Divide, false),
            _ => return None,
        })
    }

    fn expression(&mut self, least: u8) -> Parsed<Expression> {
        let mut left = if self.eat("∀") {
            self.quantified()?
        } else if self.eat_word("if") {
            let condition = self.expression(0)?;
            if !self.eat_word("then") {
                return Err("'then' expected".to_owned());
            }
            let yes = self.expression(0)?;
            if !self.eat_word("else") {
                return Err("'else' expected".to_owned());
            }
            Expression::If(Box::new(condition), Box::new(yes), Box::new(self.expression(0)?))
        } else if self.eat("-") {
            Expression::Negate(Box::new(self.expression(75)?))
        } else {
            self.application()?
        };
        while let Some((power, right, operation, turned)) = self.operator() {
            if power < least {
                break;
            }
            self.at += 1;
            let other = self.expression(if right { power } else { power + 1 })?;
            let (first, second) = if turned { (other, left) } else { (left, other) };
            left = Expression::Binary(operation, Box::new(first), Box::new(second));
        }
        Ok(left)
    }

    fn application(&mut self) -> Parsed<Expression> {
        let first = self.atom()?.ok_or_else(|| format!("an expression expected before {:?}", self.peek()))?;
        let Expression::Word(name) = first else { return Ok(first) };
        let mut arguments = Vec::new();
        while let Some(argument) = self.atom()? {
            arguments.push(argument);
        }
        Ok(if arguments.is_empty() { Expression::Word(name) } else { Expression::Apply(name, arguments) })
    }

    fn atom(&mut self) -> Parsed<Option<Expression>> {
        let mut atom = match self.peek() {
            Some(Token::Number(digits)) => {
                let value = digits.parse::<Rational>().map_err(|error| error.to_string())?;
                self.at += 1;
                Expression::Number(value)
            }
            Some(Token::Text(text)) => {
                let text = text.clone();
                self.at += 1;
                Expression::Text(text)
            }
            Some(Token::Word(word)) if !matches!(word.as_str(), "then" | "else" | "if") => {
                let word = word.clone();
                self.at += 1;
                Expression::Word(word)
            }
            Some(Token::Sign("(")) => {
                self.at += 1;
                let inner = self.tuple()?;
                self.expect(")")?;
                inner
            }
            Some(Token::Sign("[")) => {
                self.at += 1;
                let mut items = Vec::new();
                while !self.eat("]") {
                    if !items.is_empty() {
                        self.expect(",")?;
                    }
                    items.push(self.expression(0)?);
                }
                Expression::List(items)
            }
            _ => return Ok(None),
        };
        while let Some(Token::Part(part)) = self.peek() {
            atom = Expression::Part(Box::new(atom), *part);
            self.at += 1;
        }
        Ok(Some(atom))
    }

    /// What stands between parentheses: an expression, one with a type after it, or a tuple.
    fn tuple(&mut self) -> Parsed<Expression> {
        let first = self.expression(0)?;
        if self.eat(":") {
            self.type_()?;
        } else if self.eat(",") {
            return Ok(Expression::Pair(Box::new(first), Box::new(self.tuple()?)));
        }
        Ok(first)
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        let first = if self.eat("(") {
            let inner = self.pattern()?;
            self.expect(")")?;
            inner
        } else if self.eat("[") {
            self.expect("]")?;
            Pattern::Empty
        } else if let Some(Token::Number(digits)) = self.peek() {
            let value = digits.parse::<Rational>().map_err(|error| error.to_string())?;
            self.at += 1;
            Pattern::Number(value)
        } else {
            match self.word()?.as_str() {
                "_" => Pattern::Any,
                "true" => Pattern::Truth(true),
                "false" => Pattern::Truth(false),
                name => Pattern::Word(name.to_owned()),
            }
        };
        if self.eat("::") {
            return Ok(Pattern::Cons(Box::new(first), Box::new(self.pattern()?)));
        }
        if self.eat("+") {
            let Some(Token::Number(digits)) = self.peek() else { return Err("a number expected in a pattern".to_owned()) };
            let step = digits.parse::<Rational>().map_err(|error| error.to_string())?;
            self.at += 1;
            let name = match first {
                Pattern::Word(name) => name,
                Pattern::Any => "_".to_owned(),
                _ => return Err("a name expected before '+' in a pattern".to_owned()),
            };
            return Ok(Pattern::Plus(name, step));
        }
        Ok(first)
    }
}

/// Parses a definition's whole text, `def` included.
pub(crate) fn definition(text: &str) -> Parsed<Definition> {
    let mut parser = Parser::new(text)?;
    parser.at += 1;
    let name = parser.word()?;
    let mut arguments = Vec::new();
    while !matches!(parser.peek(), Some(Token::Sign(":")) | None) {
        // Two names of one type may stand without parentheses in a definition of ours only inside a binder.
        let (names, _) = parser.binder().ok_or_else(|| format!("{name}: a typed argument expected"))?;
        arguments.extend(names);
    }
    parser.expect(":")?;
    parser.type_()?;
    let mut arms = Vec::new();
    if parser.eat(":=") {
        arms.push((Vec::new(), parser.expression(0)?));
    } else {
        while parser.eat("|") {
            let mut patterns = vec![parser.pattern()?];
            while parser.eat(",") {
                patterns.push(parser.pattern()?);
            }
            parser.expect("=>")?;
            arms.push((patterns, parser.expression(0)?));
        }
    }
    parser.done()?;
    Ok(Definition { name, arguments, arms })
}

/// Parses a theorem's head, `theorem` included.
pub(crate) fn statement(text: &str) -> Parsed<Statement> {
    let mut parser = Parser::new(text)?;
    parser.at += 1;
    parser.word()?;
    let (mut variables, mut hypotheses) = (Vec::new(), Vec::new());
    while !parser.eat(":") {
        if let Some((names, of)) = parser.binder() {
            variables.extend(names.into_iter().map(|name| (name, of.clone())));
        } else {
            parser.expect("(")?;
            parser.names()?;
            parser.expect(":")?;
            hypotheses.push(parser.expression(0)?);
            parser.expect(")")?;
        }
    }
    let mut goal = parser.expression(0)?;
    parser.done()?;
    loop {
        goal = match goal {
            Expression::ForAll(bound, inner) => {
                for (name, of) in bound {
                    variables.push((name.clone(), of.ok_or_else(|| format!("the type of {name} is not given"))?));
                }
                *inner
            }
            Expression::Binary(Operation::Implies, hypothesis, inner) => {
                hypotheses.push(*hypothesis);
                *inner
            }
            goal => return Ok(Statement { variables, hypotheses, goal }),
        };
    }
}
