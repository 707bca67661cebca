//! Measures every figure of `benchmarks/figures.toml`, ours and the peer's in one run, prints the table and writes it to `BENCHMARKS.md`.
//!
//! usage: `cargo run --release -p theorycheck-benchmarks --example table [-- --no-peers]` from the repository. Peers run by the interpreter that `PYTHON` names (python3
//! without it); where that or its libraries are missing, their column says so.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Deserialize)]
struct Figures {
    figure: Vec<Figure>,
}

#[derive(Deserialize)]
struct Figure {
    name: String,
    package: String,
    bench: String,
    id: String,
    peer: String,
    script: Vec<String>,
    line: String,
    goal: f64,
}

#[derive(Deserialize)]
struct Measured {
    full_id: String,
    throughput: Option<BTreeMap<String, f64>>,
}

#[derive(Deserialize)]
struct Estimates {
    mean: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Runs a criterion bench, but only the groups that a figure names.
fn measure(package: &str, bench: &str, ids: &[&str]) -> Result<()> {
    let escaped: Vec<String> = ids.iter().map(|id| escape(id)).collect();
    let filter = format!("^({})$", escaped.join("|"));
    let status = Command::new("cargo")
        .args(["bench", "-p", package, "--bench", bench, "--", "--warm-up-time", "1", "--measurement-time", "3", &filter])
        .current_dir(root())
        .status()
        .context("cargo bench")?;
    if !status.success() {
        bail!("cargo bench -p {package} --bench {bench} failed");
    }
    Ok(())
}

/// The text as a regular expression that matches itself.
fn escape(text: &str) -> String {
    text.chars().flat_map(|c| if r"\.+*?()|[]{}^$".contains(c) { vec!['\\', c] } else { vec![c] }).collect()
}

/// Elements per second of every bench on record, by its full id.
fn recorded(folder: &Path, out: &mut BTreeMap<String, f64>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("{} (no bench has run)", folder.display()))? {
        let path = entry?.path();
        if !path.is_dir() {
            continue;
        }
        let (benchmark, estimates) = (path.join("benchmark.json"), path.join("estimates.json"));
        if path.file_name().is_some_and(|name| name == "new") && benchmark.exists() {
            let measured: Measured = serde_json::from_str(&std::fs::read_to_string(&benchmark)?)?;
            let found: Estimates = serde_json::from_str(&std::fs::read_to_string(&estimates)?)?;
            if let Some(elements) = measured.throughput.as_ref().and_then(|throughput| throughput.get("Elements")) {
                out.insert(measured.full_id, elements / found.mean.point_estimate * 1e9);
            }
        } else {
            recorded(&path, out)?;
        }
    }
    Ok(())
}

/// The figures that a peer's script prints: `NAME: FIGURE /s`, names as they end. Empty where it cannot run.
fn peers(script: &[String]) -> Vec<(String, f64)> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let Ok(output) = Command::new(&python).args(script).current_dir(root()).output() else { return Vec::new() };
    if !output.status.success() {
        eprintln!("{} did not run: {}", script.join(" "), String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or("no message"));
        return Vec::new();
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| {
            let (name, figure) = line.rsplit_once(": ")?;
            Some((name.to_owned(), figure.trim_end_matches("/s").trim().parse().ok()?))
        })
        .collect()
}

/// The processor's name, the number of processors, and the instruction sets that matter.
fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field =
        |name: &str| info.lines().find(|line| line.starts_with(name)).and_then(|line| line.split_once(": ")).map(|(_, value)| value.to_owned());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let flags = field("flags").unwrap_or_default();
    let sets: Vec<&str> = ["avx2", "fma", "avx512f"].into_iter().filter(|set| flags.split(' ').any(|flag| flag == *set)).collect();
    let (family, model) = (field("cpu family").unwrap_or_default(), field("model\t").unwrap_or_default());
    format!(
        "{} (family {family}, model {model}), {cores} cores, {}",
        field("model name").unwrap_or_else(|| "unknown processor".to_owned()),
        sets.join(" ")
    )
}

/// What the figures do not say by themselves.
const NOTES: &str = "A step of SGD is its draw and little more: compare the rows of the draws. In AdaGrad the signed Pareto draw is about three quarters of a step's work;
the rest (tanh, a square root, two quotients) is a chain of dependent operations, whose latency two groups of sixteen lanes hide. The generator (ChaCha with eight
rounds, a counter and a stream number a path) costs less than a nanosecond a word. The kernels share nothing, so two cores do twice the work: 1.9 times was
measured for AdaGrad. NumPy uses AVX-512 where the processor has it; so do the kernels, with AVX2 and plain twins that give the same bits.
";

fn rate(value: f64) -> String {
    format!("{value:.2e}")
}

fn main() -> Result<()> {
    let with_peers = !std::env::args().any(|argument| argument == "--no-peers");
    let figures: Figures = toml::from_str(&std::fs::read_to_string(root().join("benchmarks/figures.toml"))?)?;
    let mut benches: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for figure in &figures.figure {
        benches.entry((&figure.package, &figure.bench)).or_default().push(&figure.id);
    }
    for ((package, bench), ids) in &benches {
        measure(package, bench, ids)?;
    }
    let mut ours = BTreeMap::new();
    recorded(&root().join("target/criterion"), &mut ours)?;
    let mut theirs: BTreeMap<&[String], Vec<(String, f64)>> = BTreeMap::new();
    if with_peers {
        for figure in &figures.figure {
            theirs.entry(&figure.script).or_insert_with(|| peers(&figure.script));
        }
    }
    let mut table = String::from("| job | ours, /s | peer | peer, /s | ratio | goal |\n| --- | --- | --- | --- | --- | --- |\n");
    for figure in &figures.figure {
        let own = ours.get(&figure.id).copied().with_context(|| format!("no bench '{}' on record", figure.id))?;
        let lines = theirs.get(figure.script.as_slice()).map_or(&[][..], Vec::as_slice);
        let peer = lines.iter().find(|(name, _)| name.ends_with(&figure.line)).map(|(_, figure)| *figure);
        let (shown, ratio) = peer.map_or(("not run".to_owned(), "-".to_owned()), |peer| (rate(peer), format!("{:.1}", own / peer)));
        writeln!(table, "| {} | {} | {} | {shown} | {ratio} | {} |", figure.name, rate(own), figure.peer, figure.goal)?;
    }
    let text = format!(
        "# Benchmarks\n\nOne thread on either side, in one run: `PYTHON=PATH cargo run --release -p theorycheck-benchmarks --example table`. Ours are criterion's means,\nthe peers' their fastest of several repetitions. The jobs, the benches behind them and the peers' scripts stand in `benchmarks/figures.toml`.\n\nMachine: {}.\n\n{table}\n{NOTES}",
        machine()
    );
    std::fs::write(root().join("BENCHMARKS.md"), &text)?;
    print!("{table}");
    Ok(())
}
