//! A tournament as a story: what was said, event by event, in the order of the log, corrections in place.

use annals_events::Micros;
use annals_events::story::Teller;
use annals_report::{Cell, Page, Table};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::Answer;
use super::error::QuestionError;
use super::heading::Heading;
use super::opened::Opened;
use crate::point::show;

/// The story of a tournament at a cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct History {
    #[serde(flatten)]
    pub heading: Heading,
    pub events: Vec<HistoryLine>,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryLine {
    pub seq: u64,
    pub at: Micros,
    /// When the log took it.
    pub recorded_at: Micros,
    pub actor: Option<String>,
    pub event: &'static str,
    pub what: String,
    pub why: Option<String>,
}

/// Asks; times inside the stories are told in `zone`.
///
/// # Errors
/// When the log cannot be read.
pub fn ask(opened: &Opened<'_>, zone: &TimeZone) -> Result<History, QuestionError> {
    let time = |at: Micros| show(at, zone);
    let teller = Teller::new(&time).of_game(opened.game());
    let mut events = Vec::new();
    for said in opened.told()?.events {
        let story = said.story(&teller);
        events.push(HistoryLine {
            seq: said.seq,
            at: said.at,
            recorded_at: said.recorded_at,
            actor: opened.actor(said.seq)?,
            event: said.event.type_name(),
            what: story.what,
            why: story.why,
        });
    }
    Ok(History { heading: opened.heading("history"), events })
}

impl Answer for History {
    fn page(&self, zone: &TimeZone) -> Page {
        let mut lines = Vec::new();
        for event in &self.events {
            let actor = event.actor.as_ref().map_or(String::new(), |actor| format!(", by {actor}"));
            lines.push(format!("{}  event {}{actor}", show(event.at, zone), event.seq));
            lines.push(format!("    {}", event.what));
            lines.extend(event.why.iter().map(|why| format!("    why: {why}")));
        }
        self.heading.page(zone).lines("", lines)
    }

    fn table(&self) -> Table {
        Table::of("", &self.events)
            .column("seq", |event| Cell::count(event.seq))
            .column("at", |event| Cell::Time(event.at))
            .column("recorded_at", |event| Cell::Time(event.recorded_at))
            .column("actor", |event| Cell::some(event.actor.as_ref()))
            .column("event", |event| Cell::text(event.event))
            .column("what", |event| Cell::text(&event.what))
            .column("why", |event| Cell::some(event.why.as_ref()))
            .table()
    }
}
