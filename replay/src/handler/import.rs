//! Imports events from other sources. Nothing is refused as illegal: a finding of the fold is a flag. A time before an
//! event on which it depends is raised to that event's time, and the stated one kept. A repeated import changes nothing; importing
//! other events under the same name is an error that states the first difference.

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
use crate::finding::{Finding, IN_THE_FUTURE};
use crate::game::GameReplay;
use crate::people::People;
use crate::point::show;
use crate::projection::fold;
use crate::tournament::TournamentReplay;
use outcome::compare;
pub use outcome::{ImportCounts, ImportError, ImportFlag, SourceNote, StreamImport};

/// The number of events per append.
const BATCH: usize = 5_000;

/// The progress of importing one stream.
#[derive(Debug, Clone, Copy)]
struct Progress {
    digest: [u8; 8],
    /// Its submitted events.
    handed: u64,
    /// The last of them that was in the log, by its place in the stream.
    last_known: u64,
    /// Events of the stream in the log before.
    held: u64,
    grew: bool,
    /// Whether new events may follow events that others have appended.
    joins: bool,
}

/// Imports events of other sources into a log.
#[derive(Debug)]
pub struct Importer<'l> {
    log: &'l mut Log,
    actor: String,
    dependencies: Dependencies,
    streams: HashMap<StreamName, Progress>,
    waiting: Vec<NewEvent>,
    /// The last event of the log that decisions include.
    seen: u64,
    counts: ImportCounts,
}

impl<'l> Importer<'l> {
    /// An importer into a log that is open for appending; `actor` is the actor of events that name none.
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

    /// The log between two batches.
    pub fn log(&self) -> &Log {
        self.log
    }

    /// Imports all events of one stream, from its first, in order; a game of an archive. Returns the findings of the fold.
    ///
    /// # Errors
    /// When the log has other events under that name, or does not accept these.
    pub fn stream(&mut self, drafts: &[Draft]) -> Result<StreamImport, ImportError> {
        self.stream_of_row(drafts, false)
    }

    /// As [`Importer::stream`], for a record that has flags of its own: it counts as imported with a flag, also without findings of the
    /// fold.
    pub fn stream_of_row(&mut self, drafts: &[Draft], flagged: bool) -> Result<StreamImport, ImportError> {
        let (known, events, lifted) = (self.counts.known, self.counts.events, self.counts.lifted);
        // A new stream is imported completely or not at all, so that no game ends before a refused event.
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
            Some(ImportFlag { version: event.version, code: IN_THE_FUTURE, message })
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

    /// Allows new events of a stream to follow those that others have appended: facts with identities of their
    /// own, for a tournament that is being directed. Call it before the first of them.
    pub fn join(&mut self, stream: &StreamName) -> Result<(), ImportError> {
        let progress = Progress { joins: true, ..self.progress(stream)? };
        self.streams.insert(stream.clone(), progress);
        Ok(())
    }

    /// Imports one event, in the order of its source; returns its finding. A raised time is in the counts.
    pub fn add(&mut self, draft: &Draft) -> Result<Option<&'static str>, ImportError> {
        let lifted = self.counts.lifted;
        let stands = self.take(draft)?;
        let finding = self.future(stands.effective_at).map(|_| IN_THE_FUTURE);
        self.row(self.counts.lifted > lifted || finding.is_some());
        Ok(finding)
    }

    /// The time of the log's clock, if `at` is later by more than the tolerance.
    fn future(&self, at: Micros) -> Option<Micros> {
        self.log.now().filter(|now| is_in_the_future(at, *now))
    }

    fn row(&mut self, flagged: bool) {
        let count = if flagged { &mut self.counts.flagged } else { &mut self.counts.accepted };
        *count += 1;
    }

    /// Finds an event in the log, or queues it for the append. Returns it as the log has it.
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
                progress.last_known = progress.last_known.max(found.version);
                self.counts.known += 1;
                Draft { effective_at: found.effective_at, payload: found.payload, ..draft.clone() }
            }
            None => {
                let own = draft.stream.as_str() == LOG_STREAM;
                if progress.last_known < progress.held && !progress.grew && !progress.joins && !own {
                    let (stream, version) = (draft.stream.clone(), progress.held);
                    return Err(ImportError::WentOn { stream, version });
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

    /// Queues a new event, with its time raised to that of the event on which it depends.
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
            // It changes the times of earlier events, so the stream is read again.
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
        Ok(Progress {
            digest: digest(stream.as_str()),
            handed: 0,
            last_known: 0,
            held,
            grew: false,
            joins: false,
        })
    }

    /// Appends the queued events.
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

    /// Appends the queued events, and returns the counts of the import.
    pub fn finish(mut self) -> Result<ImportCounts, ImportError> {
        self.flush()?;
        Ok(self.counts)
    }

    /// As [`Importer::finish`], and records the import in the log, unless the same import is recorded already;
    /// `at` is when it was.
    pub fn finish_with(mut self, source: &SourceNote, at: Micros) -> Result<ImportCounts, ImportError> {
        self.flush()?;
        let counts = self.counts.clone();
        let rows = counts.accepted + counts.flagged + source.rejected + source.left_out;
        // An import without new events adds no second record; if a first one was interrupted before its record, this
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

    /// Whether the log records the import of this source.
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

/// The first eight bytes of the digest that identifies imported events of a stream.
pub(super) fn digest(name: &str) -> [u8; 8] {
    let digest = Sha256::digest(name.as_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    first
}

/// The findings of the fold of a stream's events.
fn findings(events: &[RawEnvelope]) -> Result<Vec<Finding>, ImportError> {
    let family = events.first().map_or("", |event| event.stream.family());
    Ok(match family {
        "game" => fold::<GameReplay>(events, &Cut::NOW)?.0.findings().to_vec(),
        "tournament" => fold::<TournamentReplay>(events, &Cut::NOW)?.0.findings().to_vec(),
        "people" => fold::<People>(events, &Cut::NOW)?.0.findings().to_vec(),
        _ => Vec::new(),
    })
}
