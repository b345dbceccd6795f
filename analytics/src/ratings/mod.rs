//! Ratings computed from the games of the dataset, in the order of time: how strong everybody is by a system of ratings, how
//! sure that is, and how it came about game by game. A system is a fold over the same games; the gameroom's own formula
//! stands in `annals_rules::rating` and is applied here, not written again.

mod gameroom;
mod games;
mod sheet;

use serde::Serialize;

use crate::session::Session;
use crate::{Error, Reads};

use games::Pool;
pub use sheet::{ratings_sheet, ratings_table};

/// A system of ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum System {
    /// The gameroom's formula: Elo's expectation, with a K of each player that falls by the game and rises by the week.
    Gameroom,
}

impl System {
    /// All systems by their words.
    pub const ALL: [(&'static str, System); 1] = [("gameroom", System::Gameroom)];

    /// The system of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<System> {
        System::ALL.iter().find(|(w, _)| *w == word).map(|(_, system)| *system)
    }

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        System::ALL.iter().find(|(_, system)| *system == self).map_or("", |(word, _)| word)
    }
}

/// With what a player begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// As a newcomer.
    New,
    /// With what the record of the first game states; as a newcomer where it states nothing.
    Record,
}

/// Which games are counted, and how.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The system.
    pub system: System,
    /// With what everybody begins.
    pub start: Start,
    /// Only games among these players, by name; all players where none is named.
    pub players: Vec<String>,
    /// Whether unrated games count too.
    pub unrated: bool,
    /// Only games that were over by the end of this date, or by this time.
    pub as_of: Option<String>,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection {
            system: System::Gameroom,
            start: Start::New,
            players: Vec::new(),
            unrated: false,
            as_of: None,
        }
    }
}

/// The rating of one player after one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatedGame {
    /// The game.
    pub game_id: u64,
    /// When it was over, in microseconds since 1970; none where the record does not say.
    pub at: Option<i64>,
    /// The rating after it.
    pub rating: i32,
}

/// A player with the rating that came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RatedPlayer {
    /// The rank, from 1; players of the same rating share one.
    pub rank: u32,
    /// The name in the last counted game.
    pub player: String,
    /// The account number, where the records have one.
    pub player_id: Option<u64>,
    /// The rating.
    pub rating: i32,
    /// How unsure the rating is, as the formula has it: K, by which the next game weighs. 120 for a newcomer, 30 for somebody
    /// with many games, 0 for a rating that is fixed.
    pub uncertainty: u32,
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
    /// The rating after each counted game, in their order.
    #[serde(skip)]
    pub course: Vec<RatedGame>,
}

/// What was left out, and why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Unrated games, or those of which the record does not say that they are rated.
    pub unrated: u64,
    /// Games whose result is not known.
    pub undecided: u64,
    /// Games of a player against the same player.
    pub against_oneself: u64,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ratings {
    /// By which system.
    pub system: System,
    /// With what everybody began.
    pub start: Start,
    /// Games counted.
    pub games: u64,
    /// Games left out.
    pub left_out: LeftOut,
    /// The ratings in the records beside those computed.
    pub record: Comparison,
    /// Everybody with a counted game, the highest rating first.
    pub players: Vec<RatedPlayer>,
    /// Players that were named and have no counted game.
    pub without_games: Vec<String>,
}

impl Ratings {
    /// Rates the games that are selected.
    ///
    /// # Errors
    /// `Unknown` where nobody has a name, `Argument` for a single player or what is no date, `Nothing` where no game is left.
    pub fn compute(session: &Session, selection: &Selection) -> Result<(Ratings, Reads), Error> {
        let (pool, reads) = Pool::read(session, selection)?;
        let ratings = match selection.system {
            System::Gameroom => gameroom::rate(pool, selection),
        };
        if ratings.games == 0 {
            return Err(nothing_to_rate(&ratings, selection));
        }
        Ok((ratings, reads))
    }
}

fn nothing_to_rate(ratings: &Ratings, selection: &Selection) -> Error {
    let LeftOut { unrated, undecided, against_oneself } = ratings.left_out;
    let mut what = "there is no game to rate".to_owned();
    if selection.players.len() > 1 {
        what = format!("{what} among {}", selection.players.join(", "));
    }
    if let Some(date) = &selection.as_of {
        what = format!("{what} by {date}");
    }
    let mut hints = Vec::new();
    if unrated + undecided + against_oneself > 0 {
        what = format!(
            "{what}: {unrated} unrated, {undecided} without a result and {against_oneself} of a player against the same \
             player are left out"
        );
    }
    if unrated > 0 {
        hints.push("`--unrated` counts unrated games too".to_owned());
    }
    if selection.players.len() > 1 {
        hints.push("`annals games --player NAME --vs NAME` lists who met".to_owned());
    }
    Error::Nothing { what, hints }
}
