//! What a director does: every command is decided by the rulebook and appended, or refused.

mod announce;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Action {
    Announce(announce::Args),
}

/// Runs the command.
pub fn run(command: Action, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Action::Announce(args) => announce::run(args, home),
    }
}
