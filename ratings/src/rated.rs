//! Results: ratings with errors and courses, convergence, notes.

use serde::Serialize;

use crate::game::PlayerIndex;
use crate::left_out::LeftOut;
use crate::selection::Chosen;

/// 400 / ln 10.
pub const POINTS_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// Half the width of a 95% confidence interval in standard errors.
pub const INTERVAL: f64 = 1.959_963_984_540_054;

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// After this game, the last of its day or period.
    pub game: u64,
    /// Its end, in microseconds since 1970, if known.
    pub at: Option<i64>,
    pub rating: f64,
    /// Standard error, if the system has one.
    pub error: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rated {
    pub player: PlayerIndex,
    pub name: String,
    /// As of the choice's time.
    pub rating: f64,
    /// Standard error; none if the system has none, 0 for a fixed rating.
    pub error: Option<f64>,
    /// Of the gameroom's formula.
    pub k: Option<u32>,
    /// Counted.
    pub games: u64,
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
    /// End of the first counted game.
    pub first: Option<i64>,
    /// End of the last counted game.
    pub last: Option<i64>,
    /// The connected group of players: 0 is the largest.
    pub group: usize,
    /// Over time.
    #[serde(skip)]
    pub course: Vec<Point>,
}

impl Rated {
    /// The 95% confidence interval by the system's model.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.error.map(|error| (self.rating - INTERVAL * error, self.rating + INTERVAL * error))
    }
}

/// With standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// In points.
    pub value: f64,
    /// Standard error.
    pub error: f64,
}

/// The convergence of an iteration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Fit {
    /// Newton steps.
    pub steps: u32,
    /// Over all games.
    pub passes: u32,
    /// Largest move in the last step, in points.
    pub last_move: f64,
    /// Largest component of the log-likelihood's gradient at the end.
    pub gradient: f64,
    /// The last step was small enough.
    pub converged: bool,
}

/// Computed ratings compared with recorded ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Without a player's first records.
    pub compared: u64,
    /// In rating and K.
    pub equal: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ratings {
    /// With options.
    pub system: String,
    /// Counted.
    pub games: u64,
    pub left_out: LeftOut,
    /// Gold's, if estimated.
    pub advantage: Option<Estimate>,
    /// Of an iterative system.
    pub fit: Option<Fit>,
    /// By the gameroom's formula.
    pub record: Comparison,
    /// Caveats on the ratings.
    pub notes: Vec<String>,
    /// With counted games, highest rating first.
    pub players: Vec<Rated>,
}

/// Groups listed by name in a note.
const GROUPS_NAMED: usize = 5;

/// Players named per group.
const NAMES: usize = 6;

/// Rating, standard error, K.
pub(crate) type Now = (f64, Option<f64>, Option<u32>);

impl Ratings {
    /// Assembles the common result: each player's present rating and course.
    pub(crate) fn gather(
        system: String,
        chosen: &Chosen,
        now: impl Fn(PlayerIndex) -> Now,
        mut courses: Vec<Vec<Point>>,
    ) -> Ratings {
        let groups = chosen.groups();
        let mut group_of = vec![0; chosen.players.len()];
        for (group, players) in groups.iter().enumerate() {
            players.iter().for_each(|player| group_of[*player] = group);
        }
        let mut tallies = vec![Tally::default(); chosen.players.len()];
        for game in chosen.counting() {
            let at = game.timed.then_some(game.at);
            tallies[game.gold].count(game.points, at);
            tallies[game.silver].count(1.0 - game.points, at);
        }
        courses.resize(chosen.players.len(), Vec::new());
        let mut players: Vec<Rated> = Vec::new();
        for (player, course) in courses.into_iter().enumerate() {
            let tally = &tallies[player];
            let games = tally.wins + tally.losses + tally.draws;
            if games == 0 {
                continue;
            }
            let (rating, error, k) = now(player);
            players.push(Rated {
                player,
                name: chosen.players[player].name.clone(),
                rating,
                error,
                k,
                games,
                wins: tally.wins,
                losses: tally.losses,
                draws: tally.draws,
                first: tally.first,
                last: tally.last,
                group: group_of[player],
                course,
            });
        }
        players.sort_by(|a, b| {
            b.rating
                .total_cmp(&a.rating)
                .then_with(|| a.name.cmp(&b.name))
                .then_with(|| a.player.cmp(&b.player))
        });
        Ratings {
            system,
            games: chosen.counting().count() as u64,
            left_out: chosen.left_out,
            advantage: None,
            fit: None,
            record: Comparison::default(),
            notes: notes(chosen, &groups),
            players,
        }
    }
}

#[derive(Debug, Clone, Default)]
struct Tally {
    wins: u64,
    losses: u64,
    draws: u64,
    first: Option<i64>,
    last: Option<i64>,
}

impl Tally {
    fn count(&mut self, points: f64, at: Option<i64>) {
        match points {
            1.0 => self.wins += 1,
            0.0 => self.losses += 1,
            _ => self.draws += 1,
        }
        self.first = self.first.or(at);
        self.last = at.or(self.last);
    }
}

/// For every system: disconnected groups, games without times.
fn notes(chosen: &Chosen, groups: &[Vec<PlayerIndex>]) -> Vec<String> {
    let mut notes = Vec::new();
    if let [_, others @ ..] = groups
        && !others.is_empty()
    {
        let named = others.iter().take(GROUPS_NAMED).map(|group| {
            let names: Vec<&str> =
                group.iter().take(NAMES).map(|player| chosen.players[*player].name.as_str()).collect();
            let more = group.len().saturating_sub(NAMES);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("({}{rest})", names.join(", "))
        });
        let named: Vec<String> = named.collect();
        let more = others.len().saturating_sub(GROUPS_NAMED);
        let rest = if more > 0 { format!(" and {more} more groups") } else { String::new() };
        notes.push(format!(
            "the players fall into {} groups that never met, and ratings can be compared within a group only; apart from \
             the largest: {}{rest}",
            groups.len(),
            named.join(" ")
        ));
    }
    let untimed = chosen.counting().filter(|game| !game.timed).count();
    if untimed > 0 {
        notes.push(format!(
            "{untimed} {} no time in the record and {} before all others",
            if untimed == 1 { "game has" } else { "games have" },
            if untimed == 1 { "counts" } else { "count" },
        ));
    }
    notes
}
