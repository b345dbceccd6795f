//! `annals tournament standings`: the standings.

use std::process::ExitCode;

use annals_replay::queries::standings;

use super::answer::{AnswerArgs, talk_verified};
use crate::errors::CliError;
use crate::home::Home;

/// Show the standings in the order of the rulebook, with what the order rests on.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament standings wcc-2015\n  annals tournament standings wcc-2015 --as-of round:3\n  annals tournament standings wcc-2015 --known-at 2015-03-08 --csv"
)]
pub struct Args {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.answer.about(home, &args.tournament, |log, opened| {
        talk_verified(log);
        Ok(standings::ask(opened))
    })
}
