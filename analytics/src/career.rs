//! A player's career: results by colour, by ending and by opponent, and the rating over time. One pass over the
//! player's games.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use annals_events::{GameKind, PlayerKind};
use annals_replay::Cut;
use annals_replay::queries::set_aside::{RulingOnGame, rulings_on_games};
use serde::{Deserialize, Serialize};

use crate::dates::{day, instant};
use crate::players::{Player, find_player};
use crate::session::{Reading, Session};
use crate::typed_rows::select;
use crate::{Error, Reads};

/// Games by result, from the view of one player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    pub games: u64,
    pub won: u64,
    pub lost: u64,
    pub drawn: u64,
    /// Games whose result is not known.
    pub unknown: u64,
}

impl Score {
    fn add(&mut self, outcome: Outcome) {
        self.games += 1;
        match outcome {
            Outcome::Won => self.won += 1,
            Outcome::Lost => self.lost += 1,
            Outcome::Drawn => self.drawn += 1,
            Outcome::Unknown => self.unknown += 1,
        }
    }

    /// Points from decided and drawn games in percent; none without such games.
    #[must_use]
    pub fn percent(&self) -> Option<f64> {
        let counted = self.won + self.lost + self.drawn;
        (counted > 0).then(|| 100.0 * (self.won as f64 + self.drawn as f64 / 2.0) / counted as f64)
    }
}

/// Results against one opponent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Opponent {
    /// The name in their last game against the player.
    pub name: String,
    #[serde(flatten)]
    pub score: Score,
    /// The opponent's rating before their last game.
    pub last_rating: Option<i64>,
}

/// The ratings of one month or year.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RatingPeriod {
    /// `2004-05`, or `2004`.
    pub period: String,
    pub games: u64,
    /// The rating before the first of them.
    pub first: i64,
    /// The lowest.
    pub low: i64,
    /// The highest.
    pub high: i64,
    /// The rating before the last of them.
    pub last: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Career {
    /// The kinds of games played, which name the sides.
    #[serde(skip)]
    pub games: Vec<GameKind>,
    /// The name in the last game.
    pub name: String,
    /// The account number.
    pub player_id: Option<u64>,
    /// Earlier names.
    pub other_names: Vec<String>,
    pub kind: Option<PlayerKind>,
    /// Country code.
    pub country: Option<String>,
    /// The first game's start, RFC 3339, UTC.
    pub first_game: Option<String>,
    /// The last game's start.
    pub last_game: Option<String>,
    pub total: Score,
    /// Rated games among them.
    pub rated_games: u64,
    pub gold: Score,
    pub silver: Score,
    /// By the ending, as the record states it; `unknown` where it does not.
    pub by_ending: BTreeMap<String, Score>,
    /// By opponent, the most frequent first.
    pub opponents: Vec<Opponent>,
    /// The rating before the last game that records one.
    pub last_rating: Option<i64>,
    /// The highest rating before any game.
    pub peak_rating: Option<i64>,
    /// The day on which it was first reached.
    pub peak_on: Option<String>,
    /// The rating over time, by month, or by year for careers beyond five years.
    pub ratings: Vec<RatingPeriod>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Won,
    Lost,
    Drawn,
    Unknown,
}

/// A row of `games`.
#[derive(Deserialize)]
pub(crate) struct GameRow {
    pub game_id: u64,
    pub game: GameKind,
    pub started_at: Option<i64>,
    pub gold: Option<String>,
    pub silver: Option<String>,
    pub gold_id: Option<u64>,
    pub silver_id: Option<u64>,
    pub gold_rating: Option<i32>,
    pub silver_rating: Option<i32>,
    pub result: Option<String>,
    pub termination: Option<String>,
    pub rated: Option<bool>,
}

/// A player in a game: account number and name.
pub(crate) type Who<'a> = (Option<u64>, &'a str);

/// A game of the player. In pairs gold is first.
pub(crate) struct PlayedGame<'a> {
    pub game: GameKind,
    pub started_at: Option<i64>,
    pub players: [Who<'a>; 2],
    pub ratings: [Option<i32>; 2],
    pub result: Option<&'a str>,
    pub termination: Option<&'a str>,
    pub rated: bool,
}

