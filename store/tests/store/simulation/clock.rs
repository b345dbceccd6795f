//! When the log must refuse the clock, by what it has recorded.

use annals_events::{Event, LogEvent, RawEnvelope};

const SECOND: i64 = 1_000_000;
const TOLERANCE: i64 = 10 * SECOND;
const PAUSE: i64 = 366 * 86_400 * SECOND;

/// The clock, as far as the log has it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Recorded {
    pub last: Option<i64>,
    /// What the clock showed when it was confirmed to be right although it is behind, while that holds.
    confirmed: Option<i64>,
}

impl Recorded {
    /// Whether the clock must be refused for a new event, and how.
    pub fn doubt(&self, now: i64, is_real: bool) -> Option<&'static str> {
        let last = self.last?;
        let is_confirmed = self.confirmed.is_some_and(|shows| now >= shows - TOLERANCE);
        if now < last - TOLERANCE {
            return (!is_confirmed).then_some("behind");
        }
        (is_real && now > last + PAUSE).then_some("ahead")
    }

    /// As the events have it: times only grow, and those after a clock that is behind was confirmed are one microsecond apart.
    pub fn of(events: &[RawEnvelope]) -> Result<Recorded, String> {
        let mut recorded = Recorded::default();
        for event in events {
            if recorded.last.is_some_and(|last| last > event.recorded_at) {
                return Err(format!("event {} was recorded before the one in front of it", event.seq));
            }
            recorded.step(event.recorded_at);
            if let Ok(Event::Log(LogEvent::ClockConfirmed(confirmed))) = event.decode() {
                let is_behind = confirmed.shows < confirmed.last_recorded_at;
                recorded.confirmed = is_behind.then_some(confirmed.shows);
            }
        }
        Ok(recorded)
    }

    pub fn step(&mut self, to: i64) {
        if self.last.is_some_and(|last| to > last + 1) {
            self.confirmed = None;
        }
        self.last = Some(to);
    }
}
