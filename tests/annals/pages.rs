//! The pages of `docs/tutorial` and `docs/how-to`: their commands run in order, and print what the pages show.
//! `ANNALS_UPDATE_DOCS=1` writes the present output into them.
//!
//! A page states what its folder has: `<!-- start: demonstration -->` for the home `annals-demo`, `<!-- start: archive -->` for two files of
//! the gameroom. `<!-- file: NAME -->` in front of a block writes the block into that file.

use std::fs;

use regex::Regex;
use rusqlite::Connection;

use crate::demonstrating::DEMONSTRATION;
use crate::documents::{files, words};
use crate::program::{Place, real_archive};

/// A command of a page, such as `$ annals log show --limit 3 | head -5`, `$ annals log head > FILE` or `$ annals log verify # exit status 1`.
struct Shown {
    words: Vec<String>,
    /// The lines of output that the page shows: all, the first or the last.
    shown: Lines,
    /// Whether standard error is shown too.
    errors: bool,
    /// The file that gets the output.
    file: Option<String>,
    status: i32,
}

#[derive(Clone, Copy)]
enum Lines {
    All,
    First(usize),
    Last(usize),
}

impl Shown {
    fn read(line: &str) -> Option<Shown> {
        let line = line.strip_prefix("$ annals ")?;
        let status =
            line.split_once("# exit status ").map_or(0, |(_, status)| status.trim().parse().unwrap());
        let line = line.split(" # exit status").next().unwrap();
        let number = |rest: &str| rest.trim().parse().unwrap();
        let (command, shown) = match (line.split_once(" | head -"), line.split_once(" | tail -")) {
            (Some((command, rest)), _) => (command, Lines::First(number(rest))),
            (_, Some((command, rest))) => (command, Lines::Last(number(rest))),
            _ => (line, Lines::All),
        };
        let (command, errors) = match command.strip_suffix(" 2>&1") {
            Some(command) => (command, true),
            None => (command, false),
        };
        let (command, file) = match command.rsplit_once(" > ") {
            Some((command, file)) => (command, Some(file.trim().to_owned())),
            None => (command, None),
        };
        Some(Shown { words: words(command), shown, errors, file, status })
    }

    fn run(&self, place: &Place, home: &str) -> String {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let output =
            place.command(&words).env("ANNALS_HOME", home).env("ANNALS_ACTOR", "omar").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(self.status), "annals {words:?}\n{text}\n{errors}");
        if let Some(file) = &self.file {
            place.write(file, text);
            return String::new();
        }
        let text = if self.errors { format!("{text}{errors}") } else { text };
        let lines: Vec<&str> = text.lines().collect();
        let lines = match self.shown {
            Lines::All => &lines[..],
            Lines::First(most) => &lines[..most.min(lines.len())],
            Lines::Last(most) => &lines[lines.len().saturating_sub(most)..],
        };
        lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
    }
}

/// Runs `$ cp -r FROM TO` and `$ sqlite3 FILE "STATEMENTS"` without those programs.
fn run_other(place: &Place, line: &str) {
    if let Some(line) = line.strip_prefix("$ cp -r ") {
        let (from, to) = line.split_once(' ').unwrap();
        place.copy_tree(&place.path(from), to);
    } else if let Some(line) = line.strip_prefix("$ sqlite3 ") {
        let [file, statements] = &words(line)[..] else { panic!("{line}") };
        Connection::open(place.path(file)).unwrap().execute_batch(statements).unwrap();
    }
}

/// The page with the output of every `$ annals` line of its `console` blocks replaced by what it prints now.
pub fn with_output(place: &Place, home: &str, page: &str) -> String {
    let (mut found, mut in_console) = (String::new(), false);
    let (mut file, mut content): (Option<&str>, Option<String>) = (None, None);
    for line in page.lines() {
        match line {
            "```console" => in_console = true,
            "```" if content.is_some() => {
                place.write(file.take().unwrap(), content.take().unwrap());
            }
            "```" => in_console = false,
            _ if line.starts_with("```") && file.is_some() => content = Some(String::new()),
            _ if in_console && !line.starts_with("$ ") => continue,
            _ => {
                if let Some(content) = &mut content {
                    content.push_str(line);
                    content.push('\n');
                }
            }
        }
        if let Some(name) = line.strip_prefix("<!-- file: ") {
            file = name.strip_suffix(" -->");
        }
        found += line;
        found.push('\n');
        if !in_console {
            continue;
        }
        if let Some(shown) = Shown::read(line) {
            found += &shown.run(place, home);
        } else {
            run_other(place, line);
        }
    }
    found
}

/// A line without the time that a command took, as in `(0.13 s)` or `in 0.13 s` at its end.
pub fn without_time(line: &str) -> &str {
    let time = Regex::new(r" (?:\([0-9.]+ s\)|in [0-9.]+ s)$").unwrap();
    time.find(line).map_or(line, |found| &line[..found.start()])
}

/// A line without what differs from run to run: times, and the identity and hashes of a log that the page creates.
fn stable(line: &str, creates_log: bool) -> String {
    let line = without_time(line);
    match creates_log {
        true => Regex::new(r"\b(log|hash|root)=[0-9a-f]+").unwrap().replace_all(line, "$1=").into_owned(),
        false => line.to_owned(),
    }
}

#[test]
fn the_commands_of_tutorials_and_guides_print_what_the_pages_show() {
    let mut commands = 0;
    for path in files("docs/tutorial", "md").into_iter().chain(files("docs/how-to", "md")) {
        let page = fs::read_to_string(&path).unwrap();
        let place = Place::new();
        let mut home = "home";
        if page.contains("<!-- start: demonstration -->") {
            place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "annals-demo");
            home = "annals-demo";
        }
        if page.contains("<!-- start: archive -->") {
            let Some(archive) = real_archive() else { continue };
            for name in ["allgames2002.txt", "allgames202602.txt"] {
                fs::copy(archive.join(name), place.path(name)).unwrap();
            }
        }
        let found = with_output(&place, home, &page);
        commands += found.lines().filter(|line| line.starts_with("$ annals ")).count();
        if std::env::var_os("ANNALS_UPDATE_DOCS").is_some() {
            fs::write(&path, &found).unwrap();
            continue;
        }
        let is_same = |(shown, printed): &(&str, &str)| {
            stable(shown, home == "home") == stable(printed, home == "home")
        };
        if let Some((shown, printed)) = page.lines().zip(found.lines()).find(|pair| !is_same(pair)) {
            panic!(
                "{} shows\n{shown}\nbut the program prints\n{printed}\n(ANNALS_UPDATE_DOCS=1 rewrites it)",
                path.display()
            );
        }
        assert_eq!(
            page.lines().count(),
            found.lines().count(),
            "{}: other lines are printed",
            path.display()
        );
    }
    assert!(commands > 40, "only {commands} commands were found");
}
