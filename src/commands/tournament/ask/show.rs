//! `annals tournament show`: one tournament on one page.

use std::process::ExitCode;

use annals_replay::queries::overview::{self, Overview};

use super::answer::AnswerArgs;
use crate::commands::tournament::hints::hint;
use crate::errors::CliError;
use crate::home::Home;

/// Show one tournament on one page: what was announced, who entered, how it stands, what comes next.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament show wcc-2015\n  annals tournament show wcc-2015 --as-of round:3 --tz EST"
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
    args.answer.about(home, &args.tournament, |_, opened| {
        let overview = overview::ask(opened).with_hint(hint);
        let all = format!("annals tournament standings {}", overview.heading.tournament);
        Ok(Overview { standings_hint: Some(all), ..overview })
    })
}
