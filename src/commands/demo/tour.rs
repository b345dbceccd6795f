//! What is asked of the log when an event is over: each command as a user would type it, and what it says.

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use super::talk::say;
use crate::cli::Cli;
use crate::commands;
use crate::errors::CliError;

/// Everything that is asked, in order, and what there is to try next.
#[derive(Debug, Default)]
pub struct Tour {
    stops: Vec<Stop>,
    further: Vec<(String, &'static str)>,
}

/// One command of the tour: what it is for, and its words.
#[derive(Debug)]
struct Stop {
    about: &'static str,
    words: Vec<String>,
}

impl Tour {
    /// One more command.
    pub fn stop(&mut self, about: &'static str, words: &[&str]) {
        self.stops.push(Stop { about, words: words.iter().map(|word| (*word).to_owned()).collect() });
    }

    /// One more command to try afterwards.
    pub fn further(&mut self, line: impl Into<String>, about: &'static str) {
        self.further.push((line.into(), about));
    }

    /// Asks everything that this build has a command for; the first command that finds something wrong ends it with its
    /// status.
    pub fn ask(&self, home: &str) -> Result<ExitCode, CliError> {
        for Stop { about, words } in self.stops.iter().filter(|stop| is_there(&stop.words)) {
            let shown: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            say(format!("\n# {about}\n$ annals --home {} {}", quoted(home), shown.join(" ")))?;
            let line = ["annals", "--home", home].into_iter().chain(words.iter().map(String::as_str));
            let cli = Cli::try_parse_from(line).map_err(|e| CliError::new(e.to_string()))?;
            let status = commands::run(cli)?;
            if status != ExitCode::SUCCESS {
                return Ok(status);
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// What to try next.
    pub fn next(&self, home: &str) -> Result<(), CliError> {
        let home = quoted(home);
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        say("\nGo on with:")?;
        let mut lines = self.further.iter().filter(|(line, _)| is_there(&words(line)));
        lines.try_for_each(|(line, about)| say(format!("  annals --home {home} {line:<38}  # {about}")))
    }
}

/// Whether this build has a command: without SQL there are fewer.
fn is_there(words: &[String]) -> bool {
    words.first().is_some_and(|name| Cli::command().find_subcommand(name).is_some())
}

/// A word as it is typed: between quotes where it has to be.
fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./:".contains(&b));
    if plain { word.to_owned() } else { format!("\"{word}\"") }
}
