//! Names for the examples in help texts, from the registry: no paper is named here.

use calculator::Offer;
use claim::{Check, Verdict};

/// Names that exist.
pub(crate) struct Samples {
    /// A paper with a calculator.
    pub paper: &'static str,
    /// A paper with a figure.
    pub pictured: &'static str,
    /// A claim that is a finding.
    pub finding: &'static str,
    /// One instance of its, as a token.
    pub token: String,
    /// Three claims that are proved: a moment's work each.
    pub proved: [&'static str; 3],
    /// A claim that holds.
    pub holds: &'static str,
}

impl Samples {
    /// The first of each kind in the registry's order.
    pub(crate) fn of(offers: &[Offer]) -> Samples {
        let claims: Vec<claim::Claim> = offers.iter().flat_map(|offer| (offer.claims)()).collect();
        let declared = |verdict: Verdict| claims.iter().filter(move |claim| claim.declared == verdict).map(|claim| claim.id);
        let finding = claims.iter().find(|claim| claim.finding.is_some());
        let token = finding.and_then(|claim| {
            let parts = (claim.parts)();
            let (part, check) = parts.iter().find_map(|part| part.checks.iter().find_map(|check| Some((part.name, family(check)?))))?;
            Some(format!("{}:{part}:{check}:s0", claim.id))
        });
        let mut proved = declared(Verdict::Proved);
        Samples {
            paper: offers.iter().find(|offer| offer.calculator.is_some()).map_or("PAPER", |offer| offer.paper.slug),
            pictured: offers.iter().find(|offer| offer.figure.is_some()).map_or("PAPER", |offer| offer.paper.slug),
            finding: finding.map_or("PAPER/CLAIM", |claim| claim.id),
            token: token.unwrap_or_else(|| "TOKEN".to_owned()),
            proved: [0; 3].map(|_| proved.next().unwrap_or("PAPER/CLAIM")),
            holds: declared(Verdict::Holds).next().unwrap_or("PAPER/CLAIM"),
        }
    }
}

/// The name of an exact check's family, if it has special instances.
fn family(check: &Check) -> Option<String> {
    match check {
        Check::Exact(check) if check.special_len() > 0 => Some(check.family()),
        _ => None,
    }
}

/// The end of a help text.
pub(crate) fn examples(lines: &[String]) -> String {
    let head = if lines.len() == 1 { "Example:" } else { "Examples:" };
    lines.iter().fold(head.to_owned(), |text, line| format!("{text}\n  theorycheck {line}").trim_end().to_owned())
}
