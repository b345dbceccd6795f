//! Importing what happened elsewhere. Nothing is refused as illegal: what the fold says is the flag. A time before what
//! an event rests on is lifted to it, and the stated one kept. Importing the same again changes nothing; importing
//! something else under the same name is an error that says what differs first.

mod outcome;

use std::collections::HashMap;
use std::ops::ControlFlow;

use annals_events::bounds::beyond;
use annals_events::log::Imported;
use annals_events::{Entry, Event, EventId, LOG_STREAM, LogEvent, Micros, RawEnvelope, StreamName};
use annals_store::{EventError, Log, NewEvent, ReadError, Transaction};
use sha2::{Digest as _, Sha256};

use super::dependencies::{Dependencies, Prefix, is_before, is_in_the_future};
use super::draft::Draft;
use super::earliest_times::Cause;
use crate::cut::Cut;
use crate::finding::Finding;
use crate::game::GameReplay;
use crate::people::People;
use crate::point::show;
use crate::projection::fold;
use crate::tournament::TournamentReplay;
use outcome::compare;
pub use outcome::{ImportCounts, ImportError, ImportFlag, SourceNote, StreamImport};

/// How many events go into the log at once.
const BATCH: usize = 5_000;

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
    dependencies: Dependencies,
    streams: HashMap<StreamName, Progress>,
    waiting: Vec<NewEvent>,
    /// The last event of the log as far as decisions have seen it.
    seen: u64,
    counts: ImportCounts,
}

impl<'l> Importer<'l> {
    /// An importer into a log that is open for appending; `actor` is who says what the events do not say of themselves.
    pub fn new(log: &'l mut Log, actor: &str) -> Result<Importer<'l>, ImportError> {
        let seen = log.last_seq()?;
        Ok(Importer {
            log,
            actor: actor.to_owned(),
            dependencies: Dependencies::default(),
            streams: HashMap::new(),
            waiting: Vec::new(),
            seen,
            counts: ImportCounts::default(),
        })
    }

    /// The log, as it is between two batches.
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

    /// As [`Importer::stream`], for a record that has flags of its own: it counts as taken with a flag, whatever the fold
    /// says.
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
        for (version, draft) in (1..).zip(drafts) {
            let stands = self.take(draft)?;
            stand.push(stands.recorded(version, version, stands.effective_at, ""));
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
    pub fn join(&mut self, stream: &StreamName) -> Result<(), ImportError> {
        let progress = Progress { joins: true, ..self.progress(stream)? };
        self.streams.insert(stream.clone(), progress);
        Ok(())
    }

    /// Takes one event, in the order of its source; whether it was new.
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

    /// Takes an event: known already, or waiting to be appended. Gives it as it is in the log.
    fn take(&mut self, draft: &Draft) -> Result<Draft, ImportError> {
        let mut progress = self.progress(&draft.stream)?;
        progress.handed += 1;
        let version = progress.handed;
        let id = draft.id.unwrap_or_else(|| EventId::for_import(progress.digest, version));
        let found = if progress.held > 0 { self.log.find(id)? } else { None };
        let failed = |problem| ImportError::Event { stream: draft.stream.clone(), version, problem };
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
                    let (stream, version) = (draft.stream.clone(), progress.held);
                    return Err(ImportError::WentOn { stream, version, known: progress.known });
                }
                self.counts.streams += u64::from(!progress.grew);
                progress.grew = true;
                self.place(draft, id, version, &failed)?
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
        failed: &dyn Fn(EventError) -> ImportError,
    ) -> Result<Draft, ImportError> {
        let entry = draft.decode().map_err(|error| failed(error.into()))?;
        within_bounds(&draft.stream, version, &entry.event)?;
        let is_correction = matches!(entry.event, Event::Log(LogEvent::Correction(_)));
        if is_correction {
            self.flush()?;
        }
        let prefix = Prefix { log: self.log, up_to: self.seen, held: &|_| None };
        let (floor, _) = self.dependencies.floor(&prefix, &draft.stream, &entry.event)?;
        let stands = match is_before(draft.effective_at, floor).filter(|_| !is_correction) {
            Some(cause) => {
                self.counts.lifted += u64::from(entry.time.is_none());
                draft.lifted(cause.at).map_err(|error| failed(error.into()))?
            }
            None => draft.clone(),
        };
        self.waiting.push(stands.to_new_event(id, &self.actor).map_err(failed)?);
        self.counts.events += 1;
        if is_correction {
            // It changes when earlier events happened; what was known of the stream is read again.
            self.flush()?;
            self.dependencies.forget(&draft.stream);
        } else {
            let cause = Cause { seq: self.seen + self.waiting.len() as u64, at: stands.effective_at };
            self.dependencies.touch(cause, &draft.stream, &entry.event);
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
    pub fn flush(&mut self) -> Result<(), ImportError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let events = std::mem::take(&mut self.waiting);
        let expected = self.dependencies.expectations(self.seen);
        let appended = self.log.append(&Transaction { expected, events })?;
        self.seen = appended.last_seq;
        self.dependencies.settled(self.seen);
        self.counts.first_seq.get_or_insert(appended.first_seq);
        self.counts.last_seq = Some(appended.last_seq);
        Ok(())
    }

    /// Appends what waits, and tells what became of the import.
    pub fn finish(mut self) -> Result<ImportCounts, ImportError> {
        self.flush()?;
        Ok(self.counts)
    }

    /// As [`Importer::finish`], and says in the log itself what was imported, unless the same import has said so before;
    /// `at` is when it was.
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
pub(super) fn digest(name: &str) -> [u8; 8] {
    let digest = Sha256::digest(name.as_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    first
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
