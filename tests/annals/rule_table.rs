//! The table of `docs/reference/rules.md`: each row names tests that are there, and each rule of a rulebook has a row.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use annals_tournaments::rulebook::Rulebook;

/// A row of the table.
struct Row {
    /// The rulebook whose section it is in; none for the paper.
    rulebook: Option<String>,
    /// What the rule says.
    says: String,
    /// The name that the audit prints.
    rule: Option<String>,
    /// Tests as `crate: path::name`.
    tests: Vec<String>,
    line: String,
}

/// The texts between backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(root().join("docs/reference/rules.md")).unwrap();
    let (mut rulebook, mut rows) = (None, Vec::new());
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            rulebook = quoted(heading).pop();
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", paragraph, says, rule, tests, ""] = cells[..] else { continue };
        if paragraph == "paragraph" || paragraph.starts_with("---") {
            continue;
        }
        rows.push(Row {
            rulebook: rulebook.clone(),
            says: says.to_owned(),
            rule: quoted(rule).pop(),
            tests: quoted(tests),
            line: line.to_owned(),
        });
    }
    assert!(rows.len() > 200, "only {} rows were found", rows.len());
    rows
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files in which the test at a path can be: modules of the crate's tests, or of the crate itself.
fn files_of(of: &str, modules: &[&str]) -> Vec<PathBuf> {
    let folder = if of == "annals" { root().to_owned() } else { root().join(of) };
    let unit = modules.strip_suffix(&["tests"]).unwrap_or(modules).join("/");
    let modules = modules.join("/");
    vec![
        folder.join(format!("tests/{of}/{modules}.rs")),
        folder.join(format!("tests/{of}/{modules}/mod.rs")),
        folder.join(format!("src/{unit}.rs")),
        folder.join(format!("src/{unit}/mod.rs")),
        folder.join(format!("src/{modules}.rs")),
    ]
}

/// Whether a file has a test of this name.
fn has_test(file: &Path, name: &str) -> bool {
    let Ok(text) = fs::read_to_string(file) else { return false };
    let function = format!("fn {name}(");
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let at = lines.iter().position(|line| line.starts_with(&function));
    at.is_some_and(|at| {
        lines[..at].iter().rev().take_while(|line| line.starts_with('#')).any(|line| *line == "#[test]")
    })
}

#[test]
fn every_row_names_a_test_that_is_there() {
    for row in rows() {
        assert!(!row.tests.is_empty(), "no test is named: {}", row.line);
        for test in &row.tests {
            let (of, path) = test.split_once(": ").unwrap_or_else(|| panic!("`{test}` names no crate"));
            let mut modules: Vec<&str> = path.split("::").collect();
            let name = modules.pop().unwrap();
            let files = files_of(of, &modules);
            assert!(files.iter().any(|file| has_test(file, name)), "there is no test `{test}`: {}", row.line);
        }
    }
}

#[test]
fn every_rule_of_a_rulebook_has_a_row_and_every_named_rule_is_one() {
    let rows = rows();
    for rulebook in Rulebook::all() {
        let of = rows.iter().filter(|row| row.rulebook.as_deref() == Some(rulebook.name));
        let named: BTreeSet<&str> = of.filter_map(|row| row.rule.as_deref()).collect();
        let rules: BTreeSet<&str> = rulebook.rules.iter().map(|rule| rule.id.name()).collect();
        let missing: Vec<_> = rules.difference(&named).collect();
        assert!(missing.is_empty(), "docs/reference/rules.md has no row of {} on {missing:?}", rulebook.name);
        let foreign: Vec<_> = named.difference(&rules).collect();
        assert!(foreign.is_empty(), "{foreign:?} are no rules of {}", rulebook.name);
    }
    let paper = rows.iter().filter(|row| row.rulebook.is_none());
    assert!(paper.filter(|row| row.rule.is_none()).count() > 20, "the paper has a section");
}

#[test]
fn every_rule_is_one_short_sentence() {
    for row in rows() {
        let words = row.says.split_whitespace().count();
        assert!(row.says.ends_with('.') && words <= 20, "{words} words: {}", row.line);
    }
}
