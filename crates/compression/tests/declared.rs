//! Every claim of the papers in this room gets its declared verdict, and every mutant falls.

use engine::{Settings, Silent};

#[test]
fn every_claim_is_as_declared() {
    let record = engine::run(&compression::emp::claims(), &Settings::default(), &Silent).expect("the claims' names are distinct");
    for claim in &record.claims {
        for part in &claim.parts {
            println!("{} {} {} n={} t={:?} w={:?}", claim.id, part.name, part.verdict, part.instances, part.tightness.as_ref().map(|t| &t.0), part.witness);
        }
        for mutant in &claim.mutants {
            println!("   ~{} {} {:?}", mutant.name, mutant.verdict, mutant.witness.as_ref().map(|w| &w.instance));
        }
    }
    let wrong: Vec<&str> = record.claims.iter().filter(|claim| !claim.as_declared).map(|claim| claim.id.as_str()).collect();
    assert!(wrong.is_empty(), "not as declared: {wrong:?}");
}
