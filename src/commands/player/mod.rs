//! `annals player`: one player in the dataset, in rating systems and in tournaments.

#[cfg(feature = "sql")]
mod rating;
mod rename;
#[cfg(feature = "sql")]
mod show;

use std::process::ExitCode;

use annals_replay::queries::{QueryError, record};
use annals_report::shell_word;
use annals_store::Log;

use super::tournament::query::LogQuery;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;

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
            if log_file::is_absent(home) && home.has_own_dataset() {
                return Err(log_file::none_in(home)
                    .reason("a record is over the tournaments of a log; this home has a dataset")
                    .hint(games_of(&player)));
            }
            query.answer(home, |log, cut| {
                record::ask(log, &player, cut).map_err(|error| without_tournament(error, home, log, &player))
            })
        }
    }
}

/// The command that shows the games of a player without a tournament.
fn games_of(player: &str) -> String {
    format!("`annals player show {}` shows the games of the dataset", shell_word(player))
}

/// The error for a player whom no tournament of the log names, with where the games are.
fn without_tournament(error: QueryError, home: &Home, log: &Log, player: &str) -> CliError {
    let is_unknown = matches!(error, QueryError::NoSuchPlayer { .. });
    let error = CliError::from(error);
    let has_games = || log.streams(Some("game")).is_ok_and(|games| !games.is_empty());
    match is_unknown {
        true if home.has_own_dataset() => error.hint(games_of(player)),
        true if has_games() => error
            .reason("games of the log without a tournament are in no record")
            .hint("`annals ingest --log` stores the games of the log, for `annals player show`"),
        _ => error,
    }
}
