//! Importing what happened elsewhere. Nothing is refused as illegal: what the fold says is the flag. A time before what
//! an event rests on is lifted to it, and the stated one kept. Importing the same again changes nothing; importing
//! something else under the same name is an error that says what differs first.

use std::collections::HashMap;
use std::ops::ControlFlow;

use annals_events::bounds::{Beyond, beyond};
use annals_events::log::Imported;
use annals_events::{
    DecodeError, Entry, Event, EventId, Hash, LOG_STREAM, LogEvent, Micros, RawEnvelope, StreamName, TimeNote,
};
use annals_store::{AppendError, EventError, Log, NewEvent, ReadError, Transaction};
use sha2::{Digest as _, Sha256};

use super::causes::{Causes, Prefix, UNDECIDED, is_before, is_in_the_future};
use super::draft::Draft;
use super::floor::Cause;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::game::GameReplay;
use crate::people::People;
use crate::point::show;
use crate::projection::fold;
use crate::tournament::TournamentReplay;

/// How many events go into the log at once.
const BATCH: usize = 5_000;

/// Why an import cannot go on. What was flushed before stays; importing again goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Append(#[from] AppendError),
    #[error("event {version} of `{stream}`: {problem}")]
    Event {
        stream: StreamName,
        /// Its place in that stream.
        version: u64,
        /// What is wrong with it.
        problem: EventError,
    },
    #[error("event {version} of `{stream}`: {problem}")]
    Decode {
        stream: StreamName,
        /// Its place in that stream.
        version: u64,
        /// What is wrong with it.
        problem: DecodeError,
    },
    #[error("event {version} of `{stream}`: {beyond}")]
    OutOfBounds {
        stream: StreamName,
        /// Its place in that stream.
        version: u64,
        /// Which number, and its bound.
        beyond: Beyond,
    },
    /// The log holds another event in its place.
    #[error(
        "event {version} of `{stream}` is in the log already (event {seq}), but with another {what}: there {there}, \
         here {here}. The source has changed since it was imported; correct event {seq}, or import under another name"
    )]
    Differs {
        stream: StreamName,
        /// Its place in that stream.
        version: u64,
        seq: u64,
        /// What differs first: `type`, `effective time`, `payload`.
        what: &'static str,
        there: String,
        here: String,
    },
    /// The stream has events that did not come from this import.
    #[error(
        "`{stream}` has {version} events in the log, of which this import knows {known}: others have been appended \
         since, and what is new in the source cannot come after them. Import under another name, or append it by hand"
    )]
    WentOn {
        stream: StreamName,
        /// How many events it has.
        version: u64,
        /// How many of them the import knows.
        known: u64,
    },
}

impl From<ReadError> for ImportError {
    fn from(error: ReadError) -> ImportError {
        ImportError::Replay(error.into())
    }
}

/// Something that does not follow in what was imported.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ImportFlag {
    /// The event, by its place in its stream.
    pub version: u64,
    pub code: &'static str,
    pub message: String,
}

/// What became of one stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct StreamImport {
    /// Events that the log held already.
    pub known: u64,
    pub new: u64,
    /// Of the new ones, those whose time was lifted.
    pub lifted: u64,
    pub flags: Vec<ImportFlag>,
}

/// What became of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct ImportCounts {
    /// Rows (streams, or lines) that were taken without a flag.
    pub accepted: u64,
    /// Rows that were taken with a flag.
    pub flagged: u64,
    /// Streams that got new events.
    pub streams: u64,
    pub events: u64,
    /// Events that the log held already.
    pub known: u64,
    /// Events whose time was lifted.
    pub lifted: u64,
    /// The first of the appended events.
    pub first_seq: Option<u64>,
    /// The last of the appended events.
    pub last_seq: Option<u64>,
}

/// What is said of the source in `log.imported`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceNote {
    /// Its name, without its folder.
    pub source: String,
    pub format: String,
    /// The digest of its bytes, `sha256:…`.
    pub digest: String,
    pub bytes: u64,
    pub program: String,
    /// Rows that were refused as unreadable.
    pub rejected: u64,
    /// Rows that were not asked for.
    pub left_out: u64,
}

/// How far the import of one stream has come.
#[derive(Debug, Clone, Copy)]
struct Progress {
    digest: [u8; 8],
    /// Events of it that were handed in.
    handed: u64,
    /// Of them, those that the log held.
    known: u64,
    /// Events that the log held before.
    held: u64,
    grew: bool,
    /// Whether what is new may come after what others have appended.
    joins: bool,
}

