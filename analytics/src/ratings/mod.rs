//! Ratings computed from the games of the dataset. The systems, and their evaluation, are in the crate
//! `annals_ratings`, which has no SQL; this module reads games, players, rulings and merges for it, and adds
//! names and dates to the results.

mod document;
mod games;
mod logged;
mod reports;

use annals_events::GameKind;
use annals_ratings::{Chosen, Estimate, Fit, GameSelection, RatingsError, history, rate_chosen};
use annals_report::shell_word;
use datafusion::common::ScalarValue;
use serde::{Serialize, Serializer};

use crate::dates::instant;
use crate::session::Session;
use crate::{Error, Reads, Remedy};

pub use annals_ratings::{Comparison, LeftOut, Rulings, Start, System, Terms};
pub use document::{ratings_document, ratings_table};
pub use games::Loaded;
pub use reports::{
    ComparedGames, MismatchesFound, PlayerHistory, compare_games, compared_document, compared_table,
    history_document, history_of, history_table, mismatches_document, mismatches_found,
};

/// The selected games, and the system.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The kind of game: a rating is for one kind.
    pub game: GameKind,
    /// The system, with its options.
    pub system: System,
    /// Only games among these players, by name; all players if none is named.
    pub players: Vec<String>,
    /// Whether unrated games count too.
    pub unrated: bool,
    /// Only games that were over by the end of this date, or by this time; rulings and merges in force then.
    pub as_of: Option<String>,
    /// Only games for which this SQL condition on the table `games` holds.
    pub condition: Option<String>,
}

impl Default for Selection {
    fn default() -> Selection {
        let [_, gameroom, ..] = System::all();
        Selection {
            game: GameKind::Arimaa,
            system: gameroom,
            players: Vec::new(),
            unrated: false,
            as_of: None,
            condition: None,
        }
    }
}

impl Selection {
    /// The rows of `games` that are selected, for a query with the parameter [`Selection::kind`].
    fn games(&self) -> String {
        let condition = self.condition.as_ref().map_or_else(String::new, |sql| format!(" AND ({sql})"));
        format!("FROM games WHERE game = $kind{condition}")
    }

    fn kind(&self) -> (&'static str, ScalarValue) {
        ("kind", self.game.word().into())
    }
}

/// A system as an argument of a command line: with its options if they are not the default ones.
#[must_use]
pub fn as_argument(system: &System) -> String {
    match System::all().contains(system) {
        true => system.word().to_owned(),
        false => shell_word(&system.to_string()),
    }
}

/// The rating of one player after one game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatedGame {
    /// The game.
    pub game_id: u64,
    /// When it was over, in microseconds since 1970; none if not recorded.
    pub at: Option<i64>,
    /// The rating after it.
    pub rating: f64,
    /// Its standard error, if the system has one.
    pub error: Option<f64>,
}

/// A player with the computed rating.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatedPlayer {
    /// The rank, from 1; players of the same rating share one.
    pub rank: u32,
    /// The name in the last counted game, or the person's by a merge or an alias.
    pub player: String,
    /// The account number, if the records have one.
    pub player_id: Option<u64>,
    /// The rating, to a hundredth; whole in the gameroom's formula.
    #[serde(serialize_with = "points")]
    pub rating: f64,
    /// The uncertainty of the rating: its standard error in points, or K in the gameroom's formula (120 for a newcomer, 30 for a player
    /// with many games, 0 for a rating that is fixed).
    #[serde(serialize_with = "maybe_points")]
    pub uncertainty: Option<f64>,
    /// The lower end of the 95% confidence interval; none if the system has no errors.
    #[serde(serialize_with = "maybe_points")]
    pub low: Option<f64>,
    /// Its upper end.
    #[serde(serialize_with = "maybe_points")]
    pub high: Option<f64>,
    /// Games counted.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// When the first counted game was over, RFC 3339, UTC.
    pub first_game: Option<String>,
    /// When the last counted game was over.
    pub last_game: Option<String>,
    /// The group of players who met, directly or through others; ratings can be compared within one.
    pub group: usize,
    /// The rating over time.
    #[serde(skip)]
    pub course: Vec<RatedGame>,
}

/// A figure to a hundredth, without decimals if integral.
fn points<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    let rounded = (value * 100.0).round() / 100.0;
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 {
        serializer.serialize_i64(rounded as i64)
    } else {
        serializer.serialize_f64(rounded)
    }
}

fn maybe_points<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => points(value, serializer),
        None => serializer.serialize_none(),
    }
}

