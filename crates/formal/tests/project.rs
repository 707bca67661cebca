//! The Lean project as it stands, and what is found when it is damaged.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use formal::{Candidate, Finding, FormalError, Kind, RunError, check, export, golden_json, own_map, program, read_map, strip};
use numeric::Rational;
use std::path::{Path, PathBuf};

/// Instances a theorem.
const INSTANCES: u64 = 20_000;

fn lean() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lean")
}

/// The claims that the map speaks of. The registry's own ids are compared with the map in the end-to-end tests.
const CLAIMS: [&str; 48] = [
    "emp/neff-basic",
    "emp/mass-exact",
    "emp/tail-energy",
    "moe/budget",
    "adagrad/sum-sqrt",
    "lie-bracket/algebra",
    "lie-bracket/quadratic-exact",
    "slt/small-ball",
    "slt/covering-finite",
    "slt/maximal-packing-net",
    "slt/euclid-ball",
    "slt/l1-ball",
    "slt/subgaussian-max",
    "slt/dudley",
    "slt/efron-stein",
    "slt/gaussian-poincare",
    "slt/han-inequality",
    "slt/entropy-duality",
    "slt/entropy-duality-t",
    "slt/entropy-subadditive",
    "slt/bernoulli-lsi",
    "slt/gaussian-lsi",
    "slt/lipschitz-cgf",
    "slt/lipschitz-concentration",
    "slt/one-step-discretization",
    "slt/local-gaussian-complexity",
    "slt/master-error",
    "slt/complexity-monotone",
    "slt/linear-rate",
    "slt/bad-event",
    "slt/l1-image",
    "slt/truncated-dudley",
    "slt/hanson-wright",
    "slt/svd",
    "slt/courant-fischer",
    "slt/eym",
    "slt/weyl",
    "slt/davis-kahan-vec",
    "slt/davis-kahan-proj",
    "slt/lieb",
    "slt/lieb-random",
    "slt/matrix-bernstein",
    "slt/rmt-norm",
    "slt/rmt-norm-mean",
    "slt/rmt-lower",
    "slt/rmt-symmetric",
    "slt/rmt-two-sided",
    "slt/rmt-covariance",
];

/// A copy of the project with one text replaced in one file.
fn damaged(file: &str, from: &str, to: &str) -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let target = to.join(entry.file_name());
            if entry.path().is_dir() {
                copy(&entry.path(), &target);
            } else {
                std::fs::copy(entry.path(), target).unwrap();
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    copy(&lean(), folder.path());
    let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
    assert!(text.contains(from), "{file} has no '{from}'");
    std::fs::write(folder.path().join(file), text.replacen(from, to, 1)).unwrap();
    folder
}

/// The ids that the generated rows name beside [`CLAIMS`], without those that the map says are still to come.
fn claims() -> Vec<&'static str> {
    let entries = own_map().as_ref().unwrap();
    let generated = entries.iter().filter(|entry| entry.kind == Kind::Certificate).filter_map(|entry| entry.claim.as_deref());
    let to_come = |id: &str| entries.iter().any(|entry| entry.absent && entry.claim.as_deref() == Some(id));
    CLAIMS.into_iter().filter(|id| !to_come(id)).chain(generated).collect()
}

fn findings(folder: &Path) -> Vec<String> {
    check(folder, &claims(), None).unwrap().findings.iter().map(Finding::to_string).collect()
}

#[test]
fn the_project_passes_its_static_checks() {
    assert_eq!(findings(&lean()), Vec::<String>::new());
    let checked = check(&lean(), &claims(), None).unwrap();
    let of = |kind: Kind| checked.entries.iter().filter(|entry| entry.kind == kind).count();
    assert_eq!((of(Kind::Proved), of(Kind::Golden), of(Kind::Bridge)), (25, 6, 52));
    // Every claim of the list has a Lean name; of slt, 41.
    for claim in CLAIMS {
        assert!(checked.entries.iter().any(|entry| entry.claim.as_deref() == Some(claim)), "{claim}");
    }
}

#[test]
fn every_theorem_without_dependencies_holds_on_random_instances() {
    let program = program(&lean()).unwrap();
    let names: Vec<&str> = program.theorems().collect();
    assert_eq!(names.len(), 43);
    for name in names {
        let tried = program.try_theorem(name, INSTANCES, 0).unwrap_or_else(|error| panic!("{error}"));
        assert!(tried >= INSTANCES);
    }
}

