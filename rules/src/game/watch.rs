//! Recorded times of a game: the beginning of the turn, and halts.

use annals_events::GameEvent;

const SECOND: i64 = 1_000_000;

/// In microseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Watch {
    /// At the start, after the last turn, or at the resumption.
    pub(super) turn_began: Option<i64>,
    pub(super) halted_at: Option<i64>,
    /// Earlier halts, in microseconds.
    halted_for: i64,
    /// The times are not the source's.
    pub(super) doubtful: bool,
}

impl Watch {
    /// For accepted events.
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

    /// Microseconds of the present turn until then, if known.
    pub(super) fn of_the_turn(&self, at: Option<i64>) -> Option<i64> {
        between(self.turn_began, self.until(at)).filter(|_| !self.doubtful)
    }

    /// The most seconds both sides can have used between two times, if known.
    pub(super) fn played_at_most(&self, start: Option<i64>, at: Option<i64>) -> Option<u64> {
        let whole = between(start, self.until(at)).filter(|_| !self.doubtful)?;
        Some(seconds_up(whole.saturating_sub(self.halted_for)))
    }

    fn until(&self, at: Option<i64>) -> Option<i64> {
        at.map(|at| self.halted_at.map_or(at, |halted| halted.min(at)))
    }
}

/// Rounded up.
pub(super) fn seconds_up(micros: i64) -> u64 {
    u64::try_from(micros).unwrap_or(0).div_ceil(SECOND.unsigned_abs())
}

/// Saturating.
pub(super) fn micros(seconds: u64) -> i64 {
    i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(SECOND)
}

fn between(from: Option<i64>, to: Option<i64>) -> Option<i64> {
    from.zip(to).map(|(from, to)| to.saturating_sub(from).max(0))
}
