//! Text for a terminal, and the tables of the README.

use calculator::{Answer, Offer};
use claim::{Claim, ClaimRecord, Route, RunRecord, Verdict, Witness};
use comfy_table::{Attribute, Cell, Color, ContentArrangement, LineStyle, Table, TableStyle};
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

/// How much of a run is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// What is not as declared, and the summary.
    Quiet,
    /// Findings, the table, what is not as declared, the summary.
    #[default]
    Normal,
    /// The same with every part and every mutant.
    Verbose,
}

/// How text looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The terminal's width; None for the text's own.
    pub width: Option<u16>,
    /// Whether words are coloured.
    pub colour: bool,
    /// How much is shown.
    pub detail: Detail,
}

impl Look {
    fn paint(self, text: &str, style: console::Style) -> String {
        if self.colour { style.force_styling(true).apply_to(text).to_string() } else { text.to_owned() }
    }

    fn heading(self, text: &str) -> String {
        self.paint(text, console::Style::new().bold())
    }
}

/// The colour of a claim's verdict: red only where something is not as declared.
fn verdict_colour(verdict: Verdict, as_declared: bool) -> Color {
    match verdict {
        _ if !as_declared => Color::Red,
        Verdict::Proved | Verdict::Holds => Color::Green,
        Verdict::Supported => Color::Cyan,
        Verdict::Undecided | Verdict::Vacuous => Color::Yellow,
        Verdict::Refuted => Color::Magenta,
    }
}

/// Digits of a tightness that a table shows: cut, never rounded, so that nothing below 1 shows as 1.
pub(crate) fn short(ratio: &str) -> String {
    if ratio.contains('e') { ratio.to_owned() } else { ratio.chars().take(8).collect() }
}

