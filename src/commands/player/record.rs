//! `annals tournament player-record`: a player over all tournaments.

use std::process::ExitCode;

use annals_replay::queries::record;

use crate::commands::tournament::ask::answer::AnswerArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Show a player's record over all tournaments, and against each opponent; merged identities count as one.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament player-record sharp\n  annals tournament player-record sharp --csv"
)]
pub struct Args {
    /// The player: an identity, or a name in any case.
    #[arg(value_name = "PLAYER")]
    player: String,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.answer.about_all(home, |log, cut| record::ask(log, &args.player, cut))
}
