//! The log at a cut in figures: events by type, streams, times, corrections, imports, losses.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::log::{Imported, LossAcknowledged, Opened};
use annals_events::{Event, LogEvent, Micros};
use serde::Serializer;

use crate::finding::Finding;
use crate::projection::Projection;
use crate::timeline::EffectiveEvent;

/// First and last, in microseconds since the epoch.
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

/// With its event.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Import {
    pub seq: u64,
    pub source: String,
    pub digest: String,
    pub events: u64,
    pub streams: u64,
}

/// With its event.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Loss {
    pub seq: u64,
    pub head_seq: u64,
    pub anchored_seq: u64,
    pub reason: String,
}

/// Struck events and corrections do not count among the types.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct LogSummary {
    /// From the first event.
    #[serde(skip)]
    pub opened: Option<Opened>,
    pub events: u64,
    /// Replaced by a correction.
    pub replaced: u64,
    /// By family; in JSON their number.
    #[serde(serialize_with = "sizes")]
    pub streams: BTreeMap<String, BTreeSet<String>>,
    /// Counting events, by type.
    pub types: BTreeMap<String, u64>,
    pub effective: Option<Span>,
    pub recorded: Option<Span>,
    pub imports: Vec<Import>,
    pub losses: Vec<Loss>,
    findings: Vec<Finding>,
    /// Of the last event.
    #[serde(skip)]
    last_stream: String,
}

fn sizes<S: Serializer>(of: &BTreeMap<String, BTreeSet<String>>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(of.iter().map(|(name, all)| (name, all.len())))
}

impl Projection for LogSummary {
    fn apply(&mut self, event: &EffectiveEvent<'_>) {
        self.events += 1;
        self.replaced += u64::from(event.corrected_by.is_some());
        // Copies only new names.
        match self.types.get_mut(event.event_type) {
            Some(count) => *count += 1,
            None => drop(self.types.insert(event.event_type.to_owned(), 1)),
        }
        self.note_stream(event.stream);
        Span::widen(&mut self.effective, event.effective_at);
        Span::widen(&mut self.recorded, event.recorded_at);
        if event.event_type.starts_with("log.") {
            match event.decode().map(|entry| entry.event) {
                Ok(Event::Log(LogEvent::Opened(opened))) => self.opened = Some(opened),
                Ok(Event::Log(LogEvent::Imported(Imported { source, digest, events, streams, .. }))) => {
                    self.imports.push(Import { seq: event.seq, source, digest, events, streams });
                }
                Ok(Event::Log(LogEvent::LossAcknowledged(loss))) => {
                    let LossAcknowledged { head_seq, anchored_seq, reason, .. } = loss;
                    self.losses.push(Loss { seq: event.seq, head_seq, anchored_seq, reason });
                }
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
    fn note_stream(&mut self, stream: &str) {
        // Consecutive events often share a stream; the full set is large.
        if self.last_stream == stream {
            return;
        }
        stream.clone_into(&mut self.last_stream);
        let family = stream.split_once('/').map_or("", |(family, _)| family);
        if !self.streams.get(family).is_some_and(|streams| streams.contains(stream)) {
            self.streams.entry(family.to_owned()).or_default().insert(stream.to_owned());
        }
    }

    /// Findings on the log's own events and corrections only.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}
