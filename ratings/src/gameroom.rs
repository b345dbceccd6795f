//! The gameroom's formula over games by their ends: of simultaneous games the later uses the rating after the earlier.
//! K rises weekly, also during games. The formula is in `annals_rules::rating`.

use annals_rules::rating::{GameScore, Rating, expected_score, weekly_rises};

use crate::fixed::fixed_for;
use crate::game::{Player, PlayerIndex, Stated};
use crate::online::Online;
use crate::rated::{Comparison, Now, Point};
use crate::selection::RatedGame;
use crate::system::{Gameroom, Start};

/// A player's state.
#[derive(Debug, Clone, Copy, Default)]
struct PlayerState {
    rating: Option<Rating>,
    /// Weekly rises of K are included until then.
    risen_until: Option<i64>,
    /// Fixed by the options.
    held: Option<Rating>,
    /// Has a game that counts.
    counted: bool,
}

impl PlayerState {
    /// With the rises of K until then.
    fn at(&self, at: Option<i64>, stated: Option<Stated>, start: Start) -> Rating {
        let first = match start {
            Start::New => Rating::NEW,
            Start::Record => stated.map_or(Rating::NEW, |stated| Rating {
                rating: stated.rating,
                k: stated.k.unwrap_or(Rating::NEW.k),
            }),
        };
        let rating = self.held.or(self.rating).unwrap_or(first);
        match (self.risen_until, at) {
            (Some(from), Some(at)) => rating.after_weekly_rises(weekly_rises(from, at)),
            _ => rating,
        }
    }
}

pub(crate) struct GameroomFold {
    start: Start,
    standings: Vec<PlayerState>,
    courses: Vec<Vec<Point>>,
    /// The time of the result: K rises until then.
    until: Option<i64>,
    pub(crate) record: Comparison,
}

impl GameroomFold {
    pub(crate) fn new(options: &Gameroom, players: &[Player]) -> GameroomFold {
        let held = |player: &Player| {
            let rating = fixed_for(&options.fixed, player)?.rating?;
            Some(Rating { rating: rating.round() as i32, k: 0 })
        };
        GameroomFold {
            start: options.start,
            standings: players
                .iter()
                .map(|p| PlayerState { held: held(p), ..PlayerState::default() })
                .collect(),
            courses: vec![Vec::new(); players.len()],
            until: None,
            record: Comparison::default(),
        }
    }
}

/// The score for these points.
pub(crate) fn score(points: f64) -> GameScore {
    match points {
        1.0 => GameScore::Win,
        0.0 => GameScore::Loss,
        _ => GameScore::Draw,
    }
}

impl Online for GameroomFold {
    fn forecast(&mut self, game: &RatedGame) -> f64 {
        let at = game.timed.then_some(game.began);
        // The record is made at the end, so it is unknown before.
        let [gold, silver] = [game.gold, game.silver].map(|who| self.standings[who].at(at, None, self.start));
        expected_score(gold.rating, silver.rating)
    }

    /// The recorded ratings are compared at the end, and change if the game counts.
    fn learn(&mut self, game: &RatedGame) {
        let at = game.timed.then_some(game.at);
        self.until = self.until.max(at);
        let sides = [(game.gold, 0), (game.silver, 1)];
        let [gold, silver] = sides.map(|(who, side): (PlayerIndex, usize)| {
            let standing = &mut self.standings[who];
            let mut rating = standing.at(at, game.stated[side], self.start);
            let recorded = game.stated[side].and_then(Stated::complete);
            if let Some(recorded) = recorded.filter(|_| standing.rating.is_some()) {
                self.record.compared += 1;
                self.record.equal += u64::from(recorded == rating);
            }
            // Records before the first game that counts are only compared.
            if game.counts && !standing.counted {
                *standing = PlayerState { held: standing.held, counted: true, ..PlayerState::default() };
                rating = standing.at(at, game.stated[side], self.start);
            }
            if game.counts || recorded.is_some() || standing.rating.is_some() {
                standing.risen_until = standing.risen_until.max(at);
                standing.rating = Some(rating);
            }
            rating
        });
        if !game.counts {
            return;
        }
        let points = score(game.points);
        let after = [gold.after(silver, points), silver.after(gold, points.other())];
        for ((who, _), rating) in sides.into_iter().zip(after) {
            self.standings[who].rating = Some(rating);
            self.courses[who].push(Point { game: game.id, at, rating: rating.rating.into(), error: None });
        }
    }

    fn finish(&mut self, as_of: Option<i64>) {
        self.until = as_of.or(self.until);
    }

    fn wants_unrated(&self) -> bool {
        true
    }

    fn now(&self, player: PlayerIndex) -> Now {
        let rating = self.standings[player].at(self.until, None, self.start);
        (rating.rating.into(), None, Some(rating.k))
    }

