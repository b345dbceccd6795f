//! What the documents and the help texts name must be there.

use std::fs;
use std::path::{Path, PathBuf};

use annals_tournaments::rulebook::{Readings, Rulebook};

use crate::program::Place;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files with an ending below a folder of the repository.
pub fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// README, ARCHITECTURE and the pages of `docs`.
pub fn documents() -> Vec<PathBuf> {
    let mut documents = files("docs", "md");
    documents.extend(["README.md", "ARCHITECTURE.md"].map(|name| root().join(name)));
    documents
}

/// The names by which links find the headings of a page.
fn anchors(page: &str) -> impl Iterator<Item = String> {
    page.lines().filter(|line| line.starts_with('#')).map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        title.replace(' ', "-").chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
    })
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let mut links = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            links += 1;
            let (path, heading) = link.split_once('#').map_or((link, None), |(path, at)| (path, Some(at)));
            let target = match path {
                "" => document.clone(),
                path => document.parent().unwrap().join(path),
            };
            assert!(target.exists(), "{} links to {link}", document.display());
            if let Some(heading) = heading {
                let is_there = anchors(&fs::read_to_string(target).unwrap()).any(|anchor| anchor == heading);
                assert!(is_there, "{} links to {link}, which has no such heading", document.display());
            }
        }
    }
    assert!(links > 5, "only {links} links were found");
}

#[test]
fn every_page_has_one_line_in_the_contents_of_the_book() {
    let contents = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    for page in files("docs", "md").iter().filter(|page| !page.ends_with("SUMMARY.md")) {
        let name = page.strip_prefix(root().join("docs")).unwrap().to_str().unwrap();
        assert_eq!(contents.matches(&format!("]({name})")).count(), 1, "{name}");
    }
}

#[test]
fn every_study_that_is_named_is_there() {
    let mut named = 0;
    let there = |name: &str| root().join("studies").join(format!("{name}.sql")).exists();
    let word = |rest: &str| -> String {
        rest.chars().take_while(|c| c.is_alphanumeric() || "_.".contains(*c)).collect()
    };
    for document in documents().into_iter().chain(files("src", "rs")) {
        let text = fs::read_to_string(&document).unwrap();
        for name in text.split("studies/").skip(1).map(word) {
            if let Some(name) = name.strip_suffix(".sql") {
                named += 1;
                assert!(there(name), "{} names studies/{name}.sql, which is not there", document.display());
            }
        }
        for name in text.split("annals study run ").skip(1).map(word) {
            // A file of the reader's own, an option, or a word in capitals for any name.
            if name.is_empty() || name.ends_with(".sql") || name.contains(char::is_uppercase) {
                continue;
            }
            named += 1;
            assert!(there(&name), "{} names `annals study {name}`", document.display());
        }
    }
    assert!(named >= 5, "only {named} were found");
}

/// Whether a file has a test whose name begins so; the modules before it are the folders and the file.
fn has_test(file: &Path, words: &[&str]) -> bool {
    let Some((name, modules)) = words.split_last() else { return false };
    let file_name = file.with_extension("");
    let parts: Vec<&str> = file_name.iter().filter_map(|part| part.to_str()).collect();
    // A module within a file is in its text.
    let text = fs::read_to_string(file).unwrap();
    let is_within = |module: &str| text.contains(&format!("mod {module} {{"));
    let is_in = |module: &&str| parts.contains(module) || is_within(module);
    let mut tests = text.split("#[test]").skip(1).filter_map(|test| test.split_once("fn "));
    modules.iter().all(is_in) && (is_within(name) || tests.any(|(_, rest)| rest.starts_with(name)))
}

#[test]
fn every_test_that_the_page_of_promises_names_is_there() {
    let page = fs::read_to_string(root().join("docs/explanation/safety.md")).unwrap();
    let crates = ["tests", "events", "store", "ingest", "replay", "rules", "engine"];
    let files: Vec<PathBuf> = crates.iter().flat_map(|folder| files(folder, "rs")).collect();
    let spans = page.split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
    let is_name = |word: &&str| {
        word.contains("::")
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_:".contains(c))
    };
    let names: Vec<&str> = spans.filter(is_name).collect();
    assert!(names.len() > 80, "{names:?}");
    for name in names {
        let words: Vec<&str> = name.split("::").collect();
        assert!(files.iter().any(|file| has_test(file, &words)), "no test begins with `{name}`");
    }
}

