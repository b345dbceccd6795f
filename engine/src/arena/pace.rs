//! The time control of a game, and the time limits for programs.

use std::time::Duration;

use annals_events::{GameEvent, GameKind, Micros};
use annals_rules::clock::{TimeControl, TimeControlError};

/// The time of a side for all its moves of a game of the Amazons, as the organisers of the Olympiad prefer it.
const AMAZONS: &str = "game 30m";

/// The time control of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// By the gameroom's clock: whole seconds, charged by rounding.
    Control(TimeControl),
    /// A time for every turn, which may be a fraction of a second. The gameroom's time controls cannot express that, so
    /// the record of such a game has no time control, and the times of its turns are rounded to whole seconds.
    PerTurn(Duration),
    /// No clock. [`Patience`] still limits programs.
    Untimed,
}

impl Pace {
    /// By a time control, else a time for every turn, else the default of the game.
    #[must_use]
    pub fn of(game: GameKind, control: Option<TimeControl>, move_time: Option<Duration>) -> Pace {
        match (control, move_time, game) {
            (Some(control), ..) => Pace::Control(control),
            (None, Some(time), _) => Pace::PerTurn(time),
            (None, None, GameKind::Arimaa) => Pace::Untimed,
            (None, None, GameKind::Amazons) => AMAZONS.parse().map_or(Pace::Untimed, Pace::Control),
        }
    }

    /// The pace of a game that has begun, by its start.
    ///
    /// # Errors
    /// When its time control is not valid.
    pub fn of_game(events: &[(Micros, GameEvent<'_>)]) -> Result<Pace, TimeControlError> {
        let control = events.iter().find_map(|(_, event)| match event {
            GameEvent::Started(started) => started.time_control.as_deref(),
            _ => None,
        });
        Ok(control.map(str::parse).transpose()?.map_or(Pace::Untimed, Pace::Control))
    }

    /// The time control as the record states it; none if it cannot.
    #[must_use]
    pub fn stated(&self) -> Option<String> {
        match self {
            Pace::Control(control) => Some(control.to_string()),
            Pace::PerTurn(_) | Pace::Untimed => None,
        }
    }
}

/// The time limits for programs without a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// From the start to `aeiok`, and from `isready` to `readyok`.
    pub start: Duration,
    /// For a turn of a game without clock.
    pub turn: Duration,
    /// The allowed delay of a turn at [`Pace::PerTurn`], after the message to stop.
    pub grace: Duration,
    /// From `quit` to the end of the program.
    pub farewell: Duration,
    /// The maximum number of bytes that a program may send before its answer.
    pub chatter: usize,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            start: Duration::from_secs(15),
            turn: Duration::from_secs(600),
            grace: Duration::from_secs(1),
            farewell: Duration::from_secs(1),
            chatter: 16 << 20,
        }
    }
}
