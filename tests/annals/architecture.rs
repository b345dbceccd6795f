//! The map in ARCHITECTURE.md holds: no crate knows one that stands above it, the pure crates touch nothing
//! outside, and there is one Arrow and one DataFusion.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::documents::files;

/// Which of our crates each may depend on, outside of tests.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("annals-events", &[]),
    ("annals-rules", &["annals-events"]),
    ("annals-engine", &["annals-events", "annals-rules", "annals-report"]),
    ("annals-tournaments", &["annals-events", "annals-rules"]),
    ("annals-store", &["annals-events"]),
    ("annals-report", &[]),
    (
        "annals-replay",
        &["annals-events", "annals-rules", "annals-tournaments", "annals-store", "annals-report"],
    ),
    ("annals-ingest", &["annals-events", "annals-rules", "annals-tournaments", "annals-report"]),
    (
        "annals-features",
        &["annals-events", "annals-rules", "annals-engine", "annals-report", "annals-ingest"],
    ),
    ("annals-ratings", &["annals-events", "annals-rules"]),
    ("annals-charts", &[]),
    (
        "annals-learning",
        &[
            "annals-events", "annals-rules", "annals-engine", "annals-report", "annals-features",
            "annals-ratings",
        ],
    ),
    (
        "annals-server",
        &[
            "annals-events", "annals-rules", "annals-engine", "annals-store", "annals-replay",
            "annals-report", "annals-ingest", "annals-charts", "annals-analytics",
        ],
    ),
    (
        "annals-analytics",
        &[
            "annals-events", "annals-rules", "annals-engine", "annals-tournaments", "annals-store",
            "annals-replay", "annals-report", "annals-ingest", "annals-ratings", "annals-charts",
        ],
    ),
    (
        "annals-demo",
        &[
            "annals-events", "annals-rules", "annals-engine", "annals-tournaments", "annals-store",
            "annals-replay", "annals-ingest",
        ],
    ),
    (
        "annals-experiments",
        &[
            "annals-events", "annals-rules", "annals-engine", "annals-report", "annals-ingest",
            "annals-features", "annals-charts", "annals-learning",
        ],
    ),
    (
        "annals",
        &[
            "annals-events", "annals-rules", "annals-engine", "annals-tournaments", "annals-store",
            "annals-replay", "annals-report", "annals-ingest", "annals-features", "annals-ratings",
            "annals-charts", "annals-learning", "annals-analytics", "annals-server", "annals-demo",
            "annals-experiments",
        ],
    ),
];

/// What the pure crates may use from outside: no I/O, threads, clocks or random numbers among it.
const PURE: &[(&str, &[&str])] = &[
    ("annals-events", &["hex", "serde", "serde_json", "thiserror"]),
    ("annals-rules", &["thiserror"]),
    ("annals-tournaments", &["hex", "serde", "sha2", "thiserror"]),
];

