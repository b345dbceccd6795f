//! `annals tournament rulings`: the rulings.

use std::process::ExitCode;

use annals_replay::queries::rulings;

use super::answer::AnswerArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Show the rulings: who gave them, why, by which paragraph, on what evidence, and the standings before and after.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament rulings wcc-2015\n  annals tournament rulings wcc-2015 --json | jq \".rulings[] | {number, reason, before, after}\""
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
    args.answer.about(home, &args.tournament, |_, opened| rulings::ask(opened))
}