fn routes(record: &ClaimRecord) -> String {
    let mut names: Vec<&str> = record.parts.iter().map(|part| part.route.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

/// What a route counts.
pub(crate) fn unit(route: Route) -> &'static str {
    match route {
        Route::Exact => "instances",
        Route::Certified => "boxes",
        Route::Statistical | Route::Rate => "draws",
    }
}

/// How hard the routes tried: sums over the parts.
pub(crate) fn effort(record: &ClaimRecord) -> String {
    let sums = ["instances", "boxes", "draws"].map(|name| {
        let of_unit = record.parts.iter().filter(|part| unit(part.route) == name);
        (of_unit.map(|part| part.instances).sum::<u64>(), name)
    });
    sums.iter().filter(|(sum, _)| *sum > 0).map(|(sum, name)| format!("{sum} {name}")).collect::<Vec<_>>().join(", ")
}

pub(crate) fn largest_tightness(record: &ClaimRecord) -> Option<&(String, String)> {
    // The decimals compare by value for plain notation, which all ratios at most 1 of interest have.
    let value = |text: &str| text.parse::<f64>().unwrap_or(0.0);
    record.parts.iter().filter_map(|part| part.tightness.as_ref()).max_by(|a, b| value(&a.0).total_cmp(&value(&b.0)))
}

/// The levels of the parts' tests, each once.
fn levels(record: &ClaimRecord) -> String {
    let mut all: Vec<&str> = record.parts.iter().filter_map(|part| part.level.as_deref()).collect();
    all.sort_unstable();
    all.dedup();
    all.join(", ")
}

fn fallen(record: &ClaimRecord) -> usize {
    record.mutants.iter().filter(|mutant| mutant.verdict == Verdict::Refuted).count()
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

/// The witness of a refuted part.
pub(crate) fn refuting(record: &ClaimRecord) -> Option<&Witness> {
    record.parts.iter().filter(|part| part.verdict == Verdict::Refuted).find_map(|part| part.witness.as_ref())
}

/// The table by paper and claim.
fn run_table(run: &RunRecord, offers: &[Offer], look: Look) -> Table {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    table.set_content_arrangement(ContentArrangement::Dynamic);
    if let Some(width) = look.width {
        table.set_width(width);
    }
    if look.colour {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    // On a narrow terminal the columns that can be missed go first.
    let width = look.width.unwrap_or(u16::MAX);
    let columns: Vec<(&str, bool)> = vec![
        ("claim", true),
        ("verdict", true),
        ("routes", width >= 70),
        ("effort", width >= 110),
        ("tightness", width >= 80),
        ("level", width >= 100),
        ("mutants", width >= 60),
    ];
    let chosen = |cells: Vec<Cell>| cells.into_iter().zip(&columns).filter(|(_, (_, shown))| *shown).map(|(cell, _)| cell).collect::<Vec<_>>();
    table.set_header(chosen(columns.iter().map(|(name, _)| Cell::new(name)).collect()));
    let mut paper = "";
    for claim in &run.claims {
        if claim.paper != paper {
            paper = &claim.paper;
            let venue = offers.iter().find(|offer| offer.paper.slug == paper).map_or("", |offer| offer.paper.venue);
            let name = if venue.is_empty() { paper.to_owned() } else { format!("{paper}, {venue}") };
            table.add_row([Cell::new(name).add_attribute(Attribute::Bold)]);
        }
        let verdict = if claim.as_declared {
            claim.verdict.to_string()
        } else if claim.verdict == claim.declared {
            format!("{}, but not as declared", claim.verdict)
        } else {
            format!("{} (declared {})", claim.verdict, claim.declared)
        };
        let tightness = largest_tightness(claim).map_or_else(String::new, |(ratio, _)| short(ratio));
        let mutants = if claim.mutants.is_empty() { "-".to_owned() } else { format!("{}/{}", fallen(claim), claim.mutants.len()) };
        table.add_row(chosen(vec![
            Cell::new(&claim.id),
            Cell::new(verdict).fg(verdict_colour(claim.verdict, claim.as_declared)),
            Cell::new(routes(claim)),
            Cell::new(effort(claim)),
            Cell::new(tightness),
            Cell::new(levels(claim)),
            Cell::new(mutants),
        ]));
    }
    table
}

/// Every part and mutant of every claim.
fn all_parts(out: &mut String, run: &RunRecord, look: Look) {
    let _ = writeln!(out, "\n{}", look.heading("Parts and mutants:"));
    for claim in &run.claims {
        let _ = writeln!(out, "  {}", claim.id);
        for part in &claim.parts {
            let _ = write!(out, "    {}: {} by the {} route, {} {}", part.name, part.verdict, part.route, part.instances, unit(part.route));
            if let Some(level) = &part.level {
                let _ = write!(out, ", level {level}");
            }
            if let Some((ratio, at)) = &part.tightness {
                let _ = write!(out, ", tightness {} at {at}", short(ratio));
            }
            let _ = writeln!(out, "; on {}", part.domain);
        }
        for mutant in &claim.mutants {
            let how = if mutant.planted {
                " by a hand-given instance"
            } else if mutant.falsifier {
                " by the falsifier"
            } else {
                ""
            };
            let at = mutant.witness.as_ref().map_or_else(String::new, |witness| format!(" at {}", witness.instance));
            let _ = writeln!(out, "    mutant {}: {}{how}{at}", mutant.name, mutant.verdict);
        }
    }
}

/// A run: what was found, the table by paper and claim, what was not as declared, the summary (the last line).
#[must_use]
pub fn run_text(run: &RunRecord, offers: &[Offer], look: Look) -> String {
    let mut out = String::new();
    let claims: Vec<Claim> = offers.iter().flat_map(|offer| (offer.claims)()).collect();
    if look.detail != Detail::Quiet {
        let refuted: Vec<&ClaimRecord> = run.claims.iter().filter(|claim| claim.as_declared && claim.verdict == Verdict::Refuted).collect();
        if !refuted.is_empty() {
            let _ = writeln!(out, "{}", look.heading("Found: readings that are false, as declared"));
            for record in refuted {
                let _ = writeln!(out, "  {}", look.paint(&record.id, console::Style::new().magenta()));
                if let Some(finding) = claims.iter().find(|claim| claim.id == record.id).and_then(|claim| claim.finding.as_ref()) {
                    let _ = writeln!(out, "    printed: {}\n    true: {}", finding.printed, finding.truth);
                }
                if let Some(witness) = refuting(record) {
                    witness_lines(&mut out, witness);
                }
            }
            out.push('\n');
        }
        let _ = writeln!(out, "{}", run_table(run, offers, look));
    }
    if look.detail == Detail::Verbose {
        all_parts(&mut out, run, look);
    }
    let wrong: Vec<&ClaimRecord> = run.claims.iter().filter(|claim| !claim.as_declared).collect();
    if !wrong.is_empty() {
        let _ = writeln!(out, "\n{}", look.paint("Not as declared:", console::Style::new().red().bold()));
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
    if !out.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, "{}", summary(run));
    out
}

/// The summary of a run, in a line.
#[must_use]
pub fn summary(run: &RunRecord) -> String {
    let counts: Vec<String> = Verdict::ALL
        .iter()
        .filter_map(|verdict| {
            let count = run.claims.iter().filter(|claim| claim.verdict == *verdict).count();
            (count > 0).then(|| format!("{count} {verdict}"))
        })
        .collect();
    let mutants: usize = run.claims.iter().map(|claim| claim.mutants.len()).sum();
    let fallen: usize = run.claims.iter().map(fallen).sum();
    let declared = run.claims.iter().filter(|claim| claim.as_declared).count();
    let searched = run.claims.iter().flat_map(|claim| &claim.mutants).filter(|mutant| mutant.falsifier).count();
    let searched = if searched == 0 { String::new() } else { format!(" ({searched} by the falsifier alone)") };
    format!(
        "{} claims, {declared} as declared: {}; {fallen} of {mutants} mutants refuted{searched}; error level spent {}; effort {}, seed {}{}",
        run.claims.len(),
        counts.join(", "),
        run.level_spent,
        run.effort,
        run.seed,
        if run.partial { "; INTERRUPTED: claims are missing" } else { "" }
    )
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
    let (certificates, named): (Vec<_>, Vec<_>) = formal::lean_names(claim.id).partition(|entry| entry.kind == formal::Kind::Certificate);
    for (index, entry) in named.into_iter().enumerate() {
        let lead = if index == 0 { "\nlean      " } else { "          " };
        let _ = writeln!(out, "{lead}  {} ({}; lean/{})", entry.declaration, entry.kind.as_str(), entry.file);
    }
    if let Some(first) = certificates.first() {
        let _ = writeln!(out, "\ncertified   {} instances (lean/{})", certificates.len(), first.file);
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
    let mut out = String::from("| claim | printed | true | witness | replay | provenance |\n| --- | --- | --- | --- | --- | --- |\n");
    for claim in offers.iter().flat_map(|offer| (offer.claims)()) {
        let Some(finding) = &claim.finding else { continue };
        let witness =
            run.claims.iter().find(|record| record.id == claim.id).and_then(|record| record.parts.iter().find_map(|part| part.witness.as_ref()));
        let (instance, token) = witness.map_or((String::new(), String::new()), |witness| {
            (cell(&witness.instance), witness.replay.as_ref().map_or_else(String::new, |token| format!("`theorycheck replay '{token}'`")))
        });
        let (printed, truth) = (cell(finding.printed), cell(finding.truth));
        let _ = writeln!(out, "| `{}` | {printed} | {truth} | {instance} | {token} | {}: {} |", claim.id, claim.provenance, cell(claim.source));
    }
    out
}

/// All claims with their verdicts, as a Markdown table.
#[must_use]
pub fn claims_table(run: &RunRecord) -> String {
    let mut out = String::from("| claim | verdict | routes | parts | mutants refuted |\n| --- | --- | --- | --- | --- |\n");
    for claim in &run.claims {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} of {} |",
            claim.id,
            claim.verdict,
            routes(claim),
            claim.parts.len(),
            fallen(claim),
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
