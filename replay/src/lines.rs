//! The log as JSON lines: one envelope a line, in canonical JSON, with the payload exactly as it is stored. What is
//! exported here can be imported into another log, which gives the same events in the same order with new places and
//! hashes; and a line written by hand needs only what nobody can work out: stream, type, time and payload.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::ops::{ControlFlow, RangeInclusive};

use annals_events::log::command_that_writes;
use annals_events::{DecodeError, Event, EventId, Hash, LogEvent, Micros, RawPayload, StreamName, canonical};
use annals_store::chain::{Chain, Hashed, genesis};
use annals_store::{EventRef, Log, ReadError};
use serde::Deserialize;
use serde_json::Value;

use crate::handler::{Draft, ImportError, Importer};
use crate::timeline::CORRECTION;

/// The longest line that is read, in bytes: a payload of the largest size, and room for the rest.
pub const MAX_LINE: usize = 6 << 20;

/// Which events are exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    pub range: RangeInclusive<u64>,
    pub stream: Option<StreamName>,
}

impl Selection {
    /// The whole log.
    #[must_use]
    pub fn all() -> Selection {
        Selection { range: 1..=u64::MAX, stream: None }
    }
}

/// Why an export ended.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the export cannot be written: {0}")]
    Write(#[from] io::Error),
}

/// Writes events as JSON lines; how many.
///
/// # Errors
/// When the log cannot be read, or the writer refuses.
pub fn export(log: &Log, selection: &Selection, mut to: impl Write) -> Result<u64, ExportError> {
    let mut written = 0;
    let mut line = String::new();
    let mut each = |event: EventRef<'_>| {
        if event.seq >= *selection.range.start() {
            line.clear();
            write_line(&mut line, &event);
            to.write_all(line.as_bytes())?;
            written += 1;
        }
        Ok::<_, ExportError>(ControlFlow::Continue(()))
    };
    match &selection.stream {
        Some(stream) => log.scan_stream(stream, *selection.range.end(), each)?,
        None => log.scan(selection.range.clone(), &mut each)?,
    }
    to.flush()?;
    Ok(written)
}

/// The envelope in canonical JSON: its keys in their order, the payload as stored.
fn write_line(line: &mut String, event: &EventRef<'_>) {
    use std::fmt::Write as _;
    let text = |text: &str| Value::String(text.to_owned()).to_string();
    // Writing into a string cannot fail.
    let _ = writeln!(
        line,
        r#"{{"actor":{},"effective_at":{},"hash":"{}","id":"{}","payload":{},"recorded_at":{},"schema":{},"seq":{},"stream":{},"type":{},"version":{}}}"#,
        text(event.actor),
        event.effective_at,
        event.hash,
        event.id,
        event.payload,
        event.recorded_at,
        event.schema,
        event.seq,
        text(event.stream),
        text(event.event_type),
        event.version,
    );
}

/// A line that was read: an event, and where it stood in the log that it was exported from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub number: u64,
    pub draft: Draft,
    /// Its `seq` in the log that it comes from; none for a line written by hand.
    pub source_seq: Option<u64>,
}

/// Why a line is no event.
#[derive(Debug, thiserror::Error)]
#[error("line {number}: {problem}")]
pub struct LineError {
    pub number: u64,
    /// What is wrong with it.
    pub problem: LineProblem,
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum LineProblem {
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("it has more than {MAX_LINE} bytes, so it is no event of a log")]
    TooLong,
    /// It is no JSON object with the members of an event.
    #[error(
        "{0}; a line holds an object with `stream`, `type`, `effective_at` (microseconds since 1970, or a time such \
         as \"2015-04-03T18:00:00Z\") and `payload`, as `annals log export` writes it"
    )]
    Json(#[from] serde_json::Error),
    #[error("`{0}` is no time: write microseconds since 1970, or a time such as \"2015-04-03T18:00:00Z\"")]
    Time(String),
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// Its hash is not that of its fields behind the line before.
    #[error(
        "its `hash` is {stated}, but its fields and the hash of the line before give {computed}: this line was changed \
         after it was exported. Export it again; an event that is written by hand states no `hash`"
    )]
    Hash {
        stated: Hash,
        /// What follows from its fields.
        computed: Hash,
    },
    /// It speaks of an event that the file does not hold.
    #[error(
        "it speaks of event {0} of the log that it was exported from, and that event is not among the lines before \
         it: export the whole stream"
    )]
    NotInFile(u64),
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
}

impl Fields {
    /// The hash of the event, computed behind `previous`, the hash of the event before; none where the line does not state
    /// all that it covers.
    fn computed_hash(&self, previous: &Hash) -> Option<Hash> {
        let Moment::Micros(effective_at) = self.effective_at else { return None };
        let hashed = Hashed {
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
        };
        Some(Chain::default().hash(previous, &hashed))
    }

