//! The help of every command: its form, and the reference page that shows it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use regex::Regex;

use crate::documents::listed;
use crate::program::Place;

/// A command or a group of commands.
pub struct Help {
    /// The words after `annals`; empty for the program.
    pub words: Vec<String>,
    /// What `-h` prints at 80 columns.
    pub short: String,
    /// What `--help` prints at 80 columns.
    pub long: String,
}

impl Help {
    fn name(&self) -> String {
        ["annals"].into_iter().chain(self.words.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
    }
}

/// The help of the program, and of every group and command below it, in the order of the lists.
pub fn all_help() -> Vec<Help> {
    fn add(found: &mut Vec<Help>, place: &Place, words: &[String]) {
        let print = |option| {
            let words: Vec<&str> = words.iter().map(String::as_str).chain([option]).collect();
            let output =
                place.command(&words).env("COLUMNS", "80").env_remove("ANNALS_HOME").output().unwrap();
            assert!(output.status.success(), "annals {words:?}");
            String::from_utf8(output.stdout).unwrap()
        };
        let help = Help { words: words.to_vec(), short: print("-h"), long: print("--help") };
        let mut below = listed(&help.short);
        // The list of the program leaves them out, so that it fits on a screen.
        below.extend(
            words.is_empty().then(|| ["completions".to_owned(), "man".to_owned()]).into_iter().flatten(),
        );
        found.push(help);
        for name in below {
            add(found, place, &[words, &[name]].concat());
        }
    }
    let mut found = Vec::new();
    add(&mut found, &Place::new(), &[]);
    found
}

/// The lines of a screen.
const SCREEN: usize = 40;

#[test]
fn help_begins_with_a_short_line_and_fits_the_screen() {
    let mut wrong = Vec::new();
    for help in all_help() {
        let name = help.name();
        let first = help.long.lines().next().unwrap_or_default();
        if first.chars().count() > 60 || first.ends_with('.') || !first.starts_with(char::is_uppercase) {
            wrong.push(format!("{name}: the first line is `{first}`"));
        }
        if help.short.lines().next() != Some(first) {
            wrong.push(format!("{name}: -h and --help begin with different lines"));
        }
        if help.short.lines().count() > SCREEN {
            wrong.push(format!("{name}: -h has {} lines", help.short.lines().count()));
        }
        if help.words.is_empty() && help.long.lines().count() > SCREEN {
            wrong.push(format!("{name}: --help has {} lines", help.long.lines().count()));
        }
        for line in help.long.lines().filter(|line| line.chars().count() > 80) {
            wrong.push(format!("{name}: more than 80 columns: {line}"));
        }
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_example_is_broken_where_a_shell_would_read_another_command() {
    let mut wrong = Vec::new();
    let mut examples = 0;
    for help in all_help() {
        let lines = help.long.lines().skip_while(|line| !["Example:", "Examples:"].contains(line)).skip(1);
        let mut continues = false;
        for line in lines.take_while(|line| !line.is_empty()) {
            let begins = ["  annals ", "  python3 ", "  #"].iter().any(|begin| line.starts_with(begin));
            examples += u32::from(begins);
            if !begins && !continues {
                wrong.push(format!("{}: {line}", help.name()));
            }
            continues = line.ends_with(['\\', '|']);
        }
    }
    assert!(wrong.is_empty() && examples > 200, "{examples}\n{}", wrong.join("\n"));
}

#[test]
fn the_dates_of_a_tournament_are_named_where_they_are_given() {
    let place = Place::new();
    for words in [&["tournament", "announce", "--help"][..], &["tournament", "schedule", "dates", "--help"]] {
        let help = place.ask(words).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains("Milestones: registration_opens, "), "{help}");
        assert!(help.contains("challenge_ends"), "{help}");
    }
}

#[test]
fn values_are_named_by_their_type() {
    let value = Regex::new(r"(?m)^\s+(?:-\w, )?--[a-z-]+[ =]([<\[].*?[>\]])(?:\.\.\.)?(?:\s|$)").unwrap();
    let retired = Regex::new(r"\b(?:WORD|WORDS|HOW|WHAT|WHO|FOLDER|THING|OF|WHERE|SO)\b").unwrap();
    let all = all_help();
    let mut values = 0;
    for help in &all {
        let usage = help.long.lines().find(|line| line.starts_with("Usage:")).unwrap_or_default();
        let names = value.captures_iter(&help.long).map(|found| found[1].to_owned());
        for name in names.chain([usage.to_owned()]) {
            values += 1;
            assert!(!retired.is_match(&name), "{}: {name}", help.name());
        }
    }
    assert!(values > 500, "only {values} values were found");
}

/// The page that shows the help of every command.
fn reference() -> String {
    let mut page =
        "# Commands\n\nThe help of every command, as `--help` prints it at 80 columns.\n".to_owned();
    for help in all_help() {
        let level = "#".repeat(help.words.len().min(2) + 2);
        let text: Vec<&str> = help.long.lines().map(str::trim_end).collect();
        write!(page, "\n{level} {}\n\n```text\n{}\n```\n", help.name(), text.join("\n")).unwrap();
    }
    page
}

#[test]
fn the_reference_shows_the_help_of_every_command() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/commands.md");
    let printed = reference();
    if std::env::var_os("ANNALS_UPDATE_DOCS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, printed).unwrap();
        return;
    }
    let shown = fs::read_to_string(&path).unwrap();
    let differs = shown.lines().zip(printed.lines()).find(|(shown, printed)| shown != printed);
    assert!(
        shown == printed,
        "docs/reference/commands.md is not current: {differs:?}; ANNALS_UPDATE_DOCS=1 renews it"
    );
}
