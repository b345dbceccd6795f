//! The games of a round side by side, whatever is played: who sits at a board, all of them played at once, and what becomes of
//! them in the order in which it happens. One of them may be halted in its midst, and goes on as another attempt.

use std::collections::BTreeMap;

use annals_events::tournament::{Effect, Failure};
use annals_events::{BoardId, Micros, PlayerId};
use annals_tournaments::Tournament;
use rayon::prelude::*;

use super::director::{Director, drafts};
use super::game_in_play::{MINUTE, SECOND};
use super::ongoing_game::{OngoingGame, rule};
use crate::DemoError;

/// Who sits at a board, Gold's player first, and the number of the last attempt there.
pub fn seats(state: &Tournament, pairing: BoardId) -> Result<([&PlayerId; 2], u32), DemoError> {
    let board = state.rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
    let players = board.and_then(|board| Some(([board.gold()?, board.silver()?], board.last_attempt())));
    players.ok_or_else(|| DemoError::Script(format!("nobody plays in {pairing}")))
}

/// Plays games that have begun, all at once; gives what happens after their openings.
pub fn side_by_side(
    openings: &[OngoingGame],
    play: impl Fn(&OngoingGame) -> Result<OngoingGame, DemoError> + Send + Sync,
) -> Result<Vec<OngoingGame>, DemoError> {
    openings.par_iter().with_max_len(1).map(play).collect()
}

/// Where a game is halted: half of it is played, and the last ply never arrived.
#[derive(Debug, Clone, Copy)]
pub struct Halt {
    /// When.
    pub at: Micros,
    /// After how many plies.
    pub played: usize,
}

impl Halt {
    /// In the midst of a game, after so many plies at least.
    fn of(game: &OngoingGame, least: usize) -> Halt {
        let played = (game.plies() / 2).max(least);
        let at = game.up_to(played).last().map_or(0, |(at, _)| *at) + 30 * SECOND;
        Halt { at, played }
    }

    /// How many plies stand.
    pub fn stands(&self) -> u32 {
        u32::try_from(self.played.saturating_sub(1)).unwrap_or(u32::MAX)
    }
}

/// The games of a round that were played at the same time, in the order of their events.
pub struct RoundGames {
    due: BTreeMap<(Micros, BoardId), OngoingGame>,
    /// The game that is still to be halted.
    halted: Option<(BoardId, usize)>,
}

/// What happens next.
pub enum Next {
    /// A game is halted.
    Halted(OngoingGame, Halt),
    /// A game is over.
    Over(OngoingGame, Micros),
}

impl RoundGames {
    /// Of games of which one is halted, if it is among them, after so many plies at least.
    pub fn of(games: Vec<OngoingGame>, (halted, least): (BoardId, usize)) -> RoundGames {
        let at = |game: &OngoingGame| {
            if game.pairing == halted { Halt::of(game, least).at } else { game.ends() }
        };
        let due = games.into_iter().map(|game| ((at(&game), game.pairing), game)).collect();
        RoundGames { due, halted: Some((halted, least)) }
    }

    /// What happens next; none when all games are over.
    pub fn pop(&mut self) -> Option<Next> {
        let ((at, _), game) = self.due.pop_first()?;
        Some(match self.halted.take_if(|(halted, _)| *halted == game.pairing) {
            Some((_, least)) => {
                let halt = Halt::of(&game, least);
                Next::Halted(game, halt)
            }
            None => Next::Over(game, at),
        })
    }

    /// The game that was halted goes on so.
    pub fn goes_on(&mut self, again: OngoingGame) {
        self.due.insert((again.ends(), again.pairing), again);
    }
}

impl Director {
    /// Records a game as far as it went, rules after a while that it goes on from what stands, and begins the next attempt; gives
    /// what has happened in that so far.
    pub fn halt(
        &mut self,
        game: &OngoingGame,
        halt: &Halt,
        (after, reason, evidence): (Micros, &str, &str),
    ) -> Result<OngoingGame, DemoError> {
        self.carry_out(halt.at, &drafts(&game.game, game.up_to(halt.played))?)?;
        let effect = Effect::Halt {
            pairing: game.pairing,
            game: Some(game.game.clone()),
            ply: halt.stands(),
            failure: Failure::MoveLostToPlayer,
            clocks: None,
        };
        self.carry_out(halt.at + after, &[rule(effect, reason, evidence, None)])?;
        self.begin(game.pairing, halt.at + 20 * MINUTE)
    }
}

/// The number of the turn that follows so many plies, two to a number.
pub const fn turn_after(plies: u32) -> u32 {
    plies / 2 + 1
}
