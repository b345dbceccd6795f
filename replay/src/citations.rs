//! Citations of an event and of a tournament at a cut.

use annals_events::{Micros, PROGRAM, RawEnvelope, TimeNote};
use annals_report::{Citation, Cited, CitedDate};
use annals_store::{Log, ReadError};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::cut::Cut;
use crate::identifier::{Identifier, Prefix};
use crate::point::show;
use crate::queries::{Phase, TournamentAt};
use crate::view::text::point;

/// None if the log has no such event.
///
/// # Errors
/// If the log cannot be read.
pub fn of_event(log: &Log, seq: u64) -> Result<Option<Citation>, ReadError> {
    let Some(event) = log.event(seq)? else { return Ok(None) };
    let of = Prefix { log: log.id(), seq, hash: event.hash };
    Ok(Some(event_of(&event, Identifier::Event(of))))
}

fn event_of(event: &RawEnvelope, identifier: Identifier) -> Citation {
    let stated = match event.decode_entry().ok().and_then(|entry| entry.time) {
        Some(TimeNote::Stated(period)) => Some(format!("Happened in {period}, as stated")),
        Some(TimeNote::Unknown) => Some("The source does not state when it happened".to_owned()),
        Some(TimeNote::Lifted { .. }) | None => None,
    };
    let date = if stated.is_none() { day(event.effective_at) } else { None };
    let recorded = show(event.recorded_at, &TimeZone::UTC);
    Citation {
        cited: Cited::Event,
        key: format!("event-{}", event.seq),
        title: format!("Event {}: {}", event.seq, event.event_type),
        part_of: Some(event.stream.to_string()),
        date,
        place: None,
        archive: archive(&identifier),
        notes: stated.into_iter().chain([format!("Recorded {recorded} by {}", event.actor)]).collect(),
        identifier: identifier.to_string(),
        program: PROGRAM.to_owned(),
    }
}

/// None without an event.
///
/// # Errors
/// If the log cannot be read.
pub fn of_tournament(log: &Log, at: &TournamentAt<'_>) -> Result<Option<Citation>, ReadError> {
    let Some(identifier) = Identifier::of_stream(log, &at.stream, &at.cut)? else { return Ok(None) };
    let tournament = at.tournament();
    let announced = tournament.announced.as_ref();
    let site = announced.and_then(|announced| announced.site.clone());
    let year = announced.and_then(|announced| announced.year).and_then(|year| i16::try_from(year).ok());
    let rounds = match tournament.rounds.len() {
        0 => Phase::of(tournament).word().to_owned(),
        rounds => {
            format!("{}, {}", Phase::of(tournament).word(), annals_report::counted(rounds as u64, "round"))
        }
    };
    Ok(Some(Citation {
        cited: Cited::Tournament,
        key: at.stream.name().to_owned(),
        title: announced.map_or_else(|| at.stream.name().to_owned(), |announced| announced.name.clone()),
        part_of: Some(at.stream.to_string()),
        date: year.map(CitedDate::Year),
        place: site,
        archive: archive(&identifier),
        notes: vec![format!("State {}: {rounds}", in_words(&at.cut))],
        identifier: identifier.to_string(),
        program: PROGRAM.to_owned(),
    }))
}

/// The point in time that is cited.
#[must_use]
pub fn in_words(cut: &Cut) -> String {
    point(cut, &TimeZone::UTC)
}

/// The archive that an identifier names, as words.
#[must_use]
pub fn archive(identifier: &Identifier) -> Option<String> {
    let dataset = |digest: &annals_events::Hash| Some(format!("Annals dataset {digest}"));
    match identifier {
        Identifier::Dataset { digest } | Identifier::StoredGame { digest, .. } => dataset(digest),
        other => other.prefix().map(|of| format!("Annals log {}, events 1 to {}", of.log, of.seq)),
    }
}

/// The day of a time, UTC.
#[must_use]
pub fn day(at: Micros) -> Option<CitedDate> {
    let at = Timestamp::from_microsecond(at).ok()?;
    Some(CitedDate::Day(at.to_zoned(TimeZone::UTC).date()))
}