/// Takes events from elsewhere into a log.
#[derive(Debug)]
pub struct Importer<'l> {
    log: &'l mut Log,
    actor: String,
    causes: Causes,
    streams: HashMap<StreamName, Progress>,
    waiting: Vec<NewEvent>,
    /// The last event of the log as far as decisions have seen it.
    seen: u64,
    counts: ImportCounts,
}

impl<'l> Importer<'l> {
    /// An importer into a log that is open for appending; `actor` is who says what the events do not say of themselves.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn new(log: &'l mut Log, actor: &str) -> Result<Importer<'l>, ImportError> {
        let seen = log.last_seq()?;
        Ok(Importer {
            log,
            actor: actor.to_owned(),
            causes: Causes::default(),
            streams: HashMap::new(),
            waiting: Vec::new(),
            seen,
            counts: ImportCounts::default(),
        })
    }

    /// The log, as it stands between two batches.
    #[must_use]
    pub fn log(&self) -> &Log {
        self.log
    }

    /// Takes all events of one stream, from its first, in order; a game of an archive. Tells what the fold says of them.
    ///
    /// # Errors
    /// When the log holds something else under that name, or does not take them.
    pub fn stream(&mut self, drafts: &[Draft]) -> Result<StreamImport, ImportError> {
        self.stream_of_row(drafts, false)
    }

    /// As [`Importer::stream`], for a record that bears flags of its own: it counts as taken with a flag, whatever the fold
    /// says.
    ///
    /// # Errors
    /// As [`Importer::stream`].
    pub fn stream_of_row(&mut self, drafts: &[Draft], flagged: bool) -> Result<StreamImport, ImportError> {
        let (known, events, lifted) = (self.counts.known, self.counts.events, self.counts.lifted);
        // All or nothing of a stream that is new, so that no game ends before the event that is refused.
        for (version, draft) in (1..).zip(drafts) {
            if self.progress(&draft.stream)?.held == 0
                && let Ok(entry) = draft.decode()
            {
                within_bounds(&draft.stream, version, &entry.event)?;
            }
        }
        let mut stand = Vec::with_capacity(drafts.len());
        for draft in drafts {
            let stands = self.take(draft)?;
            stand.push(envelope(stands, stand.len() as u64 + 1));
        }
        let mut flags: Vec<ImportFlag> = findings(&stand)?
            .into_iter()
            .map(|finding| ImportFlag { version: finding.seq, code: finding.code, message: finding.message })
            .collect();
        flags.extend(stand.iter().filter_map(|event| {
            let now = self.future(event.effective_at)?;
            let utc = jiff::tz::TimeZone::UTC;
            let (at, now) = (show(event.effective_at, &utc), show(now, &utc));
            let message = format!("it is said to happen {at}, but the clock of the log shows {now}");
            Some(ImportFlag { version: event.version, code: "in_the_future", message })
        }));
        let import = StreamImport {
            known: self.counts.known - known,
            new: self.counts.events - events,
            lifted: self.counts.lifted - lifted,
            flags,
        };
        self.row(flagged || !import.flags.is_empty() || import.lifted > 0);
        Ok(import)
    }

    /// Says that what is new for a stream may come after what others have appended there: facts with identities of their
    /// own, handed in for a tournament that is being run. Call it before the first of them.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn join(&mut self, stream: &StreamName) -> Result<(), ImportError> {
        let progress = Progress { joins: true, ..self.progress(stream)? };
        self.streams.insert(stream.clone(), progress);
        Ok(())
    }

    /// Takes one event, in the order of its source; whether it was new.
    ///
    /// # Errors
    /// As [`Importer::stream`].
    pub fn add(&mut self, draft: &Draft) -> Result<bool, ImportError> {
        let (events, lifted) = (self.counts.events, self.counts.lifted);
        let stands = self.take(draft)?;
        self.row(self.counts.lifted > lifted || self.future(stands.effective_at).is_some());
        Ok(self.counts.events > events)
    }

    /// What the clock of the log shows, where a time is well after it.
    fn future(&self, at: Micros) -> Option<Micros> {
        self.log.now().filter(|now| is_in_the_future(at, *now))
    }

    fn row(&mut self, flagged: bool) {
        let count = if flagged { &mut self.counts.flagged } else { &mut self.counts.accepted };
        *count += 1;
    }

    /// Takes an event: known already, or waiting to be appended. Gives it as it stands in the log.
    fn take(&mut self, draft: &Draft) -> Result<Draft, ImportError> {
        let mut progress = self.progress(&draft.stream)?;
        progress.handed += 1;
        let version = progress.handed;
        let id = draft.id.unwrap_or_else(|| EventId::for_import(progress.digest, version));
        let found = if progress.held > 0 { self.log.find(id)? } else { None };
        let decode = |problem| ImportError::Decode { stream: draft.stream.clone(), version, problem };
        let stands = match found {
            Some(found) => {
                compare(&found, draft, version).map_err(|differs| *differs)?;
                progress.known += 1;
                self.counts.known += 1;
                Draft { effective_at: found.effective_at, payload: found.payload, ..draft.clone() }
            }
            None => {
                let own = draft.stream.as_str() == LOG_STREAM;
                if progress.known < progress.held && !progress.grew && !progress.joins && !own {
                    let stream = draft.stream.clone();
                    return Err(ImportError::WentOn {
                        stream,
                        version: progress.held,
                        known: progress.known,
                    });
                }
                self.counts.streams += u64::from(!progress.grew);
                progress.grew = true;
                self.place(draft, id, version, &decode)?
            }
        };
        self.streams.insert(draft.stream.clone(), progress);
        if self.waiting.len() >= BATCH {
            self.flush()?;
        }
        Ok(stands)
    }

    /// Puts a new event in line, its time lifted to what it rests on.
    fn place(
        &mut self,
        draft: &Draft,
        id: EventId,
        version: u64,
        decode: &dyn Fn(DecodeError) -> ImportError,
    ) -> Result<Draft, ImportError> {
        let entry = draft.decode().map_err(decode)?;
        within_bounds(&draft.stream, version, &entry.event)?;
        let is_correction = matches!(entry.event, Event::Log(LogEvent::Correction(_)));
        if is_correction {
            self.flush()?;
        }
        let prefix = Prefix { log: self.log, up_to: self.seen, held: &|_| None };
        let (floor, _) = self.causes.floor(&prefix, &draft.stream, &entry.event)?;
        let stands = match is_before(draft.effective_at, floor).filter(|_| !is_correction) {
            Some(cause) => {
                self.counts.lifted += u64::from(entry.time.is_none());
                draft.lifted(cause.at).map_err(decode)?
            }
            None => draft.clone(),
        };
        let event = stands.to_new_event(id, &self.actor).map_err(|problem| {
            let stream = draft.stream.clone();
            ImportError::Event { stream, version, problem }
        })?;
        self.waiting.push(event);
        self.counts.events += 1;
        if is_correction {
            // It changes when earlier events happened; what was known of the stream is read again.
            self.flush()?;
            self.causes.forget(&draft.stream);
        } else {
            let cause = Cause { seq: self.seen + self.waiting.len() as u64, at: stands.effective_at };
            self.causes.touch(cause, &draft.stream, &entry.event);
        }
        Ok(stands)
    }

    fn progress(&self, stream: &StreamName) -> Result<Progress, ImportError> {
        if let Some(progress) = self.streams.get(stream) {
            return Ok(*progress);
        }
        let held = self.log.stream_info(stream)?.map_or(0, |info| info.version);
        Ok(Progress { digest: digest(stream.as_str()), handed: 0, known: 0, held, grew: false, joins: false })
    }

    /// Appends what waits.
    ///
    /// # Errors
    /// When the log does not take it.
    pub fn flush(&mut self) -> Result<(), ImportError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let events = std::mem::take(&mut self.waiting);
        let expected = self.causes.expectations(self.seen);
        let appended = self.log.append(&Transaction { expected, events })?;
        self.seen = appended.last_seq;
        self.causes.settled(self.seen);
        self.counts.first_seq.get_or_insert(appended.first_seq);
        self.counts.last_seq = Some(appended.last_seq);
        Ok(())
    }

    /// Appends what waits, and tells what became of the import.
    ///
    /// # Errors
    /// When the log does not take it.
    pub fn finish(mut self) -> Result<ImportCounts, ImportError> {
        self.flush()?;
        Ok(self.counts)
    }

    /// As [`Importer::finish`], and says in the log itself what was imported, unless the same import has said so before;
    /// `at` is when it was.
    ///
    /// # Errors
    /// When the log does not take it.
    pub fn finish_with(mut self, source: &SourceNote, at: Micros) -> Result<ImportCounts, ImportError> {
        self.flush()?;
        let counts = self.counts.clone();
        let rows = counts.accepted + counts.flagged + source.rejected + source.left_out;
        // An import that brought nothing leaves no second record; where a first one was cut off before its record, this
        // one is it.
        if counts.events == 0 && self.is_recorded(source)? {
            return Ok(counts);
        }
        let name = format!("log.imported {} {}", source.source, source.digest);
        let id = EventId::for_import(digest(&name), counts.first_seq.unwrap_or(0));
        let imported = Imported {
            source: source.source.clone(),
            format: source.format.clone(),
            digest: source.digest.clone(),
            bytes: source.bytes,
            program: source.program.clone(),
            rows,
            accepted: counts.accepted,
            flagged: counts.flagged,
            rejected: source.rejected,
            left_out: source.left_out,
            streams: counts.streams,
            events: counts.events,
            known_before: counts.known,
            first_seq: counts.first_seq,
            last_seq: counts.last_seq,
        };
        let event = |problem| ImportError::Event { stream: log_stream(), version: 0, problem };
        let entry = Entry::from(Event::from(LogEvent::Imported(imported)));
        let event = NewEvent::new(log_stream(), id, at, &self.actor, &entry).map_err(event)?;
        self.log.append(&Transaction::of(vec![event]))?;
        Ok(counts)
    }

    /// Whether the log says that this very source was imported.
    fn is_recorded(&self, source: &SourceNote) -> Result<bool, ReadError> {
        let mut recorded = false;
        self.log.scan_stream(&log_stream(), u64::MAX, |event| {
            if let Ok(Event::Log(LogEvent::Imported(imported))) =
                Event::from_payload(event.event_type, event.schema, event.payload)
            {
                recorded |= imported.source == source.source && imported.digest == source.digest;
            }
            Ok::<_, ReadError>(ControlFlow::Continue(()))
        })?;
        Ok(recorded)
    }
}

