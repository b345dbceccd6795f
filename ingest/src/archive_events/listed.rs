//! The events of archive files with their games, and the inferred rounds of an event.

use std::collections::BTreeMap;

use annals_events::Micros;
use serde::Serialize;

use super::heads::{Head, HeadCounts, heads};
use super::tournament::{EventGames, FromArchive};
use crate::source::SourceFile;

#[derive(Debug, Default, Serialize)]
pub struct EventRow {
    /// As the first game writes it.
    pub event: String,
    pub games: u64,
    /// The earliest stated beginning.
    pub first: Option<Micros>,
    /// The latest stated beginning.
    pub last: Option<Micros>,
}

/// By lower-case name.
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

/// Those with most games first.
#[must_use]
pub fn events_of(files: &[SourceFile]) -> (Vec<EventRow>, HeadCounts) {
    let mut events = Events::default();
    let counts = heads(files, |head| events.see(&head));
    (events.rows(), counts)
}

#[derive(Debug, thiserror::Error)]
#[error("none of {} is of an event `{event}`", rows_in_words(*.rows))]
pub struct NoSuchEvent {
    /// As requested.
    pub event: String,
    /// In all files.
    pub rows: u64,
    pub events: Vec<EventRow>,
}

fn rows_in_words(rows: u64) -> String {
    match rows {
        1 => "the one row".to_owned(),
        rows => format!("the {} rows", annals_report::grouped(rows)),
    }
}

/// The games of an event, ignoring case.
///
/// # Errors
/// If there are none.
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

#[derive(Debug, Serialize)]
pub struct RoundRow {
    /// From 1.
    pub round: usize,
    /// The earliest stated beginning.
    pub first: Option<Micros>,
    /// The latest stated beginning.
    pub last: Option<Micros>,
    pub games: Vec<GameRow>,
}

#[derive(Debug, Serialize)]
pub struct GameRow {
    /// In the gameroom.
    pub game: u64,
    pub gold: String,
    pub silver: String,
    pub result: &'static str,
    /// The first round that the order of games allows.
    pub earliest_round: usize,
    /// The last round that it allows.
    pub latest_round: usize,
}

impl FromArchive {
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
