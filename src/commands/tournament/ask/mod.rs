//! What everybody can ask: how it stood, and why.

mod list;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Question {
    List(list::Args),
}

/// Runs the command.
pub fn run(command: Question, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Question::List(args) => list::run(args, home),
    }
}
