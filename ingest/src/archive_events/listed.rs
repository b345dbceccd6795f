//! The events of archive files, each with its games, and the inferred rounds of one of them.

use std::collections::BTreeMap;

use annals_events::Micros;
use serde::Serialize;

use super::heads::{Head, HeadCounts, heads};
use super::tournament::{EventGames, FromArchive};
use crate::source::SourceFile;

/// An event of the files.
#[derive(Debug, Default, Serialize)]
pub struct EventRow {
    /// Its name as the first game writes it.
    pub event: String,
    /// How many games it has.
    pub games: u64,
    /// When its first game began, as far as games state it.
    pub first: Option<Micros>,
    /// When its last game began.
    pub last: Option<Micros>,
}

/// The events of the files, by their names in lower case.
#[derive(Default)]
struct Events(BTreeMap<String, EventRow>);

impl Events {
    fn see(&mut self, head: &Head) {
        let row = self.0.entry(head.event.to_lowercase()).or_default();
        if row.games == 0 {
            row.event.clone_from(&head.event);
        }
        row.games += 1;
        if let Some(at) = head.started_at.or(head.ended_at) {
            row.first = Some(row.first.map_or(at, |first| first.min(at)));
            row.last = Some(row.last.map_or(at, |last| last.max(at)));
        }
    }

    fn rows(self) -> Vec<EventRow> {
        let mut rows: Vec<EventRow> = self.0.into_values().collect();
        rows.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.event.cmp(&b.event)));
        rows
    }
}

/// The events of archive files, those with most games first.
#[must_use]
pub fn events_of(files: &[SourceFile]) -> (Vec<EventRow>, HeadCounts) {
    let mut events = Events::default();
    let counts = heads(files, |head| events.see(&head));
    (events.rows(), counts)
}

/// The files hold no game of an event.
#[derive(Debug, thiserror::Error)]
#[error("none of {} is of an event `{event}`", rows_in_words(*.rows))]
pub struct NoSuchEvent {
    /// The event as it was named.
    pub event: String,
    /// How many rows there are.
    pub rows: u64,
    /// The events that the files have.
    pub events: Vec<EventRow>,
}

fn rows_in_words(rows: u64) -> String {
    match rows {
        1 => "the one row".to_owned(),
        rows => format!("the {} rows", annals_report::grouped(rows)),
    }
}

/// The games of an event, whose capitals do not matter.
///
/// # Errors
/// When there is none.
pub fn select(event: &str, files: &[SourceFile]) -> Result<(Vec<Head>, HeadCounts), NoSuchEvent> {
    let (mut selected, mut events) = (Vec::new(), Events::default());
    let lower = event.to_lowercase();
    let counts = heads(files, |head| {
        events.see(&head);
        if head.event.to_lowercase() == lower {
            selected.push(head);
        }
    });
    if selected.is_empty() {
        return Err(NoSuchEvent { event: event.to_owned(), rows: counts.rows, events: events.rows() });
    }
    Ok((selected, counts))
}

/// An inferred round.
#[derive(Debug, Serialize)]
pub struct RoundRow {
    /// Its number, from 1.
    pub round: usize,
    /// When its first game began, as far as games state it.
    pub first: Option<Micros>,
    /// When its last game began.
    pub last: Option<Micros>,
    /// Its games.
    pub games: Vec<GameRow>,
}

/// A game of an inferred round.
#[derive(Debug, Serialize)]
pub struct GameRow {
    /// The gameroom's number.
    pub game: u64,
    /// Who had Gold.
    pub gold: String,
    /// Who had Silver.
    pub silver: String,
    /// How it came out.
    pub result: &'static str,
    /// The first round that the order of the games allows.
    pub earliest_round: usize,
    /// The last round that it allows.
    pub latest_round: usize,
}

impl FromArchive {
    /// The inferred rounds with their games.
    #[must_use]
    pub fn round_rows(&self, games: &EventGames) -> Vec<RoundRow> {
        let all: Vec<&Head> = games.games().collect();
        let began = |head: &Head| head.started_at.or(head.ended_at);
        (1..)
            .zip(&self.rounds)
            .map(|(round, inferred)| {
                let of = || inferred.games.iter().filter_map(|placed| Some((placed, *all.get(placed.game)?)));
                let games = of().map(|(placed, head)| {
                    let [gold, silver] = &head.seats;
                    GameRow {
                        game: head.id,
                        gold: gold.name.clone(),
                        silver: silver.name.clone(),
                        result: head.result.word(),
                        earliest_round: placed.earliest,
                        latest_round: placed.latest,
                    }
                });
                let first = of().filter_map(|(_, head)| began(head)).min();
                let last = of().filter_map(|(_, head)| began(head)).max();
                RoundRow { round, first, last, games: games.collect() }
            })
            .collect()
    }
}
