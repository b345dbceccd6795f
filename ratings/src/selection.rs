//! Selects a pool's games and persons at a time, by rulings and merges then, in order of time.

use crate::error::RatingsError;
use crate::game::{DAY, Player, PlayerIndex, Pool, Stated};
use crate::left_out::LeftOut;

/// Assumed duration of a game with unknown end, for predictions. The longest correspondence game of 2002 took 28.8 days.
pub const UNKNOWN_END: i64 = 30 * DAY;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameSelection {
    /// Only what was over, ruled and known by then (microseconds since 1970).
    pub as_of: Option<i64>,
    /// Unrated games count, too.
    pub unrated: bool,
    /// Only games among these players; all if empty.
    pub among: Vec<PlayerIndex>,
}

/// Between two persons, with a result.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedGame {
    pub id: u64,
    /// Beginning, else end.
    pub began: i64,
    /// End, else the first game's.
    pub at: i64,
    /// The end is recorded.
    pub timed: bool,
    /// When the result can be known: at the end, or [`UNKNOWN_END`] after the beginning; never without times.
    pub known: Option<i64>,
    pub gold: PlayerIndex,
    pub silver: PlayerIndex,
    /// The pool's players, Gold's first, before resolving persons.
    pub accounts: [PlayerIndex; 2],
    /// Gold's: 1, 1/2 or 0.
    pub points: f64,
    /// Counts, or only states ratings.
    pub counts: bool,
    /// Recorded before it, both ratings.
    pub stated: [Option<Stated>; 2],
}

/// By their ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// Of the pool. Aliases have no games.
    pub players: Vec<Player>,
    /// With results.
    pub games: Vec<RatedGame>,
    pub left_out: LeftOut,
    /// Of the choice.
    pub as_of: Option<i64>,
    /// Of every player.
    pub persons: Vec<PlayerIndex>,
}

impl Chosen {
    /// # Errors
    /// `NoSuchPlayer` if a game has an unknown player, `OnePlayer` for a single chosen player, `Empty` without counting
    /// games.
    pub fn of(pool: &Pool, choice: &GameSelection) -> Result<Chosen, RatingsError> {
        let chosen = Chosen::gather(pool, choice, choice.as_of)?;
        if chosen.counting().next().is_none() {
            return Err(chosen.nothing());
        }
        Ok(chosen)
    }

    /// The games as known at a time. Selection by players uses the choice's own knowledge.
    pub(crate) fn gather(
        pool: &Pool,
        choice: &GameSelection,
        known: Option<i64>,
    ) -> Result<Chosen, RatingsError> {
        let meant = pool.persons(choice.as_of);
        let persons = if known == choice.as_of { meant.clone() } else { pool.persons(known) };
        let count = pool.players.len();
        let mut among: Vec<PlayerIndex> =
            choice.among.iter().filter_map(|player| meant.get(*player).copied()).collect();
        among.sort_unstable();
        among.dedup();
        if let [one] = among.as_slice() {
            let name = pool.players.get(*one).map_or_else(String::new, |player| player.name.clone());
            return Err(RatingsError::OnePlayer { name });
        }
        let mut chosen = Chosen {
            players: pool.players.clone(),
            games: Vec::with_capacity(pool.games.len()),
            left_out: LeftOut::default(),
            as_of: choice.as_of,
            persons,
        };
        let first = pool.games.iter().filter_map(|game| game.at.or(game.began)).min().unwrap_or(0);
        for game in &pool.games {
            let over = game.at.or(game.began);
            if choice.as_of.is_some_and(|as_of| over.is_none_or(|at| at > as_of)) {
                continue;
            }
            let who = |player: PlayerIndex| {
                let missing = RatingsError::NoSuchPlayer { game: game.id, player, players: count };
                chosen.persons.get(player).copied().ok_or(missing)
            };
            let (gold, silver) = (who(game.gold)?, who(game.silver)?);
            if !(among.is_empty() || among.contains(&meant[game.gold]) && among.contains(&meant[game.silver]))
            {
                continue;
            }
            let Some(outcome) = game.outcome else {
                chosen.left_out.undecided += 1;
                continue;
            };
            if gold == silver {
                chosen.left_out.against_oneself += 1;
                continue;
            }
            let counts = choice.unrated || game.is_rated(known);
            chosen.left_out.unrated += u64::from(!counts);
            let at = over.unwrap_or(first);
            chosen.games.push(RatedGame {
                id: game.id,
                began: game.began.unwrap_or(at).min(at),
                at,
                timed: over.is_some(),
                known: game.at.or(game.began.map(|began| began.saturating_add(UNKNOWN_END))),
                gold,
                silver,
                accounts: [game.gold, game.silver],
                points: outcome.gold_points(),
                counts,
                stated: game.stated,
            });
        }
        chosen.games.sort_by_key(|game| (game.timed, game.at, game.id));
        Ok(chosen)
    }

    pub fn counting(&self) -> impl Iterator<Item = &RatedGame> {
        self.games.iter().filter(|game| game.counts)
    }

    /// Which of two reasons applies.
    fn nothing(&self) -> RatingsError {
        match self.players.as_slice() {
            [one] => RatingsError::OnePlayer { name: one.name.clone() },
            _ => RatingsError::Empty(self.left_out),
        }
    }

