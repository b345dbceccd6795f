//! The event history as rows: one event each, with what happened and why.

use std::io;

use annals_events::narrative::Narrative;
use annals_events::{Micros, StreamName};
use annals_report::{Cell, Table};
use annals_store::{Log, ReadError};
use jiff::tz::TimeZone;

use crate::paragraphs::{Paragraphs, Wanted};

/// An event of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    pub seq: u64,
    pub recorded_at: Micros,
    pub actor: String,
    pub stream: StreamName,
    pub version: u64,
    pub event_type: String,
    pub at: Micros,
    pub what: String,
    pub why: Option<String>,
    pub corrected_by: Option<u64>,
}

/// The wanted events of a stream or of the whole log, at most the last `limit`. Times in the texts are in the zone.
///
/// # Errors
/// When the log cannot be read.
pub fn rows(
    log: &Log,
    zone: &TimeZone,
    stream: Option<&StreamName>,
    wanted: &Wanted,
    limit: Option<usize>,
) -> Result<Vec<EventRow>, ReadError> {
    let mut rows = Vec::new();
    let mut nowhere = io::sink();
    let mut narrator = Paragraphs::new(log, zone.clone(), &mut nowhere, false);
    narrator.show_wanted(stream, wanted, limit, |narrator, event| {
        let Narrative { what, why } = narrator.narrative(event)?;
        rows.push(EventRow {
            seq: event.seq,
            recorded_at: event.recorded_at,
            actor: event.actor.clone(),
            stream: event.stream.clone(),
            version: event.version,
            event_type: event.event_type.clone(),
            at: event.effective_at,
            what,
            why,
            corrected_by: None,
        });
        Ok::<(), ReadError>(())
    })?;
    for row in &mut rows {
        row.corrected_by = narrator.corrected_by(row.seq);
    }
    Ok(rows)
}

impl EventRow {
    #[must_use]
    pub fn table(rows: &[EventRow]) -> Table {
        Table::of("", rows)
            .column("seq", |row| Cell::count(row.seq))
            .column("recorded_at", |row| Cell::Time(row.recorded_at))
            .column("actor", |row| Cell::text(&row.actor))
            .column("stream", |row| Cell::text(&row.stream))
            .column("version", |row| Cell::count(row.version))
            .column("event", |row| Cell::text(&row.event_type))
            .column("at", |row| Cell::Time(row.at))
            .column("what", |row| Cell::text(&row.what))
            .column("why", |row| Cell::some(row.why.as_ref()))
            .column("corrected_by", |row| row.corrected_by.map_or(Cell::Empty, Cell::count))
            .table()
    }
}
