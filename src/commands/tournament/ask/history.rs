//! `annals tournament history`: a tournament as a story.

use std::process::ExitCode;

use annals_replay::queries::history;

use super::answer::AnswerArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Tell a tournament as a story, event by event: when, who, what, why.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "`annals log show TOURNAMENT` tells the same with the commits, and what was corrected.\n\nExamples:\n  \
    annals tournament history wcc-2015\n  annals tournament history wcc-2015 --as-of round:1 --tz EST\n  \
    annals tournament history wcc-2015 --csv"
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
    let zone = args.answer.moment.zone.zone()?;
    args.answer.about(home, &args.tournament, |_, opened| history::ask(opened, &zone))
}