    fn take_courses(&mut self) -> Vec<Vec<Point>> {
        std::mem::take(&mut self.courses)
    }

    fn record(&self) -> Comparison {
        self.record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Outcome, Pool};
    use crate::selection::GameSelection;
    use crate::{Ratings, System, rate};

    /// Sunday 2026-02-01 at 07:00, when K rises.
    const SUNDAY: i64 = 1_769_929_200_000_000;
    const HOUR: i64 = 3_600_000_000;

    fn game(id: u64, players: [PlayerIndex; 2], outcome: Outcome, began: i64) -> Game {
        Game { began: Some(began), ..Game::rated(id, began + HOUR, players[0], players[1], outcome) }
    }

    fn rated(people: usize, games: Vec<Game>, start: &str) -> Ratings {
        let players = (0..people).map(|n| Player::named(format!("p{n}"))).collect();
        let system: System = format!("gameroom start={start}").parse().unwrap();
        rate(&Pool { players, games, belongs: Vec::new() }, &GameSelection::default(), &system).unwrap()
    }

    fn figures(ratings: &Ratings) -> Vec<(&str, f64, u32)> {
        ratings.players.iter().map(|p| (p.name.as_str(), p.rating, p.k.unwrap())).collect()
    }

    #[test]
    fn newcomers_part_as_it_is_worked_out_by_hand() {
        // 1400 + 120·(1 − 1/2) = 1460, K 0.98·120 + 0.6 = 118. Then 1460 with K 118 against a newcomer's 1400: expected
        // 1/(1 + 10^(−60/400)) = 0.58550; a loss costs 118·0.58550 = 69.09, and 1460 − 69.09 + 0.5 is 1391.41.
        // The newcomer gains 120·0.58550 = 70.26: 1470.76 with the half, so 1470.
        let games = vec![
            game(1, [0, 1], Outcome::Gold, SUNDAY + HOUR),
            game(2, [2, 0], Outcome::Gold, SUNDAY + 5 * HOUR),
        ];
        let ratings = rated(3, games, "new");
        assert_eq!(figures(&ratings), [("p2", 1470.0, 118), ("p0", 1391.0, 116), ("p1", 1340.0, 118)]);
        let second = &ratings.players[1];
        assert_eq!((second.games, second.wins, second.losses), (2, 1, 1));
        assert_eq!(second.course.iter().map(|at| at.rating).collect::<Vec<_>>(), [1460.0, 1391.0]);
        assert_eq!(second.first, Some(SUNDAY + 2 * HOUR));
    }

    #[test]
    fn a_sunday_between_two_games_raises_k() {
        let games = vec![
            game(1, [0, 1], Outcome::Gold, SUNDAY - 10 * HOUR),
            game(2, [0, 1], Outcome::Draw, SUNDAY + HOUR),
        ];
        // K 118 rises to 119, and falls to int(0.98·119 + 0.6) = 117.
        let ratings = rated(2, games, "new");
        assert_eq!(ratings.players.iter().map(|p| p.k.unwrap()).collect::<Vec<_>>(), [117, 117]);
        assert_eq!((ratings.players[0].draws, ratings.players[1].draws), (1, 1));
    }

