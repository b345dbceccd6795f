//! `annals tournament list`.

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// Not yet.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: Args, _home: &Home) -> Result<ExitCode, CliError> {
    Err(CliError::new("not yet"))
}
