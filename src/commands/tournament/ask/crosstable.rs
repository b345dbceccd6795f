//! `annals tournament crosstable`: each against each.

use std::process::ExitCode;

use annals_replay::queries::crosstable;

use super::answer::AnswerArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Show the crosstable: each against each, with colours.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament crosstable postal-2006\n  annals tournament crosstable postal-2006 --csv > crosstable.csv"
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
    args.answer.about(home, &args.tournament, |_, opened| Ok(crosstable::ask(opened)))
}
