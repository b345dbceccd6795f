//! The games of a round in parallel: seats, play, and events in order of time. One game may be halted and resumed as
//! another attempt.

use std::collections::BTreeMap;

use annals_events::tournament::{Effect, Failure};
use annals_events::{BoardId, Micros, PlayerId};
use annals_tournaments::Tournament;
use rayon::prelude::*;

use super::director::{Director, drafts};
use super::game_in_play::{MINUTE, SECOND};
use super::ongoing_game::{OngoingGame, rule};
use crate::DemoError;

/// Gold's player first, and the last attempt's number.
pub fn seats(state: &Tournament, pairing: BoardId) -> Result<([&PlayerId; 2], u32), DemoError> {
    let board = state.rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
    let players = board.and_then(|board| Some(([board.gold()?, board.silver()?], board.last_attempt())));
    players.ok_or_else(|| DemoError::Script(format!("nobody plays in {pairing}")))
}

/// Plays begun games in parallel; returns the events after their openings.
pub fn side_by_side(
    openings: &[OngoingGame],
    play: impl Fn(&OngoingGame) -> Result<OngoingGame, DemoError> + Send + Sync,
) -> Result<Vec<OngoingGame>, DemoError> {
    openings.par_iter().with_max_len(1).map(play).collect()
}

/// Half of a game is played, and the last ply never arrived.
#[derive(Debug, Clone, Copy)]
pub struct Halt {
    pub at: Micros,
    /// In plies.
    pub played: usize,
}

impl Halt {
    /// In the middle of a game, after at least `least` plies.
    fn of(game: &OngoingGame, least: usize) -> Halt {
        let played = (game.plies() / 2).max(least);
        let at = game.up_to(played).last().map_or(0, |(at, _)| *at) + 30 * SECOND;
        Halt { at, played }
    }

    /// Plies kept.
    pub fn stands(&self) -> u32 {
        u32::try_from(self.played.saturating_sub(1)).unwrap_or(u32::MAX)
    }
}

/// Of one time, in the order of their events.
pub struct RoundGames {
    due: BTreeMap<(Micros, BoardId), OngoingGame>,
    /// Still to be halted.
    halted: Option<(BoardId, usize)>,
}

pub enum Next {
    Halted(OngoingGame, Halt),
    Over(OngoingGame, Micros),
}

impl RoundGames {
    /// `halted` is halted after at least `least` plies, if it is among them.
    pub fn of(games: Vec<OngoingGame>, (halted, least): (BoardId, usize)) -> RoundGames {
        let at = |game: &OngoingGame| {
            if game.pairing == halted { Halt::of(game, least).at } else { game.ends() }
        };
        let due = games.into_iter().map(|game| ((at(&game), game.pairing), game)).collect();
        RoundGames { due, halted: Some((halted, least)) }
    }

    /// None when all games are over.
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

    /// The continuation of the halted game.
    pub fn resume(&mut self, again: OngoingGame) {
        self.due.insert((again.ends(), again.pairing), again);
    }
}

impl Director {
    /// Records a game so far, rules that it is resumed, and begins the next attempt; returns its events so far.
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

/// Two plies per number.
pub const fn turn_after(plies: u32) -> u32 {
    plies / 2 + 1
}
