//! `annals tournament player`: everything of one player in one tournament.

use std::process::ExitCode;

use annals_replay::queries::player::{self, PlayerPage};

use super::answer::AnswerArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Show everything of one player in one tournament: entry, rounds, money, each event that names them.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament player wcc-2015 sharp\n  annals tournament player wcc-2015 sharp --as-of round:4"
)]
pub struct Args {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The player: the identity, or the name of the entry.
    #[arg(value_name = "PLAYER")]
    player: String,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.answer.about(home, &args.tournament, |_, opened| {
        let player = opened.player(&args.player)?;
        let page = player::ask(opened, &player)?;
        let (tournament, player) = (&page.heading.tournament, &page.player.player);
        let counted =
            format!("`annals tournament explain {tournament} qualifier {player}` tells which of them count");
        Ok(PlayerPage { qualifier_hint: Some(counted), ..page })
    })
}
