//! The whole log at a cut, in figures: how many events of which types in how many streams, from when to when, what was
//! corrected, imported, lost.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::log::{ClockKind, Imported, LossAcknowledged, Opened};
use annals_events::{Event, LogEvent, Micros};

use crate::finding::Finding;
use crate::projection::Projection;
use crate::timeline::Standing;

/// The first and the last of something, in microseconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Span {
    pub first: Micros,
    pub last: Micros,
}

impl Span {
    fn widen(span: &mut Option<Span>, at: Micros) {
        let old = span.get_or_insert(Span { first: at, last: at });
        *old = Span { first: old.first.min(at), last: old.last.max(at) };
    }
}

/// The whole log in figures. Struck events and corrections are not counted among the types, since they do not stand.
#[derive(Debug, Clone, Default)]
pub struct LogSummary {
    /// What the first event says of the log.
    pub opened: Option<Opened>,
    pub events: u64,
    /// How many of them are replaced by a correction.
    pub replaced: u64,
    /// Events that stand, by type.
    pub types: BTreeMap<String, u64>,
    /// The streams that they are in, by family.
    pub streams: BTreeMap<String, BTreeSet<String>>,
    pub effective: Option<Span>,
    pub recorded: Option<Span>,
    /// Imports, with the event that says so.
    pub imports: Vec<(u64, Imported)>,
    /// Losses that somebody accepted, with the event that says so.
    pub losses: Vec<(u64, LossAcknowledged)>,
    findings: Vec<Finding>,
}

impl Projection for LogSummary {
    fn apply(&mut self, event: &Standing<'_>) {
        self.events += 1;
        self.replaced += u64::from(event.corrected_by.is_some());
        match self.types.get_mut(event.event_type) {
            Some(count) => *count += 1,
            None => {
                self.types.insert(event.event_type.to_owned(), 1);
            }
        }
        let family = event.stream.split_once('/').map_or("", |(family, _)| family);
        match self.streams.get_mut(family) {
            Some(streams) if streams.contains(event.stream) => {}
            Some(streams) => {
                streams.insert(event.stream.to_owned());
            }
            None => {
                self.streams.insert(family.to_owned(), BTreeSet::from([event.stream.to_owned()]));
            }
        }
        Span::widen(&mut self.effective, event.effective_at);
        Span::widen(&mut self.recorded, event.recorded_at);
        if event.event_type.starts_with("log.") {
            match event.decode().map(|entry| entry.event) {
                Ok(Event::Log(LogEvent::Opened(opened))) => self.opened = Some(opened),
                Ok(Event::Log(LogEvent::Imported(imported))) => self.imports.push((event.seq, imported)),
                Ok(Event::Log(LogEvent::LossAcknowledged(loss))) => self.losses.push((event.seq, loss)),
                Ok(_) => {}
                Err(error) => self.find(Finding::new(event.seq, "unreadable", error.to_string())),
            }
        }
    }

    fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}

impl LogSummary {
    /// Which clock stamps the log, where its first event is among those counted.
    #[must_use]
    pub fn clock(&self) -> Option<ClockKind> {
        self.opened.as_ref().map(|opened| opened.clock)
    }

    /// What is wrong with the log's own events and with corrections. Whether games and tournaments follow their rules
    /// is not looked into here.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}