    #[test]
    fn the_game_that_is_over_first_counts_first_whichever_began_first() {
        let long = Game { at: Some(SUNDAY + 50 * HOUR), ..game(1, [0, 1], Outcome::Silver, SUNDAY) };
        let short = game(2, [0, 2], Outcome::Gold, SUNDAY + 10 * HOUR);
        let ratings = rated(3, vec![long, short], "new");
        let p0 = ratings.players.iter().find(|p| p.name == "p0").unwrap();
        assert_eq!(p0.course.iter().map(|at| at.game).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(p0.course[0].rating, 1460.0);
    }

    #[test]
    fn a_record_is_held_against_the_formula_and_unrated_games_change_nothing() {
        let rating = |rating, k| Some(Rating { rating, k }.into());
        let mut games = vec![
            game(1, [0, 1], Outcome::Gold, SUNDAY + HOUR),
            game(2, [0, 1], Outcome::Gold, SUNDAY + 5 * HOUR),
            game(3, [0, 1], Outcome::Gold, SUNDAY + 9 * HOUR),
        ];
        games[0].stated = [rating(2000, 30), rating(1000, 0)];
        // 2000 against a fixed 1000: expected 0.99684, 30·0.00316 + 0.5 is below 1.
        games[1].stated = [rating(2000, 30), rating(1000, 0)];
        games[1].rated = false;
        games[2].stated = [rating(2001, 30), rating(1000, 0)];
        let ratings = rated(2, games, "record");
        assert_eq!(ratings.record, Comparison { compared: 4, equal: 3 });
        assert_eq!((ratings.games, ratings.players[0].games), (2, 2));
        assert_eq!(figures(&ratings), [("p0", 2000.0, 30), ("p1", 1000.0, 0)]);
    }

    #[test]
    fn a_player_begins_with_the_record_of_the_first_game_that_counts() {
        let stated = |rating, k| Some(Stated { rating, k });
        let mut games = vec![
            game(1, [0, 1], Outcome::Silver, SUNDAY + HOUR),
            game(2, [0, 1], Outcome::Gold, SUNDAY + 5 * HOUR),
        ];
        games[0].rated = false;
        games[0].stated = [stated(1516, None), stated(1390, None)];
        games[1].stated = [stated(1516, Some(112)), stated(1595, Some(50))];
        // 1516 against 1595: expected 0.38823, and 1516 + 112·0.61177 + 0.5 = 1585.02; 1595 − 50·0.61177 + 0.5 = 1564.91.
        let ratings = rated(2, games.clone(), "record");
        assert_eq!(figures(&ratings), [("p0", 1585.0, 110), ("p1", 1564.0, 49)]);
        assert_eq!(figures(&rated(2, games[1..].to_vec(), "record")), figures(&ratings));
        // A complete record of the unrated game changes nothing.
        let mut complete = games.clone();
        complete[0].stated = [stated(1500, Some(90)), stated(1390, Some(90))];
        assert_eq!(figures(&rated(2, complete, "record")), figures(&ratings));
        // Where the unrated game counts, its rating is the start, with the K of a newcomer.
        games[0].rated = true;
        games[0].outcome = Some(Outcome::Draw);
        games.truncate(1);
        // 1516 against 1390: expected 0.67376, and 1516 − 120·0.17376 + 0.5 = 1495.65.
        assert_eq!(figures(&rated(2, games, "record")), [("p0", 1495.0, 118), ("p1", 1411.0, 118)]);
    }

    #[test]
    fn k_rises_until_the_moment_that_is_asked_for_whoever_plays() {
        let week = 7 * 24 * HOUR;
        let games = vec![
            game(1, [0, 1], Outcome::Gold, SUNDAY + HOUR),
            game(2, [2, 3], Outcome::Gold, SUNDAY + 5 * week + HOUR),
        ];
        let players: Vec<Player> = (0..4).map(|n| Player::named(format!("p{n}"))).collect();
        let mut pool = Pool { players, games, belongs: Vec::new() };
        let k = |pool: &Pool, as_of: Option<i64>| {
            let choice = GameSelection { as_of, ..GameSelection::default() };
            let ratings = rate(pool, &choice, &"gameroom".parse().unwrap()).unwrap();
            let of = |name: &str| {
                ratings.players.iter().find(|p| p.name == name).map(|p| (p.rating, p.k.unwrap()))
            };
            [of("p0"), of("p2")]
        };
        let hour = Some(SUNDAY + 3 * HOUR);
        assert_eq!(k(&pool, hour), [Some((1460.0, 118)), None]);
        assert_eq!(k(&pool, hour.map(|hour| hour + week)), [Some((1460.0, 119)), None]);
        // To the end of the data, and no further than 120.
        assert_eq!(k(&pool, None), [Some((1460.0, 120)), Some((1460.0, 118))]);
        // An unrated game in between changes nothing.
        pool.games.push(Game { rated: false, ..game(3, [0, 2], Outcome::Gold, SUNDAY + week + HOUR) });
        assert_eq!(k(&pool, hour.map(|hour| hour + week)), [Some((1460.0, 119)), None]);
        assert_eq!(k(&pool, None), [Some((1460.0, 120)), Some((1460.0, 118))]);
    }

    #[test]
    fn games_without_times_count_and_a_held_player_stays() {
        let untimed = Game { at: None, began: None, ..game(9, [2, 3], Outcome::Draw, 0) };
        let ratings = rated(4, vec![game(1, [0, 1], Outcome::Draw, SUNDAY), untimed], "new");
        assert_eq!(ratings.players[2].first, None);
        assert_eq!(ratings.notes.len(), 2, "{:?}", ratings.notes);
        let pool = Pool {
            players: vec![Player::named("bot_a"), Player::named("x")],
            games: vec![game(1, [0, 1], Outcome::Silver, SUNDAY)],
            belongs: Vec::new(),
        };
        let held =
            rate(&pool, &GameSelection::default(), &"gameroom fixed=bot_*@1000".parse().unwrap()).unwrap();
        // 120·0.0909 = 10.9, and the half cuts to 1411.
        assert_eq!(figures(&held), [("x", 1411.0, 118), ("bot_a", 1000.0, 0)]);
    }
}