#[test]
fn false_neighbours_of_the_theorems_are_refuted() {
    // One number, sign or hypothesis of each theorem changed: a check that cannot see the change would be no check.
    for (file, name, from, to) in [
        ("Algebra", "sq_nonneg", "0 ≤ a * a", "1 ≤ a * a"),
        ("Algebra", "sub_mul_sub", "(b * c - b * d)", "(b * c + b * d)"),
        ("Algebra", "two_mul_le", "2 * (a * b) ≤ a * a", "3 * (a * b) ≤ a * a"),
        ("Algebra", "moe_budget_lower", "4 * (K * M) ≤ (K", "5 * (K * M) ≤ (K"),
        ("Algebra", "gossip_pair", "≤ 2 * (a * a + b * b)", "≤ 1 * (a * a + b * b)"),
        ("Algebra", "adagrad_step", "≤ 2 * (r * (r - s)) := by", "≤ 1 * (r * (r - s)) := by"),
        ("Algebra", "trace_comm", "(g * b + k * d)", "(g * b + k * c)"),
        ("Algebra", "bracket_offdiag", "= -((b * e", "= ((b * e"),
        ("Algebra", "one_step_core", "≤ 2 * L + 2 * M", "≤ 2 * L + 1 * M"),
        ("Sums", "neff_ge_one", "∀ xs : List Int, allNonneg xs → sumSq", "∀ xs : List Int, sumSq"),
        ("Sums", "sumSq_le_max_mul", "x ≤ M ∧ allBetween M xs\n\ndef", "x ≤ M + 1 ∧ allBetween M xs\n\ndef"),
        ("Sums", "neff_le_len", "≤ lenI xs * sumSq xs", "≤ 2 * sumSq xs"),
        ("Sums", "mass_split", "(hB : allLe t B) :", "(hB : allLe t A) :"),
        ("Sums", "tail_energy_quarter", "4 * (lenI A * sumSq B) ≤", "5 * (lenI A * sumSq B) ≤"),
        ("Sums", "adagrad_sum", "≤ 2 * (D * (adaLast p qs - p))", "≤ 1 * (D * (adaLast p qs - p))"),
        ("Prob", "markov", "nnPairs ps → t * wtail", "nnPairs ps → 2 * t * wtail"),
        ("Prob", "chebyshev", "t * wtail t (sqPairs ps) ≤", "2 * t * wtail t (sqPairs ps) ≤"),
        ("Prob", "union_bound", "≤ massL ps + massR ps", "≤ massL ps"),
        ("Prob", "efronStein_two_bits", "≤ 2 * ((a - b)", "≤ 1 * ((a - b)"),
        (
            "Net",
            "greedy_net",
            "theorem greedy_net (close : Nat → Nat → Bool) (hr : ∀ x, close x x = true)",
            "theorem greedy_net (close : Nat → Nat → Bool)",
        ),
    ] {
        let folder = damaged(&format!("TheoryCheck/{file}.lean"), from, to);
        let tried = program(folder.path()).unwrap().try_theorem(name, INSTANCES, 0);
        assert!(matches!(tried, Err(RunError::False { .. })), "{name} with '{to}': {tried:?}");
        assert!(!findings(folder.path()).is_empty(), "{name} with '{to}' keeps its hash");
    }
}

#[test]
fn damage_is_found_at_its_place() {
    for (file, from, to, says) in [
        ("TheoryCheck/Algebra.lean", "theorem gossip_pair", "theorem gossip_pear", "TheoryCheck.gossip_pair is not declared"),
        ("TheoryCheck/Algebra.lean", "theorem gossip_pair", "theorem gossip_pear", "gossip_pear is mapped to nothing"),
        ("TheoryCheck/Sums.lean", "4 * (lenI A", "3 * (lenI A", "the statement of TheoryCheck.tail_energy_quarter"),
        ("TheoryCheck/Algebra.lean", "  have h := two_mul_le a b\n", "  sorry\n", "'sorry' may not stand"),
        ("TheoryCheck/Algebra.lean", "/-- Young", "axiom young : False\n/-- Young", "'axiom' may not stand"),
        ("TheoryCheck/Algebra.lean", "first | decide | omega", "native_decide", "'native_decide' may not stand"),
        ("TheoryCheck/Net.lean", "namespace TheoryCheck", "#eval 1\nnamespace TheoryCheck", "'#eval' may not stand"),
        ("TheoryCheck/Net.lean", "end TheoryCheck", "", "never closed"),
        ("TheoryCheck/Sums.lean", "import TheoryCheck.Algebra", "import Mathlib", "import Mathlib has no file here"),
        ("TheoryCheck/Rational.lean", "(ratSum xs * ratSum xs)", "(ratSum xs * 2)", "emp/neff-basic"),
        ("Golden.lean", "(neff [8, 4, 2, 1])", "(neff [8, 4, 2, 2])", "not 45/17"),
        ("bridge/lean-toolchain", "v4.32.0", "v4.33.0", "is not 'leanprover/lean4:v4.32.0'"),
        ("bridge/Bridge/Names.lean", "#check @dudley\n", "", "dudley is not declared"),
        ("map.toml", "kind = \"proved\"", "absent = true\nkind = \"proved\"", "marked absent, but there is a claim 'moe/budget'"),
        ("map.toml", "claim = \"slt/dudley\"", "claim = \"slt/dudly\"", "no claim 'slt/dudly'"),
    ] {
        let found = findings(damaged(file, from, to).path());
        assert!(found.iter().any(|finding| finding.contains(says)), "{file}, '{to}': {found:?}");
    }
    // A row may say that its claim is still to come.
    let folder = damaged("map.toml", "claim = \"slt/dudley\"", "claim = \"slt/to-come\"\nabsent = true");
    assert_eq!(findings(folder.path()), Vec::<String>::new());
    // The same words in comments and strings are no offence.
    let folder = damaged("TheoryCheck/Algebra.lean", "/-- Young", "-- sorry, /- axiom\n/- nested /- sorry -/ admit -/\n/-- Young");
    assert_eq!(findings(folder.path()), Vec::<String>::new());
}

