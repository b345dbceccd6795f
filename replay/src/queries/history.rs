//! A tournament's events in log order, corrected, with the corrections.

use annals_events::narrative::{Narrative, Narrator};
use annals_events::{Micros, PlayerId, StatedPeriod};
use annals_report::{Cell, Document, Table, ToDocument};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::corrections::{self, CorrectionLine};
use super::error::QueryError;
use super::heading::Heading;
use super::tournament_at::TournamentAt;
use crate::event_history::HistoryEvent;
use crate::point::show;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct History {
    #[serde(flatten)]
    pub heading: Heading,
    pub events: Vec<HistoryLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EventLine {
    pub seq: u64,
    pub at: Micros,
    /// The month, season or year, if no more is stated; `at` is its beginning, or that of a cause within it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated: Option<StatedPeriod>,
    pub event: &'static str,
    pub what: String,
    pub why: Option<String>,
}

impl EventLine {
    pub(super) fn of(said: &HistoryEvent, narrator: &Narrator<'_>) -> EventLine {
        let Narrative { what, why, .. } = said.narrative(narrator);
        let (event, stated) = (said.event.type_name(), said.stated());
        EventLine { seq: said.seq, at: said.at, stated, event, what, why }
    }

    /// When it happened, as stated.
    pub(super) fn when(&self, zone: &TimeZone) -> String {
        self.stated.map_or_else(|| show(self.at, zone), |period| period.to_string())
    }
}

/// An event with time and actor of recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryLine {
    #[serde(flatten)]
    pub line: EventLine,
    pub recorded_at: Micros,
    pub actor: Option<String>,
    /// The last correction of this event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_by: Option<u64>,
}

/// `zone` is that of times in the text.
pub fn ask(opened: &TournamentAt<'_>, zone: &TimeZone) -> Result<History, QueryError> {
    let time = |at: Micros| show(at, zone);
    let names = |player: &PlayerId| opened.name(player);
    let narrator = opened.narrator(&time).with_names(&names);
    let events = lines(opened, &narrator, zone, &|_| true, &|_| true)?;
    Ok(History { heading: opened.heading("history"), events })
}

/// The lines of the events and corrections that are wanted, in log order. `zone` is that of times in the text of corrections.
pub(super) fn lines(
    opened: &TournamentAt<'_>,
    narrator: &Narrator<'_>,
    zone: &TimeZone,
    wanted: &dyn Fn(&HistoryEvent) -> bool,
    wanted_correction: &dyn Fn(&CorrectionLine) -> bool,
) -> Result<Vec<HistoryLine>, QueryError> {
    let mut events = Vec::new();
    for said in opened.event_history()?.events.iter().filter(|said| wanted(said)) {
        let (line, actor) = (EventLine::of(said, narrator), opened.actor(said.seq)?);
        events.push(HistoryLine { line, recorded_at: said.recorded_at, actor, corrected_by: None });
    }
    for correction in corrections::ask(opened, zone)?.into_iter().filter(wanted_correction) {
        let corrected = events.iter_mut().find(|event| event.line.seq == correction.corrects);
        if let Some(corrected) = corrected {
            corrected.corrected_by = Some(correction.seq);
        }
        let CorrectionLine { seq, at, recorded_at, actor, what, why, .. } = correction;
        let line = EventLine { seq, at, stated: None, event: corrections::TYPE, what, why };
        events.push(HistoryLine { line, recorded_at, actor: Some(actor), corrected_by: None });
    }
    events.sort_by_key(|event| event.line.seq);
    Ok(events)
}

impl ToDocument for History {
    fn document(&self, zone: &TimeZone) -> Document {
        let mut lines = Vec::new();
        for HistoryLine { line: event, actor, corrected_by, .. } in &self.events {
            let actor = actor.as_ref().map_or(String::new(), |actor| format!(", by {actor}"));
            lines.push(format!("{}  event {}{actor}", event.when(zone), event.seq));
            lines.push(format!("    {}", event.what));
            lines.extend(event.why.iter().map(|why| format!("    why: {why}")));
            lines.extend(corrected_by.map(|by| format!("    corrected by event {by}")));
        }
        self.heading.document(zone).lines("", lines)
    }

    fn table(&self) -> Table {
        Table::of("", &self.events)
            .column("seq", |event| Cell::count(event.line.seq))
            .column("at", |event| Cell::Time(event.line.at))
            .column("recorded_at", |event| Cell::Time(event.recorded_at))
            .column("actor", |event| Cell::some(event.actor.as_ref()))
            .column("event", |event| Cell::text(event.line.event))
            .column("what", |event| Cell::text(&event.line.what))
            .column("why", |event| Cell::some(event.line.why.as_ref()))
            .column("corrected_by", |event| event.corrected_by.map_or(Cell::Empty, Cell::count))
            .table()
    }
}