#[test]
fn the_register_of_readings_is_documented_word_for_word() {
    let text = fs::read_to_string(root().join("docs/reference/tournaments.md")).unwrap();
    let register = Readings::register();
    let rows = || text.lines().filter(|line| line.contains("**A** `"));
    assert_eq!(rows().count(), register.len(), "one row for each number");
    for entry in register {
        let begins = format!("| {} | {} |", entry.number, entry.question);
        let row = rows().find(|line| line.starts_with(&begins));
        let row = row.unwrap_or_else(|| panic!("no row begins with {begins}"));
        for (letter, name) in &entry.readings {
            assert!(row.contains(&format!("**{letter}** `{name}`")), "{letter} {name} is not in {row}");
        }
        assert_eq!(row.matches("**").count(), 2 * entry.readings.len(), "{row}");
    }
}

/// The commands that a help text lists.
pub fn listed(help: &str) -> Vec<String> {
    let list =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let name = |line: &str| line.strip_prefix("  ")?.split(' ').next().map(str::to_owned);
    list.filter_map(name).filter(|name| !name.is_empty() && name != "help").collect()
}

/// All commands that do something, by their words, with their help.
pub fn commands(place: &Place, group: &[String]) -> Vec<(Vec<String>, String)> {
    let words: Vec<&str> = group.iter().map(String::as_str).chain(["--help"]).collect();
    let help = place.ask(&words);
    let below = listed(&help);
    if below.is_empty() {
        return vec![(group.to_vec(), help)];
    }
    below.into_iter().flat_map(|name| commands(place, &[group, &[name]].concat())).collect()
}

#[test]
fn every_command_that_a_document_names_is_there_and_every_command_has_an_example() {
    let all = commands(&Place::new(), &[]);
    assert!(all.len() > 90, "{}", all.len());
    let is_known = |named: &[&str]| {
        all.iter()
            .any(|(words, _)| words.starts_with(&named.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>()))
    };
    let mut named = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for rest in text.split("annals tournament ").skip(1) {
            let is_word =
                |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            let ended = |c: char| c.is_whitespace() || c == '`' || c == '"';
            let words: Vec<&str> = rest.split(ended).take_while(is_word).collect();
            let Some(first) = words.first() else { continue };
            named += 1;
            assert!(
                is_known(&["tournament", first]),
                "{} names `annals tournament {first}`",
                document.display()
            );
            let is_group = all.iter().any(|(known, _)| known.len() == 3 && known[1] == *first);
            if let (true, Some(second)) = (is_group, words.get(1)) {
                let known = is_known(&["tournament", first, second]);
                assert!(known, "{} names `annals tournament {first} {second}`", document.display());
            }
        }
    }
    assert!(named > 10, "only {named} were found");
    let document = fs::read_to_string(root().join("docs/reference/tournaments.md")).unwrap();
    for (words, help) in &all {
        let command = words.join(" ");
        assert!(help.contains(&format!("  annals {command}")), "no example of {command}: {help}");
        let Some(command) = command.strip_prefix("tournament ") else { continue };
        assert!(
            document.contains(&format!("`{command}`")),
            "docs/reference/tournaments.md does not name {command}"
        );
    }
}

#[test]
fn every_option_that_a_document_names_is_there() {
    let helps: String = commands(&Place::new(), &[]).into_iter().map(|(_, help)| help).collect();
    let mut named = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        // Options of commands that only a program with other features has, and of cargo.
        let of_others = ["workers.md", "flight-sql.md", "ARCHITECTURE.md"];
        if of_others.iter().any(|name| document.ends_with(name)) {
            continue;
        }
        for rest in text.split("`--").skip(1) {
            let is_of_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            let name = &rest[..rest.find(|c| !is_of_name(c)).unwrap_or(rest.len())];
            named += usize::from(!name.is_empty());
            assert!(helps.contains(&format!("--{name}")), "{} names `--{name}`", document.display());
        }
    }
    assert!(named > 100, "only {named} were found");
}

/// The words of a command line, those in quotes as one; what stands behind a `#` is left out.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
            continue;
        }
        let (command, comment) = part.split_once('#').map_or((part, false), |(command, _)| (command, true));
        words.extend(command.split_whitespace().map(str::to_owned));
        if comment {
            break;
        }
    }
    words
}

#[test]
fn the_defaults_of_edition_1_are_documented() {
    let text = fs::read_to_string(root().join("docs/reference/tournaments.md")).unwrap();
    for latest in Rulebook::all() {
        let first = Rulebook::edition(latest.name, 1).unwrap();
        let register = Readings::register().into_iter();
        let other = register.filter(|entry| latest.ambiguous.contains(&entry.number)).filter_map(|entry| {
            let (was, is) = (first.readings.get(entry.number)?, latest.readings.get(entry.number)?);
            let letter = entry.readings.iter().find(|(_, name)| *name == was)?.0;
            (was != is).then(|| format!("{}={letter}", entry.number))
        });
        let row = format!("| `{}` | {} |", latest.name, other.collect::<Vec<_>>().join(", "));
        assert!(text.lines().any(|line| line == row), "{row}");
    }
}
