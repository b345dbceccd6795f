//! Compares recorded ratings with the gameroom's formula: a record's rating and the game's result give what the
//! player's next record must state. Nothing is carried further, so a wrong record is one mismatch.

use annals_rules::rating::{Rating, weekly_rises};
use serde::Serialize;

use crate::game::{Game, PlayerIndex, Pool};
use crate::gameroom::score;

/// What differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// K only.
    OtherK,
    OtherRating,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    pub player: PlayerIndex,
    pub name: String,
    /// Whose result determines it.
    pub after: u64,
    /// Whose record states it.
    pub game: u64,
    pub computed: (i32, u32),
    pub recorded: (i32, u32),
    pub found: Found,
}

/// Results over all records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Mismatches {
    /// Pairs of a player's consecutive games, by their ends.
    pub transitions: u64,
    /// Equal in rating and K, weekly rises included.
    pub equal: u64,
    /// Equal in rating and K without rises.
    pub equal_without_rises: u64,
    /// Equal in rating, with K higher than without rises by the index, from 1.
    pub higher_k: Vec<u64>,
    /// Not computable: no recorded rating, or unknown result.
    pub not_stated: u64,
    /// Compared with rises.
    pub mismatches: Vec<Mismatch>,
}

/// A larger difference of K is not a rise.
const RISES_COUNTED: usize = 8;

/// With merges as of a time.
#[must_use]
pub fn mismatches(pool: &Pool, as_of: Option<i64>) -> Mismatches {
    mismatches_among(pool, as_of, &|_| true)
}

/// Reports only records of some games. A transition always starts at the player's previous game, listed or not.
#[must_use]
pub fn mismatches_among(pool: &Pool, as_of: Option<i64>, reported: &dyn Fn(&Game) -> bool) -> Mismatches {
    let mut found = Mismatches { higher_k: vec![0; RISES_COUNTED], ..Mismatches::default() };
    let mut order: Vec<&Game> = pool
        .games
        .iter()
        .filter(|game| {
            let players = pool.players.len();
            game.gold < players && game.silver < players
        })
        .filter(|game| as_of.is_none_or(|as_of| game.at.or(game.began).is_some_and(|at| at <= as_of)))
        .collect();
    // Ratings change and records are made at the end of a game.
    order.sort_by_key(|game| (game.at.or(game.began), game.id));
    // By account: its rating does not depend on the person who plays with it.
    let mut last: Vec<Option<(&Game, usize)>> = vec![None; pool.players.len()];
    for game in order {
        let sides = [game.gold, game.silver];
        for (side, player) in sides.into_iter().enumerate().filter(|_| reported(game)) {
            if let Some((earlier, of)) = last[player] {
                found.take(pool, player, (earlier, of), (game, side));
            }
        }
        for (side, player) in sides.into_iter().enumerate() {
            last[player] = Some((game, side));
        }
    }
    while found.higher_k.last() == Some(&0) {
        found.higher_k.pop();
    }
    found
}

impl Mismatches {
    fn take(&mut self, pool: &Pool, player: PlayerIndex, earlier: (&Game, usize), later: (&Game, usize)) {
        self.transitions += 1;
        let Some((after, recorded)) = after(earlier).zip(stated(later)) else {
            self.not_stated += 1;
            return;
        };
        let until = later.0.at.or(later.0.began);
        let rises = match (earlier.0.at, until) {
            (Some(from), Some(until)) => weekly_rises(from, until),
            _ => 0,
        };
        let computed = after.after_weekly_rises(rises);
        if after.rating == recorded.rating {
            let higher = recorded.k.checked_sub(after.k).and_then(|higher| usize::try_from(higher).ok());
            match higher {
                Some(0) => self.equal_without_rises += 1,
                Some(higher) => {
                    if let Some(count) = self.higher_k.get_mut(higher - 1) {
                        *count += 1;
                    }
                }
                None => {}
            }
        }
        if computed == recorded {
            self.equal += 1;
            return;
        }
        let found = if computed.rating == recorded.rating { Found::OtherK } else { Found::OtherRating };
        self.mismatches.push(Mismatch {
            player,
            name: pool.players[player].name.clone(),
            after: earlier.0.id,
            game: later.0.id,
            computed: (computed.rating, computed.k),
            recorded: (recorded.rating, recorded.k),
            found,
        });
    }
}

/// The recorded rating before, with K.
fn stated((game, side): (&Game, usize)) -> Option<Rating> {
    game.stated[side]?.complete()
}

