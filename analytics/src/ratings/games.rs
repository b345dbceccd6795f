//! The games of the dataset as ratings need them: who, with what result, when it was over, what the record says of the
//! ratings, and of games of the log the rulings on them and who the players are.

use std::collections::BTreeMap;

use annals_events::PlayerKind;
use annals_ratings::{Game, Outcome, Player as Rater, PlayerIndex, Pool};
use annals_rules::rating::Rating;

use super::logged::{follow_people, follow_rulings};
use super::{Chosen, GameSelection, Selection, refused};
use crate::dates::span;
use crate::players::find_player;
use crate::query_rows::QueryRows;
use crate::session::{Reading, Session};
use crate::sql_text::Conditions;
use crate::{Error, Reads};

/// The games of a selection, with their players.
#[derive(Debug)]
pub struct Loaded {
    /// Players, games, and who is who.
    pub pool: Pool,
    /// The account number of each player.
    pub(super) accounts: Vec<Option<u64>>,
    /// What the selection names.
    pub(super) among: Vec<PlayerIndex>,
    as_of: Option<i64>,
    /// What was read.
    pub reads: Reads,
}

impl Loaded {
    /// Reads the games of a selection.
    ///
    /// # Errors
    /// `Unknown` where nobody has a name, `Argument` for what is no date, `Sql` for a condition that is none.
    pub fn read(session: &Session, selection: &Selection) -> Result<Loaded, Error> {
        let as_of = selection.as_of.as_deref().map(span).transpose()?.map(|(_, end)| end - 1);
        let mut conditions = Conditions::default();
        // One rating speaks of one game.
        conditions.add(format!("game = '{}'", selection.game.word()));
        if let Some(condition) = &selection.condition {
            conditions.add(format!("({condition})"));
        }
        let sql = format!(
            "SELECT game_id, gold, silver, gold_id, silver_id, gold_kind, silver_kind, gold_rating, silver_rating, gold_k, \
             silver_k, result, rated, started_at, ended_at, stream FROM games{} \
             ORDER BY coalesce(ended_at, started_at) NULLS FIRST, game_id",
            conditions.clause()
        );
        let (answer, reads) = QueryRows::ask(session, &sql, Reading::Scan)?;
        let (mut loaded, streams) = Loaded::gather(&answer, reads)?;
        loaded.as_of = as_of;
        if let Some(log) = session.log()? {
            follow_rulings(session, &log, &streams, &mut loaded.pool)?;
            follow_people(&log, &mut loaded)?;
        }
        for name in &selection.players {
            let player = loaded.player(session, name)?;
            if !loaded.among.contains(&player) {
                loaded.among.push(player);
            }
        }
        Ok(loaded)
    }

    /// Adds a player, and says at which place.
    pub(super) fn add(&mut self, player: Rater, account: Option<u64>) -> PlayerIndex {
        self.pool.players.push(player);
        self.accounts.push(account);
        self.pool.players.len() - 1
    }

    /// The account number of a player.
    pub(super) fn account(&self, player: PlayerIndex) -> Option<u64> {
        self.accounts.get(player).copied().flatten()
    }

    /// The player of a name: as the games have it, or an earlier one.
    ///
    /// # Errors
    /// `Unknown` where nobody has it.
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
            hints: vec!["`annals player show NAME` shows the games that there are".to_owned()],
        })
    }

    /// What of it counts.
    pub(super) fn choice(&self, selection: &Selection) -> GameSelection {
        GameSelection { as_of: self.as_of, unrated: selection.unrated, among: self.among.clone() }
    }

    /// The games that count.
    pub(super) fn chosen(&self, selection: &Selection) -> Result<Chosen, Error> {
        let choice = self.choice(selection);
        Chosen::of(&self.pool, &choice).map_err(|error| refused(error, selection))
    }

    /// The names that were selected and have no game that counts.
    pub(super) fn without_games(&self, chosen: &Chosen) -> Vec<String> {
        let plays = |player: &PlayerIndex| {
            let person = chosen.persons.get(*player).copied();
            chosen.counting().any(|bout| Some(bout.gold) == person || Some(bout.silver) == person)
        };
        let idle = self.among.iter().filter(|player| !plays(player));
        idle.map(|player| self.pool.players[*player].name.clone()).collect()
    }

    fn gather(answer: &QueryRows, reads: Reads) -> Result<(Loaded, Vec<Option<String>>), Error> {
        let ids = answer.ids("game_id")?;
        let names = [answer.texts("gold")?, answer.texts("silver")?];
        let accounts = [answer.ids("gold_id")?, answer.ids("silver_id")?];
        let kinds = [answer.texts("gold_kind")?, answer.texts("silver_kind")?];
        let ratings = [answer.numbers("gold_rating")?, answer.numbers("silver_rating")?];
        let ks = [answer.numbers("gold_k")?, answer.numbers("silver_k")?];
        let (results, rated) = (answer.texts("result")?, answer.truths("rated")?);
        let (started, ended) = (answer.instants("started_at")?, answer.instants("ended_at")?);
        let mut loaded =
            Loaded { pool: Pool::default(), accounts: Vec::new(), among: Vec::new(), as_of: None, reads };
        let mut places: BTreeMap<(Option<u64>, String), PlayerIndex> = BTreeMap::new();
        for row in 0..answer.len() {
            let [gold, silver] = [0, 1].map(|side: usize| {
                let (id, name) = (accounts[side][row], names[side][row].clone().unwrap_or_default());
                // An account may change its name; without an account the name is all there is.
                let key = (id, if id.is_some() { String::new() } else { name.clone() });
                let place = *places.entry(key).or_insert_with(|| loaded.add(Rater::named(""), id));
                let player = &mut loaded.pool.players[place];
                player.name = name;
                player.kind = match kinds[side][row].as_deref() {
                    Some("human") => Some(PlayerKind::Human),
                    Some("bot") => Some(PlayerKind::Bot),
                    _ => player.kind,
                };
                place
            });
            let outcome = match results[row].as_deref() {
                Some("gold") => Some(Outcome::Gold),
                Some("silver") => Some(Outcome::Silver),
                Some("draw") => Some(Outcome::Draw),
                _ => None,
            };
            loaded.pool.games.push(Game {
                id: ids[row].unwrap_or_default(),
                began: started[row],
                at: ended[row],
                gold,
                silver,
                outcome,
                rated: rated[row] == Some(true),
                rated_changes: Vec::new(),
                stated: [0, 1].map(|side: usize| stated(ratings[side][row], ks[side][row])),
            });
        }
        Ok((loaded, answer.texts("stream")?))
    }
}

/// What a record states; the oldest state a K of -1, which is none.
fn stated(rating: Option<i64>, k: Option<i64>) -> Option<Rating> {
    Some(Rating { rating: i32::try_from(rating?).ok()?, k: u32::try_from(k?).ok()? })
}
