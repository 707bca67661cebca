//! A run as one page: no network, no script; readable in light and dark, on a phone, on paper and by keyboard.

use crate::formula::typeset;
use crate::plot::plot_svg;
use crate::terminal::{effort, largest_tightness, refuting, short, summary, unit};
use calculator::{Axis, Marks, Offer, Plot, Series};
use claim::{Claim, ClaimRecord, PartRecord, Route, RunRecord, Verdict, Witness};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// What the verdicts mean, in a line each.
const MEANINGS: [(Verdict, &str); 6] = [
    (Verdict::Proved, "rigorous arithmetic over the claim's whole domain"),
    (Verdict::Holds, "rigorous arithmetic on every instance tried: a whole finite family, or at least 10,000 distinct ones; not a proof"),
    (Verdict::Supported, "a test at a stated error level, which at the same number of draws refutes a false neighbour of the claim"),
    (Verdict::Undecided, "neither shown nor broken within the budget"),
    (Verdict::Vacuous, "no instance satisfies the assumptions"),
    (Verdict::Refuted, "an exact instance breaks it"),
];

fn anchor(id: &str) -> String {
    format!("claim-{}", id.replace('/', "-"))
}

fn verdict_mark(record: &ClaimRecord) -> Markup {
    let class = if record.as_declared { record.verdict.as_str() } else { "wrong" };
    html! {
        span class={ "verdict " (class) } {
            (record.verdict)
            @if !record.as_declared { ", not as declared (" (record.declared) ")" }
        }
    }
}

/// A table that scrolls by itself where it is too wide, also by keyboard.
fn table(caption: &str, headers: &[&str], rows: &[Vec<Markup>]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table {
                caption { (caption) }
                thead { tr { @for header in headers { th scope="col" { (header) } } } }
                tbody {
                    @for row in rows {
                        tr { @for (index, cell) in row.iter().enumerate() { @if index == 0 { th scope="row" { (cell) } } @else { td { (cell) } } } }
                    }
                }
            }
        }
    }
}

fn replay(witness: &Witness) -> Markup {
    html! { @if let Some(token) = &witness.replay { code { "theorycheck replay '" (token) "'" } } @else { "-" } }
}

fn witness_list(witness: &Witness) -> Markup {
    html! {
        dl {
            dt { "witness" } dd.plain { (witness.instance) }
            @for (key, value) in &witness.values { dt { (key) } dd.plain { (value) } }
            @if witness.replay.is_some() { dt { "replay" } dd { (replay(witness)) } }
        }
    }
}

/// A picture with its numbers behind it.
fn figure(plot: &Plot) -> Markup {
    let (x, y) = (plot.x.label.as_str(), plot.y.label.as_str());
    // The shortest decimals that read back as the numbers drawn.
    let shown = |value: f64| html! { (value) };
    html! {
        figure {
            (PreEscaped(plot_svg(plot)))
            figcaption { (plot.description) }
            details {
                summary { "Data of this picture" }
                @for series in &plot.series {
                    @match &series.marks {
                        Marks::Line(points) | Marks::Points(points) => {
                            (table(&series.name, &[x, y], &points.iter().map(|&(x, y)| vec![shown(x), shown(y)]).collect::<Vec<_>>()))
                        }
                        Marks::Band(points) => {
                            @let rows = points.iter().map(|&(x, low, high)| vec![shown(x), shown(low), shown(high)]).collect::<Vec<_>>();
                            (table(&series.name, &[x, &format!("{y}: low"), &format!("{y}: high")], &rows))
                        }
                    }
                }
            }
        }
    }
}

/// The largest ratios of the two sides, part by part.
fn tightness_plot(record: &ClaimRecord) -> Option<Plot> {
    let named: Vec<(&str, &str, f64)> = record
        .parts
        .iter()
        .filter_map(|part| part.tightness.as_ref().and_then(|(ratio, _)| Some((part.name.as_str(), ratio.as_str(), below(ratio)?))))
        .collect();
    if named.is_empty() {
        return None;
    }
    let last = named.len() as f64;
    let room =
        Series { name: "where the bound holds: up to 1, both sides equal".into(), marks: Marks::Band(vec![(0.5, 0.0, 1.0), (last + 0.5, 0.0, 1.0)]) };
    let marks = named.iter().enumerate().map(|(index, (name, ratio, value))| Series {
        name: format!("{}: {name}, {}", index + 1, short(ratio)),
        marks: Marks::Points(vec![((index + 1) as f64, *value)]),
    });
    Some(Plot {
        title: format!("{}: largest lhs/rhs found", record.id),
        description:
            "How near to equality each part's worst instance comes: at 1 the bound cannot be improved; far below 1 it is loose on all that was tried."
                .into(),
        x: Axis::linear("part"),
        y: Axis::linear("lhs/rhs"),
        series: std::iter::once(room).chain(marks).collect(),
    })
}

