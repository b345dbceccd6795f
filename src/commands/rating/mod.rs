//! `annals rating`: ratings computed from the games of the dataset, systems compared, records verified.

pub mod compare;
mod list;
pub mod selection;
mod verify;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// Compute, compare and verify ratings
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    List(list::Args),
    Compare(compare::Args),
    Verify(verify::Args),
}

/// Runs the command.
pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::List(args) => list::run(args, home),
        Command::Compare(args) => compare::run(args, home),
        Command::Verify(args) => verify::run(args, home),
    }
}
