//! Lean source without its comments, and the words that must not stand in what is left.

/// Words that would let a proof pass without being one, or that change what the kernel sees.
pub const FORBIDDEN: [&str; 11] =
    ["sorry", "admit", "axiom", "native_decide", "unsafe", "opaque", "extern", "implemented_by", "csimp", "ofReduceBool", "trustCompiler"];

/// The source with comments (nested `/- -/`, `--`) blanked out, and strings too unless they are kept. Lines keep their places.
///
/// # Errors
/// The line of a comment or string that never ends.
pub fn strip(source: &str, keep_strings: bool) -> Result<String, (usize, &'static str)> {
    let text: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len());
    let (mut at, mut line) = (0, 1);
    let blank = |out: &mut String, line: &mut usize, c: char| {
        if c == '\n' {
            *line += 1;
            out.push('\n');
        } else {
            out.push(' ');
        }
    };
    while at < text.len() {
        let (here, next) = (text[at], text.get(at + 1).copied());
        let start = line;
        if here == '/' && next == Some('-') {
            let mut depth = 0;
            loop {
                match (text.get(at).copied(), text.get(at + 1).copied()) {
                    (Some('/'), Some('-')) => {
                        depth += 1;
                        out.push_str("  ");
                        at += 2;
                    }
                    (Some('-'), Some('/')) => {
                        depth -= 1;
                        out.push_str("  ");
                        at += 2;
                        if depth == 0 {
                            break;
                        }
                    }
                    (Some(c), _) => {
                        blank(&mut out, &mut line, c);
                        at += 1;
                    }
                    (None, _) => return Err((start, "a comment that never ends")),
                }
            }
        } else if here == '-' && next == Some('-') {
            while at < text.len() && text[at] != '\n' {
                out.push(' ');
                at += 1;
            }
        } else if here == '"' {
            let begin = at;
            at += 1;
            loop {
                match text.get(at) {
                    Some('\\') => at += 2,
                    Some('"') => break,
                    Some(_) => at += 1,
                    None => return Err((start, "a string that never ends")),
                }
            }
            at += 1;
            for &c in &text[begin..at] {
                if keep_strings {
                    line += usize::from(c == '\n');
                    out.push(c);
                } else {
                    blank(&mut out, &mut line, c);
                }
            }
        } else {
            line += usize::from(here == '\n');
            out.push(here);
            at += 1;
        }
    }
    Ok(out)
}

/// The words of stripped source with their lines; a word is what Lean takes for an identifier, its dotted parts one by one.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    code.lines().enumerate().flat_map(|(index, line)| {
        line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).filter(|word| !word.is_empty()).map(move |word| (index + 1, word))
    })
}

/// Forbidden words in stripped source, with their lines. `#eval` is forbidden where `commands` is false.
#[must_use]
pub fn forbidden(code: &str, commands: bool) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> =
        words(code).filter(|(_, word)| FORBIDDEN.contains(word)).map(|(line, word)| (line, word.to_owned())).collect();
    for (index, line) in code.lines().enumerate() {
        let spaced = line.split_whitespace().collect::<Vec<_>>().join(" ");
        for phrase in ["set_option debug", "maxHeartbeats 0"] {
            if spaced.contains(phrase) {
                found.push((index + 1, phrase.to_owned()));
            }
        }
        if !commands && spaced.contains("#eval") {
            found.push((index + 1, "#eval".to_owned()));
        }
    }
    found
}
