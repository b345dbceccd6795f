//! Corrections of a tournament's events, recorded by the cut: what an event was, what it is, and why.

use annals_events::narrative::{Narrative, Narrator};
use annals_events::{Event, LogEvent, Micros, PlayerId, RawEnvelope, Subject, names};
use annals_report::{Cell, Table};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::error::QueryError;
use super::tournament_at::TournamentAt;
use crate::error::ReplayError;
use crate::point::show;
use crate::timeline::{CORRECTION, Corrections};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CorrectionLine {
    pub seq: u64,
    pub at: Micros,
    pub recorded_at: Micros,
    pub actor: String,
    /// The corrected event.
    pub corrects: u64,
    /// With the event before it.
    pub what: String,
    pub why: Option<String>,
    /// The pairings that the event names, before or after.
    #[serde(skip)]
    pub pairings: Vec<annals_events::BoardId>,
    /// The players that the event names, before or after.
    #[serde(skip)]
    pub players: Vec<String>,
}

impl CorrectionLine {
    /// On one line, without its time.
    pub(in crate::queries) fn text(&self) -> String {
        let why = self.why.as_ref().map_or(String::new(), |why| format!(" why: {why}"));
        format!("event {}: {}{why}", self.seq, self.what)
    }
}

/// In log order. `zone` is that of times in the text.
pub fn ask(opened: &TournamentAt<'_>, zone: &TimeZone) -> Result<Vec<CorrectionLine>, QueryError> {
    let (log, cut) = (opened.log(), &opened.cut);
    let last = cut.last_seq(log).map_err(ReplayError::from)?;
    let events = log.stream(&opened.stream, last).map_err(ReplayError::from)?;
    let time = |at: Micros| show(at, zone);
    let names = |player: &PlayerId| opened.name(player);
    let narrator = opened.narrator(&time).with_names(&names);
    let mut corrections = Corrections::default();
    let mut lines = Vec::new();
    for event in &events {
        let Ok(Event::Log(LogEvent::Correction(correction))) = event.decode() else { continue };
        let target = events.iter().find(|target| target.seq == correction.corrects && target.seq < event.seq);
        let Some(target) = target.filter(|target| cut.has_happened(target.seq, target.effective_at)) else {
            continue;
        };
        let before = corrections.effective(target);
        corrections.note(&crate::recorded::reference(event));
        let after = corrections.effective(target);
        let was =
            before.as_ref().map(|before| was(before, after.as_ref(), &narrator, zone)).unwrap_or_default();
        let Narrative { what, why, .. } = narrator.tell_correction(&correction, &target.event_type);
        let (mut pairings, mut players) = (Vec::new(), Vec::new());
        for event in before.iter().chain(&after) {
            note_names(event, &mut pairings, &mut players);
        }
        pairings.dedup();
        lines.push(CorrectionLine {
            seq: event.seq,
            at: event.effective_at,
            recorded_at: event.recorded_at,
            actor: event.actor.clone(),
            corrects: correction.corrects,
            what: format!("{what}{was}"),
            why,
            pairings,
            players,
        });
    }
    Ok(lines)
}

/// What an event was before its correction, and when it had happened if the time was corrected.
fn was(
    before: &RawEnvelope,
    after: Option<&RawEnvelope>,
    narrator: &Narrator<'_>,
    zone: &TimeZone,
) -> String {
    let what =
        |event: &RawEnvelope| narrated(narrator, event).map(|what| what.trim_end_matches('.').to_owned());
    let (was, is) = (what(before), after.and_then(what));
    let moved = after.is_some_and(|after| after.effective_at != before.effective_at);
    let when = show(before.effective_at, zone);
    match was {
        Some(was) if moved && is.as_ref() != Some(&was) => {
            format!(" It was “{was}”, and had happened at {when}.")
        }
        _ if moved => format!(" It had happened at {when}."),
        Some(was) => format!(" It was “{was}”."),
        None => String::new(),
    }
}

fn narrated(narrator: &Narrator<'_>, event: &RawEnvelope) -> Option<String> {
    Some(narrator.narrate(&event.decode_entry().ok()?).what)
}

fn note_names(event: &RawEnvelope, pairings: &mut Vec<annals_events::BoardId>, players: &mut Vec<String>) {
    let Ok(decoded) = event.decode() else { return };
    for subject in names(&event.stream, &decoded) {
        match subject {
            Subject::Pairing { pairing, .. } => pairings.push(pairing),
            Subject::Player(player) => players.push(player.into_owned()),
            _ => {}
        }
    }
}

pub(super) fn table(title: &str, lines: &[CorrectionLine]) -> Table {
    Table::of(title, lines)
        .column("Event", |line| Cell::count(line.seq))
        .column("At", |line| Cell::Time(line.at))
        .column("By", |line| Cell::text(&line.actor))
        .column("What", |line| Cell::text(&line.what))
        .column("Why", |line| Cell::some(line.why.as_ref()))
        .table()
}

/// The type of a correction in answers.
pub(super) const TYPE: &str = CORRECTION;