fn within_bounds(stream: &StreamName, version: u64, event: &Event<'_>) -> Result<(), ImportError> {
    match beyond(event) {
        None => Ok(()),
        Some(beyond) => Err(ImportError::OutOfBounds { stream: stream.clone(), version, beyond }),
    }
}

fn log_stream() -> StreamName {
    // The name is a constant of the vocabulary, and a test there reads it.
    LOG_STREAM.parse().unwrap_or_else(|_| unreachable!("`{LOG_STREAM}` is the name of a stream"))
}

/// The first eight bytes of the digest by which imported events of a stream are known.
fn digest(name: &str) -> [u8; 8] {
    let digest = Sha256::digest(name.as_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    first
}

/// Whether the log's event is the one that the source tells of, its time perhaps lifted.
fn compare(found: &RawEnvelope, draft: &Draft, version: u64) -> Result<(), Box<ImportError>> {
    let differs = |what, there: String, here: String| {
        let short = |text: String| text.chars().take(300).collect();
        Err(Box::new(ImportError::Differs {
            stream: draft.stream.clone(),
            version,
            seq: found.seq,
            what,
            there: short(there),
            here: short(here),
        }))
    };
    if found.stream != draft.stream {
        return differs("stream", found.stream.to_string(), draft.stream.to_string());
    }
    if found.event_type != draft.event_type {
        return differs("type", found.event_type.clone(), draft.event_type.clone());
    }
    if found.effective_at == draft.effective_at && found.payload == draft.payload {
        return Ok(());
    }
    let (Ok(there), Ok(here)) = (found.decode_entry(), draft.decode()) else {
        return differs("payload", found.payload.to_string(), draft.payload.to_string());
    };
    if there.event != here.event {
        return differs("payload", found.payload.to_string(), draft.payload.to_string());
    }
    let same_time = match (there.time, here.time) {
        (Some(TimeNote::Lifted { stated_at }), None) => stated_at == draft.effective_at,
        // The earliest possible time may have been moved on to what the event rests on.
        (Some(TimeNote::Unknown), Some(TimeNote::Unknown)) => found.effective_at >= draft.effective_at,
        (there, here) => there == here && found.effective_at == draft.effective_at,
    };
    if same_time {
        Ok(())
    } else {
        differs("effective time", found.effective_at.to_string(), draft.effective_at.to_string())
    }
}

fn envelope(draft: Draft, seq: u64) -> RawEnvelope {
    RawEnvelope {
        seq,
        stream: draft.stream,
        version: seq,
        id: draft.id.unwrap_or(UNDECIDED),
        event_type: draft.event_type,
        schema: draft.schema,
        effective_at: draft.effective_at,
        recorded_at: draft.effective_at,
        actor: draft.actor.unwrap_or_default(),
        payload: draft.payload,
        hash: Hash([0; 32]),
    }
}

/// What the fold says of the events of a stream.
fn findings(events: &[RawEnvelope]) -> Result<Vec<Finding>, ImportError> {
    let family = events.first().map_or("", |event| event.stream.family());
    Ok(match family {
        "game" => fold::<GameReplay>(events, &Cut::NOW)?.0.findings().to_vec(),
        "tournament" => fold::<TournamentReplay>(events, &Cut::NOW)?.0.findings().to_vec(),
        "people" => fold::<People>(events, &Cut::NOW)?.0.findings().to_vec(),
        _ => Vec::new(),
    })
}
