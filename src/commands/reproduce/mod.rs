//! `annals reproduce`: what others have published, again, from games to figures. One folder per publication.

mod paper;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// Make what others have published again, from games to figures.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Paper(paper::Args),
}

/// Runs the command.
pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Paper(args) => paper::run(&args, home),
    }
}