    /// Connected groups of players, the largest first, each in pool order. Ratings are comparable within a group only.
    /// Players without games are in none.
    #[must_use]
    pub fn groups(&self) -> Vec<Vec<PlayerIndex>> {
        groups(self.players.len(), self.counting())
    }
}

/// Connected groups in some games, ordered as in [`Chosen::groups`].
pub(crate) fn groups<'b>(
    players: usize,
    games: impl Iterator<Item = &'b RatedGame>,
) -> Vec<Vec<PlayerIndex>> {
    let mut above: Vec<usize> = (0..players).collect();
    fn top(above: &mut [usize], mut player: usize) -> usize {
        while above[player] != player {
            above[player] = above[above[player]];
            player = above[player];
        }
        player
    }
    let mut plays = vec![false; players];
    for game in games {
        let (gold, silver) = (top(&mut above, game.gold), top(&mut above, game.silver));
        above[gold.max(silver)] = gold.min(silver);
        (plays[game.gold], plays[game.silver]) = (true, true);
    }
    let mut of_top: Vec<Vec<PlayerIndex>> = vec![Vec::new(); players];
    for player in (0..players).filter(|player| plays[*player]) {
        of_top[top(&mut above, player)].push(player);
    }
    let mut groups: Vec<Vec<PlayerIndex>> = of_top.into_iter().filter(|group| !group.is_empty()).collect();
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group.first().copied()));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Belongs, Game, Outcome, RatedChange};

    fn pool() -> Pool {
        Pool {
            players: ["anna", "bela", "cara", "dora"].map(Player::named).to_vec(),
            games: vec![
                Game::rated(2, 200, 0, 1, Outcome::Gold),
                Game::rated(1, 100, 2, 3, Outcome::Silver),
                Game { rated: false, ..Game::rated(3, 300, 0, 1, Outcome::Draw) },
                Game { outcome: None, ..Game::rated(4, 400, 0, 1, Outcome::Draw) },
                Game { at: None, ..Game::rated(5, 0, 1, 0, Outcome::Draw) },
            ],
            belongs: Vec::new(),
        }
    }

    #[test]
    fn games_stand_in_the_order_of_their_ends_and_the_untimed_first() {
        let chosen = Chosen::of(&pool(), &GameSelection::default()).unwrap();
        assert_eq!(chosen.games.iter().map(|game| game.id).collect::<Vec<_>>(), [5, 1, 2, 3]);
        assert_eq!(chosen.left_out, LeftOut { unrated: 1, undecided: 1, against_oneself: 0 });
        assert_eq!(chosen.games[0].at, 100);
        assert_eq!(chosen.groups(), [[0, 1], [2, 3]]);
    }

    #[test]
    fn what_is_later_than_the_moment_is_not_known_at_it() {
        let mut pool = pool();
        pool.belongs = vec![Belongs { at: 250, player: 3, person: 0 }];
        pool.games[0].rated_changes = vec![RatedChange { at: 260, rated: false }];
        let at = |as_of| {
            Chosen::of(&pool, &GameSelection { as_of: Some(as_of), ..GameSelection::default() }).unwrap()
        };
        assert_eq!((at(240).counting().count(), at(240).groups().len()), (2, 2));
        assert_eq!((at(255).counting().count(), at(255).groups().len()), (2, 1));
        assert_eq!(at(260).counting().count(), 1, "the ruling has been given");
    }

    #[test]
    fn when_a_game_is_known_to_be_over_is_told_from_when_it_is_counted() {
        let mut pool = pool();
        pool.games[0] = Game { began: Some(200), at: None, ..pool.games[0].clone() };
        let chosen = Chosen::of(&pool, &GameSelection::default()).unwrap();
        let of = |id| chosen.games.iter().find(|game| game.id == id).map(|game| (game.at, game.known));
        assert_eq!(of(2), Some((200, Some(200 + UNKNOWN_END))), "it is counted when it began");
        assert_eq!(of(1), Some((100, Some(100))));
        assert_eq!(of(5), Some((100, None)), "no time is known at all");
    }

    #[test]
    fn nothing_to_rate_says_why() {
        let error = Chosen::of(&Pool::default(), &GameSelection::default()).unwrap_err();
        assert_eq!(error.to_string(), "there is no game to rate");
        let pool = pool();
        let none =
            Chosen::of(&pool, &GameSelection { as_of: Some(99), ..GameSelection::default() }).unwrap_err();
        assert_eq!(none, RatingsError::Empty(LeftOut::default()));
        let one =
            Chosen::of(&pool, &GameSelection { among: vec![1, 1], ..GameSelection::default() }).unwrap_err();
        assert!(one.to_string().contains("`bela` is the only player"), "{one}");
        let mut unrated = pool.clone();
        unrated.games.iter_mut().for_each(|game| game.rated = false);
        let error = Chosen::of(&unrated, &GameSelection::default()).unwrap_err();
        assert!(error.to_string().contains("4 unrated, 1 without a result"), "{error}");
        assert!(error.hints()[0].contains("unrated games"));
        let mut strange = pool;
        strange.games[0].silver = 9;
        let error = Chosen::of(&strange, &GameSelection::default()).unwrap_err();
        assert_eq!(error.to_string(), "game 2 names player 9, and the pool has 4");
    }
}
