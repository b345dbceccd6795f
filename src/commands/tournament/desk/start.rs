//! `annals tournament game start`: the game of a pairing begins, and is attached to it.

use annals_events::{BoardId, GameId};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, one, pairing};
use crate::errors::CliError;

/// Begin the game of a pairing; the first one begins its round.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Begin the game of a pairing; the first one begins its round. A stream is made for the game \
        (`game/wcc-2015.r1.1`), with its players and time control, and attached to the pairing. Where a ruling asks for a \
        further attempt, that goes on from the position and the clocks that the ruling lets stand.",
    after_help = "Examples:\n  annals tournament game start wcc-2015 r1.1\n  \
        annals tournament game start wcc-2015 r1.1 --game arimaa-327001   a game that the log holds already\n  \
        annals tournament game start olympiad-2000 r1.1 --no-game         only that it began"
)]
pub struct Args {
    /// The pairing.
    #[arg(value_name = "PAIRING", value_parser = pairing)]
    pairing: BoardId,

    /// A game that the log holds already.
    #[arg(long, value_name = "GAME", conflicts_with = "no_game")]
    game: Option<GameId>,

    /// Make no stream for the game: its moves are not kept here.
    #[arg(long)]
    no_game: bool,
}

impl Request for Args {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let pairing = self.pairing;
        let state = work.state()?;
        let stands =
            state.rounds.get(&pairing.round).is_some_and(|round| round.boards.contains_key(&pairing.board));
        // What does not stand the rulebook refuses, and says why.
        if self.no_game || !stands {
            return one(Command::Start { pairing, game: None });
        }
        let (_, steps) = work
            .beginning(&state, pairing, self.game)
            .map_err(|error| CliError::from(error).about(work.name.as_str()))?;
        Ok(steps)
    }
}
