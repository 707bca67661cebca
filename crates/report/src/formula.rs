//! Formulas for a page: the statements are plain text, words and formulas mixed. What is a formula in them becomes MathML, the rest stays text. A page shows
//! the plain text beside it, which is what was checked.

use maud::{Markup, PreEscaped, html};

/// One piece of a statement, with whether a space stands before it.
#[derive(Clone, Debug, PartialEq)]
struct Piece {
    text: String,
    kind: Kind,
    spaced: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Letters with digits behind them.
    Name,
    Number,
    Open,
    Close,
    /// An operator.
    Sign,
    /// Comma, colon, semicolon, full stop.
    Mark,
}

/// Names of functions.
const FUNCTIONS: [&str; 12] = ["sqrt", "sum", "min", "max", "ln", "log", "exp", "sin", "cos", "sinh", "cosh", "tanh"];

/// Signs of several characters, longest first.
const LONG: [&str; 10] = ["+-", "||", "<=", ">=", "->", "!=", "==", "<~", "...", ".."];

fn pieces(text: &str) -> Vec<Piece> {
    let characters: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let (mut at, mut spaced) = (0, false);
    while let Some(&first) = characters.get(at) {
        if first.is_whitespace() {
            (at, spaced) = (at + 1, true);
            continue;
        }
        let rest = &characters[at..];
        let starts = |sign: &&&str| sign.chars().eq(rest.iter().copied().take(sign.chars().count()));
        let take = |wanted: &dyn Fn(char) -> bool| rest.iter().take_while(|c| wanted(**c)).count();
        let (length, kind) = if first.is_alphabetic() {
            let mut length = take(&char::is_alphabetic);
            // A hyphen or an apostrophe inside a word: "L-smooth", "Adam's"; N-nu is a difference.
            while let [joint @ ('-' | '\''), next, ..] = rest[length..]
                && next.is_alphabetic()
            {
                let more = rest[length + 1..].iter().take_while(|c| c.is_alphabetic()).count();
                let before: String = rest[..length].iter().collect();
                let after: String = rest[length + 1..length + 1 + more].iter().collect();
                if joint == '-' && (formal(&before) && formal(&after)) {
                    break;
                }
                length += 1 + more;
            }
            length += rest[length..].iter().take_while(|c| c.is_ascii_digit()).count();
            (length, Kind::Name)
        } else if first.is_ascii_digit() {
            let mut length = take(&|c| c.is_ascii_digit());
            if let ['.', next, ..] = rest[length..]
                && next.is_ascii_digit()
            {
                length += 1 + rest[length + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
            }
            (length, Kind::Number)
        } else if let Some(sign) = LONG.iter().find(starts) {
            (sign.chars().count(), Kind::Sign)
        } else {
            let kind = match first {
                '(' | '[' | '{' => Kind::Open,
                ')' | ']' | '}' => Kind::Close,
                ',' | ':' | ';' | '.' | '?' => Kind::Mark,
                _ => Kind::Sign,
            };
            (1, kind)
        };
        out.push(Piece { text: rest[..length].iter().collect(), kind, spaced });
        (at, spaced) = (at + length, false);
    }
    out
}

/// Whether a name is one of a formula by itself: a letter, with digits or not, or a known name.
fn formal(name: &str) -> bool {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    letters.chars().count() == 1 || FUNCTIONS.contains(&letters) || LETTERS.iter().any(|(word, _)| *word == letters)
}

/// What belongs to formulas: one answer a piece.
fn mathematical(all: &[Piece]) -> Vec<bool> {
    let attached = |index: usize| all.get(index).is_some_and(|piece| !piece.spaced);
    let mut math: Vec<bool> = Vec::new();
    for (index, piece) in all.iter().enumerate() {
        let after = all.get(index + 1).filter(|_| attached(index + 1));
        // Right behind _ or ^, also with a minus between.
        let script = |at: usize| at > 0 && !all[at].spaced && ["_", "^"].contains(&all[at - 1].text.as_str());
        let subscript = script(index) || (index > 0 && !piece.spaced && all[index - 1].text == "-" && script(index - 1));
        math.push(match piece.kind {
            Kind::Number | Kind::Sign => true,
            Kind::Name if subscript => true,
            // An article, unless a sign follows.
            Kind::Name if ["a", "A", "I"].contains(&piece.text.as_str()) => {
                let next = all.get(index + 1);
                next.is_some_and(|next| next.kind == Kind::Sign || (next.kind != Kind::Name && !next.spaced)) || next.is_none()
            }
            Kind::Name => formal(&piece.text) || after.is_some_and(|next| next.kind == Kind::Open || ["_", "^"].contains(&next.text.as_str())),
            Kind::Open | Kind::Close | Kind::Mark => false,
        });
    }
    // A bracket is part of a formula if all in it is, or if it stands right behind a name or a sign: f(x | past), x_(..).
    let mut open: Vec<usize> = Vec::new();
    for index in 0..all.len() {
        match all[index].kind {
            Kind::Open => open.push(index),
            Kind::Close => {
                let Some(start) = open.pop() else { continue };
                let behind = start > 0 && !all[start].spaced && math[start - 1] && all[start - 1].kind != Kind::Number;
                let inside = (start + 1..index).all(|inner| math[inner] || all[inner].kind == Kind::Mark);
                // (a), (b) and so on number the pieces of a statement.
                let numbering =
                    index == start + 2 && all[start + 1].kind == Kind::Name && all[start].text == "(" && (all[start].spaced || start == 0);
                if numbering {
                    math[start..=index].fill(false);
                } else if behind || (inside && index > start + 1) {
                    math[start..=index].fill(true);
                }
            }
            _ => {}
        }
    }
    // What was inside a word's bracket stands alone; a mark is never the end of a formula.
    math
}

/// Brackets inside brackets beyond this depth are not typeset.
const DEEPEST: usize = 40;

/// Greek letters and the names of signs.
const LETTERS: [(&str, &str); 33] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("eps", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Phi", "Φ"),
    ("Omega", "Ω"),
    ("infinity", "∞"),
    ("grad", "∇"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Sigma", "Σ"),
    ("Psi", "Ψ"),
    ("ell", "ℓ"),
];

/// Signs, as they are written in text and as they are set.
const SIGNS: [(&str, &str); 10] =
    [("<=", "≤"), (">=", "≥"), ("->", "→"), ("!=", "≠"), ("||", "‖"), ("<~", "≲"), ("..", "…"), ("...", "…"), ("-", "−"), ("+-", "±")];

/// A thin space.
const THIN: &str = "<mspace width=\"0.17em\"></mspace>";

/// Markup, and what stands inside its brackets if it is nothing but a bracket.
struct Node {
    markup: String,
    inside: Option<String>,
    /// A letter or a number: a quotient of two such stays on the line.
    simple: bool,
}

impl Node {
    fn new(markup: String) -> Node {
        Node { markup, inside: None, simple: false }
    }

    /// For a place that groups by itself: a numerator, an exponent.
    fn bare(self) -> String {
        format!("<mrow>{}</mrow>", self.inside.unwrap_or(self.markup))
    }
}

/// Reads a formula's pieces from left to right.
struct Setter<'a> {
    run: &'a [Piece],
    at: usize,
    depth: usize,
}

/// A bracket or a bar; it grows only around a fraction.
fn fence(sign: &str, inside: &str) -> String {
    if inside.contains("<mfrac>") { element("mo", sign) } else { format!("<mo stretchy=\"false\">{sign}</mo>") }
}

fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", html! { (text) }.into_string())
}

