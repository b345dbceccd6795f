//! `annals tournament champions`: the roll of champions.

use std::process::ExitCode;

use annals_replay::queries::champions;

use super::answer::{AnswerArgs, HISTORY, talk_verified};
use crate::errors::CliError;
use crate::home::Home;

/// Show the roll of champions over all tournaments of the log that are closed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  annals tournament champions\n  annals tournament champions --csv")]
pub struct Args {
    #[command(flatten)]
    answer: AnswerArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.answer.about_all(home, |log, cut| {
        talk_verified(log);
        let champions = champions::ask(log, cut)?;
        Ok(champions::Champions { hint: Some(HISTORY.to_owned()), ..champions })
    })
}
