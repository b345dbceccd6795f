//! Published totals of games missing in the record: their order and possible crosstables.

use annals_events::tournament::{PublishedRow, TablePublished};
use annals_events::{GameKind, PlayerId};
use serde::Serialize;

use crate::formats::{RankedPlayer, measure};
use crate::record::Record;
use crate::state::{Entrant, Tournament};

/// The most players for deriving crosstables.
const MOST_PLAYERS: usize = 16;

/// The most encounter scores tried per table.
const MOST_TRIALS: u32 = 200_000;

/// Half points of each player (row) against each other (column).
pub type Scores = Vec<Vec<u32>>;

/// Every crosstable with these half points where each pair played `games` games; with whole points if games
/// cannot be drawn. None if it takes too long.
pub fn crosstables(half_points: &[u32], games: u32, draws: bool) -> Option<Vec<Scores>> {
    if half_points.len() > MOST_PLAYERS {
        return None;
    }
    let players = half_points.len();
    let meetings = (0..players).flat_map(|one| (one + 1..players).map(move |other| (one, other))).collect();
    let mut search = Search {
        meetings,
        most: games.checked_mul(2)?,
        step: if draws { 1 } else { 2 },
        left: half_points.to_vec(),
        open: vec![u32::try_from(players).ok()?.saturating_sub(1); players],
        scores: vec![vec![0; players]; players],
        trials: 0,
        found: Vec::new(),
    };
    search.fill(0).then_some(search.found)
}

struct Search {
    meetings: Vec<(usize, usize)>,
    /// In an encounter.
    most: u32,
    step: u32,
    /// Per player, half points not placed yet.
    left: Vec<u32>,
    /// Per player, encounters not placed yet.
    open: Vec<u32>,
    scores: Scores,
    trials: u32,
    found: Vec<Scores>,
}

impl Search {
    /// Fills encounters from one on; false if it takes too long.
    fn fill(&mut self, at: usize) -> bool {
        let Some(&(one, other)) = self.meetings.get(at) else {
            if self.left.iter().all(|left| *left == 0) {
                self.found.push(self.scores.clone());
            }
            return true;
        };
        for made in (0..=self.most.min(self.left[one])).step_by(self.step as usize) {
            self.trials += 1;
            if self.trials > MOST_TRIALS {
                return false;
            }
            let lost = self.most - made;
            if lost > self.left[other] {
                continue;
            }
            for (player, against, points) in [(one, other, made), (other, one, lost)] {
                self.left[player] -= points;
                self.open[player] -= 1;
                self.scores[player][against] = points;
            }
            let reachable = |player: usize| self.left[player] <= self.open[player].saturating_mul(self.most);
            let goes_on = !(reachable(one) && reachable(other)) || self.fill(at + 1);
            for (player, points) in [(one, made), (other, lost)] {
                self.left[player] += points;
                self.open[player] += 1;
            }
            if !goes_on {
                return false;
            }
        }
        true
    }
}

/// In the Amazons the first player who cannot move loses.
fn has_draws(game: GameKind) -> bool {
    game != GameKind::Amazons
}

/// In row order; none if they cannot be derived.
pub fn crosstables_of(table: &TablePublished, game: GameKind) -> Option<Vec<Scores>> {
    let half_points: Vec<u32> = table.rows.iter().map(|row| row.half_points).collect();
    crosstables(&half_points, table.games_a_pair?, has_draws(game))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Derived {
    pub source: String,
    pub games_a_pair: Option<u32>,
    /// Games cannot be drawn, so that points are wins.
    #[serde(skip)]
    pub whole_points: bool,
    /// In the order of the published rows.
    pub players: Vec<PlayerId>,
    /// In half points; none if not derived.
    pub crosstables: Option<Vec<Scores>>,
}

impl Tournament {
    /// None if the record has rounds.
    pub fn published_table(&self) -> Option<&TablePublished> {
        self.published.as_ref().filter(|_| self.rounds.is_empty()).map(|noted| &noted.fact)
    }

    pub fn derived(&self) -> Option<Derived> {
        let table = self.published_table()?;
        Some(Derived {
            source: table.source.clone(),
            games_a_pair: table.games_a_pair,
            whole_points: !has_draws(self.game()),
            players: table.rows.iter().map(|row| row.player.clone()).collect(),
            crosstables: crosstables_of(table, self.game()),
        })
    }

    /// None if the record has rounds.
    pub fn published_order(&self) -> Option<Vec<RankedPlayer>> {
        let rows = &self.published_table()?.rows;
        let line = |row: &PublishedRow| RankedPlayer {
            player: row.player.clone(),
            rank: row.place,
            measures: vec![measure("points", [row.half_points])],
            active: self.entrants.get(&row.player).is_some_and(Entrant::is_in),
            group: None,
        };
        Some(rows.iter().map(line).collect())
    }

    /// Adds published totals to a record. Wins and losses follow if games cannot be drawn.
    pub(crate) fn add_published(&self, player: &PlayerId, record: &mut Record) {
        let Some(table) = self.published_table() else { return };
        let Some(row) = table.rows.iter().find(|row| row.player == *player) else { return };
        record.half_points = record.half_points.saturating_add(row.half_points);
        if has_draws(self.game()) {
            return;
        }
        record.wins = record.wins.saturating_add(row.half_points / 2);
        let others = u32::try_from(table.rows.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let games = table.games_a_pair.map(|games| games.saturating_mul(others));
        record.losses =
            record.losses.saturating_add(games.map_or(0, |games| games.saturating_sub(row.half_points / 2)));
    }

    fn game(&self) -> GameKind {
        self.announced.as_ref().map_or(GameKind::Arimaa, |announced| announced.game)
    }
}
