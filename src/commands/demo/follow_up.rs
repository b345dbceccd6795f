//! The commands that examine an event when it is over: each is printed as a command line, and run.

use std::process::ExitCode;

use annals_demo::{FollowUp, Question};
use annals_report::shell_word;

use super::progress::say;
use crate::errors::CliError;
use crate::program::Program;

/// Runs every command that this build has. The first one without success ends the run with its exit status.
pub fn ask(questions: &[Question], home: &str, program: &Program) -> Result<ExitCode, CliError> {
    for Question { about, words } in questions.iter().filter(|question| has(program, question.words.first()))
    {
        let shown: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
        say(&format!("\n# {about}\n$ annals --home {} {}", shell_word(home), shown.join(" ")))?;
        let line = ["annals", "--home", home].into_iter().chain(words.iter().map(String::as_str));
        let status = (program.run)(&line.collect::<Vec<_>>())?;
        if status != ExitCode::SUCCESS {
            return Ok(status);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints what to try next.
pub fn suggest(follow_up: &FollowUp, home: &str, program: &Program) -> Result<(), CliError> {
    let home = shell_word(home);
    say("\nGo on with:")?;
    let mut lines = follow_up.suggestions.iter().filter(|(line, _)| has(program, line.split(' ').next()));
    lines.try_for_each(|(line, about)| say(&format!("  annals --home {home} {line:<38}  # {about}")))
}

/// Whether this build has a command: without charts there are fewer.
fn has(program: &Program, name: Option<impl AsRef<str>>) -> bool {
    name.is_some_and(|name| (program.definition)().find_subcommand(name.as_ref()).is_some())
}
