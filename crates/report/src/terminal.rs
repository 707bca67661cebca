//! Text for a terminal, and the tables of the README.

use calculator::{Answer, Offer};
use claim::{Claim, ClaimRecord, RunRecord, Verdict, Witness};
use comfy_table::{ContentArrangement, Table};
use engine::{Falsified, Replayed};
use std::fmt::Write as _;

/// A word for an instance's outcome.
pub(crate) fn outcome_word(outcome: claim::Outcome) -> &'static str {
    match outcome {
        claim::Outcome::Unmet => "assumptions not satisfied",
        claim::Outcome::Holds => "holds",
        claim::Outcome::Fails => "fails",
        claim::Outcome::Undecided => "undecided",
    }
}

fn table(headers: &[&str], width: Option<u16>) -> Table {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    if let Some(width) = width {
        table.set_width(width);
    }
    table.set_header(headers.iter().copied());
    table
}

/// Digits of a tightness that a table shows: cut, never rounded, so that nothing below 1 shows as 1.
fn short(ratio: &str) -> String {
    if ratio.contains('e') { ratio.to_owned() } else { ratio.chars().take(8).collect() }
}

fn routes(record: &ClaimRecord) -> String {
    let mut names: Vec<&str> = record.parts.iter().map(|part| part.route.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

fn largest_tightness(record: &ClaimRecord) -> String {
    // The decimals compare by value for plain notation, which all ratios at most 1 of interest have.
    let value = |text: &str| text.parse::<f64>().unwrap_or(0.0);
    record
        .parts
        .iter()
        .filter_map(|part| part.tightness.as_ref().map(|(ratio, _)| ratio))
        .max_by(|a, b| value(a).total_cmp(&value(b)))
        .map_or_else(String::new, |ratio| short(ratio))
}

fn witness_lines(out: &mut String, witness: &Witness) {
    let _ = writeln!(out, "    at {}", witness.instance);
    for (key, value) in &witness.values {
        let _ = writeln!(out, "      {key}: {value}");
    }
    if let Some(token) = &witness.replay {
        let _ = writeln!(out, "      replay: theorycheck replay '{token}'");
    }
}

/// The table of a run, then what was found and what was not as declared. `width` is the terminal's; None for the text's own.
#[must_use]
pub fn run_text(run: &RunRecord, width: Option<u16>) -> String {
    let mut out = String::new();
    let mut rows = table(&["claim", "verdict", "declared", "routes", "instances", "tightness", "mutants"], width);
    for claim in &run.claims {
        let refuted = claim.mutants.iter().filter(|mutant| mutant.verdict == Verdict::Refuted).count();
        let instances: u64 = claim.parts.iter().map(|part| part.instances).sum();
        rows.add_row([
            claim.id.clone(),
            claim.verdict.to_string(),
            if claim.as_declared { "as declared".to_owned() } else { format!("NOT: {}", claim.declared) },
            routes(claim),
            instances.to_string(),
            largest_tightness(claim),
            format!("{refuted}/{}", claim.mutants.len()),
        ]);
    }
    let _ = writeln!(out, "{rows}");
    let refuted: Vec<&ClaimRecord> = run.claims.iter().filter(|claim| claim.as_declared && claim.verdict == Verdict::Refuted).collect();
    if !refuted.is_empty() {
        let _ = writeln!(out, "\nRefuted, as declared:");
        for claim in refuted {
            let _ = writeln!(out, "  {}", claim.id);
            if let Some(witness) = claim.parts.iter().find_map(|part| part.witness.as_ref().filter(|_| part.verdict == Verdict::Refuted)) {
                witness_lines(&mut out, witness);
            }
        }
    }
    let wrong: Vec<&ClaimRecord> = run.claims.iter().filter(|claim| !claim.as_declared).collect();
    if !wrong.is_empty() {
        let _ = writeln!(out, "\nNot as declared:");
        for claim in wrong {
            let _ = writeln!(out, "  {}: {} (declared {})", claim.id, claim.verdict, claim.declared);
            for name in &claim.disagreements {
                let _ = writeln!(out, "    the routes of part '{name}' disagree");
            }
            for part in claim.parts.iter().filter(|part| part.verdict < Verdict::Supported && part.verdict != claim.declared) {
                let _ = writeln!(out, "    part '{}' by the {} route: {}", part.name, part.route, part.verdict);
                if let Some(witness) = &part.witness {
                    witness_lines(&mut out, witness);
                }
            }
            for mutant in claim.mutants.iter().filter(|mutant| mutant.verdict != Verdict::Refuted) {
                let _ = writeln!(out, "    mutant '{}' is not refuted: {} ({})", mutant.name, mutant.statement, mutant.verdict);
            }
        }
    }
    let counts: Vec<String> = Verdict::ALL
        .iter()
        .filter_map(|verdict| {
            let count = run.claims.iter().filter(|claim| claim.verdict == *verdict).count();
            (count > 0).then(|| format!("{count} {verdict}"))
        })
        .collect();
    let mutants: usize = run.claims.iter().map(|claim| claim.mutants.len()).sum();
    let fallen = run.claims.iter().flat_map(|claim| &claim.mutants).filter(|mutant| mutant.verdict == Verdict::Refuted).count();
    let declared = run.claims.iter().filter(|claim| claim.as_declared).count();
    let searched = run.claims.iter().flat_map(|claim| &claim.mutants).filter(|mutant| mutant.falsifier).count();
    let searched = if searched == 0 { String::new() } else { format!(" ({searched} by the falsifier alone)") };
    let _ = writeln!(
        out,
        "\n{} claims, {declared} as declared: {}; {fallen} of {mutants} mutants refuted{searched}; error level spent {}; effort {}, seed {}{}",
        run.claims.len(),
        counts.join(", "),
        run.level_spent,
        run.effort,
        run.seed,
        if run.partial { "; INTERRUPTED: claims are missing" } else { "" }
    );
    out
}

/// The claims of all papers, one a line.
#[must_use]
pub fn list_text(offers: &[Offer]) -> String {
    let mut out = String::new();
    for offer in offers {
        let paper = &offer.paper;
        let _ = writeln!(out, "{}: {} ({}, {}, arXiv {})", paper.slug, paper.title, paper.authors, paper.venue, paper.arxiv);
        for claim in (offer.claims)() {
            let _ = writeln!(out, "  {:<28} {:<9} {}", claim.id, claim.declared.as_str(), claim.provenance);
        }
        for (id, reason) in paper.not_verified {
            let _ = writeln!(out, "  {id:<28} not verified: {reason}");
        }
    }
    out
}

/// One claim in full.
#[must_use]
pub fn explain_text(claim: &Claim) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}\n\n{}\n", claim.id, claim.statement);
    let _ = writeln!(out, "assumptions");
    for assumption in claim.assumptions {
        let _ = writeln!(out, "  - {assumption}");
    }
    let _ = writeln!(out, "provenance  {}: {}", claim.provenance, claim.source);
    let _ = writeln!(out, "declared    {}", claim.declared);
    if let Some(finding) = &claim.finding {
        let _ = writeln!(out, "printed     {}\ntrue        {}", finding.printed, finding.truth);
    }
    let _ = writeln!(out, "\nargument\n  {}", claim.argument);
    if let Some(gap) = claim.gap {
        let _ = writeln!(out, "not covered by a route (the verdict is at most holds)\n  {gap}");
    }
    let _ = writeln!(out, "\nparts");
    for part in (claim.parts)() {
        let _ = writeln!(out, "  {:<24} {}", part.name, part.statement);
        for check in &part.checks {
            let _ = writeln!(out, "  {:<24} by {}: {}", "", check.route(), check.domain());
        }
    }
    let mutants = (claim.mutants)();
    match claim.without_mutants {
        Some(reason) if mutants.is_empty() => {
            let _ = writeln!(out, "\nno mutants: {reason}");
        }
        _ => {
            let _ = writeln!(out, "\nmutants (each must be refuted)");
            for mutant in mutants {
                let _ = writeln!(out, "  {:<24} {}", mutant.name, mutant.statement);
            }
        }
    }
    if !claim.see.is_empty() {
        let _ = writeln!(out, "\nsee also    {}", claim.see.join(", "));
    }
    let _ = writeln!(out, "\ncheck it    theorycheck check {}", claim.id);
    out
}

