//! The clock compared with the log: when an event may be stamped, and how a doubtful clock is confirmed.

use annals_events::log::{ClockConfirmed, ClockKind, LOG_STREAM, command_that_writes};
use annals_events::{Event, EventId, LogEvent, Micros};
use rusqlite::{Connection, OptionalExtension};

use crate::fault::Fault;
use crate::log::{Log, random_id};
use crate::new_event::{EventError, NewEvent};
use crate::tail::Tail;
use crate::transaction::{AppendError, Appended, Transaction};

/// Largest step back between two appends: the machine's clock is adjusted now and then. Within this, events are stamped
/// one microsecond apart.
pub const CLOCK_TOLERANCE: Micros = 10_000_000;

/// Largest step forward: 366 days. A clock that jumps further may be wrong, and a recording in the future cannot be
/// undone.
pub const LONGEST_PAUSE: Micros = 366 * 86_400_000_000;

const CONFIRMED: &str = "log.clock_confirmed";

/// A clock that contradicts the last recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doubt {
    Behind,
    Ahead,
}

/// Whether the clock is plausible.
pub(crate) fn doubt(
    connection: &Connection,
    tail: (u64, Micros),
    (now, kind): (Micros, ClockKind),
) -> rusqlite::Result<Option<Doubt>> {
    let (seq, last) = tail;
    if now < last.saturating_sub(CLOCK_TOLERANCE) {
        let confirmed = "SELECT seq, recorded_at, schema, payload FROM event WHERE stream = ?1 AND type = ?2 \
                         ORDER BY version DESC LIMIT 1";
        let confirmed: Option<(i64, Micros, u32, String)> = connection
            .prepare_cached(confirmed)?
            .query_row((LOG_STREAM, CONFIRMED), |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })
            .optional()?;
        // After the confirmation of a clock that is behind, events are one microsecond apart; a longer step is another
        // jump.
        let is_confirmed = confirmed.is_some_and(|(at, recorded_at, schema, payload)| {
            let Ok(Event::Log(LogEvent::ClockConfirmed(confirmed))) =
                Event::from_payload(CONFIRMED, schema, &payload)
            else {
                return false;
            };
            // A confirmation of a clock ahead, or of a later time, does not apply.
            if confirmed.shows >= confirmed.last_recorded_at
                || now < confirmed.shows.saturating_sub(CLOCK_TOLERANCE)
            {
                return false;
            }
            let events = i64::try_from(seq).unwrap_or(i64::MAX).saturating_sub(at);
            last.saturating_sub(recorded_at) <= events
        });
        return Ok((!is_confirmed).then_some(Doubt::Behind));
    }
    // A simulated clock may be set to any time.
    let ahead = kind == ClockKind::Real && now > last.saturating_add(LONGEST_PAUSE);
    Ok(ahead.then_some(Doubt::Ahead))
}

/// The clock's time, but always later than the last.
pub(crate) fn stamp(
    connection: &Connection,
    tail: &Tail,
    clock: (Micros, ClockKind),
    is_written_by_the_log: bool,
) -> rusqlite::Result<Result<Micros, AppendError>> {
    let (now, _) = clock;
    let Some(last) = tail.recorded_at else { return Ok(Ok(now)) };
    let doubt = if is_written_by_the_log { None } else { doubt(connection, (tail.seq, last), clock)? };
    Ok(match doubt {
        Some(Doubt::Behind) => Err(AppendError::ClockBehind { now, last }),
        Some(Doubt::Ahead) => Err(AppendError::ClockAhead { now, last }),
        None => match last.checked_add(1) {
            Some(next) => Ok(now.max(next)),
            None => Err(AppendError::ClockBehind { now, last }),
        },
    })
}

/// Events that only the log writes, under any clock: a confirmation of the clock, or an accepted loss.
pub(crate) fn is_written_by_the_log(events: &[NewEvent]) -> bool {
    events.iter().all(|event| command_that_writes(event.event_type.name()).is_some())
}

#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    #[error("the clock and the last event agree: there is nothing to confirm")]
    NothingToConfirm,
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("the clock cannot be confirmed: {0}")]
    Event(#[from] EventError),
    #[error("the clock was not confirmed: {0}")]
    Append(#[from] AppendError),
}

impl Log {
    /// Records that the clock is right although it is behind the last event or far ahead; then the log accepts events
    /// again. With a clock that is behind, events are one microsecond apart until it has caught up.
    ///
    /// # Errors
    /// If the clock is not in doubt, the log is open read-only, or the event is rejected.
    pub fn confirm_clock(&mut self, actor: &str, reason: &str) -> Result<Appended, ConfirmError> {
        let Some(writing) = &self.writing else { return Err(AppendError::ReadOnly.into()) };
        let clock = (writing.clock.now(), writing.clock.kind());
        let (shows, _) = clock;
        let tail = &writing.seen;
        let fault = |error: &rusqlite::Error| Fault::sqlite(self.path(), "confirming the clock", error);
        let (seq, Some(last_recorded_at)) = (tail.seq, tail.recorded_at) else {
            return Err(ConfirmError::NothingToConfirm);
        };
        if doubt(&self.connection, (seq, last_recorded_at), clock).map_err(|e| fault(&e))?.is_none() {
            return Err(ConfirmError::NothingToConfirm);
        }
        let confirmed = ClockConfirmed { shows, last_recorded_at, reason: reason.to_owned() };
        let id = EventId(random_id()?);
        let event = NewEvent::own(LogEvent::ClockConfirmed(confirmed), id, actor, shows)?;
        Ok(self.append(&Transaction::of(vec![event]))?)
    }
}