/// The ratings of all players.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ratings {
    /// The system, with its options.
    pub system: String,
    /// Games counted.
    pub games: u64,
    /// Games left out.
    pub left_out: LeftOut,
    /// The recorded ratings compared with those by the gameroom's formula.
    pub record: Comparison,
    /// Gold's advantage in points, if estimated.
    pub advantage: Option<Estimate>,
    /// The convergence of the iteration, if there was one.
    pub fit: Option<Fit>,
    /// Caveats on the ratings.
    pub notes: Vec<String>,
    /// All players with a counted game, the highest rating first.
    pub players: Vec<RatedPlayer>,
    /// Players that were named and have no counted game.
    pub without_games: Vec<String>,
}

impl Ratings {
    /// Keeps the highest rated players, with a note on how many others there are.
    pub fn keep_highest(&mut self, limit: usize) {
        let all = self.players.len();
        if limit < all {
            self.players.truncate(limit);
            self.notes.push(format!("the {limit} highest rated of {all} players are listed"));
        }
    }

    /// Rates the games that are selected.
    ///
    /// # Errors
    /// `Unknown` if no player has a name, `Argument` for a single player or an invalid date, `Nothing` if no game is left,
    /// `Ratings` if the system has no finite result.
    pub fn compute(session: &Session, selection: &Selection) -> Result<(Ratings, Reads), Error> {
        let loaded = Loaded::read(session, selection)?;
        let chosen = loaded.chosen(selection).map_err(|error| of_other_game(error, session, selection))?;
        let computed = rate_chosen(&chosen, &selection.system)?;
        let mut ratings = Ratings {
            system: computed.system,
            games: computed.games,
            left_out: computed.left_out,
            record: computed.record,
            advantage: computed.advantage,
            fit: computed.fit,
            notes: computed.notes,
            players: Vec::with_capacity(computed.players.len()),
            without_games: Vec::new(),
        };
        for rated in computed.players {
            let interval = rated.interval();
            let game = |point: &annals_ratings::Point| RatedGame {
                game_id: point.game,
                at: point.at,
                rating: point.rating,
                error: point.error,
            };
            ratings.players.push(RatedPlayer {
                rank: 0,
                player: rated.name,
                player_id: loaded.account(rated.player),
                rating: rated.rating,
                uncertainty: rated.k.map(f64::from).or(rated.error),
                low: interval.map(|(low, _)| low),
                high: interval.map(|(_, high)| high),
                games: rated.games,
                wins: rated.wins,
                losses: rated.losses,
                draws: rated.draws,
                first_game: rated.first.map(instant),
                last_game: rated.last.map(instant),
                group: rated.group,
                course: rated.course.iter().map(game).collect(),
            });
        }
        rank(&mut ratings.players);
        ratings.without_games = loaded.without_games(&chosen);
        Ok((ratings, loaded.reads))
    }
}

/// The highest rating first; players of the same rating share a rank and are sorted by name.
fn rank(players: &mut [RatedPlayer]) {
    players.sort_by(|a, b| {
        b.rating
            .total_cmp(&a.rating)
            .then_with(|| a.player.cmp(&b.player))
            .then_with(|| a.player_id.cmp(&b.player_id))
    });
    let mut last = None;
    for (place, player) in (1u32..).zip(players) {
        let rank = match last {
            Some((rating, rank)) if rating == player.rating => rank,
            _ => place,
        };
        player.rank = rank;
        last = Some((player.rating, rank));
    }
}

/// The error for these selected games if they cannot be rated.
fn refused(error: RatingsError, selection: &Selection) -> Error {
    match error {
        RatingsError::Empty(left_out) => nothing_to_rate(left_out, selection),
        error => Error::Ratings(error),
    }
}

/// An error without a game, with the kind of game that the dataset has in place of the selected one.
fn of_other_game(error: Error, session: &Session, selection: &Selection) -> Error {
    match (error, crate::games::only_other(session, selection.game)) {
        (Error::Nothing { what, .. }, Some(game)) => {
            Error::Nothing { what, next: vec![Remedy::OtherGame(game)] }
        }
        (error, _) => error,
    }
}

fn nothing_to_rate(left_out: LeftOut, selection: &Selection) -> Error {
    let LeftOut { unrated, undecided, against_oneself } = left_out;
    let mut what = "there is no game to rate".to_owned();
    if selection.players.len() > 1 {
        what = format!("{what} among {}", selection.players.join(", "));
    }
    if let Some(date) = &selection.as_of {
        what = format!("{what} by {date}");
    }
    if let Some(condition) = &selection.condition {
        what = format!("{what} where {condition}");
    }
    let mut next = Vec::new();
    if unrated + undecided + against_oneself > 0 {
        what = format!(
            "{what}: {unrated} unrated, {undecided} without a result and {against_oneself} of a player against the same \
             player are left out"
        );
    }
    if unrated > 0 {
        next.push(Remedy::CountUnrated);
    }
    if let Some(condition) = &selection.condition {
        next.push(Remedy::CountWhere(condition.clone()));
    }
    if selection.players.len() > 1 {
        next.push(Remedy::ListMeetings);
    }
    Error::Nothing { what, next }
}
