//! The events of a game as they stand at a cut, corrections in place, for whoever writes the game down elsewhere: with
//! what was taken back and put right still among them, in the order of the log.

use annals_events::{Entry, Event, EventType, GameEvent, Micros, RawPayload, StreamName, TimeNote};
use annals_store::Log;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::read::absent;
use crate::recorded::{InLog, Recorded as _, Scope};
use crate::timeline::Corrections;

/// The events of a game as they stand at a cut.
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
#[derive(Debug, Clone)]
pub struct StandingEvents {
    events: Vec<Kept>,
    unreadable: Vec<u64>,
}

/// An event with its own text.
#[derive(Debug, Clone)]
struct Kept {
    event_type: EventType,
    schema: u32,
    payload: RawPayload,
    at: Micros,
}

/// The events of a game's stream as they stand at a cut.
///
/// # Errors
/// When the log cannot be read, the stream is no game's, is not in the log, or nothing of it stands at the cut.
pub fn standing_events(log: &Log, stream: &StreamName, cut: &Cut) -> Result<StandingEvents, ReplayError> {
    if stream.family() != "game" {
        return Err(ReplayError::NoSuchFamily { stream: stream.clone() });
    }
    let scope = Scope::Stream(stream.clone());
    let source = InLog::new(log, &scope, cut.last_seq(log)?);
    let mut corrections = Corrections::default();
    source.each(0, &mut |event| corrections.note(&event))?;
    let (mut events, mut unreadable) = (Vec::new(), Vec::new());
    source.each(0, &mut |event| {
        let Some(standing) =
            corrections.put_in_place(&event).filter(|one| cut.has_happened(one.effective_at))
        else {
            return;
        };
        match (EventType::from_name(standing.event_type), standing.decode().map(|entry| entry.event)) {
            (Ok(event_type), Ok(Event::Game(_))) => events.push(Kept {
                event_type,
                schema: standing.schema,
                payload: RawPayload::from_stored(standing.payload.to_owned()),
                at: standing.effective_at,
            }),
            _ => unreadable.push(standing.seq),
        }
    })?;
    if events.is_empty() && unreadable.is_empty() {
        return Err(absent(log, stream)?);
    }
    Ok(StandingEvents { events, unreadable })
}

impl StandingEvents {
    /// The events in the order of the log, each with the time at which it happened; none where the source states no time.
    #[must_use]
    pub fn game_events(&self) -> Vec<(Option<Micros>, GameEvent<'_>)> {
        self.timed(|at, note| (!matches!(note, Some(TimeNote::Unknown))).then_some(at))
    }

    /// The same, each with the time that is made of the one it stands under and of what is noted about that.
    #[must_use]
    pub fn timed(
        &self,
        time: impl Fn(Micros, Option<TimeNote>) -> Option<Micros>,
    ) -> Vec<(Option<Micros>, GameEvent<'_>)> {
        let mut events = Vec::with_capacity(self.events.len());
        for kept in &self.events {
            // Each was read once before it was kept.
            let entry = Entry::from_payload(kept.event_type.name(), kept.schema, kept.payload.as_str());
            let Ok(entry) = entry else { continue };
            if let Event::Game(event) = entry.event {
                events.push((time(kept.at, entry.time), event));
            }
        }
        events
    }

    /// The events of the stream, by their place in the log, that are no events of a game that can be read.
    #[must_use]
    pub fn unreadable(&self) -> &[u64] {
        &self.unreadable
    }
}
