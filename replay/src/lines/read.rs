use std::io::{self, BufRead};

use annals_events::log::{ClockKind, command_that_writes};
use annals_events::{DecodeError, Event, EventId, Hash, LogEvent, Micros, RawPayload, StreamName};
use annals_store::EventRef;
use annals_store::chain::{Chain, genesis};
use serde::Deserialize;

use crate::handler::Draft;

/// The largest payload, and room for the other fields.
pub const MAX_LINE: usize = 6 << 20;

/// An event and its position in the exported log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub number: u64,
    pub draft: Draft,
    /// In the exported log; none for a line written by hand.
    pub source_seq: Option<u64>,
}

#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct LineError {
    pub number: u64,
    pub problem: LineProblem,
}

#[derive(Debug, thiserror::Error)]
pub enum LineProblem {
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("expected at most {MAX_LINE} bytes, found more")]
    TooLong,
    /// It is no JSON object with the members of an event.
    #[error("{}", without_place(.0))]
    Json(#[from] serde_json::Error),
    #[error(
        "`{0}` is not a valid time: write microseconds since 1970, or a time such as \"2015-04-03T18:00:00Z\""
    )]
    Time(String),
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// Its hash does not follow from its fields and the line before.
    #[error(
        "its `hash` is {stated}, but its fields and the hash of the line before give {computed}: this line was changed \
         after it was exported. Export it again; an event that is written by hand states no `hash`"
    )]
    Hash {
        stated: Hash,
        /// From its fields.
        computed: Hash,
    },
    /// It refers to an event outside the file.
    #[error(
        "it speaks of event {0} of the log that it was exported from, and that event is not among the lines before \
         it: export the whole stream"
    )]
    NotInFile(u64),
}

/// The message of an error without its place in the line, which is not the one that was written: a time may be filled in.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    stream: StreamName,
    #[serde(rename = "type")]
    event_type: String,
    schema: Option<u32>,
    effective_at: Moment,
    payload: RawPayload,
    id: Option<EventId>,
    actor: Option<String>,
    seq: Option<u64>,
    version: Option<u64>,
    recorded_at: Option<i64>,
    hash: Option<Hash>,
    /// Of the exported log; [`simulated_until`](super::simulated_until) reads it.
    #[serde(rename = "clock")]
    _clock: Option<ClockKind>,
}

impl Fields {
    /// The hash computed with `previous`; none if the line lacks a covered field.
    fn computed_hash(&self, previous: &Hash) -> Option<Hash> {
        let Moment::Micros(effective_at) = self.effective_at else { return None };
        let event = EventRef {
            seq: self.seq?,
            stream: self.stream.as_str(),
            version: self.version?,
            id: self.id?,
            event_type: &self.event_type,
            schema: self.schema?,
            effective_at,
            recorded_at: self.recorded_at?,
            actor: self.actor.as_deref()?,
            payload: self.payload.as_str(),
            hash: Hash::default(),
        };
        Some(Chain::default().hash(previous, &event))
    }

    /// The hash before a log's first event, if this is that event.
    fn start_of_log(&self) -> Option<Hash> {
        match Event::from_payload(&self.event_type, self.schema?, self.payload.as_str()) {
            Ok(Event::Log(LogEvent::Opened(opened))) if self.seq == Some(1) => Some(genesis(opened.log_id)),
            _ => None,
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Moment {
    Micros(Micros),
    Text(String),
}

/// Reads events from JSON lines, skipping empty lines and events that only a log itself records (`log.opened`,
/// `log.loss_acknowledged`, `log.clock_confirmed`). The hash of consecutive lines is verified. Reading ends at an
/// error.
#[derive(Debug)]
pub struct Lines<R> {
    from: R,
    number: u64,
    ended: bool,
    left_out: u64,
    /// Position and hash of the line before, if stated.
    before: Option<(u64, Hash)>,
}

pub fn read_lines<R: BufRead>(from: R) -> Lines<R> {
    Lines { from, number: 0, ended: false, left_out: 0, before: None }
}

impl<R: BufRead> Lines<R> {
    /// Skipped lines of events that only a log itself records.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    fn check_hash(&mut self, fields: &Fields) -> Result<(), LineProblem> {
        let before = std::mem::replace(&mut self.before, fields.seq.zip(fields.hash));
        let follows = |(seq, hash): (u64, Hash)| {
            (fields.seq.is_some() && fields.seq == seq.checked_add(1)).then_some(hash)
        };
        let previous = before.and_then(follows).or_else(|| fields.start_of_log());
        let computed = previous.and_then(|previous| fields.computed_hash(&previous));
        match (fields.hash, computed) {
            (Some(stated), Some(computed)) if stated != computed => {
                Err(LineProblem::Hash { stated, computed })
            }
            _ => Ok(()),
        }
    }

    fn read(&mut self) -> Result<Option<Line>, LineProblem> {
        let mut line = Vec::new();
        loop {
            line.clear();
            self.number += 1;
            let limit = MAX_LINE as u64 + 2;
            if io::Read::take(&mut self.from, limit).read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            if line.len() > MAX_LINE {
                return Err(LineProblem::TooLong);
            }
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let fields: Fields = serde_json::from_slice(&line)?;
            self.check_hash(&fields)?;
            if command_that_writes(&fields.event_type).is_some() {
                self.left_out += 1;
                continue;
            }
            let effective_at = match fields.effective_at {
                Moment::Micros(at) => at,
                Moment::Text(text) => match text.parse::<jiff::Timestamp>() {
                    Ok(at) => at.as_microsecond(),
                    Err(_) => return Err(LineProblem::Time(text)),
                },
            };
            let mut draft = Draft::from_parts(
                fields.stream, &fields.event_type, fields.schema, effective_at, fields.payload,
            )?;
            draft.id = fields.id;
            draft.actor = fields.actor;
            return Ok(Some(Line { number: self.number, draft, source_seq: fields.seq }));
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Line, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.read();
        self.ended = !matches!(read, Ok(Some(_)));
        let number = self.number;
        read.map_err(|problem| LineError { number, problem }).transpose()
    }
}
