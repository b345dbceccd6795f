//! `annals player`: one player in the dataset, in rating systems and in tournaments.

#[cfg(feature = "sql")]
mod rating;
#[cfg(feature = "sql")]
mod show;

use std::process::ExitCode;

use super::tournament::ask::{AboutAll, questions};
use crate::errors::CliError;
use crate::home::Home;

/// Show a player's career, ratings and tournament record
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[cfg(feature = "sql")]
    Show(show::Args),
    #[cfg(feature = "sql")]
    Rating(rating::Args),
    Record(AboutAll<questions::PlayerRecord>),
}

/// Runs the command.
pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        #[cfg(feature = "sql")]
        Command::Show(args) => show::run(args, home),
        #[cfg(feature = "sql")]
        Command::Rating(args) => rating::run(args, home),
        Command::Record(args) => args.run(home),
    }
}
