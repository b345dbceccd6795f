//! A game at the board in simulated time, by the strict rules: the turns that somebody plays become the events of its record.

use annals_events::{Ended, GameEvent, Micros, Side, Termination, TurnTaken};
use annals_rules::game::{Game, Rules, Strictness};
use annals_rules::seeded::Rng;

use crate::DemoError;

/// A second in microseconds.
pub const SECOND: Micros = 1_000_000;
/// A minute.
pub const MINUTE: Micros = 60 * SECOND;
/// An hour.
pub const HOUR: Micros = 60 * MINUTE;
/// A day.
pub const DAY: Micros = 24 * HOUR;

/// Events of a game with their times.
pub type Events = Vec<(Micros, GameEvent<'static>)>;

/// A game at the board.
pub struct GameInPlay<R: Rules> {
    /// The game.
    pub game: Game<R>,
    /// Chance.
    pub rng: Rng,
    first: u32,
    at: Micros,
    played: Events,
}

impl<R: Rules> GameInPlay<R> {
    /// A game that has begun with these events; `first` is the number of its next turn where nothing else says it.
    pub fn open(opening: &Events, first: u32, seed: u64) -> Result<GameInPlay<R>, DemoError> {
        let mut game = Game::new(Strictness::Strict);
        let mut at = 0;
        for (when, event) in opening {
            at = *when;
            game.apply(Some(at), event)
                .map_err(|e| DemoError::Script(format!("a game cannot begin: {e}")))?;
        }
        Ok(GameInPlay { game, rng: Rng::of(&[seed, 1]), first, at, played: Events::new() })
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Side {
        self.game.to_move().unwrap_or(Side::Gold)
    }

    /// Time passes.
    pub fn wait(&mut self, seconds: i64) {
        self.at += seconds * SECOND;
    }

    /// Something happens.
    pub fn take(&mut self, event: GameEvent<'static>) -> Result<(), DemoError> {
        self.game
            .apply(Some(self.at), &event)
            .map_err(|e| DemoError::Script(format!("a game went wrong: {e}")))?;
        self.played.push((self.at, event));
        Ok(())
    }

    /// The side to move takes a turn, for which it has used so many seconds.
    pub fn turn(&mut self, text: String, used: Option<u32>) -> Result<(), DemoError> {
        let number = self.game.expected_number().unwrap_or(self.first);
        self.wait(i64::from(used.unwrap_or(0)));
        let side = self.to_move();
        self.take(GameEvent::TurnTaken(TurnTaken { used, ..TurnTaken::plain(number, side, text) }))
    }

    /// The game is over; gives what happened after its opening.
    pub fn end(mut self, winner: Option<Side>, termination: Termination) -> Result<Events, DemoError> {
        let ended = Ended { winner, termination: Some(termination), stated: None, draw: winner.is_none() };
        self.take(GameEvent::Ended(ended))?;
        Ok(self.played)
    }
}
