//! `annals tournament game start`: the game of a pairing begins, and is attached to it.

use annals_events::{BoardId, GameId};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, one, pairing};
use crate::errors::CliError;

/// Start the game of a pairing
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Start the game of a pairing\n\n\
        The first game starts its round. A stream such as `game/wcc-2015.r1.1` is made with the players and the \
        time control. After a ruling that asks for another attempt, the game continues from the position and the \
        clocks of the ruling.",
    after_help = "Examples:\n  \
        annals tournament game start wcc-2015 r1.1\n  \
        annals tournament game start wcc-2015 r1.1 --game arimaa-327001\n  \
        annals tournament game start olympiad-2000 r1.1 --no-game"
)]
pub struct Args {
    /// Pairing
    #[arg(value_name = "PAIRING", value_parser = pairing)]
    pairing: BoardId,

    /// Game of the log to attach
    #[arg(long, value_name = "GAME", conflicts_with = "no_game")]
    game: Option<GameId>,

    /// Do not make a stream for the game
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
