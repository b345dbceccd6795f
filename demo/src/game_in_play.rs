//! A game in simulated time, by strict rules: turns become the events of its record.

use annals_events::{Ended, GameEvent, Micros, Side, Termination, TurnTaken};
use annals_rules::game::{Game, Rules, Strictness};
use annals_rules::seeded::Rng;

use crate::DemoError;

/// In microseconds.
pub const SECOND: Micros = 1_000_000;
pub const MINUTE: Micros = 60 * SECOND;
pub const HOUR: Micros = 60 * MINUTE;
pub const DAY: Micros = 24 * HOUR;

pub type Events = Vec<(Micros, GameEvent<'static>)>;

pub struct GameInPlay<R: Rules> {
    pub game: Game<R>,
    pub rng: Rng,
    first: u32,
    at: Micros,
    played: Events,
}

impl<R: Rules> GameInPlay<R> {
    /// From its opening; `first` is the next turn's number if nothing else determines it.
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

    pub fn to_move(&self) -> Side {
        self.game.to_move().unwrap_or(Side::Gold)
    }

    pub fn wait(&mut self, seconds: i64) {
        self.at += seconds * SECOND;
    }

    pub fn take(&mut self, event: GameEvent<'static>) -> Result<(), DemoError> {
        self.game
            .apply(Some(self.at), &event)
            .map_err(|e| DemoError::Script(format!("a game went wrong: {e}")))?;
        self.played.push((self.at, event));
        Ok(())
    }

    /// `used` is in seconds.
    pub fn turn(&mut self, text: String, used: Option<u32>) -> Result<(), DemoError> {
        let number = self.game.expected_number().unwrap_or(self.first);
        self.wait(i64::from(used.unwrap_or(0)));
        let side = self.to_move();
        self.take(GameEvent::TurnTaken(TurnTaken { used, ..TurnTaken::plain(number, side, text) }))
    }

    /// Returns the events after the opening.
    pub fn end(mut self, winner: Option<Side>, termination: Termination) -> Result<Events, DemoError> {
        let ended = Ended { winner, termination: Some(termination), stated: None, draw: winner.is_none() };
        self.take(GameEvent::Ended(ended))?;
        Ok(self.played)
    }
}