/// What cargo prints.
fn cargo(words: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO")).args(words).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What `cargo metadata` prints of the workspace.
fn metadata() -> Value {
    serde_json::from_str(&cargo(&["metadata", "--format-version=1", "--no-deps", "--offline"])).unwrap()
}

/// The platform that the tests are compiled for, of which alone every dependency is sure to be downloaded.
fn platform() -> String {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// Our crates, and what each depends on outside of tests.
fn direct_dependencies(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let members = list(metadata, "workspace_members");
    list(metadata, "packages")
        .iter()
        .filter(|package| members.contains(&package["id"]))
        .map(|package| {
            let names = list(package, "dependencies")
                .iter()
                .filter(|dependency| dependency["kind"].is_null())
                .filter_map(|dependency| dependency["name"].as_str())
                .map(str::to_owned)
                .collect();
            (package["name"].as_str().unwrap_or_default().to_owned(), names)
        })
        .collect()
}

#[test]
fn every_crate_knows_only_those_below_it() {
    let actual = direct_dependencies(&metadata());
    let stated: BTreeSet<&str> = MAY_KNOW.iter().map(|(name, _)| *name).collect();
    let members: BTreeSet<&str> = actual.keys().map(String::as_str).collect();
    assert_eq!(members, stated, "a crate is missing from the table, or the table names one that is gone");
    for (name, allowed) in MAY_KNOW {
        let ours: Vec<&String> = actual[*name].iter().filter(|d| d.starts_with("annals")).collect();
        for dependency in ours {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not know {dependency}");
        }
    }
}

#[test]
fn the_pure_crates_reach_for_nothing_outside() {
    let actual = direct_dependencies(&metadata());
    for (name, allowed) in PURE {
        for dependency in actual[*name].iter().filter(|d| !d.starts_with("annals")) {
            assert!(allowed.contains(&dependency.as_str()), "{name} is pure and must not use {dependency}");
        }
    }
}

#[test]
fn only_analytics_knows_datafusion() {
    for (name, dependencies) in direct_dependencies(&metadata()) {
        assert_eq!(dependencies.contains("datafusion"), name == "annals-analytics", "{name}");
    }
}

#[test]
fn only_the_store_reaches_for_sqlite() {
    for (name, dependencies) in direct_dependencies(&metadata()) {
        assert_eq!(dependencies.contains("rusqlite"), name == "annals-store", "{name}");
    }
}

#[test]
fn there_is_one_arrow_one_parquet_and_one_datafusion() {
    let lock = include_str!("../../Cargo.lock");
    for wanted in ["arrow", "parquet", "datafusion", "object_store"] {
        let name = format!("name = \"{wanted}\"");
        let versions = lock.lines().filter(|line| *line == name).count();
        assert_eq!(versions, 1, "{wanted} stands {versions} times in Cargo.lock");
    }
}

#[test]
fn the_fuzz_targets_use_the_versions_of_the_program_and_have_seeds() {
    let packages = |lock: &'static str| -> BTreeSet<(&str, &str)> {
        let field = |package: &'static str, name: &str| {
            package.lines().find_map(|line| line.strip_prefix(name)?.strip_suffix('"')).unwrap_or_default()
        };
        let packages = lock.split("[[package]]\n").skip(1);
        packages.map(|package| (field(package, "name = \""), field(package, "version = \""))).collect()
    };
    let (program, fuzz) =
        (packages(include_str!("../../Cargo.lock")), packages(include_str!("../../fuzz/Cargo.lock")));
    let others: Vec<&str> = fuzz.difference(&program).map(|(name, _)| *name).collect();
    assert_eq!(others, ["annals-fuzz", "arbitrary", "libfuzzer-sys"], "fuzz/Cargo.lock has other versions");
    let (crate_file, seeds) =
        (include_str!("../../fuzz/Cargo.toml"), include_str!("../../fuzz/src/seeds.rs"));
    for target in files("fuzz/targets", "rs") {
        let name = target.file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(crate_file.contains(&format!("name = \"{name}\"\n")), "fuzz/Cargo.toml has no `{name}`");
        assert!(seeds.contains(&format!("\"{name}\" => ")), "`{name}` has no seeds");
    }
}

#[test]
fn the_stated_rust_version_is_the_largest_that_a_dependency_declares() {
    let platform = platform();
    let words = ["metadata", "--format-version=1", "--offline", "--filter-platform", &platform];
    let metadata: Value = serde_json::from_str(&cargo(&words)).unwrap();
    let version = |package: &Value| {
        let text = package["rust_version"].as_str()?;
        let mut numbers = text.split('.').map(|number| number.parse::<u32>().unwrap());
        Some((numbers.next().unwrap(), numbers.next().unwrap_or(0)))
    };
    let is_annals = |package: &Value| package["name"].as_str().is_some_and(|name| name.starts_with("annals"));
    let (annals, others): (Vec<&Value>, Vec<&Value>) =
        list(&metadata, "packages").iter().partition(|package| is_annals(package));
    let largest = others.into_iter().filter_map(version).max().unwrap();
    for package in annals {
        assert_eq!(version(package), Some(largest), "{}: `rust-version` is not true", package["name"]);
    }
    let stated = format!("Rust {}.{} or newer", largest.0, largest.1);
    assert!(include_str!("../../README.md").contains(&stated), "README.md does not state `{stated}`");
}

#[test]
fn the_small_program_needs_neither_arrow_nor_parquet_nor_datafusion() {
    let platform = platform();
    let tree = |more: &[&str]| {
        let words =
            ["tree", "--offline", "--edges", "normal,build", "--prefix", "none", "--target", &platform];
        cargo(&[&words, more].concat())
    };
    let large = |tree: &str| {
        let begins =
            |line: &str| ["arrow", "parquet", "datafusion"].iter().any(|name| line.starts_with(name));
        tree.lines().any(begins)
    };
    assert!(large(&tree(&[])), "the whole program has them, so this test can find them");
    assert!(!large(&tree(&["--no-default-features"])));
}

#[test]
fn one_result_goes_from_the_command_line_to_the_standings_in_at_most_ten_hops() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let map = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let (_, walk) = map.split_once("#### One result, from the command line to the standings").unwrap();
    let hops: Vec<&str> = walk
        .lines()
        .skip_while(|line| line.is_empty() || line.starts_with('#'))
        .take_while(|line| line.starts_with(|sign: char| sign.is_ascii_digit()))
        .collect();
    assert!((3..=10).contains(&hops.len()), "{hops:#?}");
    for (number, hop) in (1..).zip(&hops) {
        assert!(hop.starts_with(&format!("{number}. ")), "{hop}");
        // `file`: `function` does something.
        let [_, file, _, function, ..] = hop.split('`').collect::<Vec<_>>()[..] else { panic!("{hop}") };
        let text = std::fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let named = text.contains(&format!("fn {function}(")) || text.contains(&format!("{function}("));
        assert!(named, "{file} has no `{function}`");
    }
}
