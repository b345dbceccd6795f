//! The gameroom's formula over a pool of games. A rating changes when a game is over, so games count in the order of their ends,
//! and who plays two at once has in the later end what the earlier made of the rating. K rises by the week for everybody at
//! the same moment, so it rises while a game is played as well.

use annals_rules::rating::{GameScore, Rating, weekly_rises};

use super::games::{Met, Pool, Who};
use super::{Comparison, RatedGame, RatedPlayer, Ratings, Selection, Start, System};
use crate::dates::instant;

/// How somebody stands.
#[derive(Debug, Clone, Default)]
struct Standing {
    /// None before the first game.
    rating: Option<Rating>,
    /// Up to when the weekly rises of K are in it.
    risen_until: Option<i64>,
    wins: u64,
    losses: u64,
    draws: u64,
    course: Vec<RatedGame>,
}

impl Standing {
    /// The rating at a moment, with the rises of K until then.
    fn at(&mut self, at: Option<i64>, stated: Option<Rating>, start: Start) -> Rating {
        let first = match start {
            Start::New => Rating::NEW,
            Start::Record => stated.unwrap_or(Rating::NEW),
        };
        let mut rating = self.rating.unwrap_or(first);
        if let (Some(from), Some(at)) = (self.risen_until, at) {
            rating = rating.after_weekly_rises(weekly_rises(from, at));
        }
        self.risen_until = self.risen_until.max(at);
        self.rating = Some(rating);
        rating
    }

    fn count(&mut self, game: &Met, score: GameScore, rating: Rating) {
        self.rating = Some(rating);
        match score {
            GameScore::Win => self.wins += 1,
            GameScore::Loss => self.losses += 1,
            GameScore::Draw => self.draws += 1,
        }
        self.course.push(RatedGame { game_id: game.id, at: game.over_at, rating: rating.rating });
    }
}

/// Rates everybody.
pub(super) fn rate(pool: Pool, selection: &Selection) -> Ratings {
    let mut standings = vec![Standing::default(); pool.people.len()];
    let mut record = Comparison::default();
    let mut order: Vec<&Met> = pool.games.iter().collect();
    order.sort_by_key(|game| (game.over_at, game.id));
    for game in order {
        over(&mut standings, game, selection.start, &mut record);
    }
    let games = pool.games.iter().filter(|game| game.counts).count() as u64;
    let mut players: Vec<RatedPlayer> = Vec::new();
    let mut without_games: Vec<String> = Vec::new();
    for named in &pool.named {
        let counted = |who: Who| !standings[who].course.is_empty();
        let same = |who: Who| match named.id {
            Some(id) => pool.people[who].id == Some(id),
            None => pool.people[who].id.is_none() && pool.people[who].name == named.name,
        };
        if !(0..pool.people.len()).any(|who| same(who) && counted(who)) {
            without_games.push(named.name.clone());
        }
    }
    for (known, standing) in pool.people.into_iter().zip(standings) {
        let Some(rating) = standing.rating.filter(|_| !standing.course.is_empty()) else { continue };
        let time = |game: Option<&RatedGame>| game.and_then(|game| game.at).map(instant);
        players.push(RatedPlayer {
            rank: 0,
            player: known.name,
            player_id: known.id,
            rating: rating.rating,
            uncertainty: rating.k,
            games: standing.course.len() as u64,
            wins: standing.wins,
            losses: standing.losses,
            draws: standing.draws,
            first_game: time(standing.course.first()),
            last_game: time(standing.course.last()),
            course: standing.course,
        });
    }
    rank(&mut players);
    let (system, start, left_out) = (System::Gameroom, selection.start, pool.left_out);
    Ratings { system, start, games, left_out, record, players, without_games }
}

/// A game is over: what its record says of the ratings is held against them, for the record is made at the end as well, and
/// where the game counts both change by it.
fn over(standings: &mut [Standing], game: &Met, start: Start, record: &mut Comparison) {
    let [gold, silver] = [0, 1].map(|side: usize| {
        let standing = &mut standings[game.players[side]];
        let begins = standing.rating.is_none();
        let rating = standing.at(game.over_at, game.stated[side], start);
        if let Some(stated) = game.stated[side].filter(|_| !begins) {
            record.compared += 1;
            record.equal += u64::from(stated == rating);
        }
        rating
    });
    if game.counts {
        standings[game.players[0]].count(game, game.score, gold.after(silver, game.score));
        standings[game.players[1]].count(game, game.score.other(), silver.after(gold, game.score.other()));
    }
}

