//! From what was typed to claims and papers.

use calculator::Offer;
use claim::Claim;

/// Something that is not in the registry.
#[derive(Debug)]
pub(crate) struct Unknown {
    kind: &'static str,
    typed: String,
    nearest: Vec<String>,
    reason: Option<&'static str>,
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(reason) = self.reason {
            return write!(f, "'{}' is not verified: {reason}", self.typed);
        }
        write!(f, "no {} '{}'", self.kind, self.typed)?;
        if !self.nearest.is_empty() {
            write!(f, "; did you mean {}?", self.nearest.join(", "))?;
        }
        Ok(())
    }
}

/// The claims named by ids or papers' slugs, in the registry's order and each once; all for no names.
pub(crate) fn claims(offers: &[Offer], names: &[String]) -> Result<Vec<Claim>, Unknown> {
    let all: Vec<Claim> = offers.iter().flat_map(|offer| (offer.claims)()).collect();
    if names.is_empty() {
        return Ok(all);
    }
    for name in names {
        if !all.iter().any(|claim| claim.id == name || claim.paper() == name) {
            let known = all.iter().map(|claim| claim.id.to_owned()).chain(offers.iter().map(|offer| offer.paper.slug.to_owned()));
            return Err(Unknown {
                kind: "claim or paper",
                typed: name.clone(),
                nearest: data::nearest(name, known),
                reason: not_verified(offers, name),
            });
        }
    }
    Ok(all.into_iter().filter(|claim| names.iter().any(|name| claim.id == name || claim.paper() == name)).collect())
}

/// One claim by its id.
pub(crate) fn claim(offers: &[Offer], id: &str) -> Result<Claim, Unknown> {
    let mut all: Vec<Claim> = offers.iter().flat_map(|offer| (offer.claims)()).collect();
    match all.iter().position(|claim| claim.id == id) {
        Some(index) => Ok(all.swap_remove(index)),
        None => {
            let nearest = data::nearest(id, all.iter().map(|claim| claim.id.to_owned()));
            Err(Unknown { kind: "claim", typed: id.to_owned(), nearest, reason: not_verified(offers, id) })
        }
    }
}

/// One paper by its slug.
pub(crate) fn paper<'a>(offers: &'a [Offer], slug: &str) -> Result<&'a Offer, Unknown> {
    offers.iter().find(|offer| offer.paper.slug == slug).ok_or_else(|| Unknown {
        kind: "paper",
        typed: slug.to_owned(),
        nearest: data::nearest(slug, offers.iter().map(|offer| offer.paper.slug.to_owned())),
        reason: None,
    })
}

/// Why a statement that is listed has no verdict.
fn not_verified(offers: &[Offer], id: &str) -> Option<&'static str> {
    offers.iter().flat_map(|offer| offer.paper.not_verified).find(|(listed, _)| *listed == id).map(|(_, reason)| *reason)
}
