//! Formulas for a page: the statements are plain text, words and formulas mixed; what is a formula in them becomes MathML (through AsciiMath), the rest
//! stays text. A page shows the plain text beside it, which is what was checked.

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

/// Names that AsciiMath knows and means the same by.
const KNOWN: [&str; 37] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "phi",
    "chi", "psi", "omega", "Gamma", "Delta", "Phi", "Omega", "sqrt", "sum", "min", "max", "ln", "log", "exp", "sin", "cos", "sinh", "cosh", "tanh",
];

/// Names that mean a sign.
const SIGNS: [(&str, &str); 4] = [("eps", "epsilon"), ("infinity", "oo"), ("inf", "inf"), ("grad", "grad")];

/// Signs of several characters, longest first.
const LONG: [&str; 9] = ["||", "<=", ">=", "->", "!=", "==", "<~", "...", ".."];

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
    letters.chars().count() == 1 || KNOWN.contains(&letters) || SIGNS.iter().any(|(sign, _)| *sign == name)
}

/// What belongs to formulas: one answer a piece.
fn mathematical(all: &[Piece]) -> Vec<bool> {
    let attached = |index: usize| all.get(index).is_some_and(|piece| !piece.spaced);
    let mut math: Vec<bool> = Vec::new();
    for (index, piece) in all.iter().enumerate() {
        let after = all.get(index + 1).filter(|_| attached(index + 1));
        let subscript = index > 0 && !piece.spaced && all[index - 1].text == "_";
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
                if behind || (inside && index > start + 1) {
                    math[start..=index].fill(true);
                }
            }
            _ => {}
        }
    }
    // What was inside a word's bracket stands alone; a mark is never the end of a formula.
    math
}

/// One formula in AsciiMath.
fn ascii(run: &[Piece]) -> String {
    let mut out = String::new();
    let mut index = 0;
    // Where a function's brackets end, so that the whole is one thing for a fraction: {:f(x):}.
    let mut ends: Vec<usize> = Vec::new();
    let closing = |start: usize| {
        let mut depth = 0_usize;
        (start..run.len()).find(|&at| {
            match run[at].kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
    };
    while let Some(piece) = run.get(index) {
        let attached = |at: usize| run.get(at).filter(|piece| !piece.spaced);
        let after_script = index > 0 && ["_", "^"].contains(&run[index - 1].text.as_str());
        match piece.kind {
            Kind::Name => {
                let digits = piece.text.trim_start_matches(|c: char| !c.is_ascii_digit());
                let letters = &piece.text[..piece.text.len() - digits.len()];
                let function = attached(index + 1).is_some_and(|next| next.kind == Kind::Open) && !KNOWN[25..].contains(&letters);
                if function && let Some(end) = closing(index + 1) {
                    out.push_str("{: ");
                    ends.push(end);
                }
                let name = SIGNS.iter().find(|(sign, _)| *sign == letters).map_or(letters, |(_, meaning)| *meaning);
                // Several letters that are not known would be read as a product.
                let name = if name.chars().count() == 1 || KNOWN.contains(&name) || SIGNS.iter().any(|(_, meaning)| *meaning == name && name != "inf")
                {
                    name.to_owned()
                } else {
                    format!("\"{name}\"")
                };
                out.push_str(&name);
                if !digits.is_empty() {
                    out.push_str(&format!("_{digits}"));
                }
                // x_t,i has the subscript (t, i).
                if after_script && let (Some(mark), Some(second)) = (attached(index + 1), attached(index + 2)) {
                    if mark.text == "," && second.kind == Kind::Name && second.text.chars().count() == 1 {
                        let from = out.len() - name.len();
                        out.replace_range(from.., &format!("({name},{})", second.text));
                        index += 2;
                    }
                }
                // U* and theta*: a star right behind a name.
                let star = attached(index + 1).is_some_and(|next| next.text == "*");
                if star && !attached(index + 2).is_some_and(|next| matches!(next.kind, Kind::Name | Kind::Number | Kind::Open)) {
                    out.push_str("^\"*\"");
                    index += 1;
                }
            }
            Kind::Sign => match piece.text.as_str() {
                "||" => out.push_str("\"\u{2016}\""),
                "|" => out.push_str("\"|\""),
                "<~" => out.push_str("\"\u{2272}\""),
                ".." | "..." => out.push_str("\"\u{2026}\""),
                "~" => out.push_str("\"\u{223c}\""),
                // A negative exponent is one thing.
                "-" if after_script => {
                    if let Some(next) = run.get(index + 1).filter(|next| next.kind != Kind::Open) {
                        out.push_str(&format!("(-{})", next.text));
                        index += 1;
                    } else {
                        out.push('-');
                    }
                }
                sign @ ("<=" | ">=" | "->" | "!=" | "=" | "<" | ">" | "+" | "-" | "*" | "/" | "^" | "_" | "'") => out.push_str(sign),
                other => out.push_str(&format!("\"{other}\"")),
            },
            _ => out.push_str(&piece.text),
        }
        if ends.last() == Some(&index) {
            ends.pop();
            out.push_str(" :}");
        }
        let script = ["_", "^"].contains(&run[index.min(run.len() - 1)].text.as_str());
        if !script {
            out.push(' ');
        }
        index += 1;
    }
    // Scripts bind to what stands right before them.
    out.trim_end().replace(" _", "_").replace(" ^", "^").replace(" '", "'")
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
        if lone_sign {
            out.push(html! { (space) (run[0].text) });
        } else {
            let rendered = mathemascii::render_mathml(mathemascii::parse(ascii(run).as_str()));
            out.push(html! { (space) (PreEscaped(rendered)) });
        }
        index = end;
    }
    html! { @for piece in &out { (piece) } }
}

#[cfg(test)]
mod tests {
    use super::{ascii, mathematical, pieces, typeset};

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
        ] {
            assert_eq!(marked(text), expected);
        }
    }

    #[test]
    fn ascii_math_says_the_same() {
        let of = |text: &str| ascii(&pieces(text));
        assert_eq!(of("x_(t+1) - x_t"), "x_( t + 1 ) - x_t");
        assert_eq!(of("c1 + c2 M/K"), "c_1 + c_2 M / K");
        assert_eq!(of("B(U)/T"), "{: B ( U ) :} / T");
        assert_eq!(of("||theta*||_1^2"), "\"\u{2016}\" theta^\"*\" \"\u{2016}\"_1^2");
        assert_eq!(of("U*/sqrt T"), "U^\"*\" / sqrt T");
        assert_eq!(of("sigma_t,i^p"), "sigma_(t,i)^p");
        assert_eq!(of("e^-1"), "e^(-1)");
        assert_eq!(of("N_eff >= 1"), "N_\"eff\" >= 1");
    }

    #[test]
    fn a_page_gets_markup_and_nothing_unescaped() {
        let out = typeset("for a < b & c: sqrt(x)/2 <= <script>").into_string();
        assert!(out.contains("<msqrt>") && out.contains("<mfrac>"), "{out}");
        assert!(!out.contains("<script>") && !out.contains(" & "), "{out}");
    }
}
