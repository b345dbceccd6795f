//! `annals cite game`: a game of the dataset or of the log.

use std::process::ExitCode;

use annals_analytics::citations;
use annals_replay::Identifier;
use annals_replay::citations::in_words;

use super::StyleArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::moments::MomentArgs;
use crate::named_game::NamedGame;

/// Cite a game of the dataset or of the log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Cite a game of the dataset or of the log\n\n\
        A game of a file has no permanent identifier: import it first with `annals log import` or `annals ingest`.",
    after_long_help = "Examples:\n  \
        annals cite game 669192\n  \
        annals cite game \"cup r12.1\" --format bibtex\n  \
        annals cite game \"wcc-2015 r3.1\" --as-of 2015-03-15"
)]
pub struct Args {
    /// Game: number, stream, or `cup r3.1`
    game: String,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    style: StyleArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.style.check()?;
    let game = NamedGame::read_whole(&args.game, &args.moment, home)?;
    let (identifier, point) = match &game {
        NamedGame::Dataset { session, game, .. } => {
            (citations::identifier(session.dataset(), game.game_id), None)
        }
        NamedGame::Log { log, stream, cut } => {
            (Identifier::of_stream(log, stream, cut)?, (!args.moment.is_now()).then(|| in_words(cut)))
        }
        NamedGame::File(_) => (None, None),
    };
    let identifier = identifier.ok_or_else(|| {
        CliError::new(format!("`{}` has no permanent identifier", args.game))
            .reason("only a game of the log or of the dataset has one")
            .hint("`annals log import FILE` records a game file")
    })?;
    args.style.write(&citations::of_game(&game.view()?, &identifier, point))
}
