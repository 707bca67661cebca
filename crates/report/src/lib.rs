//! Evidence and answers as text, JSON, JUnit, HTML and SVG; records read back and the shards of a run joined. This room computes nothing but the sum of the
//! shards' levels.

mod formula;
mod html;
mod json;
mod junit;
mod plot;
mod record;
mod terminal;

pub use html::html_page;
pub use json::{claim_json, explain_json, falsify_json, list_json, replay_json, run_json, to_line};
pub use junit::junit_xml;
pub use plot::{plot_json, plot_svg};
pub use record::{RecordError, Shard, Stored, merge, read_record, stored};
pub use terminal::{Detail, Look, answer_text, claims_table, explain_text, falsify_text, findings_table, list_text, replay_text, run_text, summary};

use claim::{RunRecord, Verdict};

/// How a run ended, for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every claim is as declared.
    AsDeclared,
    /// The only thing wrong is `undecided`.
    OnlyUndecided,
    /// Something is not as declared.
    NotAsDeclared,
}

/// The run's outcome.
#[must_use]
pub fn outcome(run: &RunRecord) -> Outcome {
    let wrong: Vec<_> = run.claims.iter().filter(|claim| !claim.as_declared).collect();
    if wrong.is_empty() {
        return Outcome::AsDeclared;
    }
    let undecided = |claim: &&claim::ClaimRecord| {
        claim.disagreements.is_empty()
            && (claim.verdict == Verdict::Undecided || claim.verdict == claim.declared)
            && claim.mutants.iter().all(|mutant| matches!(mutant.verdict, Verdict::Refuted | Verdict::Undecided))
    };
    if wrong.iter().all(undecided) { Outcome::OnlyUndecided } else { Outcome::NotAsDeclared }
}