/// One replayed instance.
#[must_use]
pub fn replay_text(replayed: &Replayed) -> String {
    let mut out = format!(
        "{} {}: {}\n  {}\n  at {}\n",
        replayed.token.claim,
        replayed.token.part,
        outcome_word(replayed.outcome),
        replayed.statement,
        replayed.instance
    );
    for (key, value) in &replayed.values {
        let _ = writeln!(out, "    {key}: {value}");
    }
    out
}

/// A calculator's answer.
#[must_use]
pub fn answer_text(answer: &Answer) -> String {
    let mut out = String::new();
    for (index, report) in answer.reports.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if let Some(name) = &report.name {
            let _ = writeln!(out, "{name}");
        }
        for (key, value) in &report.entries {
            let _ = writeln!(out, "{key:<24} {}", value.to_text());
        }
    }
    out
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The findings (false readings), as a Markdown table: from a run, so that witness and replay command are what was found.
#[must_use]
pub fn findings_table(offers: &[Offer], run: &RunRecord) -> String {
    let mut out = String::from("| claim | printed | true | witness | replay |\n| --- | --- | --- | --- | --- |\n");
    for claim in offers.iter().flat_map(|offer| (offer.claims)()) {
        let Some(finding) = &claim.finding else { continue };
        let witness =
            run.claims.iter().find(|record| record.id == claim.id).and_then(|record| record.parts.iter().find_map(|part| part.witness.as_ref()));
        let (instance, token) = witness.map_or((String::new(), String::new()), |witness| {
            (cell(&witness.instance), witness.replay.as_ref().map_or_else(String::new, |token| format!("`theorycheck replay '{token}'`")))
        });
        let _ = writeln!(out, "| `{}` | {} | {} | {instance} | {token} |", claim.id, cell(finding.printed), cell(finding.truth));
    }
    out
}