#[test]
fn a_corrupted_map_or_golden_file_is_an_error_with_its_line() {
    for (from, to, says) in [
        ("kind = \"auxiliary\"", "kind = \"auxilliary\"", "map.toml, line 10: "),
        ("[[entry]]", "[[entry]", "map.toml, line 7: "),
        ("claim = \"moe/budget\"\n", "", "an auxiliary declaration has no claim, every other kind has one"),
        ("sha256 = \"", "sha256 = \"x", "64 lower-case hexadecimal digits"),
        ("file = ", "flie = ", "map.toml, line "),
    ] {
        let error = check(damaged("map.toml", from, to).path(), &claims(), None).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("map.toml, line"), "{to}: {error}");
    }
    let error = check(damaged("golden/golden.json", "18/7", "19/7").path(), &claims(), None).unwrap_err();
    assert!(matches!(error, FormalError::Golden { line: 2, .. }), "{error}");
    assert!(check(damaged("golden/golden.json", "]\n", "").path(), &claims(), None).is_err());
    let twice = "[[entry]]\ndeclaration = \"A\"\nfile = \"A.lean\"\nkind = \"auxiliary\"\nsha256 = \"";
    let hash = "0".repeat(64);
    let error = read_map("map.toml", &format!("{twice}{hash}\"\n{twice}{hash}\"\n")).unwrap_err();
    assert_eq!(error.to_string(), "map.toml, line 6: A is already mapped in line 1");
}

#[test]
fn golden_values() {
    // Independent values: 4 equal scores; (1)^2 / (1/4 + 1/9 + 1/36) = 36/14; 15^2/85; 81/64, 100/128, 256/512; 1/2 by symmetry;
    // (1/2)^6/720; ((5/3)^4 - 4 (2/3)^4)/24 = (625 - 64)/1944; 5/6 (1/6); (1/2)(2/9) + (1/4)(1/3).
    let values = ["4/1", "18/7", "45/17", "81/64", "25/32", "1/2", "1/2", "1/46080", "187/648", "5/36", "7/36"];
    let text = golden_json();
    for (line, value) in text.lines().zip(values) {
        assert!(line.contains(&format!("\"value\":\"{value}\"")), "{line}: {value}");
    }
    assert_eq!(text.lines().count(), values.len());
}

#[test]
fn certificates_are_cleared_verified_and_reproducible() {
    let candidate = |instance: &str, lhs: &str, rhs: &str| Candidate {
        claim: "slt/small-ball".into(),
        what: "mutant: base 2".into(),
        instance: instance.into(),
        lhs: lhs.parse().unwrap(),
        rhs: rhs.parse().unwrap(),
    };
    let candidates = [
        candidate("a", "1/46656", "1/46080"),
        candidate("b", "3/2", "1"),
        candidate("c", "-3/2", "-1/7"),
        candidate("d", "-1/2", "0"),
        candidate("e -/ sorry", "2/4", "1/2"),
    ];
    let written = export(&candidates, &["TheoryCheck.markov"]).unwrap();
    assert_eq!(written, export(&candidates, &["TheoryCheck.markov"]).unwrap());
    let file = &written.files["Certificates/Slt.lean"];
    for statement in
        ["(1 : Nat) * 46080 < 1 * 46656", "(1 : Nat) * 2 < 3 * 1", "(1 : Nat) * 2 < 3 * 7", "(0 : Nat) < 1 * 1 + 0 * 2", "(1 : Nat) * 2 = 1 * 2"]
    {
        assert!(file.contains(&format!(" : {statement} := by first | decide | decide +kernel")), "{statement}:\n{file}");
    }
    assert!(strip(file, false).is_ok_and(|code| !code.contains("sorry")));
    assert!(written.files["Audit.lean"].contains("#print axioms TheoryCheck.markov\n"));
    assert_eq!(written.files["Certificates.lean"], "import Certificates.Slt\n");
    // A side without a value makes no certificate.
    let undefined = Candidate { lhs: Rational::UNDEFINED, ..candidates[0].clone() };
    assert_eq!(export(&[undefined], &[]).unwrap().theorems, 0);
}

#[test]
fn a_false_certificate_is_found() {
    let certificates = std::fs::read_dir(lean().join("Certificates")).unwrap();
    let path = certificates.map(|entry| entry.unwrap().path()).min().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let line = text.lines().find(|line| line.starts_with("theorem") && line.contains(" < ")).unwrap();
    let file = format!("Certificates/{}", path.file_name().unwrap().to_str().unwrap());
    let error = check(damaged(&file, line, &line.replace(" < ", " = ")).path(), &claims(), None).unwrap_err();
    assert!(matches!(error, FormalError::Certificate(_)), "{error}");
}