    /// The hash before the first event of a log, where this is that event.
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

/// Reads events from JSON lines; empty lines are passed over, and so is what only a log itself can say (`log.opened`,
/// `log.loss_acknowledged`, `log.clock_confirmed`). Where a line follows the line before in the log that both come from, its
/// hash is checked. After an error nothing more is read.
#[derive(Debug)]
pub struct Lines<R> {
    from: R,
    number: u64,
    ended: bool,
    left_out: u64,
    /// The place and the hash of the line before, where it states them.
    before: Option<(u64, Hash)>,
}

/// Events of JSON lines, one after the other.
pub fn read_lines<R: BufRead>(from: R) -> Lines<R> {
    Lines { from, number: 0, ended: false, left_out: 0, before: None }
}

impl<R: BufRead> Lines<R> {
    /// How many lines were passed over because only a log itself can say what they say.
    #[must_use]
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
                fields.stream,
                &fields.event_type,
                fields.schema,
                effective_at,
                fields.payload,
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

/// What was read from JSON lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct LineCounts {
    pub events: u64,
    /// Lines passed over because only a log itself can say what they say.
    pub left_out: u64,
}

/// Why JSON lines cannot be imported. What was flushed before stays; importing again goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum ImportLinesError {
    #[error(transparent)]
    Line(#[from] LineError),
    #[error("line {number}: {problem}")]
    Import {
        /// The number of the line, from 1.
        number: u64,
        problem: ImportError,
    },
}

/// Imports JSON lines. Events that speak of others by `seq` (corrections, evidence) speak of the same ones in the new log.
///
/// # Errors
/// When a line is no event, or the log does not take it.
pub fn import_lines(importer: &mut Importer<'_>, from: impl BufRead) -> Result<LineCounts, ImportLinesError> {
    let mut lines = read_lines(from);
    let mut counts = LineCounts::default();
    let mut ids: HashMap<u64, EventId> = HashMap::new();
    for line in lines.by_ref() {
        let mut line = line?;
        let number = line.number;
        let import = |problem| ImportLinesError::Import { number, problem };
        if let Some(seq) = line.source_seq {
            ids.extend(line.draft.id.map(|id| (seq, id)));
            if speaks_of_places(&line.draft) {
                importer.flush().map_err(import)?;
                move_places(&mut line.draft, importer.log(), &ids).map_err(|moved| match moved {
                    Moved::Problem(problem) => LineError { number, problem }.into(),
                    Moved::Read(error) => import(error.into()),
                })?;
            }
        }
        importer.add(&line.draft).map_err(import)?;
        counts.events += 1;
    }
    counts.left_out = lines.left_out();
    Ok(counts)
}

/// Whether an event may name others by their `seq`.
fn speaks_of_places(draft: &Draft) -> bool {
    draft.event_type == CORRECTION
        || draft.event_type == "log.imported"
        || (draft.event_type.starts_with("tournament.") && draft.payload.as_str().contains("\"seq\":"))
}

enum Moved {
    Problem(LineProblem),
    Read(ReadError),
}

/// Replaces each `seq` of the old log by that of the same event in this one.
fn move_places(draft: &mut Draft, log: &Log, ids: &HashMap<u64, EventId>) -> Result<(), Moved> {
    let mut payload: Value =
        serde_json::from_str(draft.payload.as_str()).map_err(|error| Moved::Problem(error.into()))?;
    let keys: &[&str] = match draft.event_type.as_str() {
        CORRECTION => &["corrects"],
        "log.imported" => &["first_seq", "last_seq"],
        _ => &["seq"],
    };
    let mut changed = false;
    each_place(&mut payload, keys, &mut |place| {
        let Some(old) = place.as_u64() else { return Ok(()) };
        let id = ids.get(&old).ok_or(Moved::Problem(LineProblem::NotInFile(old)))?;
        let new = log.find(*id).map_err(Moved::Read)?;
        let new = new.ok_or(Moved::Problem(LineProblem::NotInFile(old)))?.seq;
        changed |= new != old;
        *place = Value::from(new);
        Ok(())
    })?;
    if changed {
        let text = canonical::to_string(&payload)
            .map_err(|error| Moved::Problem(LineProblem::Json(serde::de::Error::custom(error))))?;
        draft.payload = RawPayload::from_stored(text);
    }
    Ok(())
}

fn each_place(
    value: &mut Value,
    keys: &[&str],
    change: &mut dyn FnMut(&mut Value) -> Result<(), Moved>,
) -> Result<(), Moved> {
    match value {
        Value::Object(members) => members.iter_mut().try_for_each(|(key, value)| {
            if keys.contains(&key.as_str()) && value.is_u64() {
                change(value)
            } else if key == "change" {
                // What takes the place of a corrected event says what it says.
                Ok(())
            } else {
                each_place(value, keys, change)
            }
        }),
        Value::Array(elements) => elements.iter_mut().try_for_each(|value| each_place(value, keys, change)),
        _ => Ok(()),
    }
}
