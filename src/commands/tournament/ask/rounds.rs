//! `annals tournament rounds`: the rounds.

use std::process::ExitCode;

use annals_replay::queries::rounds;

use super::answer::AnswerArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Show the rounds: pairs, colours and their rules, results, byes, games, appointments, what was revoked.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament rounds wcc-2015\n  annals tournament rounds wcc-2015 3 --json"
)]
pub struct Args {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// One round; all where none is named.
    #[arg(value_name = "ROUND")]
    round: Option<u32>,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.answer.about(home, &args.tournament, |_, opened| rounds::ask(opened, args.round))
}
