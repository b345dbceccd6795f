//! A rule that no rulebook lists is never asked, so a misspelt name would silence a judgement. Every name that the
//! sources judge by is one of some rulebook.

use std::path::{Path, PathBuf};

use annals_tournaments::rulebook::Rulebook;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The literals that stand directly behind a call.
fn literals<'a>(text: &'a str, call: &str) -> Vec<&'a str> {
    text.match_indices(call)
        .filter_map(|(at, _)| text[at + call.len()..].trim_start().strip_prefix('"'))
        .filter_map(|rest| rest.split('"').next())
        .collect()
}

#[test]
fn every_rule_that_is_judged_by_stands_in_a_rulebook() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for folder in ["judge", "decide", "stage"] {
        sources(&root.join(folder), &mut files);
    }
    let rulebooks = Rulebook::all();
    let known = |name: &str| rulebooks.iter().any(|rulebook| rulebook.rule(name).is_some());
    let mut names = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for call in [".hold(", ".open(", ".one_of(", ".rule(", "ground(case.rulebook,", "ground(rulebook,"] {
            for name in literals(&text, call) {
                assert!(known(name), "{}: no rulebook has `{name}`", file.display());
                names += 1;
            }
        }
    }
    assert!(names > 60, "only {names} names were found");
}
