//! The games of the dataset as the input of ratings: players, results, times of the end, recorded
//! ratings; for games of the log also the rulings on them and the identities of the players.

use std::collections::BTreeMap;

use annals_events::PlayerKind;
use annals_ratings::{Game, Outcome, Player as Rater, PlayerIndex, Pool, Stated};
use serde::Deserialize;

use super::logged::{follow_people, follow_rulings};
use super::{Chosen, GameSelection, Selection, refused};
use crate::dates::span;
use crate::players::find_player;
use crate::session::{Reading, Session};
use crate::typed_rows::select;
use crate::{Error, Reads, Remedy};

/// The games of a selection, with their players.
#[derive(Debug)]
pub struct Loaded {
    /// Players, games, and identities.
    pub pool: Pool,
    /// The account number of each player.
    accounts: Vec<Option<u64>>,
    /// The players that the selection names.
    pub(super) among: Vec<PlayerIndex>,
    as_of: Option<i64>,
    /// The counts of files and bytes read.
    pub reads: Reads,
}

/// A row of `games`.
#[derive(Deserialize)]
struct GameRow {
    game_id: u64,
    gold: Option<String>,
    silver: Option<String>,
    gold_id: Option<u64>,
    silver_id: Option<u64>,
    gold_kind: Option<PlayerKind>,
    silver_kind: Option<PlayerKind>,
    gold_rating: Option<i32>,
    silver_rating: Option<i32>,
    gold_k: Option<i64>,
    silver_k: Option<i64>,
    result: Option<String>,
    rated: Option<bool>,
    started_at: Option<i64>,
    ended_at: Option<i64>,
    stream: Option<String>,
}

impl Loaded {
    /// Reads the games of a selection.
    ///
    /// # Errors
    /// `Unknown` if no player has a name, `Argument` for an invalid date, `Sql` for an invalid condition.
    pub fn read(session: &Session, selection: &Selection) -> Result<Loaded, Error> {
        let as_of = selection.as_of.as_deref().map(span).transpose()?.map(|(_, end)| end - 1);
        let games =
            format!("{} ORDER BY coalesce(ended_at, started_at) NULLS FIRST, game_id", selection.games());
        let (games, reads) = select(session, &games, &[selection.kind()], Reading::Scan)?;
        let (mut loaded, streams) = Loaded::gather(games, reads);
        loaded.as_of = as_of;
        if let Some(log) = session.log()? {
            follow_rulings(session, &log, &streams, &mut loaded.pool)?;
            follow_people(&log, &mut loaded.pool, &mut loaded.accounts)?;
        }
        for name in &selection.players {
            let player = loaded.player(session, name)?;
            if !loaded.among.contains(&player) {
                loaded.among.push(player);
            }
        }
        Ok(loaded)
    }

    /// Adds a player, and returns the index.
    fn add(&mut self, player: Rater, account: Option<u64>) -> PlayerIndex {
        self.pool.players.push(player);
        self.accounts.push(account);
        self.pool.players.len() - 1
    }

    /// The account number of a player.
    pub(super) fn account(&self, player: PlayerIndex) -> Option<u64> {
        self.accounts.get(player).copied().flatten()
    }

    /// The player of a name: a name in the games, or an earlier one.
    ///
    /// # Errors
    /// `Unknown` if no player has it.
    pub fn player(&self, session: &Session, name: &str) -> Result<PlayerIndex, Error> {
        let players = &self.pool.players;
        let wanted = name.to_lowercase();
        let exact = players.iter().position(|player| player.name == name);
        let folded = || players.iter().position(|player| player.name.to_lowercase() == wanted);
        if let Some(place) = exact.or_else(folded) {
            return Ok(place);
        }
        let known = find_player(session, name)?;
        let account = |place: &PlayerIndex| match known.id {
            Some(id) => self.accounts[*place] == Some(id),
            None => players[*place].name == known.name,
        };
        (0..players.len()).find(account).ok_or_else(|| Error::Nothing {
            what: format!("no game that is selected is one of {}", known.name),
            next: vec![Remedy::ShowPlayer],
        })
    }

    /// The selection of games that count.
    pub(super) fn choice(&self, selection: &Selection) -> GameSelection {
        GameSelection { as_of: self.as_of, unrated: selection.unrated, among: self.among.clone() }
    }

    /// The games that count.
    pub(super) fn chosen(&self, selection: &Selection) -> Result<Chosen, Error> {
        let choice = self.choice(selection);
        Chosen::of(&self.pool, &choice).map_err(|error| refused(error, selection))
    }

    /// The selected names without a game that counts.
    pub(super) fn without_games(&self, chosen: &Chosen) -> Vec<String> {
        let plays = |player: &PlayerIndex| {
            let person = chosen.persons.get(*player).copied();
            chosen.counting().any(|bout| Some(bout.gold) == person || Some(bout.silver) == person)
        };
        let idle = self.among.iter().filter(|player| !plays(player));
        idle.map(|player| self.pool.players[*player].name.clone()).collect()
    }

    fn gather(games: Vec<GameRow>, reads: Reads) -> (Loaded, Vec<Option<String>>) {
        let mut loaded =
            Loaded { pool: Pool::default(), accounts: Vec::new(), among: Vec::new(), as_of: None, reads };
        let mut places: BTreeMap<(Option<u64>, String), PlayerIndex> = BTreeMap::new();
        let mut streams = Vec::with_capacity(games.len());
        for game in games {
            let seats =
                [(game.gold_id, game.gold, game.gold_kind), (game.silver_id, game.silver, game.silver_kind)];
            let [gold, silver] = seats.map(|(id, name, kind)| {
                let name = name.unwrap_or_default();
                // An account may change its name; without an account only the name identifies the player.
                let key = (id, if id.is_some() { String::new() } else { name.clone() });
                let place = *places.entry(key).or_insert_with(|| loaded.add(Rater::named(""), id));
                let player = &mut loaded.pool.players[place];
                player.name = name;
                player.kind = kind.or(player.kind);
                place
            });
            let outcome = match game.result.as_deref() {
                Some("gold") => Some(Outcome::Gold),
                Some("silver") => Some(Outcome::Silver),
                Some("draw") => Some(Outcome::Draw),
                _ => None,
            };
            loaded.pool.games.push(Game {
                id: game.game_id,
                began: game.started_at,
                at: game.ended_at,
                gold,
                silver,
                outcome,
                rated: game.rated == Some(true),
                rated_changes: Vec::new(),
                stated: [stated(game.gold_rating, game.gold_k), stated(game.silver_rating, game.silver_k)],
            });
            streams.push(game.stream);
        }
        (loaded, streams)
    }
}

/// The recorded rating and K; in the oldest records a K of -1 is none.
fn stated(rating: Option<i32>, k: Option<i64>) -> Option<Stated> {
    Some(Stated { rating: rating?, k: k.and_then(|k| u32::try_from(k).ok()) })
}