impl GameRow {
    fn played(&self) -> PlayedGame<'_> {
        PlayedGame {
            game: self.game,
            started_at: self.started_at,
            players: [
                (self.gold_id, self.gold.as_deref().unwrap_or_default()),
                (self.silver_id, self.silver.as_deref().unwrap_or_default()),
            ],
            ratings: [self.gold_rating, self.silver_rating],
            result: self.result.as_deref(),
            termination: self.termination.as_deref(),
            rated: self.rated == Some(true),
        }
    }
}

/// Months of games up to which the ratings are shown by month.
const MONTHS_SHOWN: usize = 60;

/// The rulings of the log that set aside games of a player which the dataset has.
///
/// # Errors
/// If the log or the dataset cannot be read.
pub fn rulings_on_games_of(session: &Session, name: &str) -> Result<Vec<RulingOnGame>, Error> {
    let Some(log) = session.log()? else { return Ok(Vec::new()) };
    let rulings = rulings_on_games(&log, &Cut::NOW).map_err(|error| Error::Log(error.to_string()))?;
    on_games_of(session, name, rulings)
}

/// Those of some rulings that are on games of a player which the dataset has.
///
/// # Errors
/// If the dataset cannot be read.
pub fn on_games_of(
    session: &Session,
    name: &str,
    rulings: Vec<RulingOnGame>,
) -> Result<Vec<RulingOnGame>, Error> {
    #[derive(Deserialize)]
    struct Streamed {
        stream: String,
    }

    let streams: Vec<String> = rulings.iter().map(|ruling| format!("'{}'", ruling.game)).collect();
    if streams.is_empty() {
        return Ok(Vec::new());
    }
    let player = find_player(session, name)?;
    let from = format!(
        "FROM games WHERE stream IN ({}) AND ({} OR {})",
        streams.join(", "),
        player.has_side("gold"),
        player.has_side("silver")
    );
    let (games, _) = select::<Streamed>(session, &from, &[], Reading::Scan)?;
    Ok(rulings.into_iter().filter(|ruling| games.iter().any(|game| game.stream == ruling.game)).collect())
}

impl Career {
    /// Reads a player's career: from the games in memory, where the session has them, else from the table.
    ///
    /// # Errors
    /// `Unknown` if no player has the name, with similar names.
    pub fn read(session: &Session, name: &str) -> Result<(Career, Reads), Error> {
        let player = find_player(session, name)?;
        if let Some(careers) = session.careers() {
            return Ok((Career::fold(player.clone(), careers.of(&player)), Reads::default()));
        }
        let games = format!(
            "FROM games WHERE {} OR {} ORDER BY started_at, game_id",
            player.has_side("gold"),
            player.has_side("silver")
        );
        let (games, reads) = select::<GameRow>(session, &games, &[], Reading::Scan)?;
        Ok((Career::fold(player, games.iter().map(GameRow::played)), reads))
    }

