//! The log as a view.

use annals_events::LogId;
use annals_events::log::ClockKind;
use annals_report::{Cell, Document, Table};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::text;
use crate::cut::Cut;
use crate::point::show;
use crate::summary::{Import, LogSummary, Loss, Span};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogView {
    pub cut: Cut,
    pub log: Option<LogId>,
    /// A simulated clock makes no historical record.
    pub clock: Option<ClockKind>,
    /// The program that opened it.
    pub program: Option<String>,
    pub note: Option<String>,
    /// The last event of the prefix.
    pub seq: u64,
    #[serde(flatten)]
    pub summary: LogSummary,
}

impl LogView {
    pub fn of(summary: LogSummary, seq: u64, cut: &Cut) -> LogView {
        let opened = summary.opened.as_ref();
        LogView {
            cut: *cut,
            log: opened.map(|opened| opened.log_id),
            clock: opened.map(|opened| opened.clock),
            program: opened.map(|opened| opened.program.clone()),
            note: opened.and_then(|opened| opened.note.clone()),
            seq,
            summary,
        }
    }

    pub(super) fn document(&self, zone: &TimeZone) -> Document {
        let what = self.log.map_or("log".to_owned(), |log| format!("log {log}"));
        let clock = self.clock.map(|clock| match clock {
            ClockKind::Simulated => "simulated: the times are no record of what happened",
            ClockKind::Real => "real",
        });
        let summary = &self.summary;
        let replaced = match summary.replaced {
            0 => String::new(),
            replaced => format!(", {replaced} of them as corrected"),
        };
        let span = |span: Option<Span>| {
            Cell::some(
                span.map(|Span { first, last }| format!("{} to {}", show(first, zone), show(last, zone))),
            )
        };
        let import = |import: &Import| {
            let Import { seq, source, events, streams, .. } = import;
            format!("event {seq}: {source} ({events} events in {streams} streams)")
        };
        let loss = |loss: &Loss| {
            let Loss { seq, head_seq, anchored_seq, reason } = loss;
            let first = head_seq.saturating_add(1);
            let gone = match anchored_seq {
                0 => "how many events had been acknowledged is not known".to_owned(),
                last if *last >= first => format!("events {first} to {last} are gone"),
                last => format!("what had been acknowledged up to event {last} is no longer borne out"),
            };
            format!("event {seq}: {gone}. {reason}")
        };
        Document::new(text::heading(&what, &self.cut, zone))
            .facts(vec![
                ("For", Cell::some(self.note.as_ref())),
                ("Clock", Cell::some(clock)),
                ("Opened by", Cell::some(self.program.as_ref())),
                ("Events", Cell::Text(format!("{} stand of {}{replaced}", summary.events, self.seq))),
                ("Happened", span(summary.effective)),
                ("Recorded", span(summary.recorded)),
            ])
            .table(counts("Streams", summary.streams.iter().map(|(family, streams)| (family, streams.len()))))
            .table(counts("Types", &summary.types))
            .lines("Imports", summary.imports.iter().map(import).collect())
            .lines("Losses accepted", summary.losses.iter().map(loss).collect())
            .lines("Findings", text::findings(summary.findings()))
    }
}

fn counts<'n>(title: &str, counts: impl IntoIterator<Item = (&'n String, impl ToString)>) -> Table {
    let rows = counts.into_iter().map(|(name, count)| vec![Cell::text(name), Cell::text(count)]);
    Table::bare(title, rows.collect())
}
