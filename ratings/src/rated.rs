//! What comes out: everybody's rating with its error and its course, how the iteration ended, and what is to be said about it.

use serde::Serialize;

use crate::game::PlayerIndex;
use crate::selection::{Chosen, LeftOut};

/// Points of rating in a nat of strength: 400 / ln 10.
pub const POINTS_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// Half the width of the interval of 95 % in standard errors.
pub const INTERVAL: f64 = 1.959_963_984_540_054;

/// A rating at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// The game after which it stands; the last one of its day or period where several count together.
    pub game: u64,
    /// When that game was over, in microseconds since 1970; none where the record does not say.
    pub at: Option<i64>,
    pub rating: f64,
    /// Its standard error; none where the system has none.
    pub error: Option<f64>,
}

/// A player with the rating that came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rated {
    pub player: PlayerIndex,
    pub name: String,
    /// The rating, as of the moment of the choice.
    pub rating: f64,
    /// Its standard error; none where the system has none, 0 where the rating is held.
    pub error: Option<f64>,
    /// K of the gameroom's formula.
    pub k: Option<u32>,
    /// Games counted.
    pub games: u64,
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
    /// When the first counted game was over.
    pub first: Option<i64>,
    /// When the last counted game was over.
    pub last: Option<i64>,
    /// The group of players who met, directly or through others: 0 is the largest.
    pub group: usize,
    /// The rating over time.
    #[serde(skip)]
    pub course: Vec<Point>,
}

impl Rated {
    /// The interval that holds the true rating in 95 of 100 cases, if the system's model is right.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.error.map(|error| (self.rating - INTERVAL * error, self.rating + INTERVAL * error))
    }
}

/// An estimate with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The value, in points.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// How an iteration ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Fit {
    /// Newton steps over everybody.
    pub steps: u32,
    /// Passes over all games.
    pub passes: u32,
    /// The furthest that a rating moved in the last step, in points.
    pub last_move: f64,
    /// The largest component of the gradient of the log-likelihood at the end.
    pub gradient: f64,
    /// Whether the last step was as small as asked for.
    pub converged: bool,
}

/// How the computed ratings compare with those that the records state before each game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Statements compared; those with which a player began are none.
    pub compared: u64,
    /// Those that are equal in the rating and in K.
    pub equal: u64,
}

/// The ratings of everybody.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ratings {
    /// The system, with its options.
    pub system: String,
    /// Games counted.
    pub games: u64,
    pub left_out: LeftOut,
    /// Gold's advantage, where it was estimated.
    pub advantage: Option<Estimate>,
    /// How the iteration ended, where there was one.
    pub fit: Option<Fit>,
    /// The ratings in the records beside those computed by the gameroom's formula.
    pub record: Comparison,
    /// What must be known to read the ratings.
    pub notes: Vec<String>,
    /// Everybody with a counted game, the highest rating first.
    pub players: Vec<Rated>,
}

/// The most groups of players that a note lists by name.
const GROUPS_NAMED: usize = 5;

/// Players that a note names of a group.
const NAMES: usize = 6;

/// A player's rating now: rating, standard error, K.
pub(crate) type Now = (f64, Option<f64>, Option<u32>);

impl Ratings {
    /// Puts together what every system gives: the rating of a player now, and the course.
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

/// What holds for every system: groups that never met, and games without a time.
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
