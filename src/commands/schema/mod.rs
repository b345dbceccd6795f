//! `annals schema`: the tables of the dataset, and the types of events.

mod events;
#[cfg(feature = "sql")]
mod tables;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// Describe tables, SQL functions and event types
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[cfg(feature = "sql")]
    Tables(tables::Args),
    Events(events::Args),
}

/// Runs the command.
pub fn run(command: Command, _home: &Home) -> Result<ExitCode, CliError> {
    match command {
        #[cfg(feature = "sql")]
        Command::Tables(args) => tables::run(&args),
        Command::Events(args) => events::run(&args),
    }
}
