//! The whole log as it is shown: figures.

use std::collections::BTreeMap;

use annals_events::LogId;
use annals_events::log::ClockKind;
use annals_report::list;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::text;
use crate::cut::Cut;
use crate::finding::Finding;
use crate::point::show;
use crate::summary::{LogSummary, Span};

/// The whole log at a cut, in figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogView {
    /// The point that is shown.
    pub cut: Cut,
    /// The identity of the log.
    pub log: Option<LogId>,
    /// Which clock stamps it: a simulated one makes no record of what happened.
    pub clock: Option<ClockKind>,
    /// The program that opened it.
    pub program: Option<String>,
    /// What it is for.
    pub note: Option<String>,
    /// The last event of the prefix that is looked at.
    pub seq: u64,
    /// Events that stand.
    pub events: u64,
    /// How many of them are replaced by a correction.
    pub replaced: u64,
    /// Streams by family.
    pub streams: BTreeMap<String, usize>,
    /// Events that stand, by type.
    pub types: BTreeMap<String, u64>,
    /// When they happened.
    pub effective: Option<Span>,
    /// When they were recorded.
    pub recorded: Option<Span>,
    /// Imports.
    pub imports: Vec<ImportView>,
    /// Losses that somebody accepted.
    pub losses: Vec<LossView>,
    /// What is wrong with the log's own events.
    pub findings: Vec<Finding>,
}

/// An import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportView {
    /// The event that says so.
    pub seq: u64,
    /// The source.
    pub source: String,
    /// Its digest.
    pub digest: String,
    /// Events appended.
    pub events: u64,
    /// Streams written to.
    pub streams: u64,
}

/// An accepted loss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LossView {
    /// The event that says so.
    pub seq: u64,
    /// The last event that was left.
    pub head_seq: u64,
    /// The last event that had been acknowledged.
    pub anchored_seq: u64,
    /// What is known about it.
    pub reason: String,
}

impl LogView {
    /// What is shown of the log; `seq` is the last event of the prefix.
    #[must_use]
    pub fn of(summary: &LogSummary, seq: u64, cut: &Cut) -> LogView {
        let opened = summary.opened.as_ref();
        LogView {
            cut: *cut,
            log: opened.map(|opened| opened.log_id),
            clock: summary.clock(),
            program: opened.map(|opened| opened.program.clone()),
            note: opened.and_then(|opened| opened.note.clone()),
            seq,
            events: summary.events,
            replaced: summary.replaced,
            streams: summary
                .streams
                .iter()
                .map(|(family, streams)| (family.clone(), streams.len()))
                .collect(),
            types: summary.types.clone(),
            effective: summary.effective,
            recorded: summary.recorded,
            imports: summary
                .imports
                .iter()
                .map(|(seq, imported)| ImportView {
                    seq: *seq,
                    source: imported.source.clone(),
                    digest: imported.digest.clone(),
                    events: imported.events,
                    streams: imported.streams,
                })
                .collect(),
            losses: summary
                .losses
                .iter()
                .map(|(seq, loss)| LossView {
                    seq: *seq,
                    head_seq: loss.head_seq,
                    anchored_seq: loss.anchored_seq,
                    reason: loss.reason.clone(),
                })
                .collect(),
            findings: summary.findings().to_vec(),
        }
    }

    pub(super) fn render(&self, zone: &TimeZone) -> String {
        let what = self.log.map_or("log".to_owned(), |log| format!("log {log}"));
        let mut out = text::heading(&what, &self.cut, zone);
        if let Some(note) = &self.note {
            text::line(&mut out, "For", note);
        }
        match self.clock {
            Some(ClockKind::Simulated) => {
                text::line(&mut out, "Clock", "simulated: the times are no record of what happened");
            }
            Some(ClockKind::Real) => text::line(&mut out, "Clock", "real"),
            None => {}
        }
        if let Some(program) = &self.program {
            text::line(&mut out, "Opened by", program);
        }
        let replaced = if self.replaced > 0 {
            format!(", {} of them as corrected", self.replaced)
        } else {
            String::new()
        };
        text::line(&mut out, "Events", format!("{} stand of {}{replaced}", self.events, self.seq));
        for (label, span) in [("Happened", &self.effective), ("Recorded", &self.recorded)] {
            if let Some(Span { first, last }) = span {
                text::line(&mut out, label, format!("{} to {}", show(*first, zone), show(*last, zone)));
            }
        }
        let count = |(name, count): (&String, String)| vec![name.clone(), count];
        let streams: Vec<Vec<String>> =
            self.streams.iter().map(|(family, n)| count((family, n.to_string()))).collect();
        list(&mut out, "Streams", &text::columns(&streams));
        let types: Vec<Vec<String>> =
            self.types.iter().map(|(name, n)| count((name, n.to_string()))).collect();
        list(&mut out, "Types", &text::columns(&types));
        let imports: Vec<String> = self
            .imports
            .iter()
            .map(|import| {
                let (events, streams) = (import.events, import.streams);
                format!("event {}: {} ({events} events in {streams} streams)", import.seq, import.source)
            })
            .collect();
        list(&mut out, "Imports", &imports);
        let losses: Vec<String> = self
            .losses
            .iter()
            .map(|loss| {
                let (head, anchored) = (loss.head_seq, loss.anchored_seq);
                format!(
                    "event {}: events {} to {anchored} are gone. {}",
                    loss.seq,
                    head.saturating_add(1),
                    loss.reason
                )
            })
            .collect();
        list(&mut out, "Losses accepted", &losses);
        text::findings(&mut out, &self.findings);
        out
    }
}
