//! What careers need of all games, in memory: 40 bytes for each game. A query would read the whole table for each player.

use std::collections::HashMap;
use std::hash::Hash;

use annals_events::GameKind;

use crate::Error;
use crate::career::{GameRow, PlayedGame};
use crate::players::{Player, all};
use crate::session::{Reading, Session};
use crate::typed_rows::{each, selecting};

/// The most bytes of games in memory.
pub const CAREERS: usize = 256 << 20;

/// Bytes of a game: its row, and its places in the lists of both players.
const OF_GAME: usize = size_of::<Game>() + 2 * size_of::<u32>();

/// A value that is not recorded.
const NONE: i64 = i64::MIN;
const NO_RATING: i32 = i32::MIN;

/// In pairs gold is first.
struct Game {
    started_at: i64,
    players: [u32; 2],
    ratings: [i32; 2],
    result: u16,
    termination: u16,
    rated: bool,
    kind: GameKind,
}

/// Account number, and the name in the game.
type Named = (Option<u64>, String);

/// The account number, or the name of a player without one.
type Identity = (Option<u64>, String);

pub(crate) struct Careers {
    players: Vec<Player>,
    /// The place of the first player of each name.
    named: HashMap<String, usize>,
    /// By start and number.
    games: Vec<Game>,
    names: Vec<Named>,
    words: Vec<Option<String>>,
    /// The places of each player's games.
    of: HashMap<Identity, Vec<u32>>,
}

impl Careers {
    /// Reads all games; none if they need too much memory.
    pub(crate) fn read(session: &Session) -> Result<Option<Careers>, Error> {
        if session.dataset().rows("games").saturating_mul(OF_GAME as u64) > CAREERS as u64 {
            return Ok(None);
        }
        let (mut games, mut names, mut words) = (Vec::new(), Numbers::default(), Numbers::default());
        each(session, &selecting::<GameRow>("FROM games"), &[], Reading::Scan, |row: GameRow| {
            let game = Game {
                started_at: row.started_at.unwrap_or(NONE),
                players: [(row.gold_id, row.gold), (row.silver_id, row.silver)]
                    .map(|(id, name)| names.of((id, name.unwrap_or_default()))),
                ratings: [row.gold_rating, row.silver_rating].map(|rating| rating.unwrap_or(NO_RATING)),
                // The words are those of a closed list.
                result: words.of(row.result) as u16,
                termination: words.of(row.termination) as u16,
                rated: row.rated == Some(true),
                kind: row.game,
            };
            games.push((row.game_id, game));
        })?;
        // Games without a time are last, as in SQL.
        games.sort_unstable_by_key(|(id, game)| (game.started_at == NONE, game.started_at, *id));
        let games: Vec<Game> = games.into_iter().map(|(_, game)| game).collect();
        let mut of: HashMap<Identity, Vec<u32>> = HashMap::new();
        let names = names.values;
        for (game, place) in games.iter().zip(0..) {
            let [gold, silver] = game.players.map(|player| identity(&names[player as usize]));
            let is_one = gold == silver;
            of.entry(gold).or_default().push(place);
            if !is_one {
                of.entry(silver).or_default().push(place);
            }
        }
        of.values_mut().for_each(Vec::shrink_to_fit);
        let players = all(session)?;
        let mut named = HashMap::with_capacity(players.len());
        for (place, player) in players.iter().enumerate() {
            named.entry(player.name.clone()).or_insert(place);
        }
        Ok(Some(Careers { players, named, games, names, words: words.values, of }))
    }

    /// The player of a name in this case.
    pub(crate) fn named(&self, name: &str) -> Option<&Player> {
        self.players.get(*self.named.get(name)?)
    }

    pub(crate) fn players(&self) -> &[Player] {
        &self.players
    }

    /// The games of a player, by start.
    pub(crate) fn of(&self, player: &Player) -> impl Iterator<Item = PlayedGame<'_>> {
        let places = self.of.get(&identity(&(player.id, player.name.clone())));
        places.into_iter().flatten().map(|place| self.played(&self.games[*place as usize]))
    }

    fn played(&self, game: &Game) -> PlayedGame<'_> {
        let word = |number: u16| self.words[usize::from(number)].as_deref();
        PlayedGame {
            game: game.kind,
            started_at: (game.started_at != NONE).then_some(game.started_at),
            players: game.players.map(|player| {
                let (id, name) = &self.names[player as usize];
                (*id, name.as_str())
            }),
            ratings: game.ratings.map(|rating| (rating != NO_RATING).then_some(rating)),
            result: word(game.result),
            termination: word(game.termination),
            rated: game.rated,
        }
    }
}

fn identity((id, name): &Named) -> Identity {
    (*id, if id.is_some() { String::new() } else { name.clone() })
}

/// Numbers for values that come again.
struct Numbers<T> {
    values: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Numbers<T> {
        Numbers { values: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn of(&mut self, value: T) -> u32 {
        *self.numbers.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            self.values.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_needs_the_bytes_that_the_documents_state() {
        assert_eq!(OF_GAME, 40);
    }
}