/// All claims with their verdicts, as a Markdown table.
#[must_use]
pub fn claims_table(run: &RunRecord) -> String {
    let mut out = String::from("| claim | verdict | routes | parts | mutants refuted |\n| --- | --- | --- | --- | --- |\n");
    for claim in &run.claims {
        let refuted = claim.mutants.iter().filter(|mutant| mutant.verdict == Verdict::Refuted).count();
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {refuted} of {} |",
            claim.id,
            claim.verdict,
            routes(claim),
            claim.parts.len(),
            claim.mutants.len()
        );
    }
    out
}

/// What the falsifier found, in words.
#[must_use]
pub fn falsify_text(found: &Falsified) -> String {
    let mut out = String::new();
    let word = if found.verdict == Verdict::Refuted { "broken" } else { "not broken" };
    let _ = writeln!(out, "{}, part '{}': {word} after {} evaluations", found.claim, found.part, found.evaluations);
    if let Some(witness) = &found.witness {
        let _ = writeln!(out, "{}", if found.verdict == Verdict::Refuted { "  witness" } else { "  the closest instance" });
        witness_lines(&mut out, witness);
    }
    if let Some(margin) = &found.margin {
        let _ = writeln!(out, "      margin: {margin}");
    }
    if let Some(tightness) = &found.tightness {
        let _ = writeln!(out, "      tightness: {tightness}");
    }
    out
}
