//! A tournament as a story: what was said, event by event, in the order of the log, corrections in place.

use annals_events::Micros;
use annals_events::story::Teller;
use annals_report::{Cell, Page, Table};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::Answer;
use super::error::QuestionError;
use super::opened::Opened;
use crate::cut::Cut;
use crate::point::show;
use crate::view::text::heading;

/// The story of a tournament at a cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct History {
    /// The tournament.
    pub tournament: String,
    /// The name as it is shown.
    pub title: String,
    /// The point that is shown.
    pub cut: Cut,
    /// The events.
    pub events: Vec<HistoryLine>,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryLine {
    /// Its position in the log.
    pub seq: u64,
    /// When it happened.
    pub at: Micros,
    /// When the log took it.
    pub recorded_at: Micros,
    /// Who recorded it.
    pub actor: Option<String>,
    /// Its type, e.g. `tournament.round_paired`.
    pub event: &'static str,
    /// What happened.
    pub what: String,
    /// Why.
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
    Ok(History {
        tournament: opened.stream.name().to_owned(),
        title: opened.title("history"),
        cut: opened.cut,
        events,
    })
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
        Page::new(heading(&self.title, &self.cut, zone).trim_end()).lines("", lines)
    }

    fn table(&self) -> Table {
        let mut table = Table::new("", &["Seq", "At", "Recorded at", "Actor", "Event", "What", "Why"]);
        for event in &self.events {
            let text = |words: &Option<String>| words.as_ref().map_or(Cell::Empty, Cell::text);
            table.rows.push(vec![
                Cell::Number(i64::try_from(event.seq).unwrap_or(i64::MAX)),
                Cell::Time(event.at),
                Cell::Time(event.recorded_at),
                text(&event.actor),
                Cell::text(event.event),
                Cell::text(&event.what),
                text(&event.why),
            ]);
        }
        table.for_programs()
    }
}
