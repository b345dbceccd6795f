//! `annals tournament notices`: what players were told.

use std::process::ExitCode;

use annals_replay::queries::notices;

use super::answer::AnswerArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Show what players were told, and when.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament notices wc-2009\n  annals tournament notices wc-2009 chessandgo --csv"
)]
pub struct Args {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The player: the identity, or the name of the entry.
    #[arg(value_name = "PLAYER")]
    player: Option<String>,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.answer.about(home, &args.tournament, |_, opened| {
        let player = args.player.as_deref().map(|name| opened.player(name)).transpose()?;
        Ok(notices::ask(opened, player.as_ref()))
    })
}
