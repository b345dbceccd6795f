//! The games of the dataset as ratings need them: who, with what result, when it was over, and what the record says of
//! the ratings.

use std::collections::BTreeMap;

use annals_rules::rating::{GameScore, Rating};

use super::{LeftOut, Selection};
use crate::dates::span;
use crate::players::{Player, find_player};
use crate::session::{Reading, Session};
use crate::small_answer::SmallAnswer;
use crate::sql_text::Conditions;
use crate::{Error, Reads};

/// A player in the pool, by the place in [`Pool::people`].
pub(super) type Who = usize;

/// One game between two players, with a result.
#[derive(Debug, Clone)]
pub(super) struct Met {
    pub(super) id: u64,
    /// Gold and Silver.
    pub(super) players: [Who; 2],
    /// What Gold made of it.
    pub(super) score: GameScore,
    /// Whether it counts, or only tells what the ratings were.
    pub(super) counts: bool,
    /// When it was over, or where the record does not say, when it began.
    pub(super) over_at: Option<i64>,
    /// What the record says of the ratings before it.
    pub(super) stated: [Option<Rating>; 2],
}

/// Who a player is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) id: Option<u64>,
    /// The name in the game that was over last.
    pub(super) name: String,
}

/// The games that are selected, with their players.
#[derive(Debug, Default)]
pub(super) struct Pool {
    pub(super) people: Vec<Known>,
    pub(super) games: Vec<Met>,
    pub(super) left_out: LeftOut,
    /// The players that were named.
    pub(super) named: Vec<Known>,
}

impl Pool {
    /// Reads the games.
    pub(super) fn read(session: &Session, selection: &Selection) -> Result<(Pool, Reads), Error> {
        let named = named(session, &selection.players)?;
        let mut conditions = Conditions::default();
        // The gameroom's ratings are of Arimaa.
        conditions.add("game = 'arimaa'");
        if !named.is_empty() {
            for side in ["gold", "silver"] {
                let any: Vec<String> = named.iter().map(|player| player.has_side(side)).collect();
                conditions.add(format!("({})", any.join(" OR ")));
            }
        }
        let until = selection.as_of.as_deref().map(span).transpose()?.map(|(_, end)| end);
        let sql = format!(
            "SELECT game_id, gold, silver, gold_id, silver_id, gold_rating, silver_rating, gold_k, silver_k, result, rated, \
             started_at, ended_at FROM games{} ORDER BY coalesce(ended_at, started_at) NULLS FIRST, game_id",
            conditions.clause()
        );
        let (answer, reads) = SmallAnswer::ask(session, &sql, Reading::Scan)?;
        let mut pool = Pool::gather(&answer, selection.unrated, until);
        pool.named = named.into_iter().map(|player| Known { id: player.id, name: player.name }).collect();
        Ok((pool, reads))
    }

    fn gather(answer: &SmallAnswer, unrated: bool, until: Option<i64>) -> Pool {
        let ids = answer.ids("game_id");
        let names = ["gold", "silver"].map(|side| answer.texts(side));
        let accounts = ["gold_id", "silver_id"].map(|side| answer.ids(side));
        let ratings = ["gold_rating", "silver_rating"].map(|side| answer.numbers(side));
        let ks = ["gold_k", "silver_k"].map(|side| answer.numbers(side));
        let (results, rated) = (answer.texts("result"), answer.truths("rated"));
        let (started, ended) = (answer.instants("started_at"), answer.instants("ended_at"));
        let mut pool = Pool::default();
        let mut places = BTreeMap::new();
        for row in 0..answer.len() {
            let over_at = ended[row].or(started[row]);
            if until.is_some_and(|until| over_at.is_none_or(|at| at >= until)) {
                continue;
            }
            let score = match results[row].as_deref() {
                Some("gold") => GameScore::Win,
                Some("silver") => GameScore::Loss,
                Some("draw") => GameScore::Draw,
                _ => {
                    pool.left_out.undecided += 1;
                    continue;
                }
            };
            let mut who = |side: usize| {
                let (id, name) = (accounts[side][row], names[side][row].clone().unwrap_or_default());
                // An account may change its name; without an account the name is all there is.
                let key = (id, if id.is_some() { String::new() } else { name.clone() });
                let place = *places.entry(key).or_insert_with(|| {
                    pool.people.push(Known { id, name: String::new() });
                    pool.people.len() - 1
                });
                pool.people[place].name = name;
                place
            };
            let players = [who(0), who(1)];
            if players[0] == players[1] {
                pool.left_out.against_oneself += 1;
                continue;
            }
            let counts = unrated || rated[row] == Some(true);
            pool.left_out.unrated += u64::from(!counts);
            let stated = [0, 1].map(|side: usize| stated(ratings[side][row], ks[side][row]));
            let id = ids[row].unwrap_or_default();
            pool.games.push(Met { id, players, score, counts, over_at, stated });
        }
        pool
    }
}

/// What a record states; the oldest state a K of -1, which is none.
fn stated(rating: Option<i64>, k: Option<i64>) -> Option<Rating> {
    Some(Rating { rating: i32::try_from(rating?).ok()?, k: u32::try_from(k?).ok()? })
}

/// The players of the names, each once; a single one has nobody to meet.
fn named(session: &Session, names: &[String]) -> Result<Vec<Player>, Error> {
    let mut players: Vec<Player> = Vec::new();
    for name in names {
        let player = find_player(session, name)?;
        if !players.contains(&player) {
            players.push(player);
        }
    }
    match players.as_slice() {
        [one] => Err(Error::Argument {
            what: "pool of players",
            found: one.name.clone(),
            why: "only games among the named players count, and one alone meets nobody; name two or more"
                .to_owned(),
        }),
        _ => Ok(players),
    }
}