/// From the recorded rating before; none if the record is incomplete.
fn after((game, side): (&Game, usize)) -> Option<Rating> {
    let own = stated((game, side))?;
    // The server used the game as it was then, whatever was ruled later.
    if !game.rated {
        return Some(own);
    }
    let opponent = stated((game, 1 - side))?;
    let gold = score(game.outcome?.gold_points());
    Some(own.after(opponent, if side == 0 { gold } else { gold.other() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Player};

    /// Sunday 2026-02-01 at 07:00, when K rises.
    const SUNDAY: i64 = 1_769_929_200_000_000;
    const HOUR: i64 = 3_600_000_000;

    fn game(id: u64, hour: i64, outcome: Outcome, stated: [(i32, u32); 2]) -> Game {
        let at = SUNDAY + hour * HOUR;
        Game {
            began: Some(at - HOUR),
            stated: stated.map(|(rating, k)| Some(Rating { rating, k }.into())),
            ..Game::rated(id, at, 0, 1, outcome)
        }
    }

    #[test]
    fn one_wrong_statement_is_found_where_it_is_and_the_weekly_rise_is_none() {
        let games = vec![
            game(1, -5, Outcome::Gold, [(1400, 120), (1400, 120)]),
            // A Sunday is between the games: K 119 and not 118.
            game(2, 5, Outcome::Gold, [(1460, 119), (1340, 119)]),
            // By the formula 1500 and 1300 follow, with K 117.
            game(3, 9, Outcome::Gold, [(1499, 117), (1300, 116)]),
        ];
        let pool = Pool { players: ["a", "b"].map(Player::named).to_vec(), games, belongs: Vec::new() };
        let found = mismatches(&pool, None);
        assert_eq!((found.transitions, found.equal, found.not_stated), (4, 2, 0));
        assert_eq!((found.equal_without_rises, found.higher_k.as_slice()), (0, &[2][..]));
        let of: Vec<(u64, Found, (i32, u32))> =
            found.mismatches.iter().map(|d| (d.game, d.found, d.computed)).collect();
        assert_eq!(of, [(3, Found::OtherRating, (1500, 117)), (3, Found::OtherK, (1300, 117))]);
    }

    #[test]
    fn games_that_overlap_are_taken_in_the_order_of_their_ends() {
        let [new, by_formula] = [(1400, 120), (1460, 118)];
        let one = |id, silver: usize, from: i64, to: i64, gold: (i32, u32)| Game {
            began: Some(SUNDAY + from * HOUR),
            silver,
            ..game(id, to, Outcome::Gold, [gold, new])
        };
        // The second is over first: 1400 to 1460. Then the first: 1460 against 1400 expects 0.58550, so 1460 + 118·0.41450 + 0.5.
        let games = vec![one(1, 1, 0, 10, by_formula), one(2, 2, 1, 2, new), one(3, 3, 19, 20, (1509, 116))];
        let pool =
            Pool { players: ["a", "b", "c", "d"].map(Player::named).to_vec(), games, belongs: Vec::new() };
        let found = mismatches(&pool, None);
        assert_eq!((found.transitions, found.equal, found.mismatches), (2, 2, Vec::new()));
    }

    #[test]
    fn leaving_games_out_of_the_report_invents_no_mismatches() {
        let games = vec![
            game(1, 0, Outcome::Gold, [(1400, 120), (1400, 120)]),
            game(2, 5, Outcome::Gold, [(1460, 118), (1340, 118)]),
            // 1460 and 1340: expected 0.66612, so 1460 + 118·0.33388 + 0.5 = 1499.
            game(3, 9, Outcome::Gold, [(1499, 116), (1301, 116)]),
        ];
        let pool = Pool { players: ["a", "b"].map(Player::named).to_vec(), games, belongs: Vec::new() };
        let without_the_second = mismatches_among(&pool, None, &|game| game.id != 2);
        assert_eq!((without_the_second.transitions, without_the_second.equal), (2, 2));
        let only_the_second = mismatches_among(&pool, None, &|game| game.id == 2);
        assert_eq!((only_the_second.transitions, only_the_second.equal), (2, 2));
    }

    #[test]
    fn what_is_not_stated_is_counted_and_not_guessed() {
        let mut games = vec![
            game(1, 0, Outcome::Gold, [(1400, 120), (1400, 120)]),
            game(2, 5, Outcome::Gold, [(1460, 118), (1340, 118)]),
        ];
        games[0].outcome = None;
        let pool = Pool { players: ["a", "b"].map(Player::named).to_vec(), games, belongs: Vec::new() };
        let found = mismatches(&pool, None);
        assert_eq!((found.transitions, found.not_stated, found.mismatches.len()), (2, 2, 0));
        assert_eq!(mismatches(&pool, Some(SUNDAY)).transitions, 0, "the second was over later");
    }
}
