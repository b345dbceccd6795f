//! The times of a game as the record states them: since when the present turn runs, and for how long play was halted.

use annals_events::GameEvent;

/// Microseconds of a second.
const SECOND: i64 = 1_000_000;

/// The times of a game so far, in microseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Watch {
    /// When the present turn began: at the start, after the last turn, or when play was resumed.
    pub(super) turn_began: Option<i64>,
    /// Since when play is halted.
    pub(super) halted_at: Option<i64>,
    /// For how long play was halted before that, in microseconds.
    halted_for: i64,
    /// Whether the record does not state the times of the source.
    pub(super) doubtful: bool,
}

impl Watch {
    /// Notes an event that the game accepted.
    pub(super) fn note(&mut self, at: Option<i64>, event: &GameEvent<'_>) {
        match event {
            GameEvent::Started(_) | GameEvent::TurnTaken(_) | GameEvent::TurnRetracted(_) => {
                self.turn_began = at;
            }
            GameEvent::Halted(_) => self.halted_at = at,
            GameEvent::Resumed(_) => {
                let halted = between(self.halted_at, at).unwrap_or(0);
                self.halted_for = self.halted_for.saturating_add(halted);
                self.halted_at = None;
                self.turn_began = at;
            }
            _ => {}
        }
    }

    /// How long the present turn ran until then, in microseconds; none where the record does not say.
    pub(super) fn of_the_turn(&self, at: Option<i64>) -> Option<i64> {
        between(self.turn_began, self.until(at)).filter(|_| !self.doubtful)
    }

    /// The most seconds that both sides can have used between two times; none where the record does not say.
    pub(super) fn played_at_most(&self, start: Option<i64>, at: Option<i64>) -> Option<u64> {
        let whole = between(start, self.until(at)).filter(|_| !self.doubtful)?;
        Some(seconds_up(whole.saturating_sub(self.halted_for)))
    }

    fn until(&self, at: Option<i64>) -> Option<i64> {
        at.map(|at| self.halted_at.map_or(at, |halted| halted.min(at)))
    }
}

/// Microseconds as whole seconds, rounded up.
pub(super) fn seconds_up(micros: i64) -> u64 {
    u64::try_from(micros).unwrap_or(0).div_ceil(SECOND.unsigned_abs())
}

/// Seconds in microseconds; the largest number where they are more.
pub(super) fn micros(seconds: u64) -> i64 {
    i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(SECOND)
}

fn between(from: Option<i64>, to: Option<i64>) -> Option<i64> {
    from.zip(to).map(|(from, to)| to.saturating_sub(from).max(0))
}
