//! The events of a game or tournament at a cut, corrected, in log order, for an export; retracted turns and repaired
//! errors are included.

use annals_events::{Entry, Event, EventType, Family, GameEvent, Micros, RawPayload, StreamName, TimeNote};
use annals_store::Log;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::projection::Projection;
use crate::read::{of_family, state_at};
use crate::timeline::EffectiveEvent;

/// The events of a game as they are at a cut.
///
/// ```no_run
/// use annals_replay::{Cut, standing_events};
/// use annals_store::Log;
///
/// let log = Log::open("log.db".as_ref())?;
/// let standing = standing_events(&log, &"game/cup.r1.1".parse()?, &Cut::NOW)?;
/// let events = standing.game_events();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct StandingEvents {
    events: Vec<Kept>,
    unreadable: Vec<u64>,
}

#[derive(Debug, Clone)]
struct Kept {
    event_type: EventType,
    schema: u32,
    payload: RawPayload,
    at: Micros,
}

impl Projection for StandingEvents {
    fn apply(&mut self, event: &EffectiveEvent<'_>) {
        match (EventType::from_name(event.event_type), event.decode().map(|entry| entry.event)) {
            (Ok(event_type), Ok(Event::Game(_))) => self.events.push(Kept {
                event_type,
                schema: event.schema,
                payload: RawPayload::from_stored(event.payload.to_owned()),
                at: event.effective_at,
            }),
            _ => self.unreadable.push(event.seq),
        }
    }
}

/// # Errors
/// If the log cannot be read, the stream is not a game's or not in the log, or no event of it counts at the cut.
pub fn standing_events(log: &Log, stream: &StreamName, cut: &Cut) -> Result<StandingEvents, ReplayError> {
    of_family(stream, Family::Game)?;
    state_at(log, stream, cut)
}

impl StandingEvents {
    /// In log order, with effective times; none if not stated.
    pub fn game_events(&self) -> Vec<(Option<Micros>, GameEvent<'_>)> {
        self.timed(|at, note| (!matches!(note, Some(TimeNote::Unknown | TimeNote::Stated(_)))).then_some(at))
    }

    /// With a time made of the event's and its note.
    pub fn timed(
        &self,
        time: impl Fn(Micros, Option<TimeNote>) -> Option<Micros>,
    ) -> Vec<(Option<Micros>, GameEvent<'_>)> {
        let mut events = Vec::with_capacity(self.events.len());
        for kept in &self.events {
            // It was decoded before.
            let entry = Entry::from_payload(kept.event_type.name(), kept.schema, kept.payload.as_str());
            let Ok(entry) = entry else { continue };
            if let Event::Game(event) = entry.event {
                events.push((time(kept.at, entry.time), event));
            }
        }
        events
    }

    /// Positions of unreadable events.
    pub fn unreadable(&self) -> &[u64] {
        &self.unreadable
    }
}