    fn fold<'g>(player: Player, games: impl Iterator<Item = PlayedGame<'g>>) -> Career {
        let mut opponents: HashMap<Who<'g>, (&'g str, Score, Option<i32>)> = HashMap::new();
        let mut by_ending: BTreeMap<&str, Score> = BTreeMap::new();
        let mut rating_line = Vec::new();
        let (mut first, mut last) = (None, None);
        let mut career = Career::new(player);
        for game in games {
            // A player who plays against himself has both sides: such a game counts once, as Gold's.
            let own = usize::from(!career.is(game.players[0]));
            let (id, name) = game.players[1 - own];
            let outcome = outcome(game.result, own);
            career.total.add(outcome);
            if !career.games.contains(&game.game) {
                career.games.push(game.game);
            }
            if own == 0 { &mut career.gold } else { &mut career.silver }.add(outcome);
            by_ending.entry(game.termination.unwrap_or("unknown")).or_default().add(outcome);
            career.rated_games += u64::from(game.rated);
            // An account may change its name; without an account only the name identifies the player.
            let key = (id, if id.is_some() { "" } else { name });
            let (named, score, rating) = opponents.entry(key).or_default();
            *named = name;
            score.add(outcome);
            *rating = game.ratings[1 - own].or(*rating);
            if let Some(rating) = game.ratings[own] {
                rating_line.push((game.started_at, i64::from(rating)));
            }
            first = first.or(game.started_at);
            last = game.started_at.or(last);
        }
        career.first_game = first.map(instant);
        career.last_game = last.map(instant);
        career.by_ending = by_ending.into_iter().map(|(ending, score)| (ending.to_owned(), score)).collect();
        let mut opponents: Vec<_> = opponents.into_iter().collect();
        opponents.sort_unstable_by_key(|(key, (name, score, _))| (Reverse(score.games), *name, *key));
        let opponents = opponents.into_iter().map(|(_, (name, score, rating))| Opponent {
            name: name.to_owned(),
            score,
            last_rating: rating.map(i64::from),
        });
        career.opponents = opponents.collect();
        career.add_ratings(&rating_line);
        career
    }

    /// Whether a player of a game is this one.
    fn is(&self, (id, name): Who<'_>) -> bool {
        id == self.player_id && (id.is_some() || name == self.name)
    }

    fn new(player: Player) -> Career {
        Career {
            games: Vec::new(),
            name: player.name,
            player_id: player.id,
            other_names: player.other_names,
            kind: player.kind,
            country: player.country,
            first_game: None,
            last_game: None,
            total: Score::default(),
            rated_games: 0,
            gold: Score::default(),
            silver: Score::default(),
            by_ending: BTreeMap::new(),
            opponents: Vec::new(),
            last_rating: None,
            peak_rating: None,
            peak_on: None,
            ratings: Vec::new(),
        }
    }

    fn add_ratings(&mut self, line: &[(Option<i64>, i64)]) {
        self.last_rating = line.last().map(|(_, rating)| *rating);
        // The first of equal ratings, so that the day is when it was reached.
        let peak = line.iter().rev().max_by_key(|(_, rating)| *rating);
        self.peak_rating = peak.map(|(_, rating)| *rating);
        self.peak_on = peak.and_then(|(at, _)| *at).map(day);
        self.ratings = periods(line, "2004-05".len());
        if self.ratings.len() > MONTHS_SHOWN {
            self.ratings = periods(line, "2004".len());
        }
    }
}

/// Ratings by the first `width` characters of their day.
fn periods(line: &[(Option<i64>, i64)], width: usize) -> Vec<RatingPeriod> {
    const DAY: i64 = 86_400_000_000;
    let mut periods: Vec<RatingPeriod> = Vec::new();
    let (mut today, mut period) = (None, String::new());
    for (at, rating) in line {
        let Some(at) = at else { continue };
        // Many games have the same day, and its text takes long.
        if today.replace(at.div_euclid(DAY)) != Some(at.div_euclid(DAY)) {
            period = day(*at).chars().take(width).collect();
        }
        match periods.last_mut().filter(|p| p.period == period) {
            Some(p) => {
                p.games += 1;
                p.low = p.low.min(*rating);
                p.high = p.high.max(*rating);
                p.last = *rating;
            }
            None => {
                periods.push(RatingPeriod {
                    period: period.clone(),
                    games: 1,
                    first: *rating,
                    low: *rating,
                    high: *rating,
                    last: *rating,
                });
            }
        }
    }
    periods
}

fn outcome(result: Option<&str>, own: usize) -> Outcome {
    match (result, own) {
        (Some("gold"), 0) | (Some("silver"), 1) => Outcome::Won,
        (Some("gold" | "silver"), _) => Outcome::Lost,
        (Some("draw"), _) => Outcome::Drawn,
        _ => Outcome::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_count_half_and_unknown_results_not_at_all() {
        let mut score = Score::default();
        assert_eq!(score.percent(), None);
        for outcome in [Outcome::Won, Outcome::Drawn, Outcome::Unknown, Outcome::Lost, Outcome::Won] {
            score.add(outcome);
        }
        assert_eq!(score.percent(), Some(62.5));
        assert_eq!(score.games, 5);
        // With the digits of the quotient, not of a product with a rounded one.
        let of = |won, lost| Score { games: won + lost, won, lost, ..Score::default() }.percent();
        assert_eq!([of(7, 18), of(2, 1)], [Some(28.0), Some(200.0 / 3.0)]);
    }

    #[test]
    fn ratings_are_gathered_by_month() {
        let at = |text: &str| Some(crate::dates::span(text).unwrap().0);
        let line = [(at("2004-05-01"), 1500), (at("2004-05-20"), 1480), (None, 9), (at("2004-06-02"), 1510)];
        let months = periods(&line, 7);
        assert_eq!(months.len(), 2);
        assert_eq!((months[0].games, months[0].first, months[0].low, months[0].last), (2, 1500, 1480, 1480));
        assert_eq!(months[1].period, "2004-06");
    }
}
