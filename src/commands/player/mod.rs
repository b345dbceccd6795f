//! `annals player`: one player in the dataset, in rating systems and in tournaments.

#[cfg(feature = "sql")]
mod rating;
mod rename;
#[cfg(feature = "sql")]
mod show;

use std::process::ExitCode;

use annals_replay::queries::record;

use super::tournament::query::LogQuery;
use crate::errors::CliError;
use crate::home::Home;

/// Show a player's career, ratings and record, or rename them
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[cfg(feature = "sql")]
    Show(show::Args),
    #[cfg(feature = "sql")]
    Rating(rating::Args),
    Rename(rename::Args),
    /// Show a player's record over all tournaments
    #[command(
        after_long_help = "Examples:\n  annals player record sharp\n  annals player record sharp --format csv"
    )]
    Record {
        #[command(flatten)]
        query: LogQuery,

        /// Player: an identity, or a name in any case
        player: String,
    },
}

/// Runs the command.
pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        #[cfg(feature = "sql")]
        Command::Show(args) => show::run(args, home),
        #[cfg(feature = "sql")]
        Command::Rating(args) => rating::run(args, home),
        Command::Rename(args) => rename::run(args, home),
        Command::Record { query, player } => {
            query.answer(home, |log, cut| Ok(record::ask(log, &player, cut)?))
        }
    }
}
