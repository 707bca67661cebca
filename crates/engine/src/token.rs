//! Replay tokens: `CLAIM:PART:FAMILY:sN` for the N-th special instance, `CLAIM:PART:FAMILY:tHEX.HEX..` for a tape.
//!
//! A mutant's part is written `~NAME`, its planted instance `~NAME!`.

use claim::{Check, Claim, ExactCheck, Point};
use std::fmt;
use std::str::FromStr;

/// Where an instance can be found again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Claim id.
    pub claim: String,
    /// Part name, `~MUTANT` or `~MUTANT!`.
    pub part: String,
    /// Family id.
    pub family: String,
    /// The point.
    pub point: Point,
}

/// Why a token cannot be replayed.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ReplayError {
    /// The text is not a token.
    #[error("'{token}' is not a replay token: {reason} (expected CLAIM:PART:FAMILY:sINDEX or CLAIM:PART:FAMILY:tHEX.HEX)")]
    Malformed {
        /// What was given.
        token: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No such claim.
    #[error("no claim '{claim}'")]
    UnknownClaim {
        /// What was asked for.
        claim: String,
    },
    /// No such part or mutant, or not by this family.
    #[error("claim '{claim}' has no exact part '{part}' on the family '{family}'; it has {known}")]
    UnknownPart {
        /// The claim.
        claim: String,
        /// What was asked for.
        part: String,
        /// The family asked for.
        family: String,
        /// What there is.
        known: String,
    },
    /// The special index is out of range.
    #[error("the family '{family}' has {count} special instances; s{index} is not one of them")]
    OutOfRange {
        /// The family.
        family: String,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// More words than the family reads.
    #[error("the family '{family}' reads at most {limit} words; the token has {count}")]
    TooLong {
        /// The family.
        family: String,
        /// Words in the token.
        count: usize,
        /// Words read.
        limit: usize,
    },
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}:", self.claim, self.part, self.family)?;
        match &self.point {
            Point::Special(index) => write!(f, "s{index}"),
            Point::Tape(words) => {
                let hex: Vec<String> = words.iter().map(|word| format!("{word:x}")).collect();
                write!(f, "t{}", hex.join("."))
            }
        }
    }
}

impl FromStr for Token {
    type Err = ReplayError;

    fn from_str(text: &str) -> Result<Token, ReplayError> {
        let bad = |reason: String| ReplayError::Malformed { token: text.chars().take(200).collect(), reason };
        let fields: Vec<&str> = text.split(':').collect();
        let [claim, part, family, point] = fields[..] else {
            return Err(bad(format!("it has {} fields, not 4", fields.len())));
        };
        let point = if let Some(index) = point.strip_prefix('s') {
            Point::Special(index.parse().map_err(|_| bad(format!("'{index}' is not an index")))?)
        } else if let Some(hex) = point.strip_prefix('t') {
            let words = hex.split('.').filter(|word| !word.is_empty());
            Point::Tape(
                words
                    .map(|word| u64::from_str_radix(word, 16).map_err(|_| bad(format!("'{word}' is not a 64-bit hexadecimal word"))))
                    .collect::<Result<Vec<u64>, ReplayError>>()?,
            )
        } else {
            return Err(bad(format!("'{point}' starts with neither s nor t")));
        };
        Ok(Token { claim: claim.to_owned(), part: part.to_owned(), family: family.to_owned(), point })
    }
}

/// One instance evaluated again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The token.
    pub token: Token,
    /// What the part or mutant asserts.
    pub statement: String,
    /// The instance, exactly.
    pub instance: String,
    /// Named values, in order.
    pub values: Vec<(String, String)>,
    /// How it fared.
    pub outcome: claim::Outcome,
}

/// Every exact check of a claim with its token name and its statement.
fn exact_checks(claim: &Claim) -> Vec<(String, &'static str, Box<dyn ExactCheck>)> {
    let mut found = Vec::new();
    let mut add = |name: String, statement, check| {
        if let Check::Exact(exact) = check {
            found.push((name, statement, exact));
        }
    };
    for part in (claim.parts)() {
        for check in part.checks {
            add(part.name.to_owned(), part.statement, check);
        }
    }
    for mutant in (claim.mutants)() {
        add(format!("~{}", mutant.name), mutant.statement, mutant.check);
        if let Some(planted) = mutant.planted {
            add(format!("~{}!", mutant.name), mutant.statement, planted);
        }
    }
    found
}

/// Evaluates the instance of a token again, by the claim's generic formula.
///
/// # Errors
/// [`ReplayError`] when the text is no token or names nothing in `claims`.
pub fn replay(claims: &[Claim], text: &str) -> Result<Replayed, ReplayError> {
    let token: Token = text.parse()?;
    let claim = claims.iter().find(|claim| claim.id == token.claim).ok_or_else(|| ReplayError::UnknownClaim { claim: token.claim.clone() })?;
    let checks = exact_checks(claim);
    let Some((_, statement, check)) = checks.iter().find(|(name, _, check)| *name == token.part && check.family() == token.family) else {
        let known: Vec<String> = checks.iter().map(|(name, _, check)| format!("{name}:{}", check.family())).collect();
        let known = if known.is_empty() { "no exact part".to_owned() } else { known.join(", ") };
        return Err(ReplayError::UnknownPart { claim: token.claim, part: token.part, family: token.family, known });
    };
    if let Point::Tape(words) = &token.point
        && words.len() > check.tape_len()
    {
        return Err(ReplayError::TooLong { family: token.family, count: words.len(), limit: check.tape_len() });
    }
    let Some(description) = check.describe(&token.point) else {
        let index = if let Point::Special(index) = token.point { index } else { 0 };
        return Err(ReplayError::OutOfRange { family: token.family, index, count: check.special_len() });
    };
    let values = crate::witness::values(&description.judgement);
    Ok(Replayed { token, statement: (*statement).to_owned(), instance: description.instance, values, outcome: description.judgement.outcome() })
}

#[cfg(test)]
mod tests {
    use super::{ReplayError, Token};
    use claim::Point;

    #[test]
    fn tokens_read_back() {
        for point in [Point::Special(0), Point::Special(17), Point::Tape(vec![]), Point::Tape(vec![0, u64::MAX, 0xabc])] {
            let token = Token { claim: "p/c".into(), part: "~m!".into(), family: "f".into(), point };
            assert_eq!(token.to_string().parse::<Token>(), Ok(token));
        }
    }

    #[test]
    fn nonsense_is_refused_with_its_reason() {
        for text in ["", "a:b:c", "a:b:c:d:e", "a:b:c:", "a:b:c:x1", "a:b:c:s", "a:b:c:s-1", "a:b:c:tg", "a:b:c:t11111111111111111"] {
            assert!(matches!(text.parse::<Token>(), Err(ReplayError::Malformed { .. })), "{text}");
        }
    }
}
