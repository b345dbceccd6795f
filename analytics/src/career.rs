//! A player's career: results by colour, by ending and by opponent, and the rating over time. One pass over the
//! player's games.

use std::collections::BTreeMap;

use annals_events::PlayerKind;
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
        (counted > 0).then(|| (self.won as f64 + self.drawn as f64 / 2.0) / counted as f64 * 100.0)
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

/// A game of the player.
#[derive(Deserialize)]
struct GameRow {
    started_at: Option<i64>,
    /// Whether the player is Gold. A player who plays against himself has both sides: such a game counts once, as Gold's.
    is_gold: Option<bool>,
    gold: Option<String>,
    silver: Option<String>,
    gold_id: Option<u64>,
    silver_id: Option<u64>,
    gold_rating: Option<i64>,
    silver_rating: Option<i64>,
    result: Option<String>,
    termination: Option<String>,
    rated: Option<bool>,
}

/// Months of games up to which the ratings are shown by month.
const MONTHS_SHOWN: usize = 60;

/// The rulings of the log that set aside games of a player which the dataset has.
///
/// # Errors
/// If the log or the dataset cannot be read.
pub fn rulings_on_games_of(session: &Session, name: &str) -> Result<Vec<RulingOnGame>, Error> {
    #[derive(Deserialize)]
    struct Streamed {
        stream: String,
    }

    let Some(log) = session.log()? else { return Ok(Vec::new()) };
    let rulings = rulings_on_games(&log, &Cut::NOW).map_err(|error| Error::Log(error.to_string()))?;
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
    /// Reads a player's career.
    ///
    /// # Errors
    /// `Unknown` if no player has the name, with similar names.
    pub fn read(session: &Session, name: &str) -> Result<(Career, Reads), Error> {
        let player = find_player(session, name)?;
        let (gold, silver) = (player.has_side("gold"), player.has_side("silver"));
        let games = format!(
            "FROM (SELECT *, {gold} AS is_gold FROM games WHERE {gold} OR {silver}) AS played ORDER BY started_at, game_id"
        );
        let (games, reads) = select::<GameRow>(session, &games, &[], Reading::Scan)?;
        Ok((Career::fold(player, games), reads))
    }

    fn fold(player: Player, games: Vec<GameRow>) -> Career {
        let mut career = Career::new(player);
        let started: Vec<i64> = games.iter().filter_map(|game| game.started_at).collect();
        let mut opponents: BTreeMap<(Option<u64>, String), Opponent> = BTreeMap::new();
        let mut rating_line = Vec::new();
        for game in games {
            let own = usize::from(game.is_gold != Some(true));
            let (names, ids) = ([game.gold, game.silver], [game.gold_id, game.silver_id]);
            let ratings = [game.gold_rating, game.silver_rating];
            let other = 1 - own;
            let outcome = outcome(game.result.as_deref(), own);
            career.total.add(outcome);
            if own == 0 { &mut career.gold } else { &mut career.silver }.add(outcome);
            let ending = game.termination.unwrap_or_else(|| "unknown".to_owned());
            career.by_ending.entry(ending).or_default().add(outcome);
            career.rated_games += u64::from(game.rated == Some(true));
            let name = names[other].clone().unwrap_or_default();
            let id = ids[other];
            // An account may change its name; without an account only the name identifies the player.
            let key = (id, if id.is_some() { String::new() } else { name.clone() });
            let opponent = opponents.entry(key).or_insert_with(|| Opponent {
                name: name.clone(),
                score: Score::default(),
                last_rating: None,
            });
            opponent.score.add(outcome);
            opponent.last_rating = ratings[other].or(opponent.last_rating);
            opponent.name = name;
            if let Some(rating) = ratings[own] {
                rating_line.push((game.started_at, rating));
            }
        }
        career.first_game = started.first().copied().map(instant);
        career.last_game = started.last().copied().map(instant);
        career.opponents = opponents.into_values().collect();
        career.opponents.sort_by(|a, b| b.score.games.cmp(&a.score.games).then_with(|| a.name.cmp(&b.name)));
        career.add_ratings(&rating_line);
        career
    }

    fn new(player: Player) -> Career {
        Career {
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
    let mut periods: Vec<RatingPeriod> = Vec::new();
    for (at, rating) in line {
        let Some(at) = at else { continue };
        let period: String = day(*at).chars().take(width).collect();
        match periods.last_mut().filter(|p| p.period == period) {
            Some(p) => {
                p.games += 1;
                p.low = p.low.min(*rating);
                p.high = p.high.max(*rating);
                p.last = *rating;
            }
            None => {
                periods.push(RatingPeriod {
                    period,
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
