//! `annals tournament list`: all tournaments of the log.

use std::process::ExitCode;

use annals_replay::queries::list;

use super::answer::{AnswerArgs, HISTORY};
use crate::errors::CliError;
use crate::home::Home;

/// List all tournaments of the log: name, rulebook, players, rounds, how far each has come, who won.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament list\n  annals tournament list --as-of 2015-12-31\n  annals tournament list --json | jq -r \".tournaments[].tournament\""
)]
pub struct Args {
    #[command(flatten)]
    answer: AnswerArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.answer.about_all(home, |log, cut| {
        let list = list::ask(log, cut)?;
        Ok(list::TournamentList { hint: Some(HISTORY.to_owned()), ..list })
    })
}
