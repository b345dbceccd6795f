//! A record of a tournament as a list, in the order in which it came about. The place of an entry, counted from 1, is its
//! number in the log.

use annals_events::{GameEvent, GameId, Micros, TournamentEvent};
use annals_rules::GameFacts;

/// What was recorded.
#[allow(dead_code, reason = "some are of a log only, some of a record in memory")]
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// An event of the tournament, when it happened and when it was recorded.
    Event(Micros, Micros, Box<TournamentEvent>),
    /// The event at a position is corrected, or struck.
    Correction(u64, Option<Box<TournamentEvent>>),
    /// An event of a game, and when it happened.
    Game(GameId, Micros, Box<GameEvent<'static>>),
    /// A game is about to begin; what is known of it beyond its events. In a log the events tell everything.
    Begun(GameId, Box<GameFacts>),
    /// A game as it is from here on, of which no events are recorded.
    Told(GameId, Box<GameFacts>),
    /// A game was halted, or its rating taken away. In a log an event of the game tells that.
    SetAside(GameId),
    /// What a log holds beyond the tournament and its games.
    Other,
}

impl Entry {
    /// The event of the tournament, as it was recorded.
    pub fn event(&self) -> Option<&TournamentEvent> {
        match self {
            Entry::Event(_, _, event) => Some(event),
            _ => None,
        }
    }

    /// The game of which it tells how it was played.
    pub fn game(&self) -> Option<&GameId> {
        match self {
            Entry::Game(game, ..) | Entry::Told(game, _) => Some(game),
            _ => None,
        }
    }
}