/// The largest double that is not above a decimal, so that nothing below 1 is drawn or shown as 1.
fn below(decimal: &str) -> Option<f64> {
    let exact: numeric::Rational = decimal.parse().ok()?;
    Some(exact.to_f64_down())
}

/// The statistical route's line of an arm: whether the bound is an upper one, the bound, and the mean that was measured.
fn arm(line: &str) -> Option<(bool, f64, f64)> {
    let (_, rest) = line.rsplit_once("; E ")?;
    let upper = rest.starts_with("<=");
    let (bound, rest) = rest.get(3..)?.split_once(": ")?;
    Some((upper, bound.parse().ok()?, rest.rsplit_once("mean ")?.1.parse().ok()?))
}

/// The rate route's line of a size: the confidence interval of its mean.
fn interval(line: &str) -> Option<(f64, f64)> {
    let (low, high) = line.strip_prefix('[')?.split_once(']')?.0.split_once(", ")?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

/// Bound against measurement, for the statistical routes.
fn measured_plot(id: &str, part: &PartRecord) -> Option<Plot> {
    match part.route {
        Route::Statistical => {
            let arms: Vec<(bool, f64, f64)> =
                part.effort.iter().filter(|(key, _)| key.starts_with("arm_")).filter_map(|(_, line)| arm(line)).collect();
            let numbered = || arms.iter().enumerate().map(|(index, arm)| ((index + 1) as f64, arm));
            let bounds = |side: bool| numbered().filter(|(_, arm)| arm.0 == side).map(|(at, arm)| (at, arm.1)).collect::<Vec<_>>();
            let means = numbered().map(|(at, arm)| (at, arm.2)).collect();
            let positive = arms.iter().all(|(_, bound, mean)| *bound > 0.0 && *mean > 0.0);
            let label = "expectation";
            let mut series: Vec<Series> = [("at most: the bound asserted", bounds(true)), ("at least: the bound asserted", bounds(false))]
                .into_iter()
                .filter(|(_, points)| !points.is_empty())
                .map(|(name, points)| Series { name: name.into(), marks: Marks::Points(points) })
                .collect();
            series.push(Series { name: "mean of the draws".into(), marks: Marks::Points(means) });
            (!arms.is_empty()).then(|| Plot {
                title: format!("{id}, {}: bound against mean", part.name),
                description: format!("For each of the {} expectations tested, the bound that is asserted and the mean of the draws.", arms.len()),
                x: Axis::linear("arm, in the order of the evidence above"),
                y: if positive { Axis::log(label) } else { Axis::linear(label) },
                series,
            })
        }
        Route::Rate => {
            let sizes: Vec<(f64, f64, f64)> = part
                .effort
                .iter()
                .filter_map(|(key, line)| {
                    let size = key.strip_prefix("mean_at_")?.parse().ok()?;
                    let (low, high) = interval(line)?;
                    Some((size, low, high))
                })
                .collect();
            let middle = sizes.iter().map(|(size, low, high)| (*size, 0.5 * (low + high))).collect();
            (sizes.len() >= 2).then(|| Plot {
                title: format!("{id}, {}: mean over the size", part.name),
                description: "The confidence band of the mean at each size, at the part's error level; its slope is what is asserted.".into(),
                x: Axis::log("size"),
                y: Axis::log("mean"),
                series: vec![
                    Series { name: "confidence band".into(), marks: Marks::Band(sizes) },
                    Series { name: "its middle".into(), marks: Marks::Line(middle) },
                ],
            })
        }
        Route::Exact | Route::Certified => None,
    }
}

fn parts_table(record: &ClaimRecord) -> Markup {
    let rows: Vec<Vec<Markup>> = record
        .parts
        .iter()
        .map(|part| {
            vec![
                html! { b { (part.name) } div { span class={ "verdict " (part.verdict) } { (part.verdict) } } },
                html! { div { (typeset(&part.statement)) } div { "on " (part.domain) } },
                html! {
                    div { (part.route) ": " (part.instances) " " (unit(part.route)) }
                    @if let Some((ratio, at)) = &part.tightness { div { "tightness " span.plain { (ratio) } " at " (at) } }
                    @if let Some(level) = &part.level { div { "level " (level) } }
                    @for (key, value) in &part.effort { div { (key.replace('_', " ")) ": " span.plain { (value) } } }
                },
            ]
        })
        .collect();
    table(&format!("Parts of {}", record.id), &["part", "asserts, and where", "evidence"], &rows)
}

fn mutants_table(record: &ClaimRecord, reason: Option<&str>) -> Markup {
    if record.mutants.is_empty() {
        return html! { p { "No mutants: " (reason.unwrap_or("none are declared")) "." } };
    }
    let rows: Vec<Vec<Markup>> = record
        .mutants
        .iter()
        .map(|mutant| {
            let how = if mutant.planted {
                ", by a hand-given instance"
            } else if mutant.falsifier {
                ", by the falsifier"
            } else {
                ""
            };
            vec![
                html! { (mutant.name) },
                typeset(&mutant.statement),
                html! { (mutant.verdict) (how) },
                html! { @if let Some(witness) = &mutant.witness { span.plain { (witness.instance) } } @else { "-" } },
                html! { @if let Some(witness) = &mutant.witness { (replay(witness)) } @else { "-" } },
            ]
        })
        .collect();
    table(
        &format!("Mutants of {}: false neighbours, each must be refuted", record.id),
        &["mutant", "what is changed", "verdict", "witness", "replay"],
        &rows,
    )
}

/// The Lean declarations beside a claim, and how many of its instances have a Lean statement of their own.
fn lean_names(claim: &str) -> Markup {
    let (certificates, named): (Vec<_>, Vec<_>) = formal::lean_names(claim).partition(|entry| entry.kind == formal::Kind::Certificate);
    html! {
        @if !named.is_empty() || !certificates.is_empty() {
            dt { "Lean" }
            dd {
                @for (index, entry) in named.iter().enumerate() {
                    @if index > 0 { "; " }
                    code { (entry.declaration) } " (" (entry.kind.as_str()) ", lean/" (entry.file) ")"
                }
                @if let Some(first) = certificates.first() {
                    @if !named.is_empty() { "; " }
                    (certificates.len()) " instances in lean/" (first.file)
                }
            }
        }
    }
}

fn claim_entry(record: &ClaimRecord, claim: Option<&Claim>) -> Markup {
    let class = if record.verdict == Verdict::Refuted && record.as_declared { "finding" } else { "entry" };
    html! {
        article.(class) id=(anchor(&record.id)) {
            header { h3 { (record.id) } (verdict_mark(record)) span { (effort(record)) } }
            @if let Some(claim) = claim {
                p.statement { (typeset(claim.statement)) }
                dl {
                    dt { "as text" } dd.plain { (claim.statement) }
                    dt { "assumes" } dd { @for (index, assumption) in claim.assumptions.iter().enumerate() { @if index > 0 { "; " } (typeset(assumption)) } }
                    dt { "provenance" } dd { (claim.provenance) ": " (claim.source) }
                    @if let Some(finding) = &claim.finding {
                        dt { "printed" } dd { (typeset(finding.printed)) }
                        dt { "true" } dd { (typeset(finding.truth)) }
                    }
                    @if let Some(gap) = claim.gap { dt { "not covered" } dd { (gap) } }
                    (lean_names(claim.id))
                    @if !claim.see.is_empty() { dt { "see" } dd { @for id in claim.see { a href={ "#" (anchor(id)) } { (id) } " " } } }
                }
            } @else {
                p { "This version of the registry does not have the claim: its statement is not shown." }
            }
            @if let Some(witness) = refuting(record) { (witness_list(witness)) }
            @for name in &record.disagreements { p.wrong { "The routes of part '" (name) "' disagree." } }
            @if let Some((ratio, at)) = largest_tightness(record) { p { "Tightest: " span.plain { (ratio) } " at " (at) } }
            details {
                summary { "Evidence for " (record.id) ": " (record.parts.len()) " checks, " (record.mutants.len()) " mutants" }
                @if let Some(claim) = claim { p { b { "Argument. " } (claim.argument) } }
                (parts_table(record))
                @if let Some(plot) = tightness_plot(record) { (figure(&plot)) }
                @for plot in record.parts.iter().filter_map(|part| measured_plot(&record.id, part)) { (figure(&plot)) }
                (mutants_table(record, claim.and_then(|claim| claim.without_mutants)))
                p { "Check it: " code { "theorycheck check " (record.id) } }
            }
        }
    }
}

fn findings(run: &RunRecord, claims: &[Claim]) -> Markup {
    let found: Vec<(&ClaimRecord, &Claim)> = run
        .claims
        .iter()
        .filter_map(|record| Some((record, claims.iter().find(|claim| claim.id == record.id)?)))
        .filter(|(_, claim)| claim.finding.is_some())
        .collect();
    html! {
        section aria-labelledby="findings" {
            h2 id="findings" { "Findings" }
            @if found.is_empty() {
                p { "None of the claims checked is a false reading." }
            } @else {
                p { "Readings that are false, each with the smallest witness found and the command that evaluates it again. A finding reaches no further than what was read of the paper." }
            }
            @for (record, claim) in found {
                article.finding {
                    header { h3 { a href={ "#" (anchor(&record.id)) } { (record.id) } } (verdict_mark(record)) }
                    dl {
                        @if let Some(finding) = &claim.finding {
                            dt { "printed" } dd.statement { (typeset(finding.printed)) }
                            dt { "true" } dd.statement { (typeset(finding.truth)) }
                        }
                        @if let Some(witness) = refuting(record) {
                            dt { "witness" } dd.plain { (witness.instance) }
                            dt { "replay" } dd { (replay(witness)) }
                        }
                        dt { "provenance" } dd { (claim.provenance) ": " (claim.source) }
                    }
                }
            }
        }
    }
}

fn wrong(run: &RunRecord) -> Markup {
    let wrong: Vec<&ClaimRecord> = run.claims.iter().filter(|claim| !claim.as_declared).collect();
    html! {
        @if !wrong.is_empty() {
            section aria-labelledby="wrong" {
                h2 id="wrong" { "Not as declared" }
                ul { @for record in wrong { li { a href={ "#" (anchor(&record.id)) } { (record.id) } ": " (verdict_mark(record)) } } }
            }
        }
    }
}

fn paper_section(offer: &Offer, records: &[&ClaimRecord], claims: &[Claim]) -> Markup {
    let paper = &offer.paper;
    let rows: Vec<Vec<Markup>> = records
        .iter()
        .map(|record| {
            let fallen = record.mutants.iter().filter(|mutant| mutant.verdict == Verdict::Refuted).count();
            vec![
                html! { a href={ "#" (anchor(&record.id)) } { (record.id) } },
                verdict_mark(record),
                html! { (effort(record)) },
                html! { (fallen) " of " (record.mutants.len()) },
            ]
        })
        .collect();
    html! {
        section aria-labelledby={ "paper-" (paper.slug) } {
            h2 id={ "paper-" (paper.slug) } { (paper.slug) ": " (paper.title) }
            p { (paper.authors) ". " (paper.venue) ", arXiv " (paper.arxiv) "." }
            p { b { "What it does. " } (paper.summary) "." }
            p { b { "What was read. " } (paper.read) "." }
            @if let Some(picture) = offer.figure { (figure(&picture())) }
            (table(&format!("Claims of {}", paper.slug), &["claim", "verdict", "effort", "mutants refuted"], &rows))
            @if !paper.not_verified.is_empty() {
                details {
                    summary { "Listed, not verified: " (paper.not_verified.len()) }
                    ul { @for (id, reason) in paper.not_verified { li { code { (id) } ": " (reason) } } }
                }
            }
            @for record in records { (claim_entry(record, claims.iter().find(|claim| claim.id == record.id))) }
        }
    }
}

fn ledger(run: &RunRecord) -> Markup {
    let rows: Vec<Vec<Markup>> = run
        .claims
        .iter()
        .flat_map(|record| record.parts.iter().map(move |part| (record, part)))
        .filter_map(|(record, part)| {
            let level = part.level.as_ref()?;
            Some(vec![
                html! { a href={ "#" (anchor(&record.id)) } { (record.id) } },
                html! { (part.name) },
                html! { (part.route) },
                html! { (level) },
                html! { (part.instances) },
                html! { span class={ "verdict " (part.verdict) } { (part.verdict) } },
            ])
        })
        .collect();
    html! {
        section aria-labelledby="ledger" {
            h2 id="ledger" { "Ledger" }
            p { "Only statistics can be wrong by chance. The levels of all tests of this run, mutants included, sum to " b { (run.level_total) } " (spent: " (run.level_spent) "); a registry above 1e-6 is refused." }
            @if rows.is_empty() { p { "No statistical test is among the claims checked." } } @else {
                (table("Statistical tests", &["claim", "part", "route", "level", "draws", "verdict"], &rows))
            }
        }
    }
}

/// The run as one self-contained page. What the record does not have (statements, arguments, figures) comes from the registry's offers.
#[must_use]
pub fn html_page(run: &RunRecord, offers: &[Offer]) -> String {
    let claims: Vec<Claim> = offers.iter().flat_map(|offer| (offer.claims)()).collect();
    let of = |slug: &str| run.claims.iter().filter(|record| record.paper == slug).collect::<Vec<_>>();
    let shown: Vec<(&Offer, Vec<&ClaimRecord>)> =
        offers.iter().map(|offer| (offer, of(offer.paper.slug))).filter(|(_, records)| !records.is_empty()).collect();
    let unknown: Vec<&ClaimRecord> = run.claims.iter().filter(|record| !offers.iter().any(|offer| offer.paper.slug == record.paper)).collect();
    let count = |verdict| run.claims.iter().filter(|record| record.verdict == verdict).count();
    let mutants: usize = run.claims.iter().map(|record| record.mutants.len()).sum();
    let fallen = run.claims.iter().flat_map(|record| &record.mutants).filter(|mutant| mutant.verdict == Verdict::Refuted).count();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { "theorycheck: " (run.claims.len()) " claims" }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                a.skip href="#main" { "To the results" }
                header {
                    h1 { "theorycheck" }
                    p { "Does this bound hold, how tight is it, and where does it break?" }
                    @if run.partial { p.wrong { "This run was interrupted: claims are missing." } }
                    ul.counts {
                        @for (verdict, _) in MEANINGS { @let number = count(verdict); @if number > 0 { li { b { (number) } span class={ "verdict " (verdict) } { (verdict) } } } }
                        li { b { (fallen) " of " (mutants) } "mutants refuted" }
                        li { b { (run.level_spent) } "error level spent" }
                    }
                    p { (summary(run)) "." }
                    nav aria-label="Sections" {
                        ul {
                            @if run.claims.iter().any(|record| !record.as_declared) { li { a href="#wrong" { "Not as declared" } } }
                            li { a href="#findings" { "Findings" } }
                            @for (offer, _) in &shown { li { a href={ "#paper-" (offer.paper.slug) } { (offer.paper.slug) } } }
                            li { a href="#ledger" { "Ledger" } }
                        }
                    }
                    details {
                        summary { "How to read a verdict" }
                        dl { @for (verdict, meaning) in MEANINGS { dt { span class={ "verdict " (verdict) } { (verdict) } } dd { (meaning) } } }
                        p { "A claim is as strong as its weakest part. Every claim has mutants, false neighbours that the same code must refute; a claim whose mutants survive is not as declared." }
                    }
                }
                main id="main" {
                    (wrong(run))
                    (findings(run, &claims))
                    @for (offer, records) in &shown { (paper_section(offer, records, &claims)) }
                    @for record in &unknown { (claim_entry(record, None)) }
                    (ledger(run))
                }
            }
        }
    }
    .into_string()
}

#[cfg(test)]
mod tests {
    use super::{arm, below, interval};

    #[test]
    fn evidence_lines_are_read() {
        assert_eq!(arm("N = 3; E of it; E <= 1.5e-1: supported after 4096 draws, mean 2.5e-2"), Some((true, 0.15, 0.025)));
        assert_eq!(arm("x; E >= 1e0: open after 1 draws, mean -1.000000e0"), Some((false, 1.0, -1.0)));
        assert_eq!(arm("something else"), None);
        assert_eq!(interval("[1e-2, 2.5e0] from 10 draws"), Some((0.01, 2.5)));
        assert_eq!(interval("none"), None);
    }

    #[test]
    fn nothing_below_one_is_drawn_as_one() {
        assert_eq!(below("1"), Some(1.0));
        assert!(below("0.9999999999999999999999999").is_some_and(|value| value < 1.0));
        assert_eq!(below("-"), None);
    }
}