/// A name, its digits as a subscript: c1, beta2.
fn name(text: &str) -> String {
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let set = match LETTERS.iter().find(|(word, _)| *word == letters) {
        Some((_, letter)) => element("mi", letter),
        None if letters == "sum" => element("mo", "∑"),
        None => element("mi", letters),
    };
    let digits = &text[letters.len()..];
    if digits.is_empty() { set } else { format!("<msub>{set}{}</msub>", element("mn", digits)) }
}

impl<'a> Setter<'a> {
    fn attached(&self, ahead: usize) -> Option<&'a Piece> {
        self.run.get(self.at + ahead).filter(|piece| !piece.spaced)
    }

    /// The bracket that closes the one at `start`.
    fn closing(&self, start: usize) -> Option<usize> {
        let mut depth = 0_usize;
        (start..self.run.len()).find(|&at| {
            match self.run[at].kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
    }

    /// The bracket that opens here, as a node.
    fn bracket(&mut self) -> Option<Node> {
        let end = self.closing(self.at).filter(|_| self.depth < DEEPEST)?;
        let inside = Setter { run: &self.run[self.at + 1..end], at: 0, depth: self.depth + 1 }.all();
        let (open, close) = (fence(&self.run[self.at].text, &inside), fence(&self.run[end].text, &inside));
        let round = self.run[self.at].text == "(" && self.run[end].text == ")";
        self.at = end + 1;
        Some(Node { markup: format!("<mrow>{open}{inside}{close}</mrow>"), inside: round.then_some(inside), simple: false })
    }

    /// What a script is: a name (x_t,i has two), a number, a bracket, one of these behind a minus.
    fn script(&mut self) -> String {
        let Some(piece) = self.run.get(self.at) else { return "<mrow></mrow>".to_owned() };
        match piece.kind {
            Kind::Open => {
                if let Some(node) = self.bracket() {
                    return node.bare();
                }
            }
            Kind::Name => {
                let mut set = name(&piece.text);
                if let (Some(mark), Some(second)) = (self.attached(1), self.attached(2))
                    && mark.text == ","
                    && second.kind == Kind::Name
                    && second.text.chars().count() == 1
                {
                    set = format!("<mrow>{set}{}{}</mrow>", element("mo", ","), name(&second.text));
                    self.at += 2;
                }
                self.at += 1;
                return set;
            }
            Kind::Sign if piece.text == "-" && self.attached(1).is_some_and(|next| matches!(next.kind, Kind::Name | Kind::Number | Kind::Open)) => {
                self.at += 1;
                return format!("<mrow>{}{}</mrow>", element("mo", "−"), self.script());
            }
            _ => {}
        }
        self.at += 1;
        element(if piece.kind == Kind::Number { "mn" } else { "mo" }, &piece.text)
    }

    /// What stands between two bars, |x| or ||x||; None for a bar alone, as in E[x | past].
    fn bars(&mut self) -> Option<Node> {
        let bar = &self.run[self.at].text;
        let mut depth = 0_usize;
        let end = (self.at + 1..self.run.len()).find(|&at| {
            let piece = &self.run[at];
            match piece.kind {
                Kind::Open => depth += 1,
                // Out of the bracket that the bar stands in.
                Kind::Close if depth == 0 => depth = usize::MAX / 2,
                Kind::Close => depth -= 1,
                _ => {}
            }
            depth == 0 && piece.text == *bar
        })?;
        if self.depth >= DEEPEST || end == self.at + 1 {
            return None;
        }
        let inside = Setter { run: &self.run[self.at + 1..end], at: 0, depth: self.depth + 1 }.all();
        let sign = fence(if bar == "|" { "|" } else { "‖" }, &inside);
        self.at = end + 1;
        Some(Node::new(format!("<mrow>{sign}{inside}{sign}</mrow>")))
    }

    /// What stands below a slash: there a sum and an expectation take what follows them along.
    fn below(&mut self) -> Node {
        let operator = self.run.get(self.at).filter(|piece| piece.text == "sum" || piece.text == "E").is_some();
        let node = self.primary();
        let follows = self.run.get(self.at).is_some_and(|next| {
            matches!(next.kind, Kind::Name | Kind::Open | Kind::Number) || (next.kind == Kind::Sign && ["|", "||"].contains(&next.text.as_str()))
        });
        if operator && follows && !node.markup.contains("<mrow>") {
            return Node::new(format!("<mrow>{}{}</mrow>", node.markup, self.primary().markup));
        }
        node
    }

    /// A name, a number, a bracket, a function with its bracket or what follows it, a root; with its scripts.
    fn primary(&mut self) -> Node {
        let Some(piece) = self.run.get(self.at) else { return Node::new(String::new()) };
        let mut node = match piece.kind {
            Kind::Open => match self.bracket() {
                Some(node) => node,
                None => {
                    self.at += 1;
                    Node::new(element("mo", &piece.text))
                }
            },
            Kind::Name if piece.text == "sqrt" && self.depth < DEEPEST && self.run.get(self.at + 1).is_some_and(|next| next.kind != Kind::Close) => {
                self.at += 1;
                self.depth += 1;
                let under = self.primary();
                self.depth -= 1;
                return Node::new(format!("<msqrt>{}</msqrt>", under.bare()));
            }
            Kind::Name => {
                self.at += 1;
                let set = name(&piece.text);
                match self.run.get(self.at) {
                    // B(U) is one thing.
                    Some(next) if next.kind == Kind::Open && !next.spaced => match self.bracket() {
                        Some(bracket) => Node::new(format!("<mrow>{set}{}</mrow>", bracket.markup)),
                        None => Node { markup: set, inside: None, simple: true },
                    },
                    // ln x is one thing; a sum reaches further than we can tell.
                    Some(next)
                        if FUNCTIONS[4..].contains(&piece.text.as_str())
                            && next.kind != Kind::Sign
                            && next.kind != Kind::Close
                            && self.depth < DEEPEST =>
                    {
                        self.depth += 1;
                        let argument = self.primary();
                        self.depth -= 1;
                        return Node::new(format!("<mrow>{set}{THIN}{}</mrow>", argument.markup));
                    }
                    _ => Node { markup: set, inside: None, simple: piece.text != "sum" },
                }
            }
            Kind::Number => {
                self.at += 1;
                Node { markup: element("mn", &piece.text), inside: None, simple: true }
            }
            Kind::Sign if ["|", "||"].contains(&piece.text.as_str()) => match self.bars() {
                Some(node) => node,
                None => {
                    self.at += 1;
                    Node::new(fence(if piece.text == "|" { "|" } else { "‖" }, ""))
                }
            },
            _ => {
                self.at += 1;
                let sign = SIGNS.iter().find(|(text, _)| *text == piece.text).map_or(piece.text.as_str(), |(_, sign)| *sign);
                Node::new(element("mo", sign))
            }
        };
        let (mut below, mut above): (Option<String>, Option<String>) = (None, None);
        while let Some(next) = self.attached(0) {
            match next.text.as_str() {
                "_" if below.is_none() => {
                    self.at += 1;
                    below = Some(self.script());
                }
                "^" if above.is_none() => {
                    self.at += 1;
                    above = Some(self.script());
                }
                "'" if above.is_none() => {
                    self.at += 1;
                    above = Some(element("mo", "′"));
                }
                // theta* and U*: a star with nothing right behind it.
                "*" if above.is_none()
                    && piece.kind == Kind::Name
                    && !self.attached(1).is_some_and(|after| matches!(after.kind, Kind::Name | Kind::Number | Kind::Open)) =>
                {
                    self.at += 1;
                    above = Some(element("mo", "*"));
                }
                _ => break,
            }
        }
        let base = node.markup.clone();
        match (below, above) {
            (None, None) => return node,
            (Some(below), None) => node.markup = format!("<msub>{base}{below}</msub>"),
            (None, Some(above)) => node.markup = format!("<msup>{base}{above}</msup>"),
            (Some(below), Some(above)) => node.markup = format!("<msubsup>{base}{below}{above}</msubsup>"),
        }
        node.inside = None;
        // f'(x) is one thing, too.
        if piece.kind == Kind::Name
            && self.attached(0).is_some_and(|next| next.kind == Kind::Open)
            && let Some(bracket) = self.bracket()
        {
            return Node::new(format!("<mrow>{}{}</mrow>", node.markup, bracket.markup));
        }
        node
    }

    /// The whole run: quotients of what stands beside a slash, everything else in a row.
    fn all(mut self) -> String {
        let mut out = String::new();
        while self.at < self.run.len() {
            let start = self.at;
            let mut node = self.primary();
            while self.run.get(self.at).is_some_and(|piece| piece.text == "/") && self.at + 1 < self.run.len() {
                let signed = self.run[self.at - 1].kind == Kind::Sign && self.run[self.at - 1].text != "|" && self.run[self.at - 1].text != "*";
                self.at += 1;
                let below = self.below();
                node = if signed || (node.simple && below.simple) {
                    Node { markup: format!("{}{}{}", node.markup, "<mo lspace=\"0\" rspace=\"0\">/</mo>", below.markup), inside: None, simple: true }
                } else {
                    Node::new(format!("<mfrac>{}{}</mfrac>", node.bare(), below.bare()))
                };
            }
            // A space in a product shows as a thin one; signs have theirs already.
            let spaced = self.run.get(start).is_some_and(|piece| piece.spaced && piece.kind != Kind::Sign)
                && start.checked_sub(1).is_some_and(|before| self.run[before].kind != Kind::Sign && self.run[before].kind != Kind::Mark);
            if spaced {
                out.push_str(THIN);
            }
            out.push_str(&node.markup);
        }
        out
    }
}

fn mathml(run: &[Piece]) -> String {
    format!("<math>{}</math>", Setter { run, at: 0, depth: 0 }.all())
}

/// A statement with its formulas typeset.
#[must_use]
pub(crate) fn typeset(text: &str) -> Markup {
    let all = pieces(text);
    let math = mathematical(&all);
    let mut out = Vec::new();
    let mut index = 0;
    while index < all.len() {
        let space = if all[index].spaced && index > 0 { " " } else { "" };
        if !math[index] {
            out.push(html! { (space) (all[index].text) });
            index += 1;
            continue;
        }
        // A comma without a space does not end a formula: A(q,nu,N) has them inside brackets anyway, x_t,i not.
        let mut end = index + 1;
        while end < all.len()
            && (math[end]
                || (all[end].kind == Kind::Mark
                    && !all[end].spaced
                    && math.get(end + 1) == Some(&true)
                    && !all[end + 1].spaced
                    && all[end].text == ","))
        {
            end += 1;
        }
        let run = &all[index..end];
        let lone_sign = run.len() == 1 && run[0].kind == Kind::Sign;
        out.push(if lone_sign {
            html! { (space) (run[0].text) }
        } else {
            html! { (space) (PreEscaped(mathml(run))) }
        });
        index = end;
    }
    html! { @for piece in &out { (piece) } }
}

#[cfg(test)]
mod tests {
    use super::{THIN, mathematical, mathml, pieces, typeset};

    /// Formulas in brackets, words as they are.
    fn marked(text: &str) -> String {
        let all = pieces(text);
        let math = mathematical(&all);
        let mut out = String::new();
        let mut before = false;
        for (piece, math) in all.iter().zip(math) {
            if before && !math {
                out.push('}');
            }
            if piece.spaced {
                out.push(' ');
            }
            if math && !before {
                out.push('{');
            }
            out.push_str(&piece.text);
            before = math;
        }
        if before {
            out.push('}');
        }
        out
    }

    #[test]
    fn formulas_are_told_from_words() {
        for (text, expected) in [
            ("the mass is at least P(nu, N) = nu/N + ((N-nu)/N) t", "the mass is at least {P(nu, N) = nu/N + ((N-nu)/N) t}"),
            ("AdaGrad-Norm on an L-smooth f, M = sup f finite", "AdaGrad-Norm on an L-smooth {f}, {M =} sup {f} finite"),
            ("stays above 3/5 (it tends to 2/3)", "stays above {3/5} (it tends to {2/3})"),
            ("N_eff is a reciprocal", "{N_eff} is a reciprocal"),
            ("p in (1, 2]: all equal (1/4)", "{p} in {(1, 2]}: all equal {(1/4)}"),
            ("E[xi_t | past] = 0", "{E[xi_t | past] = 0}"),
            ("(a) nu >= 2: so; (b) f(x) > 0", "(a) {nu >= 2}: so; (b) {f(x) > 0}"),
            ("within 2^-bits of it", "within {2^-bits} of it"),
        ] {
            assert_eq!(marked(text), expected);
        }
    }

    /// MathML as text with brackets: what binds to what.
    fn shape(text: &str) -> String {
        let mut out = mathml(&pieces(text));
        out = out.replace(THIN, "");
        out = out.replace(" stretchy=\"false\"", "").replace(" lspace=\"0\" rspace=\"0\"", "");
        for (tag, word) in [("math", ""), ("mi", ""), ("mn", ""), ("mo", "")] {
            out = out.replace(&format!("<{tag}>"), word).replace(&format!("</{tag}>"), "");
        }
        out.replace("<mrow>", "{").replace("</mrow>", "}")
    }

    #[test]
    fn what_binds_to_what() {
        assert_eq!(shape("x_(t+1) - x_t"), "<msub>x{t+1}</msub>−<msub>xt</msub>");
        assert_eq!(shape("c1 + c2 M/K"), "<msub>c1</msub>+<msub>c2</msub>M/K");
        assert_eq!(shape("B(U)/T"), "<mfrac>{{B{(U)}}}{T}</mfrac>");
        assert_eq!(shape("(N-nu)/N"), "<mfrac>{N−ν}{N}</mfrac>");
        assert_eq!(shape("nu(N-nu)/N"), "<mfrac>{{ν{(N−ν)}}}{N}</mfrac>");
        assert_eq!(shape("||theta*||_1^2"), "<msubsup>{‖<msup>θ*</msup>‖}12</msubsup>");
        assert_eq!(shape("(sum |s|)^2 / sum s^2"), "<mfrac>{<msup>{(∑{|s|})}2</msup>}{{∑<msup>s2</msup>}}</mfrac>");
        assert_eq!(shape("|s_i| / sum |s|"), "<mfrac>{{|<msub>si</msub>|}}{{∑{|s|}}}</mfrac>");
        assert_eq!(shape("(E|s|)^2 / E s^2"), "<mfrac>{<msup>{(E{|s|})}2</msup>}{{E<msup>s2</msup>}}</mfrac>");
        // A sum above a slash reaches over the quotient.
        assert_eq!(shape("sum a_t/sqrt(S_t)"), "∑<mfrac>{<msub>at</msub>}{<msqrt>{<msub>St</msub>}</msqrt>}</mfrac>");
        assert_eq!(shape("ln T/T"), "<mfrac>{{lnT}}{T}</mfrac>");
        assert_eq!(shape("E[x | y]"), "{E{[x|y]}}");
        assert_eq!(shape("U*/sqrt T"), "<mfrac>{<msup>U*</msup>}{<msqrt>{T}</msqrt>}</mfrac>");
        assert_eq!(shape("sigma_t,i^p"), "<msubsup>σ{t,i}p</msubsup>");
        assert_eq!(shape("T^(-(p-1)/(2p))"), "<msup>T{−<mfrac>{p−1}{2p}</mfrac>}</msup>");
        assert_eq!(shape("e^-1 a/b/c"), "<msup>e{−1}</msup>a/b/c");
        assert_eq!(shape("f'(x_t)"), "{<msup>f′</msup>{(<msub>xt</msub>)}}");
        assert_eq!(shape("(1, 2]"), "{(1,2]}");
        // Nothing is lost where brackets do not match.
        assert_eq!(shape("(x + ((y"), "(x+((y");
        assert_eq!(shape("x)) / 2"), "x)<mfrac>{)}{2}</mfrac>");
    }

    /// Anything may stand in a record that is merged: no text may stop the page.
    #[test]
    fn any_text_is_a_page() {
        let alphabet = [
            "(", ")", "[", "|", "||", "_", "^", "/", "-", "*", "'", "\"", "<", "&", ",", ".", "..", " ", "x", "sqrt", "a", "eps", "7", "\u{3bb}",
            "{:", ":}", "word", "\\", "^-", "#", "vec", "text(", "mbb",
        ];
        let mut state = 1_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..(state >> 60) + 1 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(alphabet[(state >> 33) as usize % alphabet.len()]);
            }
            let out = typeset(&text).into_string();
            // Every element is closed, in order.
            let mut open: Vec<&str> = Vec::new();
            for tag in out.split('<').skip(1).filter_map(|rest| rest.split(['>', ' ']).next()) {
                match tag.strip_prefix('/') {
                    Some(name) => assert_eq!(open.pop(), Some(name), "{text}: {out}"),
                    None => open.push(tag),
                }
            }
            assert!(open.is_empty(), "{text}: {out}");
        }
        assert!(typeset(&"(".repeat(100_000)).into_string().contains('('));
        assert!(typeset(&format!("x = {}1{}", "f(".repeat(3000), ")".repeat(3000))).into_string().contains("<math>"));
    }

    #[test]
    fn a_page_gets_markup_and_nothing_unescaped() {
        let out = typeset("for a < b & c: sqrt(x)/2 <= <script>").into_string();
        assert!(out.contains("<msqrt>") && out.contains("<mfrac>"), "{out}");
        assert!(!out.contains("<script>") && !out.contains(" & "), "{out}");
    }
}
