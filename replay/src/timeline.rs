//! What counts at a cut, in four steps for every replay: keep the prefix; apply corrections; keep what had happened;
//! fold by `seq`.

use std::collections::HashMap;
use std::ops::Deref;

use annals_events::log::Change;
use annals_events::{DecodeError, Entry, Event, LogEvent, Micros, RawEnvelope, RawPayload};
use annals_store::FoldEvent;

use crate::recorded::reference;

/// The only type that is never folded itself.
pub const CORRECTION: &str = "log.correction";

/// One event at a cut, corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EffectiveEvent<'a> {
    event: FoldEvent<'a>,
    /// When its present content was recorded: by its correction, if any.
    pub said_at: Micros,
    /// The `seq` of the correction in force.
    pub corrected_by: Option<u64>,
}

impl<'a> Deref for EffectiveEvent<'a> {
    type Target = FoldEvent<'a>;

    fn deref(&self) -> &FoldEvent<'a> {
        &self.event
    }
}

impl<'a> EffectiveEvent<'a> {
    pub fn as_recorded(event: &FoldEvent<'a>) -> EffectiveEvent<'a> {
        EffectiveEvent { event: *event, said_at: event.recorded_at, corrected_by: None }
    }

    /// # Errors
    /// If the type is unknown, or the payload does not fit type and schema.
    pub fn decode(&self) -> Result<Entry<'a>, DecodeError> {
        Entry::from_payload(self.event_type, self.schema, self.payload)
    }
}

#[derive(Debug, Clone)]
struct Corrected {
    by: u64,
    /// The `seq` of the first correction of that event.
    first: u64,
    recorded_at: Micros,
    stream: String,
    change: Change,
    actor: String,
    reason: String,
}

/// A correction with its event before and after.
#[derive(Debug, Clone, Copy)]
pub struct AppliedCorrection<'a> {
    pub recorded: EffectiveEvent<'a>,
    /// None if struck.
    pub standing: Option<EffectiveEvent<'a>>,
    /// The `seq` of the correction.
    pub by: u64,
    /// The `seq` of the first correction of that event.
    pub first: u64,
    pub actor: &'a str,
    pub reason: &'a str,
}

/// By corrected event; the last one counts.
#[derive(Debug, Clone, Default)]
pub struct Corrections {
    /// By stated event; per stream the last one.
    by_seq: HashMap<u64, Vec<Corrected>>,
}

impl Corrections {
    pub fn of<'e>(events: impl IntoIterator<Item = &'e RawEnvelope>) -> Corrections {
        let mut corrections = Corrections::default();
        events.into_iter().for_each(|event| corrections.note(&reference(event)));
        corrections
    }

    /// Adds an event if it is a correction. Unreadable ones, and those without an earlier event, correct nothing.
    pub fn note(&mut self, event: &FoldEvent<'_>) {
        if event.event_type != CORRECTION {
            return;
        }
        let decoded = Event::from_payload(event.event_type, event.schema, event.payload);
        let Ok(Event::Log(LogEvent::Correction(correction))) = decoded else { return };
        // Only earlier events can be corrected, so that no prefix has a correction of a later event.
        if correction.corrects < event.seq {
            let said = self.by_seq.entry(correction.corrects).or_default();
            let first =
                said.iter().find(|earlier| earlier.stream == event.stream).map(|earlier| earlier.first);
            said.retain(|earlier| earlier.stream != event.stream);
            let stream = event.stream.to_owned();
            let (by, recorded_at) = (event.seq, event.recorded_at);
            let actor = event.actor.to_owned();
            let (change, reason) = (correction.change, correction.reason);
            let first = first.unwrap_or(by);
            said.push(Corrected { by, first, recorded_at, stream, change, actor, reason });
        }
    }

    fn reaching(&self, event: &FoldEvent<'_>) -> Option<&Corrected> {
        // Only a correction in the same stream counts, so that a stream and the log give the same state.
        self.by_seq.get(&event.seq)?.iter().find(|corrected| corrected.stream == event.stream)
    }

    /// An owned event as corrected; none if struck or a correction.
    pub fn effective(&self, event: &RawEnvelope) -> Option<RawEnvelope> {
        let reference = reference(event);
        let standing = self.put_in_place(&reference)?;
        let payload = RawPayload::from_stored(standing.payload.to_owned());
        let (schema, effective_at) = (standing.schema, standing.effective_at);
        Some(RawEnvelope { payload, schema, effective_at, ..event.clone() })
    }

    /// The correction of this event, if any.
    pub fn corrected<'a>(&'a self, event: &FoldEvent<'a>) -> Option<AppliedCorrection<'a>> {
        let corrected = self.reaching(event)?;
        Some(AppliedCorrection {
            recorded: EffectiveEvent::as_recorded(event),
            standing: self.put_in_place(event),
            by: corrected.by,
            first: corrected.first,
            actor: &corrected.actor,
            reason: &corrected.reason,
        })
    }

    /// An event as corrected; `None` if struck or a correction.
    pub fn put_in_place<'a>(&'a self, event: &FoldEvent<'a>) -> Option<EffectiveEvent<'a>> {
        if event.event_type == CORRECTION {
            return None;
        }
        let plain = EffectiveEvent::as_recorded(event);
        if self.by_seq.is_empty() {
            return Some(plain);
        }
        match self.reaching(event) {
            None => Some(plain),
            Some(Corrected { change: Change::Strike, .. }) => None,
            Some(Corrected {
                by,
                recorded_at,
                change: Change::Replace { payload, schema, effective_at },
                ..
            }) => Some(EffectiveEvent {
                event: FoldEvent {
                    payload: payload.as_str(),
                    schema: *schema,
                    effective_at: effective_at.unwrap_or(event.effective_at),
                    ..*event
                },
                said_at: *recorded_at,
                corrected_by: Some(*by),
            }),
        }
    }
}

/// As corrected, without struck ones.
pub fn effective(events: &[RawEnvelope]) -> Vec<RawEnvelope> {
    let corrections = Corrections::of(events);
    events.iter().filter_map(|event| corrections.effective(event)).collect()
}
