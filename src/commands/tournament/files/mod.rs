//! Tournaments from files and into files.

mod read_state;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Transfer {
    ReadState(read_state::Args),
}

/// Runs the command.
pub fn run(command: Transfer, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Transfer::ReadState(args) => read_state::run(args, home),
    }
}
