//! The whole log as it is shown: figures.

use std::collections::BTreeMap;

use annals_events::LogId;
use annals_events::log::ClockKind;
use annals_report::{Cell, Page};
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
    pub note: Option<String>,
    /// The last event of the prefix that is looked at.
    pub seq: u64,
    pub events: u64,
    /// How many of them are replaced by a correction.
    pub replaced: u64,
    pub streams: BTreeMap<String, usize>,
    /// Events that stand, by type.
    pub types: BTreeMap<String, u64>,
    pub effective: Option<Span>,
    pub recorded: Option<Span>,
    pub imports: Vec<ImportView>,
    pub losses: Vec<LossView>,
    /// What is wrong with the log's own events.
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportView {
    pub seq: u64,
    pub source: String,
    pub digest: String,
    pub events: u64,
    pub streams: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LossView {
    pub seq: u64,
    pub head_seq: u64,
    pub anchored_seq: u64,
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

    pub(super) fn page(&self, zone: &TimeZone) -> Page {
        let what = self.log.map_or("log".to_owned(), |log| format!("log {log}"));
        let clock = self.clock.map(|clock| match clock {
            ClockKind::Simulated => "simulated: the times are no record of what happened",
            ClockKind::Real => "real",
        });
        let replaced = match self.replaced {
            0 => String::new(),
            replaced => format!(", {replaced} of them as corrected"),
        };
        let span = |span: Option<Span>| {
            Cell::some(
                span.map(|Span { first, last }| format!("{} to {}", show(first, zone), show(last, zone))),
            )
        };
        let import = |import: &ImportView| {
            let ImportView { seq, source, events, streams, .. } = import;
            format!("event {seq}: {source} ({events} events in {streams} streams)")
        };
        let loss = |loss: &LossView| {
            let LossView { seq, head_seq, anchored_seq, reason } = loss;
            format!("event {seq}: events {} to {anchored_seq} are gone. {reason}", head_seq.saturating_add(1))
        };
        Page::new(text::heading(&what, &self.cut, zone).trim_end())
            .facts(vec![
                ("For", Cell::some(self.note.as_ref())),
                ("Clock", Cell::some(clock)),
                ("Opened by", Cell::some(self.program.as_ref())),
                ("Events", Cell::Text(format!("{} stand of {}{replaced}", self.events, self.seq))),
                ("Happened", span(self.effective)),
                ("Recorded", span(self.recorded)),
            ])
            .lines("Streams", counts(&self.streams))
            .lines("Types", counts(&self.types))
            .lines("Imports", self.imports.iter().map(import).collect())
            .lines("Losses accepted", self.losses.iter().map(loss).collect())
            .lines("Findings", text::findings(&self.findings))
    }
}

fn counts(counts: &BTreeMap<String, impl ToString>) -> Vec<String> {
    let row = |(name, count): (&String, _)| vec![name.clone(), ToString::to_string(count)];
    text::columns(&counts.iter().map(row).collect::<Vec<_>>())
}
