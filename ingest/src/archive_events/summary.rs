//! What the imports of archive files print.

use std::collections::BTreeMap;

use annals_events::{Micros, PlayerId, StreamName};
use annals_report::{counted, first_lines, grouped, time};
use annals_tournaments::qualifying::Period;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{EventGames, EventRow, FromArchive, HeadCounts, QualifyingRows, QualifyingTally, RoundRow};

/// Rounds that are shown.
const ROUNDS_SHOWN: usize = 30;

/// What an import prints of the games of an event.
#[derive(Debug, Serialize)]
pub struct EventSummary<'s> {
    pub event: &'s str,
    pub rounds_inferred: bool,
    pub byes_inferred: bool,
    pub players: usize,
    pub games: usize,
    pub firm: usize,
    pub rounds: Vec<RoundRow>,
    pub open: &'s [u64],
    pub timeless: &'s [u64],
    pub renamed: &'s [Vec<String>],
    pub remarks: &'s [String],
    pub unread: usize,
    pub events: usize,
}

/// What an import prints of qualifying games.
#[derive(Debug, Serialize)]
pub struct QualifyingSummary {
    pub tournament: StreamName,
    pub opens: Micros,
    pub closes: Micros,
    pub rows: u64,
    pub unread: usize,
    pub found: usize,
    pub known: u64,
    pub new: usize,
    pub outside_the_period: u64,
    pub timeless: Vec<u64>,
    /// Numbers of games that are recorded otherwise than the rows state.
    pub differ: Vec<u64>,
    pub by_player: BTreeMap<PlayerId, QualifyingTally>,
}

/// The first ten numbers of a list.
fn numbers(of: &[u64]) -> String {
    of.iter().take(10).map(u64::to_string).collect::<Vec<_>>().join(", ")
}

impl HeadCounts {
    /// The rows and sources that could not be read, the first ten.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        first_lines(&self.unread, " that were not read", |unread| {
            let line = unread.line.map_or(String::new(), |line| format!(" line {line}"));
            format!("not read: {}{line}: {} [{}]", unread.source, unread.reason, unread.code)
        })
    }
}

impl EventRow {
    /// The event on one line, with the days of its first and last game.
    #[must_use]
    pub fn line(&self, zone: &TimeZone) -> String {
        let day = |at: Option<Micros>| {
            at.map_or_else(|| "?".to_owned(), |at| time(at, zone).chars().take(10).collect())
        };
        let event = if self.event.is_empty() { "(no event)" } else { &self.event };
        format!("{:>9}  {} to {}  {event}", grouped(self.games), day(self.first), day(self.last))
    }
}

impl FromArchive {
    /// What an import of the games of an event prints.
    #[must_use]
    pub fn summary<'s>(
        &'s self,
        event: &'s str,
        games: &'s EventGames,
        counts: &HeadCounts,
    ) -> EventSummary<'s> {
        EventSummary {
            event,
            rounds_inferred: true,
            byes_inferred: false,
            players: self.players,
            games: games.games().count(),
            firm: self.firm(),
            rounds: self.round_rows(games),
            open: &self.open,
            timeless: &games.timeless,
            renamed: &self.renamed,
            remarks: &self.remarks,
            unread: counts.unread.len(),
            events: self.events.len(),
        }
    }
}

impl EventSummary<'_> {
    /// The summary as lines, times in a zone.
    #[must_use]
    pub fn lines(&self, zone: &TimeZone) -> Vec<String> {
        let at = |at: Option<Micros>| at.map_or_else(|| "?".to_owned(), |at| time(at, zone));
        let mut lines = vec![format!(
            "{}: {}, {}, {} inferred from the dates ({} firm by the order of the games); byes are not inferred",
            self.event,
            counted(self.players as u64, "player"),
            counted(self.games as u64, "game"),
            counted(self.rounds.len() as u64, "round"),
            counted(self.firm as u64, "game"),
        )];
        lines.extend(self.rounds.iter().take(ROUNDS_SHOWN).map(|round| {
            let games = counted(round.games.len() as u64, "game");
            format!("  round {}: {games}, begun {} to {}", round.round, at(round.first), at(round.last))
        }));
        if let Some(more) = self.rounds.len().checked_sub(ROUNDS_SHOWN).filter(|more| *more > 0) {
            lines.push(format!("  and {more} more rounds; --json lists all"));
        }
        let games = |of: &[u64]| counted(of.len() as u64, "game");
        if !self.open.is_empty() {
            lines.push(format!("  no result is stated of {}: {}", games(self.open), numbers(self.open)));
        }
        if !self.timeless.is_empty() {
            let (games, numbers) = (games(self.timeless), numbers(self.timeless));
            lines.push(format!("  no time is stated of {games}, left out: {numbers}"));
        }
        let renamed = self.renamed.iter();
        lines.extend(renamed.map(|names| format!("  one account under several names: {}", names.join(", "))));
        lines.extend(self.remarks.iter().map(|remark| format!("  {remark}")));
        lines
    }
}

impl QualifyingRows {
    /// What an import prints of the games, of which some are new to the log, some are in it, and some differ from it.
    #[must_use]
    pub fn summary(
        &self,
        tournament: &StreamName,
        Period { opens, closes }: Period,
        counts: &HeadCounts,
        (new, known, differ): (usize, u64, Vec<u64>),
    ) -> QualifyingSummary {
        QualifyingSummary {
            tournament: tournament.clone(),
            opens,
            closes,
            rows: counts.rows,
            unread: counts.unread.len(),
            found: self.games.len(),
            known,
            new,
            outside_the_period: self.outside,
            timeless: self.timeless.clone(),
            differ,
            by_player: self.tally(),
        }
    }
}

impl QualifyingSummary {
    /// The summary as lines, times in a zone.
    #[must_use]
    pub fn lines(&self, zone: &TimeZone) -> Vec<String> {
        let mut lines = vec![format!(
            "{}: {} among {} touch the qualifying period, {} to {}; {} new, {} known",
            self.tournament,
            counted(self.found as u64, "game"),
            counted(self.rows, "row"),
            time(self.opens, zone),
            time(self.closes, zone),
            grouped(self.new as u64),
            grouped(self.known),
        )];
        lines.extend(self.by_player.iter().map(|(player, tally)| {
            let QualifyingTally { games, rated, unrated, won, lost, undecided, over_the_edge } = tally;
            let edge = match over_the_edge {
                0 => String::new(),
                over => format!("; {over} over an edge of the period, which the count passes over"),
            };
            format!(
                "  {player}: {} ({rated} rated, {unrated} not): {won} won, {lost} lost, {undecided} undecided{edge}",
                counted(*games, "game"),
            )
        }));
        if self.outside_the_period > 0 {
            let games = counted(self.outside_the_period, "game");
            lines.push(format!("  {games} of them outside the period, not recorded"));
        }
        if !self.timeless.is_empty() {
            let numbers = numbers(&self.timeless);
            lines.push(format!("  start or end is not stated, not recorded: {numbers}"));
        }
        if !self.differ.is_empty() {
            let numbers = numbers(&self.differ);
            lines.push(format!(
                "  recorded otherwise than the rows state: {numbers}; correct the events by hand"
            ));
        }
        lines.push("The rules compute which games count when the qualifier is ranked.".to_owned());
        lines
    }
}