/// The highest rating first; those of the same rating share a rank and stand by name.
fn rank(players: &mut [RatedPlayer]) {
    players.sort_by(|a, b| {
        b.rating
            .cmp(&a.rating)
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

#[cfg(test)]
mod tests {
    use super::super::games::Known;
    use super::*;

    /// Sunday 2026-02-01 at 07:00, when K rises.
    const SUNDAY: i64 = 1_769_929_200_000_000;
    const HOUR: i64 = 3_600_000_000;

    fn game(id: u64, players: [Who; 2], score: GameScore, started_at: i64) -> Met {
        let over_at = Some(started_at + HOUR);
        Met { id, players, score, counts: true, over_at, stated: [None, None] }
    }

    fn pool(people: usize, games: Vec<Met>) -> Pool {
        let people = (0..people).map(|n| Known { id: None, name: format!("p{n}") }).collect();
        Pool { people, games, ..Pool::default() }
    }

    fn figures(ratings: &Ratings) -> Vec<(&str, i32, u32)> {
        ratings.players.iter().map(|p| (p.player.as_str(), p.rating, p.uncertainty)).collect()
    }

    #[test]
    fn newcomers_part_as_it_is_worked_out_by_hand() {
        // 1400 + 120·(1 − 1/2) = 1460, K 0.98·120 + 0.6 = 118. Then 1460 with K 118 against a newcomer's 1400: expected
        // 1/(1 + 10^(−60/400)) = 0.58550; a loss costs 118·0.58550 = 69.09, and 1460 − 69.09 + 0.5 is 1391.41.
        // The newcomer gains 120·0.58550 = 70.26: 1470.76 with the half, so 1470.
        let games = vec![
            game(1, [0, 1], GameScore::Win, SUNDAY + HOUR),
            game(2, [2, 0], GameScore::Win, SUNDAY + 5 * HOUR),
        ];
        let ratings = rate(pool(3, games), &Selection::default());
        assert_eq!(figures(&ratings), [("p2", 1470, 118), ("p0", 1391, 116), ("p1", 1340, 118)]);
        let [first, second, third] = &ratings.players[..] else { panic!("three players") };
        assert_eq!((first.rank, second.rank, third.rank), (1, 2, 3));
        assert_eq!((second.games, second.wins, second.losses), (2, 1, 1));
        assert_eq!(second.course.iter().map(|at| at.rating).collect::<Vec<_>>(), [1460, 1391]);
        assert_eq!(second.first_game.as_deref(), Some("2026-02-01T09:00:00Z"));
    }

    #[test]
    fn a_sunday_between_two_games_raises_k() {
        let games = vec![
            game(1, [0, 1], GameScore::Win, SUNDAY - 10 * HOUR),
            game(2, [0, 1], GameScore::Draw, SUNDAY + HOUR),
        ];
        // K 118 rises to 119, and falls to int(0.98·119 + 0.6) = 117.
        let ratings = rate(pool(2, games), &Selection::default());
        assert_eq!(ratings.players.iter().map(|p| p.uncertainty).collect::<Vec<_>>(), [117, 117]);
        assert_eq!((ratings.players[0].draws, ratings.players[1].draws), (1, 1));
    }

    #[test]
    fn the_game_that_is_over_first_counts_first_whichever_began_first() {
        let long = Met { over_at: Some(SUNDAY + 50 * HOUR), ..game(1, [0, 1], GameScore::Loss, SUNDAY) };
        let short = game(2, [0, 2], GameScore::Win, SUNDAY + 10 * HOUR);
        let ratings = rate(pool(3, vec![long, short]), &Selection::default());
        let p0 = ratings.players.iter().find(|p| p.player == "p0").unwrap();
        assert_eq!(p0.course.iter().map(|at| at.game_id).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(p0.course[0].rating, 1460);
    }

    #[test]
    fn a_record_is_held_against_the_formula_and_unrated_games_change_nothing() {
        let rating = |rating, k| Some(Rating { rating, k });
        let mut games = vec![
            game(1, [0, 1], GameScore::Win, SUNDAY + HOUR),
            game(2, [0, 1], GameScore::Win, SUNDAY + 5 * HOUR),
            game(3, [0, 1], GameScore::Win, SUNDAY + 9 * HOUR),
        ];
        games[0].stated = [rating(2000, 30), rating(1000, 0)];
        // 2000 against a fixed 1000: expected 0.99684, 30·0.00316 + 0.5 is below 1.
        games[1].stated = [rating(2000, 30), rating(1000, 0)];
        games[1].counts = false;
        games[2].stated = [rating(2001, 30), rating(1000, 0)];
        let selection = Selection { start: Start::Record, ..Selection::default() };
        let ratings = rate(pool(2, games), &selection);
        assert_eq!(ratings.record, Comparison { compared: 4, equal: 3 });
        assert_eq!((ratings.games, ratings.players[0].games), (2, 2));
        assert_eq!(figures(&ratings), [("p0", 2000, 30), ("p1", 1000, 0)]);
    }

    #[test]
    fn level_players_share_a_rank_and_games_without_times_come_first() {
        let untimed = Met { over_at: None, ..game(9, [2, 3], GameScore::Draw, 0) };
        let timed = game(1, [0, 1], GameScore::Draw, SUNDAY);
        let ratings = rate(pool(4, vec![timed, untimed]), &Selection::default());
        assert_eq!(ratings.players.iter().map(|p| p.rank).collect::<Vec<_>>(), [1, 1, 1, 1]);
        assert_eq!(ratings.players[2].first_game, None);
    }
}
