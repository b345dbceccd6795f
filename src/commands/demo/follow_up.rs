//! The commands that examine an event when it is over: each is shown as a user would type it, and run.

use std::process::ExitCode;

use annals_demo::{FollowUp, Question};
use clap::{CommandFactory as _, Parser as _};

use super::progress::say;
use crate::cli::Cli;
use crate::commands;
use crate::errors::CliError;

/// Runs every command that this build has; the first one that finds something wrong ends it with its status.
pub fn ask(questions: &[Question], home: &str) -> Result<ExitCode, CliError> {
    for Question { about, words } in questions.iter().filter(|question| is_there(question.words.first())) {
        let shown: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        say(&format!("\n# {about}\n$ annals --home {} {}", quoted(home), shown.join(" ")))?;
        let line = ["annals", "--home", home].into_iter().chain(words.iter().map(String::as_str));
        let cli = Cli::try_parse_from(line).map_err(CliError::new)?;
        let status = commands::run(cli)?;
        if status != ExitCode::SUCCESS {
            return Ok(status);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints what to try next.
pub fn suggest(follow_up: &FollowUp, home: &str) -> Result<(), CliError> {
    let home = quoted(home);
    say("\nGo on with:")?;
    let mut lines = follow_up.suggestions.iter().filter(|(line, _)| is_there(line.split(' ').next()));
    lines.try_for_each(|(line, about)| say(&format!("  annals --home {home} {line:<38}  # {about}")))
}

/// Whether this build has a command: without charts there are fewer.
fn is_there(name: Option<impl AsRef<str>>) -> bool {
    name.is_some_and(|name| Cli::command().find_subcommand(name.as_ref()).is_some())
}

/// A word as it is typed: in quotes if it must be.
fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./:".contains(&b));
    if plain { word.to_owned() } else { format!("\"{word}\"") }
}
