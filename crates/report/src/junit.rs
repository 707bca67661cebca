//! JUnit XML for continuous integration: a suite a paper, a case a claim.

use claim::{ClaimRecord, RunRecord, Verdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::fmt::Write as _;

/// What is not as declared, in lines.
fn faults(claim: &ClaimRecord) -> String {
    let mut out = String::new();
    for name in &claim.disagreements {
        let _ = writeln!(out, "the routes of part '{name}' disagree");
    }
    for part in &claim.parts {
        let _ = writeln!(out, "part '{}' by the {} route: {}: {}", part.name, part.route, part.verdict, part.statement);
        if let Some(witness) = &part.witness {
            let _ = writeln!(out, "  at {}", witness.instance);
            for (key, value) in &witness.values {
                let _ = writeln!(out, "    {key}: {value}");
            }
            if let Some(token) = &witness.replay {
                let _ = writeln!(out, "    replay: theorycheck replay '{token}'");
            }
        }
    }
    for mutant in claim.mutants.iter().filter(|mutant| mutant.verdict != Verdict::Refuted) {
        let _ = writeln!(out, "mutant '{}' is not refuted: {} ({})", mutant.name, mutant.statement, mutant.verdict);
    }
    out
}

/// The run as JUnit XML. A claim that is not as declared is a failure (of the type `undecided` where that is the verdict); times are left out, so that the
/// same run gives the same bytes.
#[must_use]
pub fn junit_xml(run: &RunRecord) -> String {
    let mut report = Report::new("theorycheck");
    let mut papers: Vec<&str> = Vec::new();
    for claim in &run.claims {
        if !papers.contains(&claim.paper.as_str()) {
            papers.push(&claim.paper);
        }
    }
    for paper in papers {
        let mut suite = TestSuite::new(paper);
        for claim in run.claims.iter().filter(|claim| claim.paper == paper) {
            let status = if claim.as_declared {
                TestCaseStatus::success()
            } else {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(format!("{}: {} (declared {})", claim.id, claim.verdict, claim.declared));
                status.set_type(if claim.verdict == Verdict::Undecided { "undecided" } else { "not-as-declared" });
                status.set_description(faults(claim));
                status
            };
            let mut case = TestCase::new(&claim.id, status);
            case.set_classname(format!("theorycheck.{paper}"));
            let refuted = claim.mutants.iter().filter(|mutant| mutant.verdict == Verdict::Refuted).count();
            case.set_system_out(format!("{}, declared {}; {refuted} of {} mutants refuted", claim.verdict, claim.declared, claim.mutants.len()));
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    let mut out = report.to_string().unwrap_or_default();
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}
