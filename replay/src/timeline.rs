//! What stood at a cut: the events of the prefix with corrections put in place, those that had happened by then, in
//! the order of the log. Everything that is replayed passes through here, so that every question gets the same
//! four steps: keep the prefix; put corrections in place; keep what had happened; fold in the order of `seq`.

use std::borrow::Cow;
use std::collections::HashMap;

use annals_events::log::Change;
use annals_events::{DecodeError, Entry, Event, LogEvent, Micros, RawEnvelope};

use crate::cut::Cut;

/// The name of the one type that is never folded itself.
pub const CORRECTION: &str = "log.correction";

/// One event as it stands at a cut.
#[derive(Debug, Clone)]
pub struct Standing<'a> {
    /// The event as the log holds it.
    pub envelope: &'a RawEnvelope,
    /// Its payload, a correction in place.
    pub payload: Cow<'a, str>,
    /// The schema of that payload.
    pub schema: u32,
    /// When it happened, a correction in place.
    pub effective_at: Micros,
    /// The `seq` of the correction that holds, where there is one.
    pub corrected_by: Option<u64>,
}

impl Standing<'_> {
    /// Reads the payload.
    ///
    /// # Errors
    /// When the type is unknown, or the payload is none of that type and schema.
    pub fn decode(&self) -> Result<Entry<'_>, DecodeError> {
        Entry::from_payload(&self.envelope.event_type, self.schema, &self.payload)
    }
}

/// A correction as it bears on one event.
#[derive(Debug, Clone)]
struct Corrected {
    by: u64,
    change: Change,
}

/// The corrections of a prefix, by the event that they correct; the last one wins.
#[derive(Debug, Default)]
pub struct Corrections {
    by_seq: HashMap<u64, Corrected>,
}

impl Corrections {
    /// Collects the corrections among the events of a prefix. What cannot be read is passed over here: `verify` and the
    /// fold report it.
    #[must_use]
    pub fn among<'a>(prefix: impl IntoIterator<Item = &'a RawEnvelope>) -> Corrections {
        let mut found = Corrections::default();
        for envelope in prefix {
            if envelope.event_type == CORRECTION {
                found.add(envelope);
            }
        }
        found
    }

    fn add(&mut self, envelope: &RawEnvelope) {
        let Ok(Event::Log(LogEvent::Correction(correction))) = envelope.decode() else { return };
        // Only what stands before it can be corrected, so that no prefix holds a correction of what is to come.
        if correction.corrects < envelope.seq {
            self.by_seq
                .insert(correction.corrects, Corrected { by: envelope.seq, change: correction.change });
        }
    }

    /// How an event stands: `None` where it is struck, or is a correction itself.
    #[must_use]
    pub fn put_in_place<'a>(&self, envelope: &'a RawEnvelope) -> Option<Standing<'a>> {
        if envelope.event_type == CORRECTION {
            return None;
        }
        let plain = Standing {
            envelope,
            payload: Cow::Borrowed(envelope.payload.as_str()),
            schema: envelope.schema,
            effective_at: envelope.effective_at,
            corrected_by: None,
        };
        match self.by_seq.get(&envelope.seq) {
            None => Some(plain),
            Some(Corrected { change: Change::Strike, .. }) => None,
            Some(Corrected { by, change: Change::Replace { payload, schema, effective_at } }) => {
                Some(Standing {
                    payload: Cow::Owned(payload.as_str().to_owned()),
                    schema: *schema,
                    effective_at: effective_at.unwrap_or(envelope.effective_at),
                    corrected_by: Some(*by),
                    ..plain
                })
            }
        }
    }
}

/// The events that stand at a cut, in the order of the log. The events given must hold every correction of
/// what they hold: a whole stream does, since a correction stands in the stream of what it corrects.
#[must_use]
pub fn standing<'a>(events: &'a [RawEnvelope], cut: &Cut) -> Vec<Standing<'a>> {
    let end = events.partition_point(|event| cut.keeps(event.seq, event.recorded_at));
    let prefix = &events[..end];
    let corrections = Corrections::among(prefix);
    prefix
        .iter()
        .filter_map(|envelope| corrections.put_in_place(envelope))
        .filter(|standing| cut.has_happened(standing.effective_at))
        .collect()
}
